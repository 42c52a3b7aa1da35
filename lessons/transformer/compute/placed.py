"""Where a norm stands, and how large a word's numbers become: in models with fresh weights, before the first step of training."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from models import zoo
from models.recipes import Recipe
from models.tasks import TASKS

NAMES = {"pre": "pre-norm", "post": "post-norm", "none": "no norm"}
LAYERS = 6  # enough to see what grows
ORDER = {
    "pre": ("x", "norm", "f", "+"),
    "post": ("x", "f", "+", "norm"),
    "none": ("x", "f", "+"),
}  # as the layer computes
LEAVES = {"x": "input", "norm": "layer1.norm1.out", "f": "layer1.self.out", "+": "layer1.added1"}


@dataclass(frozen=True)
class Fresh:
    """Spread of a word’s numbers, the mean over the words of one sentence."""

    stream: np.ndarray  # (1 + layers,) what goes into the encoder’s layers, and comes out of each
    parts: tuple[
        tuple[str, float], ...
    ]  # of the first block, in the order of the computation: part, spread of what leaves it


@cache
def fresh(norm: str) -> Fresh:
    recipe = Recipe("fresh", "transformer", "translation", {"layers": LAYERS, "norm": norm})
    model, task = zoo.build(recipe.kind, recipe.full_config()).eval(), TASKS[recipe.task]
    values = model.run(task.source.ids(next(iter(task.course)).source), limit=1).values

    def spread(name: str) -> float:
        return values[f"encoder.{name}"].std(-1, correction=0).mean().item()

    stream = np.array([spread("input"), *(spread(f"layer{n}.out") for n in range(1, LAYERS + 1))])
    return Fresh(stream, tuple((part, spread(LEAVES[part])) for part in ORDER[norm]))
