"""The trained Transformer used by most experiments of this lesson, and controls to choose its parts."""

from lessons.kit.checkpoints import Tokens, english, french, load_model, original_run
from lessons.kit.contract import Choice, Text
from lessons.kit.references import known_pair
from models.transformer import Transformer, TransformerTrace

MODEL_NAME = "translation-transformer-s0"
LAYERS, HEADS = ("1", "2"), ("1", "2", "3", "4")  # options of controls; a test compares them with the model
MAX_OUTPUT_TOKENS = 60  # limit for translations that never end
ATTENTION_PATHS = {  # option of the control “Attention” → path in a trace
    "encoder self": "encoder.layer{layer}.self",
    "decoder self": "decoder.layer{layer}.self",
    "cross": "decoder.layer{layer}.cross",
}


def load_transformer() -> Transformer:
    return load_model(MODEL_NAME)


def original_trace(source: Tokens) -> TransformerTrace:
    """The trace of the model's own greedy translation, without edits."""
    return original_run(MODEL_NAME, source)


def gold_links(trace: TransformerTrace) -> frozenset[tuple[int, int]] | None:
    """Gold links (t, i), if known for this source and if the model wrote the reference translation."""
    pair = known_pair(english(trace.source))
    return pair.alignment if pair and french(trace.output[:-1]) == pair.target else None


def sentence_control(default: str, *suggestions: str) -> Text:
    return Text("text", "English sentence", default, suggestions)


def layer_control(default: str = "1") -> Choice:
    return Choice("layer", "Layer", default, LAYERS)


def attention_control(default: str) -> Choice:
    return Choice("kind", "Attention", default, tuple(ATTENTION_PATHS))


def head_control() -> Choice:
    return Choice("head", "Head", "1", HEADS)
