"""Filters of the next-word distribution: pure functions on logits (lesson `decoding`, `filters`).

Each filter takes logits (..., V) and returns new logits of the same shape; removed words get the logit -inf.
No filter needs the model, so settings can change without running the model again.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from models.vocabulary import InputError

NEVER = -math.inf
ZERO_TEMPERATURE = 1e-6  # lower temperatures count as 0
ROUNDING = 1e-12  # tolerance: six words of probability 0.1 must reach p = 0.6 despite rounding
INVALID_LOGITS = "The model's logits are not numbers any more, or no word is possible. Undo the last change."

Boost = Mapping[int, float] | Iterable[tuple[int, float]]


def temper(logits: Tensor, temperature: float) -> Tensor:
    """Divide by the temperature: z / τ. A small τ favours likely words; τ = 0 leaves only the best word."""
    _check("The temperature", temperature)
    return _keep_best(logits, 1) if temperature < ZERO_TEMPERATURE else logits / temperature


def top_k(logits: Tensor, k: int) -> Tensor:
    """Keep the k best words; k = 0 removes nothing. Ties go to the lower id."""
    _check("k", k, whole=True)
    return logits if k == 0 or k >= logits.shape[-1] else _keep_best(logits, k)


def top_p(logits: Tensor, p: float) -> Tensor:
    """Keep the nucleus: the fewest best words whose probabilities add up to at least p."""
    _check("p", p, most=1)
    if p == 1:
        return logits
    ordered, words = logits.sort(dim=-1, descending=True, stable=True)  # (..., V) best first
    mass = ordered.softmax(-1, dtype=torch.float64).cumsum(-1)  # (..., V) total of the best 1, 2, ... words
    k = 1 + (mass < p - ROUNDING).sum(-1, keepdim=True)  # (..., 1)
    beyond = torch.arange(logits.shape[-1]) >= k  # (..., V) best first
    return logits.masked_fill(torch.empty_like(beyond).scatter(-1, words, beyond), NEVER)


def min_p(logits: Tensor, fraction: float) -> Tensor:
    """Keep words at least this fraction as probable as the best; 0 removes nothing (Nguyen et al. 2024)."""
    _check("min-p", fraction, most=1)
    if fraction == 0:
        return logits
    floor = logits.max(-1, keepdim=True).values + math.log(fraction) - ROUNDING  # (..., 1)
    return logits.masked_fill(logits < floor, NEVER)


def penalise(logits: Tensor, history: Sequence[int], penalty: float) -> Tensor:
    """Penalise words in the history: z / penalty where z > 0, z · penalty where z < 0; 1 changes nothing.

    The effect depends on the sign of z, so shifting all logits changes the result.
    """
    _check("The repetition penalty", penalty, least=0.01, most=100)
    if penalty == 1 or not history:
        return logits
    seen = _ids(dict.fromkeys(history), logits)  # (n,) distinct words
    z = logits[..., seen]  # (..., n)
    return logits.index_copy(-1, seen, torch.where(z > 0, z / penalty, z * penalty))


def no_repeat(logits: Tensor, history: Sequence[int], n: int) -> Tensor:
    """N-gram blocking: remove words that would repeat an n-gram of the history. n = 0 removes nothing."""
    _check("The length of phrases that may not repeat", n, whole=True)
    if n == 0:
        return logits
    start = tuple(history[len(history) - n + 1 :]) if n > 1 else ()  # the last n - 1 words of the history
    grams = [tuple(history[i : i + n]) for i in range(len(history) - n + 1)]
    words = [gram[-1] for gram in grams if gram[:-1] == start]
    return _remove(logits, words, "Allow shorter phrases to repeat.")


def adjust(logits: Tensor, ban: Iterable[int] = (), boost: Boost = ()) -> Tensor:
    """Logit bias: add to the logits of some words and remove others. A banned word ignores its boost."""
    boost = dict(boost)
    for amount in boost.values():
        _check("A boost", amount, least=-1000, most=1000)
    if boost:
        amounts = torch.tensor(list(boost.values()), dtype=logits.dtype)  # (n,)
        logits = logits.index_add(-1, _ids(boost, logits), amounts.expand(*logits.shape[:-1], -1))
    return _remove(logits, list(ban), "Allow at least one possible word.")


@dataclass(frozen=True)
class Settings:
    """Settings of all filters. The defaults change nothing."""

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

    After a cut (top-k, top-p, min-p) the remaining words keep their probabilities, so the sum is below 1; the
    last stage renormalises.
    """

    name: str  # name of the stage: one of STAGES
    logits: Tensor  # (V,)
    probabilities: Tensor  # (V,)
    removed: Tensor  # (V,) bool: removed by this filter or an earlier one


def stages(logits: Tensor, settings: Settings, history: Sequence[int] = ()) -> tuple[Stage, ...]:
    """Every stage from the model's logits (V,) to the sampled distribution, in the order of STAGES."""
    result: list[Stage] = []
    for name, z in filtered(logits.unsqueeze(0), settings, [history]):
        z = z.squeeze(0)  # (V,)
        removed = z == NEVER
        is_cut = name in ("top-k", "top-p", "min-p")
        probabilities = result[-1].probabilities.masked_fill(removed, 0) if is_cut else z.softmax(-1)
        result.append(Stage(name, z, probabilities, removed))
    return tuple(result)


def filtered(
    logits: Tensor, settings: Settings, histories: Sequence[Sequence[int]]
) -> Iterator[tuple[str, Tensor]]:
    """Name and logits (k, V) of each stage, for k hypotheses, each with a history, in double precision."""
    z = logits.double()  # (k, V)
    best = z.max(-1).values  # (k,)
    if not best.isfinite().all():
        raise InputError(INVALID_LOGITS)
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
    """H = -Σ p log₂ p in bits, with p normalised: log₂ n for n equally likely words. (..., V) -> (...)"""
    p = probabilities / probabilities.sum(-1, keepdim=True)  # (..., V)
    return -torch.special.xlogy(p, p).sum(-1) / math.log(2)


def ranks(values: Tensor) -> Tensor:
    """Rank of each value, 0 for the largest; ties go to the first. (..., V) -> (..., V)"""
    order = values.sort(dim=-1, descending=True, stable=True).indices  # (..., V) best first
    numbers = torch.arange(values.shape[-1]).expand_as(order)
    return torch.empty_like(order).scatter(-1, order, numbers)


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
    """Raise an InputError unless the setting is in its range."""
    if not (math.isfinite(value) and least <= value <= most and (not whole or value == int(value))):
        limits = f"from {least} to {most}" if most < math.inf else f"of at least {least}"
        raise InputError(f"{name} is {value}. Use a {'whole ' * whole}number {limits}.")
