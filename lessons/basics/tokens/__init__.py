"""Experiment `tokens`: a text becomes words, characters, bytes or byte-pair pieces."""

from lessons.basics.tokens import views
from lessons.basics.tokens.compute import MAX_CHARACTERS, MAX_MERGES, SENTENCES, tokens
from lessons.basics.tokens.exercises import merge_pieces
from lessons.kit.contract import Act, Experiment, Preset, Step, Text
from models import bpe

ROSES = "The gardener is unhappy: her garden had 3000 roses 🌹"
EXPERIMENT = Experiment(
    "tokens",
    "Tokens",
    (
        Text(
            "text",
            "Any text",
            ROSES,
            (*SENTENCES.values(), "1992 is not 1 992.", "👩‍🚀 👍🏽 ☕"),
            MAX_CHARACTERS,
        ),
        Step("merge", "Merges played", 12, 0, MAX_MERGES),
    ),
    tokens,
    (views.splits, views.upcoming, views.reading),
    (
        Preset(
            "Every byte by itself",
            "No merge is done. Press play and watch which pieces appear first.",
            {"merge": 0},
        ),
        Preset(
            "All merges",
            "Which words are one piece now, and which word fell into single letters?",
            {"merge": MAX_MERGES},
        ),
        Preset(
            "An alphabet it never saw",
            "The training text has no Greek: no merge applies, and every letter stays two bytes.",
            {"text": SENTENCES["Greek"], "merge": MAX_MERGES},
        ),
        Preset(
            "An emoji made of parts",
            "One picture, several characters, many bytes. Count them.",
            {"text": "👩‍🚀 👍🏽 ☕", "merge": MAX_MERGES},
        ),
    ),
    merge_pieces,
    code=(bpe.learn_merges, bpe.merge_pair, bpe.BytePairEncoder),
    acts=(
        Act("unknown", (views.strange_word,), asks=views.ask_unknown),
        Act("languages", (views.per_word,)),
        Act("numbers", (views.spellings,)),
        Act("bytes", (views.bytes_below,)),
    ),
    core=True,
)
