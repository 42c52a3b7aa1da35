"""Guess and exercise for experiment `matrices`. All answers are computed."""

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess
from lessons.qkv.matrices.compute import FILLS, START, Attention, compute

ALL_ROWS, FIRST_ROW, OTHER_ROWS = "all rows", "row 1 only", "rows 2 and 3 only"


def change_first_number() -> Attention:
    """The starting layer with 0.5 added to the first number of X."""
    X, *W = START
    X = ((X[0][0] + 0.5, *X[0][1:]), *X[1:])
    return compute(3, 2, FILLS[0], 0, True, False, X, *W)


def changed_rows() -> str:
    moved = tuple((change_first_number().moved > 1e-9).tolist())
    return {(True, True, True): ALL_ROWS, (True, False, False): FIRST_ROW}.get(moved, OTHER_ROWS)


GUESS = guess(
    "one-number",
    "With the opening settings X has three rows. You change a number in row 1 of X. Which rows of Y change?",
    {
        ALL_ROWS: lambda: (
            "Row 1 of K and row 1 of V change too, and every row attends to row 1. If the first number of X"
            f" grows by 0.5, row 2 of Y changes by {change_first_number().moved[1]:.2f} and row 3 by"
            f" {change_first_number().moved[2]:.2f}."
        ),
        FIRST_ROW: (
            "That is true of Q, K and V, which are computed row by row. But every row of A gives row 1 some"
            " weight."
        ),
        OTHER_ROWS: (
            "Rows 2 and 3 change because they attend to row 1. But row 1 attends to itself as well, and its"
            " query has changed."
        ),
    },
    changed_rows,
    "Follow row 1 along the arrows to K and V. Which rows of Y use them?",
)


def check_first_row(_: None, state: State) -> Verdict:
    run = compute(**state)
    if len(run.X) < 3 or run.mask:
        return Verdict(False, "Not yet: use at least three rows and switch the mask off.")
    smallest = run.A[:, 0].min()
    if smallest >= 0.8:
        return Verdict(True, f"Yes: every row gives the first row a weight of at least {smallest:.2f}.")
    return Verdict(
        False,
        f"Not yet: row {int(run.A[:, 0].argmin()) + 1} gives the first row a weight of only {smallest:.2f}."
        " The first score must be the largest in every row of E.",
    )


EXERCISES = (
    Exercise(
        "first-row",
        "In “The layer”, use at least three rows and no mask. Make every row give the first row a weight of"
        " 0.8 or more.",
        check_first_row,
        "A long key gets a large score from every query that points in its direction. How can you make the"
        " first key long and all queries similar?",
        experiment="matrices",
    ),
)
