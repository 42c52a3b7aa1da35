"""Choose the training device. Single sentences run on the CPU, which is faster for small models."""

import os
from collections.abc import Callable, Iterator
from functools import wraps
from typing import ParamSpec, TypeVar

import torch

P = ParamSpec("P")
T = TypeVar("T")


def best_device() -> str:
    """The device named in SEQ2SEE_DEVICE, else CUDA or MPS if available, else the CPU."""
    if device := os.environ.get("SEQ2SEE_DEVICE"):
        return device
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def is_zero_gpu() -> bool:
    """Whether this is a ZeroGPU Space, whose shared GPU is available only to functions that request it."""
    return os.environ.get("SPACES_ZERO_GPU", "").lower() in ("1", "t", "true")


def with_gpu(train: Callable[P, Iterator[T]]) -> Callable[P, Iterator[T]]:
    """Make a training function request the GPU of a ZeroGPU Space; elsewhere return it unchanged."""
    if not is_zero_gpu():
        return train
    import spaces

    @wraps(train)
    # a generator, so that results are sent one by one
    def run(*args: P.args, **controls: P.kwargs) -> Iterator[T]:
        yield from train(*args, **controls)

    asking: Callable[P, Iterator[T]] = spaces.GPU(run)
    return asking
