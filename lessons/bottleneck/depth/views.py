"""Scores by length and over seeds, learning rates, learning curves, and a comparison with a paper."""

import numpy as np

from lessons.bottleneck.depth.compute import ONE_GRU, Build, Depth, PaperOrder
from lessons.bottleneck.pictures import HALF_WIDTH_PX, WIDTH_PX, band_line, describe_plateau
from lessons.kit.pictures.by_length import draw_by_length
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import format_rate, percent, seed_count
from lessons.kit.pictures.table import Cell, Runs, Table

HEIGHT_PX = 290


def by_length(run: Depth) -> Curves:
    """Scores by length: the chosen build with its band, the others dashed."""
    others = [
        Line(name, run.lengths, build.by_length.mean, "source", dashed=True)
        for name, build in run.builds.items()
        if name != run.build
    ]
    chosen = band_line(run.build, run.lengths, run.builds[run.build].by_length, "context", points=True)
    return draw_by_length(
        (*others, chosen),
        run.measure,
        run.trained[1],
        wide=HALF_WIDTH_PX,
        tall=HEIGHT_PX,
        title=f"By length, c of size 128, {run.steps:,} steps",
    )


def table(run: Depth) -> Table:
    rows = tuple(
        (
            name,
            Runs(build.natural, 0, 1, role="context"),
            str(len(build.natural)),
            format_rate(build.rate),
            f"{build.parameters:,}",
        )
        for name, build in run.builds.items()
    )
    return Table(
        ("cell and layers", run.measure, "seeds", "learning rate", "parameters"),
        rows,
        key="build",
        marked=frozenset({list(run.builds).index(run.build)}),
        wide=HALF_WIDTH_PX,
        tall=HEIGHT_PX,
        title="On sentences of natural length",
    )


def reading(run: Depth) -> str:
    chosen, one_gru = run.builds[run.build], run.builds[ONE_GRU]
    sentences = describe_build(run, run.build)
    if run.build == ONE_GRU:
        sentences.append("Choose another cell to compare with it.")
    else:
        extra = chosen.parameters / one_gru.parameters - 1
        sentences += describe_build(run, ONE_GRU)
        sentences.append(
            f"{run.build} has **{percent(abs(extra))}** {'more' if extra > 0 else 'fewer'} parameters than"
            f" {ONE_GRU}."
        )
    return " ".join(sentences)


def describe_build(run: Depth, name: str) -> list[str]:
    """Scores of one build on natural lengths and on the longest lengths in training; its learning rate."""
    build, (low, high) = run.builds[name], run.buckets[run.last]
    return [
        f"After {run.steps:,} steps ({seed_count(len(build.natural))}) **{name}** gets"
        f" **{build.natural.mean():.2f}** ({run.measure}){describe_seed_range(build)}.",
        f"On {low}–{high} words it gets **{build.by_length.mean[run.last]:.2f}**.",
        f"Its learning rate, **{format_rate(build.rate)}**, was the best of {len(run.tried[name])}.",
    ]


def describe_seed_range(build: Build) -> str:
    if len(build.natural) == 1:
        return ""
    return f", its seeds between {build.natural.min():.2f} and {build.natural.max():.2f}"


def learning(run: Depth) -> Curves:
    """The validation loss of each build during training; the chosen build has a solid line."""
    lines = tuple(
        Line(
            name,
            build.learning.steps / 1000,
            build.learning.validation,
            "context" if name == run.build else "source",
            dashed=name != run.build,
        )
        for name, build in run.builds.items()
    )
    return Curves(
        lines,
        x_title="training steps, in thousands",
        y_title="validation loss, nats per word",
        x_range=(0, run.steps / 1000),
        y_range=(0, float(np.ceil(max(line.y.max() for line in lines)))),
        wide=700,
        title="Learning: the loss on validation sentences, before the learning rate decays",
    )


def still(run: Depth) -> str:
    curve = run.builds[run.build].learning
    return (
        f"{run.build}: before the learning rate decays, the validation loss {describe_plateau(curve)}. Its"
        f" lowest value is **{curve.validation.min():.3f}**."
    )


def rates(run: Depth) -> Table:
    """Validation losses by learning rate, including a build that was never fully trained."""
    all_rates = sorted({tried for losses in run.tried.values() for tried in losses})
    rows = tuple(
        (
            name,
            *(" · ".join(f"{loss:.2f}" for loss in losses.get(tried, ())) or "–" for tried in all_rates),
            format_rate(run.builds[name].rate) if name in run.builds else "only tried",
        )
        for name, losses in run.tried.items()
    )
    return Table(
        ("cell and layers", *map(format_rate, all_rates), "used"),
        rows,
        key="build",
        marked=frozenset({list(run.tried).index(run.build)}),
        wide=700,
        title="Validation loss after a short training, by learning rate; of three seeds where three tried it",
    )


def describe_order(order: PaperOrder) -> str:
    if order.same is None:
        return "seeds overlap"
    answer = "yes" if order.same else "no"
    return answer if min(map(len, order.ours)) > 1 else f"{answer}, with one seed"


def papers(run: Depth) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            f"{order.names[0]} > {order.names[1]}",
            f"{order.paper[0]:.2f} > {order.paper[1]:.2f}, {order.changed}",
            *(Runs(values, 0, 1, role="context") for values in order.ours),
            describe_order(order),
        )
        for order in run.orders
    )
    return Table(
        (
            f"found by {run.orders[0].source}",
            "BLEU there, changed in",
            "ours, the first",
            "the second",
            "same order?",
        ),
        rows,
        key="order",
        wide=WIDTH_PX,
        title=f"Paper, ours, same order? Ours: {run.measure}, {run.steps:,} steps",
    )


def orders(run: Depth) -> str:
    same = sum(order.same is True for order in run.orders)
    return (
        f"Our results have the paper’s order in **{same}** of {len(run.orders)} comparisons. The paper’s"
        " models have attention and translate real text. It compared cells with two layers and often changed"
        " only the encoder or only the decoder."
    )
