"""Reading from both sides."""

from typing import Any

import numpy as np

from lessons.attention.compute.readers import COUNTED, LATE, Reader, Readers, late_by
from lessons.attention.views.parts import WIDE, placed, source_keys, truth_line
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import lowered, plural
from lessons.kit.pictures.table import Runs, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens

HALF = 440  # the room of each reader
LARGEST = 8.0  # |Δh| of a full track


def one_way_map(run: Readers) -> Heatmap:
    return alignment(run, run.both[0])


def two_way_map(run: Readers) -> Heatmap:
    return alignment(run, run.both[1])


def alignment(run: Readers, reader: Reader) -> Heatmap:
    look: dict[str, Any] = {"keys": ("target", "source"), "row_role": "target", "column_role": "source"}
    title = f"Over the {reader.name} reader" + (
        "" if reader.aer is None else f": AER {reader.aer:.2f}, gold dashed"
    )
    gold = tuple(sorted(run.gold or ()))
    return Heatmap(
        reader.weights, reader.target, run.source, gold=gold, wide=HALF, tall=280, title=title, **look
    )


def one_way_change(run: Readers) -> Bars:
    return changes(run, run.both[0])


def two_way_change(run: Readers) -> Bars:
    return changes(run, run.both[1])


def changes(run: Readers, reader: Reader) -> Bars:
    T = len(run.source)
    look: dict[str, Any] = {
        "role": "source",
        "top": LARGEST,
        "upright": True,
        "label_role": "source",
        "keys": source_keys(T),
    }
    pick = "i", tuple(str(i) for i in range(1, T + 1))
    chosen = frozenset({run.i - 1})
    title = f"|Δhᵢ|, {reader.name}, when {what_is_done(run)}"
    names = tuple(f"h{lowered(i)}" for i in range(1, T + 1))
    return Bars(
        reader.change, names, changed=chosen, pick=pick, digits=1, wide=HALF, tall=130, title=title, **look
    )


def what_is_done(run: Readers) -> str:
    word = run.source[run.i - 1]
    return f"“{word}” is “{run.put}”" if run.put else f"“{word}” is left blank"


def reading(run: Readers) -> str:
    if run.same:
        return (
            f"Word **{run.i}** is “{run.put}” already, so no state changes. Put another word there, or leave"
            " it blank."
        )
    T, (one, two) = len(run.source), run.both
    moved, all_moved = (int((reader.change > 0).sum()) for reader in run.both)
    earlier = (
        ""
        if run.i == 1
        else f", none of the {run.i - 1} before it"
        if run.i > 2
        else ", not the one before it"
    )
    change = f"**{moved}** of {plural(T, 'one-way state')} change{'s' * (moved == 1)}{earlier}"
    said = f"When {what_is_done(run)}, {change}, and **{all_moved}** of {plural(T, 'two-way state')}."
    if run.gold is None:
        return f"{said} For this sentence we know no gold links: the suggestions have some."
    waits = late_looks(run, one)
    look = "looks past its" if len(waits) == 1 else "look past their"
    linked = len({t for t, _ in run.gold})
    said += f" Over one-way states **{len(waits)}** of {linked} words with a gold link {look} gold word"
    if waits:
        t, seen, due = waits[0]
        said += f": “**{one.target[t]}**” looks at {placed(run.source, seen)} ({one.weights[t, seen]:.2f}), "
        said += f"which h{lowered(due + 1)} at “{run.source[due]}” has not read yet"
    late = len(late_looks(run, two))
    return f"{said}. Over two-way states **{late}** {'does' if late == 1 else 'do'}."


def late_looks(run: Readers, reader: Reader) -> list[tuple[int, int, int]]:
    """(t, i, j): target word t looks most at i, and its gold word j stands before it."""
    found = []
    for t, look in sorted(reader.links):
        gold = [i for row, i in run.gold or () if row == t]
        if gold and (late := late_by(look, gold)) > 0:
            found.append((t, look, look - late))
    return found


