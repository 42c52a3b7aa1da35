"""Guess and exercises for experiment `loop`. All answers are computed."""

from typing import Any

import numpy as np

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number
from lessons.kit.pictures.numbers import compact
from lessons.real.loop.compute import LoopRun, compute

KNOW = "I don't know."
OPENING = {"phrase": KNOW, "copies": 20, "penalty": 1.0}
TRENDS = ("it falls: nobody says that so often", "it stays the same", "it rises towards 1")


def opening_loop(**changes: Any) -> LoopRun:
    return compute(**(OPENING | changes))


def trend() -> str:
    first, last = opening_loop().plain[0], opening_loop().plain[-1]
    return TRENDS[2] if last > 1.5 * first else TRENDS[0] if last < first / 1.5 else TRENDS[1]


def why() -> str:
    return (
        f"P per piece changes from {opening_loop().plain[0]:.2f} in the first copy to"
        f" {opening_loop().plain[-1]:.2f} in copy 20. The model has learned to copy what was repeated before,"
        " so greedy decoding cannot leave such a loop."
    )


copies_rise = guess(
    "copies-rise",
    f"The model reads “{KNOW}” again and again. How does the probability of the next copy change?",
    {
        TRENDS[0]: lambda: f"A person would stop, but the model does not. {why()}",
        TRENDS[1]: lambda: f"That would be true if the model ignored what came before. {why()}",
        TRENDS[2]: lambda: f"Each copy makes the next copy more probable. {why()}",
    },
    trend,
    "Some heads copy earlier text. What do they do if a text repeats itself?",
    covers=("curve",),
)


def first_above_half() -> float:
    return float(opening_loop().copies[np.flatnonzero(opening_loop().plain > 0.5)[0]])


above_half = number(
    "above-half",
    f"The model reads “{KNOW}” again and again. In which copy is P per piece above one half for the first"
    " time?",
    first_above_half,
    "Look at the curve in “Loop”. Where does it cross one half?",
    lambda: f"It happens in copy {first_above_half():.0f}.",
    within=0.5,
    experiment="loop",
)


def is_broken(answer: None, state: State) -> Verdict:
    run = compute(**state)
    if len(run.copies) < 10:
        return Verdict(False, "Not yet: use at least 10 copies.")
    if run.plain[-1] < 0.5:
        return Verdict(
            False, "Not yet: first find a phrase whose last copy has P above one half without a penalty."
        )
    if run.penalised[-1] >= 0.5:
        return Verdict(
            False, f"Not yet: P of the last copy is still {run.penalised[-1]:.2f}. Increase the penalty."
        )
    return Verdict(
        True,
        f"Yes: a penalty of {run.penalty:g} lowers P from {compact(run.plain[-1])} to"
        f" {compact(run.penalised[-1])}.",
    )


break_the_loop = Exercise(
    "break-the-loop",
    "In “Loop”, use 10 copies or more and bring P of the last copy below one half with the penalty.",
    is_broken,
    "The penalty lowers the logits of pieces that already occurred. How large must it be?",
    experiment="loop",
)
EXERCISES = (above_half, break_the_loop)
