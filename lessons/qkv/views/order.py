"""Order."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line, short
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import plural
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.qkv.compute.sets import PLACES, Order

TOPS = (0.6, 1.0, 2.0, 5.0, 10.0)  # ends of the axis: the next one only when a bar would be cut


def sentence(run: Order) -> Tokens:
    yours = tuple(run.words[i] for i in run.places)
    changed = frozenset(place for place, i in enumerate(run.places) if place != i)
    lines = (TokenLine("as it stands", run.words), TokenLine("yours", yours, changed=changed))
    return Tokens(lines, key="place", first=0, wide=900, title="The same words, in two orders")


def reading(run: Order) -> str:
    count, worst = sum(place != i for place, i in enumerate(run.places)), run.moved.max(1)
    said = f"**{count}** of {plural(len(run.words), 'word')} stand{'s' * (count == 1)} at another place. "
    if run.positions:
        said += (
            f"With positions the outputs change by up to **{short(worst[1], 2)}** (their numbers are about"
            f" {run.size:.2f} in size)"
        )
        return said + f"; without, by no more than **{short(worst[0], 2)}**."
    said += (
        "Without positions every word takes the same output along: the largest change is"
        f" **{short(worst[0], 2)}**"
    )
    return (
        said
        + f"{', rounding only' if worst[0] else ''}. With positions it would be **{short(worst[1], 2)}**."
    )


def moved(run: Order) -> Bars:
    yours, plain = run.moved[int(run.positions)], run.moved[1 - int(run.positions)]
    names = ("positions", "no positions") if run.positions else ("no positions", "positions")
    labels = tuple(run.words[i] for i in run.places)
    keys = tuple(f"place:{place}" for place in range(len(labels)))
    title = "How far did each word’s output move?"
    top = next(top for top in TOPS if top >= run.moved.max())
    look: dict[str, Any] = {"role": "context", "top": top, "keys": keys, "wide": 760}
    return Bars(yours, labels, compare=plain, compare_names=names, title=title, **look)


def before(run: Order) -> Heatmap:
    return gaze(run.weights[0], run.words, "As it stands")


def after(run: Order) -> Heatmap:
    return gaze(run.weights[1], tuple(run.words[i] for i in run.places), "In your order")


def gaze(weights: np.ndarray, words: tuple[str, ...], title: str) -> Heatmap:
    return Heatmap(weights, words, words, keys=("place", "place"), wide=420, title=title)


def encoding(run: Order) -> Heatmap:
    d = run.encoding.shape[1]
    rows = tuple(f"{'cos' if n % 2 else 'sin'} {n // 2 + 1}" for n in range(d))
    places = tuple(str(place) for place in range(PLACES))
    look: dict[str, Any] = {"keys": ("wave", "waveplace"), "column_title": "place", "row_title": "number"}
    title = f"The encoding: {d} numbers added to a word, by its place"
    return Heatmap(
        run.encoding.T, rows, places, role=None, current_row=2 * (run.pair - 1), title=title, **look
    )


def waves(run: Order) -> Curves:
    place, first = np.arange(PLACES), 2 * (run.pair - 1)
    lines = (
        Line(f"sin {run.pair}", place, run.encoding[:, first], "source", points=True),
        Line(f"cos {run.pair}", place, run.encoding[:, first + 1], "target", points=True),
    )
    axes: dict[str, Any] = {
        "x_title": "place",
        "y_title": "added to a word",
        "x_range": (0, PLACES - 1),
        "y_range": (-1, 1),
    }
    return Curves(lines, key="waveplace", title=f"One pair of them: wave {run.pair}", **axes)