# ---- closer ----


def halves(run: Readers) -> Heatmap:
    two = run.both[1]
    rows = ("→h", "←h")
    look: dict[str, Any] = {
        "keys": ("way", "source"),
        "column_role": "source",
        "role": "source",
        "top": LARGEST,
    }
    title = f"|Δ| of each half of the two-way states, when {what_is_done(run)}"
    return Heatmap(two.halves, rows, run.source, wide=WIDE, title=title, **look)


def sentences(run: Readers) -> Tokens:
    lines = []
    for reader in run.both:
        plain, yours = reader.written
        new = frozenset(n for n, word in enumerate(yours) if n >= len(plain) or word != plain[n])
        lines += [TokenLine(reader.name, plain, right=reader.right), TokenLine("changed", yours, changed=new)]
    lines += truth_line(run.truth, *(reader.right for reader in run.both))
    return Tokens(
        tuple(lines),
        key="word",
        wide=WIDE,
        title="What each writes: the sentence as it is, and with your word",
    )


def late(run: Readers) -> Table:
    """The share of looks that fall so many places after their gold word, both readers, on fresh sentences."""
    names = [f"{n:+d}".replace("-", "−") if n else "on it" for n in LATE]
    names[0], names[-1] = f"{names[0]} or less", f"{names[-1]} or more"
    rows = tuple(
        (reader.name, *(f"{share:.2f}" if share >= 0.005 else "–" for share in shares))
        for reader, shares in zip(run.both, run.lateness, strict=True)
    )
    title = f"How many places after its gold word does a word look? ({COUNTED} fresh sentences, seed 0)"
    return Table(("reader", *names), rows, title=title)


def told_late(run: Readers) -> str:
    after = [shares[LATE.index(1) :].sum() for shares in run.lateness]
    before = [shares[: LATE.index(0)].sum() for shares in run.lateness]
    return (
        f"Over one-way states **{after[0]:.2f}** of all looks go past their gold word and **{before[0]:.2f}**"
        f" before it; over two-way states **{after[1]:.2f}** and **{before[1]:.2f}**. A decoder that needs a"
        " later word looks where that has been read."
    )


def measured(run: Readers) -> Table:
    last = [n for n, (_, high) in enumerate(run.lengths) if high <= 20][-1]
    low, high = run.lengths[last]
    rows = tuple(
        (
            kind.name,
            Runs(kind.aer, 0, 0.35, 3, "source"),
            Runs(kind.exact, 0.9, 1, 3, "target"),
            Runs(kind.by_length[:, last], 0.9, 1, 3, "target"),
            Runs(kind.by_length[:, last + 1], 0, 1, 3, "target"),
        )
        for kind in run.measured
    )
    beyond = "{} to {} words".format(*run.lengths[last + 1])
    headings = (
        "reader",
        "AER (lower is better)",
        "exactly right",
        f"right, {low} to {high} words",
        f"right, {beyond} (beyond training)",
    )
    return Table(
        headings,
        rows,
        title=(
            f"Both readers on fresh sentences, {len(run.measured[0].aer)} seeds: mean, and from the least to"
            " the most"
        ),
    )


def told_measured(run: Readers) -> str:
    one, two = run.measured
    apart = min(one.aer) > max(two.aer)
    said = f"AER is **{np.mean(one.aer):.2f}** one-way and **{np.mean(two.aer):.2f}** two-way"
    said += ", and no run of one reaches a run of the other. " if apart else "; their runs overlap. "
    said += (
        f"Exactly right are **{np.mean(one.exact):.3f}** and **{np.mean(two.exact):.3f}** of fresh sentences"
    )
    if max(min(one.exact), min(two.exact)) <= min(max(one.exact), max(two.exact)):
        said += ": those runs overlap. A decoder that looks late still finds what it needs."
    else:
        said += ", and those runs do not overlap."
    return (
        f"{said} The one-way model has {one.parameters:,} parameters, the two-way model {two.parameters:,}."
    )
