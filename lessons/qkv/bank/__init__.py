"""Experiment `bank`: a later word decides the sense of an ambiguous word. Which model can use it?"""

from lessons.kit.contract import Act, Experiment, Preset, Step, Text
from lessons.kit.example_sentences import AMBIGUOUS_BANK
from lessons.qkv.bank import compute, exercises, views
from models.word_sense import SenseEncoder

STREET = "i arrived at the bank after crossing the street ."
CUE_FIRST = "after crossing the river , i arrived at the bank ."

EXPERIMENT = Experiment(
    "bank",
    "Bank",
    (
        Text(
            "text",
            "Sentence (you can finish it differently)",
            AMBIGUOUS_BANK,
            (
                STREET,
                CUE_FIRST,
                "we noticed the bark of the old dog .",
                "they saw the bat near the cave .",
                "she looked at the crane next to the bulldozer .",
                "he found the letter in the crossword .",
                "the mouse in the story was wireless .",
                "they noticed the seal on the iceberg .",
                "he looked for the spring in the mattress .",
                "my mother went to the bank to get some money .",
            ),
        ),
        Step("t", "Words read after the ambiguous word", 5, 0, 23),
    ),
    compute.compute,
    (views.both_sides, views.left_to_right, views.senses, views.reading),
    (
        Preset(
            "The street",
            "One word changes, and with it the sense of a word that comes four words earlier.",
            {"text": STREET},
        ),
        Preset(
            "River first",
            "The river comes before “bank”. Does the mask still hide it?",
            {"text": CUE_FIRST, "t": 0},
        ),
        Preset("Not yet", "The models have read up to “the”. Is either of them sure of a sense?", {"t": 3}),
        Preset(
            "A long wait",
            "Seven words stand between “bat” and the disambiguating word.",
            {"text": "we saw the bat as soon as somebody pointed at the umpire .", "t": 8},
        ),
    ),
    exercises.GUESS,
    code=(SenseEncoder,),
    acts=(Act("when", (views.curve,)), Act("where", (views.gaze,), asks=views.ask_weights)),
)
