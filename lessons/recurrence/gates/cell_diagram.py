"""Wiring diagram of an LSTM or a GRU, with the numbers of one unit at one step."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import NamedTuple

from pandas import DataFrame

from lessons.kit.pictures import mpl, summary
from lessons.kit.pictures.base import SMALL_FONT_PX, Canvas, Picture
from lessons.kit.pictures.numbers import signed
from lessons.kit.pictures.palette import LIGHT
from lessons.kit.pictures.slides import new_slide, slide_text

WIDTH_PX, HEIGHT_PX = 760, 225
BOX_PX, CIRCLE_PX = (112, 26), 17  # width and height; radius
STATE_Y, PRODUCT_Y, GATE_Y, INPUT_Y = 42, 98, 152, 204


class Node(NamedTuple):
    """A quantity, a box that computes one, or an operation (× + 1− in a circle)."""

    x: float
    y: float
    label: str
    role: str = "quiet"
    is_circle: bool = False


NODES = {
    "LSTM": {
        "before": Node(66, STATE_Y, "old cell"),
        "keep": Node(190, STATE_Y, "×", "context", True),
        "add": Node(370, STATE_Y, "+", "context", True),
        "memory": Node(490, STATE_Y, "cell", "context"),
        "squash": Node(600, STATE_Y, "tanh", "target", True),
        "let out": Node(600, PRODUCT_Y, "×", "target", True),
        "h": Node(690, PRODUCT_Y, "h", "target"),
        "enter": Node(370, PRODUCT_Y, "×", "source", True),
        "f": Node(190, GATE_Y, "f", "context"),
        "i": Node(310, GATE_Y, "i", "source"),
        "g": Node(430, GATE_Y, "g", "quiet"),
        "o": Node(600, GATE_Y, "o", "target"),
    },
    "GRU": {
        "before": Node(66, STATE_Y, "old h"),
        "keep": Node(250, STATE_Y, "×", "context", True),
        "add": Node(460, STATE_Y, "+", "context", True),
        "memory": Node(640, STATE_Y, "h", "context"),
        "rest": Node(355, PRODUCT_Y, "1−", "context", True),
        "enter": Node(460, PRODUCT_Y, "×", "source", True),
        "z": Node(250, GATE_Y, "z", "context"),
        "n": Node(460, GATE_Y, "n", "source"),
        "r": Node(610, GATE_Y, "r", "target"),
    },
}
WIRES = {
    "LSTM": (
        ("before", "keep"), ("keep", "add"), ("add", "memory"), ("f", "keep"), ("i", "enter"), ("g", "enter"),
        ("enter", "add"), ("memory", "squash"),
        ("squash", "let out"), ("o", "let out"), ("let out", "h"),
    ),
    "GRU": (
        ("before", "keep"), ("keep", "add"), ("add", "memory"), ("z", "keep"), ("z", "rest"),
        ("rest", "enter"), ("n", "enter"), ("enter", "add"), ("r", "n"),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class CellDiagram(Picture):
    """`values`: quantity → its number in one unit at one step."""

    cell: str
    values: Mapping[str, float]
    _: KW_ONLY
    wide: float = WIDTH_PX

    def label(self, key: str) -> str:
        node = NODES[self.cell][key]
        return node.label if node.is_circle else f"{node.label} = {signed(self.values[key])}"

    def draw(self) -> Canvas:
        canvas, nodes = Canvas(WIDTH_PX, HEIGHT_PX), NODES[self.cell]
        line = {"stroke": "var(--quiet)", "fill": "none", "stroke_width": 1.3}
        gates = [node for node in nodes.values() if node.y == GATE_Y]
        canvas.add("path", d=f"M66 {INPUT_Y}H{gates[-1].x}", **line)
        for gate in gates:
            canvas.add("path", d=f"M{gate.x} {INPUT_Y}V{GATE_Y + BOX_PX[1] / 2}", **line)
        for start, end in WIRES[self.cell]:
            a, b = nodes[start], nodes[end]
            canvas.add("path", d=f"M{a.x} {a.y}L{b.x} {b.y}", **line)
        canvas.text(66, INPUT_Y - 8, "x and old h", SMALL_FONT_PX, class_="quiet")
        for key, node in nodes.items():
            look = {"stroke": f"var(--{node.role})", "fill": "var(--paper)", "stroke_width": 1.6}
            if node.is_circle:
                canvas.add("circle", cx=node.x, cy=node.y, r=CIRCLE_PX, **look)
            else:
                box = {"x": node.x - BOX_PX[0] / 2, "y": node.y - BOX_PX[1] / 2, "rx": 6}
                canvas.add("rect", **box, width=BOX_PX[0], height=BOX_PX[1], **look)
            canvas.text(node.x, node.y + 4.5, self.label(key))
        return canvas

    def figure(self) -> "mpl.Figure":
        figure, axes = new_slide(WIDTH_PX, HEIGHT_PX)
        nodes = NODES[self.cell]
        gates = [node for node in nodes.values() if node.y == GATE_Y]
        lines: list[tuple[tuple[float, float], tuple[float, float]]] = [
            ((66, gates[-1].x), (INPUT_Y, INPUT_Y))
        ]
        lines += [((gate.x, gate.x), (INPUT_Y, gate.y)) for gate in gates]
        lines += [
            ((nodes[start].x, nodes[end].x), (nodes[start].y, nodes[end].y))
            for start, end in WIRES[self.cell]
        ]
        for xs, ys in lines:
            axes.plot(xs, ys, color=LIGHT["quiet"], linewidth=1, zorder=1)
        for key, node in nodes.items():
            shape = "circle" if node.is_circle else "round"
            box = {"boxstyle": f"{shape},pad=0.4", "fc": "white", "ec": LIGHT[node.role]}
            slide_text(axes, node.x, node.y, self.label(key), bbox=box)
        slide_text(axes, 66, INPUT_Y - 12, "x and old h", SMALL_FONT_PX)
        return figure

    def summary(self) -> str:
        return summary.join(f"{name} = {signed(value)}" for name, value in self.values.items())

    def frame(self) -> DataFrame:
        return DataFrame({"quantity": [*self.values], "value": [*self.values.values()]})
