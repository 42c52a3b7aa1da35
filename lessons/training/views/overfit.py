"""Memorised or understood: the gap between training examples and unseen ones."""

from typing import Any

import numpy as np

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import percent
from lessons.training.compute.overfit import SEEDS, STEPS, Learnt, wrong_labels

CHANCE = ((0.5, "guessing"),)
OVER_SEEDS = f"mean and range of {SEEDS} seeds"


def over_seeds(name: str, run: Learnt, values: np.ndarray, role: str) -> Line:
    """The mean over seeds with a band from the lowest to the highest. values (seeds, looks)"""
    return Line(name, run.steps, values.mean(0), role, values.min(0), values.max(0))


def gap(run: Learnt) -> Curves:
    lines = (
        over_seeds("trained on", run, run.known, "source"),
        over_seeds("unseen", run, run.new, "target"),
        Line(f"unseen, seed {run.seed}", run.steps, run.new[run.seed], "quiet", dashed=True),
    )
    look: dict[str, Any] = {
        "y_range": (0.3, 1),
        "x_range": (0, STEPS),
        "rules": CHANCE,
        "wide": 900,
        "tall": 380,
    }
    title = f"Training examples, unseen examples, and the gap between them: {OVER_SEEDS}"
    return Curves(lines, x_title="training step", y_title="fraction correct", title=title, **look)


def reading(run: Learnt) -> str:
    known, new = run.known[:, -1], run.new[:, -1]
    wrong = wrong_labels(run.examples, run.wrong)
    labels = f"{wrong:,} of them with a wrong label" if wrong else "all with the right label"
    said = (
        f"With **{run.examples:,}** examples, {labels}, the network ends up giving"
        f" **{percent(known.mean())}** of its training labels, and the true label of"
        f" **{percent(new.mean())}** of unseen examples. Of the {SEEDS} seeds the worst is right on"
        f" {percent(new.min())} of the unseen examples and the best on {percent(new.max())}."
    )
    if run.gap > 10:
        return f"{said} The gap of **{run.gap}** percentage points is memorised, not understood."
    if new.mean() > 0.8:
        return f"{said} What it learned also holds for unseen examples."
    return f"{said} It has learned little." if new.mean() < 0.65 else f"{said} It has found part of the rule."


def heart(run: Learnt) -> Curves:
    line = over_seeds("wrong labels repeated", run, run.believed, "target")
    look: dict[str, Any] = {"y_range": (0, 1), "x_range": (0, STEPS), "wide": 900, "tall": 240}
    title = f"Wrong labels that the network repeats: {OVER_SEEDS}"
    return Curves(
        (line,), x_title="training step", y_title="fraction of the wrong labels", title=title, **look
    )


def repeated(run: Learnt) -> str:
    if not np.isfinite(run.believed).all():
        return "No label is wrong here. Set some wrong and see whether the network repeats them."
    repeats, errors = run.believed[:, -1], 1 - run.new[:, -1]
    said = (
        f"In the end the network repeats **{percent(repeats.mean())}** of the wrong labels. It is wrong about"
        f" **{percent(errors.mean())}** of the unseen examples."
    )
    chance = 2.8 * np.sqrt(
        (repeats.var(ddof=1) + errors.var(ddof=1)) / SEEDS
    )  # Student's t for five seeds, 95 of 100
    if repeats.mean() > errors.mean() + chance:
        return f"{said} No rule gives the wrong labels, so what it repeats beyond its errors is memorised."
    return (
        f"{said} It hardly repeats wrong labels more often than it errs anyway, so it has not memorised them."
    )
