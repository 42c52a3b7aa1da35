"""Guess and exercises for experiment `norms`. All answers are computed."""

import numpy as np
import torch

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number
from lessons.transformer.norms.compute import START_NUMBERS, norms
from lessons.transformer.norms.placement import PLACEMENTS
from lessons.transformer.norms.recorded import accuracy_gaps
from lessons.transformer.norms.views import describe_seeds
from models.blocks import Norm

CHANGES = ("they grow by 1.5", "they grow by less than 1.5", "they do not change")


def change_after_norm(shift: float) -> float:
    """Largest change after a layer norm when this amount is added to every number before it."""
    before, after = (
        norms(tuple((value + added,) for (value,) in START_NUMBERS), 1.0, 0.0, 1.0).out[0]
        for added in (0.0, shift)
    )
    return float(np.abs(after - before).max())


def size_of_change() -> str:
    change = change_after_norm(1.5)
    return CHANGES[2] if change < 0.005 else CHANGES[1] if change < 1.5 else CHANGES[0]


all_larger = guess(
    "all-larger",
    "You add 1.5 to all six numbers of a word. How do the outputs of the layer norm change?",
    {
        CHANGES[0]: (
            "The mean also grows by 1.5, and the layer norm subtracts the mean first. Try “Every number plus"
            " 1.5”."
        ),
        CHANGES[1]: (
            "The mean grows by exactly as much as each number, so nothing is left. Try “Every number plus"
            " 1.5”."
        ),
        CHANGES[2]: lambda: (
            f"The outputs change by {change_after_norm(1.5):.2f}: the mean and all numbers grow by the same"
            " amount, and the spread stays the same. Try “Every number plus 1.5”."
        ),
    },
    size_of_change,
    "What happens to the mean? What happens to the distance of each number from the mean?",
    covers=("layer_norm", "by_hand"),
)


def five_after_norm() -> float:
    return Norm(3)(torch.tensor([1.0, 3.0, 5.0]))[2].item()


def check_largest_gap(_: None, state: State) -> Verdict:
    """Check whether the three placements end furthest apart at this learning rate."""
    run = norms(**state)
    ends = "; ".join(
        f"{PLACEMENTS[norm]} {describe_seeds(trainings.accuracy[run.rate, :, -1])}"
        for norm, trainings in run.films.items()
    )
    if run.rate == accuracy_gaps().argmax():
        return Verdict(True, f"Yes. At the end the fractions of correct words are: {ends}.")
    return Verdict(
        False,
        f"Not yet. With {state['lr']} the fractions of correct words are: {ends}. With another rate they"
        " differ more.",
    )


EXERCISES = (
    number(
        "layer-norm",
        "A word has the numbers 1, 3 and 5. What does a layer norm with γ = 1 and β = 0 turn the 5 into? Give"
        " two decimals.",
        five_after_norm,
        "The mean is 3. The standard deviation is the root of the mean squared distance: √((4 + 0 + 4) / 3).",
        "It is 2 / 1.63. With 10, 30 and 50 it would be the same.",
        experiment="norms",
    ),
    Exercise(
        "parted",
        "In “Norms”, open “Can a Transformer learn without any norm?”. Choose the learning rate at which"
        " pre-norm, post-norm and no norm differ most at the end.",
        check_largest_gap,
        "The table there shows all rates. In which column do the three rows differ most?",
        experiment="norms",
    ),
)
