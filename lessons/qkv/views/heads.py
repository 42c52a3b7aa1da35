"""Several heads."""

from collections.abc import Callable
from typing import Any

import numpy as np

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.matrix import Block, Matrix
from lessons.kit.pictures.numbers import counted
from lessons.qkv.compute.heads import LONGEST, Heads

MOST = 8
NAMES = tuple(f"head_{n}" for n in range(1, MOST + 1))
ROOMS: dict[int, dict[str, Any]] = {  # for at most so many
    2: {"wide": 445, "tall": 420},
    4: {"wide": 214, "tall": 420},
    MOST: {"wide": 214, "tall": 215},
}


def reading(run: Heads) -> str:
    T = len(run.words)
    each = run.d // run.heads
    kind = "The trained layer has" if run.trained else "Here is" if run.heads == 1 else "Here are"
    return (
        f"{kind} {counted(run.heads, 'head')} of {counted(each, 'number')}, {run.d} together. "
        f"The layer learns 4 × {run.d}² + 4 × {run.d} = **{run.parameters:,}** numbers, "
        f"for one head or for {MOST}, for one word or for a hundred. "
        f"What grows with the sentence are the maps: {run.heads} × {T} × {T} = **{run.maps:,}** weights."
    )


def head(n: int) -> Callable[[Heads], Heatmap | str]:
    """The view of one head; nothing if there are fewer."""

    def view(run: Heads) -> Heatmap | str:
        if n > run.heads:
            return ""
        room = ROOMS[min(many for many in ROOMS if many >= run.heads)]
        return Heatmap(
            run.weights[n - 1], run.words, run.words, keys=("row", "source"), title=f"Head {n}", **room
        )

    view.__name__ = NAMES[n - 1]
    return view


each_head = tuple(head(n) for n in range(1, MOST + 1))


def mixing(run: Heads) -> Matrix:
    each = run.d // run.heads
    joined = " ; ".join(["head 1"] + ["…"] * (run.heads > 2) + [f"head {run.heads}"] * (run.heads > 1))
    terms = (
        Block(
            f"[ {joined} ]",
            run.joined,
            "context",
            note=f"{each} column{'s' * (each > 1)} each" if run.heads > 1 else "",
        ),
        "·",
        Block("W_O", run.W_O),
        "=",
        Block("out", run.out, "context"),
    )
    return Matrix(terms, top=2, digits=1, title="What the heads bring stands side by side; W_O mixes it")


def growth(run: Heads) -> Curves:
    T = np.arange(1, LONGEST + 1)
    lines = (
        Line("learned", T, np.full(len(T), run.parameters), "source"),
        Line("in the maps", T, run.heads * T**2, "weight"),
    )
    axes: dict[str, Any] = {
        "x_title": "words T",
        "y_title": "numbers",
        "log_y": True,
        "x_range": (1, LONGEST),
        "y_range": (1, 1e5),
    }
    return Curves(lines, current=len(run.words), title="What depends on T, and what does not", **axes)
