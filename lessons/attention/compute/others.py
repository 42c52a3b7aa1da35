"""Other weights, same output? A search for them at one step; and models that were trained with weights that cannot choose."""

from dataclasses import dataclass
from functools import cache

import numpy as np
import torch
from torch import Tensor

from lessons.attention.compute.wirings import ADDITIVE
from lessons.kit.checkpoints import (
    TRANSLATION,
    Tokens,
    Words,
    english,
    french,
    load_card,
    load_model,
    most_probable,
    original_run,
)
from lessons.kit.memo import memoize
from lessons.kit.references import matches_reference, reference_for
from models.recipes import RECIPES
from models.vocabulary import Vocabulary

STEPS, RATE = 60, 0.3  # of the search
FIRM = 20.0  # how hard it is pulled back when the output differs by more than is allowed
BACK = 33  # places on the way back to the own weights, where the search went too far
NOTHING_ALIKE = float(np.log(2))  # the largest divergence there is
UNIFORM, LEARNED = "translation-uniform-64", "translation-additive-64"


@dataclass(frozen=True)
class Other:
    """Weights as unlike the learned ones as the search found, whose output is as good as the same."""

    row: np.ndarray  # (T,)
    divergence: float  # Jensen–Shannon, from the learned weights: 0 the same, 0.69 nothing alike
    off: float  # total variation: the share of probability that goes to other words
    words: Words  # (8)
    probabilities: np.ndarray  # (2, 8) with the learned weights, with these


@dataclass(frozen=True)
class Trained:
    """Learned weights against weights fixed at 1/T from the first step of training on; first the learned ones."""

    steps: int
    exact: tuple[np.ndarray, np.ndarray]  # (seeds,) each, on fresh sentences of natural length
    by_length: tuple[np.ndarray, np.ndarray]  # (seeds, buckets) each
    lengths: np.ndarray  # (buckets, 2) from, to
    longest: int  # source words in training
    outputs: tuple[Words, Words]  # for this sentence, seed 0
    truth: Words | None
    right: tuple[bool | None, bool | None]


@memoize
def farthest(tokens: Tokens, t: int, allowed: float) -> Other:
    """From a start half-way to every word, and to all of them: up in divergence, while the output stays as near as allowed."""
    trace, out = original_run(ADDITIVE, tokens), load_model(ADDITIVE).out
    own, H, s = (
        each.clone() for each in (trace.weights[t - 1], trace.H, trace.s[t - 1])
    )  # (T,), (T, m), (m,)
    T = len(own)

    def output(rows: Tensor) -> Tensor:
        """P of every word (rows, V), seen with these weights (rows, T). The query is after: they reach only the output."""
        contexts = rows @ H
        return torch.softmax(out(torch.cat([contexts, s.expand_as(contexts)], -1)), -1)

    P = output(own[None])
    with torch.inference_mode(False), torch.enable_grad():
        z = ((torch.cat([torch.eye(T), torch.full((1, T), 1 / T)]) + own) / 2 + 1e-4).log().requires_grad_()
        way, mean, square = [], torch.zeros_like(z), torch.zeros_like(z)
        for step in range(1, STEPS + 1):
            way.append(rows := z.softmax(-1))
            loss = FIRM * (apart(output(rows), P) - allowed).relu() - divergence(rows, own)
            [slope] = torch.autograd.grad(loss.sum(), z)
            with (
                torch.no_grad()
            ):  # Adam, written out: torch.optim would bring 30 MB of compilers into every worker
                mean, square = torch.lerp(slope, mean, 0.9), torch.lerp(slope**2, square, 0.999)
                z -= RATE * (mean / (1 - 0.9**step)) / ((square / (1 - 0.999**step)).sqrt() + 1e-8)
    with torch.inference_mode():
        mixes = torch.linspace(1, 0, BACK)[:, None, None]
        tried = torch.cat(
            [*way, *(mixes * z.softmax(-1) + (1 - mixes) * own)]
        ).detach()  # (…, T) the way there, and back
        far = divergence(tried, own).masked_fill(apart(output(tried), P) > allowed, -1)
        best = tried[far.argmax()]
        found = output(best[None])
        words = most_probable(P[0], found[0])
        return Other(
            row=best.numpy(),
            divergence=float(divergence(best, own)),
            off=float(apart(found, P)),
            words=french(words),
            probabilities=torch.cat([P, found])[:, words].numpy(),
        )


def apart(P: Tensor, Q: Tensor) -> Tensor:
    """Total variation: half the sum of the differences, 0 to 1."""
    return (P - Q).abs().sum(-1) / 2


def divergence(a: Tensor, b: Tensor) -> Tensor:
    """Jensen–Shannon: the mean Kullback–Leibler divergence from the middle between both."""
    middle = (a + b) / 2
    return (torch.special.entr(middle) - (torch.special.entr(a) + torch.special.entr(b)) / 2).sum(-1)


def trained(tokens: Tokens) -> Trained:
    learned, even = measured(LEARNED), measured(UNIFORM)
    card = load_card(f"{LEARNED}-s0")
    truth = reference_for(TRANSLATION, english(tokens))
    traces = [original_run(f"{name}-s0", tokens) for name in (LEARNED, UNIFORM)]
    first, second = (french(token for token in trace.output if token != Vocabulary.eos) for trace in traces)
    right = matches_reference(first, truth), matches_reference(second, truth)
    return Trained(
        steps=card.recipe["steps"],
        exact=(learned[0], even[0]),
        by_length=(learned[1], even[1]),
        lengths=np.array([(row["from"], row["to"]) for row in card.metrics["by_length"]]),
        longest=card.metrics["trained_lengths"][1],
        outputs=(first, second),
        truth=truth,
        right=right,
    )


@cache
def measured(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Exact match of every seed that was trained (seeds,), and the same by length (seeds, buckets); from the cards."""
    cards = [load_card(recipe).metrics for recipe in RECIPES if recipe.startswith(f"{name}-s")]
    exact = np.array([card["natural"]["exact_match"] for card in cards])
    return exact, np.array([[row["exact_match"] for row in card["by_length"]] for card in cards])
