"""Experiment `surgery`: change c and see what the decoder writes."""

from lessons.bottleneck.sentences import NEGATED, PIECE_OF_CAKE, PRONOUN, source_control
from lessons.bottleneck.surgery import views
from lessons.bottleneck.surgery.compute import C_SIZE, compute, edit_context
from lessons.bottleneck.surgery.exercises import transplanted_topic
from lessons.kit.contract import Act, Experiment, Preset, Slider

EXPERIMENT = Experiment(
    "surgery",
    "Surgery",
    (
        source_control(),
        source_control("donor", "Second sentence", PIECE_OF_CAKE, PRONOUN, NEGATED, "she gave up ."),
        Slider("blend", "Share of the second sentence’s c", 1.0, 0.0, 1.0, 0.05),
        Slider("scale", "Scale c by", 1.0, -1.0, 2.0, 0.05),
        Slider("noise", "Size of the noise", 0.0, 0.0, 1.0, 0.05),
        Slider("seed", "Seed of the noise", 1, 1, 20),
        Slider("zeros", "Units set to 0", 0, 0, C_SIZE),
    ),
    compute,
    (views.vectors, views.side_by_side, views.reading),
    (
        Preset(
            "In between",
            "c is a point between two context vectors. Which sentence does the decoder write?",
            {"blend": 0.55},
        ),
        Preset(
            "Noise",
            "Increase the noise, then change its seed. How does the sentence change?",
            {"blend": 0.0, "noise": 0.5},
        ),
        Preset(
            "Half of c",
            "64 of 128 numbers are zero. Is a word lost? Set more numbers to zero.",
            {"blend": 0.0, "zeros": 64},
        ),
        Preset(
            "Opposite signs",
            "Every number of c changes its sign. Is the output still French?",
            {"blend": 0.0, "scale": -1.0},
        ),
    ),
    transplanted_topic,
    code=(edit_context,),
    layout=("vectors", ("blend", "scale", "zeros", "noise", "seed"), "side_by_side", "reading"),
    acts=(Act("distances", (views.distances,)),),
    core=True,
)
