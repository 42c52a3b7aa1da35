"""Generate token by token: greedy, sampled, or forced (lessons `bottleneck` and `decoding`)."""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

from models.decoding.filters import Settings, filtered
from models.decoding.writer import Hypothesis, Writer, log_probabilities, select
from models.vocabulary import InputError

Forced = Mapping[int, int] | None  # step (from 0) -> the token to write there
Choose = Callable[[Tensor, list[list[int]], list[int]], list[int]]


def greedy(writer: Writer, limit: int, forced: Forced = None) -> Hypothesis:
    """y_t = argmax P(y_t | y_<t, x), until the end token or `limit` tokens. Ties go to the lowest id."""

    def choose(logits: Tensor, texts: list[list[int]], live: list[int]) -> list[int]:
        return log_probabilities(logits).argmax(-1).tolist()  # (1, V) -> one token

    return _write(writer, 1, limit, choose, forced)[0]


def score(writer: Writer, tokens: Sequence[int]) -> Hypothesis:
    """Probabilities of a given output: P(y | x) = Π_t P(y_t | y_<t, x), with every token forced.

    Tokens that end with the end token are a whole output; otherwise they are a prefix.
    """
    if not tokens or writer.eos in tokens[:-1]:
        raise InputError("Give at least one word, and the end only at the end.")
    return greedy(writer, len(tokens), dict(enumerate(tokens)))


def sample(writer: Writer, limit: int, settings: Settings, seed: int, forced: Forced = None) -> Hypothesis:
    """Sample each y_t from the filtered distribution. The same seed gives the same text."""
    return samples(writer, 1, limit, settings, seed, forced)[0]


def samples(
    writer: Writer, count: int, limit: int, settings: Settings, seed: int, forced: Forced = None
) -> tuple[Hypothesis, ...]:
    """Draw many samples at once. Sample i is `sample(…, seed + i)`."""
    if count < 1:
        raise InputError("Ask for at least one sample.")
    _check_limit(limit)
    u = torch.stack([uniforms(seed + i, limit) for i in range(count)])  # (count, limit)

    def choose(logits: Tensor, texts: list[list[int]], live: list[int]) -> list[int]:
        histories = [texts[i] for i in live]
        *_, (_, z) = filtered(logits, settings, histories)  # (k, V)
        step = len(histories[0])
        # one token for each of the k texts
        return sample_ids(z.softmax(-1), u[live, step : step + 1]).squeeze(-1).tolist()

    return _write(writer, count, limit, choose, forced)


def uniforms(seed: int, count: int) -> Tensor:
    """Uniform numbers (count,) from 0 to 1. With the same seed, a larger count only appends numbers."""
    return torch.rand(count, dtype=torch.float64, generator=torch.Generator().manual_seed(seed % 2**63))


def sample_ids(probabilities: Tensor, u: Tensor) -> Tensor:
    """Inverse transform sampling, likeliest words first: probabilities (k, V), u (k, n) -> ids (k, n).

    With this order, cutting the tail or lowering the temperature moves draws only to likelier words.
    """
    p, words = probabilities.sort(dim=-1, descending=True, stable=True)  # (k, V)
    cumulative = p.cumsum(-1)  # (k, V)
    index = torch.searchsorted(cumulative, u * cumulative[:, -1:], right=True)  # (k, n)
    last = (p > 0).sum(-1, keepdim=True) - 1  # (k, 1) last word with P > 0, because of rounding
    return words.gather(-1, index.minimum(last))


def _write(writer: Writer, count: int, limit: int, choose: Choose, forced: Forced) -> tuple[Hypothesis, ...]:
    """Write `count` hypotheses in parallel, each until its end token.

    choose(logits (k, V) of the k unfinished texts, all texts so far, indices of the unfinished) -> k tokens
    """
    _check_limit(limit)
    forced = forced or {}
    texts: list[list[int]] = [[] for _ in range(count)]
    rows: list[list[Tensor]] = [[] for _ in range(count)]  # logits of each text
    live = list(range(count))
    tokens = torch.full((count,), writer.bos)  # (k,)
    state = select(writer.begin(), torch.zeros(count, dtype=torch.long))
    for step in range(limit):
        logits, state = writer.next(tokens, state)  # (k, V)
        if step in forced:
            new = [_check_token(forced[step], logits)] * len(live)
        else:
            new = choose(logits, texts, live)
        for i, token, row in zip(live, new, logits.unbind(0), strict=True):
            texts[i].append(token)
            rows[i].append(row)
        unfinished = [n for n, token in enumerate(new) if token != writer.eos]
        if not unfinished:
            break
        if len(unfinished) < len(live):
            state = select(state, torch.tensor(unfinished))
        live = [live[n] for n in unfinished]
        tokens = torch.tensor([new[n] for n in unfinished])
    pairs = zip(texts, rows, strict=True)
    return tuple(_hypothesis(text, torch.stack(logits), writer.eos) for text, logits in pairs)


def _hypothesis(text: list[int], logits: Tensor, eos: int) -> Hypothesis:
    chosen = log_probabilities(logits).gather(-1, torch.tensor(text).unsqueeze(-1))  # (T, V) -> (T, 1)
    return Hypothesis(tuple(text), tuple(chosen.squeeze(-1).tolist()), logits, text[-1] == eos)


def _check_token(token: int, logits: Tensor) -> int:
    if not 0 <= token < logits.shape[-1]:
        raise InputError(f"There is no word number {token}. Use 0 to {logits.shape[-1] - 1}.")
    return token


def _check_limit(limit: int) -> None:
    if limit < 1:
        raise InputError("Allow at least one word.")
