"""A word's row of numbers, the words nearest to it, and words in a plane."""

import numpy as np

from lessons.basics.embedding.compute import SHOWN_NUMBERS, SHOWN_ROWS, Embedded
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.matrix import Block, Matrix
from lessons.kit.pictures.numbers import percent, signed
from lessons.kit.pictures.plane import Dot, Plane
from lessons.kit.pictures.table import Table


def rows_of(run: Embedded) -> Heatmap:
    numbers = tuple(str(i) for i in range(1, run.size[1] + 1))
    return Heatmap(
        np.stack([run.original, run.row, run.other]),
        (run.word, "your row", run.towards),
        numbers,
        role=None,
        top=3.0,
        keys=("row", "number"),
        current_row=1,
        wide=480,
        title=f"Three rows of {run.size[1]} numbers",
        description="The row of the word, the row as you moved it, and the row that it moves to.",
    )


def neighbours(run: Embedded) -> Bars:
    return Bars(
        run.neighbour_cosines,
        run.neighbours,
        role="source",
        compare=run.original_cosines if run.is_moved else None,
        compare_names=("your row", f"row of {run.word}"),
        wide=480,
        title="Nearest words by cosine",
    )


def plane(run: Embedded) -> Plane:
    dots = [
        Dot(name, x, y, "quiet" if k > 1 else "source", 4, hollow=k > 1)
        for k, (name, (x, y)) in enumerate(zip(run.group, run.points.tolist(), strict=True))
    ]
    x, y = run.point
    if run.is_moved:
        dots.append(Dot("your row", x, y, "target", 7))
    path = (tuple(run.points[0]), tuple(run.points[1])) if len(run.points) > 1 else ()
    return Plane(
        (),
        tuple(dots),
        span=float(np.ceil(max(1.0, 1.15 * np.abs(run.points).max()))),
        path=path,
        wide=400,
        x_title=f"first axis, {percent(run.explained[0])} of the variance",
        y_title=f"second axis, {percent(run.explained[1])}",
        title="The words in the plane of the two principal axes",
        description="Words near each other here have similar rows, as far as two axes can show it.",
    )


def reading(run: Embedded) -> str:
    best, cosine = run.neighbours[0], run.neighbour_cosines[0]
    if not run.is_moved:
        return (
            f"“{run.word}” is a row of **{run.size[1]}** numbers. Of {run.size[0]} rows, the row of"
            f" “**{best}**” has the largest cosine with it, **{signed(cosine)}**. Nobody told the model what"
            " words mean; it only learned to predict the next word."
        )
    way = (
        f"You moved “{run.word}” by **{percent(run.share)}** of the distance to “{run.towards}”"
        if run.share
        else f"You changed numbers in the row of “{run.word}”"
    )
    said = (
        f"{way}{' and added your numbers' if run.share and run.change.any() else ''}. Now the nearest word is"
        f" “**{best}**” with a cosine of **{signed(cosine)}**. "
    )
    if best == run.original_neighbour:
        return said + "This is also the nearest word of the original row."
    return said + f"For the original row, the nearest word is “{run.original_neighbour}”."


def one_hot_product(run: Embedded) -> Matrix:
    given = run.lookup
    place = run.lookup_words.index(run.word)
    rows = Block(
        "table", given["E"], "source", changed=frozenset((place, int(k)) for k in np.flatnonzero(run.change))
    )
    found = Block("row", given["product"][None], "source", note=f"row {place + 1} of these")
    part = f"{SHOWN_ROWS} of {run.size[0]} rows, {SHOWN_NUMBERS} of {run.size[1]} numbers"
    one_hot = Block("one-hot", given["x"][None])
    return Matrix(
        (one_hot, rows, "=", found),
        top=3.0,
        title=f"The one-hot vector of “{run.word}” times the table: {part}",
    )


def ask_lookup(run: Embedded) -> str:
    return f"How does the model look up “{run.word}”?"


def cosine_parts(run: Embedded) -> Table:
    rows = tuple(
        (word, signed(dot), signed(length), signed(own), signed(cosine))
        for word, (dot, length, own), cosine in zip(
            run.neighbours, run.products, run.neighbour_cosines, strict=True
        )
    )
    headings = ("word w", "your row · w", "length of w", "length of your row", "cosine")
    return Table(headings, rows, key="neighbour", title="How each cosine is computed")
