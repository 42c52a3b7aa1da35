"""How much of a small change at step t is still felt at the last step, by autograd through the model's own run."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch

from lessons.kit.contract import Result
from lessons.recurrence.compute.stories import STORIES, memory_of, model_of
from models import zoo
from models.gradients import jacobian
from models.language_model import LanguageModel
from models.rnn import CELLS, spectral_radius

LONGEST = 60  # words
WEIGHTS = ("fresh", "trained")


@lru_cache(maxsize=1)
def story() -> tuple[int, ...]:
    """One story that is long enough, and that no model was trained on."""
    found = next(tokens for tokens in STORIES.documents("test", 12) if len(tokens) >= LONGEST)
    return tuple(STORIES.vocabulary.ids(found))


@lru_cache(maxsize=16)
def fresh(cell: str, radius: float) -> LanguageModel:
    """The same model before training. W_hh of the vanilla cell starts orthogonal, all |eigenvalues| 1, times the radius."""
    card = zoo.load(f"stories-{cell.lower()}-1")[1]
    model = zoo.build(card.kind, card.config).requires_grad_(False)
    if cell == "vanilla":
        model.rnn.cells[0].W_hh *= radius
    return model


@lru_cache(maxsize=256)
def stretch(cell: str, weights: str, radius: float, T: int) -> np.ndarray:
    """(T,) ‖∂h_T/∂(memory at t)‖ / √m for t = T … 1: how a small change in any direction is stretched on its way."""
    model = fresh(cell, radius) if weights == "fresh" else model_of(cell)
    read = story()[: T - 1]  # with <bos>, T steps
    J = jacobian(lambda edits: model.run(read, edits), memory_of(cell), lambda trace: trace.h[0, -1])  # (m, T, m)
    return (torch.linalg.vector_norm(J, dim=(0, 2)) / len(J) ** 0.5).flip(0).numpy()


@dataclass(frozen=True)
class Reach(Result):
    cell: str
    weights: str
    T: int
    radius: float  # spectral radius of the vanilla cell's W_hh
    cells: tuple[str, ...]
    stretch: np.ndarray  # (cells, T) by distance T − t = 0 … T − 1
    factor: np.ndarray  # (cells,) per step, over all steps but the last
    lost: tuple[int | None, ...]  # by cell: the distance from which on under 1 % of distance 0 is left


def gradient(cell: str, weights: str, radius: float, T: int) -> Reach:
    used = radius if weights == "fresh" else 1.0  # a trained W_hh is what it is
    stretches = np.stack([stretch(kind, weights, used if kind == "vanilla" else 1.0, T) for kind in CELLS])
    vanilla = fresh("vanilla", used) if weights == "fresh" else model_of("vanilla")
    return Reach(
        cell=cell,
        weights=weights,
        T=T,
        radius=spectral_radius(vanilla.rnn.cells[0].W_hh),
        cells=tuple(CELLS),
        stretch=stretches,
        factor=(stretches[:, -1] / stretches[:, 0]) ** (1 / (T - 1)),
        lost=tuple(lost(line) for line in stretches),
    )


def lost(line: np.ndarray) -> int | None:
    """The first distance from which on less than 1 % is left."""
    felt = np.flatnonzero(line >= 0.01 * line[0])
    return int(felt[-1]) + 1 if felt[-1] + 1 < len(line) else None
