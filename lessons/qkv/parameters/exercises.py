"""Guess and exercises for experiment `parameters`. All answers are computed."""

from lessons.kit.contract import Exercise, Number, State, Verdict
from lessons.kit.exercises import WHOLE_NUMBER, guess, number
from lessons.qkv.parameters.compute import compute, draw_task

EQUAL, TWICE, FOURFOLD = "the same number", "twice as many", "four times as many"


def growth_with_length() -> str:
    """How the number of parameters of W_Q, W_K and W_V changes from 4 words to 8."""
    few, many = (int(compute(10, T, 1, 0).learned[:3].sum()) for T in (4, 8))
    return {1: EQUAL, 2: TWICE, 4: FOURFOLD}[many // few]


GUESS = guess(
    "twice-as-long",
    "The sentence grows from 4 to 8 words, and d stays 10. How many parameters do W_Q, W_K and W_V have now?",
    {
        EQUAL: "Every word uses the same matrices. Change T: no bar on the left changes.",
        TWICE: (
            "That is true of Q, K and V, which have one row per word. But the learned matrices W_Q, W_K and"
            " W_V do not depend on the number of words."
        ),
        FOURFOLD: (
            "That is true of E and A, which have one number for each pair of words. But E and A are computed,"
            " not learned."
        ),
    },
    growth_with_length,
    "W_Q maps a row of 10 numbers to a row of 10 numbers. How many rows and columns does W_Q have?",
)


def check_task(given: float, state: State) -> Verdict:
    """Compare the answer with the task currently selected by the slider."""
    task = draw_task(state["number"])
    if round(given) == task.answer:
        return Verdict(True, f"Yes, task {task.number}: d = {task.d}, T = {task.T}, and T does not matter.")
    return Verdict(
        False,
        f"Not yet: task {task.number} has d = {task.d} and T = {task.T}. Which of the two is the size of the"
        " three matrices?",
    )


EXERCISES = (
    number(
        "three-hundred",
        "A layer has one head, no biases, d = 10 and T = 4. How many parameters do W_Q, W_K and W_V have"
        " together?",
        lambda: draw_task(0).answer,
        "Each matrix maps a row of d numbers to a row of d numbers. Does its shape depend on T?",
        "There are three matrices of size 10×10. T does not matter.",
        WHOLE_NUMBER,
    ),
    Exercise(
        "variation",
        "In “Parameters”, open “Can you count the parameters of another layer?” and choose one of the hundred"
        " tasks. What is the answer to your task?",
        check_task,
        "There are three matrices, each of size d×d. What is d in your task?",
        Number("answer", "Your answer"),
        "parameters",
        solution=lambda: (
            f"3 · d² for the d of the task shown: {draw_task(0).answer} for task 0 (d = {draw_task(0).d})"
        ),
    ),
)
