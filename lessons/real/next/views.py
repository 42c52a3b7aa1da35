"""The tokens of the text, and the distribution of the next token before and after the filters."""

from itertools import zip_longest

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.numbers import compact, plural
from lessons.kit.pictures.phrases import join_with_and
from lessons.kit.pictures.table import Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.real.next.compute import LAST_STAGES, OUR_WORDS_SHOWN, NextPiece
from lessons.real.pretrained_model import model_name, quote

STORY_START = "One day, Anna walked to the"
MAX_OUR_WORDS = 60
NO_FILTERS = (1.0, 0.0, 1.0, 0.0)  # temperature, k, p and min-p that change nothing
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
        title=f"Probability of the next piece: the best {len(run.candidates)} of {run.vocabulary:,}",
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
    left = (
        f"The filters leave **{run.left[-1]:,}** of {run.vocabulary:,} pieces and change the entropy from"
        f" {run.entropy[0]:.2f} to **{run.entropy[1]:.2f}** bits."
    )
    if run.settings == NO_FILTERS:
        left = f"The entropy of the distribution is **{run.entropy[0]:.2f}** bits."
    draw = f"With this seed, a random draw gives {quote(run.drawn)}" + (
        "."
        if run.drawn == run.without_filters
        else f"; without filters it would give {quote(run.without_filters)}."
    )
    return f"{best} {left} {draw}"


def our_words(run: NextPiece) -> Tokens:
    """The text as our story model splits it, with outlines around words it does not know."""
    words = run.ours.words[:MAX_OUR_WORDS]
    unknown = frozenset(i for i, word in enumerate(words) if word in run.ours.unknown)
    title = "The text (outlined: unknown to our story model)"
    return Tokens((TokenLine("words", words, changed=unknown),), title=title)


def beside_ours(run: NextPiece) -> Table:
    """The most probable pieces of the real model and words of ours, rank by rank, without filters."""
    ours = [*zip(run.ours.candidates, map(compact, run.ours.probabilities), strict=True)]
    real = zip(run.candidates[:OUR_WORDS_SHOWN], map(compact, run.model), strict=False)
    rows = tuple(
        (str(rank), *piece, *word)
        for rank, (piece, word) in enumerate(zip_longest(real, ours, fillvalue=("–", "–")), start=1)
    )
    return Table(
        ("rank", model_name(), "its P", "our story model", "its P"),
        rows,
        key="rank",
        title="The most probable next pieces and words, without filters",
    )


def ours_sentence(run: NextPiece) -> str:
    ours = run.ours
    if ours.entropy is None:
        named = join_with_and(
            [*(f"“{word}”" for word in ours.unknown[:3]), *["other words"] * (len(ours.unknown) > 3)]
        )
        missing = (
            f"Our story model does not know {named}."
            if ours.unknown
            else "Type at least one word for our story model."
        )
        return f"{missing} It has only **{ours.vocabulary:,}** words. Try “{STORY_START}”."
    name, word, piece = model_name(), ours.candidates[0], quote(run.candidates[0])
    return (
        f"Our story model expects “{word}” with P = **{compact(ours.probabilities[0])}**;"
        f" {name} expects {piece} with P = **{compact(run.model[0])}**. Our model chooses among"
        f" **{ours.vocabulary:,}** words with an entropy of {ours.entropy:.2f} bits. {name} chooses"
        f" among **{run.vocabulary:,}** pieces with an entropy of {run.entropy[0]:.2f} bits."
    )
