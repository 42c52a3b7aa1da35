"""Lesson 1, the recurrence: one cell, again and again, and what it can remember."""

from pathlib import Path

from lessons.kit.contract import (
    Act,
    Choice,
    Experiment,
    Handles,
    Lesson,
    Matrix,
    Preset,
    Slider,
    Step,
    Text,
    Toggle,
)
from lessons.recurrence import exercises, pictogram, views
from lessons.recurrence.compute import hand, jobs, reach, stories
from lessons.recurrence.sentences import AFTER_NAME, FAR, HOUSE, LEO, MIRA, QUOTE, SHORT
from models import rnn, through_time
from models.language_model import LanguageModel

# ---- one cell by hand ----

TURN = ((0.8, -0.5, 0.0, 0.3), (0.5, 0.8, 0.3, 0.0), (0.0, 0.3, -0.6, 0.2), (0.2, 0.0, 0.4, 0.5))
NO_MEMORY = ((0.0,) * 4,) * 4


def in_equation(name: str, label: str, start: tuple[tuple[float, ...], ...]) -> Matrix:
    """Weights that are edited where they stand in the equation."""
    return Matrix(name, label, start, -hand.MOST[name], hand.MOST[name], in_picture=True)


cell = Experiment(
    slug="cell",
    title="One cell",
    controls=(
        Slider("m", "Units m", 2, 1, 4),
        Slider("d", "Numbers in an input d", 1, 1, 3),
        Step("t", "Step t", 4, 1, hand.STEPS),
        Handles(
            "x",
            "Inputs x: drag the bars in the picture",
            ((1.0,), (0.0,), (0.0,), (-1.0,), (0.0,), (0.0,)),
            -2,
            2,
        ),
        Matrix(
            "x_more",
            "Inputs x, further features",
            ((0.0, 0.5), (0.5, 0.0), (0.0, 0.0), (0.0, -0.5), (-0.5, 0.0), (0.0, 0.0)),
            -2,
            2,
        ),
        in_equation("W_hh", "W_hh, from memory", TURN),
        in_equation(
            "W_xh",
            "W_xh, from the input",
            ((1.0, 0.5, -0.5), (0.2, -1.0, 0.5), (-0.5, 0.5, 1.0), (0.3, 0.8, 0.2)),
        ),
        in_equation("b_h", "b_h, bias", ((0.0,), (0.0,), (0.1,), (-0.1,))),
        in_equation("h_0", "h_0, memory at the start", ((0.0,), (0.0,), (0.0,), (0.0,))),
    ),
    compute=hand.cell,
    views=(
        views.cell.unrolled,
        views.cell.reading,
        views.cell.inputs,
        views.cell.over_time,
        views.cell.equation,
    ),
    layout=("unrolled", "reading", ("inputs", "over_time"), "equation"),
    acts=(Act("terms", (views.cell.terms,), asks=views.cell.asks_terms),),
    presets=(
        Preset("No memory", "Each h knows its own input and nothing before it.", {"W_hh": NO_MEMORY, "t": 2}),
        Preset(
            "A sum that saturates",
            "Six equal inputs add up; the last ones add little, for tanh is nearly flat up there.",
            {"m": 1, "W_hh": ((1.0, 0.0, 0.0, 0.0), *NO_MEMORY[1:]), "x": ((0.5,),) * 6, "t": 6},
        ),
        Preset(
            "A blinker",
            "After one input, a negative weight turns the memory over at every step.",
            {"m": 1, "W_hh": ((-1.2, 0.0, 0.0, 0.0), *NO_MEMORY[1:]), "x": ((1.0,), *((0.0,),) * 5), "t": 3},
        ),
        Preset(
            "Two units that swap",
            "Each unit takes over what the other had: step through time.",
            {
                "W_hh": ((0.0, 1.2, 0.0, 0.0), (1.2, 0.0, 0.0, 0.0), *NO_MEMORY[2:]),
                "W_xh": ((1.0, 0.0, 0.0), *((0.0,) * 3,) * 3),
                "x": ((1.0,), *((0.0,),) * 5),
                "t": 3,
            },
        ),
    ),
    predict=exercises.forgetting,
    code=(rnn.VanillaRNN, hand.walk),
    core=True,
)

# ---- a trained language model reads ----

CELLS = tuple(rnn.CELLS)
TEXT = Text("text", "Text (the words of our story world)", LEO, (MIRA, QUOTE, FAR))
RANK = Slider("rank", "Unit, the best follower of she/he first", 1, 1, 128)

