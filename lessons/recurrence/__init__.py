"""Lesson 1, the recurrence: one cell, again and again, and what it can remember."""

from pathlib import Path

from lessons.kit.contract import Choice, Experiment, Handles, Lesson, Matrix, Preset, Slider, Step, Text, Toggle
from lessons.recurrence import exercises, pictogram, views
from lessons.recurrence.compute import hand, jobs, reach, stories
from models import gradients, rnn
from models.language_model import LanguageModel

# ---- one cell by hand ----

TURN = ((0.8, -0.5, 0.0, 0.3), (0.5, 0.8, 0.3, 0.0), (0.0, 0.3, -0.6, 0.2), (0.2, 0.0, 0.4, 0.5))
NO_MEMORY = ((0.0,) * 4,) * 4
cell = Experiment(
    slug="cell",
    title="One cell",
    controls=(
        Slider("m", "Units m", 2, 1, 4),
        Slider("P", "Features of an input P", 1, 1, 3),
        Step("t", "Step t", 4, 1, hand.STEPS),
        Handles("x", "Inputs x: drag the bars in the picture", ((1.0,), (0.0,), (0.0,), (-1.0,), (0.0,), (0.0,)), -2, 2),
        Matrix(
            "x_more",
            "Inputs x, further features",
            ((0.0, 0.5), (0.5, 0.0), (0.0, 0.0), (0.0, -0.5), (-0.5, 0.0), (0.0, 0.0)),
            -2,
            2,
        ),
        Matrix("W_hh", "W_hh, from memory", TURN, -3, 3),
        Matrix("W_xh", "W_xh, from the input", ((1.0, 0.5, -0.5), (0.2, -1.0, 0.5), (-0.5, 0.5, 1.0), (0.3, 0.8, 0.2)), -3, 3),
        Matrix("b_h", "b_h, bias", ((0.0,), (0.0,), (0.1,), (-0.1,)), -3, 3),
        Matrix("h_0", "h_0, memory at the start", ((0.0,), (0.0,), (0.0,), (0.0,)), -1, 1),
    ),
    compute=hand.cell,
    views=(views.cell.unrolled, views.cell.reading, views.cell.inputs, views.cell.over_time, views.cell.equation, views.cell.terms),
    presets=(
        Preset("Forget at once", "W_hh is zero: each h knows its own input and nothing before it.", {"W_hh": NO_MEMORY, "t": 2}),
        Preset(
            "A sum that saturates",
            "One unit adds up six equal inputs. Watch how little the last ones add: tanh is nearly flat up there.",
            {"m": 1, "W_hh": ((1.0, 0.0, 0.0, 0.0), *NO_MEMORY[1:]), "x": ((0.5,),) * 6, "t": 6},
        ),
        Preset(
            "A blinker",
            "One input at the start, then a negative weight turns the memory over at every step.",
            {"m": 1, "W_hh": ((-1.2, 0.0, 0.0, 0.0), *NO_MEMORY[1:]), "x": ((1.0,), *((0.0,),) * 5), "t": 3},
        ),
        Preset(
            "Two units that swap",
            "Each unit takes over what the other had. Step through time and watch the value change places.",
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
)

# ---- the echo of one pulse ----

memory = Experiment(
    slug="memory",
    title="An echo",
    controls=(
        Handles("eigenvalue", "Eigenvalue λ: drag it in the plane", ((0.75, 0.55),), -1.5, 1.5, 0.05),
        Choice("kind", "Cell", "vanilla", hand.KINDS),
        Slider("pulse", "Size of the pulse", 1.0, 0.1, 2.0, 0.1),
        Slider("keep", "Bias of the gate that keeps (GRU, LSTM)", 3.0, -2.0, 6.0, 0.5),
        Slider("T", "Steps T", 30, 10, 60),
    ),
    compute=hand.memory,
    views=(views.memory.plane, views.memory.echo, views.memory.reading, views.memory.size),
    presets=(
        Preset(
            "Fades",
            "λ is real and inside the circle: the echo shrinks by nearly the same factor at every step.",
            {"eigenvalue": ((0.8, 0.0),)},
        ),
        Preset(
            "Rings for long",
            "λ is nearly on the circle and not real: the echo goes round.",
            {"eigenvalue": ((0.65, 0.74),), "kind": "linear", "T": 60},
        ),
        Preset(
            "Saturates",
            "λ is outside. A small pulse grows until tanh holds it; how large the pulse was is forgotten.",
            {"eigenvalue": ((1.2, 0.0),), "pulse": 0.2},
        ),
        Preset(
            "A gate that keeps",
            "The same λ as in “Fades”, in an LSTM. Move the bias of the gate and watch the purple dot.",
            {"eigenvalue": ((0.8, 0.0),), "kind": "LSTM", "keep": 5.0, "T": 60},
        ),
    ),
    predict=exercises.half_life,
    code=(hand.pulsed, rnn.spectral_radius),
)

# ---- a trained language model reads ----

CELLS = tuple(rnn.CELLS)
MIRA = "one day , mira walked to the harbour . she saw"
LEO = "one day , leo went to the castle . he saw the sword ."
QUOTE = 'mira said : " i want to go home . " then she ran to the harbour .'
FAR = "the boats that the fisherman with the nets painted near the harbour were wet ."
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
    views=(
        views.read.text_coloured,
        views.read.reading,
        views.read.next_words,
        views.read.follows,
        views.read.surprise,
        views.read.units,
        views.read.upper_units,
    ),
    presets=(
        Preset("He", "Once the name is read, the unit stays on one side to the end, whatever words come between.", {}),
        Preset("She", "The same unit, another name: now it stays on the other side.", {"text": MIRA}),
        Preset(
            "A cell without gates",
            "The vanilla RNN read the same stories. This is the best of its 128 units: does it remember?",
            {"cell": "vanilla"},
        ),
        Preset(
            "Two layers",
            "The lower layer reads words, the upper one reads the lower. Which of them keeps she/he?",
            {"layers": "2"},
        ),
    ),
    predict=exercises.next_word,
    code=(LanguageModel, stories.correlations),
)

# ---- one unit changed ----

SHORT = "one day , mira walked to the harbour ."
NAMED = 5  # the step at which the name is read
edit = Experiment(
    slug="edit",
    title="What if?",
    controls=(
        Text("text", TEXT.label, SHORT, ("one day , leo went to the castle .", MIRA, LEO)),
        Choice("cell", "Cell", "GRU", CELLS),
        RANK,
        Choice("action", "From step t on", "flip its sign", stories.ACTIONS),
        Slider("value", "… this value", 1.0, -1.0, 1.0, 0.1),
        Step("t", "Step t", NAMED, 1, stories.STORIES.most + 1),
        Toggle("only", "Only at step t", False),
    ),
    compute=stories.edit,
    views=(views.edit.expected, views.edit.reading, views.edit.next_words, views.edit.fading, views.edit.difference),
    presets=(
        Preset("She becomes he", "One of 128 numbers is turned over at the name. Look at the last word of the line “yours”.", {}),
        Preset("One step only", "Changed once and then left alone. The unit copies itself, so the change stays.", {"only": True}),
        Preset(
            "A vanilla unit",
            "The same flip, once, in a cell without gates: how much of it is left at the end?",
            {"cell": "vanilla", "only": True},
        ),
        Preset(
            "In the LSTM’s cell",
            "For the LSTM the cell is changed, where its memory is; h follows from it.",
            {"cell": "LSTM"},
        ),
    ),
    predict=exercises.flipping,
    code=(stories.edit,),
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
    views=(views.gates.unit_gates, views.gates.reading, views.gates.kept, views.gates.next_words, views.gates.gate_of_all),
    presets=(
        Preset(
            "Forget at once",
            "f is 0 in this one unit: its cell holds each word for one step only. Look at the bars after the full stop.",
            {"gate": "LSTM f · keeps", "force": "0"},
        ),
        Preset("Never let out", "o is 0: the cell still holds what it held, but nobody sees it.", {"force": "0"}),
        Preset(
            "The GRU’s way",
            "One gate z does both: near 1 it keeps, near 0 it overwrites. When does it open for the new?",
            {"gate": "GRU z · keeps"},
        ),
        Preset(
            "Frozen",
            "z is 1 in every unit: nothing gets in, and the model expects the same at every word.",
            {"gate": "GRU z · keeps", "force": "1", "every": True},
        ),
    ),
    predict=exercises.output_gate,
    code=(rnn.LSTM, rnn.GRU),
)

# ---- gradients ----

gradient = Experiment(
    slug="gradient",
    title="Gradients",
    controls=(
        Choice("cell", "Cell", "vanilla", CELLS),
        Choice("weights", "Weights", "fresh", reach.WEIGHTS),
        Slider("radius", "Spectral radius of W_hh (fresh vanilla)", 0.9, 0.5, 1.5, 0.05),
        Slider("T", "Steps T", reach.LONGEST, 10, reach.LONGEST, 10),
    ),
    compute=reach.gradient,
    views=(views.gradient.reach, views.gradient.reading, views.gradient.factors),
    presets=(
        Preset("Vanishing", "A small radius: a straight line down on this axis is a factor per step.", {"radius": 0.5}),
        Preset("Exploding", "Radius 1.5: the tanh slows it down, and still the gradient grows.", {"radius": 1.5}),
        Preset(
            "After training",
            "Which cells have learned to pass a gradient back, and which one lost it?",
            {"weights": "trained", "cell": "GRU"},
        ),
    ),
    predict=exercises.farthest,
    code=(gradients.watched, gradients.jacobian),
)

# ---- three uses ----

HOUSE = "the beautiful house was bought ."
roles = Experiment(
    slug="roles",
    title="Three jobs",
    controls=(
        Choice("role", "The recurrence as", "encoder", jobs.ROLES),
        Text(
            "text", "Sentence", HOUSE, ("the small books are old .", "i gave him the letters .", "his letters are not beautiful .")
        ),
        Step("t", "Step t", 6, 1, 81),
    ),
    compute=jobs.roles,
    views=(views.roles.unrolled, views.roles.reading),
    presets=(
        Preset("Encoder", "All states are made, one is handed on.", {"role": "encoder", "t": 6}),
        Preset(
            "Language model",
            "Every state has something to say about the next word, and then reads the true one.",
            {"role": "language model", "t": 3},
        ),
        Preset(
            "Decoder", "Nobody gives it the next word: the dashed arrows carry its own output back in.", {"role": "decoder", "t": 3}
        ),
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
    experiments=(cell, memory, read, edit, gates, gradient, roles),
    exercises=exercises.CHECK_YOURSELF,
)
