"""The sentence as typed and as read, the output before and after copying, and the weights of `<unk>`."""

import numpy as np

from lessons.attention.unknown.compute import NO_STEP, UnknownWords
from lessons.kit.language import translate, translate_plural
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import percent
from lessons.kit.pictures.tokens import TokenLine, Tokens, quote


def lines(run: UnknownWords) -> Tokens:
    """Four lines: typed, read, written, copied."""
    copied = frozenset(t for t, (a, b) in enumerate(zip(run.output, run.copied, strict=True)) if a != b)
    return Tokens(
        (
            TokenLine(translate("you typed"), run.typed, changed=frozenset(run.unknown)),
            TokenLine(translate("it reads"), run.source, changed=frozenset(run.unknown)),
            TokenLine(translate("it writes"), run.output, changed=frozenset(run.written)),
            TokenLine(translate("after copying"), run.copied, changed=copied),
        ),
        key="word",
        title=translate("What happens to unknown words"),
    )


def row(run: UnknownWords) -> Bars:
    """The weights of the chosen `<unk>`; clicking a bar moves all weight to its word."""
    no_weights = run.weights is None or run.step == NO_STEP
    values = np.full(len(run.typed), np.nan) if run.weights is None or no_weights else run.weights[run.step]
    if run.weights is None:
        title = translate("One context vector has no weights")
    elif no_weights:
        title = translate("The output has no <unk>")
    else:
        title = translate("Weights of <unk>, step {t} of the output", t=run.step + 1)
    return Bars(
        values,
        run.typed,
        label_role="source",
        changed=frozenset({run.moved - 1}) if run.moved else frozenset(),
        upright=True,
        pick=None if no_weights else ("word", tuple(str(i + 1) for i in range(len(run.typed)))),
        wide=560,
        tall=240,
        title=title,
        description="" if no_weights else translate("Choose a bar to give that word all the weight."),
    )


def alignment(run: UnknownWords) -> Heatmap:
    shape = len(run.output), len(run.typed)
    return Heatmap(
        np.full(shape, np.nan) if run.weights is None else run.weights,
        run.output,
        run.typed,
        keys=("target", "source"),
        row_role="target",
        column_role="source",
        current_row=None if run.step == NO_STEP else run.step,
        hatched=translate("no weights"),
        title=translate("Weights of all steps"),
    )


def reading(run: UnknownWords) -> str:
    one, many = (
        "**{n} word** of your sentence is unknown.",
        "**{n} words** of your sentence are unknown.",
    )
    sentences = [translate_plural(one, many, len(run.unknown)), describe_copies(run)]
    sentences.append(
        translate(
            "Of {n} unseen sentences with one unknown name this translator gets **{correct}** entirely"
            " right.",
            n=run.sentences,
            correct=percent(run.correct),
        )
    )
    return " ".join(sentences)


def describe_copies(run: UnknownWords) -> str:
    """Say where the output has `<unk>`, and what is copied there."""
    if run.moved:
        return translate(
            "You gave all weight of step {t} to “{word}”, and the output now has “{copy}” there.",
            t=run.step + 1,
            word=run.typed[run.moved - 1],
            copy=run.copied[min(run.step, len(run.copied) - 1)],
        )
    if not run.written:
        return translate("The output has no <unk>, so nothing has to be copied.")
    if run.weights is None:
        return translate(
            "The output has **{n}** <unk>. One context vector has no weights that could say which word to"
            " copy.",
            n=len(run.written),
        )
    return translate_plural(
        "The output has **{n}** <unk>, which attends to {words}, and this word is copied.",
        "The output has **{n}** <unk>, which attend to {words}, and these words are copied.",
        len(run.written),
        words=", ".join(map(quote, run.looked_at)),
    )
