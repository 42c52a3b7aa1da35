"""Texts side by side, their figures, and the paper's."""

import numpy as np

from lessons.decoding.compute.gallery import PHRASES, SOURCE, Order, Shown
from lessons.decoding.views.parts import told
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.tokens import Tokens


def texts(run: Shown) -> Tokens:
    lines = tuple(told(name, sentences) for name, sentences in run.texts)
    title = f"{run.number} · “{' '.join(run.prompt)} …” and how each way goes on; outlined: a sentence it has written before"
    return Tokens(lines, title=title)


def reading(run: Shown) -> str:
    figures = list(zip(run.names, run.perplexity, run.repetition, strict=True))
    (_, true, loops), *ways = figures
    low, high = (pick(ways, key=lambda row: row[1]) for pick in (min, max))
    said = f"**{low[0].capitalize()}** writes the most probable text (perplexity **{low[1]:.2f}**), and **{low[2]:.1f} %** of its "
    said += f"texts end in a loop; **{high[0]}** the least probable (**{high[1]:.2f}**, **{high[2]:.1f} %**). "
    said += f"The true text has **{true:.2f}** and **{loops:.1f} %**, for lines come back in our songs. "
    if run.fresh:
        return said + f"The row **{run.way}** was measured just now on **{run.fresh}** fresh texts (seed {run.seed})."
    return said + f"**{run.count}** texts in each row, seed {run.seed}."


def perplexity(run: Shown) -> Bars:
    look = {"compare": np.array(run.paper_perplexity), "compare_names": ("ours", "paper"), "role": "target", "top": 24}
    title = "Perplexity, by the model that wrote"
    return Bars(np.array(run.perplexity), run.names, changed=marked(run), **look, title=title)


def repetition(run: Shown) -> Bars:
    look = {"compare": np.array(run.paper_repetition), "compare_names": ("ours", "paper"), "role": "target", "top": 100}
    title = "Texts that end in a loop, %"
    return Bars(np.array(run.repetition), run.names, digits=1, changed=marked(run), **look, title=title)


def marked(run: Shown) -> frozenset[int]:
    return frozenset({run.names.index(run.way)})


def orders(run: Shown) -> str:
    said = " ".join(agreement(order) for order in run.orders)
    return f"{SOURCE}, and ours: same order? {said} Their model is far larger, so only orders compare; equal rows do not count."


def agreement(order: Order) -> str:
    said = f"{order.measure.capitalize()}: **{order.same} of {order.pairs}** pairs stand in the paper’s order"
    named = "; ".join(f"{a} and {b}" for a, b in order.swapped[:4])
    more = f" and {len(order.swapped) - 4} more" if len(order.swapped) > 4 else ""
    return said + (f" (not: {named}{more})." if named else ".")


def variety(run: Shown) -> Heatmap:
    columns = tuple(f"distinct-{n}" for n in PHRASES)
    look = {"keys": ("n", "way"), "wide": 420, "current_column": run.names.index(run.way)}
    return Heatmap(
        np.array(run.distinct).T, columns, run.names, role="context", **look, title="How many words and phrases are new?"
    )


def more(run: Shown) -> Tokens:
    lines = tuple(told(label, sentences) for label, sentences in run.more)
    return Tokens(lines, title=f"More texts by {run.way}")
