"""Which machine part computes. Single sentences stay on the CPU: a launch costs more than the sum. Training may move."""

import os

import torch


def best_device() -> str:
    """The environment's choice (SEQ2SEE_DEVICE), else the first accelerator there is, else the CPU."""
    chosen = os.environ.get("SEQ2SEE_DEVICE")
    if chosen:
        return chosen
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"
