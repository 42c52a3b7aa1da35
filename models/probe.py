"""What is left of each word in c? A linear map from c to the word at each source position.        lesson bottleneck, survive

A probe never changes the model it looks into: it gets c and the words, and learns to read the one off the other. What it
finds is there to be found; what a straight line through c cannot find may still be there, folded away.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.batches import IGNORE, Batch, pad_rows, batched
from models.seq2seq import Seq2Seq


@dataclass(frozen=True)
class ProbeConfig:
    checkpoint: str  # the checkpoint whose c is read
    source_words: int
    target_words: int  # of the same task; nothing is written here
    width: int = 128  # k, of c
    positions: int = 20  # the first words of a sentence
    rank: int = 32  # of each map: the words share their directions, so that a probe stays small


class LinearProbe(nn.Module):
    """scores of all words at position i = U (W_i c + b_i)"""

    def __init__(self, config: ProbeConfig):
        super().__init__()
        self.config = config
        self.W = nn.Parameter(torch.randn(config.positions, config.width, config.rank) / config.width**0.5)
        self.b = nn.Parameter(torch.zeros(config.positions, config.rank))
        self.U = nn.Parameter(torch.randn(config.source_words, config.rank) / config.rank**0.5)

    def forward(self, c: Tensor) -> Tensor:
        """c (B, m) → logits (B, positions, V)"""
        return F.linear(torch.einsum("bm,imr->bir", c, self.W) + self.b, self.U)


@torch.no_grad()
def contexts(model: Seq2Seq, sources: Sequence[Sequence[int]]) -> Tensor:
    """(N, k): c of many sentences; those of one length are read side by side."""
    by_length, rows = defaultdict(list), torch.empty(len(sources), model.config.context_dim or model.config.width)
    for number, source in enumerate(sources):
        by_length[len(source)].append(number)
    for numbers in by_length.values():
        for some in batched(numbers, 512):
            rows[some] = model.read_batch(torch.tensor([sources[n] for n in some])).c
    return rows


def probe_batches(model: Seq2Seq, sources: Sequence[Sequence[int]], size: int, positions: int) -> list[Batch]:
    """c of each sentence, and the words it came from; nothing is asked beyond a sentence's end."""
    words = pad_rows([source[:positions] for source in sources], IGNORE)  # (N, longest)
    words = F.pad(words, (0, positions - words.shape[1]), value=IGNORE)  # (N, positions)
    return [
        Batch((c,), some)
        for c, some in zip(contexts(model, sources).split(size), words.split(size), strict=True)
    ]
