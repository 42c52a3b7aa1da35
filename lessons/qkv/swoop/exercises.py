"""Guess and exercises for experiment `swoop`. All answers are computed."""

import numpy as np

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import WHOLE_NUMBER, guess, number, one_of
from lessons.qkv.swoop.compute import EXPRESSIONS, compute


def attention_weights(T: int, steps: int) -> np.ndarray:
    """The weights of all target steps: (T', T)."""
    weights = compute("softmax(S Hᵀ) H", T=T, steps=steps, m=2, seed=0).weights
    assert weights is not None  # the shapes of S and Hᵀ always fit
    return weights


def shape_of_weights() -> str:
    rows, columns = attention_weights(T=4, steps=3).shape
    return f"{rows}×{columns}"


GUESS = guess(
    "shape",
    "With the opening settings S is 3×2 and H is 4×2. What is the shape of softmax(S Hᵀ)?",
    {
        "3×4": (
            "It has one row for each of the 3 target steps and one column for each of the 4 source words."
            " Choose “All contexts” to see it."
        ),
        "4×3": "That is the shape of H Sᵀ, as in the picture. Its 3 columns do not fit the 4 rows of H.",
        "2×2": "The product sums over the 2 numbers of a state, so neither side of the result has size 2.",
    },
    shape_of_weights,
    "A product has as many rows as its first factor and as many columns as its second."
    " What are these two numbers here?",
)


def check_expression(given: str, _: State) -> Verdict:
    """Evaluate the expression with different T, T′ and m, so that no sizes agree by accident."""
    fault = compute(given, T=5, steps=4, m=3, seed=1).fault
    return Verdict(not fault, f"Not yet. {fault}" if fault else "Yes: its rows are the context vectors c_t.")


EXERCISES = (
    Exercise(
        "contexts",
        "S has one row per target step, H one row per source word. Which expression gives all contexts at"
        " once?",
        check_expression,
        "Write the shapes below the factors. In which direction must the weights add up to 1: along a row or"
        " down a column?",
        one_of("Expression", EXPRESSIONS),
        "swoop",
    ),
    number(
        "scores",
        "A decoder has written 7 words and attends to 9 source words. How many scores are in E?",
        lambda: attention_weights(T=9, steps=7).size,
        "There is one score for each pair of a query and a key.",
        "7 queries times 9 keys give 63 scores.",
        WHOLE_NUMBER,
    ),
)
