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
    return f"{without / 1e9:.2f} against {with_cache / 1e9:.2f} billion multiplications: {ratio():.0f} times."


how_much_work = guess(
    "how-much-work",
    "The model has read 64 pieces. How many times as much work is the next piece without a cache?",
    {
        "5": lambda: f"Reading is done in parallel, but each position still has its work. {why()}",
        "50": lambda: (
            f"The cache leaves one position instead of 65; the output layer stays the same. {why()}"
        ),
        "500": lambda: f"There are only 65 positions to compute again. {why()}",
    },
    lambda: nearest_option(OPTIONS, ratio()),
    "How many positions does the model compute in each case?",
    covers=("work",),
)

kilobytes_per_piece = number(
    "kilobytes-per-piece",
    "How many KB does one more piece add to the cache of this model (3 heads of keys and values)?",
    lambda: opening(T=2).here[2] - opening(T=1).here[2],
    "Layers × 2 × heads of keys × 64 numbers × 4 bytes, divided by 1024.",
    lambda: f"{opening(T=2).here[2] - opening(T=1).here[2]:.0f} KB.",
    within=1.0,
    experiment="cache",
)


def is_small(answer: None, state: State) -> Verdict:
    run = compute(**state)
    _, _, kilobytes, _ = run.here
    if run.T < 128:
        return Verdict(False, "Read 128 pieces first.")
    if kilobytes > 2048:
        return Verdict(False, f"The cache has {kilobytes / 1024:.1f} MB. Share the keys among more heads.")
    return Verdict(
        True,
        f"{kilobytes / 1024:.1f} MB: one head of keys and values serves all {run.heads} heads of queries.",
    )


small_cache = Exercise(
    "small-cache",
    "Challenge: keep the cache of 128 pieces below 2 MB.",
    is_small,
    "Which of the two controls changes how much a piece adds?",
    experiment="cache",
)
EXERCISES = (kilobytes_per_piece, small_cache)
