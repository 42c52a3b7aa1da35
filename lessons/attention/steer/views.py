"""The run with the learner's weights: the row to drag, both translations, the next word, the context."""

from itertools import groupby

import numpy as np

from lessons.attention.pictures import (
    PAGE_WIDTH_PX,
    attention_step,
    next_word_bars,
    quote_list,
    reference_line,
    source_bars,
)
from lessons.attention.steer.compute import Steered
from lessons.kit.pictures.alignment import alignment_map
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import subscript
from lessons.kit.pictures.phrases import bold_word, word_at
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.pictures.unrolled import Unrolled

ROW_WIDTH_PX, ASIDE_WIDTH_PX = 380, 520  # draggable bars, and the pictures beside them
NEXT_WORDS = 5  # number of next words shown
MIN_WEIGHT_CHANGE = 0.05  # smallest change for which a bar is outlined


def unrolled(run: Steered) -> Unrolled:
    whose = "your weights" if run.t in run.edited else "the model’s weights"
    return attention_step(
        run.source,
        run.H,
        run.yours,
        run.s,
        run.t,
        run.row,
        run.context,
        cells=4,
        tall=176,
        title=f"Step {run.t}, with {whose}",
    )


def reading(run: Steered) -> str:
    word = run.yours[run.t - 1]
    sentences = [
        f"At step {run.t} the decoder {describe_weights(run)} and writes {bold_word(word)} with"
        f" P = {run.probability:.2f}."
    ]
    if not (run.edited or run.waiting or run.unfit):
        sentences.append(first_task(run))
    if run.edited:
        sentences += describe_effect(run)
    if run.waiting:
        sentences.append(
            f"Your sentence ends at step {len(run.yours)}, so it does not reach your weights at"
            f" {name_steps(run.waiting)}."
        )
    if run.unfit:
        sentences.append(
            f"Your weights at {name_steps(run.unfit)} were made for a sentence of another length and are not"
            " used here."
        )
    return " ".join(sentences)


def describe_weights(run: Steered) -> str:
    if np.ptp(run.row) < 0.005:
        return "gives all words the same weight"
    best = int(run.row.argmax())
    return f"gives a weight of **{run.row[best]:.2f}** to {word_at(run.source, best)}"


def first_task(run: Steered) -> str:
    """Tell the learner what to do while nothing is edited."""
    second = int(np.argsort(run.row)[-2])
    return f"Now drag {word_at(run.source, second)} to the right."


def describe_effect(run: Steered) -> list[str]:
    """Describe how the learner's weights changed the context and the sentence."""
    sentences = []
    if run.t in run.edited and run.moved is not None:
        sentences.append(f"Your weights move c{subscript(run.t)} by a distance of **{run.moved:.2f}**.")
    changes = []
    if run.lost:
        changes.append(f"loses {quote_list(tuple(run.plain[n] for n in run.lost), 3)}")
    if run.new:
        changes.append(f"gains {quote_list(tuple(run.yours[n] for n in run.new), 3)}")
    effect = " and ".join(changes) or "**stays the same**"
    sentences.append(f"With your weights at {name_steps(run.edited)} the sentence {effect}.")
    if changes and not run.has_ended:
        sentences.append("This sentence has no end mark: we stopped it.")
    return sentences


def name_steps(numbers: tuple[int, ...]) -> str:
    """Format step numbers: "step 3" or "steps 1–4, 7"."""
    ranges = [
        [n for _, n in group] for _, group in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
    ]
    names = ", ".join(str(each[0]) if len(each) == 1 else f"{each[0]}–{each[-1]}" for each in ranges)
    return f"step{'s' * (len(numbers) > 1)} {names}"


def translations(run: Steered) -> Tokens:
    lines = (
        TokenLine("original", run.plain, changed=frozenset(run.lost), right=run.right[0]),
        TokenLine("edited", run.yours, changed=frozenset(run.new), right=run.right[1]),
        *reference_line(run.truth, run.right[0]),
    )
    title = "The translation, original and edited"
    return Tokens(lines, current=run.t - 1, wide=ASIDE_WIDTH_PX, tall=100, title=title)


def row(run: Steered) -> Bars:
    """Draggable weights of step t; ticks mark the model's own weights."""
    original, changed = run.original_row, frozenset[int]()
    if original is not None and run.t in run.edited:
        changed = frozenset(np.flatnonzero(np.abs(run.row - original) >= MIN_WEIGHT_CHANGE).tolist())
    return source_bars(
        run.row,
        run.source,
        handle="weights",
        compare=original,
        compare_names=("edited", "original"),
        changed=changed,
        wide=ROW_WIDTH_PX,
        tall=222,
        title=f"Weights of step {run.t}: drag a bar",
    )


def next_words(run: Steered) -> Bars:
    previous = run.yours[run.t - 2] if run.t > 1 else "the start"
    original, edited = run.probabilities[:, :NEXT_WORDS]
    return next_word_bars(
        run.next_words[:NEXT_WORDS],
        edited,
        compare=original,
        compare_names=("edited", "original"),
        wide=ASIDE_WIDTH_PX,
        tall=115,
        title=f"Next word, after “{previous}”",
    )


def alignment(run: Steered) -> Heatmap:
    gold = run.gold if run.gold and run.yours[: len(run.plain)] == run.plain else ()
    return alignment_map(
        run.your_weights,
        run.yours,
        run.source,
        keys=("step", "source"),
        gold=gold,
        changed=tuple((step - 1, i) for step in run.edited for i in range(len(run.source))),
        title="Attention weights of your run" + (", gold links dashed" if gold else ""),
    )


def contexts(run: Steered) -> Heatmap:
    """c_t unit by unit: original, edited and their difference, where the original sentence has a step t."""
    rows = {"edited": run.context}
    if run.plain_context is not None:
        rows = {"original": run.plain_context, **rows, "change": run.context - run.plain_context}
    units = tuple(str(n + 1) for n in range(len(run.context)))
    return Heatmap(
        np.vstack([*rows.values()]),
        tuple(rows),
        units,
        role=None,
        keys=("row", "unit"),
        column_title="unit",
        wide=PAGE_WIDTH_PX - 20,
        title=f"c{subscript(run.t)}, all {len(units)} numbers",
    )


def ask_context(run: Steered) -> str:
    context = f"the context c{subscript(run.t)}"
    return f"What changed in {context}?" if run.moved else f"What is in {context}?"
