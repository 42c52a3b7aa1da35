"""Language models for lesson `decoding`: read typed words and compute logits."""

from collections.abc import Sequence

import torch
from torch import Tensor

from lessons.kit.checkpoints import (
    STORIES,
    Tokens,
    Words,
    load_model,
    most_probable,
    read_shown_story,
    read_story,
)
from lessons.kit.memo import memoize
from models.language_model import LanguageModel
from models.transformer_lm import TransformerLM
from models.vocabulary import Vocabulary

WRITERS = {"GRU": "stories-gru-1", "Transformer": "stories-transformer"}
READERS = WRITERS | {
    "LSTM": "stories-lstm-1",
    "vanilla": "stories-vanilla-1",
    "GRU, no songs": "stories-gru-no-songs",
}
SHOWN_WORDS = 10  # number of words shown in a picture
ONE_WORD_LEFT = "One word is left: it is drawn with every seed."

StoryModel = LanguageModel | TransformerLM


def load_story_model(name: str) -> StoryModel:
    return load_model(READERS[name])


def read_words(text: str, control: str = "text") -> Tokens:
    """Convert typed story words to tokens; an empty text gives none."""
    return read_story(text, control) if text.strip() else ()


def read_shown_words(
    text: str, control: str = "text", max_words: int = STORIES.max_words
) -> tuple[Tokens, Words]:
    """Convert typed story words to tokens, and to the words that pictures show; an empty text gives none."""
    tokens, (_, *shown) = read_shown_story(text, control, max_words) if text.strip() else ((), ("",))
    return tokens, tuple(shown)


@torch.inference_mode()
def logits_of_text(model: StoryModel, tokens: Sequence[int]) -> Tensor:
    """Logits after <bos> and after each token, computed in one pass: (1 + tokens, V)."""
    if isinstance(model, TransformerLM):  # this model reads a sliding window
        return model.text_logits(tokens)
    return model(torch.tensor([[Vocabulary.bos, *tokens]]))[0]


@memoize
def next_logits(name: str, tokens: Tokens) -> Tensor:
    """Logits of the next word (V,), cached, because filters need nothing else from the model."""
    return logits_of_text(load_story_model(name), tokens)[-1]


def likeliest(probabilities: Tensor, count: int = SHOWN_WORDS) -> list[int]:
    return most_probable(probabilities, shown=count)
