"""Keys of d_1 numbers, queries of d_2: which scores can be built, and how many numbers each has to learn."""

from dataclasses import dataclass

import torch

from lessons.kit.contract import Result
from lessons.scores.compute.trained import SEEDS, checkpoint
from models.attention import SCORES
from models.recipes import RECIPES
from models.zoo import BUILDING

NAMES = tuple(SCORES)
LARGEST = 128
OURS = RECIPES[checkpoint(NAMES[0], SEEDS[0])].config[
    "width"
]  # numbers in the keys and the queries of our translators


@dataclass(frozen=True)
class Sizes(Result):
    d_1: int  # a key
    d_2: int  # a query
    d_3: int  # inside the additive score
    scores: tuple[str, ...]
    shapes: tuple[
        dict[str, tuple[int, ...]] | None, ...
    ]  # of the parameters of each; None where it cannot be built,
    reasons: tuple[str, ...]  # and why

    @property
    def parameters(self) -> tuple[int | None, ...]:
        return tuple(
            None if s is None else sum(torch.Size(shape).numel() for shape in s.values()) for s in self.shapes
        )

    def numbers(self) -> dict:
        return super().numbers() | {"parameters": list(self.parameters)}


def sizes(d_1: int, d_2: int, d_3: int) -> Sizes:
    """Asks the modules themselves."""
    shapes: list[dict[str, tuple[int, ...]] | None] = []
    reasons = []
    for name in NAMES:
        try:
            with BUILDING, torch.random.fork_rng(devices=[]):
                score = SCORES[name](d_1, d_2, *([d_3] if name == "additive" else []))
            shapes.append({key: tuple(weight.shape) for key, weight in score.named_parameters()})
            reasons.append("")
        except ValueError as error:
            shapes.append(None)
            reasons.append(str(error))
    return Sizes(d_1, d_2, d_3, NAMES, tuple(shapes), tuple(reasons))
