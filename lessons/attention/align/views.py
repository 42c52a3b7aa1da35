"""The alignment map, the sentence pair, and the weight on gold words."""

import numpy as np

from lessons.attention.align.compute import Alignment
from lessons.attention.pictures import quote_list, reference_line
from lessons.kit.pictures.alignment import alignment_map
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import bold_count
from lessons.kit.pictures.tokens import TokenLine, Tokens


def alignment(run: Alignment) -> Heatmap:
    return alignment_map(
        run.weights,
        run.target,
        run.source,
        gold=run.gold or (),
        row_title="writes",
        column_title="attends to",
        wide=500,
        tall=460,
        title="Attention weights" + ("" if run.gold is None else ", gold links dashed"),
    )


def pair(run: Alignment) -> Tokens:
    """The source sentence, and the model's output when it is fed its own words."""
    lines = (
        TokenLine("reads", run.source),
        TokenLine("writes", run.written, right=run.right),
        *reference_line(run.truth, run.right),
    )
    return Tokens(lines, key="word", wide=400, title="The sentence and its translation")


def reading(run: Alignment) -> str:
    if run.gold is None:
        ending = "" if run.ended else " without an end mark"
        return (
            f"The model writes {bold_count(len(run.target), 'word')}{ending}. On average the largest weight"
            f" of a word is **{run.weights.max(1).mean():.2f}**. We do not know the gold links of this"
            " sentence, so it has no AER. The suggested sentences have one."
        )
    both, unseen_count, unseen_aer = len(set(run.links) & set(run.gold)), *run.fresh
    sources, targets = run.unlinked
    sentences = [
        f"The largest weight of each word is a link of the model. Of these {len(run.links)} links **{both}**"
        f" are gold, and the sentence has {len(run.gold)} gold links.",
        f"AER = 1 − 2 · {both} / ({len(run.links)} + {len(run.gold)}) = **{run.aer:.2f}**. On"
        f" {unseen_count:,} unseen sentences the AER is {unseen_aer:.2f}.",
    ]
    if sources:
        verb = "has" if len(sources) == 1 else "have"
        sentences.append(f"In the gold alignment {quote_list(sources)} {verb} no French counterpart.")
    if targets:
        verb, whose = ("comes", "its") if len(targets) == 1 else ("come", "their")
        sentences.append(
            f"{quote_list(targets)} {verb} from no English word, but {whose} weights must sum to 1 too."
        )
    if run.written != run.target:
        sentences.append(
            "The map shows the weights for the reference, because the model’s own translation is different."
        )
    return " ".join(sentences)


def on_gold(run: Alignment) -> Bars:
    """The weight of each target word on its gold words; without gold links, its largest weight."""
    has_gold = run.gold is not None
    return Bars(
        np.asarray(run.on_gold if has_gold else run.weights.max(1)),
        run.target,
        keys=tuple(f"target:{t}" for t in range(len(run.target))),
        label_role="target",
        title="Weight of each word on its gold words" if has_gold else "The largest weight of each word",
    )
