"""Filters between the model and the dice: pure functions on logits. Lesson decoding, filters.

Each takes logits (..., V) and returns new ones of the same shape; a removed word has logit -inf. None of them knows a model:
with the logits of a step at hand, every slider can move without running anything again.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from models.vocabulary import InputError

NEVER = -math.inf
COLD = 1e-6  # below this, a temperature counts as 0
ROUNDING = 1e-12  # ten words of probability 0.1 hold 0.6 in six words, whatever the last binary digit says

Boost = Mapping[int, float] | Iterable[tuple[int, float]]


def temper(logits: Tensor, temperature: float) -> Tensor:
    """z / τ. Small τ favours the likely words, large τ evens them out; τ = 0 is the limit: only the best word is left."""
    _check("The temperature", temperature)
    return _keep_best(logits, 1) if temperature < COLD else logits / temperature


def top_k(logits: Tensor, k: int) -> Tensor:
    """Only the k best words; k = 0 removes nothing. Of equal words the lower id goes first."""
    _check("k", k, whole=True)
    return logits if k == 0 or k >= logits.shape[-1] else _keep_best(logits, k)


def top_p(logits: Tensor, p: float) -> Tensor:
    """The nucleus: the fewest best words that hold probability p together. A top-k whose k follows the distribution."""
    _check("p", p, most=1)
    if p == 1:
        return logits
    ordered, words = logits.sort(dim=-1, descending=True, stable=True)  # (..., V) best first
    mass = ordered.softmax(-1, dtype=torch.float64).cumsum(-1)  # (..., V) held by the best 1, 2, ... words
    k = 1 + (mass < p - ROUNDING).sum(-1, keepdim=True)  # (..., 1)
    beyond = torch.arange(logits.shape[-1]) >= k  # (..., V) in that order
    return logits.masked_fill(torch.empty_like(beyond).scatter(-1, words, beyond), NEVER)


def min_p(logits: Tensor, fraction: float) -> Tensor:
    """Only words at least this fraction as probable as the best one; 0 removes nothing. (Nguyen et al. 2024)"""
    _check("min-p", fraction, most=1)
    if fraction == 0:
        return logits
    floor = logits.max(-1, keepdim=True).values + math.log(fraction) - ROUNDING  # (..., 1)
    return logits.masked_fill(logits < floor, NEVER)


def penalise(logits: Tensor, history: Sequence[int], penalty: float) -> Tensor:
    """Words already written: z / penalty where z > 0, z · penalty where z < 0. Penalty 1 changes nothing, below 1 it invites.

    It depends on where zero lies: the same distribution with other logits is penalised differently.
    """
    _check("The repetition penalty", penalty, least=0.01, most=100)
    if penalty == 1 or not history:
        return logits
    seen = _ids(dict.fromkeys(history), logits)  # (n,) different words
    z = logits[..., seen]  # (..., n)
    return logits.index_copy(-1, seen, torch.where(z > 0, z / penalty, z * penalty))


def no_repeat(logits: Tensor, history: Sequence[int], n: int) -> Tensor:
    """No n words in a row twice: removes each word that would complete an n-gram of the history. n = 0 removes nothing."""
    _check("The length of phrases that may not repeat", n, whole=True)
    if n == 0:
        return logits
    start = tuple(history[len(history) - n + 1 :]) if n > 1 else ()  # the last n - 1 words
    grams = [tuple(history[i : i + n]) for i in range(len(history) - n + 1)]
    return _remove(
        logits, [gram[-1] for gram in grams if gram[:-1] == start], "Allow shorter phrases to repeat."
    )


def adjust(logits: Tensor, ban: Iterable[int] = (), boost: Boost = ()) -> Tensor:
    """Adds to the logits of some words and removes others. A banned word stays banned, whatever its boost."""
    boost = dict(boost)
    for amount in boost.values():
        _check("A boost", amount, least=-1000, most=1000)
    if boost:
        amounts = torch.tensor(list(boost.values()), dtype=logits.dtype)  # (n,)
        logits = logits.index_add(-1, _ids(boost, logits), amounts.expand(*logits.shape[:-1], -1))
    return _remove(logits, list(ban), "Allow at least one possible word.")


@dataclass(frozen=True)
class Settings:
    """All filters' settings. As they stand, nothing is changed or removed."""

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    penalty: float = 1.0
    no_repeat: int = 0
    ban: tuple[int, ...] = ()
    boost: tuple[tuple[int, float], ...] = ()
    min_p: float = 0.0


