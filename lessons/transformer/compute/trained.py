"""The same Transformer with norms before each block, after each block, and without any: trainings recorded by models.norms."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from models import norms
from models.blocks import NORMS
from models.norms import MOMENTS

RATES = tuple(f"{rate:g}" for rate in norms.RATES)
DEPTHS = tuple(str(layers) for layers in norms.SEEDS)
LEARNED = 0.8  # share of words right at the end, from which on a training counts as one that worked


@dataclass(frozen=True)
class Filmed:
    """All trainings of one kind and depth: (rates, seeds, moments) each. What came after a training had broken off is NaN."""

    loss: np.ndarray
    validation: np.ndarray
    accuracy: np.ndarray
    broke: np.ndarray  # (rates, seeds) the step at which the loss was no number any more; 0 where it always was one

    @property
    def works(self) -> np.ndarray:
        """(rates,) whether most words are right at the end, with every seed."""
        return np.nan_to_num(self.accuracy[:, :, -1]).min(1) >= LEARNED

    @property
    def best(self) -> int:
        """Of the rates, by their number, the one with the lowest loss on new sentences, the mean of the seeds."""
        return int(np.nanargmin(np.where(self.broke.any(1), np.nan, self.validation[:, :, -1].mean(1))))


@cache
def filmed(layers: int, norm: str) -> Filmed:
    found = [[norms.films()[norms.key(layers, norm, lr, seed)] for seed in norms.SEEDS[layers]] for lr in norms.RATES]

    def whole(name: str) -> np.ndarray:
        rows = [[film[name] + [np.nan] * (MOMENTS - len(film[name])) for film in seeds] for seeds in found]
        return np.array(rows, dtype=float)

    broke = np.array([[film["broke"] or 0 for film in seeds] for seeds in found])
    return Filmed(whole("loss"), whole("validation"), whole("accuracy"), broke)


@cache
def films(layers: int) -> dict[str, Filmed]:
    return {norm: filmed(layers, norm) for norm in NORMS}


__all__ = ["DEPTHS", "LEARNED", "MOMENTS", "RATES", "Filmed", "films"]
