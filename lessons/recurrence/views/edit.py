"""One unit of the memory, changed."""

import numpy as np

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import signed
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.recurrence.compute.stories import Edited
from lessons.recurrence.views.units import unit_map


def expected(run: Edited) -> Tokens:
    """What was read, and after each word the likeliest next one, twice."""
    plain, yours = run.likely
    changed = frozenset(n for n, (a, b) in enumerate(zip(plain, yours, strict=True)) if a != b)
    lines = (
        TokenLine("it reads", run.words),
        TokenLine("untouched", plain),
        TokenLine("yours", yours, changed=changed),
    )
    return Tokens(lines, current=run.t - 1, title="After each word: what does the model expect next?")


def reading(run: Edited) -> str:
    before, after = run.memory[:, run.t - 1]
    plain, yours = (likely[-1] for likely in run.likely)
    changed = sum(a != b for a, b in zip(*run.likely, strict=True))
    said = f"Unit **{run.unit}** goes from **{signed(before)}** to **{signed(after)}** at step **{run.t}**. "
    said += f"The likeliest next word changes at **{changed}** of {len(run.words)} places; at the end it is “**{yours}**”"
    said += f", untouched “**{plain}**”" if plain != yours else ", as untouched"
    said += f", and **{run.moved[-1]:.2f}** of the probability has moved."
    later = run.left[run.t - 1 :]
    if run.only and len(later) > 1 and later[0] > 0:
        said += f" **{later[-1] / later[0]:.2f}** of your one change is left **{len(later) - 1}** steps later."
    return said


def difference(run: Edited) -> Heatmap:
    return unit_map(run.h[1] - run.h[0], run.words, run.unit, run.t, "Every unit: yours − untouched")


def next_words(run: Edited) -> Bars:
    keys = tuple(f"word:{word}" for word in run.next_words)
    title = f"After the last word, “{run.words[-1]}”"
    return Bars(run.probabilities[1], run.next_words, role="target", keys=keys, compare=run.probabilities[0], title=title)


def fading(run: Edited) -> Curves:
    steps = np.arange(1, len(run.words) + 1)
    lines = (Line("change of h", steps, run.left, "context", points=True), Line("P moved", steps, run.moved, "target", points=True))
    axes = {"x_title": "step t", "y_title": "size", "x_range": (1, len(steps)), "y_range": (0, 3)}
    return Curves(lines, current=run.t, key="step", title="How long does it last?", **axes)
