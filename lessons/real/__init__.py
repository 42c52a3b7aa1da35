"""Lesson 9, real: a pretrained language model shown in the views of this course."""

from pathlib import Path

from lessons.kit.contract import Lesson
from lessons.real import cache, chat, heads, lens, loop, modern, next, pictogram, scale, tune

EXPERIMENTS = (next, lens, heads, loop, scale, modern, cache, chat, tune)
LESSON = Lesson(
    slug="real",
    title="A real language model",
    short_title="Real",
    summary="The same views on a model with 135 million parameters: what holds there too, and what does not?",
    pictogram=pictogram.draw,
    folder=Path(__file__).parent,
    experiments=tuple(folder.EXPERIMENT for folder in EXPERIMENTS),
    exercises=tuple(exercise for folder in EXPERIMENTS for exercise in folder.exercises.EXERCISES),
    number=9,
)
# experiments that need the real weights
RECORDED = tuple(experiment for experiment in LESSON.experiments if experiment.is_heavy)
