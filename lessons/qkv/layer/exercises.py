"""Guess and exercises for experiment `layer`. All answers are computed."""

import torch

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import WHOLE_NUMBER, guess, number
from lessons.kit.pictures.numbers import plural
from lessons.qkv.attention_layer import attend
from lessons.qkv.layer.compute import General, compute

WIDTH_CONTROLS = {"W_Q": "wide_Q", "W_K": "wide_K", "W_V": "d_V"}


def add_column(matrix: str) -> General:
    """The starting layer with one more column in this matrix."""
    widths = {"wide_Q": 2, "wide_K": 2, "d_V": 4}
    widths[WIDTH_CONTROLS[matrix]] += 1
    return compute(T=5, d_X=3, own=False, T_Q=2, d_Q=4, **widths, fill="random", seed=2, turn="nothing")


def free_matrix() -> str:
    """The only matrix whose width can change independently."""
    (free,) = (matrix for matrix in WIDTH_CONTROLS if add_column(matrix).Y is not None)
    return free


def quote_error(matrix: str) -> str:
    return f"PyTorch reports “{add_column(matrix).fault}”"


GUESS = guess(
    "free",
    "With the opening settings Q and K have 2 columns each, and V has 4. You give W_Q, W_K or W_V one more"
    " column. For which of them can Y still be computed?",
    {
        "W_Q": lambda: f"Queries with 3 numbers and keys with 2 have no dot product. {quote_error('W_Q')}.",
        "W_K": lambda: f"Keys with 3 numbers and queries with 2 have no dot product. {quote_error('W_K')}.",
        "W_V": lambda: (
            f"Values are only added up, so V and Y simply get {add_column('W_V').V.shape[1]} columns. Move"
            " the slider of W_V to see it."
        ),
    },
    free_matrix,
    "Which two of Q, K and V are multiplied in a dot product, and which one is only added up?",
    covers=("agree",),
)


def check_larger_output(_: None, state: State) -> Verdict:
    run = compute(**state)
    if run.Y is None:
        return Verdict(False, "Not yet: Y is undefined. First give queries and keys the same size.")
    if run.V.shape[1] > 1:
        return Verdict(False, f"Not yet: V has {run.V.shape[1]} columns. Give W_V a single column.")
    sizes = f"Y has {plural(run.Y.size, 'number')}, X has {run.X.size}"
    if run.Y.size > run.X.size:
        return Verdict(True, f"Yes: {sizes}. The number of queries sets the number of rows of Y.")
    return Verdict(False, f"Not yet: {sizes}. Y has one column now. What gives Y more rows?")


EXERCISES = (
    number(
        "size-of-Y",
        "There are 6 queries and 9 inputs. Queries and keys have 3 numbers each, values have 2. How many"
        " numbers does Y have?",
        lambda: attend(torch.zeros(6, 3), torch.zeros(9, 3), torch.zeros(9, 2)).last("Y").numel(),
        "The output of every query is a weighted sum of values. How many numbers does such a sum have?",
        "Y has 6 rows of 2 numbers. Neither the number of inputs nor the width of the keys matters.",
        WHOLE_NUMBER,
        "layer",
    ),
    Exercise(
        "taller",
        "In “In general”, make Y have more numbers than X, although W_V has a single column.",
        check_larger_output,
        "Y has one row per query. What sets the number of queries?",
        experiment="layer",
    ),
)
