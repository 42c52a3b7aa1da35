"""Experiment `bits`: bits in a text against the bits that the numbers of c carry."""

from lessons.bottleneck.bits import views
from lessons.bottleneck.bits.compute import bits_of_words, compute, smallest_sufficient
from lessons.bottleneck.bits.exercises import enough_bits
from lessons.bottleneck.sentences import SEVENTEEN_WORDS, source_control
from lessons.kit.checkpoints import CONTEXT_DIMS
from lessons.kit.contract import Act, Choice, Experiment, Preset, Slider
from lessons.kit.example_sentences import PASSIVE
from models import rounding

EXPERIMENT = Experiment(
    "bits",
    "512 numbers",
    (
        Slider("words", "Words of the text", 1000, 10, 2000, 10),
        Slider("numbers", "Numbers in c", 512, 8, 1024, 8),
        Slider("bits", "Bits per number", 16, 1, 16),
        Choice("code", "Size of c of the translator", "128", CONTEXT_DIMS),
        source_control("text", "English sentence", PASSIVE),
    ),
    compute,
    (views.budget, views.rounding_curve, views.outputs, views.reading),
    (
        Preset("Six bits", "Is every word of the translation still there?", {"bits": 6}),
        Preset("Two bits", "Each number of c has one of four values. What breaks first?", {"bits": 2}),
        Preset(
            "A long sentence",
            "The same c must now hold seventeen words. Does it need more bits per number?",
            {"bits": 6, "text": SEVENTEEN_WORDS},
        ),
        Preset("Half the numbers", "c has 256 numbers. Do a thousand words still fit?", {"numbers": 256}),
    ),
    enough_bits,
    code=(rounding.round_to_bits, bits_of_words, smallest_sufficient),
    layout=(("budget", "rounding_curve"), "outputs", "reading"),
    acts=(
        Act("sentence", (views.surprisal, views.sentence_total)),
        Act("vector", (views.vector,)),
        Act("sizes", (views.sizes,)),
    ),
    demonstrates="Six bits",
)
