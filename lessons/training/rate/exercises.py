"""Guess and exercises for experiment `rate`. All answers are computed."""

import numpy as np

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number
from lessons.kit.pictures.numbers import short
from lessons.training.rate.compute import MAX_GRADIENT, STEPS, WARM_UP_STEPS, DescentRun, rate

OUTCOMES = ("reach the same loss thirty times sooner", "jump around without settling", "do much the same")


def run_from_start(power: float) -> DescentRun:
    return rate(power, False, False, "tanh", 8, ((0.8, 0.8),), 0)


def describe_ends() -> str:
    small, large = (short(run_from_start(power).losses[-1], 2) for power in (-1, 0.5))
    return f"After {STEPS} steps the loss is {small} at a rate of 0.1, and {large} at 3.2."


def outcome_of_large_rate() -> str:
    small, large = run_from_start(-1), run_from_start(0.5)
    if not np.isfinite(large.losses[-1]) or large.losses[-1] > 10 * small.losses[-1]:
        return OUTCOMES[1]
    return OUTCOMES[0] if large.losses[2] <= small.losses[-1] else OUTCOMES[2]


larger = guess(
    "larger",
    "With a learning rate of 0.1 training goes well. What would training with a rate of about 3 do?",
    {
        OUTCOMES[0]: lambda: f"The gradient is right only for a short step. {describe_ends()}",
        OUTCOMES[1]: lambda: (
            f"{describe_ends()} Each step jumps over the valley to a point with a very different slope."
        ),
        OUTCOMES[2]: lambda: (
            f"The gradient gives the direction, but the rate decides how far to go. {describe_ends()}"
        ),
    },
    outcome_of_large_rate,
    "The gradient is the slope at one point. How far from this point is it still right?",
    covers=("sweep",),
)


def check_survival(_: None, state: State) -> Verdict:
    if state["unit"] == "tanh" or state["power"] < -0.5:
        return Verdict(False, "Choose “no tanh” and a rate of at least 0.3 (a power of −0.5).")
    run = rate(**state)
    if run.diverged_at is not None:
        return Verdict(False, f"The loss diverges at step {run.diverged_at}. What keeps a step short?")
    last = float(run.losses[-1])
    if last >= 1:
        return Verdict(
            False, f"The loss is finite, but {short(last, 2)} at the end. Move the start or change the rate."
        )
    return Verdict(True, f"Yes. The final loss is {short(last, 2)}.")


EXERCISES = (
    number(
        "clipped",
        "The gradient has a length of 20, clipping is at 1, and the learning rate is 0.1. How long is the"
        " step?",
        lambda: 0.1 * min(20, MAX_GRADIENT),
        "Clipping shortens the gradient before it is multiplied by the rate.",
        "Clipping keeps the direction of the gradient and changes only its length.",
    ),
    number(
        "warming",
        "A linear warm-up reaches the full learning rate of 0.01 at step 10. What is the rate at step 3, in"
        " thousandths?",
        lambda: 1000 * 0.01 * 3 / WARM_UP_STEPS,
        "At step 3 the rate is three tenths of the full rate.",
        "Adam’s steps do not grow with the gradient: it divides each gradient by an average of recent ones."
        " In the first steps that average rests on few batches, so its steps are kept small.",
    ),
    Exercise(
        "survive",
        "In “Learning rate”, choose “no tanh” and a rate of at least 0.3. Find settings with which the loss"
        " stays finite and ends below 1.",
        check_survival,
        "Which of the switches limits the length of a single step?",
        experiment="rate",
    ),
)
