"""The probability of a phrase after many repetitions, and four texts that continue from there."""

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

import numpy as np
import torch

from lessons.decoding.sentences import SENTENCE_ENDS
from lessons.decoding.story_models import READERS, load_story_model, logits_of_text, read_shown_words
from lessons.kit.checkpoints import UNKNOWN_STORY_WORD, Tokens, Words, load_card, story_words
from lessons.kit.contract import InputError, Result
from lessons.kit.memo import memoize
from lessons.kit.notices import add_notice
from models import decoding
from models.decoding import Hypothesis, Settings, Writer

MAX_REPEATS = 200
MAX_PHRASE_WORDS = 8
CONTINUATION_WORDS = 25
MAX_NGRAM = 4  # the longest n-gram that can be blocked
GREEDY = Settings(temperature=0)


@dataclass(frozen=True)
class Written:
    """One text that continues after the repeated phrase."""

    name: str
    words: Words  # the continuation, without <eos>
    ended: bool
    logprobs: tuple[float, ...]  # log P of each word under the unfiltered model, <eos> included
    perplexity: float
    loop: Words  # the phrase that the text repeats at least three times at its end; empty if none
    repeated: int  # number of pairs of adjacent words that occurred before


@dataclass(frozen=True)
class Looped(Result):
    phrase: Words
    r: int
    model: str
    readers: Words  # names of the models
    repeats: np.ndarray  # (MAX_REPEATS + 1,) 0, 1, 2, …
    probabilities: np.ndarray  # (models, MAX_REPEATS + 1) P(phrase | r times the phrase)
    written: tuple[Written, Written]  # continuations by greedy search and by nucleus sampling
    perplexity: float  # the model's perplexity on held-out text, from its card
    temperature: float
    p: float
    seed: int
    _tokens: Tokens  # tokens of the phrase
    _penalty: float
    _n: int

    @cached_property
    def remedies(self) -> tuple[Written, Written]:
        """Greedy search with a repetition penalty, and with n-gram blocking."""
        is_penalty_off, is_blocking_off = self.remedies_off
        penalty = "penalty off" if is_penalty_off else f"penalty {self._penalty:g}"
        blocking = "blocking off" if is_blocking_off else f"{self._n}-gram blocking"
        settings = {
            penalty: Settings(temperature=0, penalty=self._penalty),
            blocking: Settings(temperature=0, no_repeat=self._n),
        }
        first, second = (
            write_continuation(name, self.model, self._tokens, self.r, each, 0)
            for name, each in settings.items()
        )
        return first, second

    @property
    def remedies_off(self) -> tuple[bool, bool]:
        """Whether the penalty and the blocking are at the values that change nothing."""
        return self._penalty == 1, self._n == 0

    def idle(self) -> dict[str, str]:
        if self.temperature == 0:
            reason = "At temperature 0 one word is left, as in greedy search."
            return {"p": reason, "seed": reason}
        return (
            {"seed": "The nucleus has a single word, which is drawn with every seed."} if self.p == 0 else {}
        )


@memoize
def phrase_logprobs(model: str, phrase: Tokens) -> np.ndarray:
    """log P of each word of the phrase after 0, 1, … MAX_REPEATS repetitions: (MAX_REPEATS + 1, words).

    An unknown word counts as certain, because no model writes `<unk>`.

    Like models.decoding.phrase_logprobs, but reads the whole text in one pass.
    """
    text = phrase * (MAX_REPEATS + 1)
    logits = logits_of_text(load_story_model(model), text[:-1])  # (words, V)
    targets = torch.tensor(text)
    logprobs = logits.gather(-1, targets[:, None])[:, 0] - logits.logsumexp(-1)
    logprobs = logprobs.masked_fill(targets == UNKNOWN_STORY_WORD, 0)
    return logprobs.double().view(MAX_REPEATS + 1, len(phrase)).numpy()


def copies_with_all_ngrams(phrase: Tokens, r: int) -> int:
    """Number of copies that already contain every n-gram of r copies."""
    return min(r, -(-(len(phrase) + MAX_NGRAM) // len(phrase)))


class PromptedWriter:
    """A writer that reads its prompt once and reuses it for several continuations."""

    def __init__(self, writer: Writer):
        self.eos, self.bos, self.next = writer.eos, writer.bos, writer.next
        self.begin = cache(writer.begin)


@lru_cache(maxsize=16)
def prompted_writer(model: str, phrase: Tokens, repeats: int) -> PromptedWriter:
    return PromptedWriter(load_story_model(model).writer(phrase * repeats))


@memoize
def continue_text(model: str, phrase: Tokens, r: int, settings: Settings, seed: int) -> Hypothesis:
    """Continue after r repetitions. The last copies are forced outputs, so that filters count their words."""
    forced_copies = copies_with_all_ngrams(phrase, r)
    writer = prompted_writer(model, phrase, r - forced_copies)
    max_tokens = forced_copies * len(phrase) + CONTINUATION_WORDS
    forced = dict(enumerate(phrase * forced_copies))
    if settings == GREEDY:  # a shortcut for greedy search: no random numbers, no sorting
        return decoding.greedy(writer, max_tokens, forced)
    return decoding.sample(writer, max_tokens, settings, seed, forced)


def rotate_loop(phrase: Words) -> Words:
    """Rotate the phrase of a loop so that it ends with its last full stop, if it has one."""
    ends = [place for place, word in enumerate(phrase, start=1) if word in SENTENCE_ENDS]
    return phrase[ends[-1] :] + phrase[: ends[-1]] if ends else phrase


def write_continuation(
    name: str, model: str, phrase: Tokens, r: int, settings: Settings, seed: int
) -> Written:
    run = continue_text(model, phrase, r, settings, seed)
    start = copies_with_all_ngrams(phrase, r) * len(phrase)
    tokens = run.tokens[start : -1 if run.finished else None]
    loop = decoding.find_loop(tokens)
    pairs = max(len(tokens) - 1, 0)
    return Written(
        name=name,
        words=story_words(tokens),
        ended=run.finished,
        logprobs=run.logprobs[start:],
        perplexity=decoding.perplexity(run.logprobs[start:]),
        loop=rotate_loop(story_words(loop.phrase)) if loop else (),
        repeated=pairs - round(decoding.distinct(tokens, 2) * pairs),
    )


def compute(
    phrase: str, r: int, model: str, temperature: float, p: float, penalty: float, n: int, seed: int
) -> Looped:
    tokens, shown = read_shown_words(phrase, "phrase", MAX_PHRASE_WORDS)
    if not tokens:
        raise InputError(f"Type a phrase of 1 to {MAX_PHRASE_WORDS} words.", "phrase")
    if UNKNOWN_STORY_WORD in tokens:
        add_notice("phrase", "No model writes <unk>, so P counts only the other words.")
    nucleus = Settings(temperature=temperature, top_p=p)
    return Looped(
        phrase=shown,
        r=r,
        model=model,
        readers=tuple(READERS),
        repeats=np.arange(MAX_REPEATS + 1),
        probabilities=np.exp([phrase_logprobs(reader, tokens).sum(-1) for reader in READERS]),
        written=(
            write_continuation("greedy", model, tokens, r, GREEDY, 0),
            write_continuation("nucleus", model, tokens, r, nucleus, seed),
        ),
        perplexity=load_card(READERS[model]).metrics["natural"]["perplexity"],
        temperature=temperature,
        p=p,
        seed=seed,
        _tokens=tokens,
        _penalty=penalty,
        _n=n,
    )
