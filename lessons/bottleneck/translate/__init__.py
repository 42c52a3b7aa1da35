"""Experiment `translate`: an encoder reads, a decoder writes, and c is all that passes between them."""

from lessons.bottleneck.sentences import SEVENTEEN_WORDS
from lessons.bottleneck.translate import views
from lessons.bottleneck.translate.compute import compute
from lessons.bottleneck.translate.exercises import handed_over
from lessons.bottleneck.translate.tasks import (
    CODE_TASK,
    EXAMPLES,
    MODELS,
    PARSING_TASK,
    PRONUNCIATION_TASK,
    SUGGESTIONS,
    TRANSLATION_TASK,
)
from lessons.bottleneck.translator import MAX_OUTPUT_STEPS
from lessons.kit.contract import Act, Choice, Experiment, Preset, Step, Text
from models.seq2seq import Seq2Seq

EXPERIMENT = Experiment(
    "translate",
    "Read, then write",
    (
        Choice("task", "Task", TRANSLATION_TASK, tuple(MODELS)),
        Text("text", "Input", EXAMPLES[TRANSLATION_TASK], SUGGESTIONS[TRANSLATION_TASK][1:], limit=1000),
        Step("t", "Decoder step t", 3, 1, MAX_OUTPUT_STEPS),
    ),
    compute,
    (views.unrolled, views.reading, views.written),
    (
        Preset(
            "A longer sentence",
            "Seventeen words go into a c of the same size. Do all of them arrive?",
            {"task": TRANSLATION_TASK, "text": SEVENTEEN_WORDS, "t": 7},
        ),
        Preset(
            "Real words",
            "Letters become sounds, learned from a pronouncing dictionary. Type any name.",
            {"task": PRONUNCIATION_TASK, "text": "castle", "t": 1},
        ),
        Preset(
            "A tree",
            "Who has the telescope? Type “beard” instead: the tree changes.",
            {"task": PARSING_TASK, "text": EXAMPLES[PARSING_TASK], "t": 1},
        ),
        Preset(
            "A program",
            "A command becomes lines of Python, and the page runs them. Give it your own command.",
            {"task": CODE_TASK, "text": EXAMPLES[CODE_TASK], "t": 1},
        ),
    ),
    handed_over,
    code=(Seq2Seq,),
    acts=(
        Act("inputs", (views.inputs,)),
        Act(
            "next",
            (views.next_words, views.certainty),
            (("next_words", "certainty"),),
            asks=views.ask_alternatives,
        ),
        Act("attention", (views.beside, views.by_length, views.compare_models)),
    ),
    demonstrates="A longer sentence",
    core=True,
)
