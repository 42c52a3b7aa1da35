"""A picture of one step: where the query comes from and where the context goes, with this run's vectors."""

from dataclasses import dataclass

import numpy as np
from pandas import DataFrame

from lessons.kit.language import translate
from lessons.kit.pictures import mpl, summary
from lessons.kit.pictures.base import Canvas, Picture
from lessons.kit.pictures.numbers import signed, subscript
from lessons.kit.pictures.sketch import Label, Mark, Sketch, Strip, Stroke, vertical_curve
from lessons.kit.pictures.unrolled import pool_units

CELLS = 6  # cells per strip
STRIP_HEIGHT_PX = 60
DECODER_TOP_PX, ENCODER_TOP_PX = 44, 176
FULL_COLOUR = 0.5  # activation drawn in the strongest colour
PREVIOUS_X, CURRENT_X, OUTPUT_X = 60, 220, 320  # x of s_{t−1}, s_t and the written word


@dataclass(frozen=True)
class WiringDiagram(Picture):
    """Diagram of one step. The query is s_t (Luong), or s_{t−1} (Bahdanau; then c_t is an input of s_t)."""

    query_before: bool
    t: int
    s_before: np.ndarray  # (m,) s_{t−1}
    s: np.ndarray  # (m,) s_t
    state: np.ndarray  # (m,) the encoder state with the largest weight
    state_number: int  # from 1
    weight: float  # attention weight of `state`
    context: np.ndarray  # (m,) c_t
    previous_word: str  # y_{t−1}
    word: str  # y_t

    def draw(self) -> Canvas:
        return self.sketch().canvas()

    def figure(self) -> "mpl.Figure":
        return self.sketch().figure()

    def summary(self) -> str:
        now, before = f"s{subscript(self.t)}", f"s{subscript(self.t - 1)}"
        largest = translate(
            "largest attention weight: {weight} on {word}",
            weight=signed(self.weight),
            word=f"h{subscript(self.state_number)}",
        )
        context, query = f"c{subscript(self.t)}", before if self.query_before else now
        steps = f"{self.previous_word}, {before} → {now} → {self.word}"
        return summary.join([steps, f"{query} → {context}", largest])

    def frame(self) -> DataFrame:
        vectors = {
            "s before": self.s_before,
            "s": self.s,
            "h of the largest weight": self.state,
            "context": self.context,
        }
        columns = {translate(name): vector for name, vector in vectors.items()}
        return DataFrame({translate("unit"): range(1, len(self.s) + 1), **columns})

    def sketch(self) -> Sketch:
        query_x, context_x = (PREVIOUS_X, 150) if self.query_before else (CURRENT_X, 310)
        middle, below = DECODER_TOP_PX + STRIP_HEIGHT_PX / 2, DECODER_TOP_PX + STRIP_HEIGHT_PX + 3
        marks = (
            *self.arrows(query_x, context_x, middle, below),
            *self.labels(query_x, context_x, middle, below),
        )
        return Sketch(416, ENCODER_TOP_PX + STRIP_HEIGHT_PX + 28, marks)

    def arrows(self, query_x: float, context_x: float, middle: float, below: float) -> list[Mark]:
        marks: list[Mark] = [
            Stroke(((PREVIOUS_X + 14, middle), (CURRENT_X - 14, middle)), "target", 2),
            Stroke(
                vertical_curve(query_x, below, query_x, ENCODER_TOP_PX - 4),
                "weight",
                0.75 + 6 * self.weight,
                0.25 + 0.6 * self.weight,
                head=False,
            ),
            Stroke(
                ((query_x + 14, ENCODER_TOP_PX + 30), (context_x - 14, ENCODER_TOP_PX + 30)), "context", 2
            ),
            Stroke(((CURRENT_X + 14, middle), (OUTPUT_X - 4, middle)), "target", 2),
            Stroke(vertical_curve(context_x, ENCODER_TOP_PX - 4, OUTPUT_X + 20, middle + 14), "context", 2),
            Stroke(((CURRENT_X, 26), (CURRENT_X, DECODER_TOP_PX - 3)), "target", 1.5),
        ]
        if self.query_before:
            marks.append(
                Stroke(vertical_curve(context_x, ENCODER_TOP_PX - 4, CURRENT_X, below), "context", 2)
            )
        return marks

    def labels(self, query_x: float, context_x: float, middle: float, below: float) -> list[Mark]:
        previous, current, context = (
            f"s{subscript(self.t - 1)}",
            f"s{subscript(self.t)}",
            f"c{subscript(self.t)}",
        )
        state = f"h{subscript(self.state_number)}"
        foot = ENCODER_TOP_PX + STRIP_HEIGHT_PX
        return [
            strip(PREVIOUS_X, DECODER_TOP_PX, self.s_before, "target", previous),
            strip(CURRENT_X, DECODER_TOP_PX, self.s, "target", current),
            strip(query_x, ENCODER_TOP_PX, self.state, "source", state),
            strip(context_x, ENCODER_TOP_PX, self.context, "context", context),
            Label(PREVIOUS_X, DECODER_TOP_PX - 8, previous, "target", bold=self.query_before),
            Label(
                CURRENT_X + 18,
                DECODER_TOP_PX - 8,
                current,
                "target",
                bold=not self.query_before,
                anchor="start",
            ),
            Label(CURRENT_X, 20, translate("reads {word}", word=self.previous_word), "target"),
            Label(OUTPUT_X, middle + 5, self.word, "target", bold=True, anchor="start"),
            Label(
                query_x + 10, (below + ENCODER_TOP_PX) / 2 + 5, translate("query"), "weight", anchor="start"
            ),
            Label(query_x, foot + 18, translate("{state}, largest weight", state=state), "source"),
            Label(context_x + 16, foot - 4, context, "context", anchor="start", bold=True),
        ]


def strip(x: float, y: float, vector: np.ndarray, role: str, name: str) -> Strip:
    """A vector as a few cells, each the mean of several units."""
    values = pool_units(vector[None], CELLS)[0]
    template = "{name}: {n} numbers, shown as {means} means"
    note = translate(template, name=name, n=len(vector), means=len(values))
    return Strip(x, y, values, FULL_COLOUR, role, note)
