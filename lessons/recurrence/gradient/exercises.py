"""The guess of experiment `gradient`, with a computed answer."""

from collections.abc import Callable
from functools import cache

from lessons.kit.exercises import guess
from lessons.kit.pictures.numbers import small
from lessons.recurrence.gradient.compute import MAX_STEPS, Reach, compute, strongest_cell
from models.rnn import CELLS

EXPLANATIONS = {
    "vanilla": (
        "The vanilla cell multiplies by its matrix at every step, also after training: choose “After"
        " training”, then “vanilla”."
    ),
    "GRU": "The GRU has learned update gates that stay near 1: choose “After training”.",
    "LSTM": (
        "Before training the LSTM was the strongest. It has also learned to forget: choose “After training”,"
        " then “LSTM”."
    ),
}


@cache
def compute_trained() -> Reach:
    return compute("GRU", "trained", 1.0, 0.0, MAX_STEPS)


def explain(cell: str) -> Callable[[], str]:
    """A function that describes the cell's gradient at the farthest distance, over all stories."""

    def describe() -> str:
        ends = compute_trained().norms[compute_trained().cells.index(cell), :, -1]
        return (
            f"After training its gradient at this distance is {small(ends.min())} to {small(ends.max())},"
            f" over {len(ends)} stories. {EXPLANATIONS[cell]}"
        )

    return describe


strongest_gradient = guess(
    "farthest",
    "With the opening settings the cells are untrained. After training, which cell has the strongest gradient"
    f" {MAX_STEPS - 1} steps back?",
    {cell: explain(cell) for cell in CELLS},
    lambda: strongest_cell(compute_trained()),
    "Which cells can learn to keep a number for many steps, and which of their gates must change for that?",
)
