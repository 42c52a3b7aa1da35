"""Guess and exercises for experiment `scale`. All answers are computed."""

from typing import Any

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number
from lessons.real.scale.compute import Scale, compute

STORY = "One day, Anna walked to the river."
OPENING = {"text": STORY}
SIDES = ("our story model", "SmolLM2")


def opening(**changes: Any) -> Scale:
    return compute(**(OPENING | changes))


def better() -> str:
    ours = opening().our_bits_per_character
    return SIDES[0] if ours is not None and ours < opening().bits_per_character else SIDES[1]


def why() -> str:
    run = opening()
    return (
        f"Our model needs {run.our_bits_per_character:.2f} bits per character and SmolLM2 needs"
        f" {run.bits_per_character:.2f}. A small model that has read only such stories knows them better, but"
        " it knows nothing else."
    )


who_predicts_better = guess(
    "who-predicts-better",
    f"“{STORY}” is a sentence of our stories. Which model predicts it better?",
    dict.fromkeys(SIDES, why),
    better,
    "Which of the two models has read thousands of such sentences?",
    covers=("surprisals",),
)


def parameters(column: int) -> int:
    return int(opening().rows[0][column].replace(",", ""))


how_many_times = number(
    "how-many-times",
    "How many times as many parameters does SmolLM2 have as our story model? An error of 10% is allowed.",
    lambda: parameters(2) / parameters(1),
    "Divide the two numbers in the first row of the table in “Scale”.",
    lambda: f"{parameters(2):,} divided by {parameters(1):,} is about {parameters(2) / parameters(1):,.0f}.",
    within=0.1 * 135_000_000 / 150_000,
    experiment="scale",
)


def is_hard(answer: None, state: State) -> Verdict:
    run = compute(**state)
    if run.bits_per_character > 4:
        return Verdict(
            True,
            f"Yes: {run.bits_per_character:.2f} bits per character. For the model these are almost random"
            " letters.",
        )
    return Verdict(
        False, f"Not yet: {run.bits_per_character:.2f} bits per character. Find a text with more than 4."
    )


hard_text = Exercise(
    "hard-text",
    "In “Scale”, type a text that costs SmolLM2 more than 4 bits per character.",
    is_hard,
    "Which text has nobody ever written before?",
    experiment="scale",
)
EXERCISES = (how_many_times, hard_text)
