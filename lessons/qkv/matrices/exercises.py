"""Guess and exercise for experiment `matrices`. All answers are computed."""

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess
from lessons.qkv.matrices.compute import START, Attention, compute

ALL_ROWS, FIRST_ROW, OTHER_ROWS = "all rows", "row 1 only", "rows 2 and 3 only"


def change_first_number() -> Attention:
    """The starting layer with 0.5 added to the first number of X."""
    X, *W = START
    X = ((X[0][0] + 0.5, *X[0][1:]), *X[1:])
    return compute(3, 2, "own", 0, True, False, X, *W)


def changed_rows() -> str:
    moved = tuple((change_first_number().moved > 1e-9).tolist())
    return {(True, True, True): ALL_ROWS, (True, False, False): FIRST_ROW}.get(moved, OTHER_ROWS)


GUESS = guess(
    "one-number",
    "At the start there are three rows. You change one number in row 1 of X. Which rows of Y change?",
    {
        ALL_ROWS: lambda: (
            "Row 1 of K and V changes too, and no weight in the first column of A is 0. With 0.5 more in the"
            f" first cell of X, row 2 of Y changes by {change_first_number().moved[1]:.2f} and row 3 by"
            f" {change_first_number().moved[2]:.2f}."
        ),
        FIRST_ROW: (
            "That is true of Q, K and V, which are computed row by row. But every row of A has some weight in"
            " column 1."
        ),
        OTHER_ROWS: (
            "These rows change, because they attend to row 1. But row 1 attends to itself as well, and its"
            " query has changed."
        ),
    },
    changed_rows,
    "Follow row 1 along the arrows. Which rows of Y use a row of K or of V?",
)


def check_first_row(_: None, state: State) -> Verdict:
    run = compute(**state)
    if len(run.X) < 3 or run.mask:
        return Verdict(False, "Use at least three rows, with the mask off.")
    smallest = run.A[:, 0].min()
    if smallest >= 0.8:
        return Verdict(True, f"Yes: every row gives the first row a weight of at least {smallest:.2f}.")
    return Verdict(
        False,
        f"Row {int(run.A[:, 0].argmin()) + 1} gives the first row only {smallest:.2f}. The first score must"
        " be the largest in every row of E.",
    )


EXERCISES = (
    Exercise(
        "first-row",
        "In “The layer”, use at least three rows without the mask. Make every row give 0.8 or more of its"
        " weight to the first row.",
        check_first_row,
        "A long key gets a large score from every query that points the same way: make the first row of X"
        " large and the queries alike.",
        experiment="matrices",
    ),
)
