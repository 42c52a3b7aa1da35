"""One token after another: greedy, sampled, or forced. Lessons bottleneck (score, forcing) and decoding (sample, gallery)."""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

from models.decoding.filters import Settings, filtered
from models.decoding.writer import Hypothesis, Writer, log_probabilities, select
from models.vocabulary import InputError

Forced = (
    Mapping[int, int] | None
)  # step (0 is the first) -> the token to write there, whatever the model prefers
Choose = Callable[[Tensor, list[list[int]], list[int]], list[int]]


def greedy(writer: Writer, limit: int, forced: Forced = None) -> Hypothesis:
    """y_t = argmax P(y_t | y_<t, x), until the end token or `limit` tokens. Of equally likely tokens the lowest id.

    Forcing steps 0 to n-1 gives a prefix; forcing one step shows how a single wrong token spreads.
    """

    def choose(logits: Tensor, texts: list[list[int]], live: list[int]) -> list[int]:
        return log_probabilities(logits).argmax(-1).tolist()  # (1, V) -> one token

    return _write(writer, 1, limit, choose, forced)[0]


def score(writer: Writer, tokens: Sequence[int]) -> Hypothesis:
    """Any output, factor by factor: P(y | x) = Π_t P(y_t | y_<t, x). Writing with every token forced.

    The tokens are scored as given: with the end token last they are a whole output, without it only a beginning.
    """
    if not tokens or writer.eos in tokens[:-1]:
        raise InputError("Give at least one word, and the end only at the end.")
    return greedy(writer, len(tokens), dict(enumerate(tokens)))


def sample(writer: Writer, limit: int, settings: Settings, seed: int, forced: Forced = None) -> Hypothesis:
    """y_t drawn from the filtered distribution. The same seed gives the same text."""
    return samples(writer, 1, limit, settings, seed, forced)[0]


def samples(
    writer: Writer, count: int, limit: int, settings: Settings, seed: int, forced: Forced = None
) -> tuple[Hypothesis, ...]:
    """Many samples, written side by side. Number i is the one that `sample` gives with seed + i."""
    if count < 1:
        raise InputError("Ask for at least one sample.")
    _check_limit(limit)
    u = torch.stack(
        [uniforms(seed + i, limit) for i in range(count)]
    )  # (count, limit) one for each step, used or not

    def choose(logits: Tensor, texts: list[list[int]], live: list[int]) -> list[int]:
        histories = [texts[i] for i in live]
        *_, (_, z) = filtered(logits, settings, histories)  # (k, V)
        step = len(histories[0])
        return draw(z.softmax(-1), u[live, step : step + 1]).squeeze(-1).tolist()  # k tokens

    return _write(writer, count, limit, choose, forced)


def uniforms(seed: int, count: int) -> Tensor:
    """Numbers from 0 to 1, the same for the same seed; asking for more does not change the first. (count,)"""
    return torch.rand(count, dtype=torch.float64, generator=torch.Generator().manual_seed(seed % 2**63))


def draw(probabilities: Tensor, u: Tensor) -> Tensor:
    """Words drawn with the numbers u, 0 <= u < 1: lay the words on a line, likeliest first, as long as they are probable, and
    see where u falls. A filter that cuts the tail or lowers the temperature thus moves a draw only towards likelier words.

    probabilities (k, V), u (k, n) -> word ids (k, n)
    """
    lengths, words = probabilities.sort(dim=-1, descending=True, stable=True)  # (k, V)
    ends = lengths.cumsum(-1)  # (k, V)
    place = torch.searchsorted(ends, u * ends[:, -1:], right=True)  # (k, n)
    last = (lengths > 0).sum(-1, keepdim=True) - 1  # (k, 1) rounding must not reach an impossible word
    return words.gather(-1, place.minimum(last))


def _write(writer: Writer, count: int, limit: int, choose: Choose, forced: Forced) -> tuple[Hypothesis, ...]:
    """`count` hypotheses side by side; each leaves when it has written its end token.

    choose(logits (k, V) of those still writing, all texts so far, the numbers of those still writing) -> k tokens
    """
    _check_limit(limit)
    forced = forced or {}
    texts: list[list[int]] = [[] for _ in range(count)]
    offers: list[list[Tensor]] = [[] for _ in range(count)]
    live = list(range(count))
    tokens = torch.full((count,), writer.bos)  # (k,)
    state = select(writer.begin(), torch.zeros(count, dtype=torch.long))
    for step in range(limit):
        logits, state = writer.next(tokens, state)  # (k, V)
        written = (
            [_possible(forced[step], logits)] * len(live) if step in forced else choose(logits, texts, live)
        )
        for i, token, offer in zip(live, written, logits.unbind(0), strict=True):
            texts[i].append(token)
            offers[i].append(offer)
        going = [row for row, token in enumerate(written) if token != writer.eos]
        if not going:
            break
        if len(going) < len(live):
            state = select(state, torch.tensor(going))
        live = [live[row] for row in going]
        tokens = torch.tensor([written[row] for row in going])
    return tuple(
        _hypothesis(text, torch.stack(offer), writer.eos) for text, offer in zip(texts, offers, strict=True)
    )


def _hypothesis(text: list[int], logits: Tensor, eos: int) -> Hypothesis:
    chosen = log_probabilities(logits).gather(-1, torch.tensor(text).unsqueeze(-1))  # (T, V) -> (T, 1)
    return Hypothesis(tuple(text), tuple(chosen.squeeze(-1).tolist()), logits, text[-1] == eos)


def _possible(token: int, logits: Tensor) -> int:
    if not 0 <= token < logits.shape[-1]:
        raise InputError(f"There is no word number {token}. Use 0 to {logits.shape[-1] - 1}.")
    return token


def _check_limit(limit: int) -> None:
    if limit < 1:
        raise InputError("Allow at least one word.")
