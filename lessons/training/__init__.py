"""Lesson 8, training: where the weights come from, seen again, tried small, and done by yourself."""

from pathlib import Path

from lessons.kit.contract import (
    Act,
    Choice,
    Control,
    Experiment,
    Handles,
    Job,
    Lesson,
    Made,
    Pairs,
    Preset,
    Slider,
    Step,
    Text,
    Toggle,
)
from lessons.training import exercises, pictogram, views
from lessons.training.compute import film as filming
from lessons.training.compute import live as running
from lessons.training.compute import overfit as overfitting
from lessons.training.compute import own as bringing
from lessons.training.compute import rate as descending
from lessons.training.compute import reader, runs, samples
from lessons.training.compute import training as going
from models import train

# ---- a training, recorded ----

film = Experiment(
    "film",
    "A film",
    (
        Choice("side", "Side by side", "learning rates", tuple(filming.SIDES)),
        Choice("rate", "Learning rate", "good", tuple(filming.FILMS)),
        Choice("model", "Model", "additive", tuple(filming.MODELS)),
        Step("moment", "Moment", 9, 1, filming.MOMENTS),
    ),
    filming.film,
    (views.film.loss, views.film.exact, views.film.gaze, views.film.outputs, views.film.reading),
    (
        Preset("At first, noise", "Every word looks everywhere, and the output is any word.", {"moment": 2}),
        Preset(
            "Words before places",
            "It knows which words are frequent, and not yet where to look.",
            {"moment": 6},
        ),
        Preset(
            "Four models",
            "Two scores, no attention, a Transformer: who is first, and who never gets there?",
            {"side": "models", "model": "no attention", "moment": 25},
        ),
        Preset("Too large", "Play it: the loss falls, and then?", {"rate": "too large", "moment": 12}),
    ),
    exercises.first,
    acts=(Act("emerge", (views.film.emergence, views.film.when)), Act("rates", (views.film.final,))),
    layout=((("loss", "exact"), "gaze"), "outputs", "reading"),
    code=(train.fit, train.train_step, train.warm_up_then_cosine),
    core=True,
)

# ---- the learning rate, on two weights ----

STEEP = {"unit": "no tanh", "power": -0.7}

rate = Experiment(
    "rate",
    "Learning rate",
    (
        Slider("power", "Learning rate, as a power of ten", -1.0, -2.0, 1.0, 0.1),
        Toggle("warm", "Warm-up", False),
        Toggle("clip", "Clip the gradient", False),
        Choice("unit", "The unit", "tanh", descending.UNITS),
        Slider("length", "Numbers to read T", 8, 2, 12),
        Handles("start", "Start: drag the arrow", ((0.8, 0.8),), -descending.SPAN, descending.SPAN),
        Step("step", "Step", descending.STEPS, 0, descending.STEPS),
    ),
    descending.rate,
    (views.rate.hills, views.rate.loss, views.rate.reading),
    (
        Preset("Too small", "Sixty steps, and how far down?", {"power": -2.0}),
        Preset("Too large", "Play it: where does each step land?", {"power": 0.5}),
        Preset("No ceiling", "Without tanh the loss has no upper bound. Play the first ten steps.", STEEP),
        Preset(
            "No ceiling, clipped",
            "The same, but a gradient longer than 1 is shortened to 1.",
            STEEP | {"clip": True},
        ),
    ),
    exercises.larger,
    acts=(Act("steps", (views.rate.steps,)), Act("sweep", (views.rate.sweep,))),
    layout=(("hills", "loss"), "reading"),
    code=(descending.descend, descending.loss),
)

# ---- your own ----


def settings(seconds: int) -> tuple[Control, ...]:
    """What every training is set by."""
    return (
        Choice("cell", "Model", "GRU", runs.CELLS),
        Choice("attention", "Attention", "dot", runs.ATTENTION),
        Choice("width", "Width", "64", runs.WIDTHS),
        Slider("layers", "Layers", 1, 1, 3),
        Slider("power", "Learning rate, as a power of ten", -2.0, -4.0, 0.0, 0.25),
        Choice("batch", "Pairs in a batch", "64", ("8", "64", "256")),
        Slider("seed", "Seed", 0, 0, 9),
        Slider("budget", "Seconds of training", seconds, 5, 120, 5),
        Text("sentence", "Try it on", ""),
        Made("runs", "Your runs", most=going.MOST),
    )


