"""A training, seen again."""

from typing import Any

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import percent
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.training.compute.film import Shown

ROLES = {"too small": "source", "good": "weight", "too large": "target"}
ROLES |= {"additive": "weight", "dot": "context", "no attention": "source", "Transformer": "target"}
SIDE: dict[str, Any] = {"wide": 450, "tall": 152}


def briefly(run: Shown) -> str:
    """What the film in view is a film of."""
    return f"rate {run.take.rate:g}" if run.side == "learning rates" else run.chosen


def by_step(run: Shown) -> dict[str, Any]:
    return {
        "log_x": True,
        "x_range": (1, max(take.steps[-1] for take in run.takes.values())),
        "current": run.step,
    }


def loss(run: Shown) -> Curves:
    lines = tuple(Line(rate, take.marks, take.losses, ROLES[rate]) for rate, take in run.takes.items())
    rates = ", ".join(f"{take.rate:g}" for take in run.takes.values())
    title = "Loss by step" + (f", learning rates {rates}" if run.side == "learning rates" else "")
    return Curves(
        lines, x_title="", y_title="loss, nats a word", y_range=(0, 9), title=title, **by_step(run), **SIDE
    )


def exact(run: Shown) -> Curves:
    lines = tuple(
        Line(rate, take.steps, take.exact, ROLES[rate], points=True) for rate, take in run.takes.items()
    )
    look: dict[str, Any] = {"x_title": "training step", "y_title": "share right", "y_range": (0, 1)}
    return Curves(
        lines, title="New sentences without a fault", **look, **by_step(run), **SIDE | {"tall": 168}
    )


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
    title = f"Attention after step {run.step:,}, {briefly(run)}; gold dashed"
    if not run.take.looks:
        title, look["hatched"] = f"After step {run.step:,}: it cannot look; gold dashed", "no attention"
    return Heatmap(run.weights, run.target, run.source, gold=run.gold, title=title, **look)


def outputs(run: Shown) -> Tokens:
    lines = []
    for rate, take in run.takes.items():
        said = tuple(word for word in take.outputs[take.at(run.step)].split() if word != "<eos>")
        lines.append(
            TokenLine(rate, said[:16] + (("…",) if len(said) > 16 else ()), right=said == run.target)
        )
    return Tokens(
        tuple(lines),
        key="word",
        wide=900,
        tall=90 + 20 * (len(lines) - 3),
        title=f"What each writes at step {run.step:,}, or at its end",
    )


def reading(run: Shown) -> str:
    take = run.take
    at = take.at(run.step)
    gold = (
        f"**{take.on_gold[at]:.2f}** of the attention where gold says"
        if take.looks
        else "no attention at all"
    )
    said = (
        f"{briefly(run)[0].upper()}{briefly(run)[1:]}, step **{run.step:,}**: loss"
        f" **{take.loss(run.step):.2f}**, **{percent(take.exact[at])}** of the validation sentences without a"
        f" fault, and {gold}."
    )
    others = [
        f"{f'{other.rate:g}' if run.side == 'learning rates' else name}:"
        f" {percent(other.exact[other.at(run.step)])}"
        for name, other in run.takes.items()
        if name != run.chosen
    ]
    return f"{said} The others by then, or at their end: {'; '.join(others)}."


# ---- acts ----


def emergence(run: Shown) -> Curves:
    """Loss and attention on one axis: how much of its own way each has gone."""
    take = run.take
    gone = (take.losses[0] - take.losses) / (take.losses[0] - take.losses.min())
    lines = [Line("loss", take.marks, gone, "target")]
    if take.looks:
        risen = (take.on_gold - take.on_gold[0]) / (take.on_gold.max() - take.on_gold[0])
        lines.append(Line("attention on gold", take.steps, risen, "weight", points=True))
    return Curves(
        tuple(lines),
        x_title="training step",
        y_title="share of the way",
        y_range=(-0.2, 1.1),
        rules=((0.5, "half-way"),),
        wide=900,
        tall=260,
        **by_step(run),
        title=f"How much of its way each has gone, {briefly(run)}",
    )


def when(run: Shown) -> str:
    take = run.take
    if not take.looks:
        return (
            f"Half of the loss is gone after **{take.fallen:,}** steps. It has no attention that could"
            " emerge."
        )
    if take.on_gold.max() < 0.5:
        return (
            f"With {briefly(run)} never more than **{take.on_gold.max():.2f}** of the attention lies on gold:"
            " there is nothing to see emerge yet. Choose another."
        )
    before = take.on_gold[take.at(take.fallen)]
    return (
        f"Half of the loss is gone after **{take.fallen:,}** steps, with **{before:.2f}** of the attention on"
        f" gold; attention is half-way there after about **{take.emerged:,.0f}**."
    )


def final(run: Shown) -> Curves:
    lines = tuple(
        Line(name, take.steps, take.on_gold, ROLES[name], points=True)
        for name, take in run.takes.items()
        if take.looks
    )
    look: dict[str, Any] = {"y_title": "attention on gold", "y_range": (0, 1), "wide": 900, "tall": 240}
    return Curves(
        lines, x_title="training step", title="Attention on gold links, by step", **look, **by_step(run)
    )
