"""Choose the training device. Single sentences run on the CPU, which is faster for small models."""

import os

import torch


def best_device() -> str:
    """The device named in SEQ2SEE_DEVICE, else CUDA or MPS if available, else the CPU."""
    if device := os.environ.get("SEQ2SEE_DEVICE"):
        return device
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"
