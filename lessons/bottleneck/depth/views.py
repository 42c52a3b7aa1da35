"""Scores of all builds over seeds, learning curves, a translation, probes, learning rates, and a paper."""

import numpy as np

from lessons.bottleneck.depth.compute import (
    BUILDS,
    DEEP,
    DEEP_RESIDUAL,
    EVEN_BUILDS,
    OTHER_RATE,
    SHALLOW,
    Depth,
    PaperOrder,
)
from lessons.bottleneck.pictures import (
    HALF_WIDTH_PX,
    WIDTH_PX,
    band_line,
    explain_marks,
    output_lines,
    reference_line,
    warn_about_teacher,
)
from lessons.kit.pictures.curves import Curves
from lessons.kit.pictures.numbers import format_rate, percent, seed_count
from lessons.kit.pictures.table import Cell, Runs, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens

HEIGHT_PX = 290
PROBE_ROLES = ("source", "context")


def table(run: Depth) -> Table:
    """All builds; the layers of the encoder are named first."""
    rows = tuple(
        (name, Runs(build.natural, 0, 1, role="context"), f"{build.parameters:,}")
        for name, build in run.builds.items()
    )
    return Table(
        ("encoder + decoder", run.measure, "parameters"),
        rows,
        key="build",
        marked=frozenset({list(run.builds).index(run.build)}),
        wide=HALF_WIDTH_PX,
        tall=HEIGHT_PX,
        title=f"After {run.steps:,} steps, {seed_count(count_seeds(run))}",
    )


def count_seeds(run: Depth) -> int:
    return len(run.builds[run.build].natural)


def learning(run: Depth) -> Curves:
    """The validation loss of the chosen, the shallowest, the deepest, and the deepest residual build."""
    compared = dict.fromkeys((SHALLOW, DEEP, DEEP_RESIDUAL, run.build))
    lines = tuple(
        band_line(
            name, run.evaluated, run.builds[name].validation, "context" if name == run.build else "source"
        )
        for name in compared
    )
    return Curves(
        lines,
        x_title="training steps",
        y_title="validation loss, nats per word",
        x_range=(0, float(run.steps)),
        y_range=(0, float(np.ceil(max(line.y.max() for line in lines)))),
        wide=HALF_WIDTH_PX,
        tall=HEIGHT_PX,
        title=f"Loss during training: {run.build} and other models",
    )


def translation(run: Depth) -> Tokens:
    """The translation by the chosen build, if its weights are shipped."""
    lines = [TokenLine("source", run.words), reference_line(run.truth, run.teacher)]
    if run.build in EVEN_BUILDS:
        lines.append(output_lines(run, EVEN_BUILDS)[1 + EVEN_BUILDS.index(run.build)])
        title = f"Your sentence through {run.build} (first seed); {explain_marks(run.truth)}"
    else:
        title = f"The weights of {run.build} are not stored: choose the same number for both"
    return Tokens(tuple(lines), wide=WIDTH_PX, tall=120, title=title)


def reading(run: Depth) -> str:
    chosen, shallow = run.builds[run.build], run.builds[SHALLOW]
    sentences = [f"After {run.steps:,} steps **{run.build}** gets {describe_scores(chosen.natural, run)}."]
    if run.build == SHALLOW:
        sentences.append("Choose more layers to compare with it.")
    else:
        extra = percent(chosen.parameters / shallow.parameters - 1)
        sentences += [
            f"**{SHALLOW}** gets {describe_scores(shallow.natural, run)}.",
            f"{run.build} has **{extra}** more parameters than {SHALLOW}. {compare_ranges(run)}",
        ]
    return " ".join([*sentences, *warn_about_teacher(run)])


def describe_scores(natural: np.ndarray, run: Depth) -> str:
    """Mean and range over seeds."""
    low, high = f"{natural.min():.2f}", f"{natural.max():.2f}"
    seeds = seed_count(len(natural)) if low == high else f"seeds between {low} and {high}"
    return f"**{natural.mean():.2f}** ({run.measure}, {seeds})"


def compare_ranges(run: Depth) -> str:
    """Say whether the seeds of the chosen build and of the shallowest overlap."""
    chosen, shallow = run.builds[run.build].natural, run.builds[SHALLOW].natural
    if len(chosen) == 1:
        return "With **one seed** each, chance cannot be ruled out."
    if chosen.min() > shallow.max():
        return f"Every seed is **above** all seeds of {SHALLOW}."
    if chosen.max() < shallow.min():
        return f"Every seed is **below** all seeds of {SHALLOW}."
    return "The seeds **overlap**, so which of the two is better cannot be told."


