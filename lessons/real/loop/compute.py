"""The probability of one more copy of a repeated phrase, with and without a repetition penalty."""

import math
from dataclasses import dataclass

import numpy as np
import torch

from lessons.kit.checkpoints import STORIES, load_model
from lessons.kit.contract import InputError, Result
from lessons.kit.memo import memoize
from lessons.real.pretrained_model import Tokens, Words, encode, model, pieces, read, tokenizer
from lessons.real.recordings import recorded
from models import decoding

MAX_COPIES = 100
MAX_LOOP_PIECES = 520  # maximum number of tokens in all copies
MAX_PHRASE_PIECES = 12
STEP_COPIES = 20
ROWS_AT_ONCE = 32
OUR_MODEL, OUR_PHRASE, OUR_COPIES = "stories-transformer", "the boats were old .", 20


@dataclass(frozen=True)
class LoopRun(Result):
    words: Words  # tokens of one copy
    copies: np.ndarray  # (n,) 1 … n
    plain: np.ndarray  # (n,) geometric mean of P over the tokens of each copy
    penalised: np.ndarray  # (n,) geometric mean of P after the repetition penalty
    by_piece: np.ndarray  # (n, tokens per copy) P of each token
    penalty: float
    ours: np.ndarray  # (m,) our story model, on a phrase from its own vocabulary
    our_phrase: str


def copies_of(phrase: str, copies: int) -> tuple[Tokens, int]:
    """Repeat a phrase; also return the number of tokens per copy. A copy begins with a space."""
    again = tuple(tokenizer().encode(" " + phrase.strip()))
    return again * copies, len(again)


@memoize
def final_stream(tokens: Tokens) -> torch.Tensor:
    """The residual stream (T, d) after the last layer."""
    with read.lock, torch.inference_mode():
        return model().read_tokens(torch.tensor(tokens))[0]


@memoize
def log_probabilities(tokens: Tokens, penalty: float) -> np.ndarray:
    """log P of each token except the first (T − 1,), after the repetition penalty on all earlier tokens."""
    ids, x = torch.tensor(tokens), final_stream(tokens)
    found = []
    with read.lock, torch.inference_mode():
        for start in range(0, len(tokens) - 1, ROWS_AT_ONCE):
            stop = min(start + ROWS_AT_ONCE, len(tokens) - 1)
            logits = model().logit_lens(x[start:stop])  # (rows, V)
            if penalty != 1:
                logits = torch.stack(
                    [
                        decoding.penalise(row, tokens[: start + n + 1], penalty)
                        for n, row in enumerate(logits.unbind(0))
                    ]
                )
            following = ids[start + 1 : stop + 1, None]
            found.append((logits.gather(-1, following)[:, 0] - logits.logsumexp(-1)).double())
    return torch.cat(found).numpy()


def per_copy(logprobs: np.ndarray, length: int) -> np.ndarray:
    """Geometric mean of P per copy, without the first token of the text, which has no P.

    NaN for the first copy of a phrase of one token.
    """
    filled = np.insert(logprobs, 0, np.nan).reshape(-1, length)
    with np.errstate(invalid="ignore"):
        return np.exp(np.nansum(filled, 1) / np.isfinite(filled).sum(1))


@memoize
def our_curve() -> np.ndarray:
    phrase = STORIES.vocabulary.ids(OUR_PHRASE.split())
    with torch.inference_mode():
        logprobs = decoding.phrase_logprobs(load_model(OUR_MODEL).writer(), (), phrase, OUR_COPIES - 1)
    return logprobs.mean(-1).exp().numpy()


@recorded("loop", LoopRun, "phrase")
def compute(phrase: str, copies: int, penalty: float) -> LoopRun:
    encode(phrase, "phrase", MAX_PHRASE_PIECES)
    tokens, length = copies_of(phrase, copies)
    if len(tokens) > MAX_LOOP_PIECES:
        most = MAX_LOOP_PIECES // length
        raise InputError(
            f"{copies} copies of {length} pieces are too many. Use at most {most} copies.", "copies"
        )
    read_copies = min(STEP_COPIES * math.ceil(copies / STEP_COPIES), MAX_LOOP_PIECES // length)
    whole, _ = copies_of(phrase, read_copies)  # later copies change nothing, so few lengths are enough
    plain, penalised = (log_probabilities(whole, each)[: len(tokens) - 1] for each in (1.0, penalty))
    return LoopRun(
        words=pieces(tokens[:length]),
        copies=np.arange(1, copies + 1),
        plain=per_copy(plain, length),
        penalised=per_copy(penalised, length),
        by_piece=np.exp(np.insert(plain, 0, np.nan).reshape(-1, length)),
        penalty=penalty,
        ours=our_curve(),
        our_phrase=OUR_PHRASE,
    )
