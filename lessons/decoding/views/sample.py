"""A text, word by word, and what it costs."""

import math
from decimal import Decimal

import numpy as np

from lessons.decoding.compute.word import ROLLS, Sampled
from lessons.decoding.views.words import bold
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import compact, counted
from lessons.kit.pictures.tokens import TokenLine, Tokens, quoted


def text_so_far(run: Sampled) -> Tokens:
    notes = tuple(
        f"P({quoted(word)} | what stands before) = {compact(p)}"
        for word, p in zip(run.words, run.factors, strict=True)
    )
    rolled = frozenset(range(run.typed, len(run.words)))
    lines: tuple[TokenLine, ...] = (TokenLine("source", run.source),) if run.source else ()
    lines += (TokenLine("text", run.words, run.factors, notes, rolled, right=run.as_truth),)
    lines += (TokenLine("truth", run.truth, quiet=True),) if run.truth else ()
    title = "The text: the greener a word, the more probable it was; outlined: rolled"
    return Tokens(lines, role="weight", wide=900, tall=160, title=title)


def next_words(run: Sampled) -> Bars | str:
    if run.ended:
        return "The text has ended: <eos> was the last word. Take words back, or type others."
    labels = (*(f"{word} ⚂" if word == run.upcoming else word for word in run.next_words), "all others")
    keys = (*(f"word:{word}" for word in run.next_words), "word:others")
    values = np.append(run.next_probabilities, run.others)
    taken = " ".join(run.words)
    pick = (
        "target" if run.source else "text",
        (*(f"{taken} {word}".strip() for word in run.next_words), taken),
    )
    return Bars(
        values,
        labels,
        keys=keys,
        pick=pick,
        wide=420,
        title="What comes next? Choose one (⚂: the die’s choice)",
    )


def reading(run: Sampled) -> str:
    rolled = len(run.words) - run.typed
    if not run.words:
        said = "Nothing is written yet: these are the first words. "
    else:
        said = f"You typed {counted(run.typed, 'word')}, the dice {counted(rolled, 'word')}. "
        together = Decimal(run.log_product[-1]).exp()  # a float would end at 10⁻³⁰⁸
        weakest = int(run.factors.argmin())
        said += f"All together have probability **{compact(together)}**; "
        said += (
            f"the smallest factor is that of {bold(run.words[weakest])}"
            f" (**{compact(run.factors[weakest])}**). "
        )
    if run.ended:
        told = {True: " It is **as the truth** ✓.", False: " It is **not as the truth** ✗.", None: ""}[
            run.as_truth
        ]
        return said + f"The last one, **<eos>**, ends the text.{told}"
    said += f"Likeliest next: {bold(run.next_words[0])} (**{run.next_probabilities[0]:.2f}**); "
    return said + f"the next die says **{run.die:.2f}**, and so {bold(run.upcoming)}."


def chain(run: Sampled) -> Curves:
    steps = np.arange(1, len(run.words) + 1)
    lines = (
        Line("each factor", steps, run.factors, "weight", points=True),
        Line("product", steps, np.exp(run.log_product), "target", points=True),
    )
    foot = 10.0 ** max(-140, math.floor(min(run.lowest, *run.log_product, -5) / math.log(10)))
    return Curves(
        lines,
        x_title="word",
        y_title="probability",
        x_range=(1, run.typed + ROLLS),
        y_range=(foot, 1),
        log_y=True,
        key="step",
        wide=458,
        tall=240,
        title="The whole text: word by word, and multiplied",
    )
