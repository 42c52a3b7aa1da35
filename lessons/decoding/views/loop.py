"""How probable a phrase becomes by being said, and what each way writes after it."""

import math
from typing import Any

import numpy as np

from lessons.decoding.compute.common import sentences
from lessons.decoding.compute.loop import Looped, Written
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import compact, counted, plural, scientific
from lessons.kit.pictures.prose import Prose, Text

NAMES = {
    "vanilla": "vanilla RNN",
    "GRU, no songs": "GRU trained without songs",
}  # readers inside a sentence; others as they are
ROLES = {
    "GRU": "source",
    "Transformer": "target",
    "LSTM": "context",
    "vanilla": "quiet",
    "GRU, no songs": "weight",
}


def lines(run: Looped) -> tuple[Line, ...]:
    return tuple(
        Line(reader, run.repeats + 1, p, ROLES[reader])
        for reader, p in zip(run.readers, run.probabilities, strict=True)
    )


def again_and_again(run: Looped) -> Curves:
    top = 10.0 ** max(
        -3, math.ceil(math.log10(max(run.probabilities.max(), 1e-9)))
    )  # of the phrase, so it stays while r moves
    return Curves(
        lines(run),
        x_title="which time the phrase is said (1: the first)",
        y_title="P(phrase | all before it)",
        x_range=(1, len(run.repeats)),
        y_range=(0, top),
        log_x=True,
        current=run.r + 1,
        wide=900,
        tall=230,
        title=f"“{' '.join(run.phrase)}”, said again and again",
    )


def rare(run: Looped) -> Curves:
    axes: dict[str, Any] = {
        "x_title": "which time it is said",
        "y_title": "P(phrase), logarithmic",
        "x_range": (1, len(run.repeats)),
    }
    title = "The same on a log axis: small ones too"
    return Curves(
        lines(run),
        **axes,
        y_range=(1e-30, 1),
        log_x=True,
        log_y=True,
        current=run.r + 1,
        wide=600,
        title=title,
    )


def passages(run: Looped, way: Written) -> Text:
    """What was written. A sentence that was said before, by this text or as the phrase, is marked."""
    given = sentences(run.phrase * run.r)
    text = Text.of(way.name, (*given, *sentences(way.words), "<eos>" if way.ended else "…"))
    return Text(way.name, text.passages[len(given) :])


def prose(run: Looped, ways: tuple[Written, ...], title: str, tall: float | None = None) -> Prose:
    return Prose(tuple(passages(run, way) for way in ways), wide=900, tall=tall, title=title)


def model_name(run: Looped) -> str:
    return NAMES.get(run.model, run.model)


def texts(run: Looped) -> Prose:
    after = f"after the phrase was said {plural(run.r, 'time')}" if run.r else "with nothing before it"
    title = f"What the {model_name(run)} writes {after}; underlined: said before"
    return prose(run, run.written, title, tall=110)


def reading(run: Looped) -> str:
    p = run.probabilities[run.readers.index(run.model)]
    said = f"For the {model_name(run)}, “{' '.join(run.phrase)}” has probability **{two_digits(p[0])}**"
    if run.r:
        said += f" at first and **{two_digits(p[run.r])}** after it was said {counted(run.r, 'time')}"
    if run.r and p[0] > 0:
        said += f", **{compact(p[run.r] / p[0])}** times as much"
    greedy, nucleus = run.written
    return f"{said}. Without a remedy, greedy {outcome(run, greedy)}. The nucleus {outcome(run, nucleus)}."


def two_digits(p: float) -> str:
    """A probability with enough digits to divide one by another."""
    return scientific(p, 1) if 0 < p < 0.1 else compact(p)


def outcome(run: Looped, way: Written) -> str:
    """Whether a text ends in a loop; or only repeats sentences on its way, as those underlined in the picture."""
    if way.loop:
        return f"**ends in a loop** (“{' '.join(way.loop)}”)"
    again = sum(passage.marked for passage in passages(run, way).passages)
    return (
        f"repeats {counted(again, 'sentence')} but does not end in a loop"
        if again
        else "**repeats no sentence**"
    )


# ---- closer ----


def remedied(run: Looped) -> Prose:
    return prose(run, run.remedies, "Greedy, with a remedy; underlined: said before")


def cost(run: Looped) -> Bars:
    ways = (*run.written, *run.remedies)
    values = np.array([way.perplexity for way in ways])
    labels = tuple(f"{way.name}{' ↻' if way.loop else ''}" for way in ways)
    title = "What each costs: perplexity (↻: ends in a loop)"
    compare = np.full(len(values), run.perplexity)
    return Bars(
        values,
        labels,
        role="target",
        top=25,
        digits=1,
        compare=compare,
        compare_names=("written", "held-out"),
        title=title,
    )


def verdicts(run: Looped) -> str:
    """What the remedies do, and what they cost."""
    greedy = run.written[0]
    said = [f"Greedy alone {outcome(run, greedy)}, at perplexity **{greedy.perplexity:.1f}**."]
    for name, way, off in zip(("penalty", "rule"), run.remedies, run.remedies_off, strict=True):
        with_it = f"With “{way.name}” it {outcome(run, way)}, at perplexity **{way.perplexity:.1f}**."
        said.append(f"The {name} is off." if off else with_it)
    return " ".join(said)
