"""Recorded training runs side by side: one model at three learning rates, or four models at good rates."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from lessons.kit.checkpoints import Words, load_card
from lessons.kit.contract import Result
from lessons.kit.references import known_pair
from models.recording import load_film

RATES = {  # option → checkpoint whose training run was recorded
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
COMPARISONS = {"learning rates": RATES, "models": MODELS}
SMOOTHED_STEPS = 20  # number of steps over which each loss is averaged
LOSS_POINTS = 60  # number of losses drawn, in addition to those at recorded moments


@dataclass(frozen=True)
class Recording:
    """One recorded training run: its losses, and the measurements at each recorded moment."""

    rate: float
    marks: np.ndarray  # (points,) steps of the losses, denser at the start
    losses: np.ndarray  # (points,) each loss is the mean over the last few batches
    steps: np.ndarray  # (moments,)
    exact: np.ndarray  # (moments,) fraction of validation sentences translated without an error
    on_gold: np.ndarray  # (moments,) fraction of the attention on gold links; NaN without attention
    outputs: tuple[str, ...]  # (moments,)

    def moment_at(self, step: int) -> int:
        """Index of the last moment at or before this step."""
        return int(np.flatnonzero(self.steps <= step)[-1])

    def loss(self, step: int) -> float:
        return float(np.interp(step, self.marks, self.losses))

    @property
    def has_attention(self) -> bool:
        return not np.isnan(self.on_gold).any()

    @property
    def loss_half_step(self) -> int:
        """The first step at which half of the drop from the initial to the minimum loss is complete."""
        half = (self.losses[0] + self.losses.min()) / 2
        return int(self.marks[np.flatnonzero(self.losses <= half)[0]])

    @property
    def attention_half_step(self) -> float:
        """The step at which attention is half-way to its maximum on gold, interpolated between moments."""
        half = (self.on_gold[0] + self.on_gold.max()) / 2
        after = int(np.flatnonzero(self.on_gold >= half)[0])
        ends = slice(after - 1, after + 1)
        return float(np.interp(half, self.on_gold[ends], self.steps[ends]))


@dataclass(frozen=True)
class FilmRun(Result):
    """One moment of the chosen training run, and the other runs at the same step or at their end."""

    side: str  # what is compared: learning rates or models
    chosen: str  # key of `takes`
    step: int
    source: Words  # (T)
    target: Words  # (T') without <eos>
    gold: tuple[tuple[int, int], ...]
    weights: np.ndarray  # (T', T) when the reference is fed to the decoder; NaN without attention
    takes: dict[str, Recording]

    @property
    def take(self) -> Recording:
        return self.takes[self.chosen]

    def limits(self) -> dict[str, Any]:
        return {"moment": len(self.take.steps)}

    def idle(self) -> dict[str, str]:
        name = "model" if self.side == "learning rates" else "rate"
        return {name: f"The pictures now compare {self.side}."}


@cache
def load_recording(name: str) -> Recording:
    film = load_film(name)
    losses, frames = np.array(film["losses"]), film["frames"]
    total = np.cumsum([0, *losses])
    steps = np.array([frame["step"] for frame in frames])
    last = np.unique([*steps, *np.geomspace(1, len(losses), LOSS_POINTS).astype(int)])
    first = np.maximum(last - SMOOTHED_STEPS, 0)
    gold = np.zeros((len(film["target"]), len(film["source"])))
    for t, i in gold_links(film):
        gold[t, i] = 1
    has_link = gold.any(1)  # words without a gold link are ignored
    return Recording(
        rate=load_card(name).recipe["lr"],
        marks=last,
        losses=(total[last] - total[first]) / (last - first),
        steps=steps,
        exact=np.array([frame["exact_match"] for frame in frames]),
        on_gold=np.array([(frame_weights(film, frame) * gold).sum(1)[has_link].mean() for frame in frames]),
        outputs=tuple(frame["output"] for frame in frames),
    )


def frame_weights(film: dict[str, Any], frame: dict[str, Any]) -> np.ndarray:
    """Weights (T', T) without the row of <eos>; NaN if the model has no attention."""
    T_out, T = len(film["target"]), len(film["source"])
    return np.array(frame["weights"])[:T_out] if frame["weights"] else np.full((T_out, T), np.nan)


def gold_links(film: dict[str, Any]) -> tuple[tuple[int, int], ...]:
    pair = known_pair(tuple(film["source"]))
    return tuple(sorted(pair.alignment)) if pair else ()


def film(side: str, rate: str, model: str, moment: int) -> FilmRun:
    checkpoints, chosen = COMPARISONS[side], rate if side == "learning rates" else model
    chosen_film = load_film(checkpoints[chosen])
    frame = chosen_film["frames"][min(moment, len(chosen_film["frames"])) - 1]
    return FilmRun(
        side=side,
        chosen=chosen,
        step=frame["step"],
        source=tuple(chosen_film["source"]),
        target=tuple(chosen_film["target"]),
        gold=gold_links(chosen_film),
        weights=frame_weights(chosen_film, frame),
        takes={name: load_recording(checkpoint) for name, checkpoint in checkpoints.items()},
    )
