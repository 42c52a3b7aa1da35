"""Other cells, and layers on layers."""

import numpy as np

from lessons.bottleneck.compute.depth import ONE, Build, Depth, Order
from lessons.bottleneck.views.parts import WIDE, line_of, since
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import percent, rate, seeds
from lessons.kit.pictures.table import Cell, Runs, Table

HALF = WIDE // 2
ROLES = {True: "context", False: "source"}


def by_length(run: Depth) -> Curves:
    """The chosen one with its band, the others dashed."""
    others = [
        Line(name, run.lengths, build.by_length.mean, "source", dashed=True)
        for name, build in run.builds.items()
        if name != run.build
    ]
    chosen = line_of(run.build, run.lengths, run.builds[run.build].by_length, "context", points=True)
    return Curves(
        (*others, chosen),
        x_title="source words",
        y_title=run.measure,
        x_range=(3, 40),
        y_range=(0, 1),
        shaded=((run.trained[1] + 0.5, 40, "longer than trained"),),
        wide=HALF,
        tall=290,
        title=f"By length, c of 128 numbers, {run.steps:,} steps",
    )


def table(run: Depth) -> Table:
    rows = tuple(
        (
            name,
            Runs(build.natural, 0, 1, role="context"),
            str(len(build.natural)),
            rate(build.rate),
            f"{build.parameters:,}",
        )
        for name, build in run.builds.items()
    )
    headings = ("cell and layers", run.measure, "seeds", "learning rate", "parameters")
    marked = frozenset({list(run.builds).index(run.build)})
    title = "Over sentences of natural length"
    return Table(headings, rows, key="build", marked=marked, wide=HALF, tall=290, title=title)


def figures(run: Depth, build: Build) -> str:
    """Over natural lengths, with the range of its seeds; and on the longest sentences trained on."""
    spread = "" if len(build.natural) == 1 else f" ({build.natural.min():.2f} to {build.natural.max():.2f})"
    low, high = run.buckets[run.last]
    return (
        f"**{build.natural.mean():.2f}**{spread}, on {low}–{high} words"
        f" **{build.by_length.mean[run.last]:.2f}**"
    )


def reading(run: Depth) -> str:
    chosen, one = run.builds[run.build], run.builds[ONE]
    said = (
        f"After {run.steps:,} steps, {seeds(len(chosen.natural))}: **{run.build}** gets"
        f" {figures(run, chosen)} ({run.measure}), "
    )
    said += f"at the learning rate **{rate(chosen.rate)}**, the best of {len(run.tried[run.build])}. "
    if run.build == ONE:
        return said + "Choose another to hold against it."
    more = chosen.parameters / one.parameters - 1
    said += f"{ONE}, {seeds(len(one.natural))}: {figures(run, one)}, at its best, {rate(one.rate)}. "
    return (
        said
        + f"{run.build} has **{percent(abs(more))}** {'more' if more > 0 else 'fewer'} parameters than {ONE}."
    )


def learning(run: Depth) -> Curves:
    """The validation loss of each on the way, the chosen one whole."""
    lines = tuple(
        Line(
            name,
            build.learning.steps / 1000,
            build.learning.validation,
            ROLES[name == run.build],
            dashed=name != run.build,
        )
        for name, build in run.builds.items()
    )
    return Curves(
        lines,
        x_title="training steps, in thousands",
        y_title="validation loss, nats a word",
        x_range=(0, run.steps / 1000),
        y_range=(0, float(np.ceil(max(line.y.max() for line in lines)))),
        wide=700,
        title="Learning: the loss on validation sentences, on the way that comes before the last fifth",
    )


def still(run: Depth) -> str:
    one = run.builds[run.build].learning
    return (
        f"{run.build}: its validation loss {since(one)} (**{one.validation.min():.3f}**), before the last way"
        " down."
    )


def rates(run: Depth) -> Table:
    """Also of what was not trained on after the trial."""
    every = sorted({each for losses in run.tried.values() for each in losses})
    rows = tuple(
        (
            name,
            *(
                " · ".join(f"{loss:.2f}" for loss in losses[each]) if each in losses else "–"
                for each in every
            ),
            rate(run.builds[name].rate) if name in run.builds else "only tried",
        )
        for name, losses in run.tried.items()
    )
    marked = frozenset({list(run.tried).index(run.build)})
    headings = ("cell and layers", *map(rate, every), "used")
    title = "Validation loss after a short training, by learning rate; of three seeds where three tried it"
    return Table(headings, rows, key="build", marked=marked, wide=700, title=title)


def verdict(order: Order) -> str:
    if order.same is None:
        return "seeds overlap"
    said = "yes" if order.same else "no"
    return said if min(map(len, order.ours)) > 1 else f"{said}, with one seed"


def papers(run: Depth) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            f"{order.names[0]} > {order.names[1]}",
            f"{order.paper[0]:.2f} > {order.paper[1]:.2f}, {order.changed}",
            *(Runs(values, 0, 1, role="context") for values in order.ours),
            verdict(order),
        )
        for order in run.orders
    )
    headings = (
        f"found by {run.orders[0].source}",
        "BLEU there, changed in",
        "ours, the first",
        "the second",
        "same order?",
    )
    return Table(
        headings,
        rows,
        key="order",
        wide=WIDE,
        title=f"Paper, ours, same order? Ours: {run.measure}, {run.steps:,} steps",
    )


def orders(run: Depth) -> str:
    same = sum(order.same is True for order in run.orders)
    said = (
        f"Ours has the paper’s order in **{same}** of {len(run.orders)} comparisons. Their models have"
        " attention and translate "
    )
    return (
        said + "real text. They compared cells with two layers and often changed only the encoder or only the"
        " decoder."
    )
