"""A query and four keys in the plane, and the context among the values."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.matrix import Block, Matrix
from lessons.kit.pictures.numbers import signed
from lessons.kit.pictures.plane import Arrow, Dot, Plane
from lessons.scores.compute.plane import NAMES, SAME, PlaneRun

KEYS = tuple(f"h{low}" for low in "₁₂₃₄")
VALUES = tuple(f"v{low}" for low in "₁₂₃₄")
AT = tuple(f"key:{i}" for i in range(4))
SPAN = 2.0
TOPS = (1.0, 3.0, 10.0, 40.0)  # ends of the axis of the scores: the next one only when a bar would be cut
SQUARE: dict[str, Any] = {"span": SPAN, "wide": 350}  # two of them,
NARROW: dict[str, Any] = {"wide": 184, "keys": AT, "label_role": "source"}  # and bars between
SEEN = 0.005  # a distance below this is written 0.00
LOOKUP, EVEN = (
    0.99,
    0.02,
)  # a weight from which on it is a lookup; a spread of the weights below which it is the mean


def query_and_keys(run: PlaneRun) -> Plane:
    s, *keys = run.arrows
    arrows = [Arrow(KEYS[i], x, y, "source", ("arrows", i + 1), key=AT[i]) for i, (x, y) in enumerate(keys)]
    arrows.append(Arrow("s", s[0], s[1], "target", ("arrows", 0)))
    if run.looks_for is not None:
        x, y = run.looks_for
        arrows.append(Arrow("Wᵀs", x, y, "target", dashed=True))
    dots: tuple[Dot, ...] = ()
    if run.unit:
        hats, roles = ("ŝ", *(f"ĥ{low}" for low in "₁₂₃₄")), ("target", *("source",) * 4)
        dots = tuple(
            Dot(hat, x, y, role, 4, hollow=True)
            for hat, (x, y), role in zip(hats, run.used, roles, strict=True)
        )
    return Plane(
        tuple(arrows),
        dots,
        **SQUARE,
        circle=1.0 if run.unit else None,
        title="Drag the query s and the keys h",
        description="The query and four keys as arrows. With unit norm only their directions count.",
    )


def values_and_context(run: PlaneRun) -> Plane:
    arrows = tuple(
        Arrow(VALUES[i], x, y, "context", ("values", i), key=AT[i]) for i, (x, y) in enumerate(run.values)
    )
    (mean_x, mean_y), (x, y) = run.values.mean(0), run.context
    dots = (Dot("mean", mean_x, mean_y, "quiet", 4, hollow=True), Dot("c", x, y, "context", 8))
    hull = tuple(map(tuple, run.values.tolist()))
    path = tuple(map(tuple, run.path.tolist()))
    return Plane(
        arrows,
        dots,
        **SQUARE,
        hull=hull,
        path=path,
        title="Drag the values v; c is their weighted mean",
        description=(
            "The context stays inside the hull of the values; the line is its way from the winner’s value to"
            " the mean."
        ),
    )


def reading(run: PlaneRun) -> str:
    best, weight = run.winner, run.weights[run.winner]
    tied = [KEYS[i] for i in np.flatnonzero(run.scores > run.scores[best] - SAME)]
    if len(tied) == len(KEYS):
        return (
            f"All four scores are **{signed(run.scores[best])}**: a tie, and each weight is **{weight:.2f}**."
        )
    name = "dot, now cosine," if run.unit and run.score == "dot" else run.score
    who = f"**{tied[0]}** wins" if len(tied) == 1 else f"{' and '.join(f'**{key}**' for key in tied)} tie"
    said = (
        f"By {name} {who} with a score of **{signed(run.scores[best])}**; at τ = **{run.tau:.3g}** that is"
        " worth "
    )
    said += f"**{weight:.2f}** of the weight{'' if len(tied) == 1 else ' to each'}. "
    if weight > LOOKUP:
        said += f"This is a lookup: c is as good as **{VALUES[best]}**."
    elif np.ptp(run.weights) < EVEN:
        said += "This is the mean: c takes nearly the same from every value, whoever wins."
    elif len(tied) == 1:
        said += pull(run)
    if run.score == "dot" and run.dot_winner != run.cosine_winner:
        said += f" {length_or_direction(run)}"
    return said.strip()


def pull(run: PlaneRun) -> str:
    """Where c is beside the winner's value. The others can pull it farther away than the mean would be."""
    name, value = VALUES[run.winner], run.values[run.winner]
    away, mean = (float(np.linalg.norm(place - value)) for place in (run.context, run.values.mean(0)))
    if away < SEEN:
        return ""
    if away > mean:
        return (
            f"{name} counts most, and still c is **{away:.2f}** away from it, farther than the mean: the"
            " others pull together."
        )
    return f"c is pulled towards {name} and stops **{away:.2f}** short of it: the others have a say too."


