"""The language models of the lesson: read typed words, and compute logits."""

from collections.abc import Sequence

import torch
from torch import Tensor

from lessons.kit.checkpoints import Tokens, load_model, most_probable, read_story
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
SHOWN_WORDS = 10  # in a picture
ONE_WORD_LEFT = "One word is left: it is drawn with every seed."

StoryModel = LanguageModel | TransformerLM


def load_story_model(name: str) -> StoryModel:
    return load_model(READERS[name])


def read_words(text: str, control: str = "text") -> Tokens:
    """The tokens of typed story words; none for an empty text."""
    return read_story(text, control) if text.strip() else ()


@torch.inference_mode()
def logits_of_text(model: StoryModel, tokens: Sequence[int]) -> Tensor:
    """Logits after <bos> and after each token, the whole text at once (1 + tokens, V)."""
    if isinstance(model, TransformerLM):  # its window slides along
        return model.text_logits(tokens)
    return model(torch.tensor([[Vocabulary.bos, *tokens]]))[0]


@memoize
def next_logits(name: str, tokens: Tokens) -> Tensor:
    """Logits of the next word (V,). Filters need nothing else, so the model reads a text only once."""
    return logits_of_text(load_story_model(name), tokens)[-1]


def likeliest(probabilities: Tensor, count: int = SHOWN_WORDS) -> list[int]:
    return most_probable(probabilities, shown=count)
