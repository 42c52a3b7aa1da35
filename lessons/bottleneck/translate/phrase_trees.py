"""Phrase trees of outputs in brackets."""

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any

from pandas import DataFrame

from lessons.kit.pictures.base import FONT_PX, SMALL_FONT_PX, shorten, text_width
from lessons.kit.pictures.sketch import Label, Mark, Sketch, SketchPicture, Stroke
from lessons.kit.pictures.tokens import TokenLine
from models.tasks.parsing import LABELS, Phrase, read_brackets

MAX_WORD_PX = 110
LEVEL_PX, WORD_GAP_PX, CAPTION_PX, TREE_GAP_PX = 23, 10, 20, 10


@dataclass(frozen=True)
class Node:
    """A phrase or a word of a tree, with its place in the sentence and in the bracketed text."""

    name: str  # label of a phrase, or a word
    step: int  # 0-based position of its token in the output
    span: tuple[int, int]  # the words that it covers: first, and one after the last
    parts: "tuple[Node, ...] | None"  # None for a word

    @property
    def height(self) -> int:
        return 0 if self.parts is None else 1 + max((part.height for part in self.parts), default=0)

    def nodes(self) -> Iterator["Node"]:
        yield self
        for part in self.parts or ():
            yield from part.nodes()

    @property
    def key(self) -> tuple[str, int, int]:
        return self.name, *self.span


def number_nodes(part: Phrase | str, step: int, first: int) -> tuple[Node, int]:
    """The node of a part that begins at this step and word, and the step after its closing bracket."""
    if isinstance(part, str):
        return Node(part, step, (first, first + 1), None), step + 1
    nodes, after, last = [], step + 1, first
    for inner in part.parts:
        node, after = number_nodes(inner, after, last)
        last = node.span[1]
        nodes.append(node)
    return Node(part.label, step, (first, last), tuple(nodes)), after + 1


@dataclass(frozen=True)
class BracketedTree:
    """One output as a tree, or as several if its brackets do not make one."""

    line: TokenLine

    @cached_property
    def parsed(self) -> tuple[tuple[Node, ...], str]:
        parts, faults = read_brackets(self.line.words)
        nodes, step, first = [], 0, 0
        for part in parts:
            node, step = number_nodes(part, step, first)
            first = node.span[1]
            nodes.append(node)
        return tuple(nodes), faults

    @property
    def nodes(self) -> list[Node]:
        return [node for root in self.parsed[0] for node in root.nodes()]

    @property
    def keys(self) -> set[tuple[str, int, int]]:
        return {node.key for node in self.nodes}

    @property
    def caption(self) -> str:
        faults = f"brackets: {self.parsed[1]}" if self.parsed[1] else ""
        return "; ".join(filter(None, (f"{self.line.label} {self.line.mark}".strip(), faults)))


@dataclass(frozen=True)
class PhraseTrees(SketchPicture):
    """Trees one below the other. A phrase or word that is not in the right tree is marked ✗."""

    lines: tuple[TokenLine, ...]
    _: KW_ONLY
    current: int | None = None  # 0-based step of the first tree

    @cached_property
    def trees(self) -> tuple[BracketedTree, ...]:
        return tuple(BracketedTree(line) for line in self.lines)

    @cached_property
    def right_keys(self) -> set[tuple[str, int, int]] | None:
        """The phrases and words of the right tree, if it is drawn."""
        right = (tree for tree in self.trees if tree.line.right or tree.line.quiet)
        return next((tree.keys for tree in right), None)

    def is_wrong(self, node: Node) -> bool:
        return self.right_keys is not None and node.key not in self.right_keys

    def frame(self) -> DataFrame:
        """Data frame with one row per phrase."""
        rows = []
        for tree in self.trees:
            words = [node.name for node in tree.nodes if node.parts is None]
            for node in tree.nodes:
                if node.parts is not None:
                    covered = " ".join(words[slice(*node.span)])
                    rows.append((tree.line.label, node.step + 1, node.name, covered, self.is_wrong(node)))
        return DataFrame(rows, columns=["tree", "step", "phrase", "words", "marked wrong"])

    def sketch(self) -> Sketch:
        roomy = self.arrange(FONT_PX)
        return roomy if self.fits(roomy.width, roomy.height) else self.arrange(SMALL_FONT_PX)

    def arrange(self, size: float) -> Sketch:
        """All trees with their captions, in this font size."""
        marks: list[Mark] = []
        width, y = 0.0, 0.0
        for n, tree in enumerate(self.trees):
            marks.append(Label(2, y + 14, tree.caption, "quiet", size, "start"))
            height = max((root.height for root in tree.parsed[0]), default=0)
            bottom = y + CAPTION_PX + 10 + LEVEL_PX * height
            right = self.place_tree(marks, tree, bottom, size, self.current if n == 0 else None)
            width = max(width, right, text_width(tree.caption, size) + 4)
            y = bottom + 8 + TREE_GAP_PX
        marks.sort(key=lambda mark: isinstance(mark, Label))
        return Sketch(width, y - TREE_GAP_PX, tuple(marks))

    def place_tree(
        self, marks: list[Mark], tree: BracketedTree, bottom: float, size: float, current: int | None
    ) -> float:
        """Add one tree with its words on the line `bottom`. Returns its right edge."""
        xs: dict[int, float] = {}  # step → middle of the node
        edge = 2.0
        for node in tree.nodes:
            if not node.parts:  # a word, or a phrase without words
                room = text_width(self.shown(node, size), size)
                xs[node.step], edge = edge + room / 2, edge + room + WORD_GAP_PX
        role = "quiet" if tree.line.quiet else "target"
        for node in reversed(tree.nodes):  # children before parents
            if node.parts:
                xs[node.step] = (xs[node.parts[0].step] + xs[node.parts[-1].step]) / 2
            x, y = xs[node.step], bottom - LEVEL_PX * node.height
            if node.parts:
                marks += self.edges(node, xs, bottom, size)
            is_first = tree is self.trees[0]
            look: dict[str, Any] = {
                "bold": node.step == current,
                "at": f"step:{node.step + 1}" if is_first else None,
                "tip": self.tip(node),
            }
            word_role = "quiet" if tree.line.quiet else "ink"
            marks.append(Label(x, y, self.shown(node, size), role if node.parts else word_role, size, **look))
        return edge

    def edges(self, node: Node, xs: Mapping[int, float], bottom: float, size: float) -> Iterator[Stroke]:
        """Right-angled lines to the parts of a phrase; they never cross."""
        middle, bar = xs[node.step], bottom - LEVEL_PX * node.height + 7
        yield Stroke(((middle, bar - 4), (middle, bar)), "line", head=False)
        for part in node.parts or ():
            x, y = xs[part.step], bottom - LEVEL_PX * part.height - size
            yield Stroke(((middle, bar), (x, bar), (x, y)), "line", head=False)

    def shown(self, node: Node, size: float) -> str:
        mark = " ✗" if self.is_wrong(node) else ""
        return shorten(node.name, MAX_WORD_PX, size) + mark

    def tip(self, node: Node) -> str:
        wrong = "; not in the right tree" if self.is_wrong(node) else ""
        if node.parts is None:
            return f"{node.name}{wrong}"
        words = " ".join(leaf.name for leaf in node.nodes() if leaf.parts is None)
        return f"{LABELS.get(node.name, node.name)}: {words or 'no words'}{wrong}"
