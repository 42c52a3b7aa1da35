"""The whole model as a picture, drawn as it computes: an encoder that reads, a decoder that writes, and one block chosen.

The stream goes straight up. Each block branches off it: its norm comes first, and what it finds is added where the stream goes on.
"""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from pandas import DataFrame

from lessons.kit.pictures import mpl
from lessons.kit.pictures.base import SMALL, Canvas, Picture, num, shorten
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.slides import page, slide_text

WIDTH, WIDE, HIGH = 420, 160, 21  # of the picture, of a block
NORM, ADD = (50, 14), (16, 16)  # wide and high: the norm before a block, the sum after it
GAP, FORK = 7, 13  # between two parts, and where the way around a block leaves
LEFT = {"encoder": 26, "decoder": 232}
FOOT, TOP = 40, 18  # words that go in, and come out
ROLES = {"encoder": "source", "decoder": "target"}

Wire = list[tuple[float, float]]


class Part(NamedTuple):
    """A box on the page. Some blocks have two: a sum, and the norm of it that goes into the next block."""

    block: str  # its whole name
    side: str
    label: str
    y: float  # of its top
    wide: float
    high: float

    @property
    def middle(self) -> float:
        return LEFT[self.side] + WIDE / 2

    @property
    def x(self) -> float:
        return self.middle - self.wide / 2

    @property
    def foot(self) -> float:
        return self.y + self.high

    @property
    def role(self) -> str:
        return "weight" if "attention" in self.label else ROLES[self.side]

    @property
    def strength(self) -> float:
        return 0.05 if self.label in ("norm", "+") else 0.18


