"""Our small models next to the real one, and the course's claims measured on it."""

import math
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain

import numpy as np
import torch

from lessons.kit.checkpoints import STORIES, load_card, load_model, read_story
from lessons.kit.contract import InputError, Result
from lessons.real.heads.compute import CHANGES
from lessons.real.heads.exercises import opening_heads
from lessons.real.lens.exercises import opening_lens
from lessons.real.loop.exercises import opening_loop
from lessons.real.modern.exercises import opening as opening_modern
from lessons.real.pretrained_model import Words, encode, model, pieces, quote, surprisal
from lessons.real.recordings import recorded
from models.recipes import RECIPES

OURS = "stories-transformer"
TRAINING_TOKENS = 2_000_000_000_000  # training tokens of SmolLM2-135M: Allal et al. 2025, arXiv 2502.02737
ABLATED_LAYERS = (5, 15, 25)
SMALL_EFFECT = 0.02


@dataclass(frozen=True)
class Scale(Result):
    rows: tuple[tuple[str, str, str], ...]  # quantity, value for our models, value for the real model
    words: Words
    bits: np.ndarray  # (T − 1,) surprisal of each token
    bits_per_character: float
    # bits per character of our model; None if it does not know every word
    our_bits_per_character: float | None
    our_bits_per_word: float | None

    @property
    def perplexity(self) -> float:
        """Perplexity per token of the real model."""
        return float(2 ** self.bits.mean())

    @property
    def our_perplexity(self) -> float | None:
        """Perplexity per word of our model."""
        return None if self.our_bits_per_word is None else 2**self.our_bits_per_word

    @cached_property
    def claims(self) -> tuple[tuple[str, str, str, str], ...]:
        """Claim, lesson, measurement, and whether the claim holds for the real model."""
        return claims()


def trained_tokens() -> int:
    """Number of tokens that our story model saw in training."""
    recipe = RECIPES[OURS]
    return recipe.steps * recipe.batch * recipe.lengths[-1]


def sizes() -> tuple[tuple[str, str, str], ...]:
    ours, real = load_model(OURS).config, model().config
    count = sum(parameter.numel() for parameter in model().parameters())
    return (
        ("parameters", f"{load_card(OURS).parameters:,}", f"{count:,}"),
        ("vocabulary", f"{len(STORIES.vocabulary):,} words", f"{real.words:,} pieces"),
        ("layers", str(ours.layers), str(real.layers)),
        ("heads per layer", str(ours.heads), f"{real.heads} (keys and values: {real.kv_heads})"),
        ("width d", str(ours.d), str(real.d)),
        ("training tokens", f"about {trained_tokens():,}", f"about {TRAINING_TOKENS:,}"),
    )


def our_surprisal(text: str) -> np.ndarray | None:
    """Surprisal in bits of each word except the first; None if our story model does not know every word."""
    try:
        tokens = read_story(text)
    except InputError:
        return None
    if len(tokens) < 2:
        return None
    with torch.inference_mode():
        logits = load_model(OURS).run(tokens).logits.double()
    following = torch.tensor(tokens[1:])[:, None]  # the first word is left out for both models
    logprobs = logits[1:-1].log_softmax(-1).gather(-1, following)
    return (-logprobs[:, 0] / math.log(2)).numpy()


def yes(holds: bool) -> str:
    return "yes" if holds else "no"


@cache
def claims() -> tuple[tuple[str, str, str, str], ...]:
    """Claims from earlier lessons, measured on this model with the default settings."""
    looped, seen = opening_loop(), opening_lens()
    moved = opening_heads(change=CHANGES[2], piece=1)
    at = moved.candidates.index(moved.best)
    effects = np.array(
        list(chain.from_iterable(opening_heads(layer=layer).effects for layer in ABLATED_LAYERS))
    )
    small = int((np.abs(effects) < SMALL_EFFECT).sum())
    top_weight, top_effect = int(moved.on_piece.argmax()), int(np.abs(moved.effects).argmax())
    after = dict(zip(seen.candidates, seen.after, strict=True))
    shuffled = opening_modern(part="no rotary positions")
    half = len(seen.layers) // 2
    return (
        (
            "Repeated text becomes more probable",
            "7",
            f"P per piece {looped.plain[0]:.2f} → {looped.plain[-1]:.2f}",
            yes(looped.plain[-1] > looped.plain[0]),
        ),
        (
            "Moving one head's weight moves the next token",
            "3",
            f"P {moved.before[at]:.2f} → {moved.after[at]:.2f}",
            yes(abs(moved.before[at] - moved.after[at]) > SMALL_EFFECT),
        ),
        (
            "Most single heads are hardly missed",
            "6",
            f"{small} of {len(effects)} heads change P by less than {SMALL_EFFECT}",
            yes(small > len(effects) / 2),
        ),
        (
            "The largest weight is the largest effect",
            "3",
            f"layer {moved.layer}: weight, head {top_weight + 1}; effect, head {top_effect + 1}",
            yes(top_weight == top_effect),
        ),
        (
            "A vector carries what a word means",
            "2",
            f"P({quote(seen.donor_answer)}) after the transplant {after[seen.donor_answer]:.2f}",
            yes(after[seen.donor_answer] > after[seen.answer]),
        ),
        (
            "Without positions, a text is harder to predict",
            "5",
            f"bits per piece {shuffled.original.mean():.2f} → {shuffled.changed.mean():.2f}",
            yes(shuffled.changed.mean() > shuffled.original.mean()),
        ),
        (
            "Half of the layers already show the answer",
            "6",
            f"P after layer {half}: {seen.lens_final[half]:.2f}",
            yes(seen.lens_final[half] > 0.5),
        ),
    )


@recorded("scale", Scale, "text")
def compute(text: str) -> Scale:
    tokens = encode(text)
    if len(tokens) < 2:
        raise InputError("Type at least two words.", "text")
    bits, ours = surprisal(tokens), our_surprisal(text)
    return Scale(
        rows=sizes(),
        words=pieces(tokens),
        bits=bits,
        bits_per_character=float(bits.sum()) / len(text),
        our_bits_per_character=None if ours is None else float(ours.sum()) / len(text),
        our_bits_per_word=None if ours is None else float(ours.mean()),
    )
