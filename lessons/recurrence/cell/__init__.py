"""Experiment `cell`: one step of a vanilla RNN, by hand."""

from lessons.kit.contract import Act, DragHandles, Experiment, Matrix, Preset, Rows, Slider, Step
from lessons.recurrence.cell import views
from lessons.recurrence.cell.compute import MAX_VALUE, STEPS, compute
from lessons.recurrence.cell.exercises import forgetting
from lessons.recurrence.hand_cells import run_cell
from models.rnn import VanillaRNN

ROTATION = ((0.8, -0.5, 0.0, 0.3), (0.5, 0.8, 0.3, 0.0), (0.0, 0.3, -0.6, 0.2), (0.2, 0.0, 0.4, 0.5))
NO_MEMORY = ((0.0,) * 4,) * 4
ONE_INPUT = ((1.0,), *((0.0,),) * 5)


def matrix_in_equation(name: str, label: str, start: Rows) -> Matrix:
    """A matrix control that is edited inside the picture of the equation."""
    return Matrix(name, label, start, -MAX_VALUE[name], MAX_VALUE[name], in_picture=True)


EXPERIMENT = Experiment(
    slug="cell",
    title="One cell",
    controls=(
        Slider("m", "Units m", 2, 1, 4),
        Slider("d", "Numbers per input, d", 1, 1, 3),
        Step("t", "Step t", 4, 1, STEPS),
        DragHandles(
            "x",
            "Inputs x: drag the bars in the picture",
            ((1.0,), (0.0,), (0.0,), (-1.0,), (0.0,), (0.0,)),
            -2,
            2,
        ),
        Matrix(
            "x_more",
            "Inputs x: the other features",
            ((0.0, 0.5), (0.5, 0.0), (0.0, 0.0), (0.0, -0.5), (-0.5, 0.0), (0.0, 0.0)),
            -2,
            2,
        ),
        matrix_in_equation("W_hh", "W_hh, from memory", ROTATION),
        matrix_in_equation(
            "W_xh",
            "W_xh, from the input",
            ((1.0, 0.5, -0.5), (0.2, -1.0, 0.5), (-0.5, 0.5, 1.0), (0.3, 0.8, 0.2)),
        ),
        matrix_in_equation("b_h", "b_h, bias", ((0.0,), (0.0,), (0.1,), (-0.1,))),
        matrix_in_equation("h_0", "h_0, initial state", ((0.0,), (0.0,), (0.0,), (0.0,))),
    ),
    compute=compute,
    views=(views.unrolled, views.reading, views.inputs, views.over_time, views.equation),
    layout=("unrolled", "reading", ("inputs", "over_time"), "equation"),
    acts=(Act("terms", (views.terms,), asks=views.ask_terms),),
    presets=(
        Preset(
            "No memory",
            "Each h depends on its own input and on no earlier input.",
            {"W_hh": NO_MEMORY, "t": 2},
        ),
        Preset(
            "A sum that saturates",
            "Six equal inputs add up. The last ones add little, because tanh is nearly flat there.",
            {"m": 1, "W_hh": ((1.0, 0.0, 0.0, 0.0), *NO_MEMORY[1:]), "x": ((0.5,),) * 6, "t": 6},
        ),
        Preset(
            "A blinker",
            "After one input, a negative weight flips the sign of the memory at every step.",
            {"m": 1, "W_hh": ((-1.2, 0.0, 0.0, 0.0), *NO_MEMORY[1:]), "x": ONE_INPUT, "t": 3},
        ),
        Preset(
            "Two units that swap",
            "Each unit takes over the value of the other. Step through time.",
            {
                "W_hh": ((0.0, 1.2, 0.0, 0.0), (1.2, 0.0, 0.0, 0.0), *NO_MEMORY[2:]),
                "W_xh": ((1.0, 0.0, 0.0), *((0.0,) * 3,) * 3),
                "x": ONE_INPUT,
                "t": 3,
            },
        ),
    ),
    predict=forgetting,
    code=(VanillaRNN, run_cell),
    demonstrates="No memory",
    core=True,
)