# ---- closer looks ----


def outputs(run: Depth) -> Tokens:
    title = f"The same sentence through six models (first seed); {explain_marks(run.truth)}"
    return Tokens(output_lines(run, EVEN_BUILDS), wide=WIDTH_PX, title=title)


def layers(run: Depth) -> Curves:
    """Accuracy of the probes by layer of the encoder."""
    top = BUILDS[run.build][0]
    return Curves(
        tuple(
            band_line(name, np.arange(top + 1), probe.by_layer, role, points=True)
            for (name, probe), role in zip(run.probes.items(), PROBE_ROLES, strict=True)
        ),
        x_title="layer of the encoder; 0: the embeddings",
        y_title="fraction of words that the probe labels correctly",
        x_range=(0, float(top)),
        y_range=(0, 1),
        rules=tuple((probe.without_model, f"{name} by form") for name, probe in run.probes.items()),
        wide=700,
        tall=300,
        title=f"What each layer of {run.build} knows about a word ({seed_count(count_seeds(run))})",
    )


def best_layers(run: Depth) -> str:
    """Say in which layer each probe is most accurate."""
    sentences = []
    for name, probe in run.probes.items():
        means = probe.by_layer.mean
        best, top = int(means.argmax()), len(means) - 1
        sentences.append(
            f"The probe for {name} ({probe.words:,} words) is most accurate in layer **{best}**, with"
            f" **{means[best]:.2f}**."
        )
        if best != top:
            sentences.append(f"In the top layer it gets **{means[top]:.2f}**.")
    meaning = run.probes["meaning"]
    sentences.append(
        f"An embedding alone cannot tell two meanings of one word apart: it gets"
        f" **{meaning.by_layer.mean[0]:.2f}**, and the commonest meaning of each word"
        f" {meaning.without_model:.2f}."
    )
    return " ".join(sentences)


def rates(run: Depth) -> Table:
    """Scores of the first seed at two learning rates."""
    return Table(
        ("encoder + decoder", format_rate(run.rate), format_rate(OTHER_RATE)),
        tuple((name, *(f"{score:.2f}" for score in scores)) for name, scores in run.rates.items()),
        key="build",
        marked=frozenset({EVEN_BUILDS.index(run.build)} if run.build in EVEN_BUILDS else ()),
        wide=500,
        title=f"{run.measure.capitalize()} by learning rate, first seed",
    )


def fair(run: Depth) -> str:
    """Say whether the other learning rate changes which of the builds is ahead."""
    best = max(run.rates, key=lambda name: run.rates[name][0])
    best_there = max(run.rates, key=lambda name: run.rates[name][1])
    gains = {name: there - here for name, (here, there) in run.rates.items()}
    most, least = max(gains, key=gains.__getitem__), min(gains, key=gains.__getitem__)
    same = "is also" if best == best_there else f"is **{best_there}**, not"
    return (
        f"At the rate {format_rate(OTHER_RATE)} the best of these six {same} **{best}**."
        f" {most} gains most from the higher rate (**{gains[most]:+.2f}**), {least} least"
        f" (**{gains[least]:+.2f}**).".replace("-", "−")
    )


def cells(run: Depth) -> Table:
    rows = tuple(
        (
            name,
            Runs(build.natural, 0, 1, role="context"),
            str(len(build.natural)),
            f"{format_rate(build.rate)}, best of {build.rates_tried}",
            f"{build.parameters:,}",
        )
        for name, build in run.cells.items()
    )
    return Table(
        ("cell and layers", run.measure, "seeds", "learning rate", "parameters"),
        rows,
        key="cell",
        wide=WIDTH_PX,
        title="Other cells, with one vector c of size 128 instead of attention",
    )


def describe_order(order: PaperOrder) -> str:
    if order.same is None:
        return "seeds overlap"
    answer = "yes" if order.same else "no"
    return answer if min(map(len, order.ours)) > 1 else f"{answer}, with one seed"


def papers(run: Depth) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            " > ".join(order.names),
            f"{order.paper[0]:.2f} > {order.paper[1]:.2f}",
            *(
                f"{build}: {values.mean():.2f}"
                for build, values in zip(order.builds, order.ours, strict=True)
            ),
            describe_order(order),
        )
        for order in run.orders
    )
    return Table(
        (f"found by {run.orders[0].source}", "BLEU there", "ours, the first", "the second", "same order?"),
        rows,
        key="order",
        wide=WIDTH_PX,
        title=f"Paper, ours, same order? Ours: {run.measure}",
    )
