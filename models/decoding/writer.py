"""What a model offers a search, and what a search gives back."""

import math
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch
from torch import Tensor

from models.vocabulary import InputError

State = Any  # type: ignore[explicit-any]  # a Tensor, or a tuple of States, as each model has it; every Tensor's leading axis is the hypotheses: (k, ...)


class Writer(Protocol):
    """A model about to write: one call per token, many hypotheses at once."""

    @property
    def bos(self) -> int: ...

    @property
    def eos(self) -> int: ...

    def begin(self) -> State:
        """The state before the first token, for one hypothesis: leading axis 1."""

    def next(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        """The previous tokens (k,) and the state -> logits (k, V) of the tokens that may follow, and the new state."""


def select(state: State, rows: Tensor) -> State:
    """The hypotheses `rows`, in that order; one may be picked several times. (k, ...) -> (len(rows), ...)"""
    if isinstance(state, tuple):
        return tuple(select(part, rows) for part in state)
    return state.index_select(0, rows)


def log_probabilities(logits: Tensor) -> Tensor:
    """log P = logits - log Σ exp(logits), natural logarithms in double precision. (..., V) -> (..., V)"""
    log_p = logits.log_softmax(-1, dtype=torch.float64)
    if math.isnan(
        log_p[..., 0].sum().item()
    ):  # one NaN or +inf, or nothing but -inf, turns the whole row into NaN
        raise InputError(
            "The model's logits are not numbers any more, or no word is possible. Undo the last change."
        )
    return log_p


@dataclass(frozen=True)
class Hypothesis:
    """An output, token by token. log P(y | x) = Σ_t log P(y_t | y_<t, x)."""

    tokens: tuple[int, ...]  # y_1 .. y_T; the last is the end token if the output is finished
    logprobs: tuple[
        float, ...
    ]  # log P(y_t | y_<t, x) under the unfiltered model, for the token written, forced or not
    logits: Tensor = field(compare=False, repr=False)  # (T, V): what the model offered at each step
    finished: bool

    @property
    def total(self) -> float:
        return sum(self.logprobs)
