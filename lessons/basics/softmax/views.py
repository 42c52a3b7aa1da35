"""Draggable logits, their probabilities, and the softmax step by step."""

import math

import numpy as np

from lessons.basics.softmax.compute import WORDS, Softmaxed
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import compact, signed
from lessons.kit.pictures.phrases import join_with_and
from lessons.kit.pictures.table import Table

AT = tuple(f"word:{i}" for i in range(len(WORDS)))
SAME = 0.005  # smaller differences are invisible with two decimals


def logit_bars(run: Softmaxed) -> Bars:
    return Bars(
        run.logits,
        WORDS,
        role=None,
        top=4.0,
        handle="logits",
        low=-4.0,
        high=4.0,
        keys=AT,
        wide=400,
        title="Logits u (drag a bar)",
    )


def probability_bars(run: Softmaxed) -> Bars:
    is_changed = run.tau != 1 or run.shift != 0
    return Bars(
        run.probabilities,
        WORDS,
        compare=run.plain if is_changed else None,
        compare_names=("now", "at first"),
        keys=AT,
        wide=400,
        title=f"Probabilities, τ = {run.tau:g}, shift {signed(run.shift, 0)}",
    )


def reading(run: Softmaxed) -> str:
    word, p, before = WORDS[run.winner], run.probabilities[run.winner], run.plain[run.winner]
    if not np.ptp(run.logits):
        return f"All logits are equal, so every word has P = **{p:.2f}** with any temperature and any shift."
    logit = signed(run.logits[run.winner])
    tied = [WORDS[n] for n in np.flatnonzero(run.logits == run.logits[run.winner])]
    said = (
        f"After “She drank a cup of”, the word **{word}** has the largest logit, **{logit}**, and"
        f" P = **{p:.2f}**. "
        if len(tied) == 1
        else f"After “She drank a cup of”, {join_with_and([f'**{each}**' for each in tied])} have the same"
        f" largest logit, **{logit}**, so each has P = **{p:.2f}**. "
    )
    if run.tau != 1:
        way = "sharper" if run.tau < 1 else "more even"
        said += f"τ = **{run.tau:g}** makes the distribution {way}; with τ = 1, P would be {before:.2f}. "
    if run.shift:
        said += f"You added **{signed(run.shift, 0)}** to every logit, which changes no probability. "
    if run.tau == 1:
        said += (
            f"The entropy, a measure of uncertainty, is **{run.entropy:.2f}** bits; five equally probable"
            f" words would have {math.log2(len(WORDS)):.2f} bits."
        )
    else:
        before, after = f"{run.plain_entropy:.2f}", f"{run.entropy:.2f}"
        direction = "falls" if run.entropy < run.plain_entropy else "rises"
        said += (
            f"The entropy stays at **{after}** bits."
            if before == after
            else f"The entropy {direction} from {before} to **{after}** bits."
        )
    return said.strip()


def worked(run: Softmaxed) -> Table:
    rows = tuple(
        (word, signed(u), signed(used), compact(power), f"{p:.2f}")
        for word, u, used, power, p in zip(
            WORDS, run.logits, run.used, run.powers, run.probabilities, strict=True
        )
    )
    sums = ("sum", "", "", compact(float(run.powers.sum())), f"{run.probabilities.sum():.2f}")
    return Table(
        ("word", "logit u", "shifted, divided by τ", "exp, after − max", "P"),
        (*rows, sums),
        key="word",
        marked=frozenset({run.winner}),
        title="From logits to probabilities",
    )


def two_classes(run: Softmaxed) -> Curves:
    x = np.linspace(-10, 10, 101)
    line = Line("sigmoid", x, 1 / (1 + np.exp(-x)), "source")
    here = float(np.clip(run.difference, -10, 10))
    return Curves(
        (line,),
        current=here,
        x_title=f"(logit of {WORDS[0]} − logit of {WORDS[1]}) / τ",
        y_title=f"P({WORDS[0]}) of two words",
        x_range=(-10, 10),
        y_range=(0, 1),
        title=f"Only {WORDS[0]} or {WORDS[1]}: P is {run.first_of_two:.2f} at {signed(run.difference)}",
    )


def overflow(run: Softmaxed) -> Table:
    rows = tuple(
        (
            name,
            f"{found['limit']:.0f}",
            compact(found["largest"]),
            signed(found["naive"]),
            signed(found["stable"]),
        )
        for name, found in run.precisions.items()
    )
    return Table(
        ("format", "exp works up to", "largest exp here", "P by the formula", "P after − max"),
        rows,
        key="format",
        title=(
            f"P({WORDS[run.winner]}) in three number formats; the largest logit is"
            f" {signed(float(run.used.max()), 1)}"
        ),
    )


def ask_overflow(run: Softmaxed) -> str:
    broken = [name for name, found in run.precisions.items() if not np.isfinite(found["naive"])]
    return (
        f"Why does the formula fail in {' and '.join(broken)}?"
        if broken
        else "When does the formula overflow?"
    )
