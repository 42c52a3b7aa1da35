"""Three context vectors, what the decoder writes for each, and how far apart they are."""

import numpy as np

from lessons.bottleneck.pictures import WIDTH_PX, without_eos
from lessons.bottleneck.surgery.compute import Operation
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import bold_count
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.references import differing_positions

NAMES = ("original", "edited", "second")


def vectors(run: Operation) -> Heatmap:
    units = run.c.shape[1]
    changed = np.count_nonzero(run.c[0] != run.c[1])
    return Heatmap(
        run.c,
        NAMES,
        tuple(str(n + 1) for n in range(units)),
        role=None,
        top=float(f"{2 * np.sqrt(np.square(run.c[[0, 2]]).mean()):.1g}"),  # twice the usual size of a unit
        keys=("context", "unit"),
        wide=WIDTH_PX,
        tall=150,
        title=f"c, all {units} numbers; {changed} of them changed",
    )


def side_by_side(run: Operation) -> Tokens:
    """The output for each vector; the edited output is compared with the first sentence's translation."""
    marks: tuple[frozenset[int], ...] = (frozenset(), frozenset(run.changed), frozenset())
    lines = tuple(
        TokenLine(name, without_eos(words), changed=changed, right=right)
        for name, words, changed, right in zip(
            NAMES, (run.original, run.edited, run.donor), marks, run.right, strict=True
        )
    )
    title = "What the decoder writes for each of them; marked: not in the original output"
    return Tokens(lines, wide=WIDTH_PX, tall=130, title=title)


def reading(run: Operation) -> str:
    to_original, to_second, between = run.distances
    if not run.is_edited:
        return (
            f"c is unchanged. The distance between the two context vectors is **{between:.2f}**, and the"
            f" length of c is **{np.linalg.norm(run.c[0]):.2f}**."
        )
    return (
        f"Your c has a distance of **{to_original:.2f}** from the original c and of **{to_second:.2f}** from"
        f" the c of the second sentence. {describe_output(run)}"
    )


def describe_output(run: Operation) -> str:
    if run.edited == run.original:
        return "The output is **the same**, word for word."
    if run.edited == run.donor:
        return "The decoder **translates the second sentence**, although the encoder read the first."
    lost, new = map(len, differing_positions(without_eos(run.original), without_eos(run.edited)))
    are_lost, are_new = ("is" if count == 1 else "are" for count in (lost, new))
    return (
        f"{bold_count(lost, 'word')} of the original output {are_lost} missing, and **{new}** {are_new} new."
    )


def distances(run: Operation) -> Bars:
    labels = ("original, edited", "edited, second", "original, second")
    top = max(1e-6, 1.2 * float(run.distances.max()))
    return Bars(
        run.distances, labels, role="context", top=top, title="Euclidean distances between the vectors"
    )
