"""Views of a training run shared by `live` and `own`: curves, attention, outputs, and compared runs."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import percent, plural, signed
from lessons.kit.pictures.table import Cell, Link, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.training.dataset import count_training_pairs
from lessons.training.training_run import Run
from lessons.training.training_session import TrainingResult
from models.vocabulary import PAD

ROLES = ("weight", "source", "target", "context", "gold", "quiet")
GOAL = 0.9  # target fraction of held-out pairs without an error


def run_lines(result: TrainingResult, quantity: str) -> tuple[Line, ...]:
    """One line per run; if there are none, one point for the untrained model."""
    if not result.runs:
        value = result.first_loss if quantity == "loss" else 0.0
        return (Line("untrained", [0.0], [value], "quiet", points=True),)
    return tuple(
        Line(
            f"{n + 1}: {words}",
            [look.seconds for look in run.looks],
            [getattr(look, quantity) for look in run.looks],
            ROLES[n % len(ROLES)],
            points=True,
        )
        for n, (run, words) in enumerate(zip(result.runs, result.called, strict=True))
    )


def time_axis(result: TrainingResult) -> dict[str, Any]:
    longest = max([float(result.plan.budget), *(run.last.seconds for run in result.runs)])
    return {"wide": 480, "x_range": (0, longest)}


def exact(result: TrainingResult) -> Curves:
    return Curves(
        run_lines(result, "exact"),
        x_title="",
        y_title="exact match",
        title="Unseen pairs without an error",
        y_range=(0, 1),
        rules=((GOAL, ""),),
        tall=148,
        **time_axis(result),
    )


def loss(result: TrainingResult) -> Curves:
    top = max([4.0, *(look.loss for run in result.runs for look in run.looks)])
    return Curves(
        run_lines(result, "loss"),
        x_title="seconds of training",
        y_title="nats per token",
        title="Loss",
        y_range=(0, float(min(top, 12))),
        tall=158,
        **time_axis(result),
    )


def gaze(result: TrainingResult) -> Heatmap:
    has_attention = result.weights is not None
    weights = result.weights if has_attention else np.full((len(result.fed), len(result.source)), np.nan)
    when = f"after {plural(result.run.last.step, 'step')}" if result.run else "before training"
    return Heatmap(
        weights,
        visible_spaces(result.fed),
        visible_spaces(result.source),
        title=f"Attention {when}" if has_attention else "This model has no attention",
        keys=("target", "source"),
        row_role="target",
        column_role="source",
        row_title="writes",
        column_title="attends to",
        wide=410,
        tall=326,
        hatched="masked" if has_attention else "no attention",
    )


def visible_spaces(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple("␣" if word == " " else word for word in words)


def tries(result: TrainingResult) -> Tokens:
    """The outputs for three held-out pairs and the learner's sentence."""
    separator = " " if result.unit == "word" else ""
    lines = []
    for source, output, is_right in (*result.samples, (result.source, result.output, result.right)):
        text = result.target_separator.join(output).replace(PAD, "·") or "–"
        lines.append(TokenLine(separator.join(source), (text,), right=is_right))
    return Tokens(tuple(lines), key="word", wide=560, tall=90, title="Three unseen sources, and yours")


def reading(result: TrainingResult) -> str:
    run = result.run
    if run is None:
        return (
            f"The model has **{result.parameters:,}** untrained weights. With equal probabilities for all"
            f" tokens its loss would be **{result.first_loss:.2f}** nats. Press “train”."
        )
    speed = f" ({run.speed:,.0f} pairs per second)" if run.speed else ""
    sentences = [
        f"After **{run.last.seconds:.0f}** s and {plural(run.last.step, 'step')}{speed} the loss is"
        f" **{run.last.loss:.2f}**.",
        f"**{percent(run.last.exact)}** of the unseen pairs have no error.",
    ]
    reached = run.seconds_to_reach(GOAL)
    if run.lost is not None:
        sentences.append(
            f"At step {run.lost:,} the loss diverged (NaN or infinity) and training ended: the learning rate"
            " is too large."
        )
    elif run.left > 0:
        sentences.append(f"**{run.left:.0f}** s are left.")
    elif reached is not None:
        sentences.append(f"The run reached 90% after **{reached:.0f}** s.")
    return " ".join(sentences)


def compared(result: TrainingResult) -> Table:
    headings = (
        "run",
        "what differs",
        "seconds",
        "steps",
        "pairs per second",
        "right",
        "90% after",
        "take it home",
    )
    rows = tuple(
        comparison_row(n, run, words, result.home(run.name))
        for n, (run, words) in enumerate(zip(result.runs, result.called, strict=True), start=1)
    )
    marked = frozenset(n for n, run in enumerate(result.runs) if run.name == result.view)
    empty = (("–", "no run yet", "–", "–", "–", "–", "–", "–"),)
    return Table(headings, rows or empty, marked=marked, wide=900, title="Your runs")


def comparison_row(n: int, run: Run, words: str, download: str) -> tuple[Cell, ...]:
    reached = run.seconds_to_reach(GOAL)
    return (
        str(n),
        words,
        f"{run.last.seconds:.0f}",
        f"{run.last.step:,}",
        signed(run.speed, 0),
        percent(run.last.exact),
        "–" if reached is None else f"{reached:.0f} s",
        Link("weights and code", download),
    )


def epoch(result: TrainingResult) -> str:
    """Say how many steps an epoch takes, and how many epochs the run in view made."""
    plan, pairs = result.plan, count_training_pairs(result.plan.task)
    text = (
        f"One step uses a batch of **{plan.batch}** pairs. So one epoch, a pass over all {pairs:,} pairs,"
        f" takes **{pairs / plan.batch:,.0f}** steps."
    )
    if result.run is None:
        return text
    steps = result.run.last.step
    return f"{text} This run made {plural(steps, 'step')}, or **{steps * plan.batch / pairs:.1f}** epochs."


def size(result: TrainingResult) -> Bars:
    """The number of parameters in each part of the model."""
    names, counts = zip(*((name, count) for name, count in result.parts.items() if count), strict=True)
    return Bars(
        np.array(counts, dtype=float),
        names,
        top=float(max(counts)),
        role="source",
        digits=0,
        wide=560,
        title=f"Parameters of the model in view, {result.parameters:,} in all",
    )
