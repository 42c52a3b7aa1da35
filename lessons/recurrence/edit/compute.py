"""Run a language model with one unit of its memory changed, and compare with the original run."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.kit.checkpoints import Words, most_probable, read_shown_story, story_words
from lessons.kit.contract import Result
from lessons.recurrence.story_models import load_story_model, memory_quantity, run_original, unit_at_rank

FLIP, ZERO, CLAMP = ACTIONS = ("flip its sign", "set it to 0", "clamp it to")


@dataclass(frozen=True)
class Edited(Result):
    """A run with one memory unit changed from step t on, or only at t. Pairs: original run, edited run."""

    cell: str
    action: str
    unit: int  # from 1
    t: int
    only: bool
    words: Words  # (T) with <bos>
    h: np.ndarray  # (2, T, m)
    memory: np.ndarray  # (2, T) the unit's h, or its cell state in an LSTM
    likely: tuple[Words, Words]  # the most probable next word after every step
    next_words: Words  # (8) most probable words at the end
    probabilities: np.ndarray  # (2, 8)
    total_variation: np.ndarray  # (T,) between the two predictions
    change_of_h: np.ndarray  # (T,) ‖edited h − original h‖

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.words)}

    def idle(self) -> dict[str, str]:
        return {} if self.action == CLAMP else {"value": f"Used only by “{CLAMP}”."}


def compute(text: str, cell: str, rank: int, action: str, value: float, t: int, only: bool) -> Edited:
    tokens, words = read_shown_story(text)
    t = min(t, len(tokens) + 1)
    quantity, unit = memory_quantity(cell), unit_at_rank(rank, cell)
    original = run_original(cell, 1, tokens)
    own = original.values[quantity][:, unit]  # (T,)
    new = {FLIP: -own, ZERO: 0 * own, CLAMP: torch.full_like(own, value)}[action]

    def change_unit(memory: Tensor, step: int) -> Tensor:
        if step == t - 1 or (step >= t and not only):  # `step` counts from 0
            memory[unit] = new[step]
        return memory

    edited = load_story_model(cell).run(tokens, {quantity: change_unit})
    runs = (original, edited)
    best = most_probable(edited.probabilities[-1], original.probabilities[-1])
    return Edited(
        cell=cell,
        action=action,
        unit=unit + 1,
        t=t,
        only=only,
        words=words,
        h=np.stack([run.h[0].numpy() for run in runs]),
        memory=np.stack([run.values[quantity][:, unit].numpy() for run in runs]),
        likely=(story_words(original.probabilities.argmax(-1)), story_words(edited.probabilities.argmax(-1))),
        next_words=story_words(best),
        probabilities=np.stack([run.probabilities[-1, best].numpy() for run in runs]),
        total_variation=(edited.probabilities - original.probabilities).abs().sum(-1).numpy() / 2,
        change_of_h=(edited.h[0] - original.h[0]).norm(dim=-1).numpy(),
    )
