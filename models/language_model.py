"""A recurrent language model: it predicts the next word after every word it reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from models.rnn import Stack, States
from models.trace import UNTAPPED, AnyTap, Edits, Tap
from models.vocabulary import Vocabulary


@dataclass(frozen=True)
class LanguageModelConfig:
    words: int  # size of the vocabulary
    embedding: int = 64
    width: int = 128  # m
    layers: int = 1
    cell: str = "LSTM"


@dataclass(frozen=True)
class LanguageModelTrace:
    """All quantities computed while reading <bos> and then the tokens. Position 0 is <bos>."""

    tokens: tuple[int, ...]  # (T,) with <bos> first
    h: Tensor  # (layers, T, m)
    logits: Tensor  # (T, V): scores of the next token
    probabilities: Tensor  # (T, V)
    values: Mapping[str, Tensor]  # every quantity by name, steps first: "layer1.z" (T, m), …


class LanguageModel(nn.Module):
    """P(x_{t+1} | x_1 … x_t) = softmax(W_o h_t + b_o)        lesson `recurrence`, experiment `read`"""

    def __init__(self, config: LanguageModelConfig):
        super().__init__()
        self.config = config
        self.embed = nn.Embedding(config.words, config.embedding)
        self.rnn = Stack(config.cell, config.embedding, config.width, config.layers)
        self.out = nn.Linear(config.width, config.words)

    def forward(self, tokens: Tensor) -> Tensor:
        """tokens (B, T) → logits (B, T, V)"""
        h, _ = self.rnn(self.embed(tokens), self.rnn.initial_state(len(tokens)))
        return self.out(h)

    def step(self, token: Tensor, states: States, tap: AnyTap = UNTAPPED) -> tuple[Tensor, States]:
        states = self.rnn.step(tap("x", self.embed(token)), states, tap)
        return tap("logits", self.out(states[-1][0])), states

    def run(self, tokens: Sequence[int], edits: Edits | None = None) -> LanguageModelTrace:
        tap = Tap(edits)
        text = (Vocabulary.bos, *tokens)
        states = self.rnn.initial_state()
        ids = torch.tensor(text)
        for t in tap.steps(range(len(text))):
            _, states = self.step(ids[t], states, tap)
        values = tap.finish()
        return LanguageModelTrace(
            tokens=text,
            h=torch.stack([values[f"layer{layer}.h"] for layer in range(1, self.config.layers + 1)]),
            logits=values["logits"],
            probabilities=torch.softmax(values["logits"], -1),
            values=values,
        )

    def writer(self, prompt: Sequence[int] = ()) -> "LanguageWriter":
        return LanguageWriter(self, tuple(prompt))


@dataclass(frozen=True)
class LanguageWriter:
    """Continue a prompt, one token per call, with many hypotheses at once.

    `begin` reads the prompt except its last token; the first call of `next` reads the last token.
    """

    model: LanguageModel
    prompt: tuple[int, ...]
    eos: int = Vocabulary.eos

    @property
    def bos(self) -> int:
        return self.prompt[-1] if self.prompt else Vocabulary.bos

    def begin(self) -> States:
        states = self.model.rnn.initial_state(1)
        tokens = (Vocabulary.bos, *self.prompt)[:-1]
        if tokens:
            _, states = self.model.rnn(self.model.embed(torch.tensor([tokens])), states)
        return states

    def next(self, tokens: Tensor, states: States) -> tuple[Tensor, States]:
        return self.model.step(tokens, states)
