"""Experiment `depth`: other kinds of cells, and several layers."""

from lessons.bottleneck.depth import views
from lessons.bottleneck.depth.compute import BUILDS, ONE_GRU, compute
from lessons.bottleneck.depth.exercises import how_deep
from lessons.bottleneck.measurements import MEASURES
from lessons.kit.contract import Act, Choice, Experiment, Preset
from models import train
from models.rnn import Stack

EXPERIMENT = Experiment(
    "depth",
    "Cells and layers",
    (
        Choice("build", "Cells of encoder and decoder", ONE_GRU, tuple(BUILDS)),
        Choice("measure", "Measured by", "exact match", tuple(MEASURES)),
    ),
    compute,
    (views.by_length, views.table, views.reading),
    (
        Preset(
            "No gates",
            "A vanilla RNN, at its best learning rate. How much is still right at 9 words?",
            {"build": "vanilla, 1 layer"},
        ),
        Preset(
            "Two memories",
            "An LSTM, whose hidden state h and cell state both begin with c.",
            {"build": "LSTM, 1 layer"},
        ),
        Preset("The deepest", "It has the most parameters of all. Is it the best?", {"build": [*BUILDS][-1]}),
    ),
    how_deep,
    code=(Stack, train.budget_ladder),
    layout=(("by_length", "table"), "reading"),
    acts=(
        Act("rates", (views.rates,)),
        Act("learning", (views.learning, views.still)),
        Act("papers", (views.papers, views.orders)),
    ),
)
