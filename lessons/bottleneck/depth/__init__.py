"""Experiment `depth`: layers of encoder and decoder, with three kinds of connections."""

from lessons.bottleneck.depth import views
from lessons.bottleneck.depth.compute import LAYERS, compute
from lessons.bottleneck.depth.exercises import how_deep
from lessons.bottleneck.measurements import MEASURES
from lessons.bottleneck.sentences import SIXTEEN_WORDS, source_control
from lessons.kit.contract import Act, Choice, Experiment, Preset
from models.layer_probe import fit_least_squares
from models.rnn import CONNECTIONS, Stack

EXPERIMENT = Experiment(
    "depth",
    "Layers",
    (
        Choice("encoder", "Layers of the encoder", "1", LAYERS),
        Choice("decoder", "Layers of the decoder", "1", LAYERS),
        Choice("connection", "Connections between layers", "none", CONNECTIONS),
        Choice("measure", "Measured by", "exact match", tuple(MEASURES)),
        source_control("text", "English sentence", SIXTEEN_WORDS),
    ),
    compute,
    (views.table, views.learning, views.translation, views.reading),
    (
        Preset(
            "Four layers each",
            "This model has the most parameters. Follow its line: when does its loss begin to fall?",
            {"encoder": "4", "decoder": "4"},
        ),
        Preset(
            "Residual",
            "The same layers, and each output is added to the next. What changes in its line?",
            {"encoder": "4", "decoder": "4", "connection": "residual"},
        ),
        Preset(
            "Dense",
            "Each layer also gets the outputs of all layers below. Is it better than residual?",
            {"encoder": "4", "decoder": "4", "connection": "dense"},
        ),
        Preset(
            "Only the encoder",
            "Compare 4 + 1 with 1 + 4: which side gains, or loses, more from its layers?",
            {"encoder": "4"},
        ),
    ),
    how_deep,
    code=(Stack, fit_least_squares),
    layout=(("table", "learning"), "translation", "reading"),
    acts=(
        Act("sentence", (views.outputs,)),
        Act("layers", (views.layers, views.best_layers)),
        Act("rates", (views.rates, views.fair)),
        Act("cells", (views.cells,)),
        Act("papers", (views.papers,)),
    ),
    demonstrates="Residual",
)
