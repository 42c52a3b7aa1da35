"""Attention in a language model."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import counted, plural
from lessons.kit.pictures.table import Bar, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens, quoted
from lessons.transformer.compute.lm import DEEDS, PLACES, Looking
from lessons.transformer.views.words import bold

WIDE = 920
FAR = 60  # where distances over fifty words are drawn
ROLES = {"Transformer": "weight", "GRU": "quiet"}
STAGES = ("words and positions", "after layer 1", "after layer 2")
KINDS = {
    "name": "name",
    "colour": "colour",
    "object": "thing",
    "number": "one of “was” and “were”",
    "mark": "mark",
}


def story(run: Looking) -> Tokens:
    notes = tuple(f"{word}: {weight:.2f}" for word, weight in zip(run.words, run.row, strict=True))
    lines = (TokenLine("reads", run.words, run.row, notes, changed=frozenset(run.cue)),)
    where = " (outlined: where it was said)" if run.cue else ""
    title = f"Where layer {run.layer}, head {run.head} looks while {quoted(run.due)} is expected{where}"
    return Tokens(lines, role="weight", wide=WIDE, tall=150, title=title)


def on_cue(run: Looking) -> Bars:
    chosen = frozenset({PLACES.index(f"layer {run.layer}, head {run.head}")})
    title = (
        "Weight that each head gives to it, untouched"
        if run.cue
        else "It was not said before: no place to look for"
    )
    return Bars(run.on_cue.ravel(), PLACES, changed=chosen, pick=("head", PLACES), wide=430, title=title)


def next_words(run: Looking) -> Bars:
    own, yours = run.next_probabilities
    keys = tuple(f"word:{word}" for word in run.next_words)
    compare: dict[str, Any] = {"compare": own, "compare_names": ("yours", "untouched")}
    return Bars(yours, run.next_words, role="target", keys=keys, wide=430, title="The next word", **compare)


def done(run: Looking) -> str:
    head = f"layer {run.layer}, head {run.head}"
    return {
        DEEDS[1]: f"Without {head}",
        DEEDS[2]: f"With {head} only there",
        DEEDS[3]: f"With {head} anywhere else",
    }[run.do]


def reading(run: Looking) -> str:
    was, now = run.chance
    said = (
        f"It expects {bold(run.due)}, with P **{was:.2f}** (the GRU of lesson 1: **{run.recurrent:.2f}**). "
    )
    if run.cue:
        weight = run.on_cue[run.layer - 1, run.head - 1]
        what = f"It was said {plural(run.back, 'word')} ago"
        if run.words[run.cue[-1]] != run.due:
            what = f"The mark {run.words[run.cue[-1]]} has been open for {plural(run.back, 'word')}"
        said += f"{what}, and this head gives **{weight:.2f}** of its weight there. "
    else:
        said += "It was never said before: if it hangs on a word, then on another one. "
        if run.do == DEEDS[0]:
            return f"{said}Now switch the head off."
    if run.do == DEEDS[0]:
        return f"{said}Now switch the head off, or move its look."
    if not run.cue and run.do != DEEDS[1]:
        return f"{said}So the head’s look stays as it was; it can be switched off."
    best = run.next_words[int(run.next_probabilities[1].argmax())]
    instead = "it is still the likeliest word" if best == run.due else f"{bold(best)} would be written"
    return f"{said}{done(run)}, its P {change(was, now)}, and {instead}."


def change(was: float, now: float) -> str:
    """Stays at 0.98; falls from 0.98 to 0.09; rises from 0.67 to 0.69: as the two numbers read."""
    before, after = f"{was:.2f}", f"{now:.2f}"
    if before == after:
        return f"stays at **{after}**"
    return f"{'rises' if now > was else 'falls'} from {before} to **{after}**"


# ---- closer ----


def every_head(run: Looking) -> Heatmap:
    layers, heads = run.without.shape
    look: dict[str, Any] = {"keys": ("layer", "head"), "role": "target"}
    title = f"P of {quoted(run.due)} when one head alone is off (untouched {run.chance[0]:.2f})"
    rows, columns = (
        tuple(f"layer {n + 1}" for n in range(layers)),
        tuple(f"head {n + 1}" for n in range(heads)),
    )
    return Heatmap(run.without, rows, columns, wide=420, title=title, **look)


def told_every(run: Looking) -> str:
    """Which head is missed most, and which head lowers P, so that P is higher without it."""
    was, least, most = run.chance[0], run.without.min(), run.without.max()
    fallen, risen = round(least, 2) < round(was, 2), round(most, 2) > round(was, 2)
    said = f"No single head of the {run.without.size} is missed: " + (
        "P never falls." if risen else f"P stays at **{was:.2f}**."
    )
    if fallen:
        safe = int((run.without > was / 2).sum())
        said = f"**{place_of(run, least).capitalize()}** is missed most: without it P {change(was, least)}. "
        said += (
            f"**{safe}** of {run.without.size} heads can be switched off alone, and P stays above half of"
            " what it was."
        )
    if risen:
        higher = int((run.without.round(2) > round(was, 2)).sum())
        said += f" Not every head helps: P is higher without {counted(higher, 'head')}. "
        said += f"Without **{place_of(run, most)}** it {change(was, most)}."
    return said


def place_of(run: Looking, value: float) -> str:
    layer, head = np.argwhere(run.without == value)[0]
    return f"layer {layer + 1}, head {head + 1}"


def lens(run: Looking) -> Table:
    rows: list[tuple[str | Bar, ...]] = []
    for stage, (words, P, due) in zip(STAGES, run.early, strict=True):
        best = (Bar(f"{word} {p:.2f}", float(p), role="target") for word, p in zip(words, P, strict=True))
        rows.append((stage, *best, Bar(f"{due:.2f}", due, role="weight")))
    headings = ("the stream", "likeliest", "second", "third", f"P of {quoted(run.due)}")
    return Table(
        headings, tuple(rows), wide=WIDE, title="What the output layer would say of the stream on its way up"
    )


def told_lens(run: Looking) -> str:
    chances = np.array([due for _, _, due in run.early])
    stages = ("from the last word alone", *STAGES[1:])
    said = ", ".join(f"**{p:.2f}** {stage}" for p, stage in zip(chances, stages, strict=True))
    gains, peak = np.diff(chances.round(2)), int(chances.argmax())  # gains as the reader subtracts them
    if chances[peak] < 0.5:
        known = "It stays below one half: the model is not sure of this word"
    elif round(chances[peak], 2) > round(chances[-1], 2):
        known = f"It is highest {stages[peak]}, and falls from there to the end"
    elif chances[0] > chances[-1] / 2:
        known = "More than half of it is there before any attention"
    else:
        known = f"Layer **{gains.argmax() + 1}** adds the most, {gains.max():.2f}"
    return f"P of {quoted(run.due)}, read early: {said}. {known}."


def by_distance(run: Looking) -> Curves:
    lines = []
    for name, rows in run.memory.items():
        x = [min((row["from"] + row["to"]) / 2, FAR) for row in rows]
        lines.append(Line(name, x, [row["accuracy"] for row in rows], ROLES[name], points=True))
    axes: dict[str, Any] = {
        "x_range": (0, FAR),
        "y_range": (0, 1),
        "x_title": "words since the cue",
        "wide": WIDE,
        "tall": 230,
    }
    counts = sum(row["count"] for row in run.memory["GRU"])
    over = f" (over 50 words: at {FAR})" if run.memory["GRU"][-1]["to"] > FAR else ""
    title = f"The right {KINDS[run.counted]}: {counts:,} places in held-out documents{over}"
    return Curves(tuple(lines), y_title="share right", rules=((run.by_luck, "by luck"),), title=title, **axes)


def told_distance(run: Looking) -> str:
    near, far = (within(run, place) for place in (0, -1))
    said = (
        f"{near[0].upper()}{near[1:]}; {far}. Luck is **{run.by_luck:.2f}**, and each model was trained once."
    )
    return (
        said if run.kind else f"No figures were counted for {quoted(run.due)}, so these are of things. {said}"
    )


def within(run: Looking, place: int) -> str:
    """How often each model is right, among the nearest places or the farthest."""
    rows = {name: rows[place] for name, rows in run.memory.items()}
    low, high, count = (rows["GRU"][what] for what in ("from", "to", "count"))
    far = f"{low} words and more" if high > FAR else f"{low} to {high} words"
    right = ", ".join(f"the {name} **{row['accuracy']:.2f}**" for name, row in rows.items())
    return f"{far} on, share right of {plural(count, 'place')}: {right}"
