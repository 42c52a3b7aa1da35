"""Search for weights as different as possible from the learned ones that give nearly the same output."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from lessons.attention.translators import ADDITIVE
from lessons.kit.checkpoints import Tokens, Words, most_probable
from lessons.kit.memo import memoize

SEARCH_STEPS, LEARNING_RATE = 60, 0.3
PENALTY = 20.0  # weight of the penalty for output that differs more than allowed
BACK_STEPS = 41  # mixes with the learned weights to test, in case the search went too far
MAX_DIVERGENCE = float(np.log(2))  # nats; divergence of two rows with no word in common


@dataclass(frozen=True)
class Other:
    """The weights that the search found, and the model's output with them."""

    row: np.ndarray  # (T,)
    divergence: float  # Jensen–Shannon divergence from the learned weights, in nats
    off: float  # total variation distance between the two output distributions
    words: Words  # (8)
    probabilities: np.ndarray  # (2, 8) with the learned weights, with the weights found


@memoize
def find_other_weights(tokens: Tokens, t: int, allowed: float) -> Other:
    """Maximise the divergence by gradient ascent, starting half-way to each word and to uniform weights.

    Of all weights visited, and of mixes of the learned weights with the final and with uniform weights,
    return those that differ most from the learned weights while the output differs by at most `allowed`.
    """
    trace, out = ADDITIVE.run(tokens), ADDITIVE.model.out
    own, H, s = (
        each.clone() for each in (trace.weights[t - 1], trace.H, trace.s[t - 1])
    )  # (T,), (T, m), (m,)
    T = len(own)

    def output(rows: Tensor) -> Tensor:
        """P (rows, V) for weights (rows, T). The query is s_t, so weights affect only the output layer."""
        contexts = rows @ H
        return torch.softmax(out(torch.cat([contexts, s.expand_as(contexts)], -1)), -1)

    P = output(own[None])
    with torch.inference_mode(False), torch.enable_grad():
        z = ((torch.cat([torch.eye(T), torch.full((1, T), 1 / T)]) + own) / 2 + 1e-4).log().requires_grad_()
        path, path_off, mean, square = [], [], torch.zeros_like(z), torch.zeros_like(z)
        for step in range(1, SEARCH_STEPS + 1):
            path.append(rows := z.softmax(-1))
            path_off.append(off := total_variation(output(rows), P))
            excess = (off - allowed).relu()
            [slope] = torch.autograd.grad((PENALTY * excess - js_divergence(rows, own)).sum(), z)
            with torch.no_grad():  # Adam written out: importing torch.optim costs each worker 30 MB
                mean, square = torch.lerp(slope, mean, 0.9), torch.lerp(slope**2, square, 0.999)
                z -= LEARNING_RATE * (mean / (1 - 0.9**step)) / ((square / (1 - 0.999**step)).sqrt() + 1e-8)
    with torch.inference_mode():
        mixes = torch.linspace(1, 0, BACK_STEPS)[:, None, None]
        ends = torch.cat([z.softmax(-1), torch.full((1, T), 1 / T)])
        back = (mixes * ends + (1 - mixes) * own).flatten(0, 1)
        candidates = torch.cat([*path, back]).detach()  # (…, T)
        is_too_far = torch.cat([*path_off, total_variation(output(back), P)]).detach() > allowed
        best = candidates[js_divergence(candidates, own).masked_fill(is_too_far, -1).argmax()]
        best_P = output(best[None])
        words = most_probable(P[0], best_P[0])
        return Other(
            row=best.numpy(),
            divergence=float(js_divergence(best, own)),
            off=float(total_variation(best_P, P)),
            words=ADDITIVE.task.target.tokens(words),
            probabilities=torch.cat([P, best_P])[:, words].numpy(),
        )


def total_variation(P: Tensor, Q: Tensor) -> Tensor:
    """Total variation distance: half the sum of the absolute differences, between 0 and 1."""
    return (P - Q).abs().sum(-1) / 2


def js_divergence(a: Tensor, b: Tensor) -> Tensor:
    """Jensen–Shannon divergence in nats: the mean KL divergence of both rows from their mean."""
    mean = (a + b) / 2
    return (torch.special.entr(mean) - (torch.special.entr(a) + torch.special.entr(b)) / 2).sum(-1)
