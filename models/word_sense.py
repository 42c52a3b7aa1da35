"""Word senses and missing words, predicted by self-attention over both sides or only the left side.

Used in lesson `qkv`, experiments `bank` and `blank`.
"""

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
    answers: int  # number of answers: senses, then words for blanks
    two_sided: bool  # False: use a causal mask, as in a language model
    d: int = 32
    heads: int = 2
    layers: int = 2
    d_fc: int = 64
    norm: str = "pre"
    max_length: int = 64
    shared: bool = False  # True: a word's embedding is also its column of W_o, so W holds the senses only


@dataclass(frozen=True)
class SenseTrace:
    tokens: tuple[int, ...]  # (T,) ids of the words
    position: int  # index of the ambiguous word or of the blank
    weights: Tensor  # (layers, heads, T, T)    after the softmax
    logits: Tensor  # (T, answers)    read out at each position
    probabilities: Tensor  # (T, answers)
    values: Mapping[str, Tensor]  # every quantity by path, such as "layer1.self.scores"

    @property
    def answer_probabilities(self) -> Tensor:
        """Probabilities (answers,) at `position`."""
        return self.probabilities[self.position]


class SenseEncoder(nn.Module):
    """Self-attention over the sentence, then a readout at one position: softmax(x_position W_o + b_o).

    The answer is a sense for an ambiguous word, or a word for a blank.
    """

    def __init__(self, config: SenseConfig):
        super().__init__()
        self.config = c = config
        self.body = TransformerStack(c.words, c.d, c.heads, c.layers, c.d_fc, c.max_length, c.norm)
        columns = c.answers - c.words if c.shared else c.answers
        self.W = nn.Parameter(nn.init.xavier_uniform_(torch.empty(c.d, columns)))
        self.b = nn.Parameter(torch.zeros(c.answers))

    @property
    def W_o(self) -> Tensor:
        """(d, answers)"""
        return torch.cat([self.W, self.body.E.T], 1) if self.config.shared else self.W

    def attention_mask(self, T: int, device: torch.device | None = None) -> Tensor:
        """Attention mask (T, T), True = may attend"""
        return (
            torch.ones(T, T, dtype=torch.bool, device=device) if self.config.two_sided else causal(T, device)
        )

    def forward(self, tokens: Tensor, position: Tensor, mask: Tensor | None = None) -> Tensor:
        """Logits (B, answers) for tokens (B, T), position (B,) and mask (B, T), False = padding"""
        may_attend = self.attention_mask(tokens.shape[-1], tokens.device)  # (T, T)
        if mask is not None:
            may_attend = may_attend & mask[:, None, None, :]  # (B, 1, T, T), the same for all heads
        x = self.body(tokens, may_attend)  # (B, T, d)
        return affine(x[torch.arange(len(x), device=x.device), position], self.W_o, self.b)

    def run(self, tokens: Sequence[int], position: int, edits: Edits | None = None) -> SenseTrace:
        """Compute the answer for one sentence and trace every quantity."""
        self._check(tokens, position)
        tap = Tap(edits)
        ids = torch.tensor(tokens, device=self.W.device)
        x = self.body(ids, self.attention_mask(len(ids), ids.device), tap=tap)  # (T, d)
        logits = tap("logits", affine(x, self.W_o, self.b))  # (T, answers)
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
        """Probabilities (T - position, answers) after each prefix that ends at `position` or later.

        In a causal model all rows are equal, because words to the right have no effect.
        """
        self._check(tokens, position)
        ids = torch.tensor(tokens, device=self.W.device)[None]  # (1, T)
        positions = torch.tensor([position], device=ids.device)  # (1,)
        ends = range(position + 1, len(tokens) + 1)
        return torch.cat([self(ids[:, :end], positions) for end in ends]).softmax(-1)

    def _check(self, tokens: Sequence[int], position: int) -> None:
        if not tokens:
            raise InputError("Type at least one word.")
        if not 0 <= position < len(tokens):
            raise InputError(f"Choose a word of the sentence: 1 to {len(tokens)}.")