@dataclass(frozen=True)
class Diagram(Picture):
    blocks: tuple[str, ...]  # "encoder: self-attention", in the order of the computation
    _: KW_ONLY
    chosen: str
    layer: int  # from 1
    layers: int
    source: str = ""  # the sentence, the decoder's input, its output
    reads: str = ""
    writes: str = ""
    mark: str = ""  # ✓ or ✗, where the truth is known
    truth: str = ""

    def column(self, side: str) -> list[tuple[str, str, float, float]]:
        """From the bottom up: block, label, width, height."""
        found: list[tuple[str, str, float, float]] = []
        for block in self.blocks:
            if block.startswith(side):
                label = block.partition(": ")[2]
                adds = label.startswith("add")
                found.append((block, "+", *ADD) if adds else (block, label, WIDE, HIGH))
                if adds or "embedding" in label:
                    found.append((block, "norm", *NORM))
        return found

    @cached_property
    def parts(self) -> dict[str, list[Part]]:
        found: dict[str, list[Part]] = {side: [] for side in LEFT}
        for side in LEFT:
            y = self.height - FOOT
            for block, label, wide, high in self.column(side):
                y -= high
                found[side].append(Part(block, side, label, y, wide, high))
                y -= gap(label)
        return found

    @cached_property
    def height(self) -> float:
        tall = (sum(high + gap(label) for _, label, _, high in self.column(side)) for side in LEFT)
        return FOOT + TOP + max(tall)

    def frames(self) -> list[tuple[str, float, float, float, float]]:
        """Around one layer of each side, from its first norm to its last sum: side, x, y, width, height."""
        found: list[tuple[str, float, float, float, float]] = []
        for side, parts in self.parts.items():
            first = next(part for part in parts if part.label == "norm")
            last = [part for part in parts if part.label == "+"][-1]
            found.append((side, LEFT[side] - 19, last.y - 4, WIDE + 38, first.foot - last.y + FORK - 1))
        return found

    def wires(self) -> tuple[list[Wire], list[Wire]]:
        """Up from part to part and across to the decoder; and around each block, from before its norm to where it is added."""
        through: list[Wire] = []
        around: list[Wire] = []
        for side, parts in self.parts.items():
            through += [[(a.middle, a.y), (a.middle, b.foot)] for a, b in pairwise(parts)]
            outside = LEFT[side] + (-11 if side == "encoder" else WIDE + 11)
            for before, norm, _, add in zip(parts, parts[1:], parts[2:], parts[3:], strict=False):
                if norm.label == "norm" and add.label == "+":
                    start, end, edge = (
                        (before.y + norm.foot) / 2,
                        add.y + add.high / 2,
                        add.x if side == "encoder" else add.x + add.wide,
                    )
                    around.append([(add.middle, start), (outside, start), (outside, end), (edge, end)])
        last = self.parts["encoder"][-1]
        cross = next(part for part in self.parts["decoder"] if part.label == "cross-attention")
        between, entry, up = LEFT["decoder"] - 29, cross.y + HIGH / 2, last.y - 10
        through.append(
            [(last.middle, last.y), (last.middle, up), (between, up), (between, entry), (cross.x, entry)]
        )
        return through, around

    def said(self) -> list[tuple[float, float, str, str, str]]:
        """Words below and above: x, y, as much of them as fits, all of them, their role."""
        (encoder, decoder), room = (LEFT[side] + WIDE / 2 for side in LEFT), WIDE + 30
        foot, head = self.height - 19, self.parts["decoder"][-1].y - 9
        written = f"the next word at every place: {self.writes} {self.mark}"
        written += f", should be: {self.truth}" if self.mark == "✗" else ""
        return [
            (encoder, foot, shorten(self.source, room), f"source: {self.source}", "source"),
            (decoder, foot, shorten(self.reads, room), f"what it has written: {self.reads}", "target"),
            (decoder, head, f"{shorten(self.writes, room - 16)} {self.mark}".rstrip(), written, "target"),
        ]

    def draw(self) -> Canvas:
        canvas = Canvas(WIDTH, self.height)
        for side, x, y, width, height in self.frames():
            canvas.add(
                "rect", x=x, y=y, width=width, height=height, rx=10, class_="ground", stroke="var(--line)"
            )
            at, anchor = (x + 4, "start") if side == "encoder" else (x + width - 4, "end")
            canvas.text(at, y - 5, f"layer {self.layer} of {self.layers}", SMALL, anchor, class_="quiet")
        through, around = self.wires()
        look = {"fill": "none", "stroke": "var(--quiet)", "stroke_width": 1.5}
        canvas.add("path", d="".join(map(line, through)), **look)
        canvas.add("path", d="".join(map(line, around)), stroke_dasharray="4 3", **look)
        canvas.add("path", d="".join(tip(wire) for wire in through + around), fill="var(--quiet)")
        for block in self.blocks:
            self.draw_block(
                canvas, [part for side in self.parts.values() for part in side if part.block == block]
            )
        for x, y, words, whole, role in self.said():
            canvas.text(x, y, words, style=f"fill:var(--{role})", data_tip=whole)
        canvas.text(LEFT["encoder"] + WIDE / 2, self.height - 5, "the source goes in", SMALL, class_="quiet")
        canvas.text(
            LEFT["decoder"] + WIDE / 2,
            self.height - 5,
            "what is written so far goes in",
            SMALL,
            class_="quiet",
        )
        return canvas

    def draw_block(self, canvas: Canvas, parts: list[Part]) -> None:
        block, chosen = parts[0].block, parts[0].block == self.chosen
        labels = " ".join(
            part.label for part in parts if part.label not in block
        )  # a name holds what is seen
        canvas.open(aria_label=f"{block} {labels}".strip(), **canvas.button("block", block))
        for part in parts:
            box = {
                "x": part.x,
                "y": part.y,
                "width": part.wide,
                "height": part.high,
                "rx": 8 if part.label == "+" else 6,
            }
            outline = (
                {"stroke": "currentColor", "stroke_width": 2.5}
                if chosen
                else {"stroke": f"var(--{part.role})"}
            )
            canvas.add("rect", **box, fill=f"var(--{part.role})", fill_opacity=part.strength, **outline)
            size = SMALL if part.label == "norm" else 12
            base = part.y + part.high / 2 + size * 0.35
            canvas.text(part.middle, base, part.label, size, font_weight=700 if chosen else None)
            canvas.parts.append(" ")  # two labels are two words
        canvas.close()

    def figure(self) -> "mpl.Figure":
        figure, axes = page(WIDTH, self.height)
        for side, x, y, width, height in self.frames():
            axes.add_patch(rounded(x, y, width, height, fc="#f4f6f8", ec=LIGHT["line"]))
            at, anchor = (x + 4, "left") if side == "encoder" else (x + width - 4, "right")
            slide_text(
                axes,
                at,
                y - 7,
                f"layer {self.layer} of {self.layers}",
                SMALL,
                ha=anchor,
                color=LIGHT["quiet"],
            )
        for wires, style in zip(self.wires(), ("-", "--"), strict=True):
            for wire in wires:
                axes.plot(*zip(*wire, strict=True), style, color=LIGHT["quiet"], linewidth=1, zorder=1)
        for part in (part for side in self.parts.values() for part in side):
            chosen, box = part.block == self.chosen, (part.x, part.y, part.wide, part.high)
            axes.add_patch(rounded(*box, fc="white", ec="none", zorder=2))
            edge: dict[str, Any] = (
                {"ec": LIGHT["ink"], "linewidth": 2} if chosen else {"ec": LIGHT[part.role], "linewidth": 0.8}
            )
            axes.add_patch(rounded(*box, fc=(LIGHT[part.role], part.strength), zorder=3, **edge))
            weight = "bold" if chosen else "normal"
            slide_text(
                axes, part.middle, part.y + part.high / 2, part.label, SMALL + 1, zorder=4, fontweight=weight
            )
        for x, y, words, _, role in self.said():
            slide_text(axes, x, y - 4, words, color=LIGHT[role])
        return figure

    def frame(self) -> DataFrame:
        """One line a block, in the order of the computation."""
        sides, labels = zip(*(block.split(": ", 1) for block in self.blocks), strict=True)
        in_layer = ["embedding" not in label and "linear" not in label for label in labels]
        chosen = [block == self.chosen for block in self.blocks]
        return DataFrame({"side": sides, "block": labels, "in every layer": in_layer, "chosen": chosen})


def gap(label: str) -> int:
    """Over a part."""
    return FORK if label == "+" or "embedding" in label else GAP


def rounded(x: float, y: float, width: float, height: float, **look: Any) -> Any:
    return mpl.FancyBboxPatch((x, y), width, height, "round,pad=0,rounding_size=6", **look)


def line(points: Wire) -> str:
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points)


def tip(points: Wire) -> str:
    """The head of an arrow at the last point: up, or sideways."""
    (x0, _), (x, y) = points[-2:]
    if x0 == x:
        return f"M{num(x)} {num(y)}l-3.5 6h7z"
    back = -7 if x > x0 else 7
    return f"M{num(x)} {num(y)}l{back} -4v8z"
