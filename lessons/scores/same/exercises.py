"""The guess and the exercise of experiment `same`, with computed answers."""

import numpy as np

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess
from lessons.kit.pictures.numbers import signed
from lessons.scores.same.compute import PAIRS, Same, compute
from lessons.scores.score_functions import ADDITIVE_WEIGHTS, KEY_NAMES

CHANGES = (
    "only one score",
    "all four scores, by the same amount",
    "all four scores, by different amounts",
)
EDITED_W = ((1.0, 0.5), (0.0, 1.0))
TRY_IT = "The example “One number off” shows it."


def run_with_edited_W() -> Same:
    W_1, W_2 = ADDITIVE_WEIGHTS["W_1"], ADDITIVE_WEIGHTS["W_2"]
    return compute(PAIRS[0], 1, EDITED_W, W_1, W_2, ((1.0,),) * 3, ((0.0,) * 4,) * 3)


def which_change() -> str:
    changes = run_with_edited_W().difference
    if np.count_nonzero(changes) == 1:
        return CHANGES[0]
    return CHANGES[1] if np.ptp(changes) < 0.01 else CHANGES[2]


def list_changes() -> str:
    changes = run_with_edited_W().difference
    shown = ", ".join(f"{key} {signed(change)}" for key, change in zip(KEY_NAMES, changes, strict=True))
    return f"The changes: {shown}."


off_by_one = guess(
    "identity",
    "With the opening settings, W is the identity matrix and both scores agree. You set the top right number"
    " of W to 0.5. There are four keys, so four bilinear scores: which of them change?",
    {
        CHANGES[0]: lambda: (
            "This number of W is multiplied by the first number of s and by the second number of a key, and"
            f" every key has one. {list_changes()} {TRY_IT}"
        ),
        CHANGES[1]: lambda: (
            "The change is 0.5 times the first number of s times the second number of the key, and the keys"
            f" differ in that number. {list_changes()} {TRY_IT}"
        ),
        CHANGES[2]: lambda: (
            "Each score changes by 0.5 times the first number of s times the second number of its key."
            f" {list_changes()} {TRY_IT}"
        ),
    },
    which_change,
    "Write out sᵀ W h for two numbers. Which product contains the top right number of W?",
)


def check_double(_: None, state: State) -> Verdict:
    run = compute(**{**state, "pair": PAIRS[0]})
    if np.allclose(run.one, 2 * run.other, atol=1e-3):
        return Verdict(
            True, "Yes: every bilinear score is twice the dot score. So W can also act as a temperature."
        )
    worst = int(np.abs(run.one - 2 * run.other).argmax())
    return Verdict(
        False,
        f"Not yet: for {KEY_NAMES[worst]} the bilinear score is {signed(run.one[worst])}, but twice the dot"
        f" score is {signed(2 * run.other[worst])}. W = I leaves every score as it is. Which W doubles it?",
    )


EXERCISES = (
    Exercise(
        "double",
        "In “Same or not”, choose bilinear and dot, and set W so that every bilinear score is twice the dot"
        " score.",
        check_double,
        "W = I gives the dot score itself. Which numbers of I do you have to change?",
        experiment="same",
    ),
)