STAGES = ("logits", "adjusted", "penalised", "tempered", "top-k", "top-p", "min-p", "renormalised")


@dataclass(frozen=True)
class Stage:
    """The next word's distribution after one filter.

    After a cut (top-k, top-p, min-p) the words left still have the probabilities they had when tempered, so the bars sum to less
    than 1; the last stage shares out what was removed.
    """

    name: str  # one of STAGES
    logits: Tensor  # (V,)
    probabilities: Tensor  # (V,)
    removed: Tensor  # (V,) bool: removed here or before, or impossible from the start


def stages(logits: Tensor, settings: Settings, history: Sequence[int] = ()) -> tuple[Stage, ...]:
    """Every stage from the model's logits (V,) to the distribution that is sampled from. top-p counts shares of what top-k left."""
    found: list[Stage] = []
    for name, z in filtered(logits.unsqueeze(0), settings, [history]):
        z = z.squeeze(0)  # (V,)
        removed = z == NEVER
        cut = name in ("top-k", "top-p", "min-p")
        probabilities = found[-1].probabilities.masked_fill(removed, 0) if cut else z.softmax(-1)
        found.append(Stage(name, z, probabilities, removed))
    return tuple(found)


def filtered(
    logits: Tensor, settings: Settings, histories: Sequence[Sequence[int]]
) -> Iterator[tuple[str, Tensor]]:
    """The name and logits (k, V) of each stage, for k hypotheses with a history each, in double precision."""
    z = logits.double()  # (k, V)
    best = z.max(-1).values  # (k,)
    if not best.isfinite().all():
        raise InputError(
            "The model's logits are not numbers any more, or no word is possible. Undo the last change."
        )
    yield "logits", z
    z = adjust(z, settings.ban, settings.boost)
    yield "adjusted", z
    if settings.penalty != 1 or settings.no_repeat:
        rows = zip(z.unbind(0), histories, strict=True)
        z = torch.stack(
            [no_repeat(penalise(row, past, settings.penalty), past, settings.no_repeat) for row, past in rows]
        )
    yield "penalised", z
    z = temper(z, settings.temperature)
    yield "tempered", z
    z = top_k(z, settings.top_k)
    yield "top-k", z
    z = top_p(z, settings.top_p)
    yield "top-p", z
    z = min_p(z, settings.min_p)
    yield "min-p", z
    yield "renormalised", z


def entropy(probabilities: Tensor) -> Tensor:
    """H = -Σ p log₂ p, in bits, after p is made to sum to 1. n equally likely words have log₂ n bits. (..., V) -> (...)"""
    p = probabilities / probabilities.sum(-1, keepdim=True)  # (..., V)
    return -torch.special.xlogy(p, p).sum(-1) / math.log(2)


def ranks(values: Tensor) -> Tensor:
    """The place of each value from the largest, 0, 1, ...; of equal values the first goes first. (..., V) -> (..., V)"""
    order = values.sort(
        dim=-1, descending=True, stable=True
    ).indices  # (..., V) the best, the second best, ...
    places = torch.arange(values.shape[-1]).expand_as(order)
    return torch.empty_like(order).scatter(-1, order, places)


def _keep_best(logits: Tensor, k: int) -> Tensor:
    return logits.masked_fill(ranks(logits) >= k, NEVER)


def _remove(logits: Tensor, ids: Sequence[int], advice: str) -> Tensor:
    if not ids:
        return logits
    left = logits.index_fill(-1, _ids(ids, logits), NEVER)
    if (left.max(-1).values == NEVER).any():
        raise InputError(f"No word is left to choose from. {advice}")
    return left


def _ids(ids: Iterable[int], logits: Tensor) -> Tensor:
    ids = list(ids)
    for token in ids:
        if not 0 <= token < logits.shape[-1]:
            raise InputError(f"There is no word number {token}. Use 0 to {logits.shape[-1] - 1}.")
    return torch.tensor(ids, dtype=torch.long)


def _check(name: str, value: float, least: float = 0, most: float = math.inf, whole: bool = False) -> None:
    """A setting met at the door."""
    if not (math.isfinite(value) and least <= value <= most and (not whole or value == int(value))):
        limits = f"from {least} to {most}" if most < math.inf else f"of at least {least}"
        raise InputError(f"{name} is {value}. Use a {'whole ' * whole}number {limits}.")
