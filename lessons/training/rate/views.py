"""Gradient descent on two weights: the path, the loss, and the size of each step."""

import numpy as np

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import bold_count, short
from lessons.kit.pictures.plane import Arrow, Dot, Plane
from lessons.training.rate.compute import (
    MAX_GRADIENT,
    MAX_WEIGHT,
    STEPS,
    SWEPT_POWERS,
    WARM_UP_STEPS,
    DescentRun,
)

MIN_LOSS, MAX_LOSS = 1e-2, 1e1  # losses with the lightest and the strongest colour
PLATEAU = 0.005  # a loss this close to that of a network with weights 0, relative to it, counts as the same


def hills(run: DescentRun) -> Plane:
    """The loss for every pair of weights as a colour, with the path of the descent."""
    clipped = np.clip(run.landscape, MIN_LOSS, MAX_LOSS)
    tones = np.log10(clipped / MIN_LOSS) / np.log10(MAX_LOSS / MIN_LOSS)
    end = run.diverged_at if run.diverged_at is not None else STEPS + 1
    path = tuple((float(x), float(y)) for x, y in run.weights[: min(run.step + 1, end)])
    return Plane(
        (Arrow("start", *path[0], role="source", handle=("start", 0)),),
        (Dot("now", *path[-1], role="target"),) if len(path) > 1 else (),
        span=MAX_WEIGHT,
        path=path,
        tones=tones,
        x_title="weight on the memory W_hh",
        y_title="weight on the input W_xh",
        wide=430,
        tall=420,
        title="Loss of every pair of weights (strong colour: high), and your path",
    )


def loss(run: DescentRun) -> Curves:
    diverged_at = run.diverged_at
    return Curves(
        (Line("loss", np.arange(STEPS + 1), run.losses, "target"),),
        x_title="step",
        y_title="loss",
        wide=450,
        tall=330,
        title="Loss, by step",
        log_y=True,
        y_range=(1e-3, 1e3),
        x_range=(0, STEPS),
        current=run.step,
        shaded=() if diverged_at is None else ((float(diverged_at), float(STEPS), "diverged"),),
    )


def reading(run: DescentRun) -> str:
    options = [name for name, is_on in (("warm-up", run.warm), ("clipping", run.clip)) if is_on]
    with_options = f" and {' and '.join(options)}" if options else ""
    first, best, last = float(run.losses[0]), float(np.nanmin(run.losses)), float(run.losses[-1])
    start = (
        f"With a learning rate of **{short(run.rate, 2)}**{with_options}, the loss begins at"
        f" **{short(first, 2)}**"
    )
    if run.diverged_at is not None:
        return (
            f"{start} and diverges at step **{run.diverged_at}**."
            f" {describe_divergence(run.losses[: run.diverged_at])}. From there, no gradient leads back to a"
            " small loss. Try another start, a smaller rate or clipping."
        )
    sentences = [f"{start} and is **{short(last, 2)}** after {STEPS} steps."]
    if short(last, 2) == short(first, 2):
        return " ".join([*sentences, "So the loss hardly changed."])
    if last > first:
        sentences.append("So training made the loss larger.")
    if last > 2 * best + 1e-3 and best < 0.5 * first:
        sentences.append(
            f"In between the loss was as low as **{short(best, 2)}**, but it did not stay there."
        )
    elif abs(last - run.zero_loss) < PLATEAU * run.zero_loss:
        sentences.append(
            "A network that always answers 0 has the same loss. The loss surface is nearly flat there, so the"
            " descent is stuck."
        )
    elif 0.5 * first < last <= first:
        rises = int((np.diff(run.losses) > 0).sum())
        sentences.append(
            f"That is more than half of the first loss, and {bold_count(rises, 'step')} made the loss larger."
            if rises
            else "That is more than half of the first loss: these steps are too short."
        )
    if np.abs(run.weights).max() > MAX_WEIGHT:
        sentences.append("Some weights lie outside the picture; they are drawn at its edge.")
    return " ".join(sentences)


def describe_divergence(losses: np.ndarray) -> str:
    """Describe how the losses behaved before they diverged."""
    if len(losses) == 1:
        return "The first step was too long"
    landing = "landed where the loss is higher and the gradient longer"
    if (np.diff(losses) > 0).all():
        return f"Each step {landing}"
    return f"The loss came down to **{short(losses.min(), 2)}**, then a step {landing}"


# ---- closer looks ----


def steps(run: DescentRun) -> Curves:
    """The norm of the gradient and the size of each step."""
    n = np.arange(STEPS + 1)
    rates = run.rate * np.minimum(1, (n + 1) / WARM_UP_STEPS) if run.warm else np.full(STEPS + 1, run.rate)
    clipped = np.minimum(run.gradients, MAX_GRADIENT) if run.clip else run.gradients
    return Curves(
        (Line("gradient", n, run.gradients, "source"), Line("step", n, rates * clipped, "target")),
        x_title="step",
        y_title="length",
        wide=900,
        tall=280,
        title="Length of the gradient, and of the step",
        log_y=True,
        y_range=(1e-4, 1e4),
        x_range=(0, STEPS),
        current=run.step,
        rules=((MAX_GRADIENT, "clipped above"),) if run.clip else (),
    )


def sweep(run: DescentRun) -> Curves:
    rates = 10 ** np.array(SWEPT_POWERS)
    diverged = rates[~np.isfinite(run.swept)]
    shaded = ((float(diverged.min()) / 1.12, float(rates[-1]), "some diverge"),) if len(diverged) else ()
    return Curves(
        (Line("final loss", rates, run.swept, "target", points=True),),
        x_title="learning rate",
        y_title="loss",
        wide=900,
        tall=280,
        title=f"Loss after {STEPS} steps, by rate",
        log_x=True,
        log_y=True,
        y_range=(1e-3, 1e3),
        shaded=shaded,
        current=run.rate,
    )
