"""What a layer costs as sentences grow. Counted by formula; measured only by a job, with bounded sizes and time."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.kit.contract import Result
from lessons.qkv.compute.swoop import milliseconds
from models import zoo
from models.multihead import MultiHeadAttention
from models.rnn import VanillaRNN
from models.trace import Tap

LENGTHS = (16, 32, 64, 128, 256, 512)
LAYERS = ("recurrence", "attention")
PASSES = ("forward", "training step")
LONGEST = 12.0  # seconds of measuring


@dataclass(frozen=True)
class Measured:
    """Lengths not reached yet are NaN."""

    milliseconds: np.ndarray  # (layers, passes, lengths)
    kept: np.ndarray  # (layers, lengths) bytes kept for the way back

    def slopes(self) -> np.ndarray:
        """(layers, passes) p in time ∝ T^p, fitted on log axes over the longer half of what was measured."""
        return np.array([[slope(LENGTHS, line) for line in layer] for layer in self.milliseconds])


@dataclass(frozen=True)
class Cost(Result):
    T: int
    d: int
    forcing: bool  # all inputs are known before the first step
    lengths: tuple[int, ...]
    steps: np.ndarray  # (layers, lengths) one after another
    path: np.ndarray  # (layers, lengths) steps between the first word and the last
    scores: np.ndarray  # (layers, lengths) dot products of a query and a key
    products: np.ndarray  # (layers, lengths) multiplications; while writing, with a cache of keys and values
    numbers_kept: np.ndarray  # (layers, lengths) for the way back; while writing, for the next word
    here: dict[str, Any]  # the same at T: name → by layer
    slopes: np.ndarray  # (layers,) of the products over the longer half
    measured: Measured | None = None

    def numbers(self) -> dict[str, Any]:
        return {
            name: value for name, value in super().numbers().items() if name != "measured"
        }  # a clock is never the same


def counted(T: np.ndarray, d: int, forcing: bool) -> dict[str, Any]:
    """(layers, lengths) of each. Attention: Q, K, V and W_O take d² per word each, scores and sums d per score each.

    While writing, word t looks at t words, and a cache keeps their keys and values.
    """
    one, scores = np.ones_like(T), T**2 if forcing else T * (T + 1) // 2
    return {
        "steps": np.stack([T, one if forcing else T]),
        "path": np.stack([T - 1, one]),
        "scores": np.stack([0 * T, scores]),
        "products": np.stack([2 * T * d**2, 4 * T * d**2 + 2 * scores * d]),
        "numbers_kept": np.stack([2 * T * d, 5 * T * d + T**2] if forcing else [d * one, 2 * T * d]),
    }


def without_cache(T: int, d: int) -> int:
    """Multiplications of attention while writing, if each step computes the keys and values of all words so far again."""
    read = T * (T + 1) // 2  # words, over all steps
    return 2 * T * d**2 + 2 * read * d**2 + 2 * read * d


def cost(T: int, d: int, forcing: bool) -> Cost:
    table = counted(np.array(LENGTHS), d, forcing)
    here = {name: values[:, 0].tolist() for name, values in counted(np.array([T]), d, forcing).items()}
    slopes = np.array([slope(LENGTHS, line) for line in table["products"]])
    return Cost(T=T, d=d, forcing=forcing, lengths=LENGTHS, here=here, slopes=slopes, **table)


def slope(lengths: tuple[int, ...], line: np.ndarray) -> float:
    """p in line ∝ T^p, over the longer half of what there is."""
    there = np.flatnonzero(np.isfinite(line))[-3:]
    return (
        float(np.polyfit(np.log(np.array(lengths)[there]), np.log(line[there]), 1)[0])
        if len(there) == 3
        else np.nan
    )


# ---- measured ----


def measure(T: int, d: int, forcing: bool) -> Iterator[tuple[float, Cost]]:
    """One sentence of each length through a recurrence and through attention, forward and as a training step."""
    shown, began = cost(T, d, forcing), time.perf_counter()
    found = Measured(
        np.full((len(LAYERS), len(PASSES), len(LENGTHS)), np.nan),
        np.full((len(LAYERS), len(LENGTHS)), np.nan),
    )
    layers = modules(d)
    for n, length in enumerate(LENGTHS):
        with torch.inference_mode(False), torch.enable_grad():
            x = torch.randn(1, length, d, generator=torch.Generator().manual_seed(n))
            for row, layer in enumerate(layers):
                found.milliseconds[row, 0, n] = milliseconds(partial(forward, layer, x))
                found.milliseconds[row, 1, n] = milliseconds(partial(training_step, layer, x))
                found.kept[row, n] = kept(layer, x)
        yield (
            (n + 1) / len(LENGTHS),
            replace(shown, measured=Measured(found.milliseconds.copy(), found.kept.copy())),
        )
        if time.perf_counter() - began > LONGEST:
            return


Layer = VanillaRNN | MultiHeadAttention


def modules(d: int) -> tuple[Layer, Layer]:
    with zoo.BUILDING, torch.inference_mode(False), torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return VanillaRNN(d, d), MultiHeadAttention(d, 1)


def forward(layer: Layer, x: Tensor) -> Tensor:
    """x (1, T, d) → (1, T, d). Attention as it is written, with all T² weights in sight; the recurrence in torch's own kernel."""
    if isinstance(layer, MultiHeadAttention):
        return layer(x, x, tap=Tap())
    return layer.sweep(x, layer.start(1))[0]


def training_step(layer: Layer, x: Tensor) -> None:
    """Forward, and the gradient of every parameter."""
    torch.autograd.grad(forward(layer, x).square().mean(), list(layer.parameters()), allow_unused=True)


def kept(layer: Layer, x: Tensor) -> int:
    """Bytes that the forward pass keeps for the way back, parameters not counted."""
    known = {parameter.data_ptr() for parameter in layer.parameters()}
    bytes_at: dict[int, int] = {}

    def keep(tensor: Tensor) -> Tensor:
        if tensor.data_ptr() not in known:
            bytes_at[tensor.data_ptr()] = tensor.numel() * tensor.element_size()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        held = forward(layer, x)  # noqa: F841 - while it lives, no address is used twice
    return sum(bytes_at.values())
