"""Guess and exercises for experiment `modern`. All answers are computed."""

import math
from typing import Any

import numpy as np

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number
from lessons.kit.pictures.phrases import join_with_and
from lessons.real.modern.compute import PARTS, ModernRun, compute

STORY = "Once upon a time there was a little girl who lived in a small house near the forest."
OPENING = {"text": STORY, "part": "nothing", "position": 4}
CANDIDATES = ("LayerNorm instead of RMSNorm", "no rotary positions", "no gate in the feed-forward")


def opening(**changes: Any) -> ModernRun:
    return compute(**(OPENING | changes))


def cost(part: str) -> float:
    """Additional bits per token when a part is replaced."""
    run = opening(part=part)
    return float(run.changed.mean() - run.original.mean())


def least_missed() -> str:
    return min(CANDIDATES, key=cost)


def why() -> str:
    costs = join_with_and([f"{cost(part):.1f} with {part}" for part in CANDIDATES])
    return (
        f"Each piece costs additional bits: {costs}. Subtracting the mean changes little, because the mean"
        " of such"
        " vectors is small; positions and gates do work that nothing else can do."
    )


which_is_missed_least = guess(
    "which-is-missed-least",
    "Which part can be replaced with the smallest rise in surprisal, without training the model again?",
    {
        CANDIDATES[0]: lambda: f"Both norms divide by the size of the vector. {why()}",
        CANDIDATES[1]: lambda: (
            f"Without rotary positions only the mask shows which pieces come earlier. {why()}"
        ),
        CANDIDATES[2]: lambda: f"The weights behind the gate were trained for gated inputs. {why()}",
    },
    least_missed,
    "Which of them changes the numbers least?",
    covers=("surprisals",),
)

cache_bytes = number(
    "cache-bytes",
    "9 heads of queries share 3 heads of keys and values. By which factor is the cache smaller than with 9"
    " heads of keys and values?",
    lambda: opening().heads / opening().kv_heads,
    "How many keys and values does each layer store per piece?",
    "Three times: each layer stores 3 keys and 3 values per piece instead of 9 and 9.",
)

first_angle = number(
    "first-angle",
    "Rotary positions turn the first pair of numbers by 1 radian per position. By how many degrees is it"
    " turned at position 3?",
    lambda: float(np.degrees(3.0)),
    "One radian is 180/π degrees.",
    "3 · 180/π ≈ 171.9 degrees.",
    within=0.5,
)


def is_ruined(answer: None, state: State) -> Verdict:
    run = compute(**state)
    if run.part == "nothing":
        return Verdict(False, "Not yet: replace a part first.")
    more = float(run.changed.mean() - run.original.mean())
    if not math.isfinite(more):
        return Verdict(True, f"Yes: with {run.part} the model diverges: its numbers are no longer finite.")
    if more > 5:
        return Verdict(
            True, f"Yes: with {run.part} every piece costs {more:.1f} bits more, so the model only guesses."
        )
    return Verdict(
        False,
        f"Not yet: with {run.part} a piece costs {abs(more):.1f} bits {'more' if more >= 0 else 'less'}. Find"
        " a part that costs more than 5 bits.",
    )


ruin = Exercise(
    "ruin",
    "In “Modern”, replace a part so that the text costs more than 5 additional bits per piece.",
    is_ruined,
    f"There are {len(PARTS) - 1} parts to replace. Which one tells the model the order of the words?",
    experiment="modern",
)
EXERCISES = (cache_bytes, first_angle, ruin)
