"""The surprisal of each word of a sentence, and the effect of gradient steps on one prediction."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch

from lessons.basics.softmax.compute import softmax
from lessons.kit import checkpoints
from lessons.kit.checkpoints import STORIES, UNKNOWN_STORY_WORD, Tokens, read_shown_story
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from models.vocabulary import Vocabulary

MODEL = "stories-lstm-1"
MAX_WORDS = 20
SHOWN = 5  # words shown as bars, including the true word
CURVE_STEPS = 40
RATES = (0.1, 2.0, 30.0)  # too small, good, too large
TRUTHS = 4  # the text so far occurs this often: once before the rival, else before the true word


def gradient(u: np.ndarray, target: np.ndarray) -> np.ndarray:
    """∂L/∂u = p − target, for the loss L = −Σ target · log p and p = softmax(u)."""
    return softmax(u) - target


def cross_entropy(u: np.ndarray, target: np.ndarray) -> float:
    """−Σ target · log p in nats, with log p computed from the logits to avoid log 0."""
    log_p = u - u.max() - math.log(np.exp(u - u.max()).sum())
    return float(-(target * log_p).sum())


def descend(u: np.ndarray, target: np.ndarray, rate: float, steps: int) -> list[np.ndarray]:
    """The logits before the first step and after every step u ← u − rate · (p − target)."""
    path = [u]
    for _ in range(steps):
        path.append(path[-1] - rate * gradient(path[-1], target))
    return path


@memoize
def logits_of(tokens: Tokens) -> np.ndarray:
    """(1 + T, V) the model's logits after <bos> and after each word."""
    with torch.inference_mode():
        return checkpoints.load_model(MODEL)(torch.tensor([[Vocabulary.bos, *tokens]]))[0].double().numpy()


@dataclass(frozen=True)
class Loss(Result):
    words: tuple[str, ...]
    t: int  # the selected word, from 1
    probabilities: np.ndarray  # (T,) P of each word, given the words before it
    surprisal: np.ndarray  # (T,) −log2 P, bits; NaN for unknown words, which the model never writes
    rate: float
    steps: int
    truth: str
    candidates: tuple[str, ...]  # likely words at t, including the true word
    before: np.ndarray  # (SHOWN,) their probabilities
    after: np.ndarray  # (SHOWN,) their probabilities after the gradient steps
    loss_before: float  # loss in nats before the steps
    loss_after: float
    _u: np.ndarray  # (V,)
    _truth: int
    _shown: np.ndarray  # (SHOWN,) token numbers

    def limits(self) -> dict[str, int]:
        return {"t": len(self.words)}

    @property
    def perplexity(self) -> float:
        """Perplexity over the known words; 1 if there is none."""
        return float(2**self.mean_bits)

    @property
    def mean_bits(self) -> float:
        """Mean surprisal of the known words, in bits."""
        return float(np.nansum(self.surprisal) / max(1, self.known_words))

    @property
    def known_words(self) -> int:
        return int((~np.isnan(self.surprisal)).sum())

    @cached_property
    def running_perplexity(self) -> np.ndarray:
        """(T,) perplexity of the text up to and including each word."""
        counts = np.cumsum(~np.isnan(self.surprisal)).clip(1)
        return 2 ** (np.nancumsum(self.surprisal) / counts)

    @cached_property
    def first_step(self) -> dict[str, np.ndarray]:
        """The first gradient step on the logits shown: u, p, one-hot target, difference, and the new u."""
        target = one_hot(self._truth, len(self._u))
        slope = gradient(self._u, target)
        columns = {
            "u": self._u,
            "p": softmax(self._u),
            "one_hot": target,
            "slope": slope,
            "next": self._u - self.rate * slope,
        }
        return {name: column[self._shown] for name, column in columns.items()}

    @cached_property
    def rival(self) -> int:
        """The most probable word other than the true word."""
        return next(int(word) for word in np.argsort(-self._u, kind="stable") if word != self._truth)

    @cached_property
    def rival_word(self) -> str:
        return STORIES.vocabulary.words[self.rival]

    @cached_property
    def paths(self) -> dict[float, np.ndarray]:
        """Loss in bits after each gradient step, for three fixed learning rates and the chosen one."""
        target = self.mixed_target
        return {
            rate: (
                np.array([cross_entropy(u, target) for u in descend(self._u, target, rate, CURVE_STEPS)])
                / math.log(2)
            )
            for rate in sorted({*RATES, self.rate})
        }

    @cached_property
    def mixed_target(self) -> np.ndarray:
        return (
            one_hot(self._truth, len(self._u)) * (1 - 1 / TRUTHS) + one_hot(self.rival, len(self._u)) / TRUTHS
        )

    @cached_property
    def least_bits(self) -> float:
        """The entropy of the target: no prediction has a smaller loss."""
        shares = self.mixed_target[self.mixed_target > 0]
        return float(-(shares * np.log2(shares)).sum())


def one_hot(word: int, size: int) -> np.ndarray:
    return (np.arange(size) == word).astype(float)


def loss(text: str, t: int, log_rate: float, steps: int) -> Loss:
    tokens, (_, *words) = read_shown_story(text, max_words=MAX_WORDS)
    u = logits_of(tokens)[: len(tokens)]  # (T, V) logits for each word
    p = torch.softmax(torch.tensor(u), -1).numpy()[range(len(tokens)), list(tokens)]
    t = min(t, len(tokens))
    now, truth, rate = u[t - 1], tokens[t - 1], 10**log_rate
    likely = [int(word) for word in np.argsort(-now, kind="stable")[:SHOWN]]
    shown = np.array(likely if truth in likely else [*likely[:-1], truth])
    target = one_hot(truth, len(now))
    end = descend(now, target, rate, steps)[-1]
    return Loss(
        words=tuple(words),
        t=t,
        probabilities=p,
        surprisal=np.where(np.array(tokens) == UNKNOWN_STORY_WORD, np.nan, -np.log2(p)),
        rate=rate,
        steps=steps,
        truth=STORIES.vocabulary.words[truth],
        candidates=STORIES.vocabulary.tokens(shown),
        before=softmax(now)[shown],
        after=softmax(end)[shown],
        loss_before=cross_entropy(now, target),
        loss_after=cross_entropy(end, target),
        _u=now,
        _truth=truth,
        _shown=shown,
    )
