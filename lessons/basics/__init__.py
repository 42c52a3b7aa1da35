"""Lesson 0, basics: tokens, embeddings, softmax and loss, before the first model."""

from pathlib import Path

from lessons.basics import embedding, exercises, loss, pictogram, softmax, tokens
from lessons.kit.contract import Lesson

LESSON = Lesson(
    slug="basics",
    title="Before the first step",
    short_title="Basics",
    summary=(
        "A text becomes tokens, tokens become vectors, scores become probabilities, and a loss says how wrong"
        " they are."
    ),
    pictogram=pictogram.draw,
    folder=Path(__file__).parent,
    experiments=(tokens.EXPERIMENT, embedding.EXPERIMENT, softmax.EXPERIMENT, loss.EXPERIMENT),
    exercises=exercises.CHECK_YOURSELF,
    number=0,
)
