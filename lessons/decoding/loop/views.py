"""How the probability of a phrase grows with its repetitions, and what each method writes after it."""

import math

import numpy as np

from lessons.decoding.loop.compute import Looped, Written
from lessons.decoding.sentences import split_sentences
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import bold_count, compact, plural, scientific
from lessons.kit.pictures.prose import Prose, Text

FULL_NAMES = {"vanilla": "vanilla RNN", "GRU, no songs": "GRU trained without songs"}  # names in sentences
ROLES = {
    "GRU": "source",
    "Transformer": "target",
    "LSTM": "context",
    "vanilla": "quiet",
    "GRU, no songs": "weight",
}


def model_lines(run: Looped) -> tuple[Line, ...]:
    return tuple(
        Line(model, run.repeats + 1, p, ROLES[model])
        for model, p in zip(run.readers, run.probabilities, strict=True)
    )


def again_and_again(run: Looped) -> Curves:
    largest = max(run.probabilities.max(), 1e-9)
    # the axis does not depend on r, the chosen number of repetitions
    axis_max = 10.0 ** max(-3, math.ceil(math.log10(largest)))
    return Curves(
        model_lines(run),
        x_title="which repetition of the phrase (1: the first time)",
        y_title="P(phrase | text so far)",
        x_range=(1, len(run.repeats)),
        y_range=(0, axis_max),
        log_x=True,
        current=run.r + 1,
        wide=900,
        tall=230,
        title=f"Probability of “{' '.join(run.phrase)}” after each repetition",
    )


def rare(run: Looped) -> Curves:
    return Curves(
        model_lines(run),
        x_title="which repetition",
        y_title="P(phrase), logarithmic",
        x_range=(1, len(run.repeats)),
        y_range=(1e-30, 1),
        log_x=True,
        log_y=True,
        current=run.r + 1,
        wide=600,
        title="The same probabilities on a log axis",
    )


def mark_repeated(run: Looped, written: Written) -> Text:
    """The continuation, with marks on sentences that occurred before in it or in the phrase."""
    prompt = split_sentences(run.phrase * run.r)
    ending = "<eos>" if written.ended else "…"
    text = Text.of(written.name, (*prompt, *split_sentences(written.words), ending))
    return Text(written.name, text.passages[len(prompt) :])


def model_name(run: Looped) -> str:
    return FULL_NAMES.get(run.model, run.model)


def texts(run: Looped) -> Prose:
    after = f"after {plural(run.r, 'repetition')} of the phrase" if run.r else "with nothing before it"
    title = f"What the {model_name(run)} writes {after} (underlined: repeated)"
    return Prose(tuple(mark_repeated(run, each) for each in run.written), wide=900, tall=110, title=title)


def reading(run: Looped) -> str:
    p = run.probabilities[run.readers.index(run.model)]
    first = f"The {model_name(run)} gives “{' '.join(run.phrase)}” a probability of **{two_digits(p[0])}**"
    if run.r:
        first += f" at first and **{two_digits(p[run.r])}** after {bold_count(run.r, 'repetition')}"
    greedy, nucleus = run.written
    sentences = [
        f"{first}.",
        f"So it is **{compact(p[run.r] / p[0])}** times as probable." if run.r and p[0] > 0 else "",
        f"The greedy text {describe_repetition(run, greedy)}.",
        f"The text sampled with top-p {describe_repetition(run, nucleus)}.",
    ]
    return " ".join(filter(None, sentences))


def two_digits(p: float) -> str:
    """Format a probability with enough digits to compute ratios from it."""
    return scientific(p, 1) if 0 < p < 0.1 else compact(p)


def describe_repetition(run: Looped, written: Written) -> str:
    """Describe whether a text ends in a loop, repeats sentences, or repeats nothing."""
    if written.loop:
        return f"**ends in a loop** (“{' '.join(written.loop)}”)"
    repeated = sum(passage.marked for passage in mark_repeated(run, written).passages)
    if repeated:
        return f"repeats {bold_count(repeated, 'sentence')} but does not end in a loop"
    return "**repeats no sentence**"


def remedied(run: Looped) -> Prose:
    title = "Greedy search with a remedy (underlined: repeated)"
    return Prose(tuple(mark_repeated(run, each) for each in run.remedies), wide=900, title=title)


def cost(run: Looped) -> Bars:
    texts = (*run.written, *run.remedies)
    return Bars(
        np.array([written.perplexity for written in texts]),
        tuple(f"{written.name}{' ↻' if written.loop else ''}" for written in texts),
        role="target",
        top=25,
        digits=1,
        compare=np.full(len(texts), run.perplexity),
        compare_names=("written", "held-out"),
        title="Cost of each remedy: perplexity (↻: ends in a loop)",
    )


def verdicts(run: Looped) -> str:
    """Describe what the remedies do and what they cost."""
    greedy = run.written[0]
    sentences = [
        f"Without a remedy, the greedy text {describe_repetition(run, greedy)}, and its perplexity is"
        f" **{greedy.perplexity:.1f}**."
    ]
    for name, written, is_off in zip(
        ("repetition penalty", "n-gram blocking"), run.remedies, run.remedies_off, strict=True
    ):
        effect = (
            f"With “{written.name}”, the text {describe_repetition(run, written)}, and its perplexity is"
            f" **{written.perplexity:.1f}**."
        )
        sentences.append(f"The {name} is off." if is_off else effect)
    return " ".join(sentences)
