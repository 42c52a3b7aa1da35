"""One unit of the memory, changed."""

from typing import Any

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import compact, counted, plural, signed
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.recurrence.compute.stories import Edited
from lessons.recurrence.views.units import bold, full_scale, unit_map, word_bars


def touched(run: Edited) -> Tokens:
    """The text twice, coloured by the unit: as it was, and as you set it."""
    changed = frozenset({run.t - 1} if run.only else range(run.t - 1, len(run.words)))
    lines = (
        TokenLine("untouched", run.words, run.memory[0]),
        TokenLine("yours", run.words, run.memory[1], changed=changed),
    )
    title = (
        f"{memory_name(run).capitalize()} at every word: red above zero, blue below; outlined where you"
        " set it"
    )
    return Tokens(lines, top=full_scale(run.memory), title=title, wide=920, tall=150)


def memory_name(run: Edited) -> str:
    return f"the cell state of unit {run.unit}" if run.cell == "LSTM" else f"unit {run.unit}"


def expected(run: Edited) -> Tokens:
    """After each word the likeliest next one, twice."""
    plain, yours = run.likely
    changed = frozenset(n for n, (a, b) in enumerate(zip(plain, yours, strict=True)) if a != b)
    lines = (TokenLine("untouched", plain), TokenLine("yours", yours, changed=changed))
    return Tokens(
        lines, title="After each of these words: which one does the model expect next?", wide=920, tall=100
    )


def reading(run: Edited) -> str:
    before, after = run.memory[:, run.t - 1]
    plain, yours = (likely[-1] for likely in run.likely)
    changed = sum(a != b for a, b in zip(*run.likely, strict=True))
    said = (
        f"At step **{run.t}** you change {memory_name(run)} from **{signed(before)}** to"
        f" **{signed(after)}**. "
    )
    said += (
        f"The likeliest next word changes after **{changed}** of {plural(len(run.words), 'word')}. After the"
        " last word it is "
    )
    said += (
        f"{bold(yours)}, {f'in “untouched” {bold(plain)}' if plain != yours else 'as in “untouched”'}: the"
        " two distributions "
    )
    said += f"there have a total variation distance of **{compact(run.moved[-1])}**."
    later = run.left[run.t - 1 :]
    if run.only and len(later) > 1:
        said += f" Your one change moves h by **{compact(later[0])}** at step {run.t}. "
        said += (
            f"At the last word, {counted(len(later) - 1, 'step')} later, h still differs by"
            f" **{compact(later[-1])}**."
        )
    return said


def difference(run: Edited) -> Heatmap:
    return unit_map(run.h[1] - run.h[0], run.words, run.unit, run.t, "Every unit: yours − untouched")


def next_words(run: Edited) -> Bars:
    return word_bars(run.next_words, run.probabilities[1], run.words[-1], None, run.probabilities[0])


def fading(run: Edited) -> Curves:
    steps = np.arange(1, len(run.words) + 1)
    lines = (
        Line("change of h", steps, run.left, "context", points=True),
        Line("total variation", steps, run.moved, "target", points=True),
    )
    axes: dict[str, Any] = {
        "x_title": "step t",
        "y_title": "size",
        "x_range": (1, len(steps)),
        "y_range": (0, full_scale(run.left, run.moved)),
    }
    return Curves(
        lines, current=run.t, key="step", title="How far yours is from untouched", wide=860, tall=240, **axes
    )
