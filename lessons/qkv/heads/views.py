"""One map per head, the matrix that mixes their outputs, and the quantities that grow with the sentence."""

from collections.abc import Callable

import numpy as np

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.matrix import Block, Matrix
from lessons.kit.pictures.numbers import bold_count, compact, percent
from lessons.qkv.heads.compute import Heads, attend_with_two_heads
from lessons.qkv.untrained_layer import MAX_HEADS, MAX_LENGTH

HEAD_NAMES = tuple(f"head_{n}" for n in range(1, MAX_HEADS + 1))
MAP_SIZES_PX = {2: (445, 420), 4: (214, 420), MAX_HEADS: (214, 215)}  # maximum number of heads → map size


def reading(run: Heads) -> str:
    T, per_head = len(run.words), run.d // run.heads
    subject = "The trained layer" if run.trained else "This layer"
    sentences = [
        f"{subject} has {bold_count(run.heads, 'head')} with {bold_count(per_head, 'number')} per word"
        f"{' each' * (run.heads > 1)}.",
        f"It always has 4d² + 4d = **{run.parameters:,}** parameters, with any number of heads and of words.",
        f"Only the maps grow with the sentence: now they have {run.heads} × {T} × {T} = **{run.maps:,}**"
        " weights.",
    ]
    return " ".join(sentences)


def head_view(n: int) -> Callable[[Heads], Heatmap | str]:
    """The view of head n; "" if the layer has fewer heads."""

    def view(run: Heads) -> Heatmap | str:
        if n > run.heads:
            return ""
        width, height = MAP_SIZES_PX[min(most for most in MAP_SIZES_PX if most >= run.heads)]
        return Heatmap(
            run.weights[n - 1],
            run.words,
            run.words,
            keys=("row", "source"),
            wide=width,
            tall=height,
            title=f"Head {n}",
        )

    view.__name__ = HEAD_NAMES[n - 1]
    return view


HEAD_VIEWS = tuple(head_view(n) for n in range(1, MAX_HEADS + 1))


def mixing(run: Heads) -> Matrix:
    per_head = run.d // run.heads
    joined = " ; ".join(["head 1"] + ["…"] * (run.heads > 2) + [f"head {run.heads}"] * (run.heads > 1))
    note = f"{per_head} column{'s' * (per_head > 1)} each" if run.heads > 1 else ""
    terms = (
        Block(f"[ {joined} ]", run.joined, "context", note=note),
        "·",
        Block("W_O", run.W_O),
        "=",
        Block("out", run.out, "context"),
    )
    title = "The outputs of the heads are concatenated; then W_O mixes them"
    return Matrix(terms, top=2, digits=1, title=title)


def subtraction(run: Heads) -> Heatmap | str:
    """The difference of the neighbours' numbers, and what one head and two heads make of it."""
    if len(run.words) < 3:
        return "Type a sentence of at least three words."
    target = run.neighbour_difference
    rows = np.stack([target, run.one_head_attempt, attend_with_two_heads(run.first_numbers)])
    return Heatmap(
        rows,
        ("before − after", "best single head", "two heads"),
        run.words[1:-1],
        role=None,
        top=max(1.0, float(np.abs(rows).max())),
        keys=("row", "source"),
        column_role="source",
        wide=700,
        title="The number of the word before minus the number of the word after, for each word",
    )


def describe_subtraction(run: Heads) -> str:
    if len(run.words) < 3:
        return ""
    target = run.neighbour_difference
    left = float(np.square(run.one_head_attempt - target).mean() / max(np.square(target).mean(), 1e-12))
    error = float(np.abs(attend_with_two_heads(run.first_numbers) - target).max())
    return (
        f"A single head with fixed weights on the two neighbours leaves at least **{percent(left)}** of the"
        " squared numbers of this task unexplained. Its softmax weights are never negative, so it can add the"
        f" two numbers but not subtract one. Two heads solve the task with an error of **{compact(error)}**:"
        " one attends to the word before, the other to the word after, and W_O subtracts the second from the"
        " first."
    )


def growth(run: Heads) -> Curves:
    T = np.arange(1, MAX_LENGTH + 1)
    lines = (
        Line("parameters", T, np.full(len(T), run.parameters), "source"),
        Line("map weights", T, run.heads * T**2, "weight"),
    )
    return Curves(
        lines,
        current=len(run.words),
        x_title="words T",
        y_title="numbers",
        log_y=True,
        x_range=(1, MAX_LENGTH),
        y_range=(1, 1e5),
        title="Parameters and map weights by sentence length T",
    )
