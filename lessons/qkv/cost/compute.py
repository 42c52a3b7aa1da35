"""The cost of recurrence and attention by sentence length: counted by formula, or measured by a job."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.kit.contract import Result
from lessons.qkv.timing import fastest_ms
from models import zoo
from models.multihead import MultiHeadAttention
from models.rnn import VanillaRNN
from models.trace import Tap

LENGTHS = (16, 32, 64, 128, 256, 512)
LAYERS = ("recurrence", "attention")
PASSES = ("forward", "training step")
MAX_SECONDS = 12.0  # time limit for measuring


@dataclass(frozen=True)
class Measured:
    """Measured times and memory; NaN for lengths not measured yet."""

    milliseconds: np.ndarray  # (layers, passes, lengths)
    saved_bytes: np.ndarray  # (layers, lengths) bytes kept for the backward pass

    def slopes(self) -> np.ndarray:
        """The exponent p in time ∝ T^p: (layers, passes)."""
        return np.array([[fit_slope(LENGTHS, line) for line in layer] for layer in self.milliseconds])


@dataclass(frozen=True)
class Cost(Result):
    T: int
    d: int
    forcing: bool  # teacher forcing: all inputs are known before the first step
    lengths: tuple[int, ...]
    steps: np.ndarray  # (layers, lengths) number of sequential steps
    path: np.ndarray  # (layers, lengths) steps between the first and the last word
    scores: np.ndarray  # (layers, lengths) number of query–key dot products
    products: np.ndarray  # (layers, lengths) multiplications; when generating, with a key–value cache
    numbers_kept: np.ndarray  # (layers, lengths) for the backward pass; when generating, for the next word
    here: dict[str, Any]  # the same quantities at length T: name → one value per layer
    slopes: np.ndarray  # (layers,) exponents p in products ∝ T^p
    measured: Measured | None = None

    def numbers(self) -> dict[str, Any]:
        """All numbers except measured times, which differ from run to run."""
        return {name: value for name, value in super().numbers().items() if name != "measured"}


def count_costs(T: np.ndarray, d: int, forcing: bool) -> dict[str, Any]:
    """Compute the costs by formula, (layers, lengths) each.

    Q, K, V and W_O take d² per word each; scores and sums take d per score each.
    When generating, word t attends to t words, and a cache keeps their keys and values.
    """
    ones, scores = np.ones_like(T), T**2 if forcing else T * (T + 1) // 2
    return {
        "steps": np.stack([T, ones if forcing else T]),
        "path": np.stack([T - 1, ones]),
        "scores": np.stack([0 * T, scores]),
        "products": np.stack([2 * T * d**2, 4 * T * d**2 + 2 * scores * d]),
        "numbers_kept": np.stack([2 * T * d, 5 * T * d + T**2] if forcing else [d * ones, 2 * T * d]),
    }


def products_without_cache(T: int, d: int) -> int:
    """Multiplications when generating if every step recomputes the keys and values of all words so far."""
    words_read = T * (T + 1) // 2  # words read in all steps together
    return 2 * T * d**2 + 2 * words_read * d**2 + 2 * words_read * d


def compute(T: int, d: int, forcing: bool) -> Cost:
    table = count_costs(np.array(LENGTHS), d, forcing)
    here = {name: values[:, 0].tolist() for name, values in count_costs(np.array([T]), d, forcing).items()}
    slopes = np.array([fit_slope(LENGTHS, line) for line in table["products"]])
    return Cost(T=T, d=d, forcing=forcing, lengths=LENGTHS, here=here, slopes=slopes, **table)


def fit_slope(lengths: tuple[int, ...], line: np.ndarray) -> float:
    """Fit p in line ∝ T^p on log axes over the three longest lengths; NaN if there are fewer."""
    last = np.flatnonzero(np.isfinite(line))[-3:]
    if len(last) < 3:
        return np.nan
    return float(np.polyfit(np.log(np.array(lengths)[last]), np.log(line[last]), 1)[0])


# ---- measured ----

Layer = VanillaRNN | MultiHeadAttention


def measure(T: int, d: int, forcing: bool) -> Iterator[tuple[float, Cost]]:
    """Time both layers on one sentence of each length: a forward pass and a training step."""
    run, began = compute(T, d, forcing), time.perf_counter()
    times = np.full((len(LAYERS), len(PASSES), len(LENGTHS)), np.nan)
    memory = np.full((len(LAYERS), len(LENGTHS)), np.nan)
    layers = build_layers(d)
    for n, length in enumerate(LENGTHS):
        with torch.inference_mode(False), torch.enable_grad():
            x = torch.randn(1, length, d, generator=torch.Generator().manual_seed(n))
            for row, layer in enumerate(layers):
                times[row, 0, n] = fastest_ms(partial(forward, layer, x))
                times[row, 1, n] = fastest_ms(partial(training_step, layer, x))
                memory[row, n] = saved_bytes(layer, x)
        yield (n + 1) / len(LENGTHS), replace(run, measured=Measured(times.copy(), memory.copy()))
        if time.perf_counter() - began > MAX_SECONDS:
            return


def build_layers(d: int) -> tuple[Layer, Layer]:
    with zoo.RNG_LOCK, torch.inference_mode(False), torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return VanillaRNN(d, d), MultiHeadAttention(d, 1)


def forward(layer: Layer, x: Tensor) -> Tensor:
    """x (1, T, d) → (1, T, d). Attention stores all T² weights; the recurrence uses torch's own kernel."""
    if isinstance(layer, MultiHeadAttention):
        return layer(x, x, tap=Tap())
    return layer(x, layer.initial_state(1))[0]


def training_step(layer: Layer, x: Tensor) -> None:
    """Run the forward pass and compute the gradient of every parameter."""
    torch.autograd.grad(forward(layer, x).square().mean(), list(layer.parameters()), allow_unused=True)


def saved_bytes(layer: Layer, x: Tensor) -> int:
    """Bytes that the forward pass keeps for the backward pass, excluding parameters."""
    parameters = {parameter.data_ptr() for parameter in layer.parameters()}
    bytes_at: dict[int, int] = {}

    def record(tensor: Tensor) -> Tensor:
        if tensor.data_ptr() not in parameters:
            bytes_at[tensor.data_ptr()] = tensor.numel() * tensor.element_size()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(record, lambda tensor: tensor):
        output = forward(layer, x)  # noqa: F841 - kept alive so that no memory address is reused
    return sum(bytes_at.values())
