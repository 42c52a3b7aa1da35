"""Describe a drawing of one or two shapes in a sentence (lesson `attention`, `picture`).

A drawing is read as patches of 2 × 2 cells, row by row. There are 16 different patches; each is one character
of the source: `·` is empty, `▘` has its upper left cell filled, `█` all four. So a drawing is a text of 36
characters, and a translator reads it like any other sentence.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product

from models.tasks.task import Pair, Task
from models.vocabulary import InputError, Vocabulary

SIZE, PATCH = 12, 2  # cells per side of the grid and of a patch
PATCHES_PER_ROW = SIZE // PATCH
PATCHES = "·▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"  # bit 0: upper left cell, then upper right, lower left, lower right
STENCILS = {  # shape → small and large; # is a filled cell
    "square": ("###|###|###", "#####|#####|#####|#####|#####"),
    "frame": ("###|#.#|###", "#####|#...#|#...#|#...#|#####"),
    "cross": (".#.|###|.#.", "..#..|..#..|#####|..#..|..#.."),
    "triangle": (".#.|###", "..#..|.###.|#####"),
}
SIZES = ("small", "large")
RELATIONS = ("left", "of"), ("above",)  # the first shape is the left one, or the upper one
NOISE_SHARE = 0.25  # fraction of the drawings in which one or two cells are flipped
Cell = tuple[int, int]  # row, column, from the upper left corner
Cells = frozenset[Cell]
Words = tuple[str, ...]


@cache
def stencil(shape: str, size: str) -> Cells:
    """The filled cells of a shape in the upper left corner of the grid."""
    rows = STENCILS[shape][SIZES.index(size)].split("|")
    return frozenset((r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#")


def move(cells: Iterable[Cell], down: int, right: int) -> Cells:
    return frozenset((row + down, column + right) for row, column in cells)


def extent(cells: Cells, axis: int) -> tuple[int, int]:
    """First and last row (axis 0) or column (axis 1) of the cells."""
    places = [cell[axis] for cell in cells]
    return min(places), max(places)


# ---- drawing and text ----


def encode(cells: Cells) -> Words:
    """The patches of a drawing, row by row."""
    bits = [0] * PATCHES_PER_ROW**2
    for row, column in cells:
        bits[patch_of((row, column))] |= 1 << (PATCH * (row % PATCH) + column % PATCH)
    return tuple(PATCHES[each] for each in bits)


def decode(source: Sequence[str]) -> Cells:
    """The filled cells of a source."""
    return frozenset(
        (PATCH * (k // PATCHES_PER_ROW) + down, PATCH * (k % PATCHES_PER_ROW) + right)
        for k, patch in enumerate(source)
        for down, right in product(range(PATCH), repeat=2)
        if PATCHES.index(patch) >> (PATCH * down + right) & 1
    )


def patch_of(cell: Cell) -> int:
    """The number of the patch that contains a cell."""
    return PATCHES_PER_ROW * (cell[0] // PATCH) + cell[1] // PATCH


def clean(text: str) -> str:
    """Check that a text encodes a drawing."""
    text = "".join(text.split())
    if len(text) != PATCHES_PER_ROW**2 or set(text) - set(PATCHES):
        raise InputError(
            f"A drawing has {PATCHES_PER_ROW**2} patches, each one of these characters: {PATCHES}"
        )
    return text


# ---- the sentence ----


def describe(shapes: Mapping[Cells, Words]) -> tuple[Words, list[Cells]] | None:
    """The sentence for one or two placed shapes, and the cells that each word refers to.

    None if neither shape is clearly left of the other or above it.
    """
    if len(shapes) == 1:
        [(cells, words)] = shapes.items()
        return words, [cells] * len(words)
    relation = find_relation(*shapes)
    if relation is None:
        return None
    (first, second), between = relation
    words = shapes[first] + between + shapes[second]
    about = [first] * len(shapes[first]) + [first | second] * len(between) + [second] * len(shapes[second])
    return words, about


def find_relation(one: Cells, other: Cells) -> tuple[tuple[Cells, Cells], Words] | None:
    """The two shapes in the order in which they are named, and the words between them.

    Two shapes are beside each other if they share a row and no column, and above each other if they share a
    column and no row.
    """
    apart = [gap(one, other, axis) for axis in (0, 1)]
    if (apart[0] > 0) == (apart[1] > 0):
        return None
    axis = 0 if apart[0] > 0 else 1
    first, second = sorted((one, other), key=lambda cells: extent(cells, axis))
    return (first, second), RELATIONS[1 - axis]


def gap(one: Cells, other: Cells, axis: int) -> int:
    """Empty rows (axis 0) or columns (axis 1) between two shapes; 0 or less if they touch or overlap."""
    (low, high), (other_low, other_high) = extent(one, axis), extent(other, axis)
    return max(low - other_high, other_low - high) - 1


def draw(rng: random.Random, lengths: range) -> Pair:
    """Draw one shape, or two with a gap between them, sometimes with noise, and the sentence."""
    while True:
        shapes = dict(draw_placed_shape(rng) for _ in range(1 if rng.random() < 0.25 else 2))
        described = describe(shapes)
        if described:
            break
    words, about = described
    cells = frozenset().union(*shapes)
    if rng.random() < NOISE_SHARE:
        for _ in range(rng.randint(1, 2)):
            cells ^= {(rng.randrange(SIZE), rng.randrange(SIZE))}
    links = frozenset((t, patch_of(cell)) for t, part in enumerate(about) for cell in part)
    return Pair(encode(cells), words, links)


def draw_placed_shape(rng: random.Random) -> tuple[Cells, Words]:
    """A random shape at a random place, and the words for it."""
    shape, size = rng.choice(list(STENCILS)), rng.choice(SIZES)
    cells = stencil(shape, size)
    down, right = (rng.randrange(SIZE - extent(cells, axis)[1]) for axis in (0, 1))
    return move(cells, down, right), ("a", size, shape)


# ---- the correct sentence of a drawing ----


def answer(source: Words) -> Words | None:
    """The sentence for a drawing without noise; None if its shapes are not in the course's list."""
    names = {part: name_shape(part) for part in connected(decode(source))}
    if not 0 < len(names) <= 2 or None in names.values():
        return None
    described = describe({part: name for part, name in names.items() if name})
    return described and described[0]


def name_shape(cells: Cells) -> Words | None:
    """The words for a shape at any position; None if it is not one of the course's shapes."""
    top, left = extent(cells, 0)[0], extent(cells, 1)[0]
    return names_of_stencils().get(move(cells, -top, -left))


@cache
def names_of_stencils() -> dict[Cells, Words]:
    return {stencil(shape, size): ("a", size, shape) for shape, size in product(STENCILS, SIZES)}


def connected(cells: Cells) -> Iterator[Cells]:
    """The connected parts of a drawing: cells that touch at a side or a corner belong together."""
    left = set(cells)
    while left:
        part, border = set(), {left.pop()}
        while border:
            part |= border
            border = {
                (row + down, column + right)
                for row, column in border
                for down, right in product((-1, 0, 1), repeat=2)
            } & left
            left -= border
        yield frozenset(part)


DRAWINGS = Task(
    "drawings",
    Vocabulary.of(PATCHES),
    Vocabulary.of(["a", *SIZES, *STENCILS, *(word for relation in RELATIONS for word in relation)]),
    draw,
    unit="character",
    lengths=range(PATCHES_PER_ROW**2, PATCHES_PER_ROW**2 + 1),
    clean=clean,
    answer=answer,
)
