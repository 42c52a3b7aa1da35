"""Measurements of other kinds of cells, and of two layers, with one context vector of the same size."""

from dataclasses import dataclass

import numpy as np

from lessons.bottleneck.measurements import natural_scores
from lessons.kit.checkpoints import load_card, longest_common_budget
from models import recipes

ONE_GRU, TWO_GRUS = "GRU, 1 layer", "GRU, 2 layers"
ONE_LSTM, ONE_VANILLA = "LSTM, 1 layer", "vanilla, 1 layer"
MODELS = {  # all have a c of size 128
    ONE_GRU: "translation-none-128",
    ONE_LSTM: "translation-none-lstm",
    ONE_VANILLA: "translation-none-vanilla",
    TWO_GRUS: "translation-none-two-layers",
}
BUILDS = {build: recipes.seeds_of(model) for build, model in MODELS.items()}  # one per seed
TRAINING_STEPS = longest_common_budget(*(name for names in BUILDS.values() for name in names))


@dataclass(frozen=True)
class CellBuild:
    """Measurements of one cell type and one number of encoder and decoder layers."""

    rate: float  # the best of the learning rates tried
    rates_tried: int
    parameters: int
    natural: np.ndarray  # (seeds,) on sentences of natural length


def measure_cells(measure: str) -> dict[str, CellBuild]:
    """Measurements by build, after the same training steps; `measure` is a key on the card."""
    return {
        name: CellBuild(
            rate=load_card(models[0]).recipe["lr"],
            rates_tried=len(recipes.losses_by_rate(MODELS[name])[0]),
            parameters=load_card(models[0]).parameters,
            natural=natural_scores(models, measure, TRAINING_STEPS),
        )
        for name, models in BUILDS.items()
    }
