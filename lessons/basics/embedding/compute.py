"""Rows of a trained embedding table: lookup, nearest words, and a projection onto a plane."""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from lessons.kit import checkpoints
from lessons.kit.checkpoints import STORIES, read_story
from lessons.kit.contract import Result, Rows
from models.vocabulary import SPECIAL, InputError

MODEL = "stories-lstm-1"
NEAREST = 6
MAX_GROUP = 24
SHOWN_ROWS, SHOWN_NUMBERS = 5, 4  # part of the table shown in the worked lookup
Words = tuple[str, ...]


@cache
def table() -> np.ndarray:
    """(V, d) the embedding table E of our story model, one row per word."""
    return checkpoints.load_model(MODEL).embed.weight.detach().double().numpy()


def word_of(text: str, control: str) -> int:
    """The token number of the first typed word."""
    return read_story(text, control, max_words=1)[0]


def cosines(row: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """(n,) cosine similarity of a row (d,) with each of the rows (n, d)."""
    return rows @ row / (np.linalg.norm(rows, axis=1) * np.linalg.norm(row)).clip(1e-12)


def nearest(row: np.ndarray, without: int) -> np.ndarray:
    """Token numbers by decreasing cosine, without the word itself, <pad>, <bos> and <eos>."""
    order = np.argsort(-cosines(row, table()), kind="stable")
    return order[(order >= len(SPECIAL)) & (order != without)]


def principal_axes(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """PCA: mean (d,), the two directions of largest variance (2, d), fraction of variance of each (2,)."""
    mean = rows.mean(0)
    _, sizes, directions = np.linalg.svd(rows - mean, full_matrices=False)
    axes = np.zeros((2, rows.shape[1]))
    axes[: min(2, len(directions))] = directions[:2]
    signs = np.sign(axes[[0, 1], np.abs(axes).argmax(1)])  # the sign of a direction is arbitrary: fix it
    variances = np.zeros(2)
    variances[: min(2, len(sizes))] = sizes[:2] ** 2
    return mean, axes * np.where(signs == 0, 1, signs)[:, None], variances / max((sizes**2).sum(), 1e-12)


@dataclass(frozen=True)
class Embedded(Result):
    word: str
    towards: str
    share: float
    original: np.ndarray  # (d,) the word's own row
    other: np.ndarray  # (d,) the row of the other word, the target of the move
    change: np.ndarray  # (SHOWN_NUMBERS,) added to the first numbers of the row
    row: np.ndarray  # (d,) (1 − share) · original + share · other + change
    neighbours: Words  # words nearest to the current row
    neighbour_cosines: np.ndarray  # (NEAREST,) with the current row
    original_cosines: np.ndarray  # (NEAREST,) cosines of the same words with the word's own row
    original_neighbour: str  # the word nearest to the word's own row
    group: Words
    points: np.ndarray  # (n, 2) the group's words in the plane of its two principal axes
    point: np.ndarray  # (2,) the current row in this plane
    explained: np.ndarray  # (2,) fraction of the group's variance along each axis
    size: tuple[int, int]  # V and d, the size of the embedding table
    _ids: tuple[int, int]

    @property
    def is_moved(self) -> bool:
        return bool((self.row != self.original).any())

    @cached_property
    def lookup(self) -> dict[str, np.ndarray]:
        """A one-hot row x (1, V) times E (V, d), for a few rows and numbers: x, E and xE.

        E contains the current row.
        """
        first = min(max(len(SPECIAL), self._ids[0] - SHOWN_ROWS // 2), self.size[0] - SHOWN_ROWS)
        rows = np.arange(first, first + SHOWN_ROWS)
        one_hot = (np.arange(self.size[0]) == self._ids[0]).astype(float)
        edited = table().copy()
        edited[self._ids[0]] = self.row
        product = one_hot @ edited
        return {
            "rows": rows,
            "x": one_hot[rows],
            "E": edited[rows, :SHOWN_NUMBERS],
            "product": product[:SHOWN_NUMBERS],
        }

    @cached_property
    def lookup_words(self) -> Words:
        return STORIES.vocabulary.tokens(self.lookup["rows"])

    @cached_property
    def products(self) -> np.ndarray:
        """(NEAREST, 3) for each neighbour: dot product with the row, its own length, the row's length."""
        rows = table()[STORIES.vocabulary.ids(self.neighbours)]
        lengths = np.linalg.norm(rows, axis=1)
        return np.stack([rows @ self.row, lengths, np.full(len(rows), np.linalg.norm(self.row))], axis=1)


def embedding(word: str, towards: str, share: float, group: str, change: Rows) -> Embedded:
    here, there = word_of(word, "word"), word_of(towards, "towards")
    E = table()
    row = (1 - share) * E[here] + share * E[there] if here != there else E[here].copy()
    row[:SHOWN_NUMBERS] += change[0]
    found = nearest(row, here)[:NEAREST]
    typed = read_story(group, "group") if group.strip() else ()
    ids = list(dict.fromkeys((here, there, *typed)))
    if len(ids) > MAX_GROUP:
        raise InputError(f"The plane has room for {MAX_GROUP} words; these are {len(ids)}.", "group")
    mean, axes, explained = principal_axes(E[ids])
    names = STORIES.vocabulary.tokens
    return Embedded(
        word=names([here])[0],
        towards=names([there])[0],
        share=share,
        original=E[here],
        other=E[there],
        change=np.array(change[0]),
        row=row,
        neighbours=names(found),
        neighbour_cosines=cosines(row, E[found]),
        original_cosines=cosines(E[here], E[found]),
        original_neighbour=names(nearest(E[here], here)[:1])[0],
        group=names(ids),
        points=(E[ids] - mean) @ axes.T,
        point=(row - mean) @ axes.T,
        explained=explained,
        size=(E.shape[0], E.shape[1]),
        _ids=(here, there),
    )
