"""The translators of this lesson, and the runs of them that several experiments need."""

from typing import Any

from lessons.kit.checkpoints import TRANSLATION, Tokens, Words, french, original_run
from models.vocabulary import Vocabulary

# Query after: the query is s_t (Luong). Query before: it is s_{t−1} (Bahdanau).
WIRINGS = {"query after": "translation-additive-64-s0", "query before": "translation-before-64-s0"}
ADDITIVE_MODEL = WIRINGS["query after"]
MAX_STEPS = 60  # that a decoder can take


def output_words(trace: Any) -> Words:
    """What the model wrote, without <eos>."""
    return french(token for token in trace.output if token != Vocabulary.eos)


def run_on_target(name: str, tokens: Tokens, target: Words) -> Any:
    """The model's trace while the decoder is fed `target`; its own run where it writes `target` by itself."""
    own = original_run(name, tokens)
    if output_words(own) == target:
        return own
    return original_run(name, tokens, (*TRANSLATION.target.ids(target), Vocabulary.eos))
