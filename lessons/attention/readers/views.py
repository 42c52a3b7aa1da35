"""Both encoders side by side: alignment maps, changed states, and how late the decoder attends."""

from typing import NamedTuple

import numpy as np

from lessons.attention.pictures import HALF_WIDTH_PX, PAGE_WIDTH_PX, reference_line, source_keys
from lessons.attention.readers.compute import (
    COUNTED_SENTENCES,
    OFFSETS,
    Reader,
    Readers,
    offset_from_gold,
)
from lessons.kit.pictures.alignment import alignment_map
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import plural, subscript
from lessons.kit.pictures.phrases import bold_word, word_at
from lessons.kit.pictures.table import Runs, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens

MAX_CHANGE = 8.0  # |Δh| at which a bar is full
LONGEST_TRAINED = 20  # longest source sentence in training, in words


def one_way_map(run: Readers) -> Heatmap:
    return encoder_map(run, run.both[0])


def two_way_map(run: Readers) -> Heatmap:
    return encoder_map(run, run.both[1])


def encoder_map(run: Readers, reader: Reader) -> Heatmap:
    aer = "" if reader.aer is None else f": AER {reader.aer:.2f}, gold links dashed"
    return alignment_map(
        reader.weights,
        reader.target,
        run.source,
        gold=tuple(sorted(run.gold or ())),
        wide=HALF_WIDTH_PX,
        tall=280,
        title=f"{reader.name.capitalize()} encoder{aer}",
    )


def one_way_change(run: Readers) -> Bars:
    return change_bars(run, run.both[0])


def two_way_change(run: Readers) -> Bars:
    return change_bars(run, run.both[1])


def change_bars(run: Readers, reader: Reader) -> Bars:
    """Bars of how much each state changes. Clicking a bar selects the word to change."""
    positions = range(1, len(run.source) + 1)
    return Bars(
        reader.change,
        tuple(f"h{subscript(i)}" for i in positions),
        role="source",
        top=MAX_CHANGE,
        upright=True,
        label_role="source",
        keys=source_keys(len(run.source)),
        changed=frozenset({run.i - 1}),
        pick=("i", tuple(map(str, positions))),
        digits=1,
        wide=HALF_WIDTH_PX,
        tall=130,
        title=f"|Δhᵢ|, {reader.name}, when {describe_change(run)}",
    )


def describe_change(run: Readers) -> str:
    word = run.source[run.i - 1]
    return f"“{word}” becomes “{run.put}”" if run.put else f"“{word}” is left blank"


def reading(run: Readers) -> str:
    if run.is_unchanged:
        return (
            f"Word **{run.i}** is “{run.put}” already, so no state changes. Put another word there, or leave"
            " it blank."
        )
    sentences = [count_changed_states(run)]
    if run.gold is None:
        sentences.append("We do not know the gold links of this sentence; the suggested sentences have some.")
    else:
        sentences += describe_late_links(run)
    return " ".join(sentences)


def count_changed_states(run: Readers) -> str:
    T = len(run.source)
    unidirectional, bidirectional = (int((reader.change > 0).sum()) for reader in run.both)
    before = ", but no state before it" if run.i > 1 else ""
    return (
        f"When {describe_change(run)}, **{unidirectional}** of {plural(T, 'unidirectional state')}"
        f" change{'s' * (unidirectional == 1)}{before}. Of the bidirectional states **{bidirectional}**"
        f" change{'s' * (bidirectional == 1)}."
    )


class LateLink(NamedTuple):
    """A target word whose largest weight is on a source word after its gold word."""

    t: int  # all three positions count from 0
    position: int  # the source word with the largest weight
    gold: int  # the nearest gold word


def late_links(run: Readers, reader: Reader) -> list[LateLink]:
    found = []
    for t, position in sorted(reader.links):
        gold = [i for row, i in run.gold or () if row == t]
        if gold and (offset := offset_from_gold(position, gold)) > 0:
            found.append(LateLink(t, position, position - offset))
    return found


def describe_late_links(run: Readers) -> list[str]:
    """Say how many words attend to a source word after their gold word; the first one is the example."""
    first, second = run.both
    late, linked = late_links(run, first), len({t for t, _ in run.gold or ()})
    verb = "attends to a word after its" if len(late) == 1 else "attend to a word after their"
    sentence = (
        f"With the unidirectional encoder **{len(late)}** of {linked} words with a gold link {verb} gold word"
    )
    if late:
        t, position, gold = late[0]
        sentence += (
            f". The first is {bold_word(first.target[t])}: its largest weight"
            f" ({first.weights[t, position]:.2f}) is on {word_at(run.source, position)}, which"
            f" h{subscript(gold + 1)} at “{run.source[gold]}” has not read yet"
        )
    count = len(late_links(run, second))
    return [
        f"{sentence}.",
        f"With the bidirectional encoder **{count}** {'does' if count == 1 else 'do'} so.",
    ]


