"""Recorded trainings side by side: one model at three learning rates, or four models each at a good one. One moment of each."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from lessons.kit.checkpoints import Words, load_card
from lessons.kit.contract import Result
from lessons.kit.references import known_pair
from models.recording import MOMENTS, recorded

FILMS = {  # what the learner picks → the checkpoint whose training was recorded
    "too small": "translation-slow-64-s0",
    "good": "translation-additive-64-s0",
    "too large": "translation-wild-64-s0",
}
MODELS = {
    "additive": "film-additive-s0",
    "dot": "film-dot-s0",
    "no attention": "film-none-s0",
    "Transformer": "film-transformer-s0",
}
SIDES = {"learning rates": FILMS, "models": MODELS}
SMOOTH, MARKS = 20, 60  # steps that a loss is the mean of; losses that are kept, besides those of the moments


@dataclass(frozen=True)
class Take:
    """One training, all of it: its losses, and what was seen at each of its moments."""

    rate: float
    marks: np.ndarray  # (marks,) steps, closer together at first
    losses: np.ndarray  # (marks,) each the mean of the last few batches
    steps: np.ndarray  # (moments,)
    exact: np.ndarray  # (moments,) share of validation sentences without a fault
    on_gold: np.ndarray  # (moments,) share of the attention that lies on gold links; NaN without attention
    outputs: tuple[str, ...]  # (moments,)

    def at(self, step: int) -> int:
        """The last moment that is not after this step."""
        return int(np.flatnonzero(self.steps <= step)[-1])

    def loss(self, step: int) -> float:
        return float(np.interp(step, self.marks, self.losses))

    @property
    def looks(self) -> bool:
        """Whether the model has attention at all."""
        return not np.isnan(self.on_gold).any()

    @property
    def fallen(self) -> int:
        """The step at which the loss had come half its way down."""
        return int(self.marks[np.flatnonzero(self.losses <= (self.losses[0] + self.losses.min()) / 2)[0]])

    @property
    def emerged(self) -> float:
        """The step at which the weight on gold had come half its way up, between two moments if need be."""
        half = (self.on_gold[0] + self.on_gold.max()) / 2
        after = int(np.flatnonzero(self.on_gold >= half)[0])
        ends = slice(after - 1, after + 1)
        return float(np.interp(half, self.on_gold[ends], self.steps[ends]))


@dataclass(frozen=True)
class Shown(Result):
    """A moment of the film that was chosen; the others as they were at the same step, or at their end."""

    side: str  # what is compared
    chosen: str  # a name of the takes
    step: int
    source: Words  # (T)
    target: Words  # (T') without <eos>
    gold: tuple[tuple[int, int], ...]
    weights: np.ndarray  # (T', T) while the model is fed the right translation; NaN without attention
    takes: dict[str, Take]

    @property
    def take(self) -> Take:
        return self.takes[self.chosen]

    def limits(self) -> dict[str, Any]:
        return {"moment": len(self.take.steps)}

    def idle(self) -> dict[str, str]:
        name = "model" if self.side == "learning rates" else "rate"
        return {name: f"Now {self.side} are side by side."}


@cache
def take(name: str) -> Take:
    film = recorded(name)
    losses, frames = np.array(film["losses"]), film["frames"]
    total = np.cumsum([0, *losses])
    steps = np.array([frame["step"] for frame in frames])
    last = np.unique([*steps, *np.geomspace(1, len(losses), MARKS).astype(int)])
    first = np.maximum(last - SMOOTH, 0)
    gold = np.zeros((len(film["target"]), len(film["source"])))
    for t, i in gold_of(film):
        gold[t, i] = 1
    linked = gold.any(1)  # a word that comes from no other has nothing to look at
    return Take(
        rate=load_card(name).recipe["lr"],
        marks=last,
        losses=(total[last] - total[first]) / (last - first),
        steps=steps,
        exact=np.array([frame["exact_match"] for frame in frames]),
        on_gold=np.array([(weights_of(film, frame) * gold).sum(1)[linked].mean() for frame in frames]),
        outputs=tuple(frame["output"] for frame in frames),
    )


def weights_of(film: dict[str, Any], frame: dict[str, Any]) -> np.ndarray:
    """(T', T) without the row of <eos>; NaN if the model has no attention."""
    T_out, T = len(film["target"]), len(film["source"])
    return np.array(frame["weights"])[:T_out] if frame["weights"] else np.full((T_out, T), np.nan)


def gold_of(film: dict[str, Any]) -> tuple[tuple[int, int], ...]:
    pair = known_pair(tuple(film["source"]))
    return tuple(sorted(pair.alignment)) if pair else ()


def film(side: str, rate: str, model: str, moment: int) -> Shown:
    films, chosen = SIDES[side], rate if side == "learning rates" else model
    shown = recorded(films[chosen])
    frame = shown["frames"][min(moment, len(shown["frames"])) - 1]
    return Shown(
        side=side,
        chosen=chosen,
        step=frame["step"],
        source=tuple(shown["source"]),
        target=tuple(shown["target"]),
        gold=gold_of(shown),
        weights=weights_of(shown, frame),
        takes={name: take(checkpoint) for name, checkpoint in films.items()},
    )


__all__ = ["FILMS", "MODELS", "MOMENTS", "SIDES", "Shown", "Take", "film", "take"]
