"""Parts of pictures and sentences that several experiments of this lesson share."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from lessons.bottleneck.measurements import Band, LearningCurve
from lessons.kit.checkpoints import Words
from lessons.kit.pictures.curves import Line
from lessons.kit.pictures.tokens import TokenLine
from lessons.kit.pictures.unrolled import Chain, Unrolled
from models.vocabulary import EOS

FULL_COLOR_VALUE = 0.5  # value drawn in full colour; most numbers in a state are smaller
WIDTH_PX = 900  # width of an experiment's main pictures
HALF_WIDTH_PX = WIDTH_PX // 2


# ---- encoder and decoder ----


def encoder_chain(words: Words, states: np.ndarray) -> Chain:
    """The encoder, with its last state marked because only this state is passed to the decoder."""
    return Chain("encoder reads", words, states, used=frozenset({len(words) - 1}), key="source", first=0)


def draw_encoder_decoder(
    encoder: Chain,
    inputs: Words,
    states: np.ndarray,
    start: np.ndarray,
    outputs: Words,
    context: np.ndarray,
    **options: Any,
) -> Unrolled:
    """An encoder, c as one strip, and a decoder with its inputs below and its outputs above."""
    decoder = Chain("decoder writes", inputs, states, "target", outputs=outputs, start=start, fed_back=True)
    return Unrolled((encoder, decoder), context=context, top=FULL_COLOR_VALUE, wide=WIDTH_PX, **options)


# ---- outputs ----


def without_eos(words: Words) -> Words:
    return tuple(word for word in words if word != EOS)


def reference_line(truth: Words | None, teacher: Words) -> TokenLine:
    """The line that outputs are compared with: the correct translation if known, else the teacher output."""
    return TokenLine("right" if truth else "teacher", without_eos(teacher), quiet=True)


def output_lines(run: Any, names: Iterable[str]) -> tuple[TokenLine, ...]:
    """The reference, then one line per output, from the fields that `compare_translations` returns."""
    lines = [
        TokenLine(name, words, changed=frozenset(changed), right=right)
        for name, words, changed, right in zip(names, run.outputs, run.changed, run.right, strict=True)
    ]
    return reference_line(run.truth, run.teacher), *lines


def explain_marks(truth: Words | None) -> str:
    """Explain what a marked word in an output means."""
    return "marked: not the right word" if truth else "marked: not the teacher’s word"


def warn_about_teacher(run: Any) -> list[str]:
    """Warn if the teacher is a model and the source is longer than its training sentences."""
    is_too_long = run.truth is None and len(run.words) > run.trained[1]
    return [f"The teacher, too, was trained on at most {run.trained[1]} words."] if is_too_long else []


# ---- measurements ----


def band_line(name: str, x: np.ndarray, band: Band, role: str, **options: Any) -> Line:
    """A line of means, with a band from the lowest to the highest seed where there are several."""
    low, high = (band.low, band.high) if band.seeds.max() > 1 else (None, None)
    return Line(name, x, band.mean, role, low, high, **options)


def describe_plateau(curve: LearningCurve) -> str:
    """Say at which step the validation loss stops falling, or that it fell until the end."""
    if curve.plateau_start == curve.steps[-1]:
        return f"is **still falling** at step {curve.plateau_start:,}"
    return f"stops falling at step **{curve.plateau_start:,}**"
