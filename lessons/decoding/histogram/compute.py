"""Sample one word n times and compare the distance from the distribution with its exact expectation."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from lessons.decoding.story_models import ONE_WORD_LEFT, likeliest, next_logits, read_words
from lessons.kit.checkpoints import Tokens, Words, story_words
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from models import decoding
from models.decoding import Settings

MAX_DRAWS = 10_000
SIZES = tuple(round(10**power) for power in np.linspace(1, 4, 25).tolist())


@dataclass(frozen=True)
class Drawn(Result):
    words: Words
    probabilities: np.ndarray  # (shown + 1,) the last entry is for all other words
    shares: np.ndarray  # (shown + 1,) counts / n
    counts: tuple[int, ...]
    n: int
    live: int  # number of words with non-zero probability
    distance: float  # total variation distance between probabilities and frequencies, over all words
    expected: float  # expected distance, the mean over all possible outcomes of n draws
    later: float  # expected distance for 4n draws
    sizes: np.ndarray  # (k,) numbers of draws
    distances: np.ndarray  # (k,) distance after the first n draws, for each n in sizes
    expectations: np.ndarray  # (k,)
    constant: float  # C: for many draws, the expected distance is C / √n
    entropy: float
    seed: int

    def idle(self) -> dict[str, str]:
        if self.live > 1:
            return {}
        return {"n": "One word is left: it is drawn every time.", "seed": ONE_WORD_LEFT}


@memoize
def measured_distances(model: str, tokens: Tokens, temperature: float, seed: int) -> np.ndarray:
    p = distribution(model, tokens, temperature)
    return np.array([histogram.distance for histogram in decoding.histograms(p, SIZES, seed)])


@memoize
def expectations(model: str, tokens: Tokens, temperature: float) -> np.ndarray:
    return expected_distances(distribution(model, tokens, temperature), SIZES)


@memoize
def distribution(model: str, tokens: Tokens, temperature: float) -> Tensor:
    return decoding.stages(next_logits(model, tokens), Settings(temperature))[-1].probabilities


def expected_distances(p: Tensor, sizes: Sequence[int]) -> np.ndarray:
    """Exact expectation of ½ Σ |count / n − p| over all outcomes of n draws, for each n in sizes.

    A count is binomial, and its mean deviation is (de Moivre)
    E|count − np| = 2 ν C(n, ν) p^ν (1 − p)^(n − ν + 1), ν = ⌊np⌋ + 1.
    """
    p, n = p[(p > 0) & (p < 1)].double(), torch.tensor(sizes, dtype=torch.float64)[:, None]
    v = (n * p).floor() + 1  # (sizes, V)
    log_binomial = torch.lgamma(n + 1) - torch.lgamma(v + 1) - torch.lgamma(n - v + 1)  # log C(n, ν)
    deviations = 2 * v * (log_binomial + v * p.log() + (n - v + 1) * (-p).log1p()).exp()
    return (deviations.sum(-1) / (2 * n[:, 0])).numpy()


def limit_constant(p: Tensor) -> float:
    """Constant C such that the expected distance for many draws is C / √n.

    The counts are then approximately normal: E|count / n − p| → √(2 p (1 − p) / (π n)).
    C / √n is half the sum over all words.
    """
    return 0.5 * (2 * p * (1 - p) / math.pi).sqrt().sum().item()


def compute(model: str, text: str, temperature: float, n: int, seed: int) -> Drawn:
    tokens = read_words(text)
    p = distribution(model, tokens, temperature)
    histogram = decoding.histogram(p, n, seed)
    best = [word for word in likeliest(p) if p[word] > 0]
    counts = histogram.counts[best].tolist()
    expected, later = expected_distances(p, (n, 4 * n)).tolist()
    return Drawn(
        words=(*story_words(best), f"{len(p) - len(best)} others"),
        probabilities=np.append(p[best].numpy(), max(0.0, 1 - float(p[best].sum()))),
        shares=np.append(np.array(counts), n - sum(counts)) / n,
        counts=(*counts, n - sum(counts)),
        n=n,
        live=int((p > 0).sum()),
        distance=histogram.distance,
        expected=expected,
        later=later,
        sizes=np.array(SIZES),
        distances=measured_distances(model, tokens, temperature, seed),
        expectations=expectations(model, tokens, temperature),
        constant=limit_constant(p),
        entropy=abs(decoding.entropy(p).item()),
        seed=seed,
    )