read = Experiment(
    slug="read",
    title="Reading",
    controls=(
        TEXT,
        Choice("cell", "Cell", "GRU", CELLS),
        Choice("layers", "Layers", "1", ("1", "2")),
        Choice("feature", "Order the units by how well they follow", "she/he", tuple(stories.FEATURES)),
        Slider("rank", "Unit, the best follower first", 1, 1, 128),
        Step("t", "Step t", 10, 1, stories.STORIES.most + 1),
    ),
    compute=stories.read,
    views=(views.read.text_coloured, views.read.reading, views.read.next_words),
    layout=("text_coloured", "reading", ("next_words", ("feature", "rank"))),
    acts=(
        Act("follows", (views.read.follows,)),
        Act("surprise", (views.read.surprise,)),
        Act("units", (views.read.units, views.read.upper_units)),
    ),
    presets=(
        Preset(
            "He", "The unit says “she” until told otherwise, turns at the name, and stays to the end.", {}
        ),
        Preset(
            "She",
            "The same unit, another name: nothing tells it otherwise, and it stays on the other side.",
            {"text": MIRA},
        ),
        Preset(
            "A cell without gates",
            "The best of the vanilla RNN’s 128 units: does it remember?",
            {"cell": "vanilla"},
        ),
        Preset(
            "Two layers",
            "The upper layer reads the lower one. Which of them keeps she/he better?",
            {"layers": "2"},
        ),
    ),
    predict=exercises.next_word,
    code=(LanguageModel, stories.correlations),
    core=True,
)

# ---- one unit changed ----

edit = Experiment(
    slug="edit",
    title="What if?",
    controls=(
        Text("text", TEXT.label, SHORT, ("one day , leo went to the castle .", MIRA, LEO)),
        Choice("cell", "Cell", "GRU", CELLS),
        RANK,
        Choice("action", "From step t on", "flip its sign", stories.ACTIONS),
        Slider("value", "… this value", 1.0, -1.0, 1.0, 0.1),
        Step("t", "Step t", AFTER_NAME, 1, stories.STORIES.most + 1),
        Toggle("only", "Only at step t", False),
    ),
    compute=stories.edit,
    views=(views.edit.touched, views.edit.expected, views.edit.reading, views.edit.next_words),
    layout=("touched", "expected", "reading", ("next_words", ("action", "value", "only"))),
    acts=(Act("fading", (views.edit.fading,)), Act("difference", (views.edit.difference,))),
    presets=(
        Preset("After the name", "One of 128 numbers is turned over: look at the last word of “yours”.", {}),
        Preset("One step only", "Changed once and left alone: does the change stay?", {"only": True}),
        Preset(
            "A vanilla unit",
            "The same flip, once, in a cell without gates: how much of it is left at the end?",
            {"cell": "vanilla", "only": True},
        ),
        Preset(
            "In the LSTM’s cell", "Here the cell is changed, where the LSTM’s memory is.", {"cell": "LSTM"}
        ),
    ),
    predict=exercises.flipping,
    code=(stories.edit,),
    core=True,
)

# ---- gates ----

gates = Experiment(
    slug="gates",
    title="Gates",
    controls=(
        TEXT,
        Choice("gate", "Gate", "LSTM o · lets out", tuple(stories.GATES)),
        Choice("force", "Its value", "own value", stories.FORCES),
        Toggle("every", "In every unit", False),
        RANK,
        Step("t", "Step t", 10, 1, stories.STORIES.most + 1),
    ),
    compute=stories.gates,
    views=(views.gates.unit_gates, views.gates.reading, views.gates.kept, views.gates.next_words),
    layout=(("unit_gates", ("gate", "force", "every")), "reading", ("kept", "next_words")),
    acts=(Act("all", (views.gates.gate_of_all,)),),
    presets=(
        Preset(
            "Forget at once",
            "With f = 0 the cell holds each word for one step only. Look at “she”.",
            {"text": MIRA, "gate": "LSTM f · keeps", "force": "0"},
        ),
        Preset(
            "Never let out",
            "o is 0: the cell still turns at the name and holds on to it, but nobody sees it.",
            {"force": "0"},
        ),
        Preset(
            "The GRU’s way",
            "One gate z does both: near 1 it keeps, near 0 it overwrites.",
            {"gate": "GRU z · keeps"},
        ),
        Preset(
            "Frozen",
            "z is 1 in every unit: h stays at its start, 0, and after every word all words are about equally"
            " likely.",
            {"gate": "GRU z · keeps", "force": "1", "every": True},
        ),
    ),
    predict=exercises.output_gate,
    code=(rnn.LSTM, rnn.GRU),
)

# ---- the echo of one pulse ----

