"""A chat as plain text with visible template tokens, and what the model writes with and without them."""

import math
from dataclasses import dataclass

import torch

from lessons.kit.contract import InputError, Result
from lessons.kit.memo import memoize
from lessons.real.pretrained_model import Tokens, Words, model, pieces, read, tokenizer
from lessons.real.recordings import recorded
from models import decoding

MAX_ANSWER_PIECES = 40
STEP_PIECES = 10
MAX_PROMPT_PIECES = 120


@dataclass(frozen=True)
class Chat(Result):
    prompt: Words  # tokens that the model reads
    special: tuple[int, ...]  # positions of tokens that only the template produces
    answer: str
    answer_pieces: int
    ended: bool  # whether the answer ended with the end token
    plain_answer: str  # continuation of the question alone, without the template
    plain_pieces: int
    uses_template: bool
    user_pieces: int


def prompt_of(system: str, user: str, uses_template: bool) -> str:
    """The text that the model reads for this chat."""
    if not uses_template:
        return user
    messages = [{"role": "system", "content": system}] if system.strip() else []
    return tokenizer().chat([*messages, {"role": "user", "content": user}])


def end_token() -> int:
    return tokenizer().specials.get("<|im_end|>", model().config.eos)


@memoize
def write_up_to(prompt: Tokens, limit: int) -> Tokens:
    """Greedily generate up to `limit` tokens, including the end token if it is reached."""
    with read.lock, torch.inference_mode():
        writer = model().writer(prompt, end_token(), read.prefix_caches(prompt))
        return decoding.greedy(writer, limit).tokens


def continue_greedily(prompt: Tokens, n: int) -> tuple[Tokens, bool]:
    """The first n tokens of the greedy continuation, and whether the end token was reached.

    The continuation is generated in steps of 10 tokens, so that the model does not run for each value of n.
    """
    tokens = write_up_to(prompt, STEP_PIECES * math.ceil(n / STEP_PIECES))[:n]
    return (tokens[:-1], True) if tokens and tokens[-1] == end_token() else (tokens, False)


@recorded("chat", Chat, "user")
def compute(system: str, user: str, template: bool, n: int) -> Chat:
    if not user.strip():
        raise InputError("Ask something.", "user")
    prompt, plain = (tuple(tokenizer().encode(prompt_of(system, user, used))) for used in (template, False))
    if len(prompt) > MAX_PROMPT_PIECES:
        raise InputError(f"That is {len(prompt)} pieces. Use at most {MAX_PROMPT_PIECES}.", "user")
    special = {*tokenizer().specials.values()}
    answer, ended = continue_greedily(prompt, n)
    without, _ = continue_greedily(plain, n)
    return Chat(
        prompt=pieces(prompt),
        special=tuple(i for i, token in enumerate(prompt) if token in special),
        answer=tokenizer().decode(answer),
        answer_pieces=len(answer),
        ended=ended,
        plain_answer=tokenizer().decode(without),
        plain_pieces=len(without),
        uses_template=template,
        user_pieces=len(plain),
    )
