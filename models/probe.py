"""Linear probes: which source words can be recovered from the context vector c?

Used in lesson `bottleneck`, experiment `survive`. The model itself is not changed. A word that the probe
cannot recover may still be in c, in a form that a linear map cannot read.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.batches import IGNORE, Batch, batched, pad_rows
from models.seq2seq import Seq2Seq


@dataclass(frozen=True)
class ProbeConfig:
    checkpoint: str  # the probed model
    source_words: int
    target_words: int  # size of the task's target vocabulary; not used here
    width: int = 128  # k, the size of c
    positions: int = 20  # number of words to recover, from the start of a sentence
    rank: int = 32  # rank of each linear map; all positions share U to keep the probe small


class LinearProbe(nn.Module):
    """A low-rank linear probe: logits of all words at position i = U (W_iᵀ c + b_i)."""

    def __init__(self, config: ProbeConfig):
        super().__init__()
        self.config = config
        self.W = nn.Parameter(torch.randn(config.positions, config.width, config.rank) / config.width**0.5)
        self.b = nn.Parameter(torch.zeros(config.positions, config.rank))
        self.U = nn.Parameter(torch.randn(config.source_words, config.rank) / config.rank**0.5)

    def forward(self, c: Tensor) -> Tensor:
        """Logits of the word at each position: c (B, k) → (B, positions, V)"""
        return F.linear(torch.einsum("bk,ikr->bir", c, self.W) + self.b, self.U)


@torch.no_grad()
def contexts(model: Seq2Seq, sources: Sequence[Sequence[int]]) -> Tensor:
    """Encode many sentences, in batches of one length → their c (N, k)."""
    by_length, rows = (
        defaultdict(list),
        torch.empty(len(sources), model.config.context_dim or model.config.width),
    )
    for number, source in enumerate(sources):
        by_length[len(source)].append(number)
    for numbers in by_length.values():
        for batch in batched(numbers, 512):
            rows[batch] = model.encode_batch(torch.tensor([sources[n] for n in batch])).c
    return rows


def probe_batches(model: Seq2Seq, sources: Sequence[Sequence[int]], size: int, positions: int) -> list[Batch]:
    """Batches of c and the source words; positions after the end of a sentence are ignored."""
    words = pad_rows([source[:positions] for source in sources], IGNORE)  # (N, longest)
    words = F.pad(words, (0, positions - words.shape[1]), value=IGNORE)  # (N, positions)
    rows = zip(contexts(model, sources).split(size), words.split(size), strict=True)
    return [Batch((c,), targets) for c, targets in rows]
