"""Gradients of a result with respect to any quantity inside a run, by autograd.

An edit adds a zero to the quantity at every step. This changes no value, and the gradient with respect to the
zero is the gradient with respect to the quantity.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from models.dynamic_types import AnyTrace
from models.trace import EditError, Edits

Run = Callable[[Edits], AnyTrace]  # returns a trace with `values`
Objective = Callable[[AnyTrace], Tensor]  # the result to differentiate, computed from that trace


def gradient(run: Run, quantity: str, objective: Objective) -> Tensor:
    """∂y / ∂ quantity for one number y = objective(trace), in the shape of the quantity, steps first."""
    y, zeros, is_whole = run_with_zeros(run, quantity, objective)  # y is a single number
    gradients = torch.autograd.grad(y, zeros, materialize_grads=True)
    return gradients[0] if is_whole else torch.stack(gradients)


def jacobian(run: Run, quantity: str, objective: Objective) -> Tensor:
    """∂y_1 … ∂y_n / ∂ quantity for n numbers y = objective(trace): (n, …).

    Used in lessons `bottleneck` (experiments `survive` and `endtoend`) and `attention` (`shortcut`).
    """
    y, zeros, is_whole = run_with_zeros(run, quantity, objective)  # (n,)

    def weighted_gradient(weights: Tensor) -> tuple[Tensor, ...]:
        """∂(weights · y) / ∂ zeros. The hook replaces ∂Σy / ∂y: `grad_outputs` would import sympy (38 MB)."""
        hook = y.register_hook(lambda _: weights)
        try:
            return torch.autograd.grad(y.sum(), zeros, retain_graph=True, materialize_grads=True)
        finally:
            hook.remove()

    rows = torch.vmap(weighted_gradient)(torch.eye(len(y)))
    # autograd returns a single 0 for a quantity that has no effect: expand it to the full shape
    by_step = [row.expand(len(y), *zero.shape) for row, zero in zip(rows, zeros, strict=True)]
    return by_step[0] if is_whole else torch.stack(by_step, 1)


def run_with_zeros(run: Run, quantity: str, objective: Objective) -> tuple[Tensor, list[Tensor], bool]:
    """Run with a zero added to the quantity at every step.

    Returns the objective, the zeros by step, and whether a single zero covers the whole sentence.
    """
    zeros: dict[int, Tensor] = {}  # step → zero

    def add_zero(value: Tensor, step: int) -> Tensor:
        zeros[step] = torch.zeros_like(value, requires_grad=True)
        if zeros[step].shape != next(iter(zeros.values())).shape:
            raise EditError(f"{quantity!r} grows from step to step: give the run a target")
        return value + zeros[step]

    trace = run({quantity: add_zero})
    by_step = [zeros[step] for step in sorted(zeros)]
    return objective(trace), by_step, by_step[0].shape == trace.values[quantity].shape
