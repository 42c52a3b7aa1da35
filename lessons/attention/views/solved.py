"""With and without attention."""

from typing import Any

import numpy as np

from lessons.attention.compute.solved import Solved
from lessons.attention.views.parts import WIDE
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import counted, seeds
from lessons.kit.pictures.tokens import TokenLine, Tokens

NAMES, ROLES = ("one vector", "attention"), ("target", "weight")


def translations(run: Solved) -> Tokens:
    lacks = [
        [name for name, lost in zip(NAMES, run.missing, strict=True) if n in lost]
        for n in range(len(run.truth))
    ]
    notes = tuple(
        f"{word}: missing with {' and with '.join(who)}" if who else word
        for word, who in zip(run.truth, lacks, strict=True)
    )
    outputs = zip(NAMES, run.outputs, run.wrong, run.right, strict=True)
    lines = (
        TokenLine("reads", run.source),
        *(
            TokenLine(name, output, changed=frozenset(wrong), right=right)
            for name, output, wrong, right in outputs
        ),
        TokenLine("right is", run.truth, notes=notes, changed=frozenset().union(*run.missing), quiet=True),
    )
    title = "The same sentence, twice, after {:,} and {:,} steps; outlined: not right, and at the foot: left out".format(
        *run.full
    )
    return Tokens(lines, key="word", wide=WIDE, tall=190, title=title)


def reading(run: Solved) -> str:
    verdict = {
        (True, True): "After all their steps, both get it right.",
        (False, True): "After all their steps, only attention gets it right.",
        (True, False): "After all their steps, here only the model without attention gets it right.",
        (False, False): "After all their steps, neither gets it right.",
    }[run.right[0], run.right[1]]
    if not all(run.right):
        verdict += f" Without attention {amiss(run, 0)}, with it {amiss(run, 1)}."
    bucket = int(np.flatnonzero(run.lengths[:, 0] <= run.length)[-1])
    low, high = run.lengths[bucket]
    shares = [each[:, bucket].mean() for each in run.exact]
    said = (
        f"{verdict} On test sentences of {low} to {high} words exact match is **{shares[0]:.2f}** without"
        " attention and "
    )
    said += f"**{shares[1]:.2f}** with it. {unequal(run)}"
    if run.length > run.trained[1]:
        low, high = run.lengths[known := int(np.flatnonzero(run.lengths[:, 1] <= run.trained[1])[-1])]
        said += f" Neither was trained on more than {run.trained[1]} words; at {low} to {high} words "
        said += f"exact match with attention is **{run.exact[1][:, known].mean():.2f}**."
    return said


def unequal(run: Solved) -> str:
    """In what the two models differ besides attention."""
    size = "The model with attention has {1:,} parameters and the other one {0:,}.".format(*run.parameters)
    if run.steps[0] == run.steps[1]:
        return f"These figures are after {run.steps[0]:,} training steps each. {size}"
    return (
        f"These figures are after {run.steps[1]:,} training steps with attention and {run.steps[0]:,}"
        f" without. {size}"
    )


def amiss(run: Solved, n: int) -> str:
    """Of the first or the second: words that it left out, or else words too many."""
    lost, more = (len(places[n]) for places in (run.missing, run.wrong))
    if not (lost or more):
        return "nothing is missing"
    if lost:
        return f"{counted(lost, 'word')} {'is' if lost == 1 else 'are'} missing"
    return f"{counted(more, 'word')} {'is' if more == 1 else 'are'} too many"


def trainings(run: Solved, n: int) -> str:
    """Of the first or the second: how long, how often."""
    return f"{run.steps[n]:,} steps, {seeds(len(run.exact[n]))}"


def by_length(run: Solved) -> Curves:
    x = run.lengths.mean(1)
    lines = tuple(
        Line(f"{name}, {steps:,} steps", x, exact.mean(0), role, *spread(exact), points=True)
        for name, steps, role, exact in zip(NAMES, run.steps, ROLES, run.exact, strict=True)
    )
    beyond = ((run.trained[1] + 0.5, float(run.lengths[-1, 1]), "longer than trained"),)
    ends: dict[str, Any] = {
        "x_range": (float(run.lengths[0, 0]), float(run.lengths[-1, 1])),
        "y_range": (0, 1),
        "current": run.length,
    }
    title = (
        f"Exactly right, by length: c of {run.code} numbers ({trainings(run, 0)}), and attention"
        f" ({trainings(run, 1)})"
    )
    axes: dict[str, Any] = {"x_title": "source words T", "y_title": "exact match", "wide": WIDE, "tall": 240}
    return Curves(lines, shaded=beyond, title=title, **axes, **ends)


def spread(exact: np.ndarray) -> tuple[np.ndarray | None, np.ndarray | None]:
    """(seeds, buckets): the band, if there is more than one."""
    return (exact.min(0), exact.max(0)) if len(exact) > 1 else (None, None)


def stored(run: Solved) -> Curves:
    T = np.arange(run.lengths[0, 0], run.lengths[-1, 1] + 1)
    sizes = (np.full(len(T), run.code), T * run.width)
    lines = tuple(
        Line(name, T, size, role)
        for name, role, size in zip(("one vector c", "all hᵢ"), ROLES, sizes, strict=True)
    )
    ends: dict[str, Any] = {
        "x_range": (float(T[0]), float(T[-1])),
        "y_range": (0, float(sizes[1][-1])),
        "current": run.length,
    }
    without, with_it = run.stored
    title = (
        f"Numbers that the decoder can look at: at {run.length} words {without:,} without attention,"
        f" {with_it:,} with"
    )
    return Curves(lines, x_title="source words T", y_title="numbers", wide=700, title=title, **ends)
