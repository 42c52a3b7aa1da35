"""How strongly does what comes out depend on what was inside? Autograd through the same `run` that shows everything.

The trick: an edit adds a zero to the quantity at every step. Nothing changes, but the gradient with respect to that zero
is the gradient with respect to the quantity.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from models.dynamic_types import AnyTrace
from models.trace import EditError, Edits

Run = Callable[[Edits], AnyTrace]  # returns a trace with `values`
Objective = Callable[[AnyTrace], Tensor]  # of that trace


def gradient(run: Run, quantity: str, objective: Objective) -> Tensor:
    """∂y / ∂ quantity of one number y = objective(trace). Shape: that of the quantity in the trace, steps first.

    Lesson attention, shortcut.
    """
    y, zeros, whole = run_with_zeros(run, quantity, objective)  # ()
    found = torch.autograd.grad(y, zeros, materialize_grads=True)
    return found[0] if whole else torch.stack(found)


def jacobian(run: Run, quantity: str, objective: Objective) -> Tensor:
    """∂y_1 … ∂y_n / ∂ quantity of n numbers (n,) at once: (n, …).

    Lesson bottleneck, survive and endtoend.
    """
    y, zeros, whole = run_with_zeros(run, quantity, objective)  # (n,)
    found = torch.autograd.grad(y, zeros, torch.eye(len(y)), is_grads_batched=True, materialize_grads=True)
    by_step = [
        grad.expand(len(y), *zero.shape) for grad, zero in zip(found, zeros, strict=True)
    ]  # without effect there is one 0
    return by_step[0] if whole else torch.stack(by_step, 1)


def run_with_zeros(run: Run, quantity: str, objective: Objective) -> tuple[Tensor, list[Tensor], bool]:
    """The objective of a run, the zeros that were added to the quantity on the way, and whether one was for the whole sentence."""
    zeros: dict[int, Tensor] = {}  # by step

    def add_zero(value: Tensor, step: int) -> Tensor:
        zeros[step] = torch.zeros_like(value, requires_grad=True)
        if zeros[step].shape != next(iter(zeros.values())).shape:
            raise EditError(f"{quantity!r} grows from step to step: give the run a target")
        return value + zeros[step]

    trace = run({quantity: add_zero})
    by_step = [zeros[step] for step in sorted(zeros)]
    return objective(trace), by_step, by_step[0].shape == trace.values[quantity].shape
