"""Where the query comes from and where the context goes, with the vectors of this very step."""

from dataclasses import dataclass

import numpy as np
from pandas import DataFrame

from lessons.kit.pictures import mpl
from lessons.kit.pictures.base import Canvas, Picture
from lessons.kit.pictures.numbers import lowered
from lessons.kit.pictures.sketch import Label, Mark, Sketch, Strip, Stroke, flow
from lessons.kit.pictures.unrolled import pooled

CELLS = 6
HIGH = 60  # of a strip
TOP, FOOT = 44, 176  # of the strips of the decoder, and of the states


@dataclass(frozen=True)
class Wiring(Picture):
    """s_{t−1}, s_t and what is between them. Query after: s_t asks. Query before: s_{t−1} asks, and c_t helps to make s_t."""

    before: bool  # the query is s_{t−1}
    t: int
    s_before: np.ndarray  # (m,)
    s: np.ndarray  # (m,)
    seen: np.ndarray  # (m,) the state that is looked at most,
    number: int  # which one it is, from 1,
    weight: float  # and how much
    context: np.ndarray  # (m,)
    read: str  # y_{t−1}
    written: str  # y_t

    def draw(self) -> Canvas:
        return self.sketch().canvas()

    def figure(self) -> "mpl.Figure":
        return self.sketch().figure()

    def frame(self) -> DataFrame:
        vectors = {
            "s before": self.s_before,
            "s": self.s,
            "h looked at most": self.seen,
            "context": self.context,
        }
        return DataFrame({"unit": range(1, len(self.s) + 1), **vectors})

    def sketch(self) -> Sketch:
        past, now, out = 60, 220, 320
        asks, context = (past, 150) if self.before else (now, 310)  # where the query and the context stand
        old, new = f"s{lowered(self.t - 1)}", f"s{lowered(self.t)}"
        middle, under = TOP + HIGH / 2, TOP + HIGH + 3
        marks: list[Mark] = [
            Stroke(((past + 14, middle), (now - 14, middle)), "target", 2),
            Stroke(
                flow(asks, under, asks, FOOT - 4),
                "weight",
                0.75 + 6 * self.weight,
                0.25 + 0.6 * self.weight,
                head=False,
            ),
            Stroke(((asks + 14, FOOT + 30), (context - 14, FOOT + 30)), "context", 2),
            Stroke(((now + 14, middle), (out - 4, middle)), "target", 2),
            Stroke(flow(context, FOOT - 4, out + 20, middle + 14), "context", 2),
            Stroke(((now, 26), (now, TOP - 3)), "target", 1.5),
        ]
        if self.before:
            marks.append(Stroke(flow(context, FOOT - 4, now, under), "context", 2))
        marks += [
            self.strip(past, TOP, self.s_before, "target", old),
            self.strip(now, TOP, self.s, "target", new),
            self.strip(asks, FOOT, self.seen, "source", f"h{lowered(self.number)}"),
            self.strip(context, FOOT, self.context, "context", f"c{lowered(self.t)}"),
            Label(past, TOP - 8, old, "target", bold=self.before),
            Label(now + 18, TOP - 8, new, "target", bold=not self.before, anchor="start"),
            Label(now, 20, f"reads {self.read}", "target"),
            Label(out, middle + 5, self.written, "target", bold=True, anchor="start"),
            Label(asks + 10, (under + FOOT) / 2 + 5, "query", "weight", anchor="start"),
            Label(asks, FOOT + HIGH + 18, f"h{lowered(self.number)}, most looked at", "source"),
            Label(context + 16, FOOT + HIGH - 4, f"c{lowered(self.t)}", "context", anchor="start", bold=True),
        ]
        return Sketch(416, FOOT + HIGH + 28, tuple(marks))

    @staticmethod
    def strip(x: float, y: float, vector: np.ndarray, role: str, name: str) -> Strip:
        values = pooled(vector[None], CELLS)[0]
        return Strip(x, y, values, 0.5, role, f"{name}: {len(vector)} numbers, shown as {len(values)} means")
