"""Experiment `forcing`: teacher forcing, free running, and the effect of one wrong word."""

from lessons.bottleneck.forcing import views
from lessons.bottleneck.forcing.compute import INPUT_WORDS, compute
from lessons.bottleneck.forcing.exercises import changes_when_taught
from lessons.bottleneck.sentences import PLURAL, PRONOUN, SIXTEEN_WORDS, source_control
from lessons.bottleneck.translator import MAX_OUTPUT_STEPS
from lessons.kit.contract import Act, Choice, Experiment, Preset, Step, Text
from lessons.kit.example_sentences import PASSIVE

EXPERIMENT = Experiment(
    "forcing",
    "One wrong word",
    (
        source_control("text", "English sentence", PRONOUN, PASSIVE, PLURAL, SIXTEEN_WORDS),
        Step("t", "Decoder step t", 3, 1, MAX_OUTPUT_STEPS),
        Text(
            "wrong", "Word to force at step t (empty: the model’s own)", "ils", ("il", "nous", "je", "marie")
        ),
        Choice("fed", "Words that each step reads in the picture", INPUT_WORDS[0], INPUT_WORDS),
    ),
    compute,
    (views.unrolled, views.reading, views.side_by_side),
    (
        Preset(
            "A wrong article",
            "“le” means one book instead of many. What happens to the words after “le”?",
            {"text": PLURAL, "t": 1, "wrong": "le"},
        ),
        Preset("He instead of she", "Which later word must agree with the pronoun?", {"wrong": "il"}),
        Preset(
            "A wrong noun",
            "Does the participle agree with the forced word “livre” or with the noun of the source?",
            {"text": PASSIVE, "t": 3, "wrong": "livre"},
        ),
        Preset(
            "Taught",
            "The decoder writes “ils”, but step 4 reads the teacher’s “elle”.",
            {"fed": INPUT_WORDS[1]},
        ),
    ),
    changes_when_taught,
    code=(compute,),
    acts=(Act("wake", (views.next_words, views.wake), (("next_words", "wake"),)),),
    demonstrates="Taught",
)
