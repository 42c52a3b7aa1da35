"""Experiment `plane`: drag one query and four keys in two dimensions."""

from lessons.kit.contract import Act, Choice, DragHandles, Experiment, Matrix, Preset, Slider, Toggle
from lessons.scores.plane import exercises, views
from lessons.scores.plane.compute import ARROWS, VALUES, compute
from lessons.scores.score_functions import SCORE_NAMES
from models.attention import SCORES, attend

EXPERIMENT = Experiment(
    "plane",
    "The plane",
    (
        Choice("score", "Score", "dot", SCORE_NAMES),
        Toggle("unit", "Unit norm: only directions count", False),
        Slider("log_tau", "Temperature τ, as log₁₀ τ", 0.0, -2.0, 2.0, 0.1),
        Matrix("W", "W of the bilinear scores", ((0.0, 1.0), (-1.0, 0.0)), -2, 2),
        DragHandles("arrows", "Query s and keys h₁ … h₄", ARROWS, -2, 2),
        DragHandles("values", "Values v₁ … v₄", VALUES, -2, 2),
    ),
    compute,
    (views.query_and_keys, views.score_bars, views.weight_bars, views.values_and_context, views.reading),
    (
        Preset(
            "Lookup",
            "τ is near 0: the best key gets all the weight, and c is its value. Turn s.",
            {"log_tau": -2.0},
        ),
        Preset(
            "Mean",
            "τ is large. Turn s: whichever key wins, c stays near the mean of the values.",
            {"log_tau": 2.0},
        ),
        Preset(
            "Only directions",
            "Only the dots on the circle count. Make a key longer: nothing changes.",
            {"unit": True},
        ),
        Preset(
            "A rotated query",
            "W rotates the query by 90°. The keys are compared with the dashed arrow. Edit W.",
            {"score": "bilinear"},
        ),
    ),
    exercises.length_counts,
    code=(*SCORES.values(), attend),
    acts=(Act("score", (views.worked,), asks=views.ask_how), Act("others", (views.every_score,))),
    layout=(("query_and_keys", ("W", "score_bars", "weight_bars"), "values_and_context"), "reading"),
    demonstrates={"arrows": (ARROWS[0], tuple(x / 2 for x in ARROWS[1]), *ARROWS[2:])},
    core=True,
)
