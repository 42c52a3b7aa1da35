"""How large the numbers of a word become with the norm in different places, in untrained models."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from models import zoo
from models.recipes import Recipe
from models.tasks import TASKS

PLACEMENTS = {"pre": "pre-norm", "post": "post-norm", "none": "no norm"}
LAYERS = 6  # more than the trained model has, so that growth is visible
COMPUTE_ORDER = {"pre": ("x", "norm", "f", "+"), "post": ("x", "f", "+", "norm"), "none": ("x", "f", "+")}
OUTPUT_PATHS = {"x": "input", "norm": "layer1.norm1.out", "f": "layer1.self.out", "+": "layer1.added1"}


@dataclass(frozen=True)
class Spread:
    """Standard deviation of a word’s numbers, the mean over the words of one sentence."""

    stream: np.ndarray  # (1 + layers,) of the encoder's input and of the output of each layer
    parts: tuple[tuple[str, float], ...]  # of the first block, in the order of the computation


@cache
def untrained_spread(norm: str) -> Spread:
    recipe = Recipe("fresh", "transformer", "translation", {"layers": LAYERS, "norm": norm})
    model, task = zoo.build(recipe.kind, recipe.full_config()).eval(), TASKS[recipe.task]
    values = model.run(task.source.ids(next(iter(task.course)).source), limit=1).values

    def spread(path: str) -> float:
        return values[f"encoder.{path}"].std(-1, correction=0).mean().item()

    stream = np.array([spread("input"), *(spread(f"layer{n}.out") for n in range(1, LAYERS + 1))])
    return Spread(stream, tuple((part, spread(OUTPUT_PATHS[part])) for part in COMPUTE_ORDER[norm]))
