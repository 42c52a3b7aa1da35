"""The five score functions of models.attention, with weights set by the lesson."""

from typing import Any

import torch

from lessons.kit.memo import memoize
from models.attention import SCORES, Score
from models.zoo import RNG_LOCK

SCORE_NAMES = tuple(SCORES)
KEY_NAMES = ("h₁", "h₂", "h₃", "h₄")
# keys that highlight the same key in all pictures
KEY_MARKS = tuple(f"key:{i}" for i in range(len(KEY_NAMES)))
IDENTITY = ((1.0, 0.0), (0.0, 1.0))
ADDITIVE_WEIGHTS: dict[str, Any] = {  # small and fixed, d_3 = 3
    "W_1": ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0)),
    "W_2": ((1.0, 0.5), (-0.5, 1.0), (-1.0, 0.5)),
    "v": (1.0, 1.0, 0.5),
}


def model_name(score: str) -> str:
    """Name of the translator with this score, without the seed."""
    return f"translation-{score.replace(' ', '-')}-64"


@memoize
def build_score(name: str, dtype: torch.dtype = torch.float64, **weights: Any) -> Score:
    """A score between vectors of size 2, with the given weights in place of random ones."""
    inner = [len(weights["v"])] if "v" in weights else []  # d_3
    with RNG_LOCK, torch.random.fork_rng(devices=[]):
        score = SCORES[name](2, 2, *inner)
    tensors = {key: torch.tensor(value, dtype=dtype) for key, value in weights.items()}
    score.load_state_dict(tensors, assign=True)
    return score.requires_grad_(False)