# ---- closer looks ----


def halves(run: Readers) -> Heatmap:
    return Heatmap(
        run.both[1].halves,
        ("→h", "←h"),
        run.source,
        keys=("way", "source"),
        column_role="source",
        role="source",
        top=MAX_CHANGE,
        wide=PAGE_WIDTH_PX,
        title=f"|Δ| of each half of the bidirectional states, when {describe_change(run)}",
    )


def sentences(run: Readers) -> Tokens:
    lines: list[TokenLine] = []
    for reader in run.both:
        original, changed = reader.written
        different = frozenset(
            n for n, word in enumerate(changed) if n >= len(original) or word != original[n]
        )
        lines += [
            TokenLine(reader.name, original, right=reader.right),
            TokenLine("changed", changed, changed=different),
        ]
    lines += reference_line(run.truth, *(reader.right for reader in run.both))
    title = "What each model writes: for the original sentence, and with your word"
    return Tokens(tuple(lines), key="word", wide=PAGE_WIDTH_PX, title=title)


def late(run: Readers) -> Table:
    """The fraction of target words by the offset of their largest weight from their gold word."""
    names = [f"{n:+d}".replace("-", "−") if n else "on it" for n in OFFSETS]
    names[0], names[-1] = f"{names[0]} or less", f"{names[-1]} or more"
    rows = tuple(
        (reader.name, *(f"{fraction:.2f}" if fraction >= 0.005 else "–" for fraction in fractions))
        for reader, fractions in zip(run.both, run.lateness, strict=True)
    )
    title = (
        f"How many positions after its gold word is a word’s largest weight? ({COUNTED_SENTENCES} unseen"
        " sentences, seed 0)"
    )
    return Table(("encoder", *names), rows, title=title)


def told_late(run: Readers) -> str:
    after = [fractions[OFFSETS.index(1) :].sum() for fractions in run.lateness]
    before = [fractions[: OFFSETS.index(0)].sum() for fractions in run.lateness]
    return (
        f"With the unidirectional encoder a fraction of **{after[0]:.2f}** of the largest weights is after"
        f" the gold word, and **{before[0]:.2f}** before it. With the bidirectional encoder these fractions"
        f" are **{after[1]:.2f}** and **{before[1]:.2f}**. A decoder that needs a later word attends to a"
        " state that has read it."
    )


def measured(run: Readers) -> Table:
    last = [n for n, (_, high) in enumerate(run.lengths) if high <= LONGEST_TRAINED][-1]
    within, beyond = ("{} to {} words".format(*bucket) for bucket in run.lengths[last : last + 2])
    rows = tuple(
        (
            metrics.name,
            Runs(metrics.aer, 0, 0.35, 3, "source"),
            Runs(metrics.exact, 0.9, 1, 3, "target"),
            Runs(metrics.by_length[:, last], 0.9, 1, 3, "target"),
            Runs(metrics.by_length[:, last + 1], 0, 1, 3, "target"),
        )
        for metrics in run.measured
    )
    headings = (
        "encoder",
        "AER (lower is better)",
        "exact match",
        within,
        f"{beyond} (beyond training)",
    )
    seeds = len(run.measured[0].aer)
    title = f"Both encoders on unseen sentences, {seeds} seeds: mean and range"
    return Table(headings, rows, wide=PAGE_WIDTH_PX, title=title)


def told_measured(run: Readers) -> str:
    one, two = run.measured
    aer = (
        "and no run of one encoder reaches a run of the other"
        if min(one.aer) > max(two.aer)
        else "but their runs overlap"
    )
    exact = (
        "The runs overlap: a decoder that attends late still finds what it needs."
        if max(min(one.exact), min(two.exact)) <= min(max(one.exact), max(two.exact))
        else "The runs do not overlap."
    )
    sentences = [
        f"AER is **{np.mean(one.aer):.2f}** with the {one.name} and **{np.mean(two.aer):.2f}** with the"
        f" {two.name} encoder, {aer}.",
        f"Exact match on unseen sentences is **{np.mean(one.exact):.3f}** with the first and"
        f" **{np.mean(two.exact):.3f}** with the second.",
        exact,
        f"The {one.name} model has {one.parameters:,} parameters, the {two.name} model {two.parameters:,}.",
    ]
    return " ".join(sentences)
