"""A query and four keys in the plane, their scores and weights, and the context among the values."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.matrix import Block, Matrix
from lessons.kit.pictures.numbers import signed
from lessons.kit.pictures.phrases import join_with_and
from lessons.kit.pictures.plane import Arrow, Dot, Plane
from lessons.scores.plane.compute import TIE_TOLERANCE, PlaneRun
from lessons.scores.score_functions import KEY_MARKS, KEY_NAMES, SCORE_NAMES

VALUE_NAMES = ("v₁", "v₂", "v₃", "v₄")
SCORE_AXES = (1.0, 3.0, 10.0, 40.0)  # possible ends of the axis; the smallest that fits all bars is used
PLANE: dict[str, Any] = {"span": 2.0, "wide": 350}
BARS: dict[str, Any] = {"wide": 184, "keys": KEY_MARKS, "label_role": "source"}
MIN_DISTANCE = 0.005  # smaller distances are written as 0.00
LOOKUP_WEIGHT = 0.99  # largest weight at which the context counts as a lookup
UNIFORM_SPREAD = 0.02  # weights that differ less than this count as uniform


def query_and_keys(run: PlaneRun) -> Plane:
    s, *keys = run.arrows
    arrows = [
        Arrow(KEY_NAMES[i], x, y, "source", ("arrows", i + 1), key=KEY_MARKS[i])
        for i, (x, y) in enumerate(keys)
    ]
    arrows.append(Arrow("s", s[0], s[1], "target", ("arrows", 0)))
    if run.looks_for is not None:
        x, y = run.looks_for
        arrows.append(Arrow("Wᵀs", x, y, "target", dashed=True))
    dots: tuple[Dot, ...] = ()
    if run.unit:
        names, roles = ("ŝ", "ĥ₁", "ĥ₂", "ĥ₃", "ĥ₄"), ("target", *("source",) * 4)
        dots = tuple(
            Dot(name, x, y, role, 4, hollow=True)
            for name, (x, y), role in zip(names, run.used, roles, strict=True)
        )
    return Plane(
        tuple(arrows),
        dots,
        **PLANE,
        circle=1.0 if run.unit else None,
        title="Drag the query s and the keys h",
        description="The query and four keys as arrows. With unit norm only their directions count.",
    )


def values_and_context(run: PlaneRun) -> Plane:
    arrows = tuple(
        Arrow(VALUE_NAMES[i], x, y, "context", ("values", i), key=KEY_MARKS[i])
        for i, (x, y) in enumerate(run.values)
    )
    (mean_x, mean_y), (x, y) = run.values.mean(0), run.context
    return Plane(
        arrows,
        (Dot("mean", mean_x, mean_y, "quiet", 4, hollow=True), Dot("c", x, y, "context", 8)),
        **PLANE,
        hull=tuple(map(tuple, run.values.tolist())),
        path=tuple(map(tuple, run.path.tolist())),
        title="Drag the values v; c is their weighted mean",
        description=(
            "The context vector c stays inside the convex hull of the values. The line is the path of c from"
            " the winner’s value to the mean of the values."
        ),
    )


def reading(run: PlaneRun) -> str:
    best, weight = run.winner, run.weights[run.winner]
    tied = [KEY_NAMES[i] for i in np.flatnonzero(run.scores > run.scores[best] - TIE_TOLERANCE)]
    if len(tied) == len(KEY_NAMES):
        return (
            f"All four scores are **{signed(run.scores[best])}**. It is a tie: each weight is"
            f" **{weight:.2f}**."
        )
    is_tie = len(tied) > 1
    score = "the cosine (dot with unit norm)" if run.unit and run.score == "dot" else f"the {run.score} score"
    winner = f"{join_with_and([f'**{key}**' for key in tied])} {'tie' if is_tie else 'wins'}"
    sentences = [
        f"With {score}, {winner} at **{signed(run.scores[best])}**. At τ = **{run.tau:.3g}**, this score"
        f" becomes a weight of **{weight:.2f}**{' each' * is_tie}."
    ]
    if weight > LOOKUP_WEIGHT:
        sentences.append(f"Attention works like a lookup: c is practically **{VALUE_NAMES[best]}**.")
    elif np.ptp(run.weights) < UNIFORM_SPREAD:
        sentences.append("All values have nearly the same weight, so c is their mean, whichever key wins.")
    elif not is_tie:
        sentences += describe_context(run)
    if run.score == "dot" and run.dot_winner != run.cosine_winner:
        sentences.append(compare_dot_and_cosine(run))
    return " ".join(sentences)


def describe_context(run: PlaneRun) -> list[str]:
    """Describe where c is relative to the winner's value. Other values can pull c beyond the mean."""
    name, value = VALUE_NAMES[run.winner], run.values[run.winner]
    distance, mean_distance = (
        float(np.linalg.norm(point - value)) for point in (run.context, run.values.mean(0))
    )
    if distance < MIN_DISTANCE:
        return []
    if distance > mean_distance:
        return [
            f"{name} has the largest weight, but c is **{distance:.2f}** away from it, farther than the"
            " mean, because the other values pull together in another direction."
        ]
    return [
        f"So c moves towards {name} but stops **{distance:.2f}** short of it, because the other values have"
        " weight too."
    ]


