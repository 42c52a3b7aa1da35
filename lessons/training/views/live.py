"""A training, as it goes."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import percent, plural, signed
from lessons.kit.pictures.table import Cell, Link, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.training.compute.runs import Run
from lessons.training.compute.training import Live
from models.vocabulary import PAD

ROLES = ("weight", "source", "target", "context", "gold", "quiet")


def curves(run: Live, what: str) -> tuple[Line, ...]:
    """One line a run; before there is one, the dot of fresh weights."""
    if not run.runs:
        at = run.first_loss if what == "loss" else 0.0
        return (Line("fresh weights", [0.0], [at], "quiet", points=True),)
    return tuple(
        Line(
            f"{n + 1}: {words}",
            [look.seconds for look in each.looks],
            [getattr(look, what) for look in each.looks],
            ROLES[n % len(ROLES)],
            points=True,
        )
        for n, (each, words) in enumerate(zip(run.runs, run.called, strict=True))
    )


def room(run: Live) -> dict[str, Any]:
    longest = max([float(run.plan.budget), *(each.last.seconds for each in run.runs)])
    return {"wide": 480, "x_range": (0, longest)}


def exact(run: Live) -> Curves:
    look: dict[str, Any] = {"y_range": (0, 1), "rules": ((0.9, ""),), "tall": 148}
    return Curves(
        curves(run, "exact"),
        x_title="",
        y_title="share right",
        title="New pairs without a fault",
        **look,
        **room(run),
    )


def loss(run: Live) -> Curves:
    top = max([4.0, *(look.loss for each in run.runs for look in each.looks)])
    look: dict[str, Any] = {"y_range": (0, float(min(top, 12))), "tall": 158}
    return Curves(
        curves(run, "loss"),
        x_title="seconds of training",
        y_title="nats a token",
        title="Loss",
        **look,
        **room(run),
    )


def gaze(run: Live) -> Heatmap:
    look: dict[str, Any] = {
        "keys": ("target", "source"),
        "row_role": "target",
        "column_role": "source",
        "row_title": "writes",
        "column_title": "looks at",
        "wide": 410,
        "tall": 326,
    }
    when = f"after {plural(run.run.last.step, 'step')}" if run.run else "before training"
    if run.weights is None:
        nothing = np.full((len(run.fed), len(run.source)), np.nan)
        return Heatmap(
            nothing,
            visible(run.fed),
            visible(run.source),
            hatched="no attention",
            title="It cannot look back",
            **look,
        )
    return Heatmap(run.weights, visible(run.fed), visible(run.source), title=f"Attention {when}", **look)


def visible(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple("␣" if word == " " else word for word in words)


def tries(run: Live) -> Tokens:
    """Three new ones, and the learner's own."""
    short = " " if run.unit == "word" else ""
    tried = (*run.samples, (run.source, run.output, run.right))
    said = [
        (short.join(source), short.join(out).replace(PAD, "·") or "–", right) for source, out, right in tried
    ]
    lines = (TokenLine(source, (out,), right=right) for source, out, right in said)
    return Tokens(tuple(lines), key="word", wide=560, tall=90, title="Three that it never saw, and yours")


def reading(run: Live) -> str:
    now = run.run
    if now is None:
        return (
            f"Fresh weights, **{run.parameters:,}** of them, know nothing: with every token as likely as any"
            f" other the loss is **{run.first_loss:.2f}**. Press “train”."
        )
    said = f"After **{now.last.seconds:.0f}** s and {plural(now.last.step, 'step')}"
    if now.speed:
        said += f" ({now.speed:,.0f} pairs a second)"
    said += f": loss **{now.last.loss:.2f}**, **{percent(now.last.exact)}** of the new pairs without a fault."
    if now.lost is not None:
        return (
            f"{said} At step {now.lost:,} the loss was no number any more, and training ended: the steps are"
            " too long."
        )
    if now.left > 0:
        return f"{said} **{now.left:.0f}** s are left."
    reached = now.reached(0.9)
    if reached is not None:
        said += f" 90% were reached after **{reached:.0f}** s."
    return said


def compared(run: Live) -> Table:
    headings = (
        "run",
        "what differs",
        "seconds",
        "steps",
        "pairs a second",
        "right",
        "90% after",
        "take it home",
    )
    rows = tuple(
        row(n, each, words, run.home(each.name))
        for n, (each, words) in enumerate(zip(run.runs, run.called, strict=True), start=1)
    )
    marked = frozenset(n for n, each in enumerate(run.runs) if each.name == run.view)
    empty = (("–", "no run yet", "–", "–", "–", "–", "–", "–"),)
    return Table(headings, rows or empty, marked=marked, wide=900, title="Your runs")


def size(run: Live) -> Bars:
    """Where the weights are."""
    names, counts = zip(*((name, count) for name, count in run.parts.items() if count), strict=True)
    title = f"Weights of the model in view, {run.parameters:,} in all"
    return Bars(
        np.array(counts, dtype=float),
        names,
        top=float(max(counts)),
        role="source",
        digits=0,
        wide=560,
        title=title,
    )


def row(n: int, run: Run, words: str, home: str) -> tuple[Cell, ...]:
    reached = run.reached(0.9)
    after = "–" if reached is None else f"{reached:.0f} s"
    figures = (
        f"{run.last.seconds:.0f}",
        f"{run.last.step:,}",
        signed(run.speed, 0),
        percent(run.last.exact),
        after,
    )
    return (str(n), words, *figures, Link("weights and code", home))
