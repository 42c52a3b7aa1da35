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
    title = "The text (greener: more probable; outlined: sampled)"
    return Tokens(lines, role="weight", wide=900, tall=160, title=title)


def next_words(run: Sampled) -> Bars | str:
    if run.ended:
        return "The text has ended, because <eos> was the last token. Remove some words or type others."
    text = " ".join(run.words)
    control = "target" if run.source else "text"
    return Bars(
        np.append(run.next_probabilities, run.others),
        (*(f"{word} ⚂" if word == run.upcoming else word for word in run.next_words), "all others"),
        keys=(*(f"word:{word}" for word in run.next_words), "word:others"),
        pick=(control, (*(f"{text} {word}".strip() for word in run.next_words), text)),
        wide=420,
        title="Probability of the next word: choose one (⚂: the random draw)",
    )


def reading(run: Sampled) -> str:
    if not run.words:
        sentences = ["The text is still empty, so the bars show the first word."]
    else:
        product = Decimal(run.log_product[-1]).exp()  # a float would underflow below 10⁻³⁰⁸
        smallest = int(run.factors.argmin())
        sentences = [
            f"You typed {bold_count(run.typed, 'word')}, and the model sampled"
            f" **{len(run.words) - run.typed}** more.",
            f"The probability of this text is **{compact(product)}**; its least probable word is"
            f" {bold_word(run.words[smallest])} with **{compact(run.factors[smallest])}**.",
        ]
    if run.ended:
        sentences.append("The last token, **<eos>**, ends the text.")
        sentences += correctness_sentences(run.as_truth, run.truth)
    else:
        sentences += [
            f"The most probable next word is {bold_word(run.next_words[0])}"
            f" (**{run.next_probabilities[0]:.2f}**); the random number **{run.die:.2f}** draws"
            f" {bold_word(run.upcoming)}.",
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
        title="Probability of each word, and the product of all so far",
    )
