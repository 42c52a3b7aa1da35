"""A search tree: one column per step, with kept and pruned branches."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from pandas import DataFrame

from lessons.kit.pictures.base import FONT_PX, SMALL_FONT_PX, shorten, text_width
from lessons.kit.pictures.numbers import signed
from lessons.kit.pictures.sketch import Label, Sketch, SketchPicture, Stroke
from lessons.kit.pictures.unrolled import visible_token

HEADER_PX = 26  # height of the line with the step numbers


class Spacing(NamedTuple):
    """Sizes in pixels."""

    size: int  # font size
    widest: int  # maximum width of a word in pixels
    gutter: int  # gap between columns; edges bend only here, so that they never cross a word
    above: int  # space above the middle of a word
    under: int  # space below the middle of a pruned word
    score: int  # space below the middle of a kept word, for its score

    @property
    def bold(self) -> float:
        return 1.1 * self.size


ROOMY, COMPACT = Spacing(FONT_PX, 96, 34, 9, 9, 24), Spacing(SMALL_FONT_PX, 64, 18, 7, 7, 21)


@dataclass(frozen=True)
class Branch:
    """A hypothesis with one word more than its parent."""

    id: int
    parent: int | None
    label: str
    score: float
    kept: bool = True
    reason: str = ""  # why the branch was pruned
    best: bool = False  # part of the best hypothesis, as are all its ancestors
    ended: bool = False


@dataclass(frozen=True)
class Tree(SketchPicture):
    branches: tuple[Branch, ...]  # parents before children
    _: KW_ONLY
    score_name: str = "log P"
    role: str = "target"
    spacing: Spacing = ROOMY  # chosen to fit the size

    def summary(self) -> str:
        best = [branch for branch in self.branches if branch.id in self.best]
        kept = sum(branch.kept for branch in self.branches)
        text = f"{len(self.branches)} branches, {kept} of them kept. "
        words = " ".join(visible_token(branch.label) for branch in best)
        return text + (f"The answer: {words}, {self.score_name} {signed(best[-1].score)}." if best else "")

    def frame(self) -> DataFrame:
        """Data frame with one row per branch, with all its words so far."""
        texts: dict[int | None, str] = {}
        rows: list[tuple[Any, ...]] = []
        for branch in self.branches:
            texts[branch.id] = " ".join(filter(None, (texts.get(branch.parent, ""), branch.label)))
            place = branch.id, branch.parent, self.steps[branch.id]
            values = branch.label, branch.score, branch.kept, branch.id in self.best
            rows.append((*place, *values, branch.ended, branch.reason, texts[branch.id]))
        names = ["id", "parent", "step", "word", self.score_name, "kept", "best", "ended", "reason", "text"]
        return DataFrame(rows, columns=names).astype({"parent": "Int64"})

    # ---- layout ----

    def shown_word(self, branch: Branch) -> str:
        return shorten(visible_token(branch.label), self.spacing.widest, self.spacing.bold)

    def word_end(self, branch: Branch) -> float:
        """Width of the branch's word, including the bar after a word that ends the sentence."""
        return text_width(
            self.shown_word(branch), self.spacing.bold if branch.kept else self.spacing.size
        ) + (9 if branch.ended else 2)

    def branch_width(self, branch: Branch) -> float:
        return max(
            self.word_end(branch), text_width(signed(branch.score), SMALL_FONT_PX) + 3 if branch.kept else 0
        )

    def space_below(self, branch: Branch) -> int:
        return self.spacing.score if branch.kept else self.spacing.under

    @cached_property
    def steps(self) -> dict[int | None, int]:
        """Step of each branch: the number of words before it."""
        steps: dict[int | None, int] = {}
        for branch in self.branches:
            steps[branch.id] = steps.get(branch.parent, -1) + 1
        return steps

    @cached_property
    def best(self) -> frozenset[int]:
        """Ids of the branches of the best hypothesis."""
        best = set()
        for branch in reversed(self.branches):  # children before their parents
            if branch.best or branch.id in best:
                best |= {branch.id} if branch.parent is None else {branch.id, branch.parent}
        return frozenset(best)

    @cached_property
    def columns(self) -> list[list[Branch]]:
        """Branches by step, in the order of their parents (so that edges do not cross), better ones first."""
        columns: list[list[Branch]] = [[] for _ in range(max(self.steps.values(), default=-1) + 1)]
        for branch in self.branches:
            columns[self.steps[branch.id]].append(branch)
        order: dict[int | None, int] = {}
        for column in columns:
            column.sort(
                key=lambda branch: (
                    order.get(branch.parent, -1),
                    math.inf if math.isnan(branch.score) else -branch.score,
                )
            )
            order = {branch.id: place for place, branch in enumerate(column)}
        return columns

    @cached_property
    def ys(self) -> dict[int, int]:
        """y of the middle of each word: as near to its parent as neighbours allow.

        The best hypothesis is a straight line.
        """
        ys: dict[int | None, float] = {None: 0.0}
        for column in self.columns:
            gaps = [self.space_below(upper) + self.spacing.above for upper, _ in pairwise(column)]
            wanted = [0.8 * ys.get(branch.parent, 0.0) for branch in column]
            weights = [1e4 if branch.id in self.best else 1.0 if branch.kept else 0.01 for branch in column]
            ys |= zip((branch.id for branch in column), place_in_order(wanted, gaps, weights), strict=True)
        highest = min(ys.values())
        return {
            branch.id: round(ys[branch.id] - highest) + HEADER_PX + self.spacing.above
            for branch in self.branches
        }

    @cached_property
    def xs(self) -> list[int]:
        """Left edges of the columns, and the end of the last one."""
        widths = (max(map(self.branch_width, column)) + self.spacing.gutter for column in self.columns)
        return [4 + round(x) for x in accumulate(widths, initial=0)]

    def sketch(self) -> Sketch:
        roomy = replace(self, spacing=ROOMY)._sketch()
        return roomy if self.fits(roomy.width, roomy.height) else replace(self, spacing=COMPACT)._sketch()

    def _sketch(self) -> Sketch:
        edges = sorted(
            self._edges(), key=lambda edge: (edge.width, edge.opacity)
        )  # order: pruned, kept, best, so that the best is on top
        marks = sorted(self._words(), key=lambda word: (word.role, word.size, word.bold))
        marks += [
            Label(self.xs[step], 13, str(step), "quiet", SMALL_FONT_PX, "start")
            for step in range(1, len(self.columns))
        ]
        bottom = (
            max(
                (self.ys[branch.id] + self.space_below(branch) for branch in self.branches), default=HEADER_PX
            )
            + 20
        )
        marks.append(
            Label(
                4,
                bottom - 6,
                f"left to right: steps; under a word: {self.score_name}",
                "quiet",
                SMALL_FONT_PX,
                "start",
            )
        )
        width = max(self.xs[-1] - self.spacing.gutter + 8, text_width(marks[-1].words, SMALL_FONT_PX) + 8)
        return Sketch(width, bottom, (*edges, *marks))

    def _edges(self) -> Iterator[Stroke]:
        places = {branch.id: branch for branch in self.branches}
        parents = {branch.parent for branch in self.branches}
        for branch in self.branches:
            x, y, right = self.xs[self.steps[branch.id]], self.ys[branch.id], self.word_end(branch)
            # right edge of the branch's column
            edge = self.xs[self.steps[branch.id] + 1] - self.spacing.gutter
            if branch.id in parents and edge > x + right + 6:
                yield Stroke(((x + right + 4, y), (edge, y)), **self._look(branch.id, True))
            if branch.ended:
                bar = x + right - 1
                yield Stroke(((bar, y - 7), (bar, y + 7)), self.role, 2.0, head=False)
            if branch.parent in places:
                start, end, high = x - self.spacing.gutter, x - 4, self.ys[branch.parent]
                middle = (start + end) // 2
                yield Stroke(
                    ((start, high), (middle, high), (middle, y), (end, y)),
                    **self._look(branch.id, branch.kept),
                )

    def _look(self, id: int, kept: bool) -> dict[str, Any]:
        if id in self.best:
            return {"role": self.role, "width": 3.0, "head": False}
        return {
            "role": self.role if kept else "quiet",
            "width": 1.25,
            "opacity": 0.7 if kept else 0.4,
            "head": False,
        }

    def _words(self) -> Iterator[Label]:
        for branch in self.branches:
            x, y, best = self.xs[self.steps[branch.id]], self.ys[branch.id], branch.id in self.best
            shown, size = self.shown_word(branch), self.spacing.size
            full = visible_token(branch.label) if shown != visible_token(branch.label) else ""
            tip = ". ".join(filter(None, (full, f"{self.score_name} {signed(branch.score)}", branch.reason)))
            role = self.role if best else "ink" if branch.kept else "quiet"
            at = f"word:{branch.label}" if branch.kept else None  # pruned branches can number in the hundreds
            yield Label(x, y + size * 0.37, shown, role, size, "start", tip=tip, at=at, bold=best)
            if branch.kept:
                yield Label(
                    x, y + self.spacing.score - 5, signed(branch.score), "quiet", SMALL_FONT_PX, "start"
                )


def place_in_order(wanted: Sequence[float], gaps: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Ordered positions at least `gaps` apart, as close as possible to the wanted ones (least squares).

    This is isotonic regression: with the gaps subtracted, neighbours in the wrong order are pooled at their
    mean.
    """
    offsets = [0.0, *accumulate(gaps)][: len(wanted)]
    pools: list[tuple[float, float, int]] = []  # mean, weight, size
    for place, offset, weight in zip(wanted, offsets, weights, strict=True):
        pool = place - offset, weight, 1
        while pools and pools[-1][0] >= pool[0]:
            mean, other, size = pools.pop()
            total = other + pool[1]
            pool = (mean * other + pool[0] * pool[1]) / total, total, size + pool[2]
        pools.append(pool)
    means = [mean for mean, _, size in pools for _ in range(size)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]
