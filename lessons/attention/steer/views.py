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
from lessons.kit.language import translate
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
    is_edited = run.t in run.edited
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
        title=translate(
            "Step {t}, with your weights" if is_edited else "Step {t}, with the model’s weights", t=run.t
        ),
    )


def reading(run: Steered) -> str:
    word = run.yours[run.t - 1]
    best = int(run.row.argmax())
    template = (
        "At step {t} the decoder gives all words the same weight and writes {word} with P = {p:.2f}."
        if np.ptp(run.row) < 0.005
        else "At step {t} the decoder gives a weight of **{weight:.2f}** to {source} and writes {word} with"
        " P = {p:.2f}."
    )
    values = {"weight": run.row[best], "source": word_at(run.source, best), "word": bold_word(word)}
    sentences = [translate(template, t=run.t, p=run.probability, **values)]
    if not (run.edited or run.waiting or run.unfit):
        sentences.append(first_task(run))
    if run.edited:
        sentences += describe_effect(run)
    if run.waiting:
        sentences.append(
            translate(
                "Your sentence ends at step {t}, so it does not reach your weights at {steps}.",
                t=len(run.yours),
                steps=name_steps(run.waiting),
            )
        )
    if run.unfit:
        sentences.append(
            translate(
                "Your weights at {steps} were made for a sentence of another length and are not used here.",
                steps=name_steps(run.unfit),
            )
        )
    return " ".join(sentences)


def first_task(run: Steered) -> str:
    """Tell the learner what to do while nothing is edited."""
    second = int(np.argsort(run.row)[-2])
    return translate("Now drag {word} to the right.", word=word_at(run.source, second))


def describe_effect(run: Steered) -> list[str]:
    """Describe how the learner's weights changed the context and the sentence."""
    sentences = []
    if run.t in run.edited and run.moved is not None:
        template = "Your weights move {context} by a distance of **{distance:.2f}**."
        sentences.append(translate(template, context=f"c{subscript(run.t)}", distance=run.moved))
    template = {
        (False, False): "With your weights at {steps} the sentence **stays the same**.",
        (True, False): "With your weights at {steps} the sentence loses {lost}.",
        (False, True): "With your weights at {steps} the sentence gains {new}.",
        (True, True): "With your weights at {steps} the sentence loses {lost} and gains {new}.",
    }[bool(run.lost), bool(run.new)]
    sentences.append(translate(template, steps=name_steps(run.edited), **name_changes(run)))
    if (run.lost or run.new) and not run.has_ended:
        sentences.append(translate("This sentence has no end mark: we stopped it."))
    return sentences


def name_changes(run: Steered, limit: int = 3) -> dict[str, str]:
    """The words that the learner's weights remove from the output and those that they add."""
    words = {"lost": [run.plain[n] for n in run.lost], "new": [run.yours[n] for n in run.new]}
    return {name: quote_list(tuple(found), limit) for name, found in words.items() if found}


def name_steps(numbers: tuple[int, ...]) -> str:
    """Format step numbers: "step 3" or "steps 1–4, 7"."""
    ranges = [
        [n for _, n in group] for _, group in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
    ]
    names = ", ".join(str(each[0]) if len(each) == 1 else f"{each[0]}–{each[-1]}" for each in ranges)
    return translate("steps {steps}" if len(numbers) > 1 else "step {steps}", steps=names)


def translations(run: Steered) -> Tokens:
    lines = (
        TokenLine(translate("original"), run.plain, changed=frozenset(run.lost), right=run.right[0]),
        TokenLine(translate("edited"), run.yours, changed=frozenset(run.new), right=run.right[1]),
        *reference_line(run.truth, run.right[0]),
    )
    title = translate("The translation, original and edited")
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
        compare_names=(translate("edited"), translate("original")),
        changed=changed,
        wide=ROW_WIDTH_PX,
        tall=222,
        title=translate("Weights of step {t}: drag a bar", t=run.t),
    )


def next_words(run: Steered) -> Bars:
    title = (
        translate("Next word, after “{word}”", word=run.yours[run.t - 2])
        if run.t > 1
        else translate("Next word, after the start")
    )
    original, edited = run.probabilities[:, :NEXT_WORDS]
    return next_word_bars(
        run.next_words[:NEXT_WORDS],
        edited,
        compare=original,
        compare_names=(translate("edited"), translate("original")),
        wide=ASIDE_WIDTH_PX,
        tall=115,
        title=title,
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
        title=translate(
            "Attention weights of your run, gold links dashed" if gold else "Attention weights of your run"
        ),
    )


def contexts(run: Steered) -> Heatmap:
    """c_t unit by unit: original, edited and their difference, where the original sentence has a step t."""
    rows = {translate("edited"): run.context}
    if run.plain_context is not None:
        change = run.context - run.plain_context
        rows = {translate("original"): run.plain_context, **rows, translate("change"): change}
    units = tuple(str(n + 1) for n in range(len(run.context)))
    return Heatmap(
        np.vstack([*rows.values()]),
        tuple(rows),
        units,
        role=None,
        keys=("row", "unit"),
        column_title=translate("unit"),
        wide=PAGE_WIDTH_PX - 20,
        title=translate("{context}, all {n} numbers", context=f"c{subscript(run.t)}", n=len(units)),
    )


def ask_context(run: Steered) -> str:
    template = "What changed in the context {context}?" if run.moved else "What is in the context {context}?"
    return translate(template, context=f"c{subscript(run.t)}")
