"""Surprisal word by word, one prediction before and after gradient steps, and learning rates."""

import math

import numpy as np

from lessons.basics.loss.compute import CURVE_STEPS, TRUTHS, Loss
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import compact, plural, signed
from lessons.kit.pictures.table import Table
from lessons.kit.pictures.tokens import quote

TOPS = (8.0, 16.0, 32.0, 64.0)  # possible ends of the axis, in bits
ROLES = ("context", "source", "target", "weight")


def surprisal(run: Loss) -> Bars:
    return Bars(
        run.surprisal,
        run.words,
        role="target",
        top=next((top for top in TOPS if top >= np.nanmax([0.0, *run.surprisal])), TOPS[-1]),
        digits=1,
        upright=True,
        changed=frozenset({run.t - 1}),
        pick=("t", tuple(str(i) for i in range(1, len(run.words) + 1))),
        wide=470,
        tall=270,
        title="Surprisal of each word in bits"
        + ("; hatched: unknown" if run.known_words < len(run.words) else ""),
        description="Choose a bar to look at the guess before that word.",
    )


def guess_bars(run: Loss) -> Bars:
    place = run.candidates.index(run.truth)
    return Bars(
        run.after,
        run.candidates,
        compare=run.before,
        compare_names=(f"after {plural(run.steps, 'step')}", "before"),
        changed=frozenset({place}),
        wide=330,
        title=f"Word {run.t}: the true word is “{run.truth}”",
    )


def reading(run: Loss) -> str:
    p, bits = run.probabilities[run.t - 1], run.surprisal[run.t - 1]
    if np.isnan(bits):
        return (
            f"{quote(run.words[run.t - 1])} is unknown. The model can read it as `<unk>`, but it never"
            f" learned"
            " to write `<unk>`, so we do not count this word. Choose another word."
        )
    known = "known word" if run.known_words < len(run.words) else "word"
    counted = f"this {known}" if run.known_words == 1 else f"all {run.known_words} {known}s"
    said = (
        f"The model gives “{run.truth}” P = **{compact(p)}**, so the loss is **{bits:.2f}** bits"
        f" ({run.loss_before:.2f} nats). The perplexity of {counted} is"
        f" **{compact(run.perplexity)}**. "
    )
    if run.steps:
        said += (
            f"After {plural(run.steps, 'gradient step')} with a learning rate of {compact(run.rate)}, the"
            f" loss"
            f" of this prediction is **{signed(run.loss_after / math.log(2))}** bits."
        )
    return said.strip()


def written(p: float, bits: float) -> tuple[str, str, str]:
    """A probability, its surprisal in bits, and in nats."""
    return compact(p), f"{bits:.2f}", f"{bits * math.log(2):.2f}"


def sentence_table(run: Loss) -> Table:
    rows = tuple(
        (word, *(("–",) * 3 if np.isnan(bits) else written(p, bits)), compact(mean))
        for word, p, bits, mean in zip(
            run.words, run.probabilities, run.surprisal, run.running_perplexity, strict=True
        )
    )
    total = run.mean_bits
    mean = ("mean", "", f"{total:.2f}", f"{total * math.log(2):.2f}", compact(run.perplexity))
    return Table(
        ("word", "P", "surprisal, bits", "nats", "perplexity so far"),
        (*rows, mean),
        key="step",
        marked=frozenset({run.t - 1}),
        title="From surprisal to perplexity",
    )


def one_step(run: Loss) -> Table:
    step = run.first_step
    rows = tuple(
        (word, signed(u), compact(p), f"{y:.0f}", signed(slope), signed(after))
        for word, u, p, y, slope, after in zip(run.candidates, *step.values(), strict=True)
    )
    return Table(
        ("word", "logit", "P", "one-hot", "difference", "logit after"),
        rows,
        key="word",
        marked=frozenset({run.candidates.index(run.truth)}),
        title=f"One step, learning rate {compact(run.rate)}; {len(run.candidates)} of {len(run._u)} words",
    )


def ask_step(run: Loss) -> str:
    return f"How does a gradient step raise P of “{run.truth}”?"


def rates(run: Loss) -> Curves:
    steps = np.arange(CURVE_STEPS + 1)
    top = max(2.0, min(16.0, max(float(path.max()) for path in run.paths.values())))
    lines = tuple(
        Line(f"rate {compact(rate)}", steps, path, ROLES[k % len(ROLES)])
        for k, (rate, path) in enumerate(run.paths.items())
    )
    return Curves(
        lines,
        x_title="gradient steps",
        y_title="loss, bits",
        x_range=(0, CURVE_STEPS),
        y_range=(0, math.ceil(top)),
        rules=((run.least_bits, "smallest possible"),),
        current=float(min(run.steps, CURVE_STEPS)),
        title=f"“{run.truth}” follows {TRUTHS - 1} times out of {TRUTHS}, “{run.rival_word}” once",
    )
