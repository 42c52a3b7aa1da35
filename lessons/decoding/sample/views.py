"""The text so far, the candidates for the next word, and the product of all probabilities."""

import math
from decimal import Decimal

import numpy as np

from lessons.decoding.sample.compute import MAX_SAMPLED, Sampled
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import bold_count, compact
from lessons.kit.pictures.phrases import bold_word, correctness_sentences
from lessons.kit.pictures.tokens import TokenLine, Tokens, quote


def text_so_far(run: Sampled) -> Tokens:
    notes = tuple(
        f"P({quote(word)} | words before) = {compact(p)}"
        for word, p in zip(run.words, run.factors, strict=True)
    )
    sampled = frozenset(range(run.typed, len(run.words)))
    lines: tuple[TokenLine, ...] = (TokenLine("source", run.source),) if run.source else ()
    lines += (TokenLine("text", run.words, run.factors, notes, sampled, right=run.as_truth),)
    lines += (TokenLine("reference", run.truth, quiet=True),) if run.truth else ()
    title = "The text: the greener a word, the more probable it was; outlined: sampled"
    return Tokens(lines, role="weight", wide=900, tall=160, title=title)


def next_words(run: Sampled) -> Bars | str:
    if run.ended:
        return "The text has ended: <eos> was the last token. Remove words or type others."
    text = " ".join(run.words)
    control = "target" if run.source else "text"
    return Bars(
        np.append(run.next_probabilities, run.others),
        (*(f"{word} ⚂" if word == run.upcoming else word for word in run.next_words), "all others"),
        keys=(*(f"word:{word}" for word in run.next_words), "word:others"),
        pick=(control, (*(f"{text} {word}".strip() for word in run.next_words), text)),
        wide=420,
        title="What comes next? Choose one (⚂: the random draw)",
    )


def reading(run: Sampled) -> str:
    if not run.words:
        sentences = ["Nothing is written yet: these are the first words."]
    else:
        product = Decimal(run.log_product[-1]).exp()  # a float would underflow below 10⁻³⁰⁸
        smallest = int(run.factors.argmin())
        sentences = [
            f"You typed {bold_count(run.typed, 'word')}, and **{len(run.words) - run.typed}** more were"
            " sampled.",
            f"The text has probability **{compact(product)}**; the smallest factor is that of"
            f" {bold_word(run.words[smallest])} (**{compact(run.factors[smallest])}**).",
        ]
    if run.ended:
        sentences.append("The last token, **<eos>**, ends the text.")
        sentences += correctness_sentences(run.as_truth, run.truth)
    else:
        sentences += [
            f"The most likely next word is {bold_word(run.next_words[0])}"
            f" (**{run.next_probabilities[0]:.2f}**).",
            f"The next random number is **{run.die:.2f}**, which draws {bold_word(run.upcoming)}.",
        ]
    return " ".join(sentences)


def chain(run: Sampled) -> Curves:
    steps = np.arange(1, len(run.words) + 1)
    lines = (
        Line("each factor", steps, run.factors, "weight", points=True),
        Line("product", steps, np.exp(run.log_product), "target", points=True),
    )
    axis_min = 10.0 ** max(-140, math.floor(min(run.lowest, *run.log_product, -5) / math.log(10)))
    return Curves(
        lines,
        x_title="word",
        y_title="probability",
        x_range=(1, run.typed + MAX_SAMPLED),
        y_range=(axis_min, 1),
        log_y=True,
        key="step",
        wide=458,
        tall=240,
        title="The probability of each word, and their product",
    )
