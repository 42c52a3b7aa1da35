"""The chosen wiring unrolled, the measurements of all three, and their translations."""

import numpy as np

from lessons.bottleneck.inject.compute import WIRINGS, WiringComparison
from lessons.bottleneck.pictures import (
    FULL_COLOR_VALUE,
    HALF_WIDTH_PX,
    WIDTH_PX,
    band_line,
    draw_encoder_decoder,
    encoder_chain,
    explain_marks,
    output_lines,
    warn_about_teacher,
)
from lessons.kit.pictures.by_length import draw_by_length
from lessons.kit.pictures.curves import Curves
from lessons.kit.pictures.numbers import percent, seed_count
from lessons.kit.pictures.table import Runs, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.pictures.unrolled import Chain, Unrolled

ROLES = dict(zip(WIRINGS, ("source", "target", "context"), strict=True))
TITLES = {
    "first state": "c makes the first state s₀ and is not used again",
    "every step": "c makes the first state and enters every step and every output",
    "one RNN": "One RNN reads and writes: c is its state after the last source word",
}
UNROLLED_HEIGHT_PX = 260


def unrolled(run: WiringComparison) -> Unrolled:
    title = TITLES[run.wiring]
    if run.wiring == "one RNN":  # the state after the last source word is c itself
        words, states = (*run.words, *run.read), np.concatenate([run.H, run.s])
        chain = Chain("one RNN", words, states, outputs=(*("" for _ in run.words), *run.written))
        return Unrolled((chain,), top=FULL_COLOR_VALUE, wide=WIDTH_PX, tall=UNROLLED_HEIGHT_PX, title=title)
    return draw_encoder_decoder(
        encoder_chain(run.words, run.H),
        run.read,
        run.s,
        run.s_0,
        run.written,
        run.c,
        every=run.wiring == "every step",
        tall=UNROLLED_HEIGHT_PX,
        title=title,
    )


def reading(run: WiringComparison) -> str:
    *others, last = (f"**{values.mean():.2f}** with “{name}”" for name, values in run.natural.items())
    sentences = [
        f"All three wirings were trained for {run.common_steps:,} steps and translate {run.count:,} test"
        " sentences.",
        f"{run.measure.capitalize()} is {', '.join(others)} and {last}.",
        compare_with_luck(run),
        *warn_about_teacher(run),
    ]
    return " ".join(sentences)


def compare_with_luck(run: WiringComparison) -> str:
    """Say whether the wirings differ by more than the seeds do."""
    widest, values = max(run.natural.items(), key=lambda item: np.ptp(item[1]))
    if len(values) == 1:
        return "There is only one seed per wiring, so we do not know how much of the difference is **luck**."
    seed_range = f"Across seeds, “{widest}” varies between {values.min():.2f} and {values.max():.2f}"
    if run.best is None:
        return f"{seed_range}, so we do not know which wiring is **best**."
    if run.best == widest:
        return f"{seed_range}, and “**{run.best}**” leads by more than that."
    lead = (
        f"{seed_range}, and “**{run.best}**” ({seed_count(len(run.natural[run.best]))}) is outside that range"
    )
    extra = run.parameters[run.best] / run.parameters[widest] - 1
    return (
        f"{lead}. But “{run.best}” also has **{percent(extra)}** more parameters than “{widest}”."
        if extra > 0
        else f"{lead}."
    )


def by_length(run: WiringComparison) -> Curves:
    return draw_by_length(
        (band_line(name, run.lengths, band, ROLES[name], points=True) for name, band in run.accuracy.items()),
        run.measure,
        run.trained[1],
        wide=HALF_WIDTH_PX,
        tall=162,
        title=f"{run.measure.capitalize()} by length",
    )


def fair(run: WiringComparison) -> Table:
    """The measurements, and all other differences between the three wirings."""
    rows = tuple(
        (
            name,
            Runs(values, 0, 1, role=ROLES[name]),
            f"{run.parameters[name]:,}",
            f"{run.common_steps:,}",
            str(len(values)),
        )
        for name, values in run.natural.items()
    )
    return Table(
        ("c goes in as", run.measure, "parameters", "training steps", "seeds"),
        rows,
        key="wiring",
        marked=frozenset({list(WIRINGS).index(run.wiring)}),
        wide=HALF_WIDTH_PX,
        tall=190,
        title="Is it a fair comparison?",
    )


def outputs(run: WiringComparison) -> Tokens:
    title = f"The same sentence through each wiring; {explain_marks(run.truth)}"
    lines = (TokenLine("source", run.words), *output_lines(run, WIRINGS))
    return Tokens(lines, wide=WIDTH_PX, title=title)


def unequal(run: WiringComparison) -> str:
    """Say how long each model that translates the sentence was trained."""
    wirings_by_steps: dict[int, list[str]] = {}
    for name, steps in run.steps.items():
        wirings_by_steps.setdefault(steps, []).append(f"“{name}”")
    if len(wirings_by_steps) == 1:
        return f"All of these weights were trained for {next(iter(wirings_by_steps)):,} steps."
    trained = " and ".join(
        f"**{steps:,}** for {' and '.join(names)}" for steps, names in wirings_by_steps.items()
    )
    return f"The models were trained for different numbers of steps: {trained}."
