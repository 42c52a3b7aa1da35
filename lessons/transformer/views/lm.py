"""Attention in a language model."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import plural
from lessons.kit.pictures.table import Bar, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens, quoted
from lessons.transformer.compute.lm import DEEDS, OPENED, PLACES, Looking

WIDE = 920
FAR = 60  # where distances over fifty words are drawn
ROLES = {"Transformer": "weight", "GRU": "quiet"}
STAGES = ("words and positions", "after layer 1", "after layer 2")
KINDS = {"name": "name", "colour": "colour", "object": "thing", "number": "one of “was” and “were”", "mark": "mark"}


def story(run: Looking) -> Tokens:
    notes = tuple(f"{word}: {weight:.2f}" for word, weight in zip(run.words, run.row, strict=True))
    lines = (TokenLine("reads", run.words, run.row, notes, changed=frozenset(run.cue)),)
    where = " (outlined: where it was said)" if run.cue else ""
    title = f"Where layer {run.layer}, head {run.head} looks while {quoted(run.due)} is expected{where}"
    return Tokens(lines, role="weight", wide=WIDE, tall=150, title=title)


def on_cue(run: Looking) -> Bars:
    chosen = frozenset({PLACES.index(f"layer {run.layer}, head {run.head}")})
    title = "Weight that each head gives to it, untouched" if run.cue else "It was not said before: no place to look for"
    return Bars(run.on_cue.ravel(), PLACES, changed=chosen, pick=("head", PLACES), wide=430, title=title)


def next_words(run: Looking) -> Bars:
    own, yours = run.next_probabilities
    keys = tuple(f"word:{word}" for word in run.next_words)
    compare: dict[str, Any] = {"compare": own, "compare_names": ("yours", "untouched")}
    return Bars(yours, run.next_words, role="target", keys=keys, wide=430, title="The next word", **compare)


def done(run: Looking) -> str:
    head = f"layer {run.layer}, head {run.head}"
    return {DEEDS[1]: f"Without {head}", DEEDS[2]: f"With {head} only there", DEEDS[3]: f"With {head} anywhere else"}[run.do]


def named(word: str) -> str:
    return f"the mark **{word}**" if word in OPENED else f"“**{word}**”"


def reading(run: Looking) -> str:
    was, now = run.chance
    said = f"It expects {named(run.due)}, with P **{was:.2f}** (the GRU of lesson 1: **{run.recurrent:.2f}**). "
    if run.cue:
        weight = run.on_cue[run.layer - 1, run.head - 1]
        what = f"It was said {plural(run.back, 'word')} ago"
        if run.words[run.cue[-1]] != run.due:
            what = f"Its {run.words[run.cue[-1]]} has been open for {plural(run.back, 'word')}"
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
    instead = "and it is still the likeliest" if best == run.due else f"and “**{best}**” would be written"
    return f"{said}{done(run)}, its P is **{now:.2f}**, {instead}."


# ---- closer ----


def every_head(run: Looking) -> Heatmap:
    layers, heads = run.without.shape
    look: dict[str, Any] = {"keys": ("layer", "head"), "role": "target"}
    title = f"P of {quoted(run.due)} when one head alone is off (untouched {run.chance[0]:.2f})"
    rows, columns = tuple(f"layer {n + 1}" for n in range(layers)), tuple(f"head {n + 1}" for n in range(heads))
    return Heatmap(run.without, rows, columns, wide=420, title=title, **look)


def told_every(run: Looking) -> str:
    layer, head = np.unravel_index(run.without.argmin(), run.without.shape)
    least = run.without[layer, head]
    safe = int((run.without > run.chance[0] / 2).sum())
    if f"{least:.2f}" == (untouched := f"{run.chance[0]:.2f}"):
        return f"No single head is missed: whichever of the {run.without.size} goes alone, P stays at **{untouched}**."
    return (
        f"It is missed most at **layer {layer + 1}, head {head + 1}**: without it P is **{least:.2f}**. "
        f"**{safe}** of {run.without.size} heads can go alone, and P stays over half of what it was."
    )


def lens(run: Looking) -> Table:
    rows: list[tuple[str | Bar, ...]] = []
    for stage, (words, P, due) in zip(STAGES, run.early, strict=True):
        best = (Bar(f"{word} {p:.2f}", float(p), role="target") for word, p in zip(words, P, strict=True))
        rows.append((stage, *best, Bar(f"{due:.2f}", due, role="weight")))
    headings = ("the stream", "likeliest", "second", "third", f"P of {quoted(run.due)}")
    return Table(headings, tuple(rows), wide=WIDE, title="What the output layer would say of the stream on its way up")


def told_lens(run: Looking) -> str:
    chances = [due for _, _, due in run.early]
    first = next((n for n, p in enumerate(chances) if p > chances[-1] / 2), len(chances) - 1)
    known = "It was there from the last word alone" if first == 0 else f"It comes only **{STAGES[first]}**"
    if chances[-1] < 0.5:
        known = "Nowhere is it more than a guess"
    return f"P of {quoted(run.due)} on the way up: {', '.join(f'**{p:.2f}**' for p in chances)}. {known}."


def by_distance(run: Looking) -> Curves:
    lines = []
    for name, rows in run.memory.items():
        x = [min((row["from"] + row["to"]) / 2, FAR) for row in rows]
        lines.append(Line(name, x, [row["accuracy"] for row in rows], ROLES[name], points=True))
    axes: dict[str, Any] = {"x_range": (0, FAR), "y_range": (0, 1), "x_title": "words since the cue", "wide": WIDE, "tall": 230}
    counts = sum(row["count"] for row in run.memory["GRU"])
    over = f" (over 50 words: at {FAR})" if run.memory["GRU"][-1]["to"] > FAR else ""
    title = f"The right {KINDS[run.counted]}: {counts:,} places in held-out documents{over}"
    return Curves(tuple(lines), y_title="share right", rules=((run.by_luck, "by luck"),), title=title, **axes)


def told_distance(run: Looking) -> str:
    near, far = (within(run, place) for place in (0, -1))
    said = f"{near[0].upper()}{near[1:]}; {far}. Luck is **{run.by_luck:.2f}**, and each model was trained once."
    return said if run.kind else f"“{run.due}” is of no kind that was counted, so here are things. {said}"


def within(run: Looking, place: int) -> str:
    """How often each model is right, among the nearest places or the farthest."""
    rows = {name: rows[place] for name, rows in run.memory.items()}
    low, high, count = (rows["GRU"][what] for what in ("from", "to", "count"))
    far = f"{low} words and more" if high > FAR else f"{low} to {high} words"
    right = ", ".join(f"the {name} **{row['accuracy']:.2f}**" for name, row in rows.items())
    return f"{far} on, share right of {plural(count, 'place')}: {right}"
