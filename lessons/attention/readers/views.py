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
from lessons.kit.language import translate, translate_plural
from lessons.kit.pictures.alignment import alignment_map
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import signed, subscript
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
    title = translate(f"{reader.name.capitalize()} encoder")
    if reader.aer is not None:
        template = "{encoder}: AER {aer:.2f}, gold links dashed"
        title = translate(template, encoder=title, aer=reader.aer)
    return alignment_map(
        reader.weights,
        reader.target,
        run.source,
        gold=tuple(sorted(run.gold or ())),
        wide=HALF_WIDTH_PX,
        tall=280,
        title=title,
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
        title=translate(
            "|Δhᵢ|, {encoder}, when {change}", encoder=translate(reader.name), change=describe_change(run)
        ),
    )


def describe_change(run: Readers) -> str:
    word = run.source[run.i - 1]
    template = "“{word}” becomes “{put}”" if run.put else "“{word}” is left blank"
    return translate(template, word=word, put=run.put)


def reading(run: Readers) -> str:
    if run.is_unchanged:
        return translate(
            "Word **{i}** is “{put}” already, so no state changes. Put another word there, or leave it"
            " blank.",
            i=run.i,
            put=run.put,
        )
    sentences = [count_changed_states(run)]
    if run.gold is None:
        message = "We do not know the gold links of this sentence; the suggested sentences have some."
        sentences.append(translate(message))
    else:
        sentences += describe_late_links(run)
    return " ".join(sentences)


def count_changed_states(run: Readers) -> str:
    unidirectional, bidirectional = (int((reader.change > 0).sum()) for reader in run.both)
    values = {"change": describe_change(run), "T": len(run.source)}
    if run.i == 1:
        one = "When {change}, **{n}** of {T} unidirectional states changes."
        many = "When {change}, **{n}** of {T} unidirectional states change."
    else:
        one = "When {change}, **{n}** of {T} unidirectional states changes, but no state before this word."
        many = "When {change}, **{n}** of {T} unidirectional states change, but no state before this word."
    first = translate_plural(one, many, unidirectional, **values)
    one = "**{n}** of the bidirectional states changes."
    many = "**{n}** of the bidirectional states change."
    return f"{first} {translate_plural(one, many, bidirectional)}"


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
    sentences = [
        translate_plural(
            "With the unidirectional encoder **{n}** of {linked} words with a gold link attends to a word"
            " after its gold word.",
            "With the unidirectional encoder **{n}** of {linked} words with a gold link attend to a word"
            " after their gold word.",
            len(late),
            linked=linked,
        )
    ]
    if late:
        t, position, gold = late[0]
        sentences.append(
            translate(
                "The first is {word}: its largest weight ({weight:.2f}) is on {source}, which {state} at"
                " “{gold}” has not read yet.",
                word=bold_word(first.target[t]),
                weight=first.weights[t, position],
                source=word_at(run.source, position),
                state=f"h{subscript(gold + 1)}",
                gold=run.source[gold],
            )
        )
    one, many = (
        "With the bidirectional encoder **{n}** does so.",
        "With the bidirectional encoder **{n}** do so.",
    )
    return [*sentences, translate_plural(one, many, len(late_links(run, second)))]


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
        title=translate(
            "|Δ| of each half of the bidirectional states, when {change}", change=describe_change(run)
        ),
    )


def sentences(run: Readers) -> Tokens:
    lines: list[TokenLine] = []
    for reader in run.both:
        original, changed = reader.written
        different = frozenset(
            n for n, word in enumerate(changed) if n >= len(original) or word != original[n]
        )
        lines += [
            TokenLine(translate(reader.name), original, right=reader.right),
            TokenLine(translate("changed"), changed, changed=different),
        ]
    lines += reference_line(run.truth, *(reader.right for reader in run.both))
    title = translate("What each model writes: for the original sentence, and with your word")
    return Tokens(tuple(lines), key="word", wide=PAGE_WIDTH_PX, title=title)


def late(run: Readers) -> Table:
    """The fraction of target words by the offset of their largest weight from their gold word."""
    names = [f"{n:+d}".replace("-", "−") if n else translate("on it") for n in OFFSETS]
    names[0], names[-1] = translate("{n} or less", n=names[0]), translate("{n} or more", n=names[-1])
    rows = tuple(
        (translate(reader.name), *(signed(one) if one >= 0.005 else "–" for one in fractions))
        for reader, fractions in zip(run.both, run.lateness, strict=True)
    )
    title = translate(
        "How many positions after its gold word is a word’s largest weight? ({n} unseen sentences, seed 0)",
        n=COUNTED_SENTENCES,
    )
    return Table((translate("encoder"), *names), rows, title=title)


def told_late(run: Readers) -> str:
    after = [fractions[OFFSETS.index(1) :].sum() for fractions in run.lateness]
    before = [fractions[: OFFSETS.index(0)].sum() for fractions in run.lateness]
    return translate(
        "With the unidirectional encoder a fraction of **{after:.2f}** of the largest weights is after the"
        " gold word, and **{before:.2f}** before it. With the bidirectional encoder these fractions are"
        " **{after_2:.2f}** and **{before_2:.2f}**. A decoder that needs a later word attends to a state that"
        " has read it.",
        after=after[0],
        before=before[0],
        after_2=after[1],
        before_2=before[1],
    )


def measured(run: Readers) -> Table:
    last = [n for n, (_, high) in enumerate(run.lengths) if high <= LONGEST_TRAINED][-1]
    within, beyond = run.lengths[last : last + 2]
    rows = tuple(
        (
            translate(metrics.name),
            Runs(metrics.aer, 0, 0.35, 3, "source"),
            Runs(metrics.exact, 0.9, 1, 3, "target"),
            Runs(metrics.by_length[:, last], 0.9, 1, 3, "target"),
            Runs(metrics.by_length[:, last + 1], 0, 1, 3, "target"),
        )
        for metrics in run.measured
    )
    headings = (
        translate("encoder"),
        translate("AER (lower is better)"),
        translate("exact match"),
        translate("{low} to {high} words", low=within[0], high=within[1]),
        translate("{low} to {high} words (beyond training)", low=beyond[0], high=beyond[1]),
    )
    seeds = len(run.measured[0].aer)
    title = translate("Both encoders on unseen sentences, {seeds} seeds: mean and range", seeds=seeds)
    return Table(headings, rows, wide=PAGE_WIDTH_PX, title=title)


def told_measured(run: Readers) -> str:
    one, two = run.measured
    aer = (
        "AER is **{one:.2f}** with the unidirectional and **{two:.2f}** with the bidirectional encoder, and"
        " no run of one encoder reaches a run of the other."
        if min(one.aer) > max(two.aer)
        else "AER is **{one:.2f}** with the unidirectional and **{two:.2f}** with the bidirectional encoder,"
        " but their runs overlap."
    )
    exact = (
        "The runs overlap: a decoder that attends late still finds what it needs."
        if max(min(one.exact), min(two.exact)) <= min(max(one.exact), max(two.exact))
        else "The runs do not overlap."
    )
    sentences = [
        translate(aer, one=np.mean(one.aer), two=np.mean(two.aer)),
        translate(
            "Exact match on unseen sentences is **{one:.3f}** with the first and **{two:.3f}** with the"
            " second.",
            one=np.mean(one.exact),
            two=np.mean(two.exact),
        ),
        translate(exact),
        translate(
            "The unidirectional model has {one:,} parameters, the bidirectional model {two:,}.",
            one=one.parameters,
            two=two.parameters,
        ),
    ]
    return " ".join(sentences)
