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
        DragHandles("x", "One word’s numbers: drag the bars", START_NUMBERS, -4, 4, 0.1),
        Slider("stretch", "Stretch γ", 1.0, -1.5, 1.5, 0.1),
        Slider("shift", "Shift β", 0.0, -1.0, 1.0, 0.1),
        Slider("loud", "The other sentence in the batch, times", 1.0, 0.0, 8.0, 0.5),
        Choice("place", "The norm stands", "pre-norm", tuple(PLACEMENTS.values())),
        Choice("lr", "Learning rate", "0.008", RATES),
        Step("moment", "Moment", MOMENTS, 1, MOMENTS),
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
            "One and a half more",
            "1.5 was added to every number. Which bars still end at their ticks?",
            {"x": tuple((value + 1.5,) for (value,) in START_NUMBERS)},
        ),
        Preset(
            "One loud number",
            "One number is much larger than the others. What happens to the others?",
            {"x": ((4.0,), *START_NUMBERS[1:])},
        ),
        Preset(
            "A loud neighbour",
            "Your word is unchanged, another sentence is not. Which of the three outputs change?",
            {"loud": 6.0},
        ),
        Preset(
            "In a hurry",
            "Open the last closer look: the learning rate is four times as large. Which of the three still"
            " learn?",
            {"lr": "0.032"},
        ),
    ),
    predict=all_larger,
    code=(Norm, batch_norm_outputs, Layer.add_norm),
)
