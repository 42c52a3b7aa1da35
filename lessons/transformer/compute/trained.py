"""The same Transformer with norms before each block, after each block, and without any: trainings recorded by models.norms."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from models import norms
from models.blocks import NORMS
from models.norms import MOMENTS

RATES = tuple(f"{rate:g}" for rate in norms.RATES)


@dataclass(frozen=True)
class Filmed:
    """All trainings of one kind: (rates, seeds, moments) each. What came after a training had broken off is NaN."""

    loss: np.ndarray
    validation: np.ndarray
    accuracy: np.ndarray
    broke: np.ndarray  # (rates, seeds) the step at which the loss was no number any more; 0 where it always was one

    @property
    def ends(self) -> np.ndarray:
        """(rates,) share of words right after the last step, the mean of the seeds; NaN where one broke off."""
        return self.accuracy[:, :, -1].mean(1)


@cache
def filmed(norm: str) -> Filmed:
    found = [[norms.films()[norms.key(norm, lr, seed)] for seed in norms.SEEDS] for lr in norms.RATES]

    def whole(name: str) -> np.ndarray:
        rows = [[film[name] + [np.nan] * (MOMENTS - len(film[name])) for film in seeds] for seeds in found]
        return np.array(rows, dtype=float)

    broke = np.array([[film["broke"] or 0 for film in seeds] for seeds in found])
    return Filmed(whole("loss"), whole("validation"), whole("accuracy"), broke)


@cache
def films() -> dict[str, Filmed]:
    return {norm: filmed(norm) for norm in NORMS}


def apart() -> np.ndarray:
    """(rates,) between the best and the worst of the three in the end. One that broke off has nothing right."""
    ends = np.nan_to_num([film.ends for film in films().values()])  # (norms, rates)
    return ends.max(0) - ends.min(0)


__all__ = ["MOMENTS", "RATES", "Filmed", "apart", "films"]
