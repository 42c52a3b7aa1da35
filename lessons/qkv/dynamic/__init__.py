"""Experiment `dynamic`: mixing weights that are fixed by position, or computed from the words."""

from lessons.kit.contract import Act, Choice, Experiment, Preset, Slider
from lessons.qkv.dynamic import compute, exercises, views

EXPERIMENT = Experiment(
    "dynamic",
    "Fixed or computed?",
    (
        Choice(
            "change",
            "Change of the sentence",
            "reversed",
            compute.CHANGES,
            {"nothing": "no change", "two swapped": "two words swapped"},
        ),
        Slider("T", "Number of words T", compute.FIXED_LENGTH, 3, len(compute.WORDS)),
        Slider("d", "Numbers per word d", 4, 2, 8),
        Slider("seed", "Seed of all numbers", 0, 0, 99),
    ),
    compute.compute,
    (views.sentence, views.fixed, views.window, views.made, views.reading),
    (
        Preset(
            "A word twice",
            "“dog” occurs twice. In which map are its two columns equal?",
            {"change": "a word twice"},
        ),
        Preset(
            "Two swapped",
            "“dog” and “cat” change places. In A, their rows and columns change places too.",
            {"change": "two words swapped"},
        ),
        Preset(
            "Three more words",
            "Which of the three layers has no weights for the new words?",
            {"change": "no change", "T": 8},
        ),
    ),
    exercises.GUESS,
    code=(compute.fully_connected, compute.convolution, compute.attention),
    acts=(
        Act(
            "along", (views.of_fixed, views.of_window, views.of_made), (("of_fixed", "of_window", "of_made"),)
        ),
        Act("pairs", (views.made_before, views.made_now), (("made_before", "made_now"),)),
        Act("counts", (views.counts,)),
    ),
    layout=("sentence", ("fixed", "window", "made"), "reading"),
)
