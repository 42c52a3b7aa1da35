"""Diagram of encoder and decoder in order of computation, with one block highlighted.

The residual stream goes straight up. Each block branches off the stream and starts with a norm; its output is
added to the stream.
"""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from pandas import DataFrame

from lessons.kit.pictures import mpl, summary
from lessons.kit.pictures.base import SMALL_FONT_PX, Canvas, Picture, num, shorten, text_width
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.slides import new_slide, slide_text

WIDTH_PX, BLOCK_WIDTH_PX, BLOCK_HEIGHT_PX = 420, 160, 21
NORM_SIZE_PX, ADD_SIZE_PX = (50, 14), (16, 16)  # width and height
GAP_PX, RESIDUAL_GAP_PX = 7, 13  # gap above a box; gap above a box at which a residual branches off
LEFT_PX = {"encoder": 26, "decoder": 232}
FOOT_PX, TOP_PX = 40, 18  # space for the words below and above the columns
ROLES = {"encoder": "source", "decoder": "target"}

Wire = list[tuple[float, float]]


class Box(NamedTuple):
    """One box of the diagram. An “add & norm” block has two: the sum, and the norm before the next block."""

    block: str  # block and side: “encoder: self-attention”
    side: str
    label: str
    y: float  # top edge
    width: float
    height: float

    @property
    def center_x(self) -> float:
        return LEFT_PX[self.side] + BLOCK_WIDTH_PX / 2

    @property
    def x(self) -> float:
        return self.center_x - self.width / 2

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def role(self) -> str:
        return "weight" if "attention" in self.label else ROLES[self.side]

    @property
    def opacity(self) -> float:
        return 0.05 if self.label in ("norm", "+") else 0.18


