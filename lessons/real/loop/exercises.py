"""Guess and exercises for experiment `loop`. All answers are computed."""

from typing import Any

import numpy as np

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number
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
        f"P per piece goes from {opening_loop().plain[0]:.2f} in the first copy to"
        f" {opening_loop().plain[-1]:.2f} in copy 20. The model has learned to copy: what has been repeated"
        " will be repeated. Greedy decoding cannot leave such a loop."
    )


copies_rise = guess(
    "copies-rise",
    f"The model reads “{KNOW}” again and again. How does the probability of the next copy change?",
    {
        TRENDS[0]: lambda: f"A person would stop. {why()}",
        TRENDS[1]: lambda: f"It would, if the model did not look at what came before. {why()}",
        TRENDS[2]: lambda: f"Copies invite copies. {why()}",
    },
    trend,
    "Think of the heads that copy: what do they do with a text that repeats itself?",
    covers=("curve",),
)


def first_above_half() -> float:
    return float(opening_loop().copies[np.flatnonzero(opening_loop().plain > 0.5)[0]])


above_half = number(
    "above-half",
    f"“{KNOW}”: in which copy does P per piece first exceed one half?",
    first_above_half,
    "Read the curve, or the sentence below it.",
    lambda: f"In copy {first_above_half():.0f}.",
    within=0.5,
    experiment="loop",
)


def is_broken(answer: None, state: State) -> Verdict:
    run = compute(**state)
    if len(run.copies) < 10:
        return Verdict(False, "Use at least 10 copies.")
    if run.plain[-1] < 0.5:
        return Verdict(False, "First find a phrase whose last copy has P above one half without the penalty.")
    if run.penalised[-1] >= 0.5:
        return Verdict(False, f"P of the last copy is still {run.penalised[-1]:.2f}. Raise the penalty.")
    return Verdict(
        True, f"A penalty of {run.penalty:g} brings P from {run.plain[-1]:.2f} to {run.penalised[-1]:.2f}."
    )


break_the_loop = Exercise(
    "break-the-loop",
    "Challenge: with 10 copies or more, bring P of the last copy below one half with the repetition penalty.",
    is_broken,
    "The penalty divides positive logits of pieces that were written before.",
    experiment="loop",
)
EXERCISES = (above_half, break_the_loop)
