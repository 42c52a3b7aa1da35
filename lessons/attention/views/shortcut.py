"""The short way back."""

from typing import Any

import numpy as np

from lessons.attention.compute.shortcut import WEIGHTS, Reach
from lessons.attention.views.parts import WIDE, placed
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import scientific, small
from lessons.kit.pictures.tokens import TokenLine, Tokens

NAMES, ROLES = ("no attention", "attention"), ("target", "weight")
RANGES = {WEIGHTS[0]: (1e-13, 1), WEIGHTS[1]: (1e-5, 100)}


def by_word(run: Reach) -> Curves:
    x = np.arange(1, len(run.source) + 1)
    lines = tuple(
        Line(name, x, y, role, points=True) for name, role, y in zip(NAMES, ROLES, run.now, strict=True)
    )
    axes: dict[str, Any] = {
        "x_range": (1, len(x)),
        "y_range": RANGES[run.weights],
        "log_y": True,
        "wide": WIDE,
        "tall": 270,
    }
    shaded = tuple((i + 0.6, i + 1.4, run.source[i]) for i in run.linked[:1])
    title = f"From “{run.target[run.t - 1]}” (step {run.t}) back to each source word, {run.weights}"
    return Curves(
        lines, x_title="source word i", y_title="‖∂ score of y_t / ∂ x_i‖", shaded=shaded, title=title, **axes
    )


def reading(run: Reach) -> str:
    without, with_it = run.now
    T = len(run.source)
    said = (
        f"From step **{run.t}** back to the first word, “**{run.source[0]}**”: the gradient is"
        f" **{size(without[0])}** without attention, through {T - 1 + run.t} steps of recurrence, and"
        f" **{size(with_it[0])}** with it. "
    )
    if run.weights == WEIGHTS[0]:
        return (
            said + f"Over the whole sentence it varies by a factor of **{spread(without)}** without and"
            f" **{spread(with_it)}** with."
        )
    if not run.linked:
        return f"{said}This word has no gold counterpart in the source. {unequal(run)}"
    at = run.linked[0]
    share = run.now[:, at] / run.now.sum(1)
    said += (
        f"The gradient to {placed(run.source, at)}, its gold word, is **{share[0]:.2f}** of the sum over all"
        " words without "
    )
    return said + f"attention and **{share[1]:.2f}** with it. {unequal(run)}"


def unequal(run: Reach) -> str:
    """In what the two trained models differ besides attention."""
    without, with_it = (
        f"has {size:,} parameters and was trained for {steps:,} steps"
        for size, steps in zip(run.parameters, run.steps, strict=True)
    )
    return f"The model with attention {with_it}; the other one {without}."


def size(value: float) -> str:
    """With digits enough to divide one by another."""
    return small(value) if value >= 0.01 else scientific(value, 1)


def spread(values: np.ndarray) -> str:
    factor = values.max() / max(values.min(), 1e-30)
    return f"{factor:.1f}" if factor < 10 else f"{factor:,.0f}" if factor < 1e5 else scientific(factor)


def sentence(run: Reach) -> Tokens:
    """The source under its gradients: where does the word of this step come from?"""
    shares = run.now / run.now.max(1, keepdims=True)
    lines = tuple(TokenLine(name, run.source, share) for name, share in zip(NAMES, shares, strict=True))
    look: dict[str, Any] = {"role": "weight", "key": "source", "first": 0, "wide": WIDE, "tall": 150}
    return Tokens(
        lines,
        title=f"Gradient of “{run.target[run.t - 1]}”: each word against the strongest of its line",
        **look,
    )


def to_first(run: Reach) -> Curves:
    steps = np.arange(1, len(run.target) + 1)
    lines = tuple(
        Line(name, steps, y, role, points=True)
        for name, role, y in zip(NAMES, ROLES, run.gradients[:, :, 0], strict=True)
    )
    axes: dict[str, Any] = {
        "x_range": (1, len(steps)),
        "y_range": RANGES[run.weights],
        "log_y": True,
        "x_title": "step t",
        "y_title": "‖∂ / ∂ x_1‖",
        "wide": 700,
    }
    return Curves(
        lines,
        current=run.t,
        key="step",
        title=f"Back to the first word, “{run.source[0]}”, from every step",
        **axes,
    )
