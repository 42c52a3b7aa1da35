"""All contexts at once. Which product of S and H does what the loop over target steps does?"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.kit.contract import Result
from lessons.qkv.compute.layer import largest
from models.attention import Dot, attend


@dataclass(frozen=True)
class Expression:
    """softmax(first · second) · third"""

    first: str
    second: str
    third: str
    over: int | None = -1  # the softmax's axis: along each row, along each column (-2), or none


EXPRESSIONS = {
    "softmax(S Hᵀ) H": Expression("S", "Hᵀ", "H"),
    "softmax(H Sᵀ) H": Expression("H", "Sᵀ", "H"),
    "softmax(Hᵀ S) H": Expression("Hᵀ", "S", "H"),
    "softmax(S Hᵀ) S": Expression("S", "Hᵀ", "S"),
    "softmax over columns (S Hᵀ) H": Expression("S", "Hᵀ", "H", -2),
    "S Hᵀ H": Expression("S", "Hᵀ", "H", None),
}
SIZES = (8, 16, 32, 64, 128, 256)  # of T = T' while measuring
WIDTH = 64  # m while measuring
CALLS = 3  # of torch for one set of contexts: scores, softmax, weighted sum
LONGEST = 6.0  # seconds of measuring


@dataclass(frozen=True)
class Swoop(Result):
    expression: str
    names: tuple[str, str, str]  # the factors
    factors: tuple[np.ndarray, np.ndarray, np.ndarray]
    scores: np.ndarray | None  # first · second, if that is defined
    weights: np.ndarray | None  # after the softmax
    made: np.ndarray | None  # the whole expression, if it is defined
    contexts: np.ndarray  # (T', m) by the loop
    difference: float | None  # the largest, if both have one shape
    fault: str  # why it is not C; "" if it is
    sizes: tuple[int, ...] = SIZES
    calls: tuple[tuple[int, ...], ...] = (
        tuple(CALLS * T for T in SIZES),
        (CALLS,) * len(SIZES),
    )  # by loop, at once
    measured: np.ndarray | None = None  # (2, sizes) milliseconds, by a job

    def numbers(self) -> dict[str, Any]:
        return {
            name: value for name, value in super().numbers().items() if name != "measured"
        }  # a clock is never the same


def by_loop(S: Tensor, H: Tensor) -> Tensor:
    """c_t = Σ_i α_ti h_i, one target step after another, as in lesson attention: (T', m)"""
    score = Dot(H.shape[-1])
    return torch.stack([attend(score, s_t, score.keys(H), H) for s_t in S])


def at_once(S: Tensor, H: Tensor) -> Tensor:
    """The same, no step waiting for another: (T', m)"""
    return torch.softmax(S @ H.T, -1) @ H


def swoop(expression: str, T: int, steps: int, m: int, seed: int) -> Swoop:
    """H (T, m) and S (T', m) drawn by chance, through the expression and through the loop."""
    chance = torch.Generator().manual_seed(seed)
    S, H = (torch.randn(rows, m, generator=chance).double() for rows in (steps, T))
    parts, chosen = {"S": S, "H": H, "Sᵀ": S.T, "Hᵀ": H.T}, EXPRESSIONS[expression]
    names = (chosen.first, chosen.second, chosen.third)
    first, second, third = (parts[name] for name in names)
    scores = weights = made = difference = None
    contexts = by_loop(S, H)
    fault = clash(names[0], names[1], first, second)
    if not fault:
        scores = first @ second
        weights = scores if chosen.over is None else torch.softmax(scores, chosen.over)
        product = f"{'' if chosen.over is None else 'softmax of '}{names[0]} {names[1]}"
        fault = clash(product, names[2], weights, third)
    if weights is not None and not fault:
        made = weights @ third
        if made.shape != contexts.shape:
            fault = f"It is {size(made)}, but T′ contexts of m numbers are {size(contexts)}."
        else:
            difference = largest(made, contexts)
            fault = "" if difference < 1e-9 else "The shape fits, but the numbers do not."
    E, A, Y = (None if each is None else each.numpy() for each in (scores, weights, made))
    return Swoop(
        expression,
        names,
        (first.numpy(), second.numpy(), third.numpy()),
        E,
        A,
        Y,
        contexts.numpy(),
        difference,
        fault,
    )


def clash(left: str, right: str, a: Tensor, b: Tensor) -> str:
    """Why a · b is not defined, if it is not."""
    if a.shape[1] == b.shape[0]:
        return ""
    columns, rows = a.shape[1], b.shape[0]
    sizes = f"{columns} column{'s' * (columns != 1)} cannot meet {rows} row{'s' * (rows != 1)}"
    return f"{left} is {size(a)} and {right} is {size(b)}: {sizes}."


def size(matrix: Tensor) -> str:
    return f"{matrix.shape[0]}×{matrix.shape[1]}"


# ---- measured ----


def measure(expression: str, T: int, steps: int, m: int, seed: int) -> Iterator[tuple[float, Swoop]]:
    """The loop against all at once, on longer and longer sentences."""
    shown, measured, began = (
        swoop(expression, T, steps, m, seed),
        np.full((2, len(SIZES)), np.nan),
        time.perf_counter(),
    )
    for n, length in enumerate(SIZES):
        S, H = torch.randn(2, length, WIDTH, generator=torch.Generator().manual_seed(seed))
        for row, way in enumerate((by_loop, at_once)):
            measured[row, n] = milliseconds(partial(way, S, H))
        yield (n + 1) / len(SIZES), replace(shown, measured=measured.copy())
        if time.perf_counter() - began > LONGEST:
            return


def milliseconds(work: Callable[[], Any], most: float = 0.12, least: int = 3) -> float:
    """The quickest of some runs, after one to warm up: other work on the machine can only slow a run down."""
    work()
    best, began, runs = math.inf, time.perf_counter(), 0
    while runs < least or time.perf_counter() - began < most:
        start = time.perf_counter()
        work()
        best, runs = min(best, time.perf_counter() - start), runs + 1
    return 1000 * best
