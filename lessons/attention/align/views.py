"""The alignment map, the sentence pair, and the weight on gold words."""

import numpy as np

from lessons.attention.align.compute import Alignment
from lessons.attention.pictures import quote_list, reference_line
from lessons.kit.language import translate, translate_plural
from lessons.kit.pictures.alignment import alignment_map
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.tokens import TokenLine, Tokens


def alignment(run: Alignment) -> Heatmap:
    title = "Attention weights" if run.gold is None else "Attention weights, gold links dashed"
    return alignment_map(
        run.weights,
        run.target,
        run.source,
        gold=run.gold or (),
        row_title=translate("writes"),
        column_title=translate("attends to"),
        wide=500,
        tall=460,
        title=translate(title),
    )


def pair(run: Alignment) -> Tokens:
    """The source sentence, and the model's output when it is fed its own words."""
    lines = (
        TokenLine(translate("reads"), run.source),
        TokenLine(translate("writes"), run.written, right=run.right),
        *reference_line(run.truth, run.right),
    )
    return Tokens(lines, key="word", wide=400, title=translate("The sentence and its translation"))


def reading(run: Alignment) -> str:
    if run.gold is None:
        return " ".join([count_words(run), describe_largest_weights(run)])
    both, unseen_count, unseen_aer = len(set(run.links) & set(run.gold)), *run.fresh
    sources, targets = run.unlinked
    sentences = [
        translate(
            "The largest weight of each word is a link of the model. Of these {n} links **{both}** are gold,"
            " and the sentence has {gold} gold links.",
            n=len(run.links),
            both=both,
            gold=len(run.gold),
        ),
        translate(
            "AER = 1 − 2 · {both} / ({links} + {gold}) = **{aer:.2f}**. On {n:,} unseen sentences the AER is"
            " {unseen:.2f}.",
            both=both,
            links=len(run.links),
            gold=len(run.gold),
            aer=run.aer,
            n=unseen_count,
            unseen=unseen_aer,
        ),
    ]
    if sources:
        one = "In the gold alignment {words} has no French counterpart."
        many = "In the gold alignment {words} have no French counterpart."
        sentences.append(translate_plural(one, many, len(sources), words=quote_list(sources)))
    if targets:
        one = "{words} comes from no English word, but its weights must sum to 1 too."
        many = "{words} come from no English word, but their weights must sum to 1 too."
        sentences.append(translate_plural(one, many, len(targets), words=quote_list(targets)))
    if run.written != run.target:
        sentences.append(
            translate(
                "The map shows the weights for the reference, because the model’s own translation is"
                " different."
            )
        )
    return " ".join(sentences)


def count_words(run: Alignment) -> str:
    n = len(run.target)
    if run.ended:
        return translate_plural("The model writes **{n}** word.", "The model writes **{n}** words.", n)
    one = "The model writes **{n}** word without an end mark."
    many = "The model writes **{n}** words without an end mark."
    return translate_plural(one, many, n)


def describe_largest_weights(run: Alignment) -> str:
    return translate(
        "On average the largest weight of a word is **{mean:.2f}**. We do not know the gold links of this"
        " sentence, so it has no AER. The suggested sentences have one.",
        mean=run.weights.max(1).mean(),
    )


def on_gold(run: Alignment) -> Bars:
    """The weight of each target word on its gold words; without gold links, its largest weight."""
    has_gold = run.gold is not None
    title = "Weight of each word on its gold words" if has_gold else "The largest weight of each word"
    return Bars(
        np.asarray(run.on_gold if has_gold else run.weights.max(1)),
        run.target,
        keys=tuple(f"target:{t}" for t in range(len(run.target))),
        label_role="target",
        title=translate(title),
    )
