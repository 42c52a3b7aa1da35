"""One sublayer with its residual, left to right, as it computes: where the norm stands, and how large the numbers are."""

from dataclasses import KW_ONLY, dataclass

from pandas import DataFrame

from lessons.kit.pictures import mpl
from lessons.kit.pictures.base import Canvas, Picture
from lessons.kit.pictures.sketch import Label, Mark, Sketch, Stroke

WIDTH, STREAM, AROUND, UNDER = 440, 96, 34, 134  # heights: of the stream, of the way around, of the numbers
WIDE = {"x": 30, "norm": 60, "f": 104, "+": 26}
HIGH = 34
ROLES = {"x": "source", "norm": "context", "f": "weight", "+": "ink"}
SAID = {"f": "self-attention"}


@dataclass(frozen=True)
class Residual(Picture):
    parts: tuple[
        tuple[str, float], ...
    ]  # "x", and then "norm", "f" and "+" in their order; spread of what leaves each
    _: KW_ONLY

    def places(self) -> dict[str, tuple[float, float]]:
        """Left and right of each part, with equal wires between."""
        wire = (WIDTH - 20 - sum(WIDE[part] for part, _ in self.parts)) / len(self.parts)
        found, x = {}, 4.0
        for part, _ in self.parts:
            found[part] = x, x + WIDE[part]
            x += WIDE[part] + wire
        return found

    def sketch(self) -> Sketch:
        places = self.places()
        ends = [
            (right, left)
            for (_, right), (left, _) in zip(places.values(), list(places.values())[1:], strict=False)
        ]
        ends.append((list(places.values())[-1][1], WIDTH - 6))
        marks: list[Mark] = [Stroke(((a, STREAM), (b, STREAM)), "source", 2) for a, b in ends]
        fork, add = places["x"][1] + 8, sum(places["+"]) / 2
        around = ((fork, STREAM), (fork, AROUND), (add, AROUND))
        marks += [
            Stroke(around, "source", 2, head=False),
            Stroke(((add, AROUND), (add, STREAM - HIGH / 2)), "source", 2),
        ]
        for (part, spread), (left, right) in zip(self.parts, places.values(), strict=True):
            middle = (left + right) / 2
            if part != "x":
                foot, head = STREAM + HIGH / 2, STREAM - HIGH / 2
                box = ((left, foot), (left, head), (right, head), (right, foot), (left, foot))
                marks.append(Stroke(box, ROLES[part], 2 if part == "norm" else 1.25, head=False))
            marks.append(
                Label(middle, STREAM + 5, SAID.get(part, part), ROLES[part], bold=part in ("x", "norm"))
            )
            marks.append(Label(middle, UNDER, f"{spread:.2f}", "ink", bold=part == "norm"))
        marks.append(Label((fork + add) / 2, AROUND - 8, "residual: x goes on as it is", "source"))
        marks.append(Label(WIDTH / 2, UNDER + 20, "spread of the numbers that leave each part", "quiet"))
        return Sketch(WIDTH, UNDER + 30, tuple(marks))

    def draw(self) -> Canvas:
        return self.sketch().canvas()

    def figure(self) -> "mpl.Figure":
        return self.sketch().figure()

    def frame(self) -> DataFrame:
        return DataFrame(self.parts, columns=["part", "spread of what leaves it"])
