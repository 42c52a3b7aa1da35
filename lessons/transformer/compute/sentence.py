"""The trained Transformer and what a learner can pick in it."""

from lessons.kit.checkpoints import Tokens, english, french, load_card, load_model
from lessons.kit.checkpoints import original_run as kept
from lessons.kit.references import known_pair
from models.transformer import Transformer, TransformerTrace
from models.zoo import Card

NAME = "translation-transformer-s0"
LAYERS, HEADS = ("1", "2"), ("1", "2", "3", "4")  # what a learner can pick; a test compares with the model
LONGEST = 60  # tokens of a translation that went wrong: where a run stops
KINDS = {  # what a learner picks → where its quantities are
    "encoder self": "encoder.layer{layer}.self",
    "decoder self": "decoder.layer{layer}.self",
    "cross": "decoder.layer{layer}.cross",
}


def model() -> Transformer:
    return load_model(NAME)


def card() -> Card:
    return load_card(NAME)


def untouched(source: Tokens) -> TransformerTrace:
    """The model's own translation, with everything on the way."""
    return kept(NAME, source)


def gold_of(trace: TransformerTrace) -> frozenset[tuple[int, int]] | None:
    """Gold links (t, i), if the sentence has any and the model wrote what they belong to."""
    pair = known_pair(english(trace.source))
    return pair.alignment if pair and french(trace.output[:-1]) == pair.target else None
