"""How strongly the score of a written word depends on each source word, with and without attention."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch

from lessons.kit.checkpoints import TRANSLATION, Words, load_card, load_model, untrained_model
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.kit.references import held_out
from models.gradients import gradient
from models.tasks.task import Pair
from models.trace import Edits, Tap
from models.vocabulary import EOS, Vocabulary

WITHOUT, WITH = "translation-none-128-s0", "translation-oneway-128-s0"
WEIGHTS = ("before training", "after training")


@dataclass(frozen=True)
class Reach(Result):
    """First without attention, then with it. Both are fed the reference, so that step t means the same."""

    weights: str
    t: int
    source: Words  # (T)
    target: Words  # (T') with <eos>
    linked: tuple[int, ...]  # source places that belong to the word of step t, by the gold alignment
    gradients: np.ndarray  # (2, T', T) ‖∂ score of y_t / ∂ x_i‖
    steps: tuple[int, ...]  # of training, of each
    parameters: tuple[int, ...]  # of each

    @property
    def now(self) -> np.ndarray:
        return self.gradients[:, self.t - 1]  # (2, T)

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.target)}


def shortcut(length: int, weights: str, t: int) -> Reach:
    pair = held_out(length, 1)
    target = (*pair.target, EOS)
    t = min(t, len(target))
    return Reach(
        weights=weights,
        t=t,
        source=pair.source,
        target=target,
        linked=tuple(sorted(i for step, i in pair.alignment if step == t - 1)),
        gradients=np.stack([by_step(name, weights == WEIGHTS[1], pair) for name in (WITHOUT, WITH)]),
        steps=tuple(load_card(name).recipe["steps"] for name in (WITHOUT, WITH)),
        parameters=tuple(load_card(name).parameters for name in (WITHOUT, WITH)),
    )


@memoize
def by_step(name: str, trained: bool, pair: Pair) -> np.ndarray:
    """(T', T) of every step at once: as many copies of the sentence as steps, and the t-th copy asks for the score of y_t."""
    model = load_model(name) if trained else untrained_model(name)
    target = torch.tensor([*TRANSLATION.target.ids(pair.target), Vocabulary.eos])
    steps = torch.arange(len(target))
    source = torch.tensor(TRANSLATION.source.ids(pair.source)).expand(len(target), -1)  # (T', T)
    given = torch.cat([torch.tensor([Vocabulary.bos]), target[:-1]]).expand(len(target), -1)  # (T', T')

    def run(edits: Edits) -> SimpleNamespace:
        tap = Tap(edits)
        logits = model(source, given, tap)  # (T', T', V)
        return SimpleNamespace(values={"x": tap.last("x")}, logits=logits)

    asked = gradient(run, "x", lambda trace: trace.logits[steps, steps, target].sum())  # (T', T, P)
    return asked.norm(dim=-1).numpy()
