"""A phrase said again and again, and four ways to go on from there."""

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

import numpy as np
import torch

from lessons.decoding.compute.common import READERS, STOPS, model_of, read_on, words_of
from lessons.kit.checkpoints import Tokens, Words, load_card
from lessons.kit.checkpoints import story_words as named
from lessons.kit.contract import InputError, Result
from lessons.kit.memo import memoize
from models import decoding
from models.decoding import Hypothesis, Settings, Writer

MOST = 200  # times the phrase is said
LONGEST = 8  # words of a phrase
WORDS = 25  # written after it
GREEDY = Settings(temperature=0)
GRAM = 4  # the longest phrase that `no_repeat` looks for


@dataclass(frozen=True)
class Written:
    """One way to go on."""

    name: str
    words: Words  # without <eos>
    ended: bool
    logprobs: tuple[float, ...]  # of each word under the model as it is, that of <eos> included
    perplexity: float
    loop: Words  # the phrase it ends on, three times or more; empty if none
    repeated: int  # pairs of words in a row that it has written before


@dataclass(frozen=True)
class Looped(Result):
    phrase: Words
    r: int
    model: str
    readers: Words
    repeats: np.ndarray  # (MOST + 1,) 0, 1, 2, …
    probabilities: np.ndarray  # (readers, MOST + 1) P(phrase | r times the phrase)
    written: tuple[Written, Written]  # by greedy, by the nucleus
    perplexity: float  # of the model on held-out text, from its card
    temperature: float
    p: float
    seed: int
    _tokens: Tokens  # of the phrase
    _penalty: float
    _n: int

    @cached_property
    def remedies(self) -> tuple[Written, Written]:
        """Greedy with a penalty, and greedy without repeated n-grams."""
        punished, ruled = (
            Settings(temperature=0, penalty=self._penalty),
            Settings(temperature=0, no_repeat=self._n),
        )
        penalty_off, rule_off = self.remedies_off
        penalty = "penalty off" if penalty_off else f"penalty {self._penalty:g}"
        rule = "rule off" if rule_off else f"no {self._n} word{'s' * (self._n > 1)} twice"
        ways = {penalty: punished, rule: ruled}
        first, second = (
            told(name, self.model, self._tokens, self.r, settings, 0) for name, settings in ways.items()
        )
        return first, second

    @property
    def remedies_off(self) -> tuple[bool, bool]:
        """Whether the penalty, and the rule, are set to the value that changes nothing."""
        return self._penalty == 1, self._n == 0

    def idle(self) -> dict[str, str]:
        if self.temperature == 0:
            why = "At temperature 0 one word is left, as in greedy."
            return {"p": why, "seed": why}
        return {"seed": "A nucleus of one word: every die gives it."} if self.p == 0 else {}


@memoize
def said_again(reader: str, phrase: Tokens) -> np.ndarray:
    """log P of each word of the phrase after 0, 1, … MOST times the phrase (MOST + 1, words).

    As models.decoding.phrase_logprobs, with the whole text read at once.
    """
    text = phrase * (MOST + 1)
    logits = read_on(model_of(reader), text[:-1])  # (words, V)
    logprobs = logits.gather(-1, torch.tensor(text)[:, None])[:, 0] - logits.logsumexp(-1)
    return logprobs.double().view(MOST + 1, len(phrase)).numpy()


def remembered(phrase: Tokens, r: int) -> int:
    """How many of r copies hold every n-gram of all of them."""
    return min(r, -(-(len(phrase) + GRAM) // len(phrase)))


class Heard:
    """A writer that reads its prompt once: from there several ways go on."""

    def __init__(self, writer: Writer):
        self.eos, self.bos, self.next = writer.eos, writer.bos, writer.next
        self.begin = cache(writer.begin)


@lru_cache(maxsize=16)
def heard(model: str, phrase: Tokens, times: int) -> Heard:
    return Heard(model_of(model).writer(phrase * times))


@memoize
def continued(model: str, phrase: Tokens, r: int, settings: Settings, seed: int) -> Hypothesis:
    """After r times the phrase. The last copies are forced, so that filters know what has been said."""
    known = remembered(phrase, r)
    writer = heard(model, phrase, r - known)
    limit, forced = known * len(phrase) + WORDS, dict(enumerate(phrase * known))
    if settings == GREEDY:  # without dice, and without sorting all words at every step
        return decoding.greedy(writer, limit, forced)
    return decoding.sample(writer, limit, settings, seed, forced)


def turned(phrase: Words) -> Words:
    """A loop has no beginning: tell it so that it ends with its last full stop, if it has one."""
    ends = [place for place, word in enumerate(phrase, start=1) if word in STOPS]
    return phrase[ends[-1] :] + phrase[: ends[-1]] if ends else phrase


def told(name: str, model: str, phrase: Tokens, r: int, settings: Settings, seed: int) -> Written:
    run = continued(model, phrase, r, settings, seed)
    given = remembered(phrase, r) * len(phrase)
    tokens = run.tokens[given : -1 if run.finished else None]
    found = decoding.repeats(tokens)
    pairs = max(len(tokens) - 1, 0)
    return Written(
        name=name,
        words=named(tokens),
        ended=run.finished,
        logprobs=run.logprobs[given:],
        perplexity=decoding.perplexity(run.logprobs[given:]),
        loop=turned(named(found.phrase)) if found else (),
        repeated=pairs - round(decoding.distinct(tokens, 2) * pairs),
    )


def loop(
    phrase: str, r: int, model: str, temperature: float, p: float, penalty: float, n: int, seed: int
) -> Looped:
    ids = words_of(phrase, "phrase")
    if not ids or len(ids) > LONGEST:
        raise InputError(f"Type a phrase of 1 to {LONGEST} words.", "phrase")
    greedy = told("greedy", model, ids, r, GREEDY, 0)  # the same for all seeds
    nucleus = told("nucleus", model, ids, r, Settings(temperature=temperature, top_p=p), seed)
    logprobs = [said_again(reader, ids) for reader in READERS]
    return Looped(
        phrase=named(ids),
        r=r,
        model=model,
        readers=tuple(READERS),
        repeats=np.arange(MOST + 1),
        probabilities=np.exp([table.sum(-1) for table in logprobs]),
        written=(greedy, nucleus),
        perplexity=load_card(READERS[model]).metrics["natural"]["perplexity"],
        temperature=temperature,
        p=p,
        seed=seed,
        _tokens=ids,
        _penalty=penalty,
        _n=n,
    )
