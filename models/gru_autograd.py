"""A GRU over whole sequences with a hand-written gradient, for faster training on the CPU.

Autograd differentiates step by step. Here all steps are computed at once, except the part of each step that
depends on the gradient of the next step: one matrix product per step.
"""

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn import functional as F

from models.dynamic_types import AutogradContext


class GRUFunction(torch.autograd.Function):
    """All states of a GRU: x (B, T, P), h_0 (B, m) and the weights → all h (B, T, m)"""

    @staticmethod
    def forward(
        ctx: AutogradContext, x: Tensor, h_0: Tensor, W_xh: Tensor, W_hh: Tensor, b_h: Tensor, b_hh: Tensor
    ) -> Tensor:
        x, m = x.transpose(0, 1), h_0.shape[-1]  # time becomes the first axis
        from_input = F.linear(x, W_xh, b_h)  # (T, B, 3m)
        H = torch.cat([h_0[None], x.new_empty(len(x), *h_0.shape)])  # (T + 1, B, m)
        gates, h_n, n = (x.new_empty(len(x), len(h_0), size) for size in (2 * m, m, m))
        x_gates, x_n = from_input.split([2 * m, m], -1)
        for t, h_prev in enumerate(H[:-1].unbind()):
            h_gates, from_memory = torch.addmm(b_hh, h_prev, W_hh.t()).split([2 * m, m], -1)
            r, z = torch.sigmoid(x_gates[t] + h_gates, out=gates[t]).chunk(2, -1)
            h_n[t] = from_memory
            torch.tanh(torch.addcmul(x_n[t], r, from_memory), out=n[t])
            torch.lerp(n[t], h_prev, z, out=H[t + 1])
        ctx.save_for_backward(x, H, gates, h_n, n, W_xh, W_hh)
        return H[1:].transpose(0, 1)

    @staticmethod
    @once_differentiable
    def backward(ctx: AutogradContext, *grad_outputs: Tensor) -> tuple[Tensor, ...]:
        x, H, gates, h_n, n, W_xh, W_hh = ctx.saved_tensors
        r, z = gates.chunk(2, -1)  # (T, B, m) each
        by_n = (1 - z) * (1 - n * n)  # ∂h_t / ∂(input of the tanh)
        by_z = (H[:-1] - n) * z * (1 - z)  # ∂h_t / ∂(input of the update gate's σ)
        by_r = by_n * h_n * r * (1 - r)  # ∂h_t / ∂(input of the reset gate's σ)
        slopes = torch.stack([by_r, by_z, by_n * r], 2)  # (T, B, 3, m)
        d_memory = torch.empty_like(slopes)
        d_h = grad_outputs[0].transpose(0, 1).contiguous()  # (T, B, m); the loop adds later steps' part
        for t in range(len(x) - 1, -1, -1):
            step = torch.mul(slopes[t], d_h[t].unsqueeze(1), out=d_memory[t]).flatten(1)  # (B, 3m)
            d_prev = torch.addmm(d_h[t] * z[t], step, W_hh)
            if t:
                d_h[t - 1] += d_prev
        d_input = torch.cat([d_memory[:, :, :2].flatten(2), d_h * by_n], -1).flatten(0, 1)  # (T B, 3m)
        d_memory = d_memory.flatten(0, 1).flatten(1)  # (T B, 3m)
        d_x = (d_input @ W_xh).unflatten(0, x.shape[:2]).transpose(0, 1)
        d_W = d_input.t() @ x.flatten(0, 1), d_memory.t() @ H[:-1].flatten(0, 1)
        return d_x, d_prev, *d_W, d_input.sum(0), d_memory.sum(0)
