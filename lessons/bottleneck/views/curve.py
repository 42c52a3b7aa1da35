"""The bottleneck itself, measured."""

from typing import Any

import numpy as np

from lessons.bottleneck.compute.measured import KINDS, MEASURES, Band, Curve, Learning
from lessons.bottleneck.views.parts import WIDE, compared, reference, too_long
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import compact
from lessons.kit.pictures.table import Bar, Cell, Runs, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.translators import CODES

HALF = WIDE // 2


def shown(name: str, x: np.ndarray, band: Band, role: str, **look: Any) -> Line:
    """A line, with its band where several seeds make one."""
    low, high = (band.low, band.high) if band.seeds > 1 else (None, None)
    return Line(name, x, band.mean, role, low, high, **look)


def curves(run: Curve) -> Curves:
    """The chosen size bold, the other sizes dashed, attention, and what is fresh."""
    lines = [
        Line(f"k = {code}", run.lengths, run.one_vector[code].mean, "context", dashed=True) for code in CODES if code != run.code
    ]
    lines.append(shown(f"k = {run.code}, chosen", run.lengths, run.one_vector[run.code], "context", points=True))
    lines.append(shown("attention", run.lengths, run.attention, "weight", points=True))
    if run.cell != "GRU":
        line = run.cells[run.cell].by_length
        lines.append(Line(f"{run.cell}, k = 128", run.lengths, line, "source", dashed=True, points=True))
    if run.fresh is not None:
        table = getattr(run.fresh, MEASURES[run.measure])
        lines += [
            Line(f"{name}, just now", run.lengths, line, "target", dashed=True, points=True)
            for name, line in zip(KINDS, table, strict=True)
        ]
    return Curves(
        tuple(lines),
        x_title="source words",
        y_title=run.measure,
        x_range=(3, 40),
        y_range=(0, 1),
        shaded=((run.trained[1] + 0.5, 40, "longer than trained"),),
        wide=HALF,
        tall=300,
        title=f"By length, after {run.steps:,} steps" + beside(run),
    )


def beside(run: Curve) -> str:
    return "" if run.attention_steps == run.steps else f" (attention {run.attention_steps:,})"


def budgets(run: Curve) -> Curves:
    """The same models against the steps they were trained for."""
    x = run.budgets
    lines = [Line(f"k = {code}", x, run.by_steps[code].mean, "context", dashed=True) for code in CODES if code != run.code]
    lines.append(shown(f"k = {run.code}, chosen", x, run.by_steps[run.code], "context", points=True))
    there = len(run.attention_by_steps.mean)
    lines.append(shown("attention", x[:there], run.attention_by_steps, "weight", points=True))
    return Curves(
        tuple(lines),
        x_title="training steps",
        y_title=run.measure,
        x_range=(float(x[0]), float(x[-1])),
        y_range=(0, 1),
        log_x=True,
        current=run.steps,
        wide=HALF,
        tall=300,
        title="By training, over sentences of natural length",
    )


def reading(run: Curve) -> str:
    band = run.one_vector[run.code]
    shortest, longest = ("{}–{} words".format(*run.buckets[n]) for n in (0, run.last))
    said = f"After **{run.steps:,}** steps one vector of **{run.code}** numbers gets **{band.mean[0]:.2f}** ({run.measure}) "
    said += f"on {shortest} and **{band.mean[run.last]:.2f}** on {longest}; attention"
    said += f" after {run.attention_steps:,}" if run.attention_steps != run.steps else ""
    said += f" **{run.attention.mean[0]:.2f}** and **{run.attention.mean[run.last]:.2f}**. "
    if run.fresh is not None:
        table, count = getattr(run.fresh, MEASURES[run.measure]), int(run.fresh.counts.sum())
        seen = run.fresh.counts > 0
        means = [np.average(line[seen], weights=run.fresh.counts[seen]) for line in table]
        said += f"Measured just now on **{count}** fresh sentences (seed {run.fresh.seed}, fully trained): one vector "
        return said + f"**{means[0]:.2f}**, attention **{means[1]:.2f}**." + too_long(run)
    if run.cell != "GRU":
        cell = run.cells[run.cell]
        said += f"With {run.cell}, k = 128, after {run.cell_steps:,} steps: **{cell.by_length[0]:.2f}** and "
        return said + f"**{cell.by_length[run.last]:.2f}** (one seed)." + too_long(run)
    first, caught = int(run.budgets[0]), run.caught_up
    if caught is None:
        said += f"What attention has after {first:,} steps, this c does not reach in {run.budgets[-1]:,}."
    else:
        said += f"What attention has after {first:,} steps, over natural lengths, this c has after **{caught:,}**."
    return said + too_long(run)


