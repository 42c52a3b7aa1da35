"""Which sense has this word here? Self-attention that sees both sides, or only what came before.        lesson qkv, bank"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from models.blocks import TransformerStack
from models.multihead import affine, causal
from models.trace import Edits, Tap
from models.vocabulary import InputError


@dataclass(frozen=True)
class SenseConfig:
    words: int
    senses: int
    two_sided: bool  # False: the causal mask, as in a language model
    d: int = 32
    heads: int = 2
    layers: int = 2
    d_fc: int = 64
    norm: str = "pre"
    max_length: int = 64


@dataclass(frozen=True)
class SenseTrace:
    tokens: tuple[int, ...]  # T
    position: int  # of the word in question
    weights: Tensor  # (layers, heads, T, T)    after the softmax
    logits: Tensor  # (T, senses)    the sense as read off the state of each word
    probabilities: Tensor  # (T, senses)
    values: Mapping[str, Tensor]  # every quantity by its path, as in "layer1.self.scores"

    @property
    def sense(self) -> Tensor:
        """(senses,) probabilities at the word in question."""
        return self.probabilities[self.position]


class SenseEncoder(nn.Module):
    """Words attend to each other; the sense is read off one word's state: softmax(x_position W_sense + b_sense)."""

    def __init__(self, config: SenseConfig):
        super().__init__()
        self.config = c = config
        self.body = TransformerStack(c.words, c.d, c.heads, c.layers, c.d_fc, c.max_length, c.norm)
        self.W_sense = nn.Parameter(nn.init.xavier_uniform_(torch.empty(c.d, c.senses)))
        self.b_sense = nn.Parameter(torch.zeros(c.senses))

    def may_look(self, T: int, device: torch.device | None = None) -> Tensor:
        """(T, T), True = may look"""
        return torch.ones(T, T, dtype=torch.bool, device=device) if self.config.two_sided else causal(T, device)

    def forward(self, tokens: Tensor, position: Tensor, mask: Tensor | None = None) -> Tensor:
        """tokens (B, T), position (B,) of the word in question, mask (B, T) True = a word, no padding -> logits (B, senses)"""
        look = self.may_look(tokens.shape[-1], tokens.device)  # (T, T)
        if mask is not None:
            look = look & mask[:, None, None, :]  # (B, 1, T, T): nobody looks at padding; one mask for all heads
        x = self.body(tokens, look)  # (B, T, d)
        return affine(x[torch.arange(len(x), device=x.device), position], self.W_sense, self.b_sense)

    def run(self, tokens: Sequence[int], position: int, edits: Edits | None = None) -> SenseTrace:
        """For looking, and for changing."""
        self._check(tokens, position)
        tap = Tap(edits)
        ids = torch.tensor(tokens, device=self.W_sense.device)
        x = self.body(ids, self.may_look(len(ids), ids.device), tap=tap)  # (T, d)
        logits = tap("logits", affine(x, self.W_sense, self.b_sense))  # (T, senses)
        values = tap.finish()
        return SenseTrace(
            tokens=tuple(tokens),
            position=position,
            weights=torch.stack([values[f"layer{n}.self.weights"] for n in range(1, self.config.layers + 1)]),
            logits=logits,
            probabilities=logits.softmax(-1),
            values=values,
        )

    def unfolding(self, tokens: Sequence[int], position: int) -> Tensor:
        """(T - position, senses): the sense of the word in question while the sentence grows, from that word to the last.

        Rows differ if the model sees both sides; a causal model has made up its mind at the word itself.
        """
        self._check(tokens, position)
        ids = torch.tensor(tokens, device=self.W_sense.device)[None]  # (1, T)
        at = torch.tensor([position], device=ids.device)
        return torch.cat([self(ids[:, :t], at) for t in range(position + 1, len(tokens) + 1)]).softmax(-1)

    def _check(self, tokens: Sequence[int], position: int) -> None:
        if not tokens:
            raise InputError("Type at least one word.")
        if not 0 <= position < len(tokens):
            raise InputError(f"Choose a word of the sentence: 1 to {len(tokens)}.")
