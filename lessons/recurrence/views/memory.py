"""The echo of one pulse."""

from math import log
from typing import Any

import numpy as np

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import compact, counted
from lessons.kit.pictures.plane import Arrow, Dot, Plane
from lessons.recurrence.compute.hand import GATE, MemoryRun

FATES = {
    "fades": "The echo **fades**",
    "wears off": "The echo **wears off**, slower and slower",
    "stays": "The echo **stays**",
    "saturates": "The echo **never ends**",
    "grows": "The echo **grows** without bound",
}


def plane(run: MemoryRun) -> Plane:
    a, b = run.eigenvalue
    dots = [Dot("λ̄", a, -b, "weight", hollow=True)] if b else []
    if run.kind in GATE:
        dots.append(Dot("whole step", run.leading[0], run.leading[1], "context"))
    return Plane(
        (Arrow("λ", a, b, "weight", handle=("eigenvalue", 0)),),
        tuple(dots),
        circle=1.0,
        x_title="real part",
        y_title="imaginary part",
        title="Drag the eigenvalue λ of W_hh",
        description="Inside the dashed circle of radius 1 a faint echo fades, outside it grows.",
        wide=350,
        tall=370,
    )


def reading(run: MemoryRun) -> str:
    said = f"{FATES[run.fate]}: a silent step multiplies a faint echo by {why(run)} = **{factor(run.rho)}**"
    if run.turn:
        steps = f"{run.turn:.1f}" if run.turn < 9.95 else f"{run.turn:,.0f}"
        said += (
            ", and turns it over" if run.turn <= 2.001 else f", and it goes round once in **{steps}** steps"
        )
    if run.fate == "wears off":
        return said + ", and only tanh takes a little of it, ever less."
    if run.fate == "saturates":
        return (
            said + ". A faint echo grows and a loud one shrinks, until tanh holds both at the same size."
            f" {left(run)}."
        )
    said += f". {left(run)}"
    return said + (f"; {ends(run)}." if run.fate == "fades" else ".")


def why(run: MemoryRun) -> str:
    """The one ρ, from what the cell is made of."""
    if run.kind not in GATE:
        return "ρ = |λ|"
    return (
        f"ρ = |{GATE[run.kind]} + {'i' if run.kind == 'LSTM' else '(1 − z)'} λ| = |{run.keep:.3f} +"
        f" {run.enters:.3f} λ|"
    )


def factor(rho: float) -> str:
    """Two digits, or as many as it takes to tell it from 1."""
    return next((said for digits in range(2, 7) if float(said := f"{rho:.{digits}f}") != 1), "1.00")


def left(run: MemoryRun) -> str:
    share = compact(run.size[-1] / run.size[0])
    if run.fate != "fades":
        return f"After {counted(len(run.h) - 1, 'step')} it is **{share}** times the first"
    if run.half_life:
        return f"Half of the pulse is gone after {counted(run.half_life, 'step')}"
    return f"After {counted(len(run.h) - 1, 'step')} **{share}** of it is left"


def ends(run: MemoryRun) -> str:
    """How fast a faint echo halves."""
    if run.rho < 0.495:  # 0.50 is said to halve
        return "in the end more than half goes at every step"
    steps = log(0.5) / log(run.rho)
    return (
        "in the end half goes every"
        f" {f'**{steps:.1f}** steps' if 1.05 <= steps < 9.95 else counted(round(steps), 'step')}"
    )


def echo(run: MemoryRun) -> Curves:
    steps, most = np.arange(1, len(run.h) + 1), 2 if run.kind == "linear" else 1
    lines = (
        Line("unit 1", steps, run.h[:, 0], "source", points=len(steps) <= 30),
        Line("unit 2", steps, run.h[:, 1], "target", points=len(steps) <= 30),
        Line("± ‖h₁‖ ρᵗ⁻¹", steps, run.envelope, "quiet", dashed=True),
        Line("", steps, -run.envelope, "quiet", dashed=True),
    )
    axes: dict[str, Any] = {
        "x_title": "step t",
        "y_title": "h",
        "x_range": (1, len(steps)),
        "y_range": (-most, most),
    }
    return Curves(lines, key="step", title="One pulse at step 1, then silence", wide=540, tall=370, **axes)


def size(run: MemoryRun) -> Curves:
    steps = np.arange(1, len(run.h) + 1)
    lines = (
        Line("‖h‖", steps, run.size, "context", points=len(steps) <= 30),
        Line("‖h₁‖ ρᵗ⁻¹", steps, run.envelope, "quiet", dashed=True),
    )
    axes: dict[str, Any] = {
        "x_title": "step t",
        "y_title": "‖h_t‖",
        "x_range": (1, len(steps)),
        "y_range": (1e-3, 100),
    }
    title = f"How much is left; ρ = {factor(run.rho)}"
    return Curves(
        lines,
        log_y=True,
        rules=((run.size[0] / 2, "half"),),
        key="step",
        title=title,
        wide=860,
        tall=260,
        **axes,
    )
