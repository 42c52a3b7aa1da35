"""One query, four keys and their values, in two dimensions. The scores are those of models.attention."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from lessons.kit.contract import Result, Rows
from lessons.kit.memo import memoize
from models.attention import SCORES, Score, attend
from models.trace import Tap
from models.zoo import BUILDING

NAMES = tuple(SCORES)
ARROWS = (
    (0.9, 0.6),
    (1.3, 0.3),
    (0.2, 1.2),
    (-1.1, 0.7),
    (-0.3, -1.2),
)  # the query and four keys, at the start
ADDITIVE: dict[str, Any] = {  # small and fixed: three ways of weighing h against s
    "W_1": ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0)),
    "W_2": ((1.0, 0.5), (-0.5, 1.0), (-1.0, 0.5)),
    "v": (1.0, 1.0, 0.5),
}
SAME = 1e-9  # scores that differ by less are the same
HEATS = np.logspace(-2, 2, 25)  # the temperatures along which the context is followed


@memoize
def score_with(name: str, dtype: torch.dtype = torch.float64, **weights: Any) -> Score:
    """A score between vectors of two numbers with these weights; what it was born with is random, and gone."""
    inner = [len(weights["v"])] if "v" in weights else []  # d_3
    with BUILDING, torch.random.fork_rng(devices=[]):
        made = SCORES[name](2, 2, *inner)
    made.load_state_dict(
        {key: torch.tensor(value, dtype=dtype) for key, value in weights.items()}, assign=True
    )
    return made.requires_grad_(False)


def weights_of(name: str, W: Rows) -> dict[str, Any]:
    """What a score has to be given: nothing, W, or W_1, W_2 and v. W_g is Wᵀ: h_iᵀ W_g s and sᵀ W h_i are one number."""
    given = {
        "bilinear": {"W": W},
        "scaled bilinear": {"W": tuple(zip(*W, strict=True))},
        "additive": ADDITIVE,
    }
    return given.get(name, {})


def scores_of(name: str, arrows: Rows, W: Rows, unit: bool) -> Tensor:
    """(4,) e_i of the query, row 0, with each key."""
    s, H = vectors(arrows, unit)
    score = score_with(name, **weights_of(name, W))
    return score(s, score.keys(H))


def vectors(arrows: Rows, unit: bool) -> tuple[Tensor, Tensor]:
    """The query (2,) and the keys (4, 2), of length 1 if asked; what has no length has no direction and stays zero."""
    all_vectors = torch.tensor(arrows, dtype=torch.float64)
    used = F.normalize(all_vectors, dim=-1) if unit else all_vectors
    return used[0], used[1:]


@dataclass(frozen=True)
class PlaneRun(Result):
    score: str
    unit: bool
    tau: float  # temperature
    arrows: np.ndarray  # (5, 2) as dragged: the query, then the keys
    used: np.ndarray  # (5, 2) the same, of length 1 if asked
    looks_for: np.ndarray | None  # (2,) what a bilinear score compares the keys with: Wᵀ s
    weights_used: dict[str, Any]  # W (of scaled bilinear: W_g), or W_1, W_2 and v
    scale: float  # by which the score multiplies: 1, or 1/√2
    scores: np.ndarray  # (4,) e_i
    weights: np.ndarray  # (4,) α_i = softmax_i(e_i / τ)
    values: np.ndarray  # (4, 2) v_i
    context: np.ndarray  # (2,) c = Σ α_i v_i
    path: np.ndarray  # (25, 2) the context from τ = 0.01 to 100
    all_weights: np.ndarray  # (scores, 4) α_i under every score
    dot_winner: int  # among these arrows as dragged,
    cosine_winner: int  # and by direction alone; the same one, if it points as well as any

    @property
    def winner(self) -> int:
        return int(self.scores.argmax())

    def idle(self) -> dict[str, str]:
        return {} if "bilinear" in self.score else {"W": "Only the bilinear scores have a W."}


def plane(arrows: Rows, values: Rows, score: str, W: Rows, unit: bool, log_tau: float) -> PlaneRun:
    tau, tap = 10**log_tau, Tap({"scores": lambda scores, step: scores / 10**log_tau})
    s, H = vectors(arrows, unit)
    V = torch.tensor(values, dtype=torch.float64)
    chosen = score_with(score, **weights_of(score, W))
    context = attend(chosen, s, chosen.keys(H), V, tap)
    scores = chosen(s, chosen.keys(H))
    others = torch.stack([scores_of(name, arrows, W, unit) for name in NAMES])  # (scores, 4)
    turned = torch.tensor(W, dtype=torch.float64)
    by_dot, by_cosine = (scores_of("dot", arrows, W, alone) for alone in (False, True))
    loud = int(by_dot.argmax())
    return PlaneRun(
        score=score,
        unit=unit,
        tau=tau,
        arrows=np.array(arrows),
        used=torch.cat([s[None], H]).numpy(),
        looks_for=(turned.T @ s).numpy() if "bilinear" in score else None,
        weights_used={name: np.array(value) for name, value in weights_of(score, W).items()},
        scale=getattr(chosen, "scale", 1.0),
        scores=scores.numpy(),
        weights=tap.last("weights").numpy(),
        values=V.numpy(),
        context=context.numpy(),
        path=(torch.softmax(scores / torch.tensor(HEATS)[:, None], -1) @ V).numpy(),
        all_weights=torch.softmax(others / tau, -1).numpy(),
        dot_winner=loud,
        cosine_winner=loud if by_cosine[loud] > by_cosine.max() - SAME else int(by_cosine.argmax()),
    )
