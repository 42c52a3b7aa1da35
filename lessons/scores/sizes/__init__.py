"""Experiment `sizes`: which scores are defined for keys and queries of different sizes."""

from lessons.kit.contract import Act, Experiment, Preset, Slider
from lessons.scores.sizes import exercises, views
from lessons.scores.sizes.compute import MAX_SIZE, MODEL_SIZE, compute
from models.attention import SCORES

EXPERIMENT = Experiment(
    "sizes",
    "Sizes",
    (
        Slider("d_1", "d₁, size of a key", MODEL_SIZE, 1, MAX_SIZE),
        Slider("d_2", "d₂, size of the query", MODEL_SIZE, 1, MAX_SIZE),
        Slider("d_3", "d₃, size of the hidden layer in the additive score", MODEL_SIZE, 1, MAX_SIZE),
    ),
    compute,
    (views.expressions, views.reading),
    (
        Preset(
            "Our translators",
            f"Each direction of the encoder gives {MODEL_SIZE // 2} numbers, so keys have size {MODEL_SIZE},"
            " like the query: all five scores work.",
            {},
        ),
        Preset(
            "A larger encoder",
            f"Each direction gives {MODEL_SIZE} numbers, so keys have size {2 * MODEL_SIZE}. The query still"
            f" has size {MODEL_SIZE}: which scores work?",
            {"d_1": 2 * MODEL_SIZE},
        ),
        Preset(
            "A small additive score",
            "With a small d₃ the additive score has fewer parameters than the bilinear score.",
            {"d_1": 128, "d_2": 96, "d_3": 16},
        ),
    ),
    exercises.which_survive,
    code=tuple(SCORES.values()),
    acts=(Act("cost", (views.parameters,)),),
    demonstrates={"d_1": 4, "d_2": 3},
)
