"""Which sense has this word here, or which word is missing? Self-attention that sees both sides, or only what came before.

lesson qkv, bank and blank"""

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
    answers: int  # senses, and words for a blank
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
    position: int  # of the word in question, or of the blank
    weights: Tensor  # (layers, heads, T, T)    after the softmax
    logits: Tensor  # (T, answers)    as read off the state of each word
    probabilities: Tensor  # (T, answers)
    values: Mapping[str, Tensor]  # every quantity by its path, as in "layer1.self.scores"

    @property
    def answer(self) -> Tensor:
        """(answers,) probabilities at the place in question."""
        return self.probabilities[self.position]


class SenseEncoder(nn.Module):
    """Words attend to each other; the answer is read off the state at one place: softmax(x_position W + b).

    At a word with two senses the answer is a sense, at a blank it is a word: the model learns what is asked from what stands there.
    """

    def __init__(self, config: SenseConfig):
        super().__init__()
        self.config = c = config
        self.body = TransformerStack(c.words, c.d, c.heads, c.layers, c.d_fc, c.max_length, c.norm)
        self.W = nn.Parameter(nn.init.xavier_uniform_(torch.empty(c.d, c.answers)))
        self.b = nn.Parameter(torch.zeros(c.answers))

    def may_look(self, T: int, device: torch.device | None = None) -> Tensor:
        """(T, T), True = may look"""
        return (
            torch.ones(T, T, dtype=torch.bool, device=device) if self.config.two_sided else causal(T, device)
        )

    def forward(self, tokens: Tensor, position: Tensor, mask: Tensor | None = None) -> Tensor:
        """tokens (B, T), position (B,) of the word in question, mask (B, T) True = a word, no padding -> logits (B, answers)"""
        look = self.may_look(tokens.shape[-1], tokens.device)  # (T, T)
        if mask is not None:
            look = (
                look & mask[:, None, None, :]
            )  # (B, 1, T, T): nobody looks at padding; one mask for all heads
        x = self.body(tokens, look)  # (B, T, d)
        return affine(x[torch.arange(len(x), device=x.device), position], self.W, self.b)

    def run(self, tokens: Sequence[int], position: int, edits: Edits | None = None) -> SenseTrace:
        """For looking, and for changing."""
        self._check(tokens, position)
        tap = Tap(edits)
        ids = torch.tensor(tokens, device=self.W.device)
        x = self.body(ids, self.may_look(len(ids), ids.device), tap=tap)  # (T, d)
        logits = tap("logits", affine(x, self.W, self.b))  # (T, answers)
        values = tap.finish()
        return SenseTrace(
            tokens=tuple(tokens),
            position=position,
            weights=torch.stack([values[f"layer{n}.self.weights"] for n in range(1, self.config.layers + 1)]),
            logits=logits,
            probabilities=logits.softmax(-1),
            values=values,
        )

    def answers_by_prefix(self, tokens: Sequence[int], position: int) -> Tensor:
        """(T - position, answers): the sense of the word in question while the sentence grows, from that word to the last.

        Rows differ if the model sees both sides; a causal model has made up its mind at the word itself.
        """
        self._check(tokens, position)
        ids = torch.tensor(tokens, device=self.W.device)[None]  # (1, T)
        at = torch.tensor([position], device=ids.device)
        return torch.cat([self(ids[:, :t], at) for t in range(position + 1, len(tokens) + 1)]).softmax(-1)

    def _check(self, tokens: Sequence[int], position: int) -> None:
        if not tokens:
            raise InputError("Type at least one word.")
        if not 0 <= position < len(tokens):
            raise InputError(f"Choose a word of the sentence: 1 to {len(tokens)}.")
