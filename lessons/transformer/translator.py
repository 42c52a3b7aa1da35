"""The trained Transformer used by most experiments of this lesson, and controls to choose its parts."""

from collections.abc import Iterable

from lessons.kit.checkpoints import Tokens, Words
from lessons.kit.contract import Choice, Text
from lessons.kit.references import matches_reference
from lessons.kit.translator import Translator
from models.transformer import Transformer, TransformerTrace
from models.vocabulary import EOS

MODEL_NAME = "everyday-transformer-s0"
TRANSLATOR = Translator(MODEL_NAME)
LAYERS, HEADS = ("1", "2"), ("1", "2", "3", "4")  # options of controls; a test compares them with the model
MAX_OUTPUT_TOKENS = 60  # limit for translations that never end
ATTENTION_PATHS = {  # option of the control “Attention” → path in a trace
    "encoder self": "encoder.layer{layer}.self",
    "decoder self": "decoder.layer{layer}.self",
    "cross": "decoder.layer{layer}.cross",
}


def load_transformer() -> Transformer:
    return TRANSLATOR.model


def original_trace(source: Tokens) -> TransformerTrace:
    """The trace of the model's own greedy translation, without edits."""
    return TRANSLATOR.run(source)


def read_text(text: str) -> tuple[Tokens, Words]:
    """Convert the text of `sentence_control` to source tokens, and to words for pictures."""
    sentence = TRANSLATOR.read_typed(text, "text")
    return TRANSLATOR.ids(sentence.words), sentence.shown


def target_words(tokens: Iterable[int]) -> Words:
    """The words of an output, with its `<eos>`."""
    return TRANSLATOR.task.target.tokens(tokens)


def reference_translation(trace: TransformerTrace) -> Words | None:
    """The correct translation of the source, if known."""
    return TRANSLATOR.reference(TRANSLATOR.source_words(trace.source), without_eos(trace))


def is_right(trace: TransformerTrace) -> bool | None:
    """Whether the output equals the reference translation; None if it is not known."""
    return matches_reference(target_words(trace.output), reference_translation(trace))


def gold_links(trace: TransformerTrace) -> frozenset[tuple[int, int]] | None:
    """Gold links (t, i), if known for this source and if the model wrote the reference translation."""
    pair = TRANSLATOR.pair(TRANSLATOR.source_words(trace.source))
    return pair.alignment if pair and without_eos(trace) == pair.target else None


def without_eos(trace: TransformerTrace) -> Words:
    return tuple(word for word in target_words(trace.output) if word != EOS)


def sentence_control(default: str, *suggestions: str) -> Text:
    return Text("text", "English sentence", default, suggestions)


def layer_control(default: str = "1") -> Choice:
    return Choice("layer", "Layer", default, LAYERS)


def attention_control(default: str) -> Choice:
    return Choice("kind", "Attention", default, tuple(ATTENTION_PATHS))


def head_control() -> Choice:
    return Choice("head", "Head", "1", HEADS)