live = Experiment(
    "live",
    "Your run",
    (Choice("task", "Task", "dates", tuple(running.TASK_NAMES)), *settings(30)),
    running.live,
    (views.live.exact, views.live.loss, views.live.gaze, views.live.tries, views.live.reading),
    (
        Preset("Known to be good", "Dates, with attention. Press “train” and watch the map.", {}),
        Preset(
            "No way to look back",
            "The same, without attention: one vector for the whole date.",
            {"attention": "none"},
        ),
        Preset("Too bold", "A rate of 0.3: what becomes of the loss?", {"power": -0.5}),
        Preset("A mind of one number", "Width 1. What is the best it can do?", {"width": "1"}),
    ),
    exercises.enough,
    Job("train", running.train, Job("go on", running.go_on)),
    files=(running.home,),
    code=(train.fit, train.train_step, train.warm_up_then_cosine),
    acts=(
        Act("compare", (views.live.compared,)),
        Act("more", (views.live.size,), (("width", "layers"), ("batch", "seed"), "size")),
    ),
    layout=((("exact", "loss"), "gaze"), ("tries", "sentence"), "reading"),
    core=True,
)

# ---- your own pairs ----

own = Experiment(
    "own",
    "Your pairs",
    (
        Pairs(
            "pairs",
            "Your pairs",
            most=reader.BYTES,
            fits=(
                f"TSV or CSV, UTF-8, two columns. At most {reader.BYTES // 1000} KB, {reader.PAIRS:,} pairs,"
                f" a side of {reader.LONGEST['words']} words or {reader.LONGEST['characters']} characters,"
                f" {reader.KNOWN:,} different ones."
            ),
            faults=(
                ("utf-16", reader.UTF_16),
                ("encoding", reader.ENCODING),
                ("binary", reader.NO_TEXT),
                ("empty", reader.EMPTY),
            ),
        ),
        Choice("sample", "Sample", samples.SAMPLES[0], samples.SAMPLES),
        Choice("unit", "Read as", "words", tuple(reader.UNITS)),
        *settings(20),
    ),
    bringing.own,
    (views.own.report, views.live.exact, views.live.gaze, views.own.tries, views.own.reading),
    (
        Preset("A good file", "Fifteen hundred sentences of the course. Press “train”.", {}),
        Preset("Too few", "Forty of them. What does it do with new ones?", {"sample": "forty of them"}),
        Preset(
            "No rule", "The right sides are shuffled. Does the loss fall all the same?", {"sample": "no rule"}
        ),
        Preset(
            "With faults",
            "Lines as they come from spreadsheets: see what is skipped.",
            {"sample": "with faults"},
        ),
    ),
    exercises.shuffled,
    Job("train", bringing.train, Job("go on", bringing.go_on)),
    files=(bringing.home,),
    code=(reader.read, train.fit),
    acts=(
        Act("lines", (views.own.skipped, views.own.first)),
        Act("learned", (views.live.loss, views.live.compared)),
        Act(
            "more",
            (views.live.size,),
            (("sample", "cell"), ("width", "layers"), ("power", "batch"), "seed", "size"),
        ),
    ),
    layout=((("report", "exact"), "gaze"), ("tries", "sentence"), "reading"),
    core=True,
)

# ---- by heart ----

overfit = Experiment(
    "overfit",
    "By heart",
    (
        Slider("examples", "Examples to learn from", 100, 20, 1000, 20),
        Slider("wrong", "Fraction of wrong labels", 0.1, 0.0, 0.4, 0.1),
        Slider("decay", "Weight decay", 0.0, 0.0, 2.0, 0.1),
        Slider("dropout", "Dropout", 0.0, 0.0, 0.8, 0.1),
        Slider("seed", "Seed drawn by itself", 0, 0, overfitting.SEEDS - 1),
    ),
    overfitting.overfit,
    (views.overfit.gap, views.overfit.reading),
    (
        Preset("More examples", "Five times as many. Which of the two curves moves?", {"examples": 500}),
        Preset("Weight decay", "Every step pulls the weights towards 0.", {"decay": 1.0}),
        Preset("Dropout", "Every step leaves out half of the units, chosen at random.", {"dropout": 0.5}),
        Preset(
            "All three",
            "Five times as many examples, weight decay and dropout: is any gap left?",
            {"examples": 500, "decay": 0.3, "dropout": 0.5},
        ),
    ),
    exercises.by_heart,
    acts=(Act("wrong-labels", (views.overfit.heart, views.overfit.repeated)),),
    code=(overfitting.training, overfitting.said),
)

LESSON = Lesson(
    slug="training",
    title="Train it yourself",
    short="Training",
    line="Where do the weights come from? Watch a training, break one, run your own.",
    pictogram=pictogram.draw,
    folder=Path(__file__).parent,
    experiments=(film, live, own, rate, overfit),
    exercises=exercises.CHECK_YOURSELF,
)
