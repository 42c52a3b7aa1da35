"""The alignment map."""

from typing import Any

import numpy as np

from lessons.attention.compute.align import Alignment
from lessons.attention.views.parts import quoted, truth_line
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import counted
from lessons.kit.pictures.tokens import TokenLine, Tokens


def alignment(run: Alignment) -> Heatmap:
    look: dict[str, Any] = {
        "keys": ("target", "source"),
        "row_role": "target",
        "column_role": "source",
        "row_title": "writes",
        "column_title": "looks at",
        "wide": 500,
        "tall": 460,
    }
    title = "Who looks where" + ("" if run.gold is None else ", gold alignment dashed")
    return Heatmap(run.weights, run.target, run.source, gold=run.gold or (), title=title, **look)


def pair(run: Alignment) -> Tokens:
    """The sentence, and what the model makes of it when it is left alone."""
    lines = (
        TokenLine("reads", run.source),
        TokenLine("writes", run.written, right=run.right),
        *truth_line(run.truth, run.right),
    )
    return Tokens(lines, key="word", wide=400, title="The sentence and its translation")


def reading(run: Alignment) -> str:
    if run.gold is None:
        sharp = run.weights.max(1).mean()
        return (
            f"It writes {counted(len(run.target), 'word')}{'' if run.ended else ' and finds no end'}, with a"
            f" largest weight of **{sharp:.2f}** on average. This sentence is not among those whose gold"
            " alignment we know, so there is no AER: the suggestions have one."
        )
    both = len(set(run.links) & set(run.gold))
    said = (
        f"**{both}** of the model’s {len(run.links)} strongest looks are gold, of {len(run.gold)} gold links"
        f" in all: AER = 1 − 2 · {both} / ({len(run.links)} + {len(run.gold)}) = **{run.aer:.2f}**"
        f" ({run.fresh[1]:.2f} over {run.fresh[0]:,} fresh sentences)."
    )
    unseen, unheard = run.alone
    if unseen:
        said += (
            f" By the gold alignment {quoted(unseen)} {'has' if len(unseen) == 1 else 'have'} no French"
            " counterpart."
        )
    if unheard:
        said += (
            f" {quoted(unheard)} {'comes' if len(unheard) == 1 else 'come'} from no English word, and must"
            " look somewhere."
        )
    if run.written != run.target:
        said += " The map follows the right translation, not what the model writes by itself."
    return said


def on_gold(run: Alignment) -> Bars:
    """Of each word: the weight that goes where gold says; without gold, where it goes most."""
    keys = tuple(f"target:{t}" for t in range(len(run.target)))
    values = run.weights.max(1) if run.gold is None else run.on_gold
    title = (
        "The strongest weight of each word"
        if run.gold is None
        else "Weight that each word gives to its gold words"
    )
    return Bars(np.asarray(values), run.target, keys=keys, label_role="target", title=title)
