"""Gradients of the loss of each target word with respect to every state of encoder and decoder."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from lessons.bottleneck.translator import TRANSLATOR, teacher_tokens
from lessons.kit.checkpoints import Tokens, Words, untrained_model
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from models.gradients import jacobian
from models.seq2seq import Seq2Seq

WEIGHTS = ("trained", "untrained")
ENCODER_STATES, DECODER_STATES = "encoder.layer1.h", "decoder.layer1.h"  # names in the trace


def load_weights(weights: str) -> Seq2Seq:
    return TRANSLATOR.model if weights == "trained" else untrained_model(TRANSLATOR.name)


@memoize
def loss_jacobian(weights: str, source: Tokens, states: str) -> np.ndarray:
    """(T', steps, m) ∂ loss_t / ∂ state for every target word t, with teacher forcing."""
    model, target = load_weights(weights), teacher_tokens(source)
    return jacobian(
        lambda edits: model.run(source, target, edits), states, lambda trace: -trace.logprobs
    ).numpy()


@memoize
def target_losses(weights: str, source: Tokens) -> np.ndarray:
    """(T',) −log P of each word of the teacher."""
    # subtracted from 0 to avoid −0
    return 0 - load_weights(weights).run(source, teacher_tokens(source)).logprobs.numpy()


@dataclass(frozen=True)
class EndToEnd(Result):
    """Gradients of the loss at target word t, or of the total loss if t is 0."""

    weights: str
    t: int
    words: Words  # (T)
    teacher: Words  # (T') with <eos>
    losses: np.ndarray  # (T',) −log P of each word
    to_h: np.ndarray  # (T, m) ∂L/∂h_i
    to_s: np.ndarray  # (T', m) ∂L/∂s_j
    sizes: np.ndarray  # (T', T) ‖∂L_t/∂h_i‖ for every target word t
    _source: Tokens

    @cached_property
    def before_training(self) -> np.ndarray:
        """(T,) ‖∂L/∂h_i‖ before training, for the same target word."""
        return encoder_gradient_lengths("untrained", self._source, self.t)

    @cached_property
    def trained(self) -> np.ndarray:
        """(T,) ‖∂L/∂h_i‖ after training."""
        return encoder_gradient_lengths("trained", self._source, self.t)

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.teacher)}


def sum_over_targets(jacobian_rows: np.ndarray, t: int) -> np.ndarray:
    """(steps, m) gradient of the loss at target word t, or of the total loss if t is 0."""
    return (jacobian_rows[t - 1 : t] if t else jacobian_rows).sum(0)


def encoder_gradient_lengths(weights: str, source: Tokens, t: int) -> np.ndarray:
    """(T,) ‖∂L/∂h_i‖"""
    return np.linalg.norm(sum_over_targets(loss_jacobian(weights, source, ENCODER_STATES), t), axis=-1)


def compute(text: str, t: int, weights: str) -> EndToEnd:
    sentence = TRANSLATOR.read_typed(text, "text")
    source = TRANSLATOR.ids(sentence.words)
    to_h, to_s = (loss_jacobian(weights, source, states) for states in (ENCODER_STATES, DECODER_STATES))
    losses = target_losses(weights, source)
    t = min(t, len(losses))
    return EndToEnd(
        weights=weights,
        t=t,
        words=sentence.shown,
        teacher=TRANSLATOR.task.target.tokens(teacher_tokens(source)),
        losses=losses,
        to_h=sum_over_targets(to_h, t),
        to_s=sum_over_targets(to_s, t),
        sizes=np.linalg.norm(to_h, axis=-1),
        _source=source,
    )
