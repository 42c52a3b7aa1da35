"""Fixed or made anew?"""

from dataclasses import replace
from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line, short
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import plural
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.qkv.compute.dynamic import LAYERS, LENGTHS, MADE_FOR, WIDTH, Dynamic

FIXED, WINDOW, MADE = range(len(LAYERS))
ROLES: tuple[str | None, ...] = (None, None, "weight")  # signed, signed, shares of 1
WIDE, TALL = 296, 330


def sentence(run: Dynamic) -> Tokens:
    changed = frozenset(place for place, i in enumerate(run.places) if place != i)
    lines = (TokenLine("as it stands", run.words), TokenLine("yours", run.yours, changed=changed))
    return Tokens(
        lines, key="place", first=0, wide=900, title="The sentence; each word is a vector, drawn by the seed"
    )


def fixed(run: Dynamic) -> Heatmap:
    return mix(run, FIXED, "Fully connected: M")


def window(run: Dynamic) -> Heatmap:
    return mix(run, WINDOW, "Convolution of width 3")


def made(run: Dynamic) -> Heatmap:
    return mix(run, MADE, "Attention: A")


def mix(run: Dynamic, layer: int, title: str) -> Heatmap:
    """Who takes how much of whom, in your sentence; weights that are others now are marked."""
    differs = np.argwhere(np.abs(run.now[layer] - run.before[layer]) > 1e-6).tolist()
    look: dict[str, Any] = {
        "keys": ("place", "place"),
        "row_title": "output",
        "column_title": "takes from",
        "role": ROLES[layer],
    }
    look |= {"changed": tuple((row, column) for row, column in differs), "hatched": "no weight"}
    return Heatmap(run.now[layer], run.yours, run.yours, wide=WIDE, tall=TALL, title=title, **look)


def made_before(run: Dynamic) -> Heatmap:
    look: dict[str, Any] = {"keys": ("place", "place"), "row_title": "output", "column_title": "takes from"}
    return Heatmap(run.before[MADE], run.words, run.words, wide=WIDE, title="A, as it stands", **look)


def made_now(run: Dynamic) -> Heatmap:
    return replace(made(run), tall=None, title="A, yours")


def reading(run: Dynamic) -> str:
    T, (table, window, anew) = len(run.words), run.changed
    if run.change == "nothing":
        said = f"As it stands. A is made from these {T} words, and each of its rows adds up to **1**. "
        said += "M and the window are what the seed drew."
    elif run.change == "a word twice":
        said = f"“{run.words[1]}” stands twice. In A its two rows are equal, and its two columns; "
        said += f"its outputs differ by **{short(run.apart[MADE], 2)}**, {fixed_outputs(run.apart)}: "
        said += "fixed weights know places, not words."
    else:
        said = (
            f"M changes **{table}** of its {MADE_FOR**2} weights and the window **{window}** of its {WIDTH}."
            f" A changes **{anew}** "
        )
        said += (
            f"of its {T * T}, because A is computed from X. So with attention each word’s output moves with"
            " the word, to within "
        )
        said += f"**{short(run.moved[MADE].max(), 2)}**; it changes {fixed_outputs(run.moved.max(1))}."
    return said + length(run)


def fixed_outputs(by: np.ndarray) -> str:
    """By how much outputs differ where weights are fixed."""
    window = f"with the window by **{by[WINDOW]:.2f}**"
    return window if np.isnan(by[FIXED]) else f"with M by **{by[FIXED]:.2f}**, {window}"


def length(run: Dynamic) -> str:
    """What M does with a sentence it was not made for."""
    T = len(run.words)
    if T > MADE_FOR:
        more = plural(T - MADE_FOR, "place")
        return (
            f" M has weights for **{MADE_FOR}** places and none for {more} more (hatched). torch says"
            f" “{run.fault}”."
        )
    if T < MADE_FOR:
        return (
            f" M has weights for **{MADE_FOR}** places: X is filled up with {plural(MADE_FOR - T, 'row')} of"
            " zeros."
        )
    return ""


def of_fixed(run: Dynamic) -> Bars:
    return outputs(run, FIXED)


def of_window(run: Dynamic) -> Bars:
    return outputs(run, WINDOW)


def of_made(run: Dynamic) -> Bars:
    return outputs(run, MADE)


def outputs(run: Dynamic, layer: int) -> Bars:
    most = np.nanmax(run.moved)
    top = next(top for top in (1, 2, 5, 10, 20, 50) if top >= most)
    keys = tuple(f"place:{place}" for place in range(len(run.words)))
    title = f"{LAYERS[layer].capitalize()}: outputs moved by"
    return Bars(run.moved[layer], run.yours, role="context", top=top, keys=keys, wide=270, title=title)


def counts(run: Dynamic) -> Curves:
    names = ("M, T²", "convolution, 3", f"attention, 3d² (d = {run.d})")
    lines = tuple(
        Line(name, LENGTHS, row, role)
        for name, row, role in zip(names, run.counts, ("source", "target", "weight"), strict=True)
    )
    axes: dict[str, Any] = {
        "x_title": "words T",
        "y_title": "numbers to learn",
        "x_range": (1, LENGTHS[-1]),
        "log_y": True,
    }
    return Curves(
        lines,
        y_range=(1, LENGTHS[-1] ** 2),
        current=len(run.words),
        wide=700,
        title="What must be learned",
        **axes,
    )
