"""The echo of one pulse."""

import numpy as np

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import counted
from lessons.kit.pictures.plane import Arrow, Dot, Plane
from lessons.recurrence.compute.hand import MemoryRun

FATES = {
    "fades": "The echo fades",
    "stays": "The echo stays",
    "saturates": "The echo saturates: only the bound of tanh holds it",
    "grows": "The echo grows without bound",
}


def plane(run: MemoryRun) -> Plane:
    a, b = run.eigenvalue
    dots = [Dot("λ̄", a, -b, "weight", hollow=True)] if b else []
    if run.kind in ("GRU", "LSTM"):
        dots.append(Dot("with gates", *run.leading, "context"))
    return Plane(
        (Arrow("λ", a, b, "weight", handle=("eigenvalue", 0)),),
        tuple(dots),
        circle=1.0,
        x_title="real part",
        y_title="imaginary part",
        title="Drag the eigenvalue λ of W_hh",
        description="Inside the dashed circle of radius 1 an echo fades, outside it grows.",
    )


def reading(run: MemoryRun) -> str:
    said = f"{FATES[run.fate]}{' and rings' if run.rings else ''}: |λ| is **{np.hypot(*run.eigenvalue):.2f}**"
    if run.kind in ("GRU", "LSTM"):
        said += f", but the gate keeps **{run.keep:.2f}** of the memory at every silent step, and that decides"
    if run.half_life:
        said += f". Half of the pulse is gone after {counted(run.half_life, 'step')}"
    else:
        said += f". After **{len(run.h) - 1}** steps **{run.size[-1] / run.size[0]:.2f}** times the first echo is left"
    return said + "."


def echo(run: MemoryRun) -> Curves:
    steps = np.arange(1, len(run.h) + 1)
    lines = (
        Line("unit 1", steps, run.h[:, 0], "source", points=len(steps) <= 30),
        Line("unit 2", steps, run.h[:, 1], "target", points=len(steps) <= 30),
        Line("± rᵗ", steps, run.envelope, "quiet", dashed=True),
        Line("", steps, -run.envelope, "quiet", dashed=True),
    )
    axes = {"x_title": "step t", "y_title": "h", "x_range": (1, len(steps)), "y_range": (-1.5, 1.5)}
    return Curves(lines, key="step", title="The echo, unit by unit", **axes)


def size(run: MemoryRun) -> Curves:
    steps = np.arange(1, len(run.h) + 1)
    lines = (
        Line("‖h‖", steps, run.size, "context", points=len(steps) <= 30),
        Line("rᵗ", steps, run.envelope, "quiet", dashed=True),
    )
    axes = {"x_title": "step t", "y_title": "‖h_t‖", "x_range": (1, len(steps)), "y_range": (1e-3, 100)}
    return Curves(
        lines,
        log_y=True,
        rules=((run.size[0] / 2, "half"),),
        key="step",
        title=f"How much is left (r = {np.hypot(*run.leading):.2f})",
        **axes,
    )
