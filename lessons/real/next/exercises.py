"""Guess and exercises for experiment `next`. All answers are computed."""

from typing import Any

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, nearest_option, number
from lessons.real.next.compute import NextPiece, compute
from lessons.real.pretrained_model import quote

CAPITAL = "The capital of France is"
OPENING = {"text": CAPITAL, "temperature": 1.0, "k": 0, "p": 1.0, "min_p": 0.0, "n": 0, "seed": 0}
OPTIONS = ("0.25", "0.50", "0.75")


def opening(**changes: Any) -> NextPiece:
    return compute(**(OPENING | changes))


def why() -> str:
    run = opening()
    return f"P is {run.model[0]:.2f}, and the other {run.vocabulary - 1:,} pieces share the rest."


how_sure = guess(
    "how-sure",
    f"The model reads “{CAPITAL}”. About how probable does it find “Paris”?",
    {
        OPTIONS[0]: lambda: (
            f"A quarter would be much if the model had never seen the word in such a place. {why()}"
        ),
        OPTIONS[1]: lambda: f"Half would leave much for “the” and “a”, which could also follow. {why()}",
        OPTIONS[2]: lambda: f"Few sentences go on in another way. {why()}",
    },
    lambda: nearest_option(OPTIONS, float(opening().model[0])),
    "Which other words could follow in a real text?",
    covers=("next_pieces", "pieces_left"),
)

nucleus = number(
    "nucleus-size",
    f"After “{CAPITAL}”, how many pieces does top-p with p = 0.9 leave? (Temperature 1, the other filters"
    " off.)",
    lambda: opening(p=0.9).left[2],
    "Set p to 0.9 and read the table.",
    lambda: f"{opening(p=0.9).left[2]} of {opening().vocabulary:,} pieces hold 90% of the probability.",
    within=0.5,
    experiment="next",
)


def has_only_one(answer: None, state: State) -> Verdict:
    run = compute(**state)
    if state["temperature"] == 0 or state["k"] == 1:
        return Verdict(False, "Now use min-p instead of temperature 0 or k = 1.")
    if run.left[-1] != 1:
        return Verdict(False, f"{run.left[-1]:,} pieces are left. Raise min-p.")
    return Verdict(
        True,
        f"Only {quote(run.drawn)} is left: no other piece is {state['min_p']:g} times as probable as it.",
    )


one_left = Exercise(
    "one-left",
    "Challenge: leave exactly one piece, with min-p and without temperature 0 or k = 1.",
    has_only_one,
    "min-p keeps pieces that are at least this fraction as probable as the best one.",
    experiment="next",
)
EXERCISES = (nucleus, one_left)
