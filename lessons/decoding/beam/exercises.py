"""Guess and exercise for experiment `beam`. All answers are computed."""

from lessons.decoding.beam.compute import SAME_LOG_P, WEAK_MODEL, Searched, compute
from lessons.decoding.prompts import WIDER_IS_WORSE
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess
from lessons.kit.pictures.numbers import signed

POSSIBLE, ONLY_WITH_PENALTY, NEVER = "it can", "only with a length penalty", "never"
POINTER = "Choose “One place more” to see it."


def beam_of_two() -> Searched:
    return compute(WEAK_MODEL, WIDER_IS_WORSE, "", 2, 0.0)


def can_be_worse() -> str:
    greedy, beam = beam_of_two().totals_of
    return POSSIBLE if beam < greedy - SAME_LOG_P else NEVER


def compare_log_p() -> str:
    greedy, beam = beam_of_two().totals_of
    return f"On “{WIDER_IS_WORSE}” greedy search finds log P = {signed(greedy)}, a beam of two {signed(beam)}"


GUESS = guess(
    "never-worse",
    "A beam of two keeps twice as many hypotheses as greedy search. Can its answer be less probable?",
    {
        POSSIBLE: lambda: (
            f"{compare_log_p()}: both hypotheses of the beam were better at first and ended worse. {POINTER}"
        ),
        ONLY_WITH_PENALTY: lambda: (
            f"{compare_log_p()}, without a length penalty: a beam prunes by log P so far, which does not tell"
            f" what will follow. {POINTER}"
        ),
        NEVER: lambda: (
            "A beam keeps more, but only by log P so far: the prefix of the greedy output can be pruned."
            f" {compare_log_p()}. {POINTER}"
        ),
    },
    can_be_worse,
    "When the beam prunes a prefix, does it know which words would follow?",
)


def check_wider_is_worse(_: None, state: State) -> Verdict:
    run = compute(**state)
    if run.width == 1:
        return Verdict(False, "Width 1 is the smallest width. Widen the beam.")
    wide, narrow = run.by_width[run.width - 1], run.by_width[run.width - 2]
    if wide < narrow - SAME_LOG_P:
        return Verdict(
            True,
            f"Yes: log P is {signed(wide)} with width {run.width} and {signed(narrow)} with width"
            f" {run.width - 1}.",
        )
    return Verdict(
        False,
        f"The answer is not less probable than with width {run.width - 1}. Compare the other widths.",
    )


EXERCISES = (
    Exercise(
        "wider-is-worse",
        "In “Beam search”, find a sentence and a width whose answer is less probable than with a beam that is"
        " one narrower.",
        check_wider_is_worse,
        "Use a weak model and a hard sentence. Which bar under “Does a wider beam always find a more probable"
        " output?” is longer than the one before?",
        experiment="beam",
    ),
)
