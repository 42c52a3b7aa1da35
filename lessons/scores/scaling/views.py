"""Standard deviation of the scores, weights of one query, entropy and gradient, by the size d."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.scores.scaling.compute import KEY_COUNT, NAMES, Scaling

ROLES = ("target", "source")
SIDE_BY_SIDE: dict[str, Any] = {"wide": 450, "tall": 330}


def curves_by_size(run: Scaling, values: np.ndarray, *theory: Line, **options: Any) -> Curves:
    """Plot values (2, 11) by size d, one line per score."""
    lines = tuple(
        Line(name, run.sizes, row, role, points=True)
        for name, row, role in zip(NAMES, values, ROLES, strict=True)
    )
    return Curves(
        (*lines, *theory),
        x_title="size d of a vector",
        x_range=(1, 1024),
        log_x=True,
        current=run.d,
        **options,
    )


def spread(run: Scaling) -> Curves:
    return curves_by_size(
        run,
        run.spread,
        Line("√d", run.sizes, np.sqrt(run.sizes), "quiet", dashed=True),
        Line("1", run.sizes, np.ones(len(run.sizes)), "quiet", dashed=True),
        y_title="standard deviation of the scores",
        y_range=(0.5, 64),
        log_y=True,
        title="Standard deviation of the scores",
        **SIDE_BY_SIDE,
    )


def reading(run: Scaling) -> str:
    chosen, other = int(run.scaled), 1 - int(run.scaled)
    names = ("Without scaling", "With scaling")
    sentences = [
        f"With d = **{run.d:,}**, the standard deviation of the dot scores is **{run.spread[0, run.k]:.2f}**,"
        f" close to √d = **{run.d**0.5:.2f}**.",
        f"{names[chosen]}, the best key gets a weight of **{run.winner[chosen]:.2f}** on average, and the"
        f" gradient of the softmax is **{run.slope[chosen]:.2f}**.",
        f"{names[other]}, the weight is {run.winner[other]:.2f} and the gradient is {run.slope[other]:.2f}."
        if run.k
        else "Since √1 is 1, scaled and unscaled scores are the same.",
    ]
    return " ".join(sentences)


def one_query(run: Scaling) -> Bars:
    chosen = int(run.scaled)
    return Bars(
        run.weights[chosen],
        tuple(str(i) for i in range(1, KEY_COUNT + 1)),
        compare=run.weights[1 - chosen],
        compare_names=("scaled", "unscaled") if run.scaled else ("unscaled", "scaled"),
        upright=True,
        title=f"Weights of one query over {KEY_COUNT} keys, d = {run.d:,}",
        **SIDE_BY_SIDE,
    )


def winner(run: Scaling) -> Curves:
    title = "How much weight the best key gets"
    return curves_by_size(
        run, run.largest, y_title="largest weight α, on average", y_range=(0, 1), wide=430, title=title
    )


def entropy(run: Scaling) -> Curves:
    return curves_by_size(
        run,
        run.entropy,
        y_title="entropy of the weights, bits",
        y_range=(0, 4.2),
        rules=((np.log2(KEY_COUNT), "all equal"),),
        wide=430,
        title="How evenly the weight is spread",
    )


def gradient(run: Scaling) -> Curves:
    title = "How much the weights change with the scores"
    return curves_by_size(run, run.gradient, y_title="‖∂α/∂e‖", y_range=(0, 0.4), title=title)
