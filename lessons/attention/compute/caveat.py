"""How far weights can be moved before the word changes; whether good alignment and good translation go together."""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.attention.compute.others import Other, Trained, farthest, trained
from lessons.attention.compute.wirings import ADDITIVE
from lessons.kit.checkpoints import (
    TRANSLATION,
    Tokens,
    Words,
    english,
    french,
    load_card,
    load_model,
    most_probable,
    original_run,
    read_source,
)
from lessons.kit.contract import Result
from lessons.kit.references import matches_reference, reference_for
from models.recipes import seeds_of

TOWARDS = ("even weights", "the strongest other word", "the next step’s weights")
MIXES = np.linspace(0, 1, 41)
OURS = {  # what is compared: models of one size with attention
    "dot": "dot",
    "scaled dot": "scaled-dot",
    "bilinear": "bilinear",
    "scaled bilinear": "scaled-bilinear",
    "additive": "additive",
    "query before": "before",
    "one-way reader": "oneway",
}


@dataclass(frozen=True)
class Rival:
    """One kind of model, trained once for each seed; its figures on fresh sentences, from the cards."""

    name: str
    steps: int  # of training
    parameters: int
    aer: tuple[float, ...]  # (seeds)
    exact: tuple[float, ...]


@dataclass(frozen=True)
class Moved(Result):
    """Every step by itself: its weights are moved, all before it stays as it was."""

    _tokens: Tokens
    towards: str
    mix: float
    allowed: float  # how much the output may differ when other weights are searched for
    t: int
    source: Words  # (T)
    output: Words  # (T') with <eos>
    truth: Words | None  # the translation by the grammar, where it is known
    right: bool | None  # is the output the truth
    own_row: np.ndarray  # (T,) of step t
    row: np.ndarray  # (T,) of step t, moved by the mix
    word: str  # written at step t
    last: str  # the likeliest word when moved all the way
    rival: str  # the likeliest other word there
    mixes: np.ndarray  # (41,)
    probabilities: np.ndarray  # (2, 41) of the word and of its rival
    next_words: Words  # (8) at this mix
    next_probabilities: np.ndarray  # (2, 8) with its own weights, at this mix
    holds: (
        np.ndarray
    )  # (T',) the mix up to which each word stays the likeliest; 1 if it always does, nan if nothing can move
    evenly: Words  # (T') what each step writes if its weights, and no other step's, are completely even

    @property
    def even(self) -> np.ndarray:
        """(T',) does each step still write its word then?"""
        return np.array(self.evenly) == np.array(self.output)

    @cached_property
    def rivals(self) -> tuple["Rival", ...]:
        """Our models, the best aligner first."""
        return quality()

    @cached_property
    def other(self) -> Other:
        """The weights most unlike its own that step t could have had."""
        return farthest(self._tokens, self.t, self.allowed)

    @cached_property
    def trained(self) -> Trained:
        return trained(self._tokens)

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.output)}

    def idle(self) -> dict[str, str]:
        last = self.t == len(self.output) and self.towards == TOWARDS[2]
        return {"mix": "After the last step there is no next one to move towards."} if last else {}


def caveat(source: str, t: int, towards: str, mix: float, allowed: float) -> Moved:
    trace = original_run(ADDITIVE, tokens := read_source(source))
    t = min(t, len(trace.output))
    goal = goals(trace.weights)[towards]
    words = torch.tensor(trace.output)
    P = moved(trace, goal, torch.tensor([*MIXES, mix], dtype=torch.float32))  # (42, T', V)
    stays = (P[:-1].argmax(-1) == words).numpy()  # (41, T')
    holds = np.array([MIXES[max(int(stay.argmin()) - 1, 0)] if not stay.all() else 1.0 for stay in stays.T])
    if towards == TOWARDS[2]:
        holds[-1] = np.nan  # there is no next step
    last = P[-2, t - 1].clone()
    last[words[t - 1]] = -1
    rival = int(last.argmax())
    best = most_probable(P[-1, t - 1], P[0, t - 1])
    truth = reference_for(TRANSLATION, english(trace.source))
    return Moved(
        _tokens=tokens,
        towards=towards,
        mix=mix,
        allowed=allowed,
        t=t,
        source=english(trace.source),
        output=french(trace.output),
        truth=truth,
        right=matches_reference(french(trace.output), truth),
        own_row=trace.weights[t - 1].numpy(),
        row=((1 - mix) * trace.weights + mix * goal)[t - 1].numpy(),
        word=french([trace.output[t - 1]])[0],
        last=french([int(P[-2, t - 1].argmax())])[0],
        rival=french([rival])[0],
        mixes=MIXES,
        probabilities=P[:-1, t - 1, [trace.output[t - 1], rival]].T.numpy(),
        next_words=french(best),
        next_probabilities=P[[0, -1], t - 1][:, best].numpy(),
        holds=holds,
        evenly=french(moved(trace, goals(trace.weights)[TOWARDS[0]], torch.ones(1))[0].argmax(-1).tolist()),
    )


def goals(weights: Tensor) -> dict[str, Tensor]:
    """What every row is moved towards. weights (T', T)"""
    steps, T = weights.shape
    other = weights.topk(min(2, T)).indices[:, -1]
    return dict(
        zip(
            TOWARDS,
            (torch.full_like(weights, 1 / T), torch.eye(T)[other], weights[[*range(1, steps), steps - 1]]),
            strict=True,
        )
    )


def moved(trace: Any, goal: Tensor, mixes: Tensor) -> Tensor:
    """P of every word at every step and mix (mixes, T', V). The query is after, so weights reach only the output: no new run."""
    mix = mixes[:, None, None]
    contexts = ((1 - mix) * trace.weights + mix * goal) @ trace.H  # (mixes, T', m)
    with torch.inference_mode():
        return torch.softmax(
            load_model(ADDITIVE).out(torch.cat([contexts, trace.s.expand_as(contexts)], -1)), -1
        )


@cache
def quality() -> tuple[Rival, ...]:
    """By their mean AER, the lowest first."""
    found = []
    for name, place in OURS.items():
        cards = [load_card(model) for model in seeds_of(f"translation-{place}-64")]
        aer, exact = (
            tuple(card.metrics["natural"][kind] for card in cards) for kind in ("aer", "exact_match")
        )
        found.append(Rival(name, cards[0].recipe["steps"], cards[0].parameters, aer, exact))
    return tuple(sorted(found, key=lambda rival: np.mean(rival.aer)))
