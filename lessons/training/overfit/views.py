"""The gap between training and unseen examples, and the wrong labels that a network memorises."""

import numpy as np

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import percent
from lessons.training.overfit.compute import SEEDS, STEPS, OverfitRun, wrong_label_count

OVER_SEEDS = f"mean and range of {SEEDS} seeds"


def seed_line(name: str, run: OverfitRun, values: np.ndarray, role: str) -> Line:
    """The mean over seeds, with a band from minimum to maximum. values (seeds, measurements)"""
    return Line(name, run.steps, values.mean(0), role, values.min(0), values.max(0))


def gap(run: OverfitRun) -> Curves:
    return Curves(
        (
            seed_line("trained on", run, run.known, "source"),
            seed_line("unseen", run, run.new, "target"),
            Line(f"unseen, seed {run.seed}", run.steps, run.new[run.seed], "quiet", dashed=True),
        ),
        x_title="training step",
        y_title="fraction correct",
        title=f"Training examples, unseen examples, and the gap between them: {OVER_SEEDS}",
        y_range=(0.3, 1),
        x_range=(0, STEPS),
        rules=((0.5, "guessing"),),
        wide=900,
        tall=380,
    )


def reading(run: OverfitRun) -> str:
    known, new = run.known[:, -1], run.new[:, -1]
    wrong = wrong_label_count(run.examples, run.wrong)
    labels = f"{wrong:,} of them with a wrong label" if wrong else "all with the right label"
    sentences = [
        f"The network was trained on **{run.examples:,}** examples, {labels}.",
        f"It reproduces **{percent(known.mean())}** of the training labels and is right on"
        f" **{percent(new.mean())}** of the unseen examples.",
        f"The worst of the {SEEDS} seeds is right on {percent(new.min())} of the unseen examples, the best on"
        f" {percent(new.max())}.",
        describe_outcome(run.gap, float(new.mean())),
    ]
    return " ".join(sentences)


def describe_outcome(gap: int, unseen: float) -> str:
    if gap > 10:
        return (
            f"The gap is **{gap}** percentage points: the network has memorised its examples (it overfits)."
        )
    if unseen > 0.8:
        return "What the network learned also holds for unseen examples."
    return "The network has learned little." if unseen < 0.65 else "The network has found part of the rule."


def heart(run: OverfitRun) -> Curves:
    return Curves(
        (seed_line("wrong labels repeated", run, run.believed, "target"),),
        x_title="training step",
        y_title="fraction of the wrong labels",
        title=f"Wrong labels that the network repeats: {OVER_SEEDS}",
        y_range=(0, 1),
        x_range=(0, STEPS),
        wide=900,
        tall=240,
    )


def repeated(run: OverfitRun) -> str:
    if not np.isfinite(run.believed).all():
        return (
            "All labels are right here. Raise “Fraction of wrong labels” and see whether the network repeats"
            " them."
        )
    repeats, errors = run.believed[:, -1], 1 - run.new[:, -1]
    figures = (
        f"In the end the network repeats **{percent(repeats.mean())}** of the wrong labels. It gives a"
        f" wrong label to **{percent(errors.mean())}** of the unseen examples."
    )
    # 2.8: the 95% quantile of Student's t for five seeds
    margin = 2.8 * np.sqrt((repeats.var(ddof=1) + errors.var(ddof=1)) / SEEDS)
    if repeats.mean() > errors.mean() + margin:
        return f"{figures} Wrong labels follow no rule, so those beyond its usual errors are memorised."
    return f"{figures} The two figures hardly differ, so the network has not memorised the wrong labels."
