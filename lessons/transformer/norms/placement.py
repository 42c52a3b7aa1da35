"""Spread of a word's numbers for different placements of the norm, in untrained models."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from models import zoo
from models.recipes import Recipe
from models.tasks import TASKS

PLACEMENTS = {"pre": "pre-norm", "post": "post-norm", "none": "no norm"}
LAYERS = 6  # more layers than the trained model has, so that growth is visible
COMPUTE_ORDER = {"pre": ("x", "norm", "f", "+"), "post": ("x", "f", "+", "norm"), "none": ("x", "f", "+")}
OUTPUT_PATHS = {"x": "input", "norm": "layer1.norm1.out", "f": "layer1.self.out", "+": "layer1.added1"}


@dataclass(frozen=True)
class Spread:
    """Standard deviation of a word’s numbers, averaged over the words of one sentence."""

    stream: np.ndarray  # (1 + layers,) at the encoder's input and after each layer
    parts: tuple[tuple[str, float], ...]  # parts of the first block, in order of computation


@cache
def untrained_spread(norm: str) -> Spread:
    recipe = Recipe("fresh", "transformer", "translation", {"layers": LAYERS, "norm": norm})
    model, task = zoo.build(recipe.kind, recipe.full_config()).eval(), TASKS[recipe.task]
    values = model.run(task.source.ids(next(iter(task.course)).source), limit=1).values

    def spread(path: str) -> float:
        return values[f"encoder.{path}"].std(-1, correction=0).mean().item()

    stream = np.array([spread("input"), *(spread(f"layer{n}.out") for n in range(1, LAYERS + 1))])
    return Spread(stream, tuple((part, spread(OUTPUT_PATHS[part])) for part in COMPUTE_ORDER[norm]))
