"""What the experiments share: the language models, typed text, and what a model offers next, kept by what it was made from."""

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

from lessons.kit import checkpoints
from lessons.kit.checkpoints import Tokens, Words, read_story
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
STOPS = (".", "?", "”", ")")


Model = LanguageModel | TransformerLM


def model_of(name: str) -> Model:
    return checkpoints.load_model(READERS[name])


def words_of(text: str, control: str = "text") -> Tokens:
    """Typed story words; nothing typed is no word."""
    return read_story(text, control) if text.strip() else ()


@torch.inference_mode()
def read_on(model: Model, tokens: Sequence[int]) -> Tensor:
    """Logits after <bos> and after each token, the whole text at once (1 + tokens, V)."""
    if isinstance(model, TransformerLM):  # its window slides along
        return model.follow(tokens)
    return model(torch.tensor([[Vocabulary.bos, *tokens]]))[0]


@memoize
def offered(name: str, tokens: Tokens) -> Tensor:
    """Logits of the word that follows (V,): all that filters need, so the model reads a text once."""
    return read_on(model_of(name), tokens)[-1]


def sentences(words: Iterable[str]) -> Words:
    """Running text cut after every full stop: what repeats is then easy to see."""
    found: list[list[str]] = [[]]
    for word in words:
        if found[-1] and found[-1][-1] in STOPS and word not in STOPS:
            found.append([])
        found[-1].append(word)
    return tuple(" ".join(part) for part in found if part)
