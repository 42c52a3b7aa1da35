"""Gradients at the source words, word by word and step by step."""

from typing import Any

import numpy as np

from lessons.attention.pictures import PAGE_WIDTH_PX
from lessons.attention.shortcut.compute import WEIGHTS, Reach
from lessons.kit.language import translate
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import scientific, signed, small
from lessons.kit.pictures.phrases import bold_word, word_at
from lessons.kit.pictures.tokens import TokenLine, Tokens

NAMES, ROLES = ("no attention", "attention"), ("target", "weight")
AXES = {WEIGHTS[0]: (1e-13, 1), WEIGHTS[1]: (1e-5, 100)}


def gradient_curves(run: Reach, gradients: np.ndarray, **options: Any) -> Curves:
    """Plot gradients (2, n), one line per model, on a logarithmic axis."""
    x = np.arange(1, gradients.shape[1] + 1)
    lines = tuple(
        Line(translate(name), x, y, role, points=True)
        for name, role, y in zip(NAMES, ROLES, gradients, strict=True)
    )
    return Curves(lines, x_range=(1, len(x)), y_range=AXES[run.weights], log_y=True, **options)


def by_word(run: Reach) -> Curves:
    return gradient_curves(
        run,
        run.now,
        x_title=translate("source word i"),
        y_title=translate("‖∂ score of y_t / ∂ x_i‖"),
        shaded=tuple((i + 0.6, i + 1.4, run.source[i]) for i in run.linked[:1]),
        wide=PAGE_WIDTH_PX,
        tall=270,
        title=translate(
            "From “{word}” (step {t}) back to each source word, {weights}",
            word=run.target[run.t - 1],
            t=run.t,
            weights=translate(run.weights),
        ),
    )


def reading(run: Reach) -> str:
    without, with_attention = run.now
    path_steps = len(run.source) - 1 + run.t
    sentences = [
        translate(
            "Without attention the gradient from step **{t}** passes {n} recurrent steps and is **{without}**"
            " at the first word, {word}. With attention it is **{with_attention}** there.",
            t=run.t,
            n=path_steps,
            without=format_gradient(without[0]),
            word=bold_word(run.source[0]),
            with_attention=format_gradient(with_attention[0]),
        )
    ]
    if run.weights == WEIGHTS[0]:
        sentences.append(
            translate(
                "Over the whole sentence the gradient varies by a factor of **{without}** without attention"
                " and **{with_attention}** with attention.",
                without=format_range(without),
                with_attention=format_range(with_attention),
            )
        )
        return " ".join(sentences)
    if run.linked:
        gold = run.linked[0]
        fractions = run.now[:, gold] / run.now.sum(1)
        sentences.append(
            translate(
                "The gradient at {word}, the gold word of this step, is **{without:.2f}** of the sum over all"
                " words without attention and **{with_attention:.2f}** with attention.",
                word=word_at(run.source, gold),
                without=fractions[0],
                with_attention=fractions[1],
            )
        )
    else:
        sentences.append(translate("The word of this step has no gold link."))
    return " ".join([*sentences, describe_models(run)])


def describe_models(run: Reach) -> str:
    """The number of parameters and of training steps of both models."""
    return translate(
        "The model with attention has {size:,} parameters and was trained for {steps:,} steps; the other one"
        " has {other_size:,} parameters and was trained for {other_steps:,} steps.",
        size=run.parameters[1],
        steps=run.steps[1],
        other_size=run.parameters[0],
        other_steps=run.steps[0],
    )


def format_gradient(value: float) -> str:
    """Format a gradient with enough digits to divide one gradient by another."""
    return small(value) if value >= 0.01 else scientific(value, 1)


def format_range(values: np.ndarray) -> str:
    """Format the largest value divided by the smallest."""
    factor = values.max() / max(values.min(), 1e-30)
    return signed(factor, 1 if factor < 10 else 0) if factor < 1e5 else scientific(factor)


def sentence(run: Reach) -> Tokens:
    """The source words, coloured by their gradient relative to the largest."""
    relative = run.now / run.now.max(1, keepdims=True)
    return Tokens(
        tuple(
            TokenLine(translate(name), run.source, values)
            for name, values in zip(NAMES, relative, strict=True)
        ),
        role="weight",
        key="source",
        first=0,
        wide=PAGE_WIDTH_PX,
        tall=150,
        title=translate(
            "Gradient of “{word}” at each word, relative to the largest of its line",
            word=run.target[run.t - 1],
        ),
    )


def to_first(run: Reach) -> Curves:
    return gradient_curves(
        run,
        run.gradients[:, :, 0],
        x_title=translate("step t"),
        y_title=translate("‖∂ score of y_t / ∂ x_1‖"),
        current=run.t,
        key="step",
        wide=700,
        title=translate("Gradient from every step at the first word, “{word}”", word=run.source[0]),
    )