def length_or_direction(run: PlaneRun) -> str:
    """Where dot and cosine disagree. Length counts against a key that points away."""
    loud, near = KEYS[run.dot_winner], KEYS[run.cosine_winner]
    lengths = np.linalg.norm(run.arrows[1:], axis=1)
    if lengths[run.dot_winner] > lengths[run.cosine_winner]:
        return f"Dot prefers the longer {loud}, but **{near}** points more nearly where s points."
    return f"All keys point away from s: dot prefers the shorter {loud}, but **{near}** is turned away least."


def score_bars(run: PlaneRun) -> Bars:
    least = 1.0 if run.unit and run.score != "additive" else TOPS[1]
    top = next(top for top in TOPS if top >= max(least, np.abs(run.scores).max()))
    name = "cosine" if run.unit and run.score == "dot" else run.score
    return Bars(run.scores, KEYS, role=None, top=top, title=f"Scores e: {name}", **NARROW)


def weight_bars(run: PlaneRun) -> Bars:
    return Bars(run.weights, KEYS, title=f"Weights α, τ = {run.tau:.3g}", **NARROW)


def every_score(run: PlaneRun) -> Heatmap:
    look: dict[str, Any] = {
        "keys": ("score", "key"),
        "column_role": "source",
        "current_row": NAMES.index(run.score),
    }
    return Heatmap(
        run.all_weights, NAMES, KEYS, title=f"Weights α under every score, τ = {run.tau:.3g}", **look
    )


def ask_how(run: PlaneRun) -> str:
    return f"How did {KEYS[run.winner]} get {signed(run.scores[run.winner])}?"


def worked(run: PlaneRun) -> Matrix:
    """The winner's score, written out."""
    best, (s, *keys) = run.winner, run.used
    h, e = Block(f"h_{best + 1}", keys[best][:, None], "source"), Block(f"e_{best + 1}", [[run.scores[best]]])
    h_row, s_row = Block(f"h_{{{best + 1}}}ᵀ", keys[best][None], "source"), Block("sᵀ", s[None], "target")
    s, scaled = Block("s", s[:, None], "target"), f"× {run.scale:.2f} =" if run.scale != 1 else "="
    given = {name: Block(name, value) for name, value in run.weights_used.items()}
    terms: tuple[Block | str, ...]
    if run.score == "additive":
        v = Block("v_{a}ᵀ", run.weights_used["v"][None])
        terms = (v, "tanh (", given["W_1"], h, "+", given["W_2"], s, ")", "=", e)
    elif run.score == "scaled bilinear":
        terms = (h_row, Block("W_g = Wᵀ", run.weights_used["W"]), s, scaled, e)
    elif run.score == "bilinear":
        terms = (s_row, given["W"], h, scaled, e)
    else:
        terms = (s_row, h, scaled, e)
    return Matrix(terms, top=2.0, title=f"How {KEYS[best]} got its score")
