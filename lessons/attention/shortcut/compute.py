"""Gradients of an output word's score with respect to each source word, with and without attention."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch

from lessons.kit.checkpoints import TRANSLATION, Words, load_card, load_model, untrained_model
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.kit.references import held_out
from models.gradients import jacobian
from models.tasks.task import Pair
from models.trace import Edits, Tap
from models.vocabulary import EOS, Vocabulary

MODELS = ("translation-none-128-s0", "translation-oneway-128-s0")  # without attention, with attention
WEIGHTS = ("before training", "after training")


@dataclass(frozen=True)
class Reach(Result):
    """Pairs: without attention, with attention. Both models are fed the reference, so their steps match."""

    weights: str
    t: int
    source: Words  # (T)
    target: Words  # (T') with <eos>
    linked: tuple[int, ...]  # source positions with a gold link to the word of step t
    gradients: np.ndarray  # (2, T', T) ‖∂ score of y_t / ∂ x_i‖
    steps: tuple[int, ...]  # training steps
    parameters: tuple[int, ...]

    @property
    def now(self) -> np.ndarray:
        """(2, T) gradient norms at step t."""
        return self.gradients[:, self.t - 1]

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.target)}


def compute(length: int, weights: str, t: int) -> Reach:
    pair = held_out(length, 1)
    target = (*pair.target, EOS)
    t = min(t, len(target))
    is_trained = weights == WEIGHTS[1]
    return Reach(
        weights=weights,
        t=t,
        source=pair.source,
        target=target,
        linked=tuple(sorted(i for step, i in pair.alignment if step == t - 1)),
        gradients=np.stack([gradients_by_step(name, is_trained, pair) for name in MODELS]),
        steps=tuple(load_card(name).recipe["steps"] for name in MODELS),
        parameters=tuple(load_card(name).parameters for name in MODELS),
    )


@memoize
def gradients_by_step(name: str, is_trained: bool, pair: Pair) -> np.ndarray:
    """(T', T) gradient norms of all steps: one run, then the gradients of all scores y_t in one batch."""
    model = load_model(name) if is_trained else untrained_model(name)
    target = torch.tensor([*TRANSLATION.target.ids(pair.target), Vocabulary.eos])
    source = torch.tensor([TRANSLATION.source.ids(pair.source)])  # (1, T)
    inputs = torch.cat([torch.tensor([Vocabulary.bos]), target[:-1]])[None]  # (1, T')

    def run(edits: Edits) -> SimpleNamespace:
        tap = Tap(edits)
        logits = model(source, inputs, tap)  # (1, T', V)
        return SimpleNamespace(values={"x": tap.last("x")}, logits=logits)

    slopes = jacobian(run, "x", lambda trace: trace.logits[0, torch.arange(len(target)), target])
    return slopes[:, 0].norm(dim=-1).numpy()  # slopes: (T', 1, T, P)
