"""With and without attention."""

import numpy as np

from lessons.attention.compute.solved import Solved
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.tokens import TokenLine, Tokens

NAMES, ROLES = ("no attention", "attention"), ("target", "weight")


def translations(run: Solved) -> Tokens:
    lines = [TokenLine("source", run.source), TokenLine("reference", run.truth)]
    lines += [
        TokenLine(name, output, changed=frozenset(wrong)) for name, output, wrong in zip(NAMES, run.outputs, run.wrong, strict=True)
    ]
    return Tokens(tuple(lines), key="word", title="The same sentence, twice; outlined is what the reference has not")


def reading(run: Solved) -> str:
    right = run.right
    verdict = {
        (True, True): "Both get it right.",
        (False, True): "Only attention gets it right.",
        (True, False): "Here only the model without attention gets it right.",
        (False, False): "Neither gets it right.",
    }[tuple(right)]
    if not all(right):
        verdict += f" Of the reference **{run.missing[0]}** words are missing without attention, **{run.missing[1]}** with it."
    bucket = int(np.flatnonzero(run.lengths[:, 0] <= run.length)[-1])
    low, high = run.lengths[bucket]
    without, with_it = run.exact[:, :, bucket].mean(1)
    said = (
        f"{verdict} Over many sentences of {low} to {high} words, **{without:.2f}** come out exactly right without attention and "
        f"**{with_it:.2f}** with it. The decoder can look at **{run.stored[0]}** numbers without, **{run.stored[1]:,}** with."
    )
    if run.length > run.trained[1]:
        said += f" Neither was trained on more than {run.trained[1]} words: attention is not the cure for that."
    return said


def by_length(run: Solved) -> Curves:
    x = run.lengths.mean(1)
    lines = tuple(
        Line(name, x, seeds.mean(0), role, seeds.min(0), seeds.max(0), points=True)
        for name, role, seeds in zip(NAMES, ROLES, run.exact, strict=True)
    )
    beyond = ((run.trained[1] + 0.5, float(run.lengths[-1, 1]), "longer than trained"),)
    ends = {"x_range": (float(run.lengths[0, 0]), float(run.lengths[-1, 1])), "y_range": (0, 1), "current": run.length}
    title = f"Exact match by length, {run.width} units (bands: {run.exact.shape[1]} seeds)"
    return Curves(lines, x_title="source words T", y_title="exact match", shaded=beyond, title=title, **ends)


def stored(run: Solved) -> Curves:
    T = np.arange(run.lengths[0, 0], run.lengths[-1, 1] + 1)
    sizes = (np.full(len(T), run.width), T * run.width)
    lines = tuple(Line(name, T, size, role) for name, role, size in zip(("one vector c", "all hᵢ"), ROLES, sizes, strict=True))
    ends = {"x_range": (float(T[0]), float(T[-1])), "y_range": (0, float(sizes[1][-1])), "current": run.length}
    return Curves(lines, x_title="source words T", y_title="numbers", title="What the decoder can look at", **ends)
