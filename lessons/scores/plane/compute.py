"""One query, four keys and their values, in two dimensions."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from lessons.kit.contract import Result, Rows
from lessons.scores.score_functions import ADDITIVE_WEIGHTS, SCORE_NAMES, build_score
from models.attention import attend
from models.trace import Tap

ARROWS = ((0.9, 0.6), (1.3, 0.3), (0.2, 1.2), (-1.1, 0.7), (-0.3, -1.2))  # the query and four keys
VALUES = ((1.2, -0.6), (1.1, 1.4), (-1.4, 1.0), (-0.9, -1.3))
TIE_TOLERANCE = 1e-9  # maximum difference between scores that count as equal
PATH_TEMPERATURES = np.logspace(-2, 2, 25)


def weights_of(name: str, W: Rows) -> dict[str, Any]:
    """The parameters of a score. W_g = Wᵀ, so h_iᵀ W_g s equals sᵀ W h_i."""
    parameters = {
        "bilinear": {"W": W},
        "scaled bilinear": {"W": tuple(zip(*W, strict=True))},
        "additive": ADDITIVE_WEIGHTS,
    }
    return parameters.get(name, {})


def scores_of(name: str, arrows: Rows, W: Rows, unit: bool) -> Tensor:
    """(4,) the score e_i of the query with each key."""
    s, H = split_arrows(arrows, unit)
    score = build_score(name, **weights_of(name, W))
    return score(s, score.keys(H))


def split_arrows(arrows: Rows, unit: bool) -> tuple[Tensor, Tensor]:
    """The query (2,) and the keys (4, 2), normalised to length 1 if `unit`; a zero vector stays zero."""
    vectors = torch.tensor(arrows, dtype=torch.float64)
    vectors = F.normalize(vectors, dim=-1) if unit else vectors
    return vectors[0], vectors[1:]


@dataclass(frozen=True)
class PlaneRun(Result):
    score: str
    unit: bool
    tau: float  # temperature
    arrows: np.ndarray  # (5, 2) as dragged: the query, then the keys
    used: np.ndarray  # (5, 2) the arrows, normalised if `unit`
    looks_for: np.ndarray | None  # (2,) the vector that a bilinear score compares keys with: Wᵀ s
    weights_used: dict[str, Any]  # W (W_g for scaled bilinear), or W_1, W_2 and v
    scale: float  # factor of the score: 1, or 1/√2
    scores: np.ndarray  # (4,) e_i
    weights: np.ndarray  # (4,) α_i = softmax_i(e_i / τ)
    values: np.ndarray  # (4, 2) v_i
    context: np.ndarray  # (2,) c = Σ α_i v_i
    path: np.ndarray  # (25, 2) the context for τ from 0.01 to 100
    all_weights: np.ndarray  # (scores, 4) α_i under every score
    dot_winner: int  # the key with the largest dot product
    cosine_winner: int  # the key with the largest cosine; in a tie, `dot_winner` if it is among them

    @property
    def winner(self) -> int:
        return int(self.scores.argmax())

    def idle(self) -> dict[str, str]:
        return {} if "bilinear" in self.score else {"W": "Only the bilinear scores have a W."}


def compute(arrows: Rows, values: Rows, score: str, W: Rows, unit: bool, log_tau: float) -> PlaneRun:
    tau = 10**log_tau
    tap = Tap({"scores": lambda scores, step: scores / tau})
    s, H = split_arrows(arrows, unit)
    V = torch.tensor(values, dtype=torch.float64)
    function = build_score(score, **weights_of(score, W))
    context = attend(function, s, function.keys(H), V, tap)
    scores = function(s, function.keys(H))
    all_scores = torch.stack([scores_of(name, arrows, W, unit) for name in SCORE_NAMES])  # (scores, 4)
    dot, cosine = (scores_of("dot", arrows, W, normalised) for normalised in (False, True))
    dot_winner = int(dot.argmax())
    is_tied = bool(cosine[dot_winner] > cosine.max() - TIE_TOLERANCE)
    return PlaneRun(
        score=score,
        unit=unit,
        tau=tau,
        arrows=np.array(arrows),
        used=torch.cat([s[None], H]).numpy(),
        looks_for=(torch.tensor(W, dtype=torch.float64).T @ s).numpy() if "bilinear" in score else None,
        weights_used={name: np.array(value) for name, value in weights_of(score, W).items()},
        scale=getattr(function, "scale", 1.0),
        scores=scores.numpy(),
        weights=tap.last("weights").numpy(),
        values=V.numpy(),
        context=context.numpy(),
        path=(torch.softmax(scores / torch.tensor(PATH_TEMPERATURES)[:, None], -1) @ V).numpy(),
        all_weights=torch.softmax(all_scores / tau, -1).numpy(),
        dot_winner=dot_winner,
        cosine_winner=dot_winner if is_tied else int(cosine.argmax()),
    )
