"""The norm of ∂h_T/∂h_t by distance, for each kind of cell, over several runs.

Each run of an untrained cell uses another seed; each run of a trained cell reads another story.
"""

from copy import deepcopy
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice

import numpy as np
import torch
from torch import Tensor

from lessons.kit.checkpoints import STORIES, load_card
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.recurrence.hand_cells import KEEP_GATE
from lessons.recurrence.story_models import checkpoint_name, load_story_model
from models import zoo
from models.language_model import LanguageModel
from models.rnn import CELLS, Cell, spectral_radius
from models.through_time import Slopes, backpropagate, step_derivatives
from models.vocabulary import Vocabulary

MAX_STEPS = 60
RUNS = {"untrained": 3, "trained": 5}  # number of seeds, number of stories
WEIGHTS = tuple(RUNS)
FAINT = 0.01  # fraction of the initial gradient that counts as faint


@lru_cache(maxsize=1)
def long_stories() -> tuple[tuple[int, ...], ...]:
    """Test stories with at least MAX_STEPS words."""
    documents = (tokens for tokens in STORIES.documents("test", 60) if len(tokens) >= MAX_STEPS)
    return tuple(tuple(STORIES.vocabulary.ids(tokens)) for tokens in islice(documents, RUNS["trained"]))


@lru_cache(maxsize=16)
def build_untrained_model(cell: str, seed: int) -> LanguageModel:
    card = load_card(checkpoint_name(cell))
    return zoo.build(card.kind, card.config, seed).requires_grad_(False)


def build_untrained_cell(cell: str, start: float, seed: int) -> Cell:
    """An untrained cell. `start` scales a vanilla cell's W_hh or is the bias of a gated cell's keep gate.

    The unscaled W_hh is orthogonal: all its eigenvalues have absolute value 1.
    """
    built = deepcopy(build_untrained_model(cell, seed).rnn.cells[0])
    if cell in KEEP_GATE:
        built.b_h.chunk(len(built.gates))[built.gates.index(KEEP_GATE[cell])].fill_(start)
    else:
        built.W_hh.mul_(start)
    return built


@memoize
@torch.no_grad()
def derivatives_of_steps(cell: str, weights: str, start: float) -> tuple[Tensor, Slopes]:
    """W_hh and the derivatives at every step of the longest text, for all runs."""
    runs, is_untrained = range(RUNS[weights]), weights == "untrained"
    models = [build_untrained_model(cell, run) if is_untrained else load_story_model(cell) for run in runs]
    cells = [
        build_untrained_cell(cell, start, run) if is_untrained else models[run].rnn.cells[0] for run in runs
    ]
    texts = torch.tensor(
        [(Vocabulary.bos, *long_stories()[0 if is_untrained else run][: MAX_STEPS - 1]) for run in runs]
    )  # (runs, MAX_STEPS)
    x = torch.stack([model.embed(text) for model, text in zip(models, texts, strict=True)])
    return step_derivatives(cells, x)


@memoize
@torch.no_grad()
def gradient_norms(cell: str, weights: str, start: float, T: int) -> tuple[np.ndarray, np.ndarray]:
    """(runs, T) ‖∂h_T/∂(memory at t)‖ / √m for t = T … 1, and (runs, m) each unit's share at t = 1.

    The norm measures how much a small change in a random direction grows or shrinks between t and T.
    """
    W, slopes = derivatives_of_steps(cell, weights, start)
    norms = []
    for J in backpropagate(CELLS[cell], W, tuple(slope[:T] for slope in slopes)):  # (runs, m, m)
        norms.append(torch.linalg.vector_norm(J, dim=(1, 2)))
    by_unit = J.double().square().sum(1)  # (runs, m)
    shares = by_unit / by_unit.sum(1, keepdim=True)
    return (torch.stack(norms, 1) / J.shape[1] ** 0.5).numpy(), shares.numpy()


@cache
def unscaled_radius(weights: str) -> float:
    """The spectral radius of the vanilla cell's W_hh before scaling."""
    model = build_untrained_model("vanilla", 0) if weights == "untrained" else load_story_model("vanilla")
    return spectral_radius(model.rnn.cells[0].W_hh)


@dataclass(frozen=True)
class Reach(Result):
    cell: str
    weights: str
    T: int
    radius: float  # spectral radius of the vanilla cell's W_hh
    cells: tuple[str, ...]
    norms: np.ndarray  # (cells, runs, T) by distance T − t = 0 … T − 1
    median: np.ndarray  # (cells, T) over the runs
    factor: np.ndarray  # (cells,) mean factor by which the median changes per step
    faint_from: tuple[int | None, ...]  # by cell: the distance after which the median stays below 1%
    carried: (
        np.ndarray
    )  # (cells, m) share of the farthest gradient carried by the n strongest units, mean over runs

    def idle(self) -> dict[str, str]:
        reason = "Used only for untrained weights."
        return {} if self.weights == "untrained" else {"radius": reason, "keep": reason}


def compute(cell: str, weights: str, radius: float, keep: float, T: int) -> Reach:
    is_untrained = weights == "untrained"
    starts = {kind: (keep if kind in KEEP_GATE else radius) if is_untrained else 0.0 for kind in CELLS}
    by_cell = [gradient_norms(kind, weights, start, T) for kind, start in starts.items()]
    norms = np.array([lines for lines, _ in by_cell])  # (cells, runs, T)
    strongest_first = np.sort([shares for _, shares in by_cell])[..., ::-1]  # (cells, runs, m)
    median = np.median(norms, axis=1)
    return Reach(
        cell=cell,
        weights=weights,
        T=T,
        radius=unscaled_radius(weights) * (radius if is_untrained else 1),
        cells=tuple(CELLS),
        norms=norms,
        median=median,
        factor=(median[:, -1] / median[:, 0]) ** (1 / (T - 1)),
        faint_from=tuple(first_faint_distance(line) for line in median),
        carried=strongest_first.cumsum(-1).mean(1),
    )


def first_faint_distance(line: np.ndarray) -> int | None:
    """The first distance after which the line stays below FAINT."""
    last_above = np.flatnonzero(line >= FAINT)[-1]
    return int(last_above) + 1 if last_above + 1 < len(line) else None


def strongest_cell(run: Reach) -> str | None:
    """The cell whose runs all exceed every run of the others at the farthest distance, if there is one."""
    ends = run.norms[:, :, -1]  # (cells, runs)
    best = int(ends.min(1).argmax())
    return run.cells[best] if ends[best].min() > np.delete(ends, best, 0).max() else None
