"""The sentence as typed and as read, the output before and after copying, and the weights of `<unk>`."""

import numpy as np

from lessons.attention.unknown.compute import NO_STEP, UnknownWords
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import percent, plural
from lessons.kit.pictures.tokens import TokenLine, Tokens


def lines(run: UnknownWords) -> Tokens:
    """Four lines: typed, read, written, copied."""
    copied = frozenset(t for t, (a, b) in enumerate(zip(run.output, run.copied, strict=True)) if a != b)
    return Tokens(
        (
            TokenLine("you typed", run.typed, changed=frozenset(run.unknown)),
            TokenLine("it reads", run.source, changed=frozenset(run.unknown)),
            TokenLine("it writes", run.output, changed=frozenset(run.written)),
            TokenLine("after copying", run.copied, changed=copied),
        ),
        key="word",
        title="What happens to unknown words",
    )


def row(run: UnknownWords) -> Bars:
    """The weights of the chosen `<unk>`; clicking a bar moves all weight to its word."""
    no_weights = run.weights is None or run.step == NO_STEP
    values = np.full(len(run.typed), np.nan) if run.weights is None or no_weights else run.weights[run.step]
    title = "One context vector has no weights" if run.weights is None else "The output has no <unk>"
    return Bars(
        values,
        run.typed,
        label_role="source",
        changed=frozenset({run.moved - 1}) if run.moved else frozenset(),
        upright=True,
        pick=None if no_weights else ("word", tuple(str(i + 1) for i in range(len(run.typed)))),
        wide=560,
        tall=240,
        title=title if no_weights else f"Weights of <unk>, step {run.step + 1} of the output",
        description="" if no_weights else "Choose a bar to give that word all the weight.",
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
        hatched="no weights",
        title="Weights of all steps",
    )


def reading(run: UnknownWords) -> str:
    sentences = [
        f"**{plural(len(run.unknown), 'word')}** of your sentence {'is' if len(run.unknown) == 1 else 'are'}"
        " unknown."
    ]
    if run.moved:
        sentences.append(
            f"You gave all weight of step {run.step + 1} to “{run.typed[run.moved - 1]}”, and the output"
            f" now has “{run.copied[min(run.step, len(run.copied) - 1)]}” there."
        )
    elif not run.written:
        sentences.append("The output has no <unk>, so nothing has to be copied.")
    elif run.weights is None:
        sentences.append(
            f"The output has **{len(run.written)}** <unk>. One context vector has no weights that could say"
            " which word to copy."
        )
    else:
        named = ", ".join(f"“{word}”" for word in run.looked_at)
        attends = (
            "which attends to {}, and this word is copied"
            if len(run.written) == 1
            else "which attend to {}, and these words are copied"
        ).format(named)
        sentences.append(f"The output has **{len(run.written)}** <unk>, {attends}.")
    sentences.append(
        f"Of {run.sentences} unseen sentences with one unknown name this translator gets"
        f" **{percent(run.correct)}** entirely right."
    )
    return " ".join(sentences)
