"""The bottleneck itself, measured."""

import numpy as np

from lessons.bottleneck.compute.measured import KINDS, MEASURES, WIDTHS, Curve
from lessons.bottleneck.views.parts import WIDE, compared, reference, too_long
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.table import Bar, Cell, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens


def curves(run: Curve) -> Curves:
    """The chosen width bold with its band over seeds, the other widths dashed, attention of the same width, and what is fresh."""
    lines = [
        Line(f"m = {width}", run.lengths, run.one_vector[width].mean, "context", dashed=True)
        for width in WIDTHS
        if width != run.width
    ]
    for name, bands, role in (("one vector", run.one_vector, "context"), ("attention", run.attention, "weight")):
        band = bands[run.width]
        lines.append(Line(f"{name}, m = {run.width}", run.lengths, band.mean, role, band.low, band.high, points=True))
    if run.cell != "GRU":
        lines.append(Line(f"{run.cell}, m = 64", run.lengths, run.by_cell[run.cell], "source", dashed=True, points=True))
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
        shaded=((run.trained[1] + 0.5, 40, "longer than any sentence trained on"),),
        wide=WIDE,
        tall=310,
        title=f"{run.measure.capitalize()}; bands: three seeds; {run.steps[0]:,} steps of training, attention {run.steps[1]:,}",
    )


def reading(run: Curve) -> str:
    one, many = run.one_vector[run.width].mean, run.attention[run.width].mean
    shortest, longest = ("{}–{} words".format(*run.buckets[n]) for n in (0, run.last))
    said = f"With **{run.width}** numbers, one vector gets **{one[0]:.2f}** ({run.measure}) on {shortest} "
    said += f"and **{one[run.last]:.2f}** on {longest}; attention of this width **{many[0]:.2f}** and **{many[run.last]:.2f}**. "
    if run.fresh is not None:
        table, count = getattr(run.fresh, MEASURES[run.measure]), int(run.fresh.counts.sum())
        seen = run.fresh.counts > 0
        means = [np.average(line[seen], weights=run.fresh.counts[seen]) for line in table]
        said += f"Measured just now on **{count}** fresh sentences (seed {run.fresh.seed}): one vector **{means[0]:.2f}**, "
        said += f"attention **{means[1]:.2f}**."
    elif run.cell != "GRU":
        cell = run.by_cell[run.cell]
        said += f"With {run.cell} cells, m = 64, one vector gets **{cell[0]:.2f}** and **{cell[run.last]:.2f}** (one seed)."
    return said.strip() + too_long(run)


def outputs(run: Curve) -> Tokens:
    lines = [
        TokenLine(f"{name}, {run.width}", words, changed=frozenset(changed), right=right)
        for name, words, changed, right in zip(KINDS, run.outputs, run.changed, run.right, strict=True)
    ]
    title = f"One sentence through both; {compared(run.truth)}"
    return Tokens((reference(run.truth, run.teacher), *lines), wide=WIDE, tall=130, title=title)


def table(run: Curve) -> Heatmap:
    rows = [
        (f"{name.removeprefix('one ')} {width}", bands[width].mean)
        for name, bands in zip(KINDS, (run.one_vector, run.attention), strict=True)
        for width in WIDTHS
    ]
    return Heatmap(
        np.stack([line for _, line in rows]),
        tuple(name for name, _ in rows),
        tuple(f"{low}–{high}" for low, high in run.buckets),
        keys=("model", "length"),
        row_title="width m",
        column_title="source words",
        current_row=WIDTHS.index(run.width),
        wide=500,
        title=f"All widths: {run.measure}, mean of three seeds",
    )


def cells(run: Curve) -> Bars:
    title = f"One vector of 64 by cell: {run.measure} over natural lengths"
    return Bars(np.array([*run.natural.values()]), tuple(run.natural), role="context", title=title)


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
    return " ".join(said) + " Ours is the mean over lengths and three seeds, on our own small language: only orders compare."
