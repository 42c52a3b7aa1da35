"""Experiment `blank`: predict a masked word from both sides, and from the left side only."""

from lessons.kit.contract import Act, Experiment, Preset, Text
from lessons.qkv.blank import compute, exercises, views
from models.word_sense import SenseEncoder

EXPERIMENT = Experiment(
    "blank",
    "Blank",
    (
        Text(
            "text",
            "Sentence with one blank ___",
            exercises.MUDDY,
            (
                "we noticed the bark of the ___ and it was loud .",
                "it ___ when they saw the bat near the cave .",
                "near the ___ , she looked at the crane and it flew .",
                "it was sealed when he found the letter in the ___ .",
                "it melted when they noticed the seal on the ___ and it cracked .",
                "we sat on the bank and watched the ___ .",
                "the mouse in the story was ___ .",
            ),
        ),
    ),
    compute.compute,
    (views.filled, views.words, views.senses, views.reading),
    (
        Preset(
            "Muddy first",
            "The same words in another order. Which model knows more now?",
            {"text": "it was muddy when i arrived at the bank after crossing the ___ ."},
        ),
        Preset(
            "Another bank",
            "One word after the blank changes. Which words become likely, and which become unlikely?",
            {"text": "i arrived at the bank after crossing the ___ and it was bankrupt ."},
        ),
        Preset(
            "No clue",
            "No word decides the sense. Is either model sure?",
            {"text": "i arrived at the bank after crossing the ___"},
        ),
        Preset(
            "In between",
            "“river” comes after “bank” but before the blank. Where does the left-to-right model know the"
            " sense?",
            {"text": "i arrived at the bank after crossing the river and it was ___ ."},
        ),
    ),
    exercises.GUESS,
    code=(SenseEncoder,),
    acts=(Act("looks", (views.gaze,)), Act("known", (views.known, views.counted))),
    layout=("filled", ("words", "senses"), "reading"),
)
