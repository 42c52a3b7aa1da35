"""How strongly does what comes out depend on what was inside? Autograd through the same `run` that shows everything.

The trick: an edit adds a zero to the quantity at every step. Nothing changes, but the gradient with respect to that zero
is the gradient with respect to the quantity.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from models.trace import EditError, Edits


def gradient(run: Callable[[Edits], Any], quantity: str, objective: Callable[[Any], Tensor]) -> Tensor:
    """∂ objective(trace) / ∂ quantity, where `run(edits)` returns a trace with `values`.

    Shape: that of the quantity in the trace, steps first; for an objective of n numbers, (n, …).
    Lessons recurrence R6 (h_T by h_t), bottleneck B7 and B8, attention A6.
    """
    zero = torch.zeros_like(run({}).values[quantity], requires_grad=True)
    by_step = zero.unbind()  # once: indexing at every step would build a full-sized gradient for each

    def add_zero(value: Tensor, step: int) -> Tensor:
        if value.shape == zero.shape:  # all steps at once
            return value + zero
        if value.shape == zero.shape[1:]:  # one step after another
            return value + by_step[step]
        raise EditError(f"{quantity!r} grows from step to step: give the run a target")

    y = objective(run({quantity: add_zero}))
    if y.dim() == 0:
        return torch.autograd.grad(y, zero)[0]
    return torch.autograd.grad(y, zero, torch.eye(len(y)), is_grads_batched=True)[0]
