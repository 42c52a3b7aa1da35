"""How strongly does what comes out depend on what was inside? Autograd through the same `run` that shows everything.

The trick: an edit adds a zero to the quantity at every step. Nothing changes, but the gradient with respect to that zero
is the gradient with respect to the quantity.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from models.trace import EditError, Edits

Run = Callable[[Edits], Any]  # returns a trace with `values`
Objective = Callable[[Any], Tensor]  # of that trace


def gradient(run: Run, quantity: str, objective: Objective) -> Tensor:
    """∂y / ∂ quantity of one number y = objective(trace). Shape: that of the quantity in the trace, steps first.

    Lesson attention, shortcut.
    """
    y, zero = watched(run, quantity, objective)  # ()
    return torch.autograd.grad(y, zero)[0]


def jacobian(run: Run, quantity: str, objective: Objective) -> Tensor:
    """∂y_1 … ∂y_n / ∂ quantity of n numbers (n,) at once: (n, …).

    Lessons recurrence, gradient (h_T by h_t), and bottleneck, survive and endtoend.
    """
    y, zero = watched(run, quantity, objective)  # (n,)
    return torch.autograd.grad(y, zero, torch.eye(len(y)), is_grads_batched=True)[0]


def watched(run: Run, quantity: str, objective: Objective) -> tuple[Tensor, Tensor]:
    """The objective of a run, and the zero that was added to the quantity on the way."""
    zero = torch.zeros_like(run({}).values[quantity], requires_grad=True)
    by_step = zero.unbind()  # once: indexing at every step would build a full-sized gradient for each

    def add_zero(value: Tensor, step: int) -> Tensor:
        if value.shape == zero.shape:  # all steps at once
            return value + zero
        if value.shape == zero.shape[1:]:  # one step after another
            return value + by_step[step]
        raise EditError(f"{quantity!r} grows from step to step: give the run a target")

    return objective(run({quantity: add_zero})), zero
