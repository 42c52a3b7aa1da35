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
    """All trainings of one kind: (rates, seeds, moments) each. What came after a training had diverged is NaN."""

    loss: np.ndarray
    validation: np.ndarray
    accuracy: np.ndarray
    broke: (
        np.ndarray
    )  # (rates, seeds) the step at which the loss diverged (NaN or infinity); 0 where it did not

    @property
    def ends(self) -> np.ndarray:
        """(rates,) fraction of words right after the last step, the mean of the seeds; a seed that diverged has none right."""
        return np.nan_to_num(self.accuracy[:, :, -1]).mean(1)


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
    """(rates,) between the best and the worst of the three in the end."""
    ends = np.array([film.ends for film in films().values()])  # (norms, rates)
    return ends.max(0) - ends.min(0)


__all__ = ["MOMENTS", "RATES", "Filmed", "apart", "films"]
