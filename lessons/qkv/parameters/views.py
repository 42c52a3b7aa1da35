"""Bars for learned and computed numbers, on one logarithmic axis."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.numbers import plural
from lessons.qkv.parameters.compute import Parameters
from lessons.qkv.parameters.count_bars import CountBars
from lessons.qkv.untrained_layer import MAX_HEADS, MAX_LENGTH

AXIS_MAX = MAX_HEADS * MAX_LENGTH**2  # largest possible count, so that the axis never changes


def learned(run: Parameters) -> Bars:
    return draw_counts(run.learned, run.matrices, "weight", "Learned (logarithmic axis)")


def computed(run: Parameters) -> Bars:
    heads = plural(run.heads, "head") + (f", not {run.asked}" if run.heads != run.asked else "")
    title = f"Computed for {plural(run.T, 'word')}, {heads} (logarithmic axis)"
    return draw_counts(run.computed, run.products, "context", title)


def draw_counts(values: np.ndarray, labels: tuple[str, ...], role: str, title: str) -> Bars:
    return CountBars(values, labels, role=role, top=AXIS_MAX, digits=0, wide=430, title=title)


def reading(run: Parameters) -> str:
    three, whole = int(run.learned[:3].sum()), int(run.learned.sum()) + run.biases
    sentences = [
        f"W_Q, W_K and W_V have {run.d}² parameters each, **{three:,}** together. This number does not depend"
        f" on the number of words, **T = {run.T}**.",
        f"With W_O and biases the layer has **{whole:,}** parameters; a GRU of the same width has"
        f" **{run.recurrent:,}**.",
    ]
    if run.heads != run.asked:
        sentences.append(
            f"{run.asked} heads cannot share {plural(run.d, 'number')} equally, so we count"
            f" **{plural(run.heads, 'head')}**."
        )
    elif run.heads > 1:
        sentences.append(
            f"{run.heads} heads with {plural(run.d // run.heads, 'number')} each need no more parameters, but"
            " each head has its own E and A."
        )
    return " ".join(sentences)


def task(run: Parameters) -> str:
    return (
        f"Task {run.task.number}: d = {run.task.d}, T = {run.task.T}, no biases. How many parameters do W_Q,"
        " W_K and W_V have together? Work it out and answer under “Check yourself”."
    )
