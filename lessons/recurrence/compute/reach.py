"""How much of a small change at step t is still felt at the last step, by the chain rule through every step.

Several times each, so that a line has a band: a fresh model is drawn anew from other seeds, a trained one reads other stories.
"""

from copy import deepcopy
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice

import numpy as np
import torch
from torch import Tensor

from lessons.kit.checkpoints import load_card
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.recurrence.compute.hand import GATE
from lessons.recurrence.compute.stories import STORIES, checkpoint, model_of
from models import zoo
from models.language_model import LanguageModel
from models.rnn import CELLS, Cell, spectral_radius
from models.through_time import Slopes, backpropagate, step_derivatives
from models.vocabulary import Vocabulary

LONGEST = 60  # words
RUNS = {"fresh": 3, "trained": 5}  # seeds, stories
WEIGHTS = tuple(RUNS)
FAINT = 0.01  # 1% of a change as strong as it came


@lru_cache(maxsize=1)
def stories() -> tuple[tuple[int, ...], ...]:
    """Stories that are long enough, and that no model was trained on."""
    found = (tokens for tokens in STORIES.documents("test", 60) if len(tokens) >= LONGEST)
    return tuple(tuple(STORIES.vocabulary.ids(tokens)) for tokens in islice(found, RUNS["trained"]))


@lru_cache(maxsize=16)
def drawn(cell: str, seed: int) -> LanguageModel:
    """The same model before training."""
    card = load_card(checkpoint(cell))
    return zoo.build(card.kind, card.config, seed).requires_grad_(False)


def fresh(cell: str, start: float, seed: int) -> Cell:
    """W_hh of the vanilla cell starts orthogonal, all |eigenvalues| 1, times `start`; in the gated cells `start` is the bias of the
    gate that keeps."""
    first = deepcopy(drawn(cell, seed).rnn.cells[0])
    if cell in GATE:
        first.b_h.chunk(len(first.gates))[first.gates.index(GATE[cell])].fill_(start)
    else:
        first.W_hh.mul_(start)
    return first


@memoize
@torch.no_grad()
def read(cell: str, weights: str, start: float) -> tuple[Tensor, Slopes]:
    """How each step of the longest text passes a change on."""
    runs, anew = range(RUNS[weights]), weights == "fresh"
    models = [drawn(cell, run) if anew else model_of(cell) for run in runs]
    cells = [fresh(cell, start, run) if anew else models[run].rnn.cells[0] for run in runs]
    texts = torch.tensor(
        [(Vocabulary.bos, *stories()[0 if anew else run][: LONGEST - 1]) for run in runs]
    )  # (runs, LONGEST)
    return step_derivatives(cells, torch.stack([model.embed(text) for model, text in zip(models, texts, strict=True)]))


@memoize
@torch.no_grad()
def jacobians(cell: str, weights: str, start: float, T: int) -> tuple[np.ndarray, np.ndarray]:
    """(runs, T) ‖∂h_T/∂(memory at t)‖ / √m for t = T … 1: how a small change in any direction is stretched on its way; and
    (runs, m) the share of it that enters through each unit at t = 1."""
    W, slopes = read(cell, weights, start)
    norms = []
    for J in backpropagate(CELLS[cell], W, tuple(each[:T] for each in slopes)):  # (runs, m, m)
        norms.append(torch.linalg.vector_norm(J, dim=(1, 2)))
    by_unit = J.double().square().sum(1)
    return (torch.stack(norms, 1) / J.shape[1] ** 0.5).numpy(), (
        by_unit / by_unit.sum(1, keepdim=True)
    ).numpy()


@cache
def radius_of(weights: str) -> float:
    """Of the vanilla cell's W_hh, before it is multiplied by `start`."""
    return spectral_radius(
        (drawn("vanilla", 0) if weights == "fresh" else model_of("vanilla")).rnn.cells[0].W_hh
    )


@dataclass(frozen=True)
class Reach(Result):
    cell: str
    weights: str
    T: int
    radius: float  # spectral radius of the vanilla cell's W_hh
    cells: tuple[str, ...]
    stretch: np.ndarray  # (cells, runs, T) by distance T − t = 0 … T − 1
    middle: np.ndarray  # (cells, T) the median of the runs
    factor: np.ndarray  # (cells,) of the median per step, over all steps but the last
    lost: tuple[int | None, ...]  # by cell: the distance from which on it is below 1%
    carried: (
        np.ndarray
    )  # (cells, m) the share of the farthest gradient that the n strongest units carry, mean of the runs

    def idle(self) -> dict[str, str]:
        trained = "Trained weights are what they are."
        return {} if self.weights == "fresh" else {"radius": trained, "keep": trained}


def gradient(cell: str, weights: str, radius: float, keep: float, T: int) -> Reach:
    starts = [
        (keep if kind in GATE else radius) if weights == "fresh" else 0.0 for kind in CELLS
    ]  # trained weights are what they are
    found = [jacobians(kind, weights, start, T) for kind, start in zip(CELLS, starts, strict=True)]
    stretch = np.array([lines for lines, _ in found])  # (cells, runs, T)
    strongest = np.sort([shares for _, shares in found])[..., ::-1]  # (cells, runs, m)
    middle = np.median(stretch, axis=1)
    return Reach(
        cell=cell,
        weights=weights,
        T=T,
        radius=radius_of(weights) * (radius if weights == "fresh" else 1),
        cells=tuple(CELLS),
        stretch=stretch,
        middle=middle,
        factor=(middle[:, -1] / middle[:, 0]) ** (1 / (T - 1)),
        lost=tuple(lost(line) for line in middle),
        carried=strongest.cumsum(-1).mean(1),
    )


def lost(line: np.ndarray) -> int | None:
    """The first distance from which on the line is below FAINT."""
    felt = np.flatnonzero(line >= FAINT)
    return int(felt[-1]) + 1 if felt[-1] + 1 < len(line) else None


def strongest(run: Reach) -> str | None:
    """The cell whose every run reaches farther than any run of the others; None where their bands overlap."""
    ends = run.stretch[:, :, -1]  # (cells, runs)
    best = int(ends.min(1).argmax())
    return run.cells[best] if ends[best].min() > np.delete(ends, best, 0).max() else None
