"""Frequencies of many draws against the distribution, and the distance by number of draws."""

import numpy as np

from lessons.decoding.histogram.compute import MAX_DRAWS, Drawn
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import bold_count, scientific
from lessons.kit.pictures.phrases import bold_word

DRAWS_RANGE = (10, MAX_DRAWS)


def shares(run: Drawn) -> Bars:
    return Bars(
        run.shares,
        run.words,
        keys=tuple(f"word:{word}" for word in run.words),
        compare=run.probabilities,
        compare_names=("drawn", "model"),
        wide=420,
        title=f"Frequency of each word in {run.n:,} draws",
    )


def distance_lines(run: Drawn, factor: np.ndarray | float = 1.0) -> tuple[Line, Line]:
    """Lines of the measured and the expected distances, multiplied by the factor."""
    return (
        Line("measured", run.sizes, run.distances * factor, "target", points=True),
        Line("expected", run.sizes, run.expectations * factor, "quiet", dashed=True),
    )


def distance(run: Drawn) -> Curves:
    return Curves(
        distance_lines(run),
        x_title="draws n",
        y_title="distance ½ Σ |frequency − P|",
        x_range=DRAWS_RANGE,
        y_range=(1e-3, 1),
        log_x=True,
        log_y=True,
        current=run.n,
        wide=470,
        tall=290,
        title="Distance between the draws and the model",
    )


def reading(run: Drawn) -> str:
    if run.live == 1:
        return (
            f"Only {bold_word(run.words[0])} is left. It is drawn every time, so the distance is **0** after"
            " any number of draws."
        )
    expected, later = (f"**{three_decimals(distance)}**" for distance in (run.expected, run.later))
    place = int(np.abs(run.shares - run.probabilities)[:-1].argmax())
    expected_count = run.probabilities[place] * run.n
    if abs(run.counts[place] - expected_count) >= 0.05:
        largest = (
            f"{bold_word(run.words[place])} differs most: it has"
            f" {bold_count(int(run.counts[place]), 'draw')}, and we expect **{expected_count:,.1f}**."
        )
    else:
        largest = f"{bold_word(run.words[place])} is almost certain, so little is left to chance."
    sentences = (
        f"After **{run.n:,}** draws the distance is **{three_decimals(run.distance)}**; we expect"
        f" {expected} on average.",
        largest,
        f"With four times as many draws, we expect a distance of {later}, about half.",
    )
    return " ".join(sentences)


def three_decimals(value: float) -> str:
    """Format with three decimals, or as 4 · 10⁻⁵ if that would show 0.000."""
    return f"{value:.3f}" if value == 0 or value >= 0.0005 else scientific(value)


def settles(run: Drawn) -> Curves:
    return Curves(
        distance_lines(run, np.sqrt(run.sizes)),
        x_title="draws n",
        y_title="distance · √n",
        x_range=DRAWS_RANGE,
        log_x=True,
        current=run.n,
        rules=((run.constant, "limit"),),
        wide=600,
        title="Expected distance times √n: it approaches a limit",
    )


def word_error(run: Drawn) -> str:
    """State the standard error of the frequency of the most probable word, and its error in these draws."""
    p, error = float(run.probabilities[0]), abs(float(run.shares[0] - run.probabilities[0]))
    if run.live == 1:
        return f"{bold_word(run.words[0])} is always drawn, so its frequency has no error."
    standard_error = np.sqrt(p * (1 - p) / run.n)
    return (
        f"The most probable word, {bold_word(run.words[0])}, has p = **{p:.2f}**. After {run.n:,} draws its"
        f" frequency is usually off by about √(p(1 − p)/n) = **{three_decimals(standard_error)}**. In these"
        f" draws it is off by **{three_decimals(error)}**."
    )
