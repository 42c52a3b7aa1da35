"""Guess and exercises for experiment `next`. All answers are computed."""

from typing import Any

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, nearest_option, number
from lessons.kit.pictures.numbers import percent
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
    f"The model reads “{CAPITAL}”. Which probability does it give to “Paris”, approximately?",
    {
        OPTIONS[0]: lambda: (
            f"That would be a lot if the model had never read such a sentence, but it has. {why()}"
        ),
        OPTIONS[1]: lambda: f"“the” and “a” could also follow, but they get much less. {why()}",
        OPTIONS[2]: lambda: f"Few texts continue in another way. {why()}",
    },
    lambda: nearest_option(OPTIONS, float(opening().model[0])),
    "Which other words could follow in a real text?",
    covers=("next_pieces", "pieces_left"),
)

nucleus = number(
    "nucleus-size",
    f"How many pieces does top-p with p = 0.9 leave after “{CAPITAL}”? (Temperature 1, the other filters"
    " off.)",
    lambda: opening(p=0.9).left[2],
    "In “Next piece”, set top-p to 0.9. Which number does the table show for top-p?",
    lambda: f"{opening(p=0.9).left[2]} of {opening().vocabulary:,} pieces have 90% of the probability.",
    within=0.5,
    experiment="next",
)


def has_only_one(answer: None, state: State) -> Verdict:
    run = compute(**state)
    if state["temperature"] == 0 or state["k"] == 1:
        return Verdict(False, "Not yet: use min-p instead of temperature 0 or k = 1.")
    if run.left[-1] != 1:
        return Verdict(False, f"Not yet: {run.left[-1]:,} pieces are left. Increase min-p.")
    if run.left[-2] == 1:
        return Verdict(False, "Not yet: top-p or the temperature already leaves one piece. Let min-p do it.")
    return Verdict(
        True,
        f"Yes: only {quote(run.drawn)} is left, because no other piece has {percent(state['min_p'])} of its"
        " probability.",
    )


one_left = Exercise(
    "one-left",
    "In “Next piece”, leave exactly one piece with min-p, without temperature 0 and without k = 1.",
    has_only_one,
    "Min-p keeps pieces with at least this fraction of the largest probability. How large must it be?",
    experiment="next",
)
EXERCISES = (nucleus, one_left)
