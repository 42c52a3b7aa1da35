"""Guess and exercises for experiment `lens`. All answers are computed."""

from typing import Any

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number
from lessons.real.lens.compute import Lens, compute
from lessons.real.lens.views import first_layer
from lessons.real.pretrained_model import quote

FRANCE, ITALY = "The capital of France is", "The capital of Italy is"
OPENING = {"text": FRANCE, "donor": ITALY, "position": 4, "donor_position": 4, "layer": 6}
MOVES = ("it still answers “Paris”", "it answers “Rome”", "it answers something else")


def opening_lens(**changes: Any) -> Lens:
    return compute(**(OPENING | changes))


def best_after(run: Lens) -> str:
    return run.candidates[int(run.after.argmax())]


def what_happens() -> str:
    run = opening_lens()
    best = best_after(run)
    return MOVES[0] if best == run.answer else MOVES[1] if best == run.donor_answer else MOVES[2]


def why() -> str:
    run = opening_lens()
    at = {word: (b, a) for word, b, a in zip(run.candidates, run.before, run.after, strict=True)}
    own, other = at[run.answer], at[run.donor_answer]
    return (
        f"P of {quote(run.answer)} changes from {own[0]:.2f} to {own[1]:.2f}, and P of"
        f" {quote(run.donor_answer)} from {other[0]:.2f} to {other[1]:.2f}. Up to that layer, the vector at"
        f" the"
        " country contains what the model knows about it."
    )


france_to_italy = guess(
    "france-to-italy",
    f"After layer {OPENING['layer']} we replace one vector: the vector at “France” becomes the vector at"
    " “Italy” from another text. What does the model answer?",
    {
        MOVES[0]: lambda: f"Four of five vectors stay the same, but the answer depends on the fifth. {why()}",
        MOVES[1]: lambda: f"One vector is enough. {why()}",
        MOVES[2]: lambda: f"The later layers can use the vector of another country. {why()}",
    },
    what_happens,
    "Where does the last piece get the country from: from its own position, or by attention from another"
    " one?",
    covers=("next_pieces", "by_layer"),
)

already_there = number(
    "already-there",
    f"The text is “{FRANCE}”. From which layer on does the lens show the final answer?",
    lambda: first_layer(opening_lens()),
    "Open the closer look in “Lens” and read the table from bottom to top. Where does the answer change?",
    lambda: f"The lens shows it from layer {first_layer(opening_lens())} of {opening_lens().layers[-1]} on.",
    within=1.5,
    experiment="lens",
)


def is_too_late(answer: None, state: State) -> Verdict:
    run = compute(**state)
    if run.answer == run.donor_answer:
        return Verdict(False, "Not yet: choose a second text with another answer.")
    if best_after(run) != run.answer:
        return Verdict(False, f"Not yet: the model now answers {quote(best_after(run))}. Try a later layer.")
    return Verdict(
        True,
        f"Yes: after layer {run.layer} the answer stays {quote(run.answer)}, because the last position"
        f" already"
        " has the information.",
    )


too_late = Exercise(
    "too-late",
    "In “Lens”, find a layer at which the transplant comes too late, so that the answer stays the same.",
    is_too_late,
    "Attention copies the country to the last position in some layer. What can a later change at the country"
    " still do?",
    experiment="lens",
)
EXERCISES = (already_there, too_late)
