"""Experiment `memory`: how long one pulse echoes in a cell of two units."""

from lessons.kit.contract import Act, Choice, DragHandles, Experiment, Preset, Slider
from lessons.recurrence.memory import views
from lessons.recurrence.memory.compute import KINDS, build_echo_cell, compute, fate, silent_step_eigenvalue
from lessons.recurrence.memory.exercises import half_life_guess

EXPERIMENT = Experiment(
    slug="memory",
    title="An echo",
    controls=(
        DragHandles("eigenvalue", "Eigenvalue λ: drag it in the plane", ((0.75, 0.55),), -1.5, 1.5, 0.05),
        Choice("kind", "Cell", "vanilla", KINDS),
        Slider("pulse", "Size of the pulse", 1.0, 0.1, 2.0, 0.1),
        Slider("keep", "Bias of the update gate z or forget gate f", 3.0, -2.0, 6.0, 0.5),
        Slider("T", "Steps T", 30, 10, 60),
    ),
    compute=compute,
    views=(views.plane, views.echo, views.reading),
    layout=(("plane", "echo"), "reading"),
    acts=(
        Act("size", (views.size,)),
        Act("two", (views.two_inputs, views.describe_two_inputs)),
    ),
    presets=(
        Preset(
            "Inside the circle",
            "Without tanh the echo loses the same fraction at every step.",
            {"eigenvalue": ((0.9, 0.0),), "kind": "linear"},
        ),
        Preset(
            "Nearly on the circle",
            "λ is complex: the echo oscillates. How long does it last?",
            {"eigenvalue": ((0.65, 0.74),), "kind": "linear", "T": 60},
        ),
        Preset(
            "Outside the circle",
            "A small pulse grows until tanh limits it. Try another size of the pulse.",
            {"eigenvalue": ((1.2, 0.0),), "pulse": 0.2},
        ),
        Preset(
            "A gate that keeps",
            "λ is the same as in “Inside the circle”, but in an LSTM. Move the bias of the gate and watch"
            " the purple dot.",
            {"eigenvalue": ((0.9, 0.0),), "kind": "LSTM", "keep": 5.0, "T": 60},
        ),
    ),
    predict=half_life_guess,
    code=(build_echo_cell, silent_step_eigenvalue, fate),
    demonstrates="Inside the circle",
)
