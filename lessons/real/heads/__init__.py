"""Experiment `heads`: 270 attention heads of a real model, switched off one by one."""

from lessons.kit.contract import Act, Choice, Preset, Slider, Step, Text
from lessons.real.heads import views
from lessons.real.heads.compute import (
    CHANGES,
    compute,
    effects_at_last_position,
    look_at,
    mean_weight_on_first,
    switch_off,
    without_each_head,
)
from lessons.real.heads.exercises import FRANCE, OPENING, how_many_sinks
from lessons.real.pretrained_model import HEADS, LAYERS, MAX_CHARACTERS, MAX_PIECES
from lessons.real.recordings import RecordedExperiment

TOM = "Tom gave Anna a book. Then Anna gave Tom a"
EXPERIMENT = RecordedExperiment(
    "heads",
    "Heads",
    (
        Text("text", "Any text", FRANCE, (TOM, "The trophy did not fit because it was too"), MAX_CHARACTERS),
        Slider("layer", "Layer", OPENING["layer"], 1, LAYERS),
        Slider("head", "Head", OPENING["head"], 1, HEADS),
        Choice("change", "Change", CHANGES[0], CHANGES),
        Step("piece", "Piece", OPENING["piece"], 1, MAX_PIECES),
    ),
    compute,
    (views.sinks, views.one_map, views.next_pieces, views.reading),
    (
        Preset(
            "Switch it off",
            "Head 1 of layer 13 attends to “France”. How probable is “Paris” without it?",
            {"change": CHANGES[1]},
        ),
        Preset(
            "An early head",
            f"Head 5 of layer 1 is one of {LAYERS * HEADS} heads. How much depends on it?",
            {"layer": 1, "head": 5, "change": CHANGES[1]},
        ),
        Preset(
            "Look away",
            "All weight of the last row is on “The”. Does the answer change?",
            {"change": CHANGES[2], "piece": 1},
        ),
        Preset(
            "Who gave what?",
            "Find a head in which the last piece attends to “book”.",
            {"text": TOM, "layer": 18, "head": 5, "piece": 5},
        ),
    ),
    how_many_sinks,
    code=(mean_weight_on_first, switch_off, look_at, without_each_head, effects_at_last_position),
    acts=(
        Act("effect", (views.weight_and_effect, views.effect_sentence)),
        Act("scatter", (views.effect_scatter, views.scatter_sentence)),
        Act("maps", (views.all_maps,)),
        Act(
            "copying",
            (views.copying, views.copied, views.copying_sentence),
            (("copying", "copied"), "copying_sentence"),
        ),
        Act("previous", (views.previous,)),
    ),
    layout=(("sinks", "one_map", "next_pieces"), "reading"),
    demonstrates={},
    core=True,
    is_heavy=True,
)
