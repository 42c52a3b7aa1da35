"""Guess and exercise for experiment `beam`. All answers are computed."""

from lessons.decoding.beam.compute import SAME_LOG_P, WEAK_MODEL, Searched, compute
from lessons.decoding.prompts import WIDER_IS_WORSE
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess
from lessons.kit.pictures.numbers import signed

POSSIBLE, ONLY_WITH_PENALTY, NEVER = "it can", "only with a length penalty", "never"
POINTER = "Choose “Wider but worse” to see it."


def beam_of_two() -> Searched:
    return compute(WEAK_MODEL, WIDER_IS_WORSE, "", 2, 0.0)


def can_be_worse() -> str:
    greedy, beam = beam_of_two().totals_of
    return POSSIBLE if beam < greedy - SAME_LOG_P else NEVER


def compare_log_p() -> str:
    greedy, beam = beam_of_two().totals_of
    return (
        f"On “{WIDER_IS_WORSE}” greedy search finds log P = {signed(greedy)}, and a beam of two finds"
        f" {signed(beam)}"
    )


GUESS = guess(
    "never-worse",
    "A beam of width 2 keeps two hypotheses, while greedy search keeps one. Can the beam’s answer be less"
    " probable?",
    {
        POSSIBLE: lambda: (
            f"{compare_log_p()}. Both hypotheses of the beam were better at first but ended worse. {POINTER}"
        ),
        ONLY_WITH_PENALTY: lambda: (
            f"{compare_log_p()}, without any length penalty. A beam prunes by log P so far, which does not"
            f" tell what will follow. {POINTER}"
        ),
        NEVER: lambda: (
            "A beam keeps more hypotheses, but it compares only their log P so far. So it can prune the"
            f" beginning of the greedy output. {compare_log_p()}. {POINTER}"
        ),
    },
    can_be_worse,
    "When the beam prunes a prefix, does it know which words would follow?",
)


def check_wider_is_worse(_: None, state: State) -> Verdict:
    run = compute(**state)
    if run.width == 1:
        return Verdict(False, "Not yet: width 1 is greedy search. Choose a larger width.")
    wide, narrow = run.by_width[run.width - 1], run.by_width[run.width - 2]
    if wide < narrow - SAME_LOG_P:
        return Verdict(
            True,
            f"Yes: log P is {signed(wide)} with width {run.width} and {signed(narrow)} with width"
            f" {run.width - 1}.",
        )
    return Verdict(
        False,
        f"Not yet: this answer is not less probable than with width {run.width - 1}. Try other widths or"
        " another sentence.",
    )


EXERCISES = (
    Exercise(
        "wider-is-worse",
        "In “Beam search”, find a sentence and a width for which the answer is less probable than with the"
        " next smaller width.",
        check_wider_is_worse,
        "Use the one-vector model and open “Does a wider beam always find a more probable output?”. Which"
        " bar is longer than the bar above it?",
        experiment="beam",
    ),
)
