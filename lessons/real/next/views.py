"""The tokens of the text, and the distribution of the next token before and after the filters."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.numbers import compact, plural
from lessons.kit.pictures.table import Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.real.next.compute import LAST_STAGES, NextPiece
from lessons.real.pretrained_model import quote

STAGE_NAMES = {"tempered": "temperature", "top-k": "top-k", "top-p": "top-p", "min-p": "min-p"}


def text_pieces(run: NextPiece) -> Tokens:
    """The text as the model reads it, with outlines around sampled tokens."""
    words = (*run.words, *run.rolled)
    return Tokens(
        (TokenLine("pieces", words, changed=frozenset(range(len(run.words), len(words)))),),
        title=plural(len(words), "piece"),
    )


def next_pieces(run: NextPiece) -> Bars:
    return Bars(
        run.filtered,
        run.candidates,
        compare=run.model,
        compare_names=("filtered", "model"),
        greyed=frozenset(np.flatnonzero(run.filtered == 0).tolist()),
        pick=("text", run.continuations),
        wide=480,
        tall=300,
        title=f"P(next piece), the best {len(run.candidates)} of {run.vocabulary:,}",
        description="Choose a bar to add that piece to the text.",
    )


def pieces_left(run: NextPiece) -> Table:
    temperature, k, p, min_p = run.settings
    given = (
        f"τ = {temperature:g}",
        f"k = {k:g}" if k else "off",
        f"p = {p:g}" if p < 1 else "off",
        f"{min_p:g}" if min_p else "off",
    )
    rows = tuple(
        (STAGE_NAMES[name], setting, f"{left:,}")
        for name, setting, left in zip(LAST_STAGES, given, run.left, strict=True)
    )
    return Table(
        ("filter, in this order", "setting", "pieces left"),
        rows,
        key="filter",
        title="From the logits to the draw",
    )


def reading(run: NextPiece) -> str:
    best = f"The most probable next piece is {quote(run.candidates[0])} with P = **{compact(run.model[0])}**."
    left = f"The filters leave **{run.left[-1]:,}** of {run.vocabulary:,} pieces; the entropy goes from"
    left += f" **{run.entropy[0]:.2f}** to **{run.entropy[1]:.2f}** bits."
    draw = f"This seed draws {quote(run.drawn)}" + (
        "."
        if run.drawn == run.without_filters
        else f"; without filters it would draw {quote(run.without_filters)}."
    )
    return f"{best} {left} {draw}"
