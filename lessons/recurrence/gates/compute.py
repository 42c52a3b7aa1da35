"""Run a language model with one of its gates unchanged or clamped, and record the gates of one unit."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.kit.checkpoints import Words, most_probable, read_shown_story, story_words
from lessons.kit.contract import Result
from lessons.recurrence.story_models import (
    load_story_model,
    memory_quantity,
    next_word_of_text,
    run_original,
    unit_at_rank,
)
from models.rnn import CELLS

GATES = {  # option → cell, gate
    "LSTM input gate i": ("LSTM", "i"),
    "LSTM forget gate f": ("LSTM", "f"),
    "LSTM output gate o": ("LSTM", "o"),
    "GRU reset gate r": ("GRU", "r"),
    "GRU update gate z": ("GRU", "z"),
}
RENAMED_GATES = {  # as in old links → option
    "LSTM i · lets in": "LSTM input gate i",
    "LSTM f · keeps": "LSTM forget gate f",
    "LSTM o · lets out": "LSTM output gate o",
    "GRU r · reads back": "GRU reset gate r",
    "GRU z · keeps": "GRU update gate z",
}
OWN_VALUE = "own value"
CLAMP_OPTIONS = (OWN_VALUE, "0", "1")


@dataclass(frozen=True)
class Gated(Result):
    """A run with one gate unchanged or clamped. Pairs: the original run, the edited run."""

    cell: str
    gate: str
    force: str  # one of CLAMP_OPTIONS
    unit: int  # from 1
    every: bool  # whether the gate is clamped in every unit
    t: int
    words: Words  # (T) with <bos>
    names: Words  # the cell's gates and candidate
    values: np.ndarray  # (gates, T) of this unit, edited
    memory: np.ndarray  # (2, T) of this unit: the LSTM's cell state, the GRU's h
    h: np.ndarray  # (2, T) of this unit
    all_units: np.ndarray  # (T, m) the chosen gate, edited
    next_words: Words  # (8) most probable words after step t
    probabilities: np.ndarray  # (2, 8)
    true_next: str | None  # the word that comes next in the text
    surprise: np.ndarray  # (2,) mean −log₂ P per word of the text

    @property
    def is_clamped(self) -> bool:
        return self.force != OWN_VALUE

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.words)}

    def idle(self) -> dict[str, str]:
        return {} if self.is_clamped else {"every": "Used only when a gate is clamped to 0 or 1."}


def compute(text: str, gate: str, force: str, rank: int, every: bool, t: int) -> Gated:
    tokens, words = read_shown_story(text)
    t = min(t, len(tokens) + 1)
    cell, gate_name = GATES[gate]
    unit = unit_at_rank(rank, cell)
    original = run_original(cell, 1, tokens)

    def clamp(value: Tensor, step: int) -> Tensor:
        value[slice(None) if every else unit] = float(force)
        return value

    edits = {f"layer1.{gate_name}": clamp}
    edited = original if force == OWN_VALUE else load_story_model(cell).run(tokens, edits)
    runs = (original, edited)
    best = most_probable(edited.probabilities[t - 1], original.probabilities[t - 1])
    true_probabilities = [run.probabilities[range(len(tokens)), list(tokens)] for run in runs]
    return Gated(
        cell=cell,
        gate=gate_name,
        force=force,
        unit=unit + 1,
        every=every,
        t=t,
        words=words,
        names=CELLS[cell].gates,
        values=np.stack([edited.values[f"layer1.{name}"][:, unit].numpy() for name in CELLS[cell].gates]),
        memory=np.stack([run.values[memory_quantity(cell)][:, unit].numpy() for run in runs]),
        h=np.stack([run.h[0, :, unit].numpy() for run in runs]),
        all_units=edited.values[f"layer1.{gate_name}"].numpy(),
        next_words=story_words(best),
        probabilities=np.stack([run.probabilities[t - 1, best].numpy() for run in runs]),
        true_next=next_word_of_text(words, t),
        surprise=np.array([-torch.log2(p).mean().item() for p in true_probabilities]),
    )
