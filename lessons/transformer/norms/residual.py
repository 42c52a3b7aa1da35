"""Picture of one block with its residual, and the spread of the numbers after each part."""

from dataclasses import KW_ONLY, dataclass
from itertools import pairwise

from pandas import DataFrame

from lessons.kit.pictures import summary
from lessons.kit.pictures.numbers import signed
from lessons.kit.pictures.sketch import Label, Mark, Sketch, SketchPicture, Stroke

WIDTH_PX, BOX_HEIGHT_PX = 440, 34
STREAM_Y, RESIDUAL_Y, NUMBERS_Y = 96, 34, 134
PART_WIDTHS_PX = {"x": 30, "norm": 60, "f": 104, "+": 26}
ROLES = {"x": "source", "norm": "context", "f": "weight", "+": "ink"}
LABELS = {"f": "self-attention"}


@dataclass(frozen=True)
class ResidualBlock(SketchPicture):
    parts: tuple[tuple[str, float], ...]  # "x", "norm", "f" and "+" in order, with the spread of their output
    _: KW_ONLY

    def summary(self) -> str:
        return summary.join((f"{part} {signed(spread)}" for part, spread in self.parts), " → ")

    def positions(self) -> dict[str, tuple[float, float]]:
        """Left and right edges of each part, with wires of equal length between them."""
        wire = (WIDTH_PX - 20 - sum(PART_WIDTHS_PX[part] for part, _ in self.parts)) / len(self.parts)
        positions, x = {}, 4.0
        for part, _ in self.parts:
            positions[part] = x, x + PART_WIDTHS_PX[part]
            x += PART_WIDTHS_PX[part] + wire
        return positions

    def sketch(self) -> Sketch:
        positions = self.positions()
        edges = list(positions.values())
        wires = [(right, left) for (_, right), (left, _) in pairwise(edges)]
        wires.append((edges[-1][1], WIDTH_PX - 6))
        marks: list[Mark] = [Stroke(((a, STREAM_Y), (b, STREAM_Y)), "source", 2) for a, b in wires]
        fork, add = positions["x"][1] + 8, sum(positions["+"]) / 2
        residual = ((fork, STREAM_Y), (fork, RESIDUAL_Y), (add, RESIDUAL_Y))
        top, bottom = STREAM_Y - BOX_HEIGHT_PX / 2, STREAM_Y + BOX_HEIGHT_PX / 2
        marks += [
            Stroke(residual, "source", 2, head=False),
            Stroke(((add, RESIDUAL_Y), (add, top)), "source", 2),
        ]
        for (part, spread), (left, right) in zip(self.parts, edges, strict=True):
            center, role = (left + right) / 2, ROLES[part]
            if part != "x":
                box = ((left, bottom), (left, top), (right, top), (right, bottom), (left, bottom))
                marks.append(Stroke(box, role, 2 if part == "norm" else 1.25, head=False))
            label = LABELS.get(part, part)
            marks.append(Label(center, STREAM_Y + 5, label, role, bold=part in ("x", "norm")))
            marks.append(Label(center, NUMBERS_Y, f"{spread:.2f}", "ink", bold=part == "norm"))
        marks.append(Label((fork + add) / 2, RESIDUAL_Y - 8, "residual: x unchanged", "source"))
        marks.append(Label(WIDTH_PX / 2, NUMBERS_Y + 20, "spread of the output of each part", "quiet"))
        return Sketch(WIDTH_PX, NUMBERS_Y + 30, tuple(marks))

    def frame(self) -> DataFrame:
        return DataFrame(self.parts, columns=["part", "spread of what leaves it"])