def outputs(run: Curve) -> Tokens:
    names = (f"k = {run.code}, {run.full[0]:,} steps", f"attention, {run.full[1]:,}")
    lines = [
        TokenLine(name, words, changed=frozenset(changed), right=right)
        for name, words, changed, right in zip(names, run.outputs, run.changed, run.right, strict=True)
    ]
    title = f"One sentence through both; {compared(run.truth)}"
    return Tokens((reference(run.truth, run.teacher), *lines), wide=WIDE, title=title)


def table(run: Curve) -> Heatmap:
    rows = [(f"k = {code}", run.one_vector[code].mean) for code in CODES] + [("attention", run.attention.mean)]
    return Heatmap(
        np.stack([line for _, line in rows]),
        tuple(name for name, _ in rows),
        tuple(f"{low}–{high}" for low, high in run.buckets),
        keys=("model", "length"),
        row_title="numbers in c",
        column_title="source words",
        current_row=CODES.index(run.code),
        wide=500,
        title=f"All sizes: {run.measure} after {run.steps:,} steps" + beside(run),
    )


def learning(run: Curve) -> Curves:
    """Loss of both trainings, on what they learn from and on what they do not."""
    lines = []
    for (kind, one), role in zip(run.learning.items(), ("context", "weight"), strict=True):
        lines.append(Line(kind, one.steps / 1000, one.loss, role, dashed=True))
        lines.append(Line(f"{kind}, validation", one.steps / 1000, one.validation, role, points=True))
    top = max(float(line.y.max()) for line in lines)
    return Curves(
        tuple(lines),
        x_title="training steps, in thousands",
        y_title="loss, nats a word",
        x_range=(0, float(max(one.steps[-1] for one in run.learning.values())) / 1000),
        y_range=(0, float(np.ceil(top))),
        wide=700,
        title=f"Learning, k = {run.code}: the loss on training sentences (dashed) and on validation sentences",
    )


def still(run: Curve) -> str:
    said = [f"{kind} {since(one)} (**{one.validation.min():.3f}**)" for kind, one in run.learning.items()]
    rates = ", ".join(f"{compact(rate)} for k = {code}" for code, rate in run.rates.items())
    return f"On validation sentences {', '.join(said)}, before the last way down. Learning rates, by validation: {rates}."


def since(one: Learning) -> str:
    """Since when it has come no further, if it stood still before the last look."""
    if one.still == one.steps[-1]:
        return f"was **still learning** at step {one.still:,}"
    return f"stands still since step **{one.still:,}**"


def cells(run: Curve) -> Table:
    rows = tuple(
        (
            name,
            Runs(cell.natural, 0, 1, role="context"),
            compact(cell.rate),
            f"{cell.parameters:,}",
            str(len(cell.natural)),
        )
        for name, cell in run.cells.items()
    )
    headings = ("cell", run.measure, "learning rate", "parameters", "seeds")
    marked = frozenset({list(run.cells).index(run.cell)})
    title = f"One vector of 128 by cell, {run.cell_steps:,} steps each"
    return Table(headings, rows, key="cell", marked=marked, wide=600, title=title)


def paper_and_ours(run: Curve) -> Table:
    theirs = [dict(zip(paper.names, paper.paper, strict=True)) for paper in run.papers]
    ours = {name: figure for paper in run.papers for name, figure in zip(paper.names, paper.ours, strict=True)}
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, *(f"{figures[name]:.2f}" if name in figures else "–" for figures in theirs), Bar(f"{figure:.1f}", figure, 100))
        for name, figure in ours.items()
    )
    return Table(("", *(paper.source for paper in run.papers), "ours"), rows, key="model", title="BLEU: papers and ours")


def orders(run: Curve) -> str:
    said = []
    for paper in run.papers:
        verdict = "same order" if paper.same_order else "not the same order"
        said.append(f"{paper.source}: {paper.setting}: **{verdict}**.")
    return " ".join(said) + " Ours is the mean over lengths, on our own small language: only orders compare."
