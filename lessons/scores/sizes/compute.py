"""Keys of size d_1, queries of size d_2: which scores are defined, and how many parameters does each have?"""

from dataclasses import dataclass
from typing import Any

import torch

from lessons.kit.contract import Result
from lessons.scores.score_functions import SCORE_NAMES, model_name
from models.attention import SCORES
from models.recipes import RECIPES, seeds_of
from models.zoo import RNG_LOCK

MAX_SIZE = 128
MODEL_SIZE = RECIPES[seeds_of(model_name("dot"))[0]].config[
    "width"
]  # size of the keys and queries in our translators
Shapes = dict[str, tuple[int, ...]]


@dataclass(frozen=True)
class Sizes(Result):
    d_1: int  # size of a key
    d_2: int  # size of a query
    d_3: int  # hidden size of the additive score
    scores: tuple[str, ...]
    shapes: tuple[Shapes | None, ...]  # parameter shapes of each score; None if undefined
    reasons: tuple[str, ...]  # why each score is undefined; "" if it is defined

    @property
    def parameters(self) -> tuple[int | None, ...]:
        return tuple(
            None if shapes is None else sum(torch.Size(shape).numel() for shape in shapes.values())
            for shapes in self.shapes
        )

    def numbers(self) -> dict[str, Any]:
        return super().numbers() | {"parameters": list(self.parameters)}


def compute(d_1: int, d_2: int, d_3: int) -> Sizes:
    """Build each score with these sizes; if a score cannot be built, its error message is the reason."""
    shapes: list[Shapes | None] = []
    reasons = []
    for name in SCORE_NAMES:
        try:
            with RNG_LOCK, torch.random.fork_rng(devices=[]):
                score = SCORES[name](d_1, d_2, *([d_3] if name == "additive" else []))
            shapes.append({key: tuple(weight.shape) for key, weight in score.named_parameters()})
            reasons.append("")
        except ValueError as error:
            shapes.append(None)
            reasons.append(str(error))
    return Sizes(d_1, d_2, d_3, SCORE_NAMES, tuple(shapes), tuple(reasons))
