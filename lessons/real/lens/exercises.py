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
        f"P of {quote(run.answer)} goes from {own[0]:.2f} to {own[1]:.2f}, P of {quote(run.donor_answer)}"
        f" from {other[0]:.2f} to {other[1]:.2f}. Up to that layer, what the model knows of the country"
        " stands in the vector at its piece."
    )


france_to_italy = guess(
    "france-to-italy",
    f"Only one vector changes: after layer {OPENING['layer']}, the vector at “France” is replaced by the one"
    " at “Italy”. What does the model answer?",
    {
        MOVES[0]: lambda: f"Four of five vectors are unchanged, but the answer hangs on the fifth. {why()}",
        MOVES[1]: lambda: f"One vector is enough. {why()}",
        MOVES[2]: lambda: f"The vector of another country is not noise to the later layers. {why()}",
    },
    what_happens,
    "Where does the last piece get the country from: from its own position, or by attention from another"
    " one?",
    covers=("next_pieces", "by_layer"),
)

already_there = number(
    "already-there",
    f"“{FRANCE}”: from which layer on does the lens show the final answer?",
    lambda: first_layer(opening_lens()),
    "Open the closer look and read the table from below.",
    lambda: f"From layer {first_layer(opening_lens())} of {opening_lens().layers[-1]} on.",
    within=1.5,
    experiment="lens",
)


def is_too_late(answer: None, state: State) -> Verdict:
    run = compute(**state)
    if run.answer == run.donor_answer:
        return Verdict(False, "Choose a donor with another answer.")
    if best_after(run) != run.answer:
        return Verdict(False, f"The model now answers {quote(best_after(run))}. Try a later layer.")
    return Verdict(
        True,
        f"After layer {run.layer} the answer stays {quote(run.answer)}: the last piece has read it already.",
    )


too_late = Exercise(
    "too-late",
    "Challenge: find a layer at which the transplant comes too late, so that the answer stays.",
    is_too_late,
    "Attention copies the country to the last piece at some layer. What does a later change at its own"
    " position still do?",
    experiment="lens",
)
EXERCISES = (already_there, too_late)