def compare_dot_and_cosine(run: PlaneRun) -> str:
    """Explain why dot and cosine prefer different keys. Length lowers the score of a key opposite to s."""
    dot, cosine = KEY_NAMES[run.dot_winner], KEY_NAMES[run.cosine_winner]
    lengths = np.linalg.norm(run.arrows[1:], axis=1)
    if lengths[run.dot_winner] > lengths[run.cosine_winner]:
        return (
            f"The dot product prefers {dot}, which is longer; the direction of **{cosine}** is closer to that"
            " of s."
        )
    return (
        f"All keys point away from s. The dot product prefers {dot}, which is shorter; **{cosine}** points"
        " away least."
    )


def score_bars(run: PlaneRun) -> Bars:
    smallest = 1.0 if run.unit and run.score != "additive" else SCORE_AXES[1]
    top = next(top for top in SCORE_AXES if top >= max(smallest, np.abs(run.scores).max()))
    name = "cosine" if run.unit and run.score == "dot" else run.score
    return Bars(run.scores, KEY_NAMES, role=None, top=top, title=f"Scores e: {name}", **BARS)


def weight_bars(run: PlaneRun) -> Bars:
    return Bars(run.weights, KEY_NAMES, title=f"Weights α, τ = {run.tau:.3g}", **BARS)


def every_score(run: PlaneRun) -> Heatmap:
    return Heatmap(
        run.all_weights,
        SCORE_NAMES,
        KEY_NAMES,
        keys=("score", "key"),
        column_role="source",
        current_row=SCORE_NAMES.index(run.score),
        title=f"Weights α with each scoring function, τ = {run.tau:.3g}",
    )


def ask_how(run: PlaneRun) -> str:
    return f"Why is the score of {KEY_NAMES[run.winner]} {signed(run.scores[run.winner])}?"


def worked(run: PlaneRun) -> Matrix:
    """The winner's score as an equation."""
    best, (s, *keys) = run.winner, run.used
    h, s_column = Block(f"h_{best + 1}", keys[best][:, None], "source"), Block("s", s[:, None], "target")
    h_row, s_row = Block(f"h_{{{best + 1}}}ᵀ", keys[best][None], "source"), Block("sᵀ", s[None], "target")
    e = Block(f"e_{best + 1}", [[run.scores[best]]])
    equals = f"× {run.scale:.2f} =" if run.scale != 1 else "="
    given = {name: Block(name, value) for name, value in run.weights_used.items()}
    terms: tuple[Block | str, ...]
    if run.score == "additive":
        v = Block("v_{a}ᵀ", run.weights_used["v"][None])
        terms = (v, "tanh (", given["W_1"], h, "+", given["W_2"], s_column, ")", "=", e)
    elif run.score == "scaled bilinear":
        terms = (h_row, Block("W_g = Wᵀ", run.weights_used["W"]), s_column, equals, e)
    elif run.score == "bilinear":
        terms = (s_row, given["W"], h, equals, e)
    else:
        terms = (s_row, h, equals, e)
    return Matrix(terms, top=2.0, title=f"The score of {KEY_NAMES[best]}, step by step")
