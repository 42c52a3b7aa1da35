"""Replace one word and compare all outputs of an encoder, with and without its causal mask."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from lessons.kit.checkpoints import blame_control, load_model
from lessons.kit.contract import InputError, Result
from lessons.kit.memo import memoize
from lessons.qkv.sense_models import CHECKPOINTS, LEFT_TO_RIGHT
from models.tasks import BANK
from models.vocabulary import check_tokens, split_words
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


def read_words(text: str, control: str) -> tuple[str, ...]:
    """Split a text into words and check that the model knows them."""
    with blame_control(control):
        return check_tokens(split_words(text, BANK.vocabulary), BANK.vocabulary, BANK.max_words)


@dataclass(frozen=True)
class Mask(Result):
    masked: bool
    t: int  # position of the replaced word, 1-based
    words: tuple[str, ...]
    yours: tuple[str, ...]  # the sentence with the new word
    weights: np.ndarray  # (T, T) head 1 of layer 1, with the new word; NaN where masked
    moved: np.ndarray  # (T,) largest change in each output
    moved_before: float  # largest change before position t; exactly 0 with the mask
    layers: int

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.words)}


def compute(text: str, t: int, word: str, masked: bool) -> Mask:
    """Replace word t and compare every output with the original."""
    words = read_words(text, "text")
    t = min(t, len(words))
    if len(new_words := read_words(word, "word")) != 1:
        raise InputError("Type exactly one new word.", "word")
    edited = (*words[: t - 1], *new_words, *words[t:])
    original_trace, edited_trace = (run_encoder(each, masked) for each in (words, edited))
    moved = (edited_trace.values["norm.out"] - original_trace.values["norm.out"]).abs().amax(-1)  # (T,)
    hidden = edited_trace.values["layer1.self.mask"] == 0
    return Mask(
        masked=masked,
        t=t,
        words=words,
        yours=edited,
        weights=edited_trace.weights[0, 0].masked_fill(hidden, torch.nan).numpy(),
        moved=moved.numpy(),
        moved_before=moved[: t - 1].max().item() if t > 1 else 0.0,
        layers=len(original_trace.weights),
    )
