"""Experiment `steer`: set the attention weights of a step and decode the rest of the sentence again."""

from lessons.attention.controls import decoder_step, source_text, wiring_choice
from lessons.attention.steer import exercises, views
from lessons.attention.steer.compute import compute, decode_with_weights, one_hot_row
from lessons.kit.contract import Act, Experiment, Preset, RowEdits
from lessons.kit.example_sentences import FUTURE_TENSE, IDIOM, MANY_TO_ONE, REORDERING
from models.attention import attend

T = len(REORDERING.split())

EXPERIMENT = Experiment(
    "steer",
    "Steer",
    (
        source_text(REORDERING, FUTURE_TENSE, MANY_TO_ONE, IDIOM),
        decoder_step(6),
        wiring_choice(),
        RowEdits("weights", "Drag a bar, or choose a row of weights for this step"),
    ),
    compute,
    (views.unrolled, views.reading, views.row, views.translations, views.next_words),
    (
        Preset(
            "Say it again",
            "Step 4 attends to “they” again. At which word does the sentence continue?",
            {"source": FUTURE_TENSE, "t": 4, "weights": ((4, one_hot_row(0, 7)),)},
        ),
        Preset(
            "Skip the future",
            "Step 2 attends to “buy” instead of “will”. What happens to the tense?",
            {"source": FUTURE_TENSE, "t": 2, "weights": ((2, one_hot_row(2, 7)),)},
        ),
        Preset(
            "All on the full stop",
            "In the middle of the sentence all weight goes to the full stop. What is written there?",
            {"weights": ((6, one_hot_row(T - 1, T)),)},
        ),
        Preset(
            "Even weights at every step",
            "Every step gives all words the same weight. Which words of the translation remain?",
            {"t": 5, "weights": tuple((n, (round(1 / T, 4),) * T) for n in range(1, T + 6))},
        ),
    ),
    exercises.steering,
    code=(decode_with_weights, attend),
    acts=(Act("map", (views.alignment,)), Act("context", (views.contexts,), asks=views.ask_context)),
    layout=("unrolled", "reading", ("row", ("translations", "next_words"))),
    demonstrates={"weights": ((6, one_hot_row(4, T)),)},
    core=True,
)
