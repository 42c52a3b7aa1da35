"""Greedy decoding step by step in five stages, and the same sentence in one pass as in training."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from lessons.kit.checkpoints import Tokens, Words, most_probable
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.transformer.translator import (
    LAYERS,
    MAX_OUTPUT_TOKENS,
    is_right,
    load_transformer,
    original_trace,
    read_text,
    reference_translation,
    target_words,
)

STAGES = (
    "source in",
    "encoder, layer by layer",
    "decoder: self- and cross-attention",
    "the first token",
    "autoregressive, to <eos>",
)


@dataclass(frozen=True)
class DecodeStep:
    """How much has been computed after one step."""

    stage: int  # 1 … 5
    encoder: int  # computed floors of the encoder: 1 is the input, then one per layer
    decoder: int  # computed floors of the decoder at its current position
    written: int  # number of tokens written


def decode_steps(layers: int, tokens: int) -> tuple[DecodeStep, ...]:
    """The steps: source in, each encoder layer, <bos> in, each decoder layer, then one token per step."""
    return (
        DecodeStep(1, 1, 0, 0),
        *(DecodeStep(2, floors, 0, 0) for floors in range(2, layers + 2)),
        *(DecodeStep(3, layers + 1, floors, 0) for floors in range(1, layers + 2)),
        DecodeStep(4, layers + 1, layers + 1, 1),
        *(DecodeStep(5, layers + 1, layers + 1, written) for written in range(2, tokens + 1)),
    )


MAX_STEPS = len(decode_steps(len(LAYERS), MAX_OUTPUT_TOKENS))


@memoize
def step_by_step_log_probabilities(source: Tokens) -> np.ndarray:
    """log P of every word (T', V), one position at a time with cached keys and values, as in inference."""
    output = original_trace(source).output
    with torch.inference_mode():
        writer = load_transformer().writer(source)
        state, previous, rows = writer.begin(), writer.bos, []
        for token in output:
            logits, state = writer.next(torch.tensor([previous]), state)
            rows.append(logits[0])
            previous = token
        return torch.log_softmax(torch.stack(rows), -1).numpy()


@dataclass(frozen=True)
class DecodeRun(Result):
    t: int
    step: DecodeStep
    steps: int
    source: Words
    reads: Words  # (T') decoder input: <bos> and the output without its last token
    writes: Words  # (T') decoder output
    truth: Words | None  # reference translation, if known
    right: bool | None  # whether the output equals the reference translation
    encoder: np.ndarray  # (layers + 1, T, d): the input, then the output of each layer
    decoder: np.ndarray  # (layers + 1, T', d)
    encoder_self: np.ndarray  # (layers, T, T) weights, mean over the heads
    decoder_self: np.ndarray  # (layers, T', T')
    cross: np.ndarray  # (layers, T', T)
    one_by_one: np.ndarray  # (T',) P of each output token, computed step by step
    at_once: np.ndarray  # (T',) P of each output token, computed in one pass
    difference: float  # largest difference in any log P between the two computations
    next_words: Words  # the likeliest words at the current position
    probabilities: np.ndarray  # (next_words,)

    @property
    def position(self) -> int:
        """The decoder's current position, 0-based."""
        return max(self.step.written, 1) - 1

    def limits(self) -> dict[str, Any]:
        return {"t": self.steps}


def decode(text: str, t: int) -> DecodeRun:
    source, words = read_text(text)
    trace, layers = original_trace(source), load_transformer().config.layers
    steps = decode_steps(layers, len(trace.output))
    t = min(t, len(steps))
    step_by_step = step_by_step_log_probabilities(source)
    one_pass = torch.log_softmax(trace.logits, -1).numpy()
    output = (range(len(trace.output)), list(trace.output))

    def floors(side: str) -> np.ndarray:
        names = ["input", *(f"layer{n}.out" for n in range(1, layers + 1))]
        return np.stack([trace.values[f"{side}.{name}"].numpy() for name in names])

    position = max(steps[t - 1].written, 1) - 1
    best = most_probable(torch.from_numpy(step_by_step[position]), shown=6)
    return DecodeRun(
        t=t,
        step=steps[t - 1],
        steps=len(steps),
        source=words,
        reads=target_words(trace.target_in),
        writes=target_words(trace.output),
        truth=reference_translation(trace),
        right=is_right(trace),
        encoder=floors("encoder"),
        decoder=floors("decoder"),
        encoder_self=trace.encoder_self.mean(1).numpy(),
        decoder_self=trace.decoder_self.mean(1).numpy(),
        cross=trace.cross.mean(1).numpy(),
        one_by_one=np.exp(step_by_step[output]),
        at_once=np.exp(one_pass[output]),
        difference=float(np.abs(step_by_step - one_pass).max()),
        next_words=target_words(best),
        probabilities=np.exp(step_by_step[position, best]),
    )
