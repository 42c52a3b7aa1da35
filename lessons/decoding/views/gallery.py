"""Texts side by side, their figures, and the paper's."""

from lessons.decoding.compute.gallery import NGRAM_SIZES, SOURCE, Shown, overlap
from lessons.kit.pictures.prose import Prose, Text
from lessons.kit.pictures.table import Bar, Parts, Table, Tones


def texts(run: Shown) -> Prose:
    told = tuple(Text.of(name, sentences) for name, sentences in run.texts)
    title = f"{run.number} · “{' '.join(run.prompt)} …”: how each way goes on; underlined: written before"
    return Prose(told, wide=915, tall=420, title=title)


def reading(run: Shown) -> str:
    rows = dict(
        zip(
            run.names, zip(run.perplexity, run.intervals, run.repetition, run.again, strict=True), strict=True
        )
    )
    true, *ways = run.names
    low = min(ways, key=lambda way: rows[way][0])
    said = (
        f"Of all ways, **{low}** has the lowest perplexity under the {run.model}: **{rows[low][0]:.2f}**"
        f" {between(rows[low][1])}. "
    )
    said += (
        f"**{rows[low][3]:.0f}%** of its texts repeat a whole sentence, and **{rows[low][2]:.0f}%** end in"
        " a loop. "
    )
    said += f"The true text has perplexity **{rows[true][0]:.2f}** {between(rows[true][1])}. "
    alike = [
        way.replace("-", "\u2011") for way in run.compared[1:] if overlap(rows[way][1], rows[true][1])
    ]  # a hyphen that stays
    if alike and true in run.compared:
        said += f"{run.count} texts of each cannot tell it from {'; '.join(alike)}. "
    if run.fresh:
        said += f"**{run.way}** was measured just now on **{run.fresh}** fresh texts."
    return said.strip()


def between(interval: tuple[float, float]) -> str:
    return f"({interval[0]:.1f} to {interval[1]:.1f})"


# ---- closer ----


def figures(run: Shown) -> Table:
    top = max(most for _, most in run.intervals)
    rows = tuple(
        (
            name if name in run.compared else f"{name} ({run.fresh} fresh)",
            Bar(f"{perplexity:.2f} {between(interval)}", perplexity, top, "target"),
            f"{paper:.2f}",
            Tones(new),
            Bar(f"{again:.0f}%", again, 100, "target"),
            Bar(f"{loops:.0f}%", loops, 100, "target"),
            f"{paper_loops:.2f}%",
        )
        for name, perplexity, interval, paper, new, again, loops, paper_loops in zip(
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
    new = Parts("distinct-n", tuple(f"n = {n}" for n in NGRAM_SIZES))
    headings = (
        "way",
        "perplexity, by the model that wrote",
        "paper’s perplexity",
        new,
        "repeat a sentence",
        "end in a loop",
        "paper’s loops",
    )
    marked = frozenset({run.names.index(run.way)})
    title = f"{run.count} texts of each way (in brackets: the 95% interval)"
    return Table(headings, rows, key="way", marked=marked, wide=880, title=title)


def agreement(run: Shown) -> str:
    order = run.order
    said = (
        f"{SOURCE}, and ours: of {order.pairs} pairs of ways{' without the fresh one' if run.fresh else ''}, "
    )
    said += f"**{order.apart}** have perplexities that these texts tell apart, "
    said += f"and **{order.same}** of them stand in the paper’s order"
    return said + (
        f" (not: {'; '.join(f'{a} and {b}' for a, b in order.swapped)})." if order.swapped else "."
    )


def more(run: Shown) -> Prose:
    return Prose(
        tuple(Text.of(label, sentences) for label, sentences in run.more), title=f"More texts by {run.way}"
    )
