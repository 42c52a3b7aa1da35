"""Lesson 7, decoding: from probabilities to text, by search or by sampling."""

from pathlib import Path

from lessons.decoding import beam, bleu, filters, gallery, histogram, loop, pictogram, sample
from lessons.kit.contract import Lesson

LESSON = Lesson(
    slug="decoding",
    title="Decoding and sampling",
    short_title="Decoding",
    summary="Greedy, beam, temperature, top-k, top-p: one model, very different texts.",
    pictogram=pictogram.draw,
    folder=Path(__file__).parent,
    experiments=(
        sample.EXPERIMENT,
        filters.EXPERIMENT,
        beam.EXPERIMENT,
        loop.EXPERIMENT,
        gallery.EXPERIMENT,
        histogram.EXPERIMENT,
        bleu.EXPERIMENT,
    ),
    exercises=(
        *filters.exercises.EXERCISES,
        *gallery.exercises.EXERCISES,
        *histogram.exercises.EXERCISES,
        *beam.exercises.EXERCISES,
        *loop.exercises.EXERCISES,
        *bleu.exercises.EXERCISES,
    ),
)
