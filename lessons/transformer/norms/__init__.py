"""Experiment `norms`: what does a norm do to a word's numbers, and where should it be placed?"""

from lessons.kit.contract import Act, Choice, DragHandles, Experiment, Preset, Slider, Step
from lessons.transformer.norms import views
from lessons.transformer.norms.compute import START_NUMBERS, batch_norm_outputs, norms
from lessons.transformer.norms.exercises import all_larger
from lessons.transformer.norms.placement import PLACEMENTS
from lessons.transformer.norms.recorded import RATES
from models.blocks import Layer, Norm
from models.norms import MOMENTS

EXPERIMENT = Experiment(
    slug="norms",
    title="Norms",
    controls=(
        DragHandles("x", "Numbers of one word (drag the bars)", START_NUMBERS, -4, 4, 0.1),
        Slider("stretch", "Scale γ", 1.0, -1.5, 1.5, 0.1),
        Slider("shift", "Shift β", 0.0, -1.0, 1.0, 0.1),
        Slider("loud", "Factor on the other sentence in the batch", 1.0, 0.0, 8.0, 0.5),
        Choice("place", "Place of the norm", "pre-norm", tuple(PLACEMENTS.values())),
        Choice("lr", "Learning rate", "0.008", RATES),
        Step("moment", "Moment of training", MOMENTS, 1, MOMENTS),
    ),
    compute=norms,
    views=(views.given, views.layer_norm, views.batch_norm, views.batch_norm_in_use, views.reading),
    layout=(("given", "layer_norm"), ("batch_norm", "batch_norm_in_use"), "reading"),
    acts=(
        Act("by-hand", (views.by_hand,)),
        Act("batch", (views.batch,)),
        Act("learned", (views.learned,)),
        Act(
            "place",
            (views.wiring, views.growth, views.told_place),
            ("place", ("wiring", "growth"), "told_place"),
        ),
        Act(
            "training",
            (views.loss, views.accuracy, views.sweep, views.told_training),
            (("lr", "moment"), ("loss", "accuracy"), "sweep", "told_training"),
        ),
    ),
    presets=(
        Preset(
            "Every number plus 1.5",
            "1.5 was added to every number. In which picture do the bars still end at their ticks?",
            {"x": tuple((value + 1.5,) for (value,) in START_NUMBERS)},
        ),
        Preset(
            "One large number",
            "One number is much larger than the others. What does the layer norm do to the others?",
            {"x": ((4.0,), *START_NUMBERS[1:])},
        ),
        Preset(
            "A large neighbour",
            "Your word is the same, but the other sentence is six times as large. Which outputs change?",
            {"loud": 6.0},
        ),
        Preset(
            "A large learning rate",
            "Open “Can a Transformer learn without any norm?” below. The learning rate is 0.032: which models"
            " still learn?",
            {"lr": "0.032"},
        ),
    ),
    predict=all_larger,
    code=(Norm, batch_norm_outputs, Layer.add_norm),
    demonstrates="Every number plus 1.5",
)
