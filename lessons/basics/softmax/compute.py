"""Softmax of five logits: temperature, shift, the two-class case, and overflow."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch

from lessons.kit.contract import Result, Rows

WORDS = ("tea", "coffee", "water", "milk", "sand")
LOGITS = ((2.0,), (1.5,), (0.5,), (0.0,), (-2.0,))
PRECISIONS = {"float16": np.float16, "float32": np.float32, "float64": np.float64}


def softmax(u: np.ndarray) -> np.ndarray:
    """exp(u_w) / Σ exp(u_j). The largest logit is subtracted first so that no exp exceeds 1."""
    powers = np.exp(u - u.max())
    return powers / powers.sum()


def naive_softmax(u: np.ndarray) -> np.ndarray:
    """Softmax without the shift: exp overflows for large logits and underflows for small ones."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        powers = np.exp(u)
        return powers / powers.sum()


def entropy(p: np.ndarray) -> float:
    """The entropy of a distribution, in bits."""
    return float(-(p[p > 0] * np.log2(p[p > 0])).sum())


@dataclass(frozen=True)
class Softmaxed(Result):
    logits: np.ndarray  # (5,) u as dragged
    shift: float
    tau: float
    used: np.ndarray  # (5,) (u + shift) / τ
    probabilities: np.ndarray  # (5,)
    plain: np.ndarray  # (5,) probabilities without shift, with τ = 1
    entropy: float  # entropy in bits
    plain_entropy: float

    @property
    def winner(self) -> int:
        return int(self.logits.argmax())

    @cached_property
    def powers(self) -> np.ndarray:
        """(5,) exp of the logits in use after subtracting the largest."""
        return np.exp(self.used - self.used.max())

    @cached_property
    def difference(self) -> float:
        """(u_1 − u_2) / τ for the first two words."""
        return float(self.used[0] - self.used[1])

    @cached_property
    def first_of_two(self) -> float:
        """P(first word) if only the first two words were possible."""
        return float(softmax(self.used[:2])[0])

    @cached_property
    def precisions(self) -> dict[str, dict[str, float]]:
        """For each number format: the largest exp, and P of the best word without and with the shift."""
        found = {}
        for name, kind in PRECISIONS.items():
            u = self.used.astype(kind)
            with np.errstate(over="ignore"):
                largest = float(np.exp(u.max()))
            found[name] = {
                "largest": largest,
                "naive": float(naive_softmax(u)[self.winner]),
                "stable": float(softmax(u)[self.winner]),
                "limit": float(np.log(np.finfo(u.dtype).max)),
            }
        return found


def compute(logits: Rows, tau: float, shift: float) -> Softmaxed:
    u = np.array(logits)[:, 0]
    used = (u + shift) / tau
    probabilities, plain = (torch.softmax(torch.tensor(values), -1).numpy() for values in (used, u))
    return Softmaxed(
        logits=u,
        shift=shift,
        tau=tau,
        used=used,
        probabilities=probabilities,
        plain=plain,
        entropy=entropy(probabilities),
        plain_entropy=entropy(plain),
    )