memory = Experiment(
    slug="memory",
    title="An echo",
    controls=(
        Handles("eigenvalue", "Eigenvalue λ: drag it in the plane", ((0.75, 0.55),), -1.5, 1.5, 0.05),
        Choice("kind", "Cell", "vanilla", hand.KINDS),
        Slider("pulse", "Size of the pulse", 1.0, 0.1, 2.0, 0.1),
        Slider("keep", "Bias of the gate that keeps: z or f", 3.0, -2.0, 6.0, 0.5),
        Slider("T", "Steps T", 30, 10, 60),
    ),
    compute=hand.memory,
    views=(views.memory.plane, views.memory.echo, views.memory.reading),
    layout=(("plane", "echo"), "reading"),
    acts=(Act("size", (views.memory.size,)),),
    presets=(
        Preset(
            "Inside, real",
            "Without tanh the same share goes at every step.",
            {"eigenvalue": ((0.9, 0.0),), "kind": "linear"},
        ),
        Preset(
            "Nearly on the circle",
            "λ is not real: the echo goes round, and lasts.",
            {"eigenvalue": ((0.65, 0.74),), "kind": "linear", "T": 60},
        ),
        Preset(
            "Outside",
            "A small pulse grows until tanh holds it: try another size of the pulse.",
            {"eigenvalue": ((1.2, 0.0),), "pulse": 0.2},
        ),
        Preset(
            "A gate that keeps",
            "λ as in “Inside, real”, in an LSTM: move the bias of the gate and watch the purple dot.",
            {"eigenvalue": ((0.9, 0.0),), "kind": "LSTM", "keep": 5.0, "T": 60},
        ),
    ),
    predict=exercises.half_life,
    code=(hand.pulsed, hand.at_rest, hand.fate),
)

# ---- gradients ----

gradient = Experiment(
    slug="gradient",
    title="Gradients",
    controls=(
        Choice("cell", "Cell", "vanilla", CELLS),
        Choice("weights", "Weights", "fresh", reach.WEIGHTS),
        Slider("radius", "Spectral radius of W_hh (vanilla)", 0.9, 0.5, 1.5, 0.05),
        Slider("keep", "Bias of the gate that keeps: z or f", 1.0, 0.0, 5.0, 0.5),
        Slider("T", "Steps T", reach.LONGEST, 10, reach.LONGEST, 10),
    ),
    compute=reach.gradient,
    views=(views.gradient.reach, views.gradient.reading),
    acts=(Act("carriers", (views.gradient.carriers, views.gradient.shares)),),
    presets=(
        Preset("Radius 0.5", "A straight line down on this axis is a factor per step.", {"radius": 0.5}),
        Preset("Radius 1.5", "tanh slows it down, and still the gradient grows.", {"radius": 1.5}),
        Preset(
            "Bias 0",
            "Fresh gates are near 0.5, and the gated cells forget fastest.",
            {"keep": 0.0, "cell": "GRU"},
        ),
        Preset(
            "After training", "What did each cell learn to pass back?", {"weights": "trained", "cell": "GRU"}
        ),
    ),
    predict=exercises.farthest,
    code=(reach.fresh, through_time.back, through_time.vanilla, through_time.through_tanh),
    core=True,
)

# ---- three uses ----

roles = Experiment(
    slug="roles",
    title="Three jobs",
    controls=(
        Choice("role", "The recurrence as", "encoder", jobs.ROLES),
        Text(
            "text",
            "Sentence",
            HOUSE,
            ("we wanted a book .", "where were the dogs ?", "where was the horse ?"),
        ),
        Step("t", "Step t", 6, 1, 81),
    ),
    compute=jobs.roles,
    views=(views.roles.unrolled, views.roles.reading, views.roles.written),
    acts=(Act("three", (views.roles.three,)),),
    presets=(
        Preset("Encoder", "All states are made, one is handed on.", {"role": "encoder", "t": 6}),
        Preset(
            "Language model",
            "Every state says something about the next word, and then the true one is read.",
            {"role": "language model", "t": 3},
        ),
        Preset("Decoder", "Nobody gives it words: follow the dashed arrows.", {"role": "decoder", "t": 3}),
    ),
    predict=exercises.states_used,
    code=(jobs.roles,),
)

LESSON = Lesson(
    slug="recurrence",
    title="The recurrence",
    short="Recurrence",
    line="One cell, used at every step: the last state and the next word make the new state.",
    pictogram=pictogram.draw,
    folder=Path(__file__).parent,
    experiments=(cell, read, edit, gradient, gates, memory, roles),
    exercises=exercises.CHECK_YOURSELF,
)
