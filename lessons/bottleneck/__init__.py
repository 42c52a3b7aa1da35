"""Lesson 2, sequence to sequence: an encoder, a decoder, and one vector between them."""

from pathlib import Path

from lessons.bottleneck import (
    bits,
    curve,
    depth,
    endtoend,
    forcing,
    inject,
    pictogram,
    referee,
    score,
    surgery,
    survive,
    translate,
)
from lessons.bottleneck.bits.exercises import EXERCISES as BITS_EXERCISES
from lessons.bottleneck.curve.exercises import EXERCISES as CURVE_EXERCISES
from lessons.bottleneck.score.exercises import EXERCISES as SCORE_EXERCISES
from lessons.bottleneck.surgery.exercises import EXERCISES as SURGERY_EXERCISES
from lessons.bottleneck.translate.exercises import EXERCISES as TRANSLATE_EXERCISES
from lessons.kit.contract import Lesson

LESSON = Lesson(
    slug="bottleneck",
    title="Sequence to sequence",
    short_title="Bottleneck",
    summary="An encoder reads, a decoder writes, and one vector is all that passes between them.",
    pictogram=pictogram.draw,
    folder=Path(__file__).parent,
    experiments=(
        translate.EXPERIMENT,
        curve.EXPERIMENT,
        surgery.EXPERIMENT,
        score.EXPERIMENT,
        forcing.EXPERIMENT,
        inject.EXPERIMENT,
        depth.EXPERIMENT,
        survive.EXPERIMENT,
        bits.EXPERIMENT,
        endtoend.EXPERIMENT,
        referee.EXPERIMENT,
    ),
    exercises=(*TRANSLATE_EXERCISES, *CURVE_EXERCISES, *SURGERY_EXERCISES, *SCORE_EXERCISES, *BITS_EXERCISES),
)
