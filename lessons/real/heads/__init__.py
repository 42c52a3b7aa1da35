"""Experiment `heads`: 270 attention heads of a real model, switched off one by one."""

from lessons.kit.contract import Act, Choice, Experiment, Preset, Slider, Step, Text
from lessons.real.heads import views
from lessons.real.heads.compute import (
    CHANGES,
    compute,
    look_at,
    mean_weight_on_first,
    switch_off,
    without_each_head,
)
from lessons.real.heads.exercises import FRANCE, OPENING, how_many_sinks
from lessons.real.pretrained_model import HEADS, LAYERS, MAX_CHARACTERS, MAX_PIECES

TOM = "Tom gave Anna a book. Then Anna gave Tom a"
EXPERIMENT = Experiment(
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
            "Layer 13, head 1 reads “France”. What is left of “Paris” without it?",
            {"change": CHANGES[1]},
        ),
        Preset(
            "An early head",
            f"Layer 1, head 5: one head of {LAYERS * HEADS}. How much depends on it?",
            {"layer": 1, "head": 5, "change": CHANGES[1]},
        ),
        Preset(
            "Look away",
            "All weight of the last row goes to “The”. Does the answer change?",
            {"change": CHANGES[2], "piece": 1},
        ),
        Preset(
            "Who gave what?",
            "Find a head that looks from the last piece at “book”.",
            {"text": TOM, "layer": 18, "head": 5, "piece": 5},
        ),
    ),
    how_many_sinks,
    code=(mean_weight_on_first, switch_off, look_at, without_each_head),
    acts=(
        Act("effect", (views.weight_and_effect, views.effect_sentence)),
        Act(
            "copying",
            (views.copying, views.copied, views.copying_sentence),
            (("copying", "copied"), "copying_sentence"),
        ),
        Act("previous", (views.previous,)),
    ),
    layout=(("sinks", "one_map", "next_pieces"), "reading"),
    core=True,
    is_heavy=True,
)
