"""Lesson 6, the Transformer: its blocks, its heads, the parts it needs, and how it generates text."""

from pathlib import Path

from lessons.kit.contract import Lesson
from lessons.transformer import (
    ablate,
    block,
    decode,
    heads,
    lm,
    norms,
    pictogram,
    pointwise,
    recurrent_lm,
    referee,
    scoreboard,
)
from lessons.transformer.ablate.exercises import EXERCISES as ABLATE
from lessons.transformer.block.exercises import EXERCISES as BLOCK
from lessons.transformer.heads.exercises import EXERCISES as HEADS
from lessons.transformer.lm.exercises import EXERCISES as LM
from lessons.transformer.norms.exercises import EXERCISES as NORMS
from lessons.transformer.recurrent_lm.exercises import EXERCISES as RECURRENT_LM

LESSON = Lesson(
    slug="transformer",
    title="The Transformer",
    short_title="Transformer",
    summary="Attention and small networks, stacked. Open every block, or switch it off.",
    pictogram=pictogram.draw,
    folder=Path(__file__).parent,
    experiments=(
        block.EXPERIMENT,
        ablate.EXPERIMENT,
        lm.EXPERIMENT,
        scoreboard.EXPERIMENT,
        heads.EXPERIMENT,
        recurrent_lm.EXPERIMENT,
        pointwise.EXPERIMENT,
        norms.EXPERIMENT,
        decode.EXPERIMENT,
        referee.EXPERIMENT,
    ),
    exercises=(*NORMS, *LM, *RECURRENT_LM, *BLOCK, *HEADS, *ABLATE),
)
