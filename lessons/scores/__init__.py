"""Lesson 4, scoring functions: when does a query match a key?"""

from pathlib import Path

from lessons.kit.contract import (
    Act,
    Choice,
    Experiment,
    Handles,
    Job,
    Lesson,
    Matrix,
    Preset,
    Slider,
    Step,
    Text,
    Toggle,
)
from lessons.kit.referee import referee
from lessons.scores import exercises, pictogram, views
from lessons.scores.claims import CLAIMS
from lessons.scores.compute import plane, same, scaling, sizes, trained
from models import attention

# ---- query and keys in the plane ----

plane_experiment = Experiment(
    "plane",
    "The plane",
    (
        Choice("score", "Score", "dot", plane.NAMES),
        Toggle("unit", "Unit norm: only directions count", False),
        Slider("log_tau", "Temperature τ, as log₁₀ τ", 0.0, -2.0, 2.0, 0.1),
        Matrix("W", "W, bilinear", ((0.0, 1.0), (-1.0, 0.0)), -2, 2),
        Handles("arrows", "Query s and keys h₁ … h₄", plane.ARROWS, -2, 2),
        Handles("values", "Values v₁ … v₄", ((1.2, -0.6), (1.1, 1.4), (-1.4, 1.0), (-0.9, -1.3)), -2, 2),
    ),
    plane.plane,
    (
        views.plane.query_and_keys,
        views.plane.score_bars,
        views.plane.weight_bars,
        views.plane.values_and_context,
        views.plane.reading,
    ),
    (
        Preset(
            "Look it up",
            "τ is near 0: the best key takes all, and c sits on its value. Turn s.",
            {"log_tau": -2.0},
        ),
        Preset(
            "Take the mean", "τ is large: turn s, and whoever wins, c stays in the middle.", {"log_tau": 2.0}
        ),
        Preset(
            "Only directions",
            "Only the dots on the circle count: make a key longer, and nothing changes.",
            {"unit": True},
        ),
        Preset(
            "Look elsewhere",
            "W turns the query by a quarter: the dashed arrow is what it looks for now. Edit W.",
            {"score": "bilinear"},
        ),
    ),
    exercises.length_counts,
    code=(*attention.SCORES.values(), attention.attend),
    acts=(
        Act("score", (views.plane.worked,), asks=views.plane.ask_how),
        Act("others", (views.plane.every_score,)),
    ),
    layout=(("query_and_keys", ("W", "score_bars", "weight_bars"), "values_and_context"), "reading"),
    core=True,
)

# ---- trained ----

OFFERED = trained.ON_OFFER
AGREEMENT = "the agreement on the european economic area was signed in august 1992 ."
PIE = "he hit me with a pie ."
trained_experiment = Experiment(
    "trained",
    "Trained",
    (
        Text("sentence", "English sentence", OFFERED[0], (*OFFERED[1:], AGREEMENT, PIE)),
        Step("t", "French word t", 2, 1, 70),
    ),
    trained.trained,
    (
        views.trained.one_word,
        views.trained.translations,
        views.trained.scoreboard,
        views.trained.reading,
    ),
    (
        Preset("Adjectives change places", "The noun comes first in French: who looks ahead to find it?", {}),
        Preset(
            "Many words become one",
            "“hit … with a pie” is one French word. (Seen in training.)",
            {"sentence": PIE, "t": 4},
        ),
        Preset(
            "A long one",
            "Three words change places: step on. (Seen in training.)",
            {"sentence": AGREEMENT, "t": 5},
        ),
    ),
    exercises.best_score,
    Job("Measure a training step", trained.measure),
    (trained.step_time,),
    (
        Act(
            "maps",
            (
                views.trained.dot,
                views.trained.scaled_dot,
                views.trained.bilinear,
                views.trained.scaled_bilinear,
                views.trained.additive,
            ),
            (("dot", "scaled_dot", "bilinear"), ("scaled_bilinear", "additive")),
            views.trained.ask_why,
        ),
        Act("papers", (views.trained.beside_papers,)),
    ),
    (("one_word", "translations"), "scoreboard", "reading"),
    core=True,
)

# ---- two names, one function ----

