"""The whole model as a picture: an encoder that reads, a decoder that writes, and one block of them chosen."""

from dataclasses import KW_ONLY, dataclass
from itertools import pairwise
from typing import NamedTuple

from pandas import DataFrame

from lessons.kit.pictures import mpl
from lessons.kit.pictures.base import SMALL, Canvas, Picture, num, shorten
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.slides import page, slide_text

WIDTH, WIDE, HIGH, PITCH = 420, 160, 26, 41  # of the picture, of a block, from block to block
LEFT = {"encoder": 26, "decoder": 232}
FOOT = 48  # under the first block: the words that go in
ROLES = {"encoder": "source", "decoder": "target"}


class Box(NamedTuple):
    block: str  # its whole name
    side: str
    label: str
    x: float
    y: float

    @property
    def middle(self) -> float:
        return self.x + WIDE / 2

    @property
    def in_layer(self) -> bool:
        return "embedding" not in self.label and "linear" not in self.label


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

    def boxes(self) -> list[Box]:
        """From the bottom up, one column for each side."""
        found, counts = [], dict.fromkeys(LEFT, 0)
        for block in self.blocks:
            side, _, label = block.partition(": ")
            above = 14 if "linear" in label else 0  # room for the name of the layer
            found.append(Box(block, side, label, LEFT[side], self.height() - FOOT - HIGH - PITCH * counts[side] - above))
            counts[side] += 1
        return found

    def height(self) -> float:
        most = max(sum(block.startswith(side) for block in self.blocks) for side in LEFT)
        return FOOT + PITCH * most + 38

    def frames(self) -> list[tuple[str, float, float, float, float]]:
        """Around the blocks of one layer of each side: side, x, y, width, height."""
        found = []
        for side in LEFT:
            inner = [box for box in self.boxes() if box.side == side and box.in_layer]
            top, bottom = min(box.y for box in inner), max(box.y for box in inner)
            found.append((side, LEFT[side] - 19, top - 7, WIDE + 38, bottom - top + HIGH + 14))
        return found

    def wires(self) -> tuple[list[list[tuple[float, float]]], list[list[tuple[float, float]]]]:
        """Straight up from block to block and across to the decoder; and around each block, to where its output is added."""
        boxes, through, around = self.boxes(), [], []
        for side in LEFT:
            column = [box for box in boxes if box.side == side]
            through += [[(a.middle, a.y), (a.middle, b.y + HIGH)] for a, b in pairwise(column)]
            outside = -11 if side == "encoder" else WIDE + 11
            for below, block, add in zip(column, column[1:], column[2:], strict=False):
                if add.label.startswith("add"):
                    edge = add.x + (0 if side == "encoder" else WIDE)
                    start, end, x = below.y - 7, add.y + HIGH / 2, block.x + outside
                    around.append([(block.middle, start), (x, start), (x, end), (edge, end)])
        last = [box for box in boxes if box.side == "encoder"][-1]
        cross = next(box for box in boxes if box.label == "cross-attention")
        between, entry = LEFT["decoder"] - 29, cross.y + HIGH / 2
        up = last.y - 14
        through.append([(last.middle, last.y), (last.middle, up), (between, up), (between, entry), (cross.x, entry)])
        return through, around

    def said(self) -> list[tuple[str, float, float, str, str]]:
        """Words below and above: what they are, x, y, the words, their role."""
        high = self.height()
        encoder, decoder = (LEFT[side] + WIDE / 2 for side in LEFT)
        return [
            ("source", encoder, high - 22, self.source, "source"),
            ("what it has written", decoder, high - 22, self.reads, "target"),
            ("the next word at every place", decoder, 14, self.writes, "target"),
        ]

    def draw(self) -> Canvas:
        canvas = Canvas(WIDTH, self.height())
        for side, x, y, width, height in self.frames():
            canvas.add("rect", x=x, y=y, width=width, height=height, rx=10, class_="ground", stroke="var(--line)")
            at, anchor = (x + 4, "start") if side == "encoder" else (x + width - 4, "end")
            canvas.text(at, y - 5, f"layer {self.layer} of {self.layers}", SMALL, anchor, class_="quiet")
        through, around = self.wires()
        look = {"fill": "none", "stroke": "var(--quiet)", "stroke_width": 1.5}
        canvas.add("path", d="".join(map(line, through)), **look)
        canvas.add("path", d="".join(map(line, around)), stroke_dasharray="4 3", **look)
        canvas.add("path", d="".join(tip(wire) for wire in through + around), fill="var(--quiet)")
        for box in self.boxes():
            self.draw_box(canvas, box)
        for what, x, y, words, role in self.said():
            short = shorten(words, WIDE + 30)
            canvas.text(x, y, short, style=f"fill:var(--{role})", data_tip=f"{what}: {words}")
        canvas.text(LEFT["encoder"] + WIDE / 2, self.height() - 5, "the source goes in", SMALL, class_="quiet")
        canvas.text(LEFT["decoder"] + WIDE / 2, self.height() - 5, "what is written so far goes in", SMALL, class_="quiet")
        return canvas

    def draw_box(self, canvas: Canvas, box: Box) -> None:
        chosen = box.block == self.chosen
        button = canvas.button("block", box.block)
        canvas.open(data_at=f"block:{box.block}", data_tip=box.block, **button)
        canvas.add("rect", x=box.x, y=box.y, width=WIDE, height=HIGH, rx=6, fill="var(--paper)")
        role = "weight" if "attention" in box.label else ROLES[box.side]
        outline = ("currentColor", 2.5) if chosen else (f"var(--{role})", 1)
        strength = 0.05 if box.label.startswith("add") else 0.18
        place = {"x": box.x, "y": box.y, "width": WIDE, "height": HIGH, "rx": 6}
        canvas.add("rect", **place, fill=f"var(--{role})", fill_opacity=strength, stroke=outline[0], stroke_width=outline[1])
        canvas.text(box.middle, box.y + HIGH / 2 + 4.5, box.label, font_weight=700 if chosen else None)
        canvas.close()

    def figure(self) -> "mpl.Figure":
        figure, axes = page(WIDTH, self.height())
        for side, x, y, width, height in self.frames():
            axes.add_patch(
                mpl.FancyBboxPatch((x, y), width, height, "round,pad=0,rounding_size=10", fc="#f4f6f8", ec=LIGHT["line"])
            )
            at, anchor = (x + 4, "left") if side == "encoder" else (x + width - 4, "right")
            slide_text(axes, at, y - 7, f"layer {self.layer} of {self.layers}", SMALL, ha=anchor, color=LIGHT["quiet"])
        for wires, style in zip(self.wires(), ("-", "--"), strict=True):
            for wire in wires:
                axes.plot(*zip(*wire, strict=True), style, color=LIGHT["quiet"], linewidth=1, zorder=1)
        for box in self.boxes():
            chosen, role = box.block == self.chosen, "weight" if "attention" in box.label else ROLES[box.side]
            outline = (box.x, box.y), WIDE, HIGH, "round,pad=0,rounding_size=6"
            axes.add_patch(mpl.FancyBboxPatch(*outline, fc="white", ec="none", zorder=2))
            edge = {"ec": LIGHT["ink"], "linewidth": 2} if chosen else {"ec": LIGHT[role], "linewidth": 0.8}
            face = (LIGHT[role], 0.05 if box.label.startswith("add") else 0.18)
            axes.add_patch(mpl.FancyBboxPatch(*outline, fc=face, zorder=3, **edge))
            bold = {"fontweight": "bold"} if chosen else {}
            slide_text(axes, box.middle, box.y + HIGH / 2, box.label, zorder=4, **bold)
        for _, x, y, words, role in self.said():
            slide_text(axes, x, y - 4, shorten(words, WIDE + 30), color=LIGHT[role])
        return figure

    def frame(self) -> DataFrame:
        boxes = self.boxes()
        return DataFrame(
            {
                "side": [box.side for box in boxes],
                "block": [box.label for box in boxes],
                "in every layer": [box.in_layer for box in boxes],
                "chosen": [box.block == self.chosen for box in boxes],
            }
        )


def line(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points)


def tip(points: list[tuple[float, float]]) -> str:
    """The head of an arrow at the last point: up, or sideways."""
    (x0, _), (x, y) = points[-2:]
    if x0 == x:
        return f"M{num(x)} {num(y)}l-4 7h8z"
    back = -7 if x > x0 else 7
    return f"M{num(x)} {num(y)}l{back} -4v8z"
