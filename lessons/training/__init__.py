"""Lesson 8, training: recorded training runs, the learning rate, overfitting, and training your own model."""

from pathlib import Path

from lessons.kit.contract import Lesson
from lessons.training import film, live, overfit, own, pictogram, rate
from lessons.training.film.exercises import EXERCISES as FILM
from lessons.training.live.exercises import EXERCISES as LIVE
from lessons.training.overfit.exercises import EXERCISES as OVERFIT
from lessons.training.own.exercises import EXERCISES as OWN
from lessons.training.rate.exercises import EXERCISES as RATE

LESSON = Lesson(
    slug="training",
    title="Train it yourself",
    short_title="Training",
    summary="Where do the weights come from? Watch a training, break one, run your own.",
    pictogram=pictogram.draw,
    folder=Path(__file__).parent,
    experiments=(film.EXPERIMENT, live.EXPERIMENT, own.EXPERIMENT, rate.EXPERIMENT, overfit.EXPERIMENT),
    exercises=(*FILM, *RATE, *OVERFIT, *OWN, *LIVE),
)