W_1, W_2 = plane.ADDITIVE["W_1"], plane.ADDITIVE["W_2"]
JOINED = tuple((*left, *right) for left, right in zip(W_1, W_2, strict=True))
same_experiment = Experiment(
    "same",
    "Same or not",
    (
        Choice("pair", "Compare", same.PAIRS[0], same.PAIRS),
        Matrix("W", "W of the bilinear score", ((1.0, 0.0), (0.0, 1.0)), -3, 3),
        Matrix("W_1", "W₁ of additive, for the keys", W_1, -3, 3),
        Matrix("W_2", "W₂ of additive, for the query", W_2, -3, 3),
        Matrix("W_c", "W of concat, for both", JOINED, -3, 3),
        Matrix(
            "v", "vₐ, shared by additive and concat", tuple((value,) for value in plane.ADDITIVE["v"]), -3, 3
        ),
        Slider("seed", "Other vectors s and h", 1, 1, 20),
    ),
    same.same,
    (views.same.first, views.same.second, views.same.both, views.same.reading),
    (
        Preset("W = I", "Bar and mark agree for every key, and with other vectors too.", {}),
        Preset(
            "One number off",
            "One number of W is 0.5 instead of 0. See which keys notice, and how much.",
            {"W": ((1.0, 0.5), (0.0, 1.0))},
        ),
        Preset(
            "Split or joined",
            "Two matrices on one side, one on the other: the same function.",
            {"pair": same.PAIRS[1]},
        ),
        Preset(
            "Repair it",
            "The outlined number of W is wrong. Which number of W₁ or W₂ makes both agree again?",
            {
                "pair": same.PAIRS[1],
                "W_c": (JOINED[0], (JOINED[1][0], JOINED[1][1], 1.5, JOINED[1][3]), JOINED[2]),
            },
        ),
    ),
    exercises.off_by_one,
    code=(attention.Bilinear, attention.Additive, same.concat),
    acts=(Act("digits", (views.same.to_the_last_digit,)),),
)

# ---- sizes ----

sizes_experiment = Experiment(
    "sizes",
    "Sizes",
    (
        Slider("d_1", "d₁, numbers in a key", sizes.OURS, 1, sizes.LARGEST),
        Slider("d_2", "d₂, numbers in the query", sizes.OURS, 1, sizes.LARGEST),
        Slider("d_3", "d₃, inside the additive score", sizes.OURS, 1, sizes.LARGEST),
    ),
    sizes.sizes,
    (views.sizes.expressions, views.sizes.reading),
    (
        Preset(
            "Our translators",
            f"{sizes.OURS // 2} numbers from each side make keys of {sizes.OURS}, as many as the query has:"
            " all five fit.",
            {},
        ),
        Preset(
            "A wider two-way encoder",
            f"{sizes.OURS} numbers from each side make keys of {2 * sizes.OURS}, and the query has"
            f" {sizes.OURS}: who is left?",
            {"d_1": 2 * sizes.OURS},
        ),
        Preset(
            "A narrow additive",
            "With a small d₃ the additive score learns less than the bilinear one.",
            {"d_1": 128, "d_2": 96, "d_3": 16},
        ),
    ),
    exercises.which_survive,
    code=(*attention.SCORES.values(),),
    acts=(Act("cost", (views.sizes.parameters,)),),
)

# ---- why √d ----

scaling_experiment = Experiment(
    "scaling",
    "Why √d",
    (
        Slider("k", "Size of the vectors, as log₂ d", 6, 0, scaling.POWERS),
        Toggle("scaled", "Divide by √d", False),
        Slider("seed", "Other random vectors", 0, 0, 9),
    ),
    scaling.scaling,
    (
        views.scaling.spread,
        views.scaling.one_query,
        views.scaling.reading,
    ),
    (
        Preset("Small vectors", "d is 1: with or without the root, the weights are the same.", {"k": 0}),
        Preset(
            "Large vectors",
            "d is 1024: the winner takes nearly all, and the gradient is nearly gone.",
            {"k": 10},
        ),
        Preset(
            "Large, scaled",
            "The same, divided by √d: the spread is 1 again, and all keys get weight.",
            {"k": 10, "scaled": True},
        ),
    ),
    exercises.four_times,
    code=(attention.Dot, attention.ScaledDot, scaling.Samples),
    acts=(
        Act("even", (views.scaling.winner, views.scaling.entropy), (("winner", "entropy"),)),
        Act("gradient", (views.scaling.gradient,)),
    ),
    layout=(("spread", "one_query"), "reading"),
    core=True,
)

LESSON = Lesson(
    slug="scores",
    title="Scoring functions",
    short="Scores",
    line="Five ways to compare what is wanted with what is there: what each finds, and what it costs.",
    pictogram=pictogram.draw,
    folder=Path(__file__).parent,
    experiments=(
        plane_experiment,
        trained_experiment,
        scaling_experiment,
        same_experiment,
        sizes_experiment,
        referee(CLAIMS),
    ),
    exercises=exercises.CHECK_YOURSELF,
)
