"""What a linear probe finds in c, and which source words the output depends on."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch

from lessons.bottleneck.translator import small_teacher_words
from lessons.kit.checkpoints import (
    TRANSLATION,
    Tokens,
    Words,
    english,
    french,
    load_card,
    load_model,
    original_run,
    read_small_world,
)
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.kit.references import matches_reference, reference_for
from models import zoo
from models.gradients import jacobian

PROBED_SIZES = ("64", "128")  # sizes of c that have a probe


@dataclass(frozen=True)
class Survived(Result):
    """Results of the probe. Gain: its accuracy minus the accuracy of the best guess without c."""

    width: str  # size of c
    t: int  # the output word whose gradient is shown; 0 for the whole output
    words: Words  # (T)
    shown: Words  # (T) the same for pictures, with replaced words marked
    outputs: Words  # (T') with <eos>
    teacher: Words
    truth: Words | None  # the correct translation, if the grammar can give it
    right: bool | None  # whether the output is correct
    read_off: Words  # (≤ 20) what the probe reads at each position
    certainty: np.ndarray  # (≤ 20,) probability that the probe gives to the true word
    positions: np.ndarray  # (20,)
    recovered: np.ndarray  # (20,) fraction of test words found at each position, from the card
    commonest: np.ndarray  # (20,) fraction found by always guessing the commonest word
    gains: dict[str, np.ndarray]  # (20,) by size of c
    by_length: tuple[tuple[str, np.ndarray], ...]  # lengths "3–8" → (20,) gain; NaN beyond the end
    natural: dict[str, float]  # by size of c: fraction of all test words that the probe finds
    without: float  # fraction that the best guess without c finds
    _source: Tokens

    def limits(self) -> dict[str, Any]:
        return {"t": len(self.outputs)}

    @cached_property
    def pull(self) -> np.ndarray:
        """(T,) ‖∂ log P / ∂ x_i‖ of the chosen output word, or of the whole output."""
        return gradient_lengths(translator_of_size(self.width), self._source)[self.t]


def translator_of_size(size: str) -> str:
    return f"translation-none-{size}-s0"


def probe_of_size(size: str) -> str:
    return f"probe-none-{size}-s0"


@memoize
def gradient_lengths(name: str, source: Tokens) -> np.ndarray:
    """(T' + 1, T) ‖∂ log P / ∂ x_i‖: row 0 for the whole output, then one row per output word."""
    model, target = load_model(name), original_run(name, source).output
    J = jacobian(
        lambda edits: model.run(source, target, edits), "x", lambda trace: trace.logprobs
    )  # (T', T, P)
    return torch.cat([J.sum(0, keepdim=True), J]).norm(dim=-1).numpy()


def compute(text: str, width: str, t: int) -> Survived:
    sentence = read_small_world(text, "text")
    source = tuple(TRANSLATION.source.ids(sentence.words))
    trace = original_run(translator_of_size(width), source)
    probe, card = zoo.load(probe_of_size(width))
    probabilities = probe(trace.c[None])[0].softmax(-1)[: len(source)]  # (≤ positions, V)
    words, outputs = sentence.words, french(trace.output)
    rows, truth = card.metrics["by_position"], reference_for(TRANSLATION, words)
    metrics = {size: load_card(probe_of_size(size)).metrics for size in PROBED_SIZES}
    return Survived(
        width=width,
        t=min(t, len(trace.output)),
        words=words,
        shown=sentence.shown,
        outputs=outputs,
        teacher=small_teacher_words(source),
        truth=truth,
        right=matches_reference(outputs, truth),
        read_off=english(probabilities.argmax(-1)),
        certainty=probabilities[range(len(probabilities)), list(source[: len(probabilities)])].numpy(),
        positions=np.array([row["position"] for row in rows]),
        recovered=np.array([row["accuracy"] for row in rows]),
        commonest=np.array([row["commonest"] for row in rows]),
        gains={size: gain_by_position(metrics[size]["by_position"], len(rows)) for size in PROBED_SIZES},
        by_length=tuple(
            (f"{part['from']}–{part['to']}", gain_by_position(part["by_position"], len(rows)))
            for part in card.metrics["by_length"]
        ),
        natural={size: metrics[size]["natural"]["accuracy"] for size in PROBED_SIZES},
        without=card.metrics["natural"]["commonest"],
        _source=source,
    )


def gain_by_position(rows: list[dict], positions: int) -> np.ndarray:
    """(positions,) probe accuracy minus accuracy of the best guess without c; NaN beyond all sentences."""
    gain = np.full(positions, np.nan)
    for row in rows:
        gain[row["position"] - 1] = row["accuracy"] - row["commonest"]
    return gain
