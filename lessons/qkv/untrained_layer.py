"""Multi-head attention layers with random weights, and their parameter counts."""

import torch

from lessons.kit.memo import memoize
from models import zoo
from models.multihead import MultiHeadAttention

MAX_HEADS = 8
MAX_LENGTH = 64  # maximum number of words for counts that grow with the sentence


@memoize
def untrained_attention(d: int, heads: int, seed: int = 0) -> MultiHeadAttention:
    with zoo.RNG_LOCK, torch.inference_mode(False), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return MultiHeadAttention(d, heads).requires_grad_(False)


def count_parameters(module: torch.nn.Module) -> int:
    return sum(parameter.numel() for parameter in module.parameters())
