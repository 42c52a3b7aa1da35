"""By heart, or understood: the gap."""

from typing import Any

import numpy as np

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import percent
from lessons.training.compute.overfit import STEPS, Learnt

CHANCE = ((0.5, "guessing"),)


def gap(run: Learnt) -> Curves:
    lines = (
        Line("trained on", run.steps, run.known, "source"),
        Line("new", run.steps, run.new, "target", np.minimum(run.known, run.new), np.maximum(run.known, run.new)),
    )
    look: dict[str, Any] = {"y_range": (0.3, 1), "x_range": (0, STEPS), "rules": CHANCE, "wide": 900, "tall": 380}
    return Curves(lines, x_title="training step", y_title="share right", title="Trained on, new, and the gap between them", **look)


def reading(run: Learnt) -> str:
    said = (
        f"**{run.examples}** examples, {percent(run.wrong)} of the labels wrong: in the end **{percent(run.known[-1])}** "
        f"of the examples trained on are right by their labels, and **{percent(run.new[-1])}** of new ones."
    )
    if run.gap > 0.1:
        return f"{said} The gap of **{percent(run.gap)}** was learned by heart."
    if run.new[-1] > 0.8:
        return f"{said} What it learned holds for new ones, too."
    return f"{said} It has learned little so far." if run.new[-1] < 0.65 else f"{said} It has found part of the rule."


def heart(run: Learnt) -> Curves:
    line = Line("wrong labels repeated", run.steps, run.believed, "target")
    look: dict[str, Any] = {"y_range": (0, 1), "x_range": (0, STEPS), "wide": 900, "tall": 240}
    return Curves(
        (line,), x_title="training step", y_title="share of the wrong labels", title="Wrong labels that it repeats", **look
    )


def repeated(run: Learnt) -> str:
    if not np.isfinite(run.believed[-1]):
        return "No label is wrong here. Set some wrong, and see whether it believes them."
    repeats, errs = float(run.believed[-1]), 1 - float(run.new[-1])
    said = f"In the end it repeats **{percent(repeats)}** of the wrong labels; of new examples it gets **{percent(errs)}** wrong"
    luck = 2 * np.sqrt(errs * (1 - errs) / (run.examples * run.wrong))  # two standard errors, of so many labels
    if repeats > errs + luck:
        return f"{said}. No rule gives the wrong labels: what it repeats beyond its errors, it has by heart."
    return f"{said}. So it hardly repeats more than it errs anyway: it has not learned them by heart."
