"""One word left out."""

from statistics import mean

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import percent, plural
from lessons.kit.pictures.table import Runs, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.qkv.compute.bank import LEFT, TWO_SIDED
from lessons.qkv.compute.blank import Filled

WHERE = {"left": "left of the blank", "right": "right of it", "both": "on both sides", "nowhere": "nowhere"}


def filled(run: Filled) -> Tokens:
    """The sentence with what each reader puts into the blank; struck out what it cannot see from there."""
    title = f"Filled in. Red: {run.senses[0]}, blue: {run.senses[1]}, hatched: not seen from the blank"
    return Tokens((line(run, TWO_SIDED), line(run, LEFT)), wide=900, title=title)


def line(run: Filled, reader: str) -> TokenLine:
    n = run.readers.index(reader)
    words, lean, notes = list(run.words), np.zeros(len(run.words)), list(run.words)
    words[run.place] = put(run, n)
    lean[run.position] = np.subtract(*run.sense[n])
    lean[run.place] = np.subtract(*run.together[n])
    notes[run.position] = f"“{run.word}”: " + said(run, run.sense[n])
    notes[run.place] = "words of " + said(run, run.together[n])
    if reader == LEFT:
        lean[run.place + 1 :] = np.nan
        notes[run.place + 1 :] = [f"{word}: not seen from the blank" for word in run.words[run.place + 1 :]]
    return TokenLine(reader, tuple(words), lean, tuple(notes), frozenset({run.place}))


def put(run: Filled, n: int) -> str:
    """What this reader puts into the blank: a word; one of each sense, if that is open; its likeliest, with a doubt, if all is."""
    sense = run.decided(n)
    if sense is not None:
        return run.best[n][sense][0]
    if run.other[n] > 0.5:
        return f"{run.likeliest[n][0]} ?"
    return " or ".join(word for word, _ in sorted(run.best[n], key=lambda pair: -pair[1]))


def said(run: Filled, row: np.ndarray) -> str:
    return ", ".join(f"{sense} {p:.2f}" for sense, p in zip(run.senses, row, strict=True))


def words(run: Filled) -> Bars:
    both, left = (np.append(run.chances[n], run.other[n]) for n in map(run.readers.index, (TWO_SIDED, LEFT)))
    return Bars(
        both,
        (*run.fitting, "any other"),
        compare=left,
        compare_names=(TWO_SIDED, LEFT),
        cut=len(run.fitting) // 2,
        wide=440,
        tall=250,
        title=f"What fits? Words of {run.senses[0]}, then of {run.senses[1]}",
    )


def senses(run: Filled) -> Bars:
    both, left = (
        np.concatenate([run.sense[n], run.together[n]]) for n in map(run.readers.index, (TWO_SIDED, LEFT))
    )
    labels = (*run.senses, *(f"blank: {sense}" for sense in run.senses))  # “letter”: alphabet has no room
    title = f"The sense of “{run.word}”, and below the line of the words at the blank"
    return Bars(both, labels, compare=left, compare_names=(TWO_SIDED, LEFT), cut=2, wide=440, title=title)


def reading(run: Filled) -> str:
    left, both = map(run.readers.index, (LEFT, TWO_SIDED))
    return (
        f"With both sides in view: {found(run, both)}. From left to right: {found(run, left)}."
        f" {why(run, both, left)}"
    )


def found(run: Filled, n: int) -> str:
    """What this reader says at the blank."""
    sense = run.decided(n)
    if sense is not None:
        word, p = run.best[n][sense]
        return (
            f"“**{word}**” ({p:.2f}), all words of {run.senses[sense]} together"
            f" **{run.together[n, sense]:.2f}**"
        )
    if run.other[n] > 0.5:
        word, p = run.likeliest[n]
        return f"mostly other words, most likely “{word}” (**{p:.2f}**)"
    return "undecided, " + ", ".join(f"“{word}” **{p:.2f}**" for word, p in run.best[n])


def why(run: Filled, both: int, left: int) -> str:
    knows, also = run.decided(both), run.decided(left)
    unseen = any(word != "." for word in run.words[run.place + 1 :])  # by the left-to-right model
    if knows is None and also is None:
        return "At the blank neither model is sure of a sense."
    if knows is None:
        return "Only the left-to-right model is sure of a sense" + (
            "; it does not see the words right of the blank." if unseen else "."
        )
    if also is None:
        told = (
            ": the word that tells stands right of the blank, where only this model sees it."
            if unseen
            else "."
        )
        return f"Only the two-sided model is sure of a sense{told}"
    if also != knows:
        return "They disagree" + (
            ": only the two-sided model sees the words right of the blank." if unseen else " about the sense."
        )
    at_word = run.sense[left, knows]
    if run.position < run.place and at_word < 0.7:
        return (
            f"What tells stands between “{run.word}” and the blank: at “{run.word}” the left-to-right model "
            f"had only {run.senses[knows]} **{at_word:.2f}**."
        )
    return "What tells stands left of the blank, where both see it."


def gaze(run: Filled) -> Heatmap:
    rows = tuple(f"{reader} {row}" for reader in ("→", "↔") for row in run.rows)
    title = "Where the blank looks: → left to right, ↔ both sides"
    return Heatmap(
        np.concatenate(run.weights),
        rows,
        run.words,
        keys=("head", "step"),
        current_column=run.place,
        title=title,
    )


def known(run: Filled) -> Table:
    rows = tuple(
        (
            f"{WHERE[side]}, {reader}",
            Runs(figures.fits, 0, 1),
            Runs(figures.first, 0, 1),
            Runs(figures.perplexity, 0, 50),
            f"{run.ideal[side]:.2f}",
        )
        for side, by_reader in run.measured.items()
        for reader, figures in by_reader.items()
    )
    seeds = len(run.measured["left"][LEFT].fits)
    headings = (
        "what tells stands",
        "right sense likelier",
        "likeliest is the word left out",
        "perplexity",
        "perplexity, ideal",
    )
    return Table(
        headings,
        rows,
        key="kind",
        wide=900,
        title=f"{run.count} test sentences of each kind, {plural(seeds, 'seed')}",
    )


def counted(run: Filled) -> str:
    right = {reader: mean(run.measured["right"][reader].fits) for reader in run.readers}
    left = {reader: mean(run.measured["left"][reader].fits) for reader in run.readers}
    return (
        f"Told from the right, the two-sided model finds the sense in **{percent(right[TWO_SIDED])}** of the"
        f" blanks, the other in **{percent(right[LEFT])}**. Told from the left, they find it in"
        f" **{percent(left[TWO_SIDED])}** and **{percent(left[LEFT])}**."
    )
