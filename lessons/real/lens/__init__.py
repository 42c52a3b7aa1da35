"""Experiment `lens`: what the model would predict after each layer, and patching in one vector."""

from lessons.kit.contract import Act, Preset, Slider, Step, Text
from lessons.real.lens import views
from lessons.real.lens.compute import MAX_LENS_PIECES, compute, lens_by_layer, transplant
from lessons.real.lens.exercises import FRANCE, ITALY, OPENING, france_to_italy
from lessons.real.pretrained_model import LAYERS, MAX_CHARACTERS
from lessons.real.recordings import RecordedExperiment

EXPERIMENT = RecordedExperiment(
    "lens",
    "Lens",
    (
        Text("text", "Text", FRANCE, ("The opposite of hot is", "Two plus two equals"), MAX_CHARACTERS),
        Text(
            "donor",
            "Text that gives the vector",
            ITALY,
            ("The capital of Japan is", "The opposite of big is"),
            MAX_CHARACTERS,
        ),
        Step("position", "Piece whose vector is replaced", OPENING["position"], 1, MAX_LENS_PIECES),
        Step("donor_position", "Piece that gives the vector", OPENING["donor_position"], 1, MAX_LENS_PIECES),
        Slider("layer", "After layer", OPENING["layer"], 0, LAYERS),
    ),
    compute,
    (views.prompts, views.by_layer, views.next_pieces, views.reading),
    (
        Preset(
            "Too late", "After layer 24 the same transplant hardly changes the answer. Why?", {"layer": 24}
        ),
        Preset(
            "The last piece",
            "Now the vector of the last piece is replaced. From which layer on does it change the answer?",
            {"position": 5, "donor_position": 5, "layer": 20},
        ),
        Preset("Japan", "Does it work with another country?", {"donor": "The capital of Japan is"}),
        Preset(
            "Opposites",
            "The vector of “big” replaces that of “hot”. Which opposite does the model write now?",
            {"text": "The opposite of hot is", "donor": "The opposite of big is"},
        ),
    ),
    france_to_italy,
    code=(lens_by_layer, transplant),
    acts=(Act("lens", (views.lens_curve, views.lens_table, views.lens_sentence), asks=views.ask_lens),),
    layout=("prompts", ("by_layer", "next_pieces"), "reading"),
    demonstrates={},
    core=True,
    is_heavy=True,
)
