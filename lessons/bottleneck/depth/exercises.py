"""The guess of experiment `depth`, with a computed answer."""

import numpy as np

from lessons.bottleneck.depth.compute import DEEP, DEEP_RESIDUAL, SHALLOW, compute, models_of
from lessons.bottleneck.measurements import clear_winner
from lessons.kit.example_sentences import PASSIVE
from lessons.kit.exercises import guess
from lessons.kit.pictures.numbers import seed_count

OPTIONS = {
    "one layer each": SHALLOW,
    "four layers each": DEEP,
    "four layers each, with residual connections": DEEP_RESIDUAL,
}
NEITHER = "none clearly; the difference between seeds is larger"


def scores() -> dict[str, np.ndarray]:
    """The scores (seeds,) of each option."""
    builds = compute("1", "1", "none", "exact match", PASSIVE).builds
    return {option: builds[name].natural for option, name in OPTIONS.items()}


def describe_all() -> str:
    return " ".join(
        f"With {option}, exact match is {values.mean():.2f} ({describe_seeds(values)})."
        for option, values in scores().items()
    )


def describe_seeds(values: np.ndarray) -> str:
    """How many seeds there are and, if there are several, their range."""
    seeds = seed_count(len(values))
    return seeds if len(values) == 1 else f"{seeds}, {values.min():.2f} to {values.max():.2f}"


def best_option() -> str:
    """The option that wins clearly over the seeds. With one seed, the best of the three runs."""
    values = scores()
    if all(len(each) == 1 for each in values.values()):
        return max(values, key=lambda option: values[option].mean())
    return clear_winner(values) or NEITHER


how_deep = guess(
    "how-deep",
    f"Three models were trained with {len(models_of(SHALLOW))} seeds each, for the same number of steps and"
    " at the same learning rate. Which one translated most test sentences correctly?",
    {
        "one layer each": lambda: f"It has the fewest parameters to train. {describe_all()}",
        "four layers each": lambda: f"It can compute more, but what must the gradient pass? {describe_all()}",
        "four layers each, with residual connections": lambda: (
            f"The sum gives the gradient a short path through the layers. {describe_all()}"
        ),
        NEITHER: describe_all,
    },
    best_option,
    "A deeper model can compute more. How does the gradient reach its lowest layer?",
    covers=("table", "learning", "translation", "outputs", "rates", "fair", "papers"),
)
