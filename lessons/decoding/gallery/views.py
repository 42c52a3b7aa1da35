"""Texts by each strategy side by side, their metrics, and the paper's metrics."""

from lessons.decoding.gallery.compute import NGRAM_SIZES, PAPER_TABLE, Interval, Shown, do_overlap
from lessons.kit.pictures.phrases import join_with_and
from lessons.kit.pictures.prose import Prose, Text
from lessons.kit.pictures.table import Bar, Parts, Table, Tones


def texts(run: Shown) -> Prose:
    title = f"{run.number} · “{' '.join(run.prompt)} …” continued by each strategy (underlined: repeated)"
    return Prose(
        tuple(Text.of(name, sentences) for name, sentences in run.texts), wide=915, tall=420, title=title
    )


def reading(run: Shown) -> str:
    true_text, *strategies = run.names
    perplexity, looping, repeating = (
        dict(zip(run.names, column, strict=True)) for column in (run.perplexity, run.repetition, run.again)
    )
    interval = dict(zip(run.names, run.intervals, strict=True))
    lowest = min(strategies, key=lambda name: perplexity[name])
    sentences = [
        f"Of all strategies, **{lowest}** writes the texts with the lowest perplexity under the {run.model}:"
        f" **{perplexity[lowest]:.2f}** {write_interval(interval[lowest])}.",
        f"**{repeating[lowest]:.0f}%** of these texts repeat a whole sentence, and"
        f" **{looping[lowest]:.0f}%** end in a loop.",
        f"The true text has a perplexity of **{perplexity[true_text]:.2f}**"
        f" {write_interval(interval[true_text])}.",
    ]
    similar = [
        name.replace("-", "\u2011")  # non-breaking hyphen
        for name in run.compared[1:]
        if do_overlap(interval[name], interval[true_text])
    ]
    if similar and true_text in run.compared:
        sentences.append(
            f"With {run.count} texts per strategy, {join_with_and(similar)} cannot be distinguished from the"
            " true text by perplexity."
        )
    if run.fresh:
        sentences.append(f"**{run.way}** was just measured on **{run.fresh}** new texts.")
    return " ".join(sentences)


def write_interval(interval: Interval) -> str:
    return f"({interval[0]:.1f} to {interval[1]:.1f})"


def figures(run: Shown) -> Table:
    largest = max(high for _, high in run.intervals)
    rows = tuple(
        (
            name if name in run.compared else f"{name} ({run.fresh} new)",
            Bar(f"{perplexity:.2f} {write_interval(interval)}", perplexity, largest, "target"),
            f"{paper:.2f}",
            Tones(distinct),
            Bar(f"{again:.0f}%", again, 100, "target"),
            Bar(f"{loops:.0f}%", loops, 100, "target"),
            f"{paper_loops:.2f}%",
        )
        for name, perplexity, interval, paper, distinct, again, loops, paper_loops in zip(
            run.names,
            run.perplexity,
            run.intervals,
            run.paper_perplexity,
            run.distinct,
            run.again,
            run.repetition,
            run.paper_repetition,
            strict=True,
        )
    )
    headings = (
        "strategy",
        "perplexity, by the model that wrote",
        "paper’s perplexity",
        Parts("distinct-n", tuple(f"n = {n}" for n in NGRAM_SIZES)),
        "repeat a sentence",
        "end in a loop",
        "paper’s loops",
    )
    marked = frozenset({run.names.index(run.way)})
    title = f"{run.count} texts of each strategy (in brackets: the 95% interval)"
    return Table(headings, rows, key="way", marked=marked, wide=880, title=title)


def agreement(run: Shown) -> str:
    order = run.order
    without = " (without the strategy with new texts)" if run.fresh else ""
    exceptions = "; ".join(f"{a} and {b}" for a, b in order.swapped)
    return (
        f"Of {order.pairs} pairs of strategies{without}, **{order.apart}** have clearly different"
        f" perplexities here. **{order.same}** of these pairs have the same order in"
        f" {PAPER_TABLE}{f' (exception: {exceptions})' if exceptions else ''}."
    )


def more(run: Shown) -> Prose:
    texts = tuple(Text.of(label, sentences) for label, sentences in run.more)
    return Prose(texts, title=f"More texts by {run.way}")
