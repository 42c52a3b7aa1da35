"""The eigenvalue in the complex plane, the echo over time, and its size."""

from math import log

import numpy as np

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import bold_count, compact
from lessons.kit.pictures.plane import Arrow, Dot, Plane
from lessons.recurrence.hand_cells import KEEP_GATE
from lessons.recurrence.memory.compute import Echo
from lessons.recurrence.unit_pictures import ACT_WIDTH_PX

FATES = {
    "fades": "The echo **fades**.",
    "wears off": "The echo **fades** more and more slowly.",
    "stays": "The echo **stays**.",
    "saturates": "The echo **never ends**.",
    "grows": "The echo **grows** without bound.",
}
MET = 0.01  # two states have met when this fraction of their first distance is left
MAX_MARKED_STEPS = 30  # with more steps, neighbouring points would touch
HEIGHT_PX = 370


def plane(run: Echo) -> Plane:
    a, b = run.eigenvalue
    dots = [Dot("λ̄", a, -b, "weight", hollow=True)] if b else []
    if run.kind in KEEP_GATE:
        dots.append(Dot("whole step", run.leading[0], run.leading[1], "context"))
    return Plane(
        (Arrow("λ", a, b, "weight", handle=("eigenvalue", 0)),),
        tuple(dots),
        circle=1.0,
        x_title="real part",
        y_title="imaginary part",
        title="Drag the eigenvalue λ of W_hh",
        description="Inside the dashed circle of radius 1 a small echo fades, outside it grows.",
        wide=350,
        tall=HEIGHT_PX,
    )


def reading(run: Echo) -> str:
    factor = f"A step without input multiplies a small echo by {explain_rho(run)} = **{format_rho(run.rho)}**"
    sentences = [FATES[run.fate], f"{factor}{describe_oscillation(run)}."]
    if run.fate == "wears off":
        sentences.append("Only tanh makes the echo smaller, by less and less at every step.")
    elif run.fate == "saturates":
        sentences.append(
            "A small echo grows and a large one shrinks, until tanh holds both at the same size."
        )
    if run.fate != "wears off":
        sentences.append(describe_size(run))
    if run.fate == "fades":
        sentences.append(describe_halving(run))
    return " ".join(sentences)


def describe_oscillation(run: Echo) -> str:
    if not run.turn:
        return ""
    if run.turn <= 2.001:
        return " and flips its sign"
    steps = f"{run.turn:.1f}" if run.turn < 9.95 else f"{run.turn:,.0f}"
    return f", and one oscillation takes **{steps}** steps"


def explain_rho(run: Echo) -> str:
    """Explain how ρ follows from λ and the gates."""
    if run.kind not in KEEP_GATE:
        return "ρ = |λ|"
    candidate = "i" if run.kind == "LSTM" else "(1 − z)"
    return f"ρ = |{KEEP_GATE[run.kind]} + {candidate} λ| = |{run.keep:.3f} + {run.enters:.3f} λ|"


def format_rho(rho: float) -> str:
    """Format ρ with two decimals, or more if needed to distinguish it from 1."""
    return next((text for digits in range(2, 7) if float(text := f"{rho:.{digits}f}") != 1), "1.00")


def describe_size(run: Echo) -> str:
    fraction, steps = compact(run.size[-1] / run.size[0]), bold_count(len(run.h) - 1, "step")
    if run.fate != "fades":
        return f"After {steps}, the echo is **{fraction}** times as large as at first."
    if run.half_life:
        return f"Half of the pulse is gone after {bold_count(run.half_life, 'step')}."
    return f"After {steps}, **{fraction}** of the pulse is left."


def describe_halving(run: Echo) -> str:
    """Say how fast a small echo halves."""
    if run.rho < 0.495:  # larger values are written as 0.50 or more
        return "Once the echo is small, it loses more than half at every step."
    steps = log(0.5) / log(run.rho)
    written = f"**{steps:.1f}** steps" if 1.05 <= steps < 9.95 else bold_count(round(steps), "step")
    return f"Once the echo is small, it halves every {written}."


def echo(run: Echo) -> Curves:
    steps, limit = np.arange(1, len(run.h) + 1), 2 if run.kind == "linear" else 1
    has_points = len(steps) <= MAX_MARKED_STEPS
    lines = (
        Line("unit 1", steps, run.h[:, 0], "source", points=has_points),
        Line("unit 2", steps, run.h[:, 1], "target", points=has_points),
        Line("± ‖h₁‖ ρᵗ⁻¹", steps, run.envelope, "quiet", dashed=True),
        Line("", steps, -run.envelope, "quiet", dashed=True),
    )
    return Curves(
        lines,
        x_title="step t",
        y_title="h",
        x_range=(1, len(steps)),
        y_range=(-limit, limit),
        key="step",
        wide=540,
        tall=HEIGHT_PX,
        title="One pulse at step 1, then silence",
    )


def size(run: Echo) -> Curves:
    steps = np.arange(1, len(run.h) + 1)
    lines = (
        Line("‖h‖", steps, run.size, "context", points=len(steps) <= MAX_MARKED_STEPS),
        Line("‖h₁‖ ρᵗ⁻¹", steps, run.envelope, "quiet", dashed=True),
    )
    return Curves(
        lines,
        x_title="step t",
        y_title="‖h_t‖",
        x_range=(1, len(steps)),
        y_range=(1e-3, 100),
        log_y=True,
        rules=((run.size[0] / 2, "half"),),
        key="step",
        wide=ACT_WIDTH_PX,
        tall=260,
        title=f"How much is left; ρ = {format_rho(run.rho)}",
    )


def two_inputs(run: Echo) -> Curves:
    steps, limit = np.arange(1, len(run.h) + 1), 2 if run.kind == "linear" else 1
    has_points = len(steps) <= MAX_MARKED_STEPS
    return Curves(
        (
            Line(f"pulse {run.pulse:g}", steps, run.h[:, 0], "source", points=has_points),
            Line(f"pulse {run.pulse / 2:g}", steps, run.h_of_half[:, 0], "context", points=has_points),
        ),
        x_title="step t",
        y_title="unit 1 of h",
        x_range=(1, len(steps)),
        y_range=(-limit, limit),
        key="step",
        wide=ACT_WIDTH_PX,
        tall=240,
        title=f"Unit 1 after a pulse of {run.pulse:g} and after a pulse of {run.pulse / 2:g}",
    )


def describe_two_inputs(run: Echo) -> str:
    distances = np.linalg.norm(run.h - run.h_of_half, axis=1)
    first, last = float(distances[0]), float(distances[-1])
    sentences = [
        f"At step 1 the two states are **{compact(first)}** apart, and at step {len(distances)} they are"
        f" **{compact(last)}** apart."
    ]
    if last < MET * first:
        sentences.append("They have met: the cell has forgotten which of the two pulses it read.")
    elif last > first:
        sentences.append("They have not met: the cell makes the difference between the two pulses larger.")
    else:
        sentences.append("They have not met: the state still shows which of the two pulses the cell read.")
    return " ".join(sentences)
