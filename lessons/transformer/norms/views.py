"""Norms in numbers, the placement of the norm, and recorded training runs with and without norms."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import percent, plural, signed, subscript
from lessons.kit.pictures.table import Table
from lessons.transformer.norms.compute import NormsRun
from lessons.transformer.norms.placement import PLACEMENTS
from lessons.transformer.norms.recorded import RATES
from lessons.transformer.norms.residual import ResidualBlock
from models.norms import RECORDED_STEPS, STEPS

HALF_WIDTH_PX, WIDTH_PX = 440, 920
MAX_INPUT, MAX_OUTPUT = 4.0, 5.0  # values of full bars, before and after a norm
ROLES = {"pre": "source", "post": "target", "none": "weight"}


def number_names(run: NormsRun) -> tuple[str, ...]:
    return tuple(f"x{subscript(j)}" for j in range(1, len(run.x) + 1))


def number_keys(run: NormsRun) -> tuple[str, ...]:
    return tuple(f"number:{j}" for j in range(len(run.x)))


def given(run: NormsRun) -> Bars:
    return Bars(
        run.x,
        number_names(run),
        role=None,
        wide=HALF_WIDTH_PX,
        title=f"Drag the numbers of one word: mean {signed(run.mean)}, std {run.std:.2f}",
        handle="x",
        low=-MAX_INPUT,
        high=MAX_INPUT,
        top=MAX_INPUT,
        keys=number_keys(run),
    )


def layer_norm(run: NormsRun) -> Bars:
    return output_bars(run, 0, "Layer norm: over the numbers of this word")


def batch_norm(run: NormsRun) -> Bars:
    return output_bars(run, 1, "Batch norm in training: each number over the batch")


def batch_norm_in_use(run: NormsRun) -> Bars:
    return output_bars(run, 2, "Batch norm after training: stored statistics")


def output_bars(run: NormsRun, norm: int, title: str) -> Bars:
    return Bars(
        run.out[norm],
        number_names(run),
        role=None,
        top=MAX_OUTPUT,
        keys=number_keys(run),
        wide=HALF_WIDTH_PX,
        title=title,
        compare=run.start[norm],
        compare_names=("now", "at the start"),
    )


def reading(run: NormsRun) -> str:
    out = run.out[0]
    if run.std < 0.01:
        sentences = [f"All numbers are equal, so the layer norm leaves only β = **{signed(run.shift)}**."]
    else:
        sentences = [
            f"Before the layer norm, the mean is {signed(run.mean)} and the standard deviation is"
            f" {run.std:.2f}.",
            f"After the layer norm they are **{signed(float(out.mean()))}** and **{out.std():.2f}**, the"
            " values of β and |γ|, whatever you drag.",
        ]
    if run.loud == 1:
        sentences.append("Now enlarge the other sentence in the batch: which outputs change?")
    else:
        layer, in_training, in_use = run.moved
        sentences += [
            f"You multiplied the other sentence by {run.loud:g}: your word changes by **{layer:.2f}** after"
            f" layer norm and by up to **{in_training:.2f}** after batch norm in training.",
            f"After training, batch norm uses stored statistics, so your word changes by **{in_use:.2f}**.",
        ]
    return " ".join(sentences)


# ---- closer looks at one word ----


def by_hand(run: NormsRun) -> Table:
    rows = tuple(
        (name, *(signed(float(value)) for value in values))
        for name, values in zip(
            ("x", "x − mean", "(x − mean) / std", "γ · that + β"),
            (run.x, run.centred, run.scaled, run.out[0]),
            strict=True,
        )
    )
    title = f"mean {signed(run.mean)}, std {run.std:.2f}, γ {signed(run.stretch)}, β {signed(run.shift)}"
    return Table(("", *number_names(run)), rows, wide=WIDTH_PX, title=title)


def batch(run: NormsRun) -> Heatmap:
    return Heatmap(
        run.batch,
        ("your word", *(f"other word {n}" for n in range(1, len(run.batch)))),
        number_names(run),
        wide=WIDTH_PX,
        title="The batch: one row per word",
        keys=("word", "number"),
        role=None,
        top=MAX_INPUT,
    )


def learned(run: NormsRun) -> Table:
    rows = tuple(
        (name, *(signed(float(value)) for value in (np.min(numbers), np.mean(numbers), np.max(numbers))))
        for name, numbers in zip(("γ (begins at 1)", "β (begins at 0)"), run.learned, strict=True)
    )
    title = f"The first norm of the trained Transformer: {len(run.learned[0])} numbers each"
    return Table(("", "minimum", "mean", "maximum"), rows, title=title)


# ---- placement of the norm ----


def wiring(run: NormsRun) -> ResidualBlock:
    title = f"{PLACEMENTS[run.place]}: the first block of an untrained model"
    return ResidualBlock(run.before_training[run.place].parts, title=title, wide=HALF_WIDTH_PX)


def growth(run: NormsRun) -> Curves:
    lines = tuple(
        Line(PLACEMENTS[norm], np.arange(len(spread.stream)), spread.stream, ROLES[norm], points=True)
        for norm, spread in run.before_training.items()
    )
    return Curves(
        lines,
        wide=HALF_WIDTH_PX,
        tall=230,
        title="Size of x in each layer of an untrained model",
        x_title="after layer",
        y_title="spread of a word’s numbers",
        log_y=True,
        y_range=(0.5, 30),
    )


def told_place(run: NormsRun) -> str:
    stream = run.before_training[run.place].stream
    others = " and ".join(
        f"{spread.stream[-1]:.1f} with {PLACEMENTS[norm]}"
        for norm, spread in run.before_training.items()
        if norm != run.place
    )
    return (
        f"With {PLACEMENTS[run.place]}, the standard deviation of x changes from {stream[0]:.1f} to"
        f" **{stream[-1]:.1f}** in {len(stream) - 1} layers. At the end it is {others}."
    )


# ---- training with and without norms ----


def mean_line(name: str, x: Any, values: np.ndarray, role: str) -> Line:
    """Line of the mean of values (n, seeds), with a band over all seeds; it ends where a seed diverges."""
    return Line(name, x, values.mean(1), role, low=values.min(1), high=values.max(1), points=True)


def curves_by_step(run: NormsRun, quantity: str, **axes: Any) -> Curves:
    lines = tuple(
        mean_line(PLACEMENTS[norm], RECORDED_STEPS, getattr(trainings, quantity)[run.rate].T, ROLES[norm])
        for norm, trainings in run.films.items()
    )
    return Curves(
        lines,
        wide=HALF_WIDTH_PX,
        tall=220,
        x_title="training step",
        log_x=True,
        x_range=(1, STEPS),
        current=RECORDED_STEPS[run.moment],
        **axes,
    )


def loss(run: NormsRun) -> Curves:
    title = f"Loss by step, rate {RATES[run.rate]}"
    return curves_by_step(run, "loss", y_title="loss, nats per word", log_y=True, title=title)


def accuracy(run: NormsRun) -> Curves:
    title = "Accuracy on unseen sentences"
    return curves_by_step(run, "accuracy", y_title="fraction of words correct", y_range=(0, 1), title=title)


def sweep(run: NormsRun) -> Table:
    """Final results as a table, because curves would hide which runs diverged."""
    rows = tuple(
        (PLACEMENTS[norm], *map(describe_seeds, trainings.accuracy[:, :, -1]))
        for norm, trainings in run.films.items()
    )
    title = f"Words correct after {STEPS} steps, by learning rate: mean (minimum to maximum)"
    return Table(("", *RATES), rows, wide=WIDTH_PX, title=title)


def told_training(run: NormsRun) -> str:
    seeds = plural(run.films["none"].broke.shape[1], "seed")
    sentences = [
        f"This is the fraction of words that {seeds} get right at step **{RECORDED_STEPS[run.moment]}** with"
        f" learning rate {RATES[run.rate]}.",
        *(
            f"With {PLACEMENTS[norm]}, {state_accuracy(trainings.accuracy[run.rate, :, run.moment])}."
            for norm, trainings in run.films.items()
        ),
    ]
    for norm, trainings in run.films.items():
        if steps := sorted(step for step in trainings.broke[run.rate].tolist() if step):
            sentences.append(
                f"With {PLACEMENTS[norm]}, seeds diverge at step {' and '.join(map(str, steps))}: from there"
                " on, their loss is NaN or infinite."
            )
    return " ".join(sentences)


def describe_seeds(accuracies: np.ndarray) -> str:
    """Mean and range of accuracies (seeds,). Diverged seeds are counted, but not averaged."""
    finite = accuracies[~np.isnan(accuracies)]
    diverged = count_diverged(accuracies)
    if not len(finite):
        return diverged
    low, high = percent(float(finite.min())), percent(float(finite.max()))
    mean = percent(float(finite.mean())) + (f" ({low} to {high})" if low != high else "")
    return (
        mean if len(finite) == len(accuracies) else f"{mean} with {plural(len(finite), 'seed')}; {diverged}"
    )


def count_diverged(accuracies: np.ndarray) -> str:
    return f"{np.isnan(accuracies).sum()} of {len(accuracies)} seeds diverged"


def state_accuracy(accuracies: np.ndarray) -> str:
    """The same as a clause: “the mean is 95% (from 95% to 96%)”."""
    finite = accuracies[~np.isnan(accuracies)]
    if not len(finite):
        return count_diverged(accuracies)
    mean, low, high = (percent(float(value)) for value in (finite.mean(), finite.min(), finite.max()))
    if len(finite) < len(accuracies):
        left = "the other seed gets" if len(finite) == 1 else "the mean of the others is"
        return f"{count_diverged(accuracies)}, and {left} **{mean}**"
    return f"the mean is **{mean}**" + (f" (from {low} to {high})" if low != high else "")
