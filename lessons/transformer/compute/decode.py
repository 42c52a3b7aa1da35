"""The five stages of inference, step by step; and training, where all steps are computed at once under the mask."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from lessons.kit.checkpoints import TRANSLATION, Tokens, Words, english, french, most_probable, read_source
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.kit.references import matches_reference, reference_for
from lessons.transformer.compute.sentence import LONGEST, model, untouched

STAGES = (
    "source in",
    "encoder, layer by layer",
    "decoder: self- and cross-attention",
    "the first token",
    "autoregressive, to <eos>",
)


@dataclass(frozen=True)
class Step:
    """What has been computed so far."""

    stage: int  # 1 … 5
    encoder: int  # floors of the encoder that stand: 1 is the input, then one for each layer
    decoder: int  # floors of the decoder's current place
    written: int  # tokens


def steps(layers: int, tokens: int) -> tuple[Step, ...]:
    """Source in, each encoder layer, <bos> in, each decoder layer, the first token; then a token a step."""
    return (
        Step(1, 1, 0, 0),
        *(Step(2, floors, 0, 0) for floors in range(2, layers + 2)),
        *(Step(3, layers + 1, floors, 0) for floors in range(1, layers + 2)),
        Step(4, layers + 1, layers + 1, 1),
        *(Step(5, layers + 1, layers + 1, written) for written in range(2, tokens + 1)),
    )


MOST = len(steps(2, LONGEST))


@memoize
def step_by_step(source: Tokens) -> np.ndarray:
    """(T', V): log P of every word, one new place at a time with keys and values kept, as in inference."""
    output = untouched(source).output
    with torch.inference_mode():
        writer = model().writer(source)
        state, word, rows = writer.begin(), writer.bos, []
        for token in output:
            logits, state = writer.next(torch.tensor([word]), state)
            rows.append(logits[0])
            word = token
        return torch.log_softmax(torch.stack(rows), -1).numpy()


@dataclass(frozen=True)
class Decoded(Result):
    t: int
    step: Step
    steps: int
    source: Words
    reads: Words  # (T') <bos> and the output but its last
    writes: Words  # (T')
    truth: Words | None  # the translation by the grammar, where it is known
    right: bool | None  # is what it writes the truth
    encoder: np.ndarray  # (layers + 1, T, d): the input, then each layer's output
    decoder: np.ndarray  # (layers + 1, T', d)
    encoder_self: np.ndarray  # (layers, T, T) weights, mean over the heads
    decoder_self: np.ndarray  # (layers, T', T')
    cross: np.ndarray  # (layers, T', T)
    one_by_one: np.ndarray  # (T',) P of each written token, computed step by step
    at_once: np.ndarray  # (T',) computed in one pass
    difference: float  # the largest between any two numbers log P of the two ways
    next_words: Words  # the likeliest at the current place
    probabilities: np.ndarray  # (next_words,)

    @property
    def place(self) -> int:
        """The decoder's current place, from 0."""
        return max(self.step.written, 1) - 1

    def limits(self) -> dict[str, Any]:
        return {"t": self.steps}


def decode(text: str, t: int) -> Decoded:
    source = read_source(text, "text")
    trace, layers = untouched(source), model().config.layers
    walk = steps(layers, len(trace.output))
    t = min(t, len(walk))
    alone, together = step_by_step(source), torch.log_softmax(trace.logits, -1).numpy()
    written = (range(len(trace.output)), list(trace.output))

    def floors(side: str) -> np.ndarray:
        names = ["input", *(f"layer{n}.out" for n in range(1, layers + 1))]
        return np.stack([trace.values[f"{side}.{name}"].numpy() for name in names])

    place = max(walk[t - 1].written, 1) - 1
    best = most_probable(torch.from_numpy(alone[place]), shown=6)
    truth = reference_for(TRANSLATION, english(source))
    return Decoded(
        t=t,
        step=walk[t - 1],
        steps=len(walk),
        source=english(source),
        reads=french(trace.target_in),
        writes=french(trace.output),
        truth=truth,
        right=matches_reference(french(trace.output), truth),
        encoder=floors("encoder"),
        decoder=floors("decoder"),
        encoder_self=trace.encoder_self.mean(1).numpy(),
        decoder_self=trace.decoder_self.mean(1).numpy(),
        cross=trace.cross.mean(1).numpy(),
        one_by_one=np.exp(alone[written]),
        at_once=np.exp(together[written]),
        difference=float(np.abs(alone - together).max()),
        next_words=french(best),
        probabilities=np.exp(alone[place, best]),
    )
