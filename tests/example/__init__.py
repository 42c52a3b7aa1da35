"""A whole lesson, as small as possible: assets/docs/add-a-lesson.md shows it, and its test serves it."""

from dataclasses import dataclass
from math import log
from pathlib import Path

import numpy as np

from lessons.kit.contract import Act, Experiment, Lesson, Preset, Result, Slider
from lessons.kit.exercises import guess, number
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.base import Canvas


@dataclass(frozen=True)
class Fading(Result):
    left: np.ndarray  # (days,)
    half: float


def compute(keep: float, days: int) -> Fading:
    return Fading(keep ** np.arange(1, days + 1), log(0.5) / log(keep))


def memory(run: Fading) -> Bars:
    return Bars(run.left, tuple(f"day {t}" for t in range(1, len(run.left) + 1)), title="What is left")


def reading(run: Fading) -> str:
    return f"On day {len(run.left)} **{run.left[-1]:.2f}** of it is left."


def half_life(run: Fading) -> Bars:
    return Bars(np.array([run.half]), ("days",), top=10, title="Until half is gone")


def pictogram(canvas: Canvas) -> None:
    for t in range(5):
        canvas.add(
            "rect", x=10 + 30 * t, y=10, width=20, height=64, fill="var(--source)", fill_opacity=0.6**t
        )


fading = Experiment(
    "fading",
    "Fading",
    (Slider("keep", "Share kept each day λ", 0.8, 0.05, 0.95, 0.05), Slider("days", "Days", 8, 1, 12)),
    compute,
    (memory, reading),
    presets=(
        Preset("Half", "A half, a quarter, an eighth …", {"keep": 0.5}),
        Preset("Long", "It takes weeks.", {"keep": 0.95}),
    ),
    predict=guess(
        "after-8",
        "At the start λ is 0.8. What is left after eight days?",
        {"about 0.2": "0.8 eight times over.", "about 0.8": "That is after one day."},
        lambda: min(
            ("about 0.2", "about 0.8"), key=lambda said: abs(float(said[6:]) - compute(0.8, 8).left[-1])
        ),
        "Each day takes its share of what is left, not of what was there.",
        covers=("memory",),
    ),
    acts=(Act("half", (half_life,)),),
)
EXERCISES = (
    number("two", "λ = 0.5: what is left after two days?", lambda: 0.5**2, "Half of a half.", "A quarter."),
)
LESSON = Lesson(
    "fading", "Fading", "Fading", "A share is kept.", pictogram, Path(__file__).parent, (fading,), EXERCISES
)
