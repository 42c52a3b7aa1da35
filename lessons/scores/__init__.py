"""Lesson 4, scoring functions: when does a query match a key?"""

from pathlib import Path

from lessons.kit.contract import Lesson
from lessons.scores import pictogram, plane, referee, same, scaling, sizes, trained

LESSON = Lesson(
    slug="scores",
    title="Scoring functions",
    short_title="Scores",
    summary="Five ways to score a key against a query: which keys each prefers, and what it costs.",
    pictogram=pictogram.draw,
    folder=Path(__file__).parent,
    experiments=(
        plane.EXPERIMENT,
        trained.EXPERIMENT,
        scaling.EXPERIMENT,
        same.EXPERIMENT,
        sizes.EXPERIMENT,
        referee.EXPERIMENT,
    ),
    exercises=tuple(
        exercise
        for experiment in (plane, same, sizes, scaling)
        for exercise in experiment.exercises.EXERCISES
    ),
)
