"""The guess and the exercises of experiment `cell`, with computed answers."""

import numpy as np
import torch

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number
from lessons.recurrence.cell.compute import compute
from lessons.recurrence.hand_cells import build_cell, run_cell

MIN_BLINK = 0.05  # smaller values are too faint to count


def effect_of_first_input() -> str:
    """Whether h_6 differs between two runs with W_hh = 0 that differ only in x_1."""
    cell = build_cell("vanilla", W_hh=np.zeros((2, 2)), W_xh=[[1.0], [0.5]], b_h=[0, 0])
    last_states = [
        run_cell(cell, torch.eye(6, 1).double() * first, cell.initial_state()).last("h")
        for first in (1.0, -1.0)
    ]
    return "nothing" if torch.equal(*last_states) else "a little"


forgetting = guess(
    "forgetting",
    "All weights in W_hh, from one state to the next, are zero. How much does h₆ still know about x₁?",
    {
        "nothing": (
            "Try “No memory”: the arrows along time carry zeros, so each h is computed from its own input"
            " alone."
        ),
        "a little": (
            "x₁ could reach h₆ only along the five arrows W_hh, and each of them multiplies by zero."
        ),
        "all of it": (
            "The cell is the same at every step, but its memory passes through W_hh, and any number times"
            " zero is zero."
        ),
    },
    effect_of_first_input,
    "Start at x₁ in the picture and follow the arrows. Which of them lead to h₆?",
)


def count_parameters() -> float:
    cell = build_cell("vanilla", W_hh=np.zeros((4, 4)), W_xh=np.zeros((4, 3)), b_h=np.zeros(4))
    return sum(weight.numel() for weight in cell.parameters())


def one_step() -> float:
    cell = build_cell("vanilla", W_hh=[[0.5]], W_xh=[[1.0]], b_h=[0.1])
    return cell.step(torch.tensor([0.5]).double(), (torch.tensor([0.8]).double(),))[0].item()


def check_blink(_: None, state: State) -> Verdict:
    run = compute(**state)
    if np.abs(run.x[1:]).max() > 0:
        return Verdict(False, "Only the first input may differ from 0: set x₂ to x₆ to 0.")
    is_flipped = (run.h[1:] * run.h[:-1] < 0) & (np.abs(run.h[1:]) > MIN_BLINK)  # (5, m)
    is_blinking = is_flipped.all(0)
    if is_blinking.any():
        return Verdict(True, f"Yes: unit {int(is_blinking.argmax()) + 1} changes its sign at every step.")
    return Verdict(
        False,
        "No unit changes its sign at every step yet, or its values are too small. Which weight flips a sign?",
    )


EXERCISES = (
    number(
        "count",
        "How many parameters does a vanilla cell with m = 4 units and d = 3 numbers per input have: W_hh,"
        " W_xh and b_h together?",
        count_parameters,
        "The shapes are m × m, m × d and m × 1.",
        "The number of steps does not change the number of parameters.",
    ),
    number(
        "by-hand",
        "One unit: W_hh = 0.5, W_xh = 1, b_h = 0.1, h₀ = 0.8, x₁ = 0.5. What is h₁? (two decimals)",
        one_step,
        "Add the three terms, then take tanh of the sum. You can also set this up in “One cell” with m = 1.",
        "0.5 · 0.8 comes from memory, 0.5 from the input and 0.1 from the bias; h₁ is tanh of the sum.",
        experiment="cell",
    ),
    Exercise(
        "blink",
        "In “One cell”, make a unit of h change its sign at every step, with no input after the first.",
        check_blink,
        "Which sign must the weight from a unit to itself have, and how large must it be?",
        experiment="cell",
    ),
)
