"""Experiment `survive`: which source words a linear probe can read back from c."""

from lessons.bottleneck.sentences import SEVENTEEN_WORDS, SIXTEEN_WORDS, source_control
from lessons.bottleneck.survive import views
from lessons.bottleneck.survive.compute import PROBED_SIZES, compute
from lessons.bottleneck.survive.exercises import best_kept_words
from lessons.bottleneck.translator import MAX_OUTPUT_STEPS
from lessons.kit.contract import Act, Choice, Experiment, Preset, Step
from lessons.kit.example_sentences import AMBIGUOUS_BANK, PASSIVE
from models import gradients
from models.probe import LinearProbe

EXPERIMENT = Experiment(
    "survive",
    "What is left",
    (
        source_control("text", "English sentence", SIXTEEN_WORDS, PASSIVE, AMBIGUOUS_BANK, SEVENTEEN_WORDS),
        Choice("width", "Size of c", "128", PROBED_SIZES),
        Step("t", "Gradient of this output word (0: of all words)", 0, 0, MAX_OUTPUT_STEPS),
    ),
    compute,
    (views.heard, views.read_off, views.reading, views.gain),
    (
        Preset(
            "Half the numbers",
            "Which words does the probe still find, and what does the decoder write instead?",
            {"width": "64"},
        ),
        Preset(
            "A long sentence",
            "The sentence has 17 words. Which words does the probe miss?",
            {"text": SEVENTEEN_WORDS},
        ),
        Preset("A short sentence", "Six words have to fit into c. Is any word missing?", {"text": PASSIVE}),
    ),
    best_kept_words,
    code=(LinearProbe, gradients.run_with_zeros, gradients.jacobian),
    acts=(
        Act("baseline", (views.recovery,)),
        Act("lengths", (views.gain_by_length,)),
        Act("pull", (views.pull,), ("t", "pull"), asks=views.ask_pull),
    ),
)
