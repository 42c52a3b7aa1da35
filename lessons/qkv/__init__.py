"""Lesson 5, queries, keys, values: attention as a layer."""

from pathlib import Path

from lessons.kit.contract import Lesson
from lessons.qkv import (
    advice,
    bank,
    between,
    blank,
    cost,
    cross,
    dynamic,
    heads,
    layer,
    mask,
    matrices,
    order,
    parameters,
    pictogram,
    swoop,
)

LESSON = Lesson(
    slug="qkv",
    title="Queries, keys, values",
    short_title="Q·K·V",
    summary="Attention as three matrices: every position asks every other, all at once.",
    pictogram=pictogram.draw,
    folder=Path(__file__).parent,
    experiments=(
        advice.EXPERIMENT,
        matrices.EXPERIMENT,
        order.EXPERIMENT,
        mask.EXPERIMENT,
        heads.EXPERIMENT,
        layer.EXPERIMENT,
        swoop.EXPERIMENT,
        cross.EXPERIMENT,
        dynamic.EXPERIMENT,
        bank.EXPERIMENT,
        blank.EXPERIMENT,
        parameters.EXPERIMENT,
        cost.EXPERIMENT,
        between.EXPERIMENT,
    ),
    exercises=(
        *parameters.exercises.EXERCISES,
        *swoop.exercises.EXERCISES,
        *layer.exercises.EXERCISES,
        *dynamic.exercises.EXERCISES,
        *mask.exercises.EXERCISES,
        *advice.exercises.EXERCISES,
        *matrices.exercises.EXERCISES,
        *bank.exercises.EXERCISES,
        *blank.exercises.EXERCISES,
        *cost.exercises.EXERCISES,
    ),
)
