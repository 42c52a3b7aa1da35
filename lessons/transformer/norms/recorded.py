"""Recorded training runs of one Transformer with pre-norm, post-norm and no norm (from models.norms)."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from models import norms
from models.blocks import NORMS
from models.norms import MOMENTS

RATES = tuple(f"{rate:g}" for rate in norms.RATES)


@dataclass(frozen=True)
class RecordedTrainings:
    """Training runs with one placement of the norm, (rates, seeds, moments) each; NaN after divergence."""

    loss: np.ndarray
    validation: np.ndarray
    accuracy: np.ndarray
    broke: np.ndarray  # (rates, seeds) step at which the loss diverged (NaN or infinity); 0 if never

    @property
    def ends(self) -> np.ndarray:
        """Mean final accuracy over seeds: (rates,). A diverged seed counts as 0."""
        return np.nan_to_num(self.accuracy[:, :, -1]).mean(1)


@cache
def load_trainings(norm: str) -> RecordedTrainings:
    films = [
        [norms.load_films()[norms.run_name(norm, lr, seed)] for seed in norms.SEEDS] for lr in norms.RATES
    ]

    def pad_with_nan(name: str) -> np.ndarray:
        rows = [[film[name] + [np.nan] * (MOMENTS - len(film[name])) for film in seeds] for seeds in films]
        return np.array(rows, dtype=float)

    broke = np.array([[film["broke"] or 0 for film in seeds] for seeds in films])
    return RecordedTrainings(
        pad_with_nan("loss"), pad_with_nan("validation"), pad_with_nan("accuracy"), broke
    )


@cache
def trainings_by_norm() -> dict[str, RecordedTrainings]:
    return {norm: load_trainings(norm) for norm in NORMS}


def accuracy_gaps() -> np.ndarray:
    """Final accuracy of the best placement minus that of the worst: (rates,)."""
    ends = np.array([trainings.ends for trainings in trainings_by_norm().values()])  # (norms, rates)
    return ends.max(0) - ends.min(0)
