"""How probable a phrase becomes by being said, and what four ways write after it."""

import math

import numpy as np

from lessons.decoding.compute.common import sentences
from lessons.decoding.compute.loop import Looped, Written
from lessons.decoding.views.parts import told
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import compact, counted
from lessons.kit.pictures.tokens import Tokens

ROLES = {"GRU": "source", "Transformer": "target", "LSTM": "context", "vanilla": "quiet"}


def again_and_again(run: Looped) -> Curves:
    lines = tuple(Line(reader, run.repeats + 1, p, ROLES[reader]) for reader, p in zip(run.readers, run.probabilities, strict=True))
    top = 10.0 ** max(-3, math.ceil(math.log10(max(run.probabilities.max(), 1e-9))))  # of the phrase, so it stays while r moves
    return Curves(
        lines,
        x_title="which time the phrase is said (1: the first)",
        y_title="P(phrase | all before it)",
        x_range=(1, len(run.repeats)),
        y_range=(0, top),
        log_x=True,
        current=run.r + 1,
        wide=860,
        title=f"“{' '.join(run.phrase)}”, said again and again",
    )


def on_a_log_axis(run: Looped) -> Curves:
    lines = tuple(Line(reader, run.repeats + 1, p, ROLES[reader]) for reader, p in zip(run.readers, run.probabilities, strict=True))
    axes = {"x_title": "which time it is said", "y_title": "P(phrase), logarithmic", "x_range": (1, len(run.repeats))}
    title = "The same on a log axis: small ones too"
    return Curves(lines, **axes, y_range=(1e-30, 1), log_x=True, log_y=True, current=run.r + 1, title=title)


def texts(run: Looped) -> Tokens:
    lines = tuple(told(way.name, sentences(way.words), "<eos>" if way.ended else "…") for way in run.written)
    return Tokens(lines, title=f"What the {run.model} writes after {run.r} times the phrase; outlined: a sentence said before")


def cost(run: Looped) -> Bars:
    values = np.array([way.perplexity for way in run.written])
    labels = tuple(f"{way.name}{' ↻' if way.loop else ''}" for way in run.written)
    title = "What each costs: perplexity (↻: ends in a loop)"
    compare = np.full(len(values), run.perplexity)
    return Bars(
        values, labels, role="target", top=20, digits=1, compare=compare, compare_names=("written", "held-out"), title=title
    )


def reading(run: Looped) -> str:
    p = run.probabilities[run.readers.index(run.model)]
    said = f"To the {run.model}, “{' '.join(run.phrase)}” has probability **{compact(p[0])}** at first and **{compact(p[run.r])}** "
    said += f"after it was said {counted(run.r, 'time')}"
    if run.r and p[0] > 0:
        times = p[run.r] / p[0]
        said += f", **{compact(times) if times < 1000 else f'{times:,.0f}'}** times as much"
    return said + ". " + " ".join(verdict(way) for way in run.written[:2]) + " " + changes(run)


def verdict(way: Written) -> str:
    name = way.name.capitalize()
    if way.loop:
        return f"{name} **ends in a loop** (“{' '.join(way.loop)}”)."
    return f"{name} **does not loop**."


def changes(run: Looped) -> str:
    """What the remedies cost, in log P per word."""
    greedy, _, *remedies = run.written
    parts = [
        f"“{way.name}” {'**loops again**' if way.loop else 'has no loop'} at perplexity **{way.perplexity:.1f}**"
        for way in remedies
    ]
    return f"Of the remedies, {', '.join(parts)}; greedy’s is {greedy.perplexity:.1f}."
