"""Count the parameters of an attention layer and the numbers it computes, using real modules."""

import random
from dataclasses import dataclass

import numpy as np
import torch

from lessons.kit.contract import Result
from lessons.qkv.untrained_layer import count_parameters, untrained_attention
from models import zoo
from models.rnn import GRU
from models.trace import Tap

# product → its name in the trace
PRODUCTS = {"Q": "q", "K": "k", "V": "v", "E": "scores", "A": "weights", "Y": "out"}


@dataclass(frozen=True)
class Task:
    """An exercise with given sizes: how many parameters do W_Q, W_K and W_V have together?"""

    number: int
    d: int
    T: int

    @property
    def answer(self) -> int:
        return sum(getattr(untrained_attention(self.d, 1), f"W_{name}").numel() for name in "qkv")


def draw_task(number: int) -> Task:
    """Task 0 has d = 10 and T = 4; other tasks are random but fixed by their number."""
    generator = random.Random(f"parameters {number}")
    return Task(number, generator.randint(3, 30), generator.randint(2, 60)) if number else Task(0, 10, 4)


@dataclass(frozen=True)
class Parameters(Result):
    d: int
    T: int
    heads: int  # the largest divisor of d that is at most `asked`
    asked: int
    matrices: tuple[str, ...]
    learned: np.ndarray  # (matrices,) number of parameters in each matrix
    biases: int
    products: tuple[str, ...]
    computed: np.ndarray  # (products,) number of values in each product, for T words
    recurrent: int  # number of parameters of a GRU of the same width
    task: Task


def compute(d: int, T: int, heads: int, number: int) -> Parameters:
    """Count parameters in the modules, and computed numbers in a run over T words."""
    sharing = max(h for h in range(1, heads + 1) if d % h == 0)
    layer, tap = untrained_attention(d, sharing), Tap()
    layer(torch.zeros(T, d), torch.zeros(T, d), tap=tap)
    with zoo.RNG_LOCK, torch.random.fork_rng(devices=[]):
        recurrent = count_parameters(GRU(d, d))
    return Parameters(
        d=d,
        T=T,
        heads=sharing,
        asked=heads,
        matrices=tuple(f"W_{name.upper()}" for name in "qkvo"),
        learned=np.array([getattr(layer, f"W_{name}").numel() for name in "qkvo"]),
        biases=sum(getattr(layer, f"b_{name}").numel() for name in "qkvo"),
        products=tuple(PRODUCTS),
        computed=np.array([tap.last(name).numel() for name in PRODUCTS.values()]),
        recurrent=recurrent,
        task=draw_task(number),
    )