@dataclass(frozen=True)
class Diagram(Picture):
    blocks: tuple[str, ...]  # "encoder: self-attention", in order of computation
    _: KW_ONLY
    chosen: str
    layer: int  # 1-based
    layers: int
    source: str = ""  # the source sentence, the decoder's input and its output
    reads: str = ""
    writes: str = ""
    mark: str = ""  # ✓ or ✗ if the reference is known
    truth: str = ""

    def column(self, side: str) -> list[tuple[str, str, float, float]]:
        """The boxes of one side, from bottom to top: block, label, width, height."""
        boxes: list[tuple[str, str, float, float]] = []
        for block in self.blocks:
            if block.startswith(side):
                label = block.partition(": ")[2]
                adds = label.startswith("add")
                size = ADD_SIZE_PX if adds else (BLOCK_WIDTH_PX, BLOCK_HEIGHT_PX)
                boxes.append((block, "+" if adds else label, *size))
                if adds or "embedding" in label:
                    boxes.append((block, "norm", *NORM_SIZE_PX))
        return boxes

    @cached_property
    def boxes(self) -> dict[str, list[Box]]:
        boxes: dict[str, list[Box]] = {side: [] for side in LEFT_PX}
        for side in LEFT_PX:
            y = self.height - FOOT_PX
            for block, label, width, height in self.column(side):
                y -= height
                boxes[side].append(Box(block, side, label, y, width, height))
                y -= gap_above(label)
        return boxes

    @cached_property
    def height(self) -> float:
        columns = (self.column(side) for side in LEFT_PX)
        heights = (sum(height + gap_above(label) for _, label, _, height in column) for column in columns)
        return FOOT_PX + TOP_PX + max(heights)

    def frames(self) -> list[tuple[str, float, float, float, float]]:
        """The frame around one layer on each side: side, x, y, width, height."""
        frames: list[tuple[str, float, float, float, float]] = []
        for side, boxes in self.boxes.items():
            first = next(box for box in boxes if box.label == "norm")
            last = [box for box in boxes if box.label == "+"][-1]
            height = first.bottom - last.y + RESIDUAL_GAP_PX - 1
            frames.append((side, LEFT_PX[side] - 19, last.y - 4, BLOCK_WIDTH_PX + 38, height))
        return frames

    def wires(self) -> tuple[list[Wire], list[Wire]]:
        """The wires from box to box, and the residual wires around each block."""
        direct: list[Wire] = []
        residual: list[Wire] = []
        for side, boxes in self.boxes.items():
            direct += [[(a.center_x, a.y), (a.center_x, b.bottom)] for a, b in pairwise(boxes)]
            outside = LEFT_PX[side] + (-11 if side == "encoder" else BLOCK_WIDTH_PX + 11)
            for before, norm, _, add in zip(boxes, boxes[1:], boxes[2:], boxes[3:], strict=False):
                if norm.label == "norm" and add.label == "+":
                    start, end = (before.y + norm.bottom) / 2, add.y + add.height / 2
                    edge = add.x if side == "encoder" else add.x + add.width
                    residual.append([(add.center_x, start), (outside, start), (outside, end), (edge, end)])
        last = self.boxes["encoder"][-1]
        cross = next(box for box in self.boxes["decoder"] if box.label == "cross-attention")
        between, entry, up = LEFT_PX["decoder"] - 29, cross.y + BLOCK_HEIGHT_PX / 2, last.y - 10
        direct.append(
            [(last.center_x, last.y), (last.center_x, up), (between, up), (between, entry), (cross.x, entry)]
        )
        return direct, residual

    def captions(self) -> list[tuple[float, float, str, str, str]]:
        """The texts below and above the columns: x, y, shortened text, full text, role."""
        encoder_x, decoder_x = (left + BLOCK_WIDTH_PX / 2 for left in LEFT_PX.values())
        below, above = self.height - 19, self.boxes["decoder"][-1].y - 9
        max_width = BLOCK_WIDTH_PX + 30
        output = f"the next word at every position: {self.writes} {self.mark}".strip()
        output += f", should be: {self.truth}" if self.mark.startswith("✗") else ""
        mark = f" {self.mark}" if self.mark else ""
        short_output = shorten(self.writes, max_width - text_width(mark)) + mark
        return [
            (encoder_x, below, shorten(self.source, max_width), f"source: {self.source}", "source"),
            (decoder_x, below, shorten(self.reads, max_width), f"output so far: {self.reads}", "target"),
            (decoder_x, above, short_output, output, "target"),
        ]

    def draw(self) -> Canvas:
        canvas = Canvas(WIDTH_PX, self.height)
        for side, x, y, width, height in self.frames():
            canvas.add(
                "rect", x=x, y=y, width=width, height=height, rx=10, class_="ground", stroke="var(--line)"
            )
            at, anchor = (x + 4, "start") if side == "encoder" else (x + width - 4, "end")
            canvas.text(
                at, y - 5, f"layer {self.layer} of {self.layers}", SMALL_FONT_PX, anchor, class_="quiet"
            )
        direct, residual = self.wires()
        style = {"fill": "none", "stroke": "var(--quiet)", "stroke_width": 1.5}
        canvas.add("path", d="".join(map(wire_path, direct)), **style)
        canvas.add("path", d="".join(map(wire_path, residual)), stroke_dasharray="4 3", **style)
        canvas.add("path", d="".join(arrowhead_path(wire) for wire in direct + residual), fill="var(--quiet)")
        for block in self.blocks:
            self.draw_block(
                canvas, [box for side in self.boxes.values() for box in side if box.block == block]
            )
        for x, y, words, whole, role in self.captions():
            canvas.text(x, y, words, style=f"fill:var(--{role})", data_tip=whole)
        for side, words in (("encoder", "input: the source"), ("decoder", "input: the output so far")):
            center_x = LEFT_PX[side] + BLOCK_WIDTH_PX / 2
            canvas.text(center_x, self.height - 5, words, SMALL_FONT_PX, class_="quiet")
        return canvas

    def draw_block(self, canvas: Canvas, boxes: list[Box]) -> None:
        block, chosen = boxes[0].block, boxes[0].block == self.chosen
        labels = " ".join(
            box.label for box in boxes if box.label not in block
        )  # the accessible name must contain the visible text
        canvas.open(aria_label=f"{block} {labels}".strip(), **canvas.button("block", block))
        for box in boxes:
            rect = {
                "x": box.x,
                "y": box.y,
                "width": box.width,
                "height": box.height,
                "rx": 8 if box.label == "+" else 6,
            }
            outline = (
                {"stroke": "currentColor", "stroke_width": 2.5}
                if chosen
                else {"stroke": f"var(--{box.role})"}
            )
            canvas.add("rect", **rect, fill=f"var(--{box.role})", fill_opacity=box.opacity, **outline)
            size = SMALL_FONT_PX if box.label == "norm" else 12
            base = box.y + box.height / 2 + size * 0.35
            canvas.text(box.center_x, base, box.label, size, font_weight=700 if chosen else None)
            canvas.parts.append(" ")  # separate the labels for screen readers
        canvas.close()

    def figure(self) -> "mpl.Figure":
        figure, axes = new_slide(WIDTH_PX, self.height)
        for side, x, y, width, height in self.frames():
            axes.add_patch(rounded_box(x, y, width, height, fc="#f4f6f8", ec=LIGHT["line"]))
            at, anchor = (x + 4, "left") if side == "encoder" else (x + width - 4, "right")
            name = f"layer {self.layer} of {self.layers}"
            slide_text(axes, at, y - 7, name, SMALL_FONT_PX, ha=anchor, color=LIGHT["quiet"])
        for wires, style in zip(self.wires(), ("-", "--"), strict=True):
            for wire in wires:
                axes.plot(*zip(*wire, strict=True), style, color=LIGHT["quiet"], linewidth=1, zorder=1)
        for box in (box for side in self.boxes.values() for box in side):
            chosen, bounds = box.block == self.chosen, (box.x, box.y, box.width, box.height)
            axes.add_patch(rounded_box(*bounds, fc="white", ec="none", zorder=2))
            edge: dict[str, Any] = (
                {"ec": LIGHT["ink"], "linewidth": 2} if chosen else {"ec": LIGHT[box.role], "linewidth": 0.8}
            )
            axes.add_patch(rounded_box(*bounds, fc=(LIGHT[box.role], box.opacity), zorder=3, **edge))
            weight = "bold" if chosen else "normal"
            slide_text(
                axes,
                box.center_x,
                box.y + box.height / 2,
                box.label,
                SMALL_FONT_PX + 1,
                zorder=4,
                fontweight=weight,
            )
        for x, y, words, _, role in self.captions():
            slide_text(axes, x, y - 4, words, color=LIGHT[role])
        return figure

    def summary(self) -> str:
        output = " ".join(filter(None, (self.writes, self.mark)))
        sentences = " → ".join(filter(None, (self.source, self.reads, output)))
        return summary.join([*self.blocks, self.chosen, sentences])

    def frame(self) -> DataFrame:
        """Table with one row per block, in order of computation."""
        sides, labels = zip(*(block.split(": ", 1) for block in self.blocks), strict=True)
        in_layer = ["embedding" not in label and "linear" not in label for label in labels]
        chosen = [block == self.chosen for block in self.blocks]
        return DataFrame({"side": sides, "block": labels, "in every layer": in_layer, "chosen": chosen})


def gap_above(label: str) -> int:
    """Gap above a box, in pixels."""
    return RESIDUAL_GAP_PX if label == "+" or "embedding" in label else GAP_PX


def rounded_box(x: float, y: float, width: float, height: float, **style: Any) -> Any:
    return mpl.FancyBboxPatch((x, y), width, height, "round,pad=0,rounding_size=6", **style)


def wire_path(points: Wire) -> str:
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points)


def arrowhead_path(points: Wire) -> str:
    """An arrowhead at the last point of a wire, pointing up or sideways."""
    (x0, _), (x, y) = points[-2:]
    if x0 == x:
        return f"M{num(x)} {num(y)}l-3.5 6h7z"
    back = -7 if x > x0 else 7
    return f"M{num(x)} {num(y)}l{back} -4v8z"
