"""Guess and exercises for experiment `cache`. All answers are computed."""

from typing import Any

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, nearest_option, number
from lessons.real.cache.compute import CacheRun, compute

OPENING = {"T": 64, "kv_heads": 3}
OPTIONS = ("5", "50", "500")


def opening(**changes: Any) -> CacheRun:
    return compute(**(OPENING | changes))


def ratio() -> float:
    with_cache, without, *_ = opening().here
    return without / with_cache


def why() -> str:
    with_cache, without, *_ = opening().here
    return (
        f"Without the cache, the next piece needs {without / 1e9:.2f} billion multiplications. With the cache"
        f" it needs {with_cache / 1e9:.2f} billion, so without it {ratio():.0f} times as many."
    )


how_much_work = guess(
    "how-much-work",
    "The model has read 64 pieces. How many times as much work does the next piece need without a cache?",
    {
        "5": lambda: f"All positions are read in parallel, but each position still needs its work. {why()}",
        "50": lambda: (
            "With the cache only one position is computed instead of 65; the output layer stays the same."
            f" {why()}"
        ),
        "500": lambda: f"There are only 65 positions to compute again. {why()}",
    },
    lambda: nearest_option(OPTIONS, ratio()),
    "How many positions does the model compute in each case?",
    covers=("work",),
)

kilobytes_per_piece = number(
    "kilobytes-per-piece",
    "This model has 3 heads for keys and values. How many KB does one more piece add to its cache?",
    lambda: opening(T=2).here[2] - opening(T=1).here[2],
    "Multiply layers × 2 × heads for keys × 64 numbers × 4 bytes, then divide by 1024.",
    lambda: f"Each piece adds {opening(T=2).here[2] - opening(T=1).here[2]:.0f} KB.",
    within=1.0,
    experiment="cache",
)


def is_small(answer: None, state: State) -> Verdict:
    run = compute(**state)
    _, _, kilobytes, _ = run.here
    if run.T < 128:
        return Verdict(False, "Not yet: set the number of pieces to 128 first.")
    if kilobytes > 2048:
        return Verdict(
            False, f"Not yet: the cache has {kilobytes / 1024:.1f} MB. Let more query heads share their keys."
        )
    return Verdict(
        True,
        f"Yes: {kilobytes / 1024:.1f} MB. All {run.heads} query heads share one head of keys and values.",
    )


small_cache = Exercise(
    "small-cache",
    "In “Cache”, keep the cache of 128 pieces below 2 MB.",
    is_small,
    "Which of the two sliders changes how much memory a piece adds?",
    experiment="cache",
)
EXERCISES = (kilobytes_per_piece, small_cache)
