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
        Slider("d_3", "d₃, inside the additive score", MODEL_SIZE, 1, MAX_SIZE),
    ),
    compute,
    (views.expressions, views.reading),
    (
        Preset(
            "Our translators",
            f"{MODEL_SIZE // 2} numbers from each direction make keys of size {MODEL_SIZE}, like the query:"
            " all five scores fit.",
            {},
        ),
        Preset(
            "A wider bidirectional encoder",
            f"{MODEL_SIZE} numbers from each direction make keys of size {2 * MODEL_SIZE}, and the query has"
            f" size {MODEL_SIZE}: which scores are left?",
            {"d_1": 2 * MODEL_SIZE},
        ),
        Preset(
            "A narrow additive",
            "With a small d₃ the additive score has fewer parameters than the bilinear one.",
            {"d_1": 128, "d_2": 96, "d_3": 16},
        ),
    ),
    exercises.which_survive,
    code=tuple(SCORES.values()),
    acts=(Act("cost", (views.parameters,)),),
)
