"""Three ways to hand c over."""

from typing import Any

import numpy as np

from lessons.bottleneck.compute.measured import WIRINGS, Wired
from lessons.bottleneck.views.parts import TOP, WIDE, compared, encoder, line_of, pair, reference, too_long
from lessons.kit.pictures.curves import Curves
from lessons.kit.pictures.numbers import percent, seeds
from lessons.kit.pictures.table import Runs, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.pictures.unrolled import Chain, Unrolled

ROLES = dict(zip(WIRINGS, ("source", "target", "context"), strict=True))
TITLES = {
    "first state": "c makes the first state s₀, and is never looked at again",
    "every step": "c makes the first state, and enters every step and every output",
    "one RNN": "One RNN reads on: there is no c but the state it is in",
}


def unrolled(run: Wired) -> Unrolled:
    room: dict[str, Any] = {"title": TITLES[run.wiring], "tall": 260}
    if run.wiring == "one RNN":  # the state after the last source word is c itself
        words, states = (*run.words, *run.read), np.concatenate([run.H, run.s])
        outputs = (*("" for _ in run.words), *run.written)
        return Unrolled((Chain("one RNN", words, states, outputs=outputs),), top=TOP, wide=WIDE, **room)
    return pair(
        encoder(run.words, run.H),
        run.read,
        run.s,
        run.s_0,
        run.written,
        run.c,
        every=run.wiring == "every step",
        **room,
    )


def reading(run: Wired) -> str:
    shares = ", ".join(f"{name} **{values.mean():.2f}**" for name, values in run.natural.items())
    lucky, spread = max(run.natural.items(), key=lambda item: np.ptp(item[1]))
    said = f"Over {run.count:,} test sentences, after {run.alike:,} steps each, {run.measure}: {shares}. "
    if len(spread) == 1:
        return said + "One seed each: how much of the difference is **luck** cannot be told." + too_long(run)
    said += f"Luck alone moves “{lucky}” between {spread.min():.2f} and {spread.max():.2f}, "
    return (
        said
        + (ahead(run, run.best, lucky) if run.best else "so which of them is **best** cannot be told.")
        + too_long(run)
    )


def ahead(run: Wired, best: str, lucky: str) -> str:
    """How much is known about who leads, and what else may be why."""
    if best == lucky:
        return f"and **{best}** leads by more than that."
    count, more = len(run.natural[best]), run.parameters[best] / run.parameters[lucky] - 1
    said = f"and **{best}**, {seeds(count)}, is outside that range"
    return said + (f"; it also has **{percent(more)}** more parameters than “{lucky}”." if more > 0 else ".")


def by_length(run: Wired) -> Curves:
    return Curves(
        tuple(
            line_of(name, run.lengths, band, ROLES[name], points=True) for name, band in run.accuracy.items()
        ),
        x_title="source words",
        y_title=run.measure,
        x_range=(3, 40),
        y_range=(0, 1),
        shaded=((run.trained[1] + 0.5, 40, "longer than trained"),),
        wide=450,
        tall=172,
        title=f"{run.measure.capitalize()} by length",
    )


def fair(run: Wired) -> Table:
    """The measure beside what else differs between the three."""
    rows = tuple(
        (
            name,
            Runs(values, 0, 1, role=ROLES[name]),
            f"{run.parameters[name]:,}",
            f"{run.alike:,}",
            str(len(values)),
        )
        for name, values in run.natural.items()
    )
    headings = ("c goes in as", run.measure, "parameters", "training steps", "seeds")
    marked = frozenset({list(WIRINGS).index(run.wiring)})
    return Table(
        headings, rows, key="wiring", marked=marked, wide=450, tall=190, title="Is it a fair comparison?"
    )


def outputs(run: Wired) -> Tokens:
    lines = [
        TokenLine(name, words, changed=frozenset(changed), right=right)
        for name, words, changed, right in zip(WIRINGS, run.outputs, run.changed, run.right, strict=True)
    ]
    title = f"The same sentence through each wiring; {compared(run.truth)}"
    return Tokens(
        (TokenLine("source", run.words), reference(run.truth, run.teacher), *lines), wide=WIDE, title=title
    )


def unequal(run: Wired) -> str:
    """How long the weights that translate the sentence were trained."""
    by_steps: dict[int, list[str]] = {}
    for name, steps in run.steps.items():
        by_steps.setdefault(steps, []).append(f"“{name}”")
    if len(by_steps) == 1:
        return f"All of these weights were trained for {next(iter(by_steps)):,} steps."
    trained = ", ".join(f"{' and '.join(names)} **{steps:,}**" for steps, names in by_steps.items())
    return f"These weights had unequal numbers of training steps: {trained}."
