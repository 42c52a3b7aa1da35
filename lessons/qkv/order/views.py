"""The change in each word's output, the attention maps for both orders, and the positional encoding."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import plural, short
from lessons.kit.pictures.tokens import Tokens
from lessons.qkv.order.compute import ENCODED_PLACES, Order
from lessons.qkv.word_order import draw_both_orders, words_at

AXIS_ENDS = (0.6, 1.0, 2.0, 5.0, 10.0)  # the axis grows to the next value only if a bar would be cut off


def sentence(run: Order) -> Tokens:
    return draw_both_orders(run.words, run.places, "The same words, in two orders")


def reading(run: Order) -> str:
    count = sum(place != index for place, index in enumerate(run.places))
    if not count:
        return (
            f"The words are in their original order: **0** of {plural(len(run.words), 'word')} moved, so no"
            " output changes, with or without positions."
        )
    without, with_positions = (f"**{short(largest, 2)}**" for largest in run.moved.max(1))
    rounding = ", which is rounding" if run.moved[0].max() else ""
    sentences = [f"You moved **{count}** of {plural(len(run.words), 'word')}."]
    if run.positions:
        sentences += [
            f"With positions the outputs change by up to {with_positions}; their mean absolute value is"
            f" {run.size:.2f}.",
            f"Without positions, the largest change would be {without}{rounding}.",
        ]
    else:
        sentences += [
            f"Without positions every word keeps its output: the largest change is {without}{rounding}.",
            f"With positions, the largest change would be {with_positions}.",
        ]
    return " ".join(sentences)


def moved(run: Order) -> Bars:
    shown = int(run.positions)
    names = ("no positions", "positions")
    labels = words_at(run.words, run.places)
    return Bars(
        run.moved[shown],
        labels,
        compare=run.moved[1 - shown],
        compare_names=(names[shown], names[1 - shown]),
        role="context",
        top=next(end for end in AXIS_ENDS if end >= run.moved.max()),
        keys=tuple(f"place:{place}" for place in range(len(labels))),
        wide=760,
        title="How far did each word’s output move?",
    )


def before(run: Order) -> Heatmap:
    return draw_map(run.weights[0], run.words, "In the original order")


def after(run: Order) -> Heatmap:
    return draw_map(run.weights[1], words_at(run.words, run.places), "In the new order")


def draw_map(weights: np.ndarray, words: tuple[str, ...], title: str) -> Heatmap:
    return Heatmap(weights, words, words, keys=("place", "place"), wide=420, title=title)


def encoding(run: Order) -> Heatmap:
    d = run.encoding.shape[1]
    return Heatmap(
        run.encoding.T,
        tuple(f"{'cos' if n % 2 else 'sin'} {n // 2 + 1}" for n in range(d)),
        tuple(str(place) for place in range(ENCODED_PLACES)),
        role=None,
        current_row=2 * (run.pair - 1),
        keys=("wave", "waveplace"),
        column_title="position",
        row_title="number",
        title=f"Positional encoding: {d} numbers for each position",
    )


def waves(run: Order) -> Curves:
    place, first = np.arange(ENCODED_PLACES), 2 * (run.pair - 1)
    lines = (
        Line(f"sin {run.pair}", place, run.encoding[:, first], "source", points=True),
        Line(f"cos {run.pair}", place, run.encoding[:, first + 1], "target", points=True),
    )
    return Curves(
        lines,
        key="waveplace",
        x_title="position",
        y_title="added to a word",
        x_range=(0, ENCODED_PLACES - 1),
        y_range=(-1, 1),
        title=f"One pair of waves: number {run.pair}",
    )
