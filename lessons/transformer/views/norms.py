"""Norms, number by number."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import lowered, percent, plural, signed
from lessons.kit.pictures.table import Table
from lessons.transformer.compute.norms import Normed
from lessons.transformer.compute.placed import NAMES
from lessons.transformer.compute.trained import RATES
from lessons.transformer.residual import Residual
from models.norms import LOOKS, STEPS

HALF, WIDE = 440, 920
TOP, OUT_TOP = 4.0, 5.0  # full bars: of the numbers that are dragged, of the numbers after a norm
ROLES = {"pre": "source", "post": "target", "none": "weight"}


def names(run: Normed) -> tuple[str, ...]:
    return tuple(f"x{lowered(j)}" for j in range(1, len(run.x) + 1))


def given(run: Normed) -> Bars:
    title = f"One word’s numbers, to drag: mean {signed(run.mean)}, spread {run.std:.2f}"
    look: dict[str, Any] = {"handle": "x", "low": -TOP, "high": TOP, "top": TOP, "keys": keys(run)}
    return Bars(run.x, names(run), role=None, wide=HALF, title=title, **look)


def keys(run: Normed) -> tuple[str, ...]:
    return tuple(f"number:{j}" for j in range(len(run.x)))


def layer_norm(run: Normed) -> Bars:
    return normed(run, 0, "Layer norm: over these numbers")


def batch_norm(run: Normed) -> Bars:
    return normed(run, 1, "Batch norm in training: each number over the batch")


def batch_norm_in_use(run: Normed) -> Bars:
    return normed(run, 2, "Batch norm in use: statistics kept from training")


def normed(run: Normed, way: int, title: str) -> Bars:
    compare: dict[str, Any] = {"compare": run.start[way], "compare_names": ("now", "at the start")}
    return Bars(
        run.out[way], names(run), role=None, top=OUT_TOP, keys=keys(run), wide=HALF, title=title, **compare
    )


def reading(run: Normed) -> str:
    out = run.out[0]
    said = (
        f"Mean {signed(run.mean)} and spread {run.std:.2f} become **{signed(float(out.mean()))}** and"
        f" **{out.std():.2f}**: β and |γ|, whatever you drag. "
    )
    if run.std < 0.01:
        said = f"All numbers are alike: nothing is left of them but β = **{signed(run.shift)}**. "
    layer, batch, in_use = run.moved
    if run.loud == 1:
        return f"{said}Now make the other sentence in the batch louder: which outputs move?"
    said += (
        f"With the other sentence × {run.loud:g}, your word moves by **{layer:.2f}** after layer norm and by"
        " up to "
    )
    return (
        f"{said}**{batch:.2f}** after batch norm in training. In use, with kept statistics, it moves by"
        f" **{in_use:.2f}**."
    )


# ---- closer ----


def by_hand(run: Normed) -> Table:
    rows = tuple(
        (name, *(signed(float(value)) for value in values))
        for name, values in zip(
            ("x", "x − mean", "(x − mean) / std", "γ · that + β"),
            (run.x, run.centred, run.scaled, run.out[0]),
            strict=True,
        )
    )
    title = f"mean {signed(run.mean)}, std {run.std:.2f}, γ {signed(run.stretch)}, β {signed(run.shift)}"
    return Table(("", *names(run)), rows, wide=WIDE, title=title)


def batch(run: Normed) -> Heatmap:
    rows = ("your word", *(f"another’s {n}" for n in range(1, len(run.batch))))
    look: dict[str, Any] = {"keys": ("word", "number"), "role": None, "top": TOP}
    return Heatmap(run.batch, rows, names(run), wide=WIDE, title="The batch: one row for each word", **look)


def learned(run: Normed) -> Table:
    rows = tuple(
        (name, *(signed(float(value)) for value in (np.min(numbers), np.mean(numbers), np.max(numbers))))
        for name, numbers in zip(("γ (begins at 1)", "β (begins at 0)"), run.learned, strict=True)
    )
    title = f"The first norm of the trained Transformer: {len(run.learned[0])} numbers each"
    return Table(("", "least", "mean", "most"), rows, title=title)


# ---- where the norm stands ----


def wiring(run: Normed) -> Residual:
    return Residual(
        run.fresh[run.place].parts, title=f"{NAMES[run.place]}: the first block of a fresh model", wide=HALF
    )


def growth(run: Normed) -> Curves:
    lines = tuple(
        Line(NAMES[norm], np.arange(len(fresh.stream)), fresh.stream, ROLES[norm], points=True)
        for norm, fresh in run.fresh.items()
    )
    look: dict[str, Any] = {
        "x_title": "after layer",
        "y_title": "spread of a word’s numbers",
        "log_y": True,
        "y_range": (0.5, 30),
    }
    return Curves(lines, wide=HALF, tall=230, title="How large x becomes, before training", **look)


def told_place(run: Normed) -> str:
    first, last = run.fresh[run.place].stream[[0, -1]]
    layers = len(run.fresh[run.place].stream) - 1
    others = "; ".join(
        f"{NAMES[norm]}: {fresh.stream[-1]:.1f}" for norm, fresh in run.fresh.items() if norm != run.place
    )
    return (
        f"With {NAMES[run.place]}, the spread of x goes from {first:.1f} to **{last:.1f}** in {layers}"
        f" layers. {others}."
    )


# ---- training with and without ----


def between(name: str, x: Any, values: np.ndarray, role: str) -> Line:
    """values (n, seeds): their mean, and a band from the least to the most. The line ends where the first seed diverges."""
    return Line(name, x, values.mean(1), role, low=values.min(1), high=values.max(1), points=True)


def by_step(run: Normed, what: str, **look: Any) -> Curves:
    lines = tuple(
        between(NAMES[norm], LOOKS, getattr(film, what)[run.rate].T, ROLES[norm])
        for norm, film in run.films.items()
    )
    step: dict[str, Any] = {
        "x_title": "training step",
        "log_x": True,
        "x_range": (1, STEPS),
        "current": LOOKS[run.moment],
    }
    return Curves(lines, wide=HALF, tall=220, **step, **look)


def loss(run: Normed) -> Curves:
    return by_step(
        run, "loss", y_title="loss, nats a word", log_y=True, title=f"Loss, by step, rate {RATES[run.rate]}"
    )


def accuracy(run: Normed) -> Curves:
    return by_step(
        run, "accuracy", y_title="share right", y_range=(0, 1), title="Words right in new sentences"
    )


def sweep(run: Normed) -> Table:
    """A table, because a curve that ends where a training diverged would look as if it went on."""
    rows = tuple((NAMES[norm], *map(right, film.accuracy[:, :, -1])) for norm, film in run.films.items())
    return Table(
        ("", *RATES),
        rows,
        wide=WIDE,
        title=f"Words right after {STEPS} steps, by learning rate: mean, and least to most",
    )


def told_training(run: Normed) -> str:
    now = "; ".join(
        f"{NAMES[norm]} **{right(film.accuracy[run.rate, :, run.moment])}**"
        for norm, film in run.films.items()
    )
    broken = "".join(
        f" Seeds with {NAMES[norm]} diverge (their loss is not finite any more) at step"
        f" {' and '.join(map(str, steps))}."
        for norm, film in run.films.items()
        if (steps := sorted(step for step in film.broke[run.rate].tolist() if step))
    )
    seeds = plural(run.films["none"].broke.shape[1], "seed")
    return (
        f"Rate {RATES[run.rate]}, step **{LOOKS[run.moment]}**, words right, mean (least to most) of {seeds}:"
        f" {now}.{broken}"
    )


def right(shares: np.ndarray) -> str:
    """(seeds,) their mean, and from the least to the most of them; seeds that diverged are counted and not averaged."""
    left = shares[~np.isnan(shares)]
    diverged = f"{len(shares) - len(left)} of {len(shares)} seeds diverged"
    if not len(left):
        return diverged
    least, most = percent(float(left.min())), percent(float(left.max()))
    said = percent(float(left.mean())) + (f" ({least} to {most})" if least != most else "")
    return said if len(left) == len(shares) else f"{said} with {plural(len(left), 'seed')}; {diverged}"
