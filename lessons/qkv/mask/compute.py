"""Replace one word and compare all outputs of an encoder, with and without its causal mask."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from lessons.kit.checkpoints import load_model
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.kit.notices import add_notice
from lessons.kit.typed_text import TypedSentence
from lessons.qkv.sense_models import CHECKPOINTS, LEFT_TO_RIGHT
from lessons.qkv.typed_sentence import read_words
from models.tasks import BANK
from models.word_sense import SenseTrace


@memoize
def run_encoder(words: tuple[str, ...], masked: bool) -> SenseTrace:
    """Run the left-to-right model, with its causal mask or with the mask removed in every layer."""
    model = load_model(CHECKPOINTS[LEFT_TO_RIGHT])
    unmasked = {
        f"layer{n}.self.mask": lambda mask, _: torch.ones_like(mask)
        for n in range(1, model.config.layers + 1)
    }
    return model.run(BANK.vocabulary.ids(words), 0, None if masked else unmasked)


@dataclass(frozen=True)
class Mask(Result):
    masked: bool
    t: int  # position of the replaced word, 1-based
    words: tuple[str, ...]  # for pictures: unknown words in angle brackets
    yours: tuple[str, ...]  # the sentence with the new word
    weights: np.ndarray  # (T, T) head 1 of layer 1, with the new word; NaN where masked
    moved: np.ndarray  # (T,) largest change in each output
    moved_before: float  # largest change before position t; exactly 0 with the mask
    layers: int

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.words)}


def compute(text: str, t: int, word: str, masked: bool) -> Mask:
    """Replace word t and compare every output with the original."""
    sentence = read_words(text)
    t = min(t, len(sentence.words))
    edited = replace_word(sentence, t - 1, read_words(word, "word"))
    original_trace, edited_trace = (run_encoder(each.words, masked) for each in (sentence, edited))
    moved = (edited_trace.values["norm.out"] - original_trace.values["norm.out"]).abs().amax(-1)  # (T,)
    hidden = edited_trace.values["layer1.self.mask"] == 0
    return Mask(
        masked=masked,
        t=t,
        words=sentence.shown,
        yours=edited.shown,
        weights=edited_trace.weights[0, 0].masked_fill(hidden, torch.nan).numpy(),
        moved=moved.numpy(),
        moved_before=moved[: t - 1].max().item() if t > 1 else 0.0,
        layers=len(original_trace.weights),
    )


def replace_word(sentence: TypedSentence, i: int, new: TypedSentence) -> TypedSentence:
    """Replace the word at position i by the first of the new words."""
    if len(new.words) > 1:
        add_notice("word", f"Type one word: only the first of your {len(new.words)} words is used.")
    typed, words = (
        (*old[:i], first[0], *old[i + 1 :])
        for old, first in ((sentence.typed, new.typed), (sentence.words, new.words))
    )
    return TypedSentence(typed, words)
