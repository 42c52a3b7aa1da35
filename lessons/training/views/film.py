"""A training, seen again."""

from typing import Any

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import percent
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.training.compute.film import Shown

ROLES = {"too small": "source", "good": "weight", "too large": "target"}
SIDE: dict[str, Any] = {"wide": 450, "tall": 152, "log_x": True, "x_range": (1, 3000)}


def named(run: Shown, rate: str) -> str:
    return f"{rate}, {run.takes[rate].rate:g}"


def loss(run: Shown) -> Curves:
    lines = tuple(Line(named(run, rate), take.marks, take.losses, ROLES[rate]) for rate, take in run.takes.items())
    return Curves(lines, x_title="", y_title="loss, nats a word", y_range=(0, 9), current=run.step, title="Loss, by step", **SIDE)


def exact(run: Shown) -> Curves:
    lines = tuple(Line(named(run, rate), take.steps, take.exact, ROLES[rate], points=True) for rate, take in run.takes.items())
    look: dict[str, Any] = {"x_title": "training step", "y_title": "share right", "y_range": (0, 1), "current": run.step}
    return Curves(lines, title="New sentences without a fault", **look, **SIDE | {"tall": 168})


def gaze(run: Shown) -> Heatmap:
    look: dict[str, Any] = {
        "keys": ("target", "source"),
        "row_role": "target",
        "column_role": "source",
        "row_title": "writes",
        "column_title": "looks at",
        "wide": 440,
        "tall": 350,
    }
    title = f"Attention after step {run.step:,}, rate {run.take.rate:g}; gold dashed"
    return Heatmap(run.weights, run.target, run.source, gold=run.gold, title=title, **look)


def outputs(run: Shown) -> Tokens:
    lines = []
    for rate, take in run.takes.items():
        said = tuple(word for word in take.outputs[take.at(run.step)].split() if word != "<eos>")
        lines.append(TokenLine(rate, said[:16] + (("…",) if len(said) > 16 else ()), right=said == run.target))
    return Tokens(tuple(lines), key="word", wide=900, tall=90, title=f"What each writes at step {run.step:,}, or at its end")


def reading(run: Shown) -> str:
    take = run.take
    at = take.at(run.step)
    said = (
        f"Rate {take.rate:g}, step **{run.step:,}**: loss **{take.loss(run.step):.2f}**, **{percent(take.exact[at])}** of the "
        f"validation sentences without a fault, and **{take.on_gold[at]:.2f}** of the attention where gold says."
    )
    others = [
        f"{other.rate:g}: {percent(other.exact[other.at(run.step)])}" for rate, other in run.takes.items() if rate != run.rate
    ]
    return f"{said} The others by then, or at their end: {'; '.join(others)}."


# ---- acts ----


def emergence(run: Shown) -> Curves:
    """Loss and attention on one axis: how much of its own way each has gone."""
    take = run.take
    gone = (take.losses[0] - take.losses) / (take.losses[0] - take.losses.min())
    risen = (take.on_gold - take.on_gold[0]) / (take.on_gold.max() - take.on_gold[0])
    lines = (
        Line("loss, way down", take.marks, gone, "target"),
        Line("attention on gold, way up", take.steps, risen, "weight", points=True),
    )
    return Curves(
        lines,
        x_title="training step",
        y_title="share of the way",
        y_range=(-0.2, 1.1),
        log_x=True,
        x_range=(1, 3000),
        rules=((0.5, "half-way"),),
        current=run.step,
        wide=900,
        tall=260,
        title=f"How much of its way each has gone, rate {take.rate:g}",
    )


def when(run: Shown) -> str:
    take = run.take
    if take.on_gold.max() < 0.5:
        return (
            f"At rate {take.rate:g} never more than **{take.on_gold.max():.2f}** of the attention lies on gold: "
            "there is nothing to see emerge yet. Choose the good rate."
        )
    before = take.on_gold[take.at(take.fallen)]
    return (
        f"Half of the loss is gone after **{take.fallen:,}** steps, with **{before:.2f}** of the attention on gold; "
        f"attention is half-way there after about **{take.emerged:,.0f}**."
    )


def final(run: Shown) -> Curves:
    lines = tuple(Line(named(run, rate), take.steps, take.on_gold, ROLES[rate], points=True) for rate, take in run.takes.items())
    look: dict[str, Any] = {"log_x": True, "x_range": (1, 3000), "y_range": (0, 1), "current": run.step, "wide": 900, "tall": 240}
    return Curves(lines, x_title="training step", y_title="attention on gold", title="Attention on gold links, by step", **look)
