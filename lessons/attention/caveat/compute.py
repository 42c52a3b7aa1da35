"""Move the weights of each step and find the mix at which the written word changes."""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.attention.caveat.adversarial import Other, find_other_weights
from lessons.attention.caveat.uniform_models import Trained, compare_models
from lessons.attention.seed_metrics import SeedMetrics, read_metrics
from lessons.attention.translators import ADDITIVE, Source, read_source
from lessons.kit.checkpoints import Words, most_probable
from lessons.kit.contract import Result
from lessons.kit.language import translate

TOWARDS = ("even weights", "the strongest other word", "the next step’s weights")
MIXES = np.linspace(0, 1, 41)
COMPARED_MODELS = {  # all use attention and the same number of units
    "dot": "dot",
    "scaled dot": "scaled-dot",
    "bilinear": "bilinear",
    "scaled bilinear": "scaled-bilinear",
    "additive": "additive",
    "query before": "before",
    "unidirectional": "oneway",
}


@dataclass(frozen=True)
class Moved(Result):
    """Results of moving the weights of one step at a time; the steps before it keep their weights."""

    _read: Source
    towards: str
    mix: float
    allowed: float  # how much the output may change in the search for other weights
    t: int
    source: Words  # (T)
    output: Words  # (T') with <eos>
    truth: Words | None  # the reference translation, if it is known
    right: bool | None  # whether the output is the reference
    own_row: np.ndarray  # (T,) the model's weights of step t
    row: np.ndarray  # (T,) the weights after moving them by `mix`
    word: str  # the word written at step t
    last: str  # the most probable word at mix 1
    rival: str  # the most probable word at mix 1 other than `word`
    mixes: np.ndarray  # (41,) from 0 to 1
    probabilities: np.ndarray  # (2, 41) probabilities of `word` and of `rival`
    next_words: Words  # (8) most probable words at this mix
    next_probabilities: np.ndarray  # (2, 8) with the model's weights, at this mix
    holds: np.ndarray  # (T',) the mix up to which each word stays the most probable; NaN without a goal
    evenly: Words  # (T') the word each step writes if the weights of this step alone are uniform

    @property
    def stays_even(self) -> np.ndarray:
        """(T',) whether each step still writes its word with uniform weights."""
        return np.array(self.evenly) == np.array(self.output)

    @cached_property
    def rivals(self) -> tuple[SeedMetrics, ...]:
        """The compared models, in order of increasing mean AER."""
        return models_by_aer()

    @cached_property
    def other(self) -> Other:
        """The weights that differ most from the model's but give nearly the same output at step t."""
        return find_other_weights(self._read.tokens, self.t, self.allowed)

    @cached_property
    def trained(self) -> Trained:
        return compare_models(self._read.words)

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.output)}

    def idle(self) -> dict[str, str]:
        if self.t == len(self.output) and self.towards == TOWARDS[2]:
            return {"mix": translate("After the last step there is no next step to move towards.")}
        return {}


def compute(source: str, t: int, towards: str, mix: float, allowed: float) -> Moved:
    read = read_source(source)
    trace, french = read.run(), ADDITIVE.task.target.tokens
    t = min(t, len(trace.output))
    index, words, goals = t - 1, torch.tensor(trace.output), goal_weights(trace.weights)
    word, goal = trace.output[index], goals[towards]
    P = output_with_weights(trace, goal, torch.tensor([*MIXES, mix], dtype=torch.float32))  # (42, T', V)
    at_start, at_end, at_mix = P[0, index], P[-2, index], P[-1, index]  # (V,) at mix 0, mix 1, `mix`
    stays = (P[:-1].argmax(-1) == words).numpy()  # (41, T')
    holds = np.array([MIXES[max(int(stay.argmin()) - 1, 0)] if not stay.all() else 1.0 for stay in stays.T])
    if towards == TOWARDS[2]:
        holds[-1] = np.nan  # the last step has no next step
    rival = int(at_end.index_fill(0, words[index], -1).argmax())
    best = most_probable(at_mix, at_start)
    output = read.output(trace)
    even = output_with_weights(trace, goals[TOWARDS[0]], torch.ones(1))[0].argmax(-1)
    written = zip(output, french(even.tolist()), (even == words).tolist(), strict=True)
    return Moved(
        _read=read,
        towards=towards,
        mix=mix,
        allowed=allowed,
        t=t,
        source=read.words,
        output=output,
        truth=read.truth,
        right=read.is_right(output),
        own_row=trace.weights[index].numpy(),
        row=((1 - mix) * trace.weights + mix * goal)[index].numpy(),
        word=output[index],
        last=french([int(at_end.argmax())])[0],
        rival=french([rival])[0],
        mixes=MIXES,
        probabilities=P[:-1, index, [word, rival]].T.numpy(),
        next_words=french(best),
        next_probabilities=P[[0, -1], index][:, best].numpy(),
        holds=holds,
        evenly=tuple(word if is_same else other for word, other, is_same in written),
    )


def goal_weights(weights: Tensor) -> dict[str, Tensor]:
    """Goals by name: the weights (T', T) towards which the rows are moved."""
    steps, T = weights.shape
    uniform = torch.full_like(weights, 1 / T)
    second_best = torch.eye(T)[weights.topk(2).indices[:, -1]]
    next_step = weights[[*range(1, steps), steps - 1]]
    return dict(zip(TOWARDS, (uniform, second_best, next_step), strict=True))


def output_with_weights(trace: Any, goal: Tensor, mixes: Tensor) -> Tensor:
    """(mixes, T', V) probability of every word at every mix and step.

    The query is s_t, so the weights affect only the output layer and the model need not run again.
    """
    mix = mixes[:, None, None]
    contexts = ((1 - mix) * trace.weights + mix * goal) @ trace.H  # (mixes, T', m)
    with torch.inference_mode():
        logits = ADDITIVE.model.out(torch.cat([contexts, trace.s.expand_as(contexts)], -1))
        return torch.softmax(logits, -1)


@cache
def models_by_aer() -> tuple[SeedMetrics, ...]:
    models = [read_metrics(name, f"translation-{part}-64") for name, part in COMPARED_MODELS.items()]
    return tuple(sorted(models, key=lambda model: np.mean(model.aer)))
