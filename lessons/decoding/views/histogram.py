"""Many draws against the distribution they come from."""

import math

import numpy as np

from lessons.decoding.compute.word import Drawn
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line


def shares(run: Drawn) -> Bars:
    keys = tuple(f"word:{word}" for word in run.words)
    names = ("drawn", "model")
    title = f"{run.n:,} draws: the share of each word"
    return Bars(run.shares, run.words, keys=keys, compare=run.probabilities, compare_names=names, title=title)


def distance(run: Drawn) -> Curves:
    expected = run.constant / np.sqrt(run.sizes)
    lines = (
        Line("measured", run.sizes, run.distances, "target", points=True),
        Line("C / √n", run.sizes, np.minimum(expected, 1), "quiet", dashed=True),
    )
    axes = {"x_title": "draws n", "y_title": "distance ½ Σ |share − P|", "x_range": (10, 10_000), "y_range": (1e-3, 1)}
    return Curves(lines, log_x=True, log_y=True, current=run.n, **axes, title="The distance falls like 1/√n")


def reading(run: Drawn) -> str:
    expected = run.constant / math.sqrt(run.n)
    said = f"After **{run.n:,}** draws the distance is **{run.distance:.3f}**; about **{min(expected, 1):.3f}** is to be expected. "
    place = int(np.abs(run.shares - run.probabilities)[:-1].argmax())
    wanted = run.probabilities[place] * run.n
    said += f"Farthest off is “**{run.words[place]}**”: **{run.counts[place]:,}** draws, **{wanted:,.1f}** expected. "
    return said + f"For half the distance you need four times the draws: **{4 * run.n:,}**."
