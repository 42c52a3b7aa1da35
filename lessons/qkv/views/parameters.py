"""Numbers to learn."""

from dataclasses import dataclass
from math import log
from typing import Any

from lessons.kit.pictures import mpl
from lessons.kit.pictures.bars import Bars, Places
from lessons.kit.pictures.base import Canvas
from lessons.kit.pictures.numbers import plural
from lessons.qkv.compute.heads import LONGEST, MOST_HEADS, Parameters

LEAST, MOST = 0.5, MOST_HEADS * LONGEST**2  # ends of the axis: the same for every setting


@dataclass(frozen=True)
class CountBars(Bars):
    """Counts on one logarithmic axis, so that a bar changes only when its count does."""

    def bar(self, canvas: Canvas, room: Places, i: int, value: float, before: float | None) -> None:
        super().bar(canvas, room, i, self.top * log(value / LEAST) / log(self.top / LEAST), before)

    def figure(self) -> "mpl.Figure":
        figure = super().figure()
        figure.axes[0].set(xscale="log", xlim=(LEAST, self.top))
        return figure


def learned(run: Parameters) -> Bars:
    return counts(run.learned, run.matrices, "weight", "Learned (logarithmic axis)")


def computed(run: Parameters) -> Bars:
    heads = plural(run.heads, "head") + (f", not {run.asked}" if run.heads != run.asked else "")
    return counts(
        run.computed,
        run.products,
        "context",
        f"Computed for {plural(run.T, 'word')}, {heads} (logarithmic axis)",
    )


def counts(values: Any, labels: tuple[str, ...], role: str, title: str) -> Bars:
    return CountBars(values, labels, role=role, top=MOST, digits=0, wide=430, title=title)


def reading(run: Parameters) -> str:
    three = int(run.learned[:3].sum())
    said = (
        f"W_Q, W_K and W_V are {run.d}×{run.d} each: **{three:,}** numbers together, and **T = {run.T}**"
        " plays no part. "
    )
    said += f"With W_O and biases the layer learns **{int(run.learned.sum()) + run.biases:,}**; "
    said += f"a GRU of the same width learns **{run.recurrent:,}**."
    if run.heads != run.asked:
        said += (
            f" {run.asked} heads cannot share {plural(run.d, 'number')} equally, **{run.heads}** can: so many"
            " are counted."
        )
    elif run.heads > 1:
        said += (
            f" {run.heads} heads of {plural(run.d // run.heads, 'number')} share them: no learned count"
            " changes; "
        )
        said += "E and A are kept once a head."
    return said


def task(run: Parameters) -> str:
    task = run.task
    return (
        f"Task {task.number}: d = {task.d}, T = {task.T}, no biases. How many numbers do W_Q, W_K and W_V"
        " hold together? Work it out, and answer in the tab Check yourself."
    )
