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
            "Text in any language",
            ROSES,
            (*SENTENCES.values(), "1992 is not 1 992.", "👩‍🚀 👍🏽 ☕"),
            MAX_CHARACTERS,
        ),
        Step("merge", "Number of merges", 12, 0, MAX_MERGES),
    ),
    tokens,
    (views.splits, views.upcoming, views.reading),
    (
        Preset(
            "Single bytes",
            "No merge is done yet. Press play and watch which pieces appear first.",
            {"merge": 0},
        ),
        Preset(
            "All merges",
            "Which words are one piece now, and which word is cut into single letters?",
            {"merge": MAX_MERGES},
        ),
        Preset(
            "An unseen alphabet",
            "The training text has no Greek, so no merge applies. Each letter remains two bytes.",
            {"text": SENTENCES["Greek"], "merge": MAX_MERGES},
        ),
        Preset(
            "An emoji",
            "An emoji can be one picture, several characters and many bytes. Count them.",
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
    demonstrates="All merges",
    core=True,
)
