"""Recorded training runs: loss, exact match, attention and output at one moment."""

from typing import Any

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import percent
from lessons.kit.pictures.phrases import join_with_and
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.training.film.compute import FilmRun
from models.vocabulary import EOS

ROLES = {
    "too small": "source",
    "good": "weight",
    "too large": "target",
    "additive": "weight",
    "dot": "context",
    "no attention": "source",
    "Transformer": "target",
}
MAX_WORDS_SHOWN = 16


def chosen_name(run: FilmRun) -> str:
    return f"rate {run.take.rate:g}" if run.side == "learning rates" else run.chosen


def step_axis(run: FilmRun) -> dict[str, Any]:
    last = max(take.steps[-1] for take in run.takes.values())
    return {"log_x": True, "x_range": (1, last), "current": run.step}


def loss(run: FilmRun) -> Curves:
    rates = ", ".join(f"{take.rate:g}" for take in run.takes.values())
    return Curves(
        tuple(Line(name, take.marks, take.losses, ROLES[name]) for name, take in run.takes.items()),
        x_title="",
        y_title="loss, nats per word",
        y_range=(0, 9),
        title="Loss by step" + (f", learning rates {rates}" if run.side == "learning rates" else ""),
        wide=450,
        tall=146,
        **step_axis(run),
    )


def exact(run: FilmRun) -> Curves:
    return Curves(
        tuple(
            Line(name, take.steps, take.exact, ROLES[name], points=True) for name, take in run.takes.items()
        ),
        x_title="training step",
        y_title="exact match",
        y_range=(0, 1),
        title="Unseen sentences without an error",
        wide=450,
        tall=162,
        **step_axis(run),
    )


def gaze(run: FilmRun) -> Heatmap:
    has_attention = run.take.has_attention
    title = f"After step {run.step:,}, {chosen_name(run)}; gold dashed"
    return Heatmap(
        run.weights,
        run.target,
        run.source,
        gold=run.gold,
        title=f"Attention {title[0].lower()}{title[1:]}" if has_attention else title,
        keys=("target", "source"),
        row_role="target",
        column_role="source",
        row_title="writes",
        column_title="attends to",
        wide=440,
        tall=340,
        hatched="masked" if has_attention else "no attention",
    )


def outputs(run: FilmRun) -> Tokens:
    lines = []
    for name, take in run.takes.items():
        words = tuple(word for word in take.outputs[take.moment_at(run.step)].split() if word != EOS)
        shown = words[:MAX_WORDS_SHOWN] + (("…",) if len(words) > MAX_WORDS_SHOWN else ())
        lines.append(TokenLine(name, shown, right=words == run.target))
    return Tokens(
        tuple(lines),
        key="word",
        wide=900,
        tall=90 + 20 * (len(lines) - 3),
        title=f"The output of each model at step {run.step:,}, or at its end",
    )


def reading(run: FilmRun) -> str:
    take, name = run.take, chosen_name(run)
    moment = take.moment_at(run.step)
    gold = (
        f"Gold links get **{take.on_gold[moment]:.2f}** of the attention"
        if take.has_attention
        else "This model has no attention"
    )
    others = [
        f"{percent(other.exact[other.moment_at(run.step)])} ({label})"
        for label, other in run.takes.items()
        if label != run.chosen
    ]
    return (
        f"At step **{run.step:,}**, with {name}, the loss is **{take.loss(run.step):.2f}** nats per word. Of"
        f" the unseen sentences, **{percent(take.exact[moment])}** have no error. In other runs, now or"
        f" at their end, the share is {join_with_and(others)}. {gold}."
    )


# ---- closer looks ----


def emergence(run: FilmRun) -> Curves:
    """Loss and attention on one axis, each as a fraction of its total change."""
    take = run.take
    fallen = (take.losses[0] - take.losses) / (take.losses[0] - take.losses.min())
    lines = [Line("loss", take.marks, fallen, "target")]
    if take.has_attention:
        risen = (take.on_gold - take.on_gold[0]) / (take.on_gold.max() - take.on_gold[0])
        lines.append(Line("attention on gold", take.steps, risen, "weight", points=True))
    return Curves(
        tuple(lines),
        x_title="training step",
        y_title="fraction of the change",
        y_range=(-0.2, 1.1),
        rules=((0.5, "half-way"),),
        wide=900,
        tall=260,
        **step_axis(run),
        title=f"Loss and attention, as fractions of their total change, {chosen_name(run)}",
    )


def when(run: FilmRun) -> str:
    take = run.take
    loss_gone = f"Half of the loss is gone after **{take.loss_half_step:,}** steps"
    if not take.has_attention:
        return f"{loss_gone}. This model has no attention, so none can emerge."
    if take.on_gold.max() < 0.5:
        return (
            f"With {chosen_name(run)}, gold links get at most **{take.on_gold.max():.2f}** of the attention,"
            " so attention does not emerge. Choose another run."
        )
    then = take.on_gold[take.moment_at(take.loss_half_step)]
    return (
        f"{loss_gone}; at that step, gold links get **{then:.2f}** of the attention. Attention is half-way to"
        f" its maximum after about **{take.attention_half_step:,.0f}** steps."
    )


def final(run: FilmRun) -> Curves:
    return Curves(
        tuple(
            Line(name, take.steps, take.on_gold, ROLES[name], points=True)
            for name, take in run.takes.items()
            if take.has_attention
        ),
        x_title="training step",
        y_title="attention on gold",
        y_range=(0, 1),
        wide=900,
        tall=240,
        title="Attention on gold links, by step",
        **step_axis(run),
    )
