"""Interface between models and decoding: Writer, State and Hypothesis."""

import math
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch
from torch import Tensor

from models.decoding.filters import INVALID_LOGITS
from models.vocabulary import InputError

State = Any  # type: ignore[explicit-any]  # a Tensor (k, ...), or a tuple of States


class Writer(Protocol):
    """Interface to write with a model: one call per token, many hypotheses at once."""

    @property
    def bos(self) -> int: ...

    @property
    def eos(self) -> int: ...

    def begin(self) -> State:
        """The state before the first token, for one hypothesis (leading axis 1)."""

    def next(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """Read the previous tokens (k,) -> logits of the next tokens (k, V), and the new state."""


def select(state: State, rows: Tensor) -> State:
    """Select hypotheses in the order of `rows`, which may contain repeats. (k, ...) -> (len(rows), ...)"""
    if isinstance(state, tuple):
        return tuple(select(part, rows) for part in state)
    return state.index_select(0, rows)


def log_probabilities(logits: Tensor) -> Tensor:
    """log P = logits - log Σ exp(logits), natural logarithms in double precision. (..., V) -> (..., V)"""
    log_p = logits.log_softmax(-1, dtype=torch.float64)
    if math.isnan(log_p[..., 0].sum().item()):  # a row with NaN or +inf, or only -inf, becomes all NaN
        raise InputError(INVALID_LOGITS)
    return log_p


@dataclass(frozen=True)
class Hypothesis:
    """An output, token by token. log P(y | x) = Σ_t log P(y_t | y_<t, x)."""

    tokens: tuple[int, ...]  # y_1 .. y_T; the last is the end token if the output is finished
    logprobs: tuple[float, ...]  # log P(y_t | y_<t, x) of these tokens under the unfiltered model
    logits: Tensor = field(compare=False, repr=False)  # (T, V) of the unfiltered model
    finished: bool

    @property
    def total(self) -> float:
        return sum(self.logprobs)
