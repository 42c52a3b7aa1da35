"""Compare expressions in S and H with the contexts computed by a loop over target steps."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.kit.contract import Result
from lessons.qkv.attention_layer import max_difference
from lessons.qkv.timing import fastest_ms
from models.attention import Dot, attend


@dataclass(frozen=True)
class Expression:
    """An expression of the form softmax(first · second) · third."""

    first: str
    second: str
    third: str
    softmax_axis: int | None = -1  # softmax over each row (-1), each column (-2), or none


EXPRESSIONS = {
    "softmax(S Hᵀ) H": Expression("S", "Hᵀ", "H"),
    "softmax(H Sᵀ) H": Expression("H", "Sᵀ", "H"),
    "softmax(Hᵀ S) H": Expression("Hᵀ", "S", "H"),
    "softmax(S Hᵀ) S": Expression("S", "Hᵀ", "S"),
    "softmax over columns (S Hᵀ) H": Expression("S", "Hᵀ", "H", -2),
    "S Hᵀ H": Expression("S", "Hᵀ", "H", None),
}
LENGTHS = (8, 16, 32, 64, 128, 256)  # T = T' in the timing measurement
MEASURED_WIDTH = 64  # m in the timing measurement
CALLS = 3  # torch calls per set of contexts: scores, softmax, weighted sum
MAX_SECONDS = 6.0  # time limit for measuring


@dataclass(frozen=True)
class Swoop(Result):
    expression: str
    names: tuple[str, str, str]  # names of the factors
    factors: tuple[np.ndarray, np.ndarray, np.ndarray]
    scores: np.ndarray | None  # first · second, if defined
    weights: np.ndarray | None  # first · second after the softmax
    made: np.ndarray | None  # result of the whole expression, if defined
    contexts: np.ndarray  # (T', m) contexts computed by the loop
    difference: float | None  # largest absolute difference, if the shapes agree
    fault: str  # why the expression does not equal C; "" if it does
    sizes: tuple[int, ...] = LENGTHS
    calls: tuple[tuple[int, ...], ...] = (
        tuple(CALLS * T for T in LENGTHS),
        (CALLS,) * len(LENGTHS),
    )  # number of calls: with the loop, in one product
    measured: np.ndarray | None = None  # (2, lengths) milliseconds measured by the job

    def numbers(self) -> dict[str, Any]:
        """All numbers except measured times, which differ from run to run."""
        return {name: value for name, value in super().numbers().items() if name != "measured"}


def by_loop(S: Tensor, H: Tensor) -> Tensor:
    """c_t = Σ_i α_ti h_i, one target step at a time, as in lesson `attention`: (T', m)"""
    score = Dot(H.shape[-1])
    return torch.stack([attend(score, s_t, score.keys(H), H) for s_t in S])


def at_once(S: Tensor, H: Tensor) -> Tensor:
    """Compute the same contexts in one product: (T', m)."""
    return torch.softmax(S @ H.T, -1) @ H


def compute(expression: str, T: int, steps: int, m: int, seed: int) -> Swoop:
    """Evaluate the expression for random S (T', m) and H (T, m) and compare it with the loop."""
    generator = torch.Generator().manual_seed(seed)
    S, H = (torch.randn(rows, m, generator=generator).double() for rows in (steps, T))
    matrices, chosen = {"S": S, "H": H, "Sᵀ": S.T, "Hᵀ": H.T}, EXPRESSIONS[expression]
    names = (chosen.first, chosen.second, chosen.third)
    first, second, third = (matrices[name] for name in names)
    scores = weights = value = difference = None
    contexts = by_loop(S, H)
    fault = describe_misfit(names[0], names[1], first, second)
    if not fault:
        scores = first @ second
        weights = scores if chosen.softmax_axis is None else torch.softmax(scores, chosen.softmax_axis)
        product = f"{'' if chosen.softmax_axis is None else 'softmax of '}{names[0]} {names[1]}"
        fault = describe_misfit(product, names[2], weights, third)
    if weights is not None and not fault:
        value = weights @ third
        if value.shape != contexts.shape:
            fault = f"Its shape is {write_shape(value)}, but C has shape {write_shape(contexts)}."
        else:
            difference = max_difference(value, contexts)
            fault = "" if difference < 1e-9 else "The shape is right, but the numbers are wrong."
    E, A, Y = (None if each is None else each.numpy() for each in (scores, weights, value))
    factors = (first.numpy(), second.numpy(), third.numpy())
    return Swoop(expression, names, factors, E, A, Y, contexts.numpy(), difference, fault)


def describe_misfit(left: str, right: str, a: Tensor, b: Tensor) -> str:
    """Explain why a · b is not defined; "" if it is."""
    columns, rows = a.shape[1], b.shape[0]
    if columns == rows:
        return ""
    verb = "does" if columns == 1 else "do"
    sizes = f"{columns} column{'s' * (columns != 1)} {verb} not fit {rows} row{'s' * (rows != 1)}"
    return f"{left} is {write_shape(a)} and {right} is {write_shape(b)}: {sizes}."


def write_shape(matrix: Tensor) -> str:
    return f"{matrix.shape[0]}×{matrix.shape[1]}"


def measure(expression: str, T: int, steps: int, m: int, seed: int) -> Iterator[tuple[float, Swoop]]:
    """Time the loop and the single product on increasingly long sentences."""
    run, measured = compute(expression, T, steps, m, seed), np.full((2, len(LENGTHS)), np.nan)
    began = time.perf_counter()
    for n, length in enumerate(LENGTHS):
        S, H = torch.randn(2, length, MEASURED_WIDTH, generator=torch.Generator().manual_seed(seed))
        for row, method in enumerate((by_loop, at_once)):
            measured[row, n] = fastest_ms(partial(method, S, H))
        yield (n + 1) / len(LENGTHS), replace(run, measured=measured.copy())
        if time.perf_counter() - began > MAX_SECONDS:
            return
