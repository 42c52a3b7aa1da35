"""A walk downhill."""

from typing import Any

import numpy as np

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import short
from lessons.kit.pictures.plane import Arrow, Dot, Plane
from lessons.training.compute.rate import CLIP, SPAN, STEPS, SWEPT, WARM, Descent

LOW, HIGH = 1e-2, 1e1  # losses between which the ground gets darker


def hills(run: Descent) -> Plane:
    """The loss of every pair of weights as a tone, and the way that was gone."""
    tones = np.log10(np.clip(run.landscape, LOW, HIGH) / LOW) / np.log10(HIGH / LOW)
    ends = run.lost if run.lost is not None else STEPS + 1
    way = tuple((float(x), float(y)) for x, y in run.weights[: min(run.step + 1, ends)])
    dots = (Dot("now", *way[-1], role="target"),) if len(way) > 1 else ()
    start = (Arrow("start", *way[0], role="source", handle=("start", 0)),)
    return Plane(
        start,
        dots,
        span=SPAN,
        path=way,
        tones=tones,
        x_title="weight on the memory W_hh",
        y_title="weight on the input W_xh",
        wide=430,
        tall=420,
        title="Loss of every pair of weights (strong colour: high), and your way",
    )


def loss(run: Descent) -> Curves:
    line = Line("loss", np.arange(STEPS + 1), run.losses, "target")
    lost = ((float(run.lost), float(STEPS), "diverged"),) if run.lost is not None else ()
    look: dict[str, Any] = {
        "log_y": True,
        "y_range": (1e-3, 1e3),
        "x_range": (0, STEPS),
        "current": run.step,
        "shaded": lost,
    }
    return Curves((line,), x_title="step", y_title="loss", wide=450, tall=330, title="Loss, by step", **look)


def reading(run: Descent) -> str:
    means = [name for name, on in (("warm-up", run.warm), ("clipping", run.clip)) if on]
    beside = f" with {' and '.join(means)}" if means else ""
    first, best, last = float(run.losses[0]), float(np.nanmin(run.losses)), float(run.losses[-1])
    begin = (
        f"With a learning rate of **{short(run.rate, 2)}**{beside} the loss begins at **{short(first, 2)}**"
    )
    if run.lost is not None:
        return (
            f"{begin} and diverges at step **{run.lost}**: {how_lost(run.losses[: run.lost])}. "
            "No gradient leads back from there. Try another start, a smaller rate or clipping."
        )
    said = f"{begin} and is **{short(last, 2)}** after {STEPS} steps."
    if short(last, 2) == short(first, 2):
        return f"{said} So it hardly moved."
    if last > first:
        said += " So training made it worse."
    if last > 2 * best + 1e-3 and best < 0.5 * first:
        said += f" On the way it was as low as **{short(best, 2)}**, but it did not stay there."
    elif 0.5 * first < last <= first:
        said += " That is more than half of what it began with."
    if np.abs(run.weights).max() > SPAN:
        said += " The weights left the map; such places are drawn at its edge."
    return said


def how_lost(losses: np.ndarray) -> str:
    """What the losses did before they diverged."""
    if len(losses) == 1:
        return "the first step was too long"
    higher = "landed where the loss is higher and the gradient longer"
    if (np.diff(losses) > 0).all():
        return f"each step {higher}"
    return f"the loss came down to **{short(losses.min(), 2)}**, then a step {higher}"


# ---- acts ----


def steps(run: Descent) -> Curves:
    """How long the gradient is, and how far a step goes."""
    n = np.arange(STEPS + 1)
    rate = run.rate * np.minimum(1, (n + 1) / WARM) if run.warm else np.full(STEPS + 1, run.rate)
    used = np.minimum(run.gradients, CLIP) if run.clip else run.gradients
    lines = (Line("gradient", n, run.gradients, "source"), Line("moved by", n, rate * used, "target"))
    rules = ((CLIP, "clipped above"),) if run.clip else ()
    look: dict[str, Any] = {
        "log_y": True,
        "y_range": (1e-4, 1e4),
        "x_range": (0, STEPS),
        "current": run.step,
        "rules": rules,
    }
    return Curves(
        lines,
        x_title="step",
        y_title="length",
        wide=900,
        tall=280,
        title="Length of the gradient, and of the step",
        **look,
    )


def sweep(run: Descent) -> Curves:
    rates = 10 ** np.array(SWEPT)
    line = Line("loss at the end", rates, run.swept, "target", points=True)
    broken = rates[~np.isfinite(run.swept)]
    shaded = ((float(broken.min()) / 1.12, float(rates[-1]), "some diverge"),) if len(broken) else ()
    look: dict[str, Any] = {
        "log_x": True,
        "log_y": True,
        "y_range": (1e-3, 1e3),
        "shaded": shaded,
        "current": run.rate,
    }
    return Curves(
        (line,),
        x_title="learning rate",
        y_title="loss",
        wide=900,
        tall=280,
        title=f"Loss after {STEPS} steps, by rate",
        **look,
    )
