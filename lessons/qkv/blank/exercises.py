"""Guess and exercise for experiment `blank`. All answers are computed."""

import numpy as np

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess
from lessons.qkv.blank.compute import compute
from lessons.qkv.sense_models import CHECKPOINTS, LEFT_TO_RIGHT, MIN_DECIDED

MUDDY = "i arrived at the bank after crossing the ___ and it was muddy ."
BOTH, TWO_SIDED_ONLY, NEITHER = "both models", "only the bidirectional model", "neither model"


def river_lead() -> np.ndarray:
    """How much more probable words for “river” are than words for “money”: (models,)."""
    return np.diff(compute(MUDDY).sense_totals)[:, 0]


def models_preferring_river() -> str | None:
    options = {(True, True): BOTH, (False, True): TWO_SIDED_ONLY, (False, False): NEITHER}
    return options.get(tuple((river_lead() > 0.5).tolist()))


GUESS = guess(
    "who-knows",
    "“I arrived at the bank after crossing the ___ and it was muddy.” Which model clearly prefers river to"
    " street?",
    {
        BOTH: (
            "The left-to-right model has not read “muddy” yet when it reaches the blank. The word is hatched,"
            " and street and river are almost equally likely."
        ),
        TWO_SIDED_ONLY: (
            "“muddy” tells which bank is meant, and the bank tells what was crossed. At the blank only the"
            " bidirectional model sees “muddy”."
        ),
        NEITHER: lambda: (
            "The bidirectional model gives words like “river” together"
            f" {river_lead()[1]:.2f} more probability than words like “street”."
        ),
    },
    models_preferring_river,
    "Cover everything after the blank with your hand. Which important word is hidden?",
    covers=("filled", "words", "senses", "gaze"),
)


def check_known_later(_: None, state: State) -> Verdict:
    run = compute(**state)
    left = list(CHECKPOINTS).index(LEFT_TO_RIGHT)
    at_blank, at_word = run.sense_totals[left].max(), run.sense[left].max()
    values = (
        f"The left-to-right model gives its likelier sense {at_blank:.2f} at the blank and {at_word:.2f} at"
        f" “{run.word}”."
    )
    if run.position > run.place:
        return Verdict(False, f"Not yet. {values} Put “{run.word}” before the blank.")
    if at_blank < MIN_DECIDED:
        return Verdict(False, f"Not yet. {values} The disambiguating word must come before the blank.")
    if at_word >= 0.7:
        return Verdict(False, f"Not yet. {values} The disambiguating word must come after “{run.word}”.")
    return Verdict(True, f"Yes. {values} The disambiguating word comes between the two.")


EXERCISES = (
    Exercise(
        "later",
        "In “Blank”, write a sentence in which the left-to-right model knows the sense at the blank (above"
        " 0.8) but not yet at the ambiguous word (below 0.7).",
        check_known_later,
        "The model knows only what it has read so far. Where does the disambiguating word have to be?",
        experiment="blank",
    ),
)
