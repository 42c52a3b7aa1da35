"""Many draws against the distribution they come from."""

from typing import Any

import numpy as np

from lessons.decoding.compute.word import Drawn
from lessons.decoding.views.words import bold, three_decimals
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import counted


def shares(run: Drawn) -> Bars:
    keys = tuple(f"word:{word}" for word in run.words)
    title = f"{run.n:,} draws: the share of each word"
    names = ("drawn", "model")
    return Bars(
        run.shares,
        run.words,
        keys=keys,
        compare=run.probabilities,
        compare_names=names,
        wide=420,
        title=title,
    )


def distance(run: Drawn) -> Curves:
    lines = (
        Line("measured", run.sizes, run.distances, "target", points=True),
        Line("expected", run.sizes, run.expectations, "quiet", dashed=True),
    )
    axes: dict[str, Any] = {
        "x_title": "draws n",
        "y_title": "distance ½ Σ |share − P|",
        "x_range": (10, 10_000),
        "y_range": (1e-3, 1),
    }
    title = "How far the draws are from the model"
    return Curves(lines, log_x=True, log_y=True, current=run.n, **axes, wide=470, tall=290, title=title)


def reading(run: Drawn) -> str:
    if run.live == 1:
        only = f"At temperature 0 only {bold(run.words[0])} is left"
        return f"{only}. It is drawn every time, and the distance is **0** however often you draw."
    expected, later = (f"**{three_decimals(distance)}**" for distance in (run.expected, run.later))
    said = (
        f"After **{run.n:,}** draws the distance is **{three_decimals(run.distance)}**; {expected} is to be"
        " expected. "
    )
    place = int(np.abs(run.shares - run.probabilities)[:-1].argmax())
    wanted = run.probabilities[place] * run.n
    if abs(run.counts[place] - wanted) >= 0.05:
        said += f"Farthest off, of the words shown, is {bold(run.words[place])}: "
        said += f"{counted(int(run.counts[place]), 'draw')}, **{wanted:,.1f}** expected. "
    else:
        said += f"{bold(run.words[place])} is as good as certain, so there is little for chance to decide. "
    return said + f"With four times the draws, **{4 * run.n:,}**, {later} is to be expected."


# ---- closer ----


def settles(run: Drawn) -> Curves:
    root = np.sqrt(run.sizes)
    lines = (
        Line("measured", run.sizes, run.distances * root, "target", points=True),
        Line("expected", run.sizes, run.expectations * root, "quiet", dashed=True),
    )
    axes: dict[str, Any] = {"x_title": "draws n", "y_title": "distance · √n", "x_range": (10, 10_000)}
    rules = ((run.constant, "limit"),)
    return Curves(
        lines,
        log_x=True,
        current=run.n,
        rules=rules,
        **axes,
        wide=600,
        title="Times the root of n: what is expected comes to a limit",
    )
