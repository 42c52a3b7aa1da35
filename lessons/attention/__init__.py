"""Lesson 3, attention: each decoder step weighs all source words, and you can move the weights."""

from pathlib import Path

from lessons.attention import (
    align,
    caveat,
    pictogram,
    picture,
    readers,
    referee,
    shortcut,
    solved,
    sounds,
    steer,
    step,
    unknown,
    unordered,
)
from lessons.kit.contract import Lesson

LESSON = Lesson(
    slug="attention",
    title="Attention",
    short_title="Attention",
    summary="At each step the decoder weighs all source words. Move the weights and the sentence changes.",
    pictogram=pictogram.draw,
    folder=Path(__file__).parent,
    experiments=(
        step.EXPERIMENT,
        align.EXPERIMENT,
        steer.EXPERIMENT,
        caveat.EXPERIMENT,
        solved.EXPERIMENT,
        sounds.EXPERIMENT,
        unknown.EXPERIMENT,
        picture.EXPERIMENT,
        unordered.EXPERIMENT,
        readers.EXPERIMENT,
        shortcut.EXPERIMENT,
        referee.EXPERIMENT,
    ),
    exercises=tuple(
        exercise
        for experiment in (step, align, solved, readers, caveat, steer, sounds, unknown, picture)
        for exercise in experiment.exercises.EXERCISES
    ),
)
