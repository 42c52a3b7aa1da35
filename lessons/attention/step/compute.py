"""Every number of one decoder step."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from lessons.attention.translators import WIRINGS, read_source
from lessons.kit.checkpoints import Words, most_probable
from lessons.kit.contract import Result
from models.vocabulary import BOS


@dataclass(frozen=True)
class DecoderStep(Result):
    """All values of step t, in a run with T source words, T' steps and m units."""

    wiring: str
    t: int
    unit: int  # from 1
    source: Words  # (T)
    output: Words  # (T') with <eos>
    truth: Words | None  # the reference translation, if it is known
    right: bool | None  # whether the output is the reference
    before: str  # y_{t−1}
    H: np.ndarray  # (T, m)
    s: np.ndarray  # (T', m)
    s_0: np.ndarray  # (m,)
    query: np.ndarray  # (m,)
    scores: np.ndarray  # (T,) e_ti
    weights: np.ndarray  # (T,) α_ti
    parts: np.ndarray  # (T, m) α_ti h_i
    context: np.ndarray  # (m,) c_t, the sum of the parts
    next_words: Words  # (8)
    logits: np.ndarray  # (8,)
    probabilities: np.ndarray  # (8,)

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.output)}

    @property
    def s_before(self) -> np.ndarray:
        """(m,) s_{t−1}"""
        return self.s[self.t - 2] if self.t > 1 else self.s_0


def compute(source: str, wiring: str, t: int, unit: int) -> DecoderStep:
    read = read_source(source, WIRINGS[wiring])
    trace = read.run()
    t = min(t, len(trace.output))
    output, row = read.output(trace), t - 1
    best = most_probable(trace.probabilities[row])
    return DecoderStep(
        wiring=wiring,
        t=t,
        unit=unit,
        source=read.words,
        output=output,
        truth=read.truth,
        right=read.is_right(output),
        before=(BOS, *output)[row],
        H=trace.H.numpy(),
        s=trace.s.numpy(),
        s_0=trace.values["initial.layer1.h"].numpy(),
        query=trace.values["query"][row].numpy(),
        scores=trace.scores[row].numpy(),
        weights=trace.weights[row].numpy(),
        parts=(trace.weights[row, :, None] * trace.H).numpy(),
        context=trace.contexts[row].numpy(),
        next_words=read.translator.task.target.tokens(best),
        logits=trace.logits[row, best].numpy(),
        probabilities=trace.probabilities[row, best].numpy(),
    )
