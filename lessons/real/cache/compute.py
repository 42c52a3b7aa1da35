"""The key–value cache of a real model: work, bytes and time per generated token, with and without it."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from lessons.kit.contract import Result
from lessons.real.pretrained_model import is_available, model, read
from lessons.real.recordings import recorded
from models.modern import CausalLMConfig

LENGTHS = (8, 16, 32, 64, 128)
BYTES_PER_NUMBER = 4
REPEATS = 3
MAX_SECONDS = 20.0  # time limit for measuring


@dataclass(frozen=True)
class CacheRun(Result):
    T: int
    kv_heads: int
    heads: int
    lengths: np.ndarray  # (n,)
    products: np.ndarray  # (2, n) multiplications for the next token: with the cache, without it
    kilobytes: (
        np.ndarray
    )  # (2, n) size of the cache: with the chosen number of key–value heads, with one per query head
    here: tuple[float, float, float, float]  # values at length T: both products, both sizes
    measured: np.ndarray | None = None  # (2, n) milliseconds, with and without the cache; NaN: not yet

    def numbers(self) -> dict[str, Any]:
        """All numbers except measured times, which differ from run to run."""
        return {name: value for name, value in super().numbers().items() if name != "measured"}


def products_per_piece(c: CausalLMConfig) -> int:
    """Multiplications per position in all layers, excluding attention and the output layer."""
    attention = c.d * c.d * 2 + 2 * c.d * c.kv_heads * c.d_head
    feed_forward = (3 if c.gated else 2) * c.d * c.d_fc
    return c.layers * (attention + feed_forward)


def count_products(c: CausalLMConfig, T: np.ndarray) -> np.ndarray:
    """Multiplications for the next token after T tokens, with and without the cache: (2, n)."""
    looking = 2 * c.layers * c.d
    once = products_per_piece(c)
    output = c.d * c.words
    with_cache = once + looking * (T + 1) + output
    without = (T + 1) * once + looking * (T + 1) * (T + 2) / 2 + output
    return np.stack([with_cache, without])


def cache_kilobytes(c: CausalLMConfig, T: np.ndarray, kv_heads: int) -> np.ndarray:
    """Size of the cache: one key and one value per token, layer and key–value head."""
    return T * c.layers * 2 * kv_heads * c.d_head * BYTES_PER_NUMBER / 1024


@recorded("cache", CacheRun, "T")
def compute(T: int, kv_heads: int) -> CacheRun:
    c = model().config
    lengths = np.array(LENGTHS)

    def both(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        sizes = np.stack([cache_kilobytes(c, at, kv_heads), cache_kilobytes(c, at, c.heads)])
        return count_products(c, at), sizes

    products, kilobytes = both(lengths)
    here = tuple(float(value) for part in both(np.array([T])) for value in part[:, 0])
    return CacheRun(T, kv_heads, c.heads, lengths, products, kilobytes, here)  # type: ignore[arg-type]


def milliseconds(T: int) -> tuple[float, float]:
    """Time for the next token after T tokens, with and without the cache; the fastest of a few runs."""
    tokens = torch.arange(1000, 1000 + T)
    fastest = [np.inf, np.inf]
    with read.lock, torch.inference_mode():
        _, caches = model().read_tokens(tokens)
        for _ in range(REPEATS):
            for n, (pieces, past) in enumerate(
                ((tokens[-1:], caches), (torch.cat([tokens, tokens[-1:]]), None))
            ):
                began = time.perf_counter()
                model().read_tokens(pieces, past)
                fastest[n] = min(fastest[n], 1000 * (time.perf_counter() - began))
    return fastest[0], fastest[1]


def measure(T: int, kv_heads: int) -> Iterator[tuple[float, CacheRun]]:
    """Time the next token at each length."""
    run, began = compute(T=T, kv_heads=kv_heads), time.perf_counter()
    if not is_available():
        yield 1.0, run
        return
    times = np.full((2, len(LENGTHS)), np.nan)
    for n, length in enumerate(LENGTHS):
        times[:, n] = milliseconds(length)
        yield (n + 1) / len(LENGTHS), replace(run, measured=times.copy())
        if time.perf_counter() - began > MAX_SECONDS:
            return
