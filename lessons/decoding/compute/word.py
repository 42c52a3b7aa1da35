"""One word after another, the filters between the model and the dice, and many draws of one word."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from lessons.decoding.compute.common import WRITERS, model_of, offered, words_of
from lessons.kit import checkpoints
from lessons.kit.checkpoints import STORIES, TRANSLATION, Tokens, Words, english, read_source, read_target
from lessons.kit.checkpoints import story_words as named
from lessons.kit.contract import InputError, Result
from lessons.kit.memo import memoize
from lessons.kit.references import matches_reference, reference_for
from models import decoding
from models.decoding import Hypothesis, Settings, Stage
from models.vocabulary import Vocabulary

TRANSLATOR = "translation-additive-64-s0"
SAMPLERS = (*WRITERS, "translator")
ROLLS = 30  # the most words that dice write
SHOWN = 10  # words in a picture
TOUCHED = 4  # words more: banned or boosted ones
PLAIN = Settings()
ONE_LEFT = "One word is left: every die gives it."


def likeliest(probabilities: Tensor, shown: int = SHOWN) -> list[int]:
    return checkpoints.most_probable(probabilities, shown=shown)


# ---- word by word ----


@dataclass(frozen=True)
class Sampled(Result):
    model: str
    source: Words  # what is translated; a story has none
    truth: Words | None  # its translation, where that is known
    as_truth: bool | None  # a translation that has ended: is it the truth?
    words: Words  # typed, then rolled
    typed: int
    factors: np.ndarray  # (T,) P(y_t | y_<t)
    log_product: np.ndarray  # (T,) log P(y_1 .. y_t), natural
    lowest: float  # log P of all that could be rolled: the foot of a scale that stays
    ended: bool  # by the end token
    next_words: Words  # the likeliest after all these
    next_probabilities: np.ndarray  # (SHOWN,)
    others: float  # probability of all other words together
    die: float  # from 0 to 1: decides which word comes next
    upcoming: str  # which word it is
    seed: int

    def limits(self) -> dict[str, bool]:
        translates = self.model == "translator"
        return {"text": not translates, "source": translates, "target": translates}


@memoize
def rolled(model: str, source: Tokens, typed: Tokens, seed: int) -> Hypothesis:
    """The typed words, then as many as the dice may write and one more: rolling fewer reads a part of it."""
    writer = (
        checkpoints.load_model(TRANSLATOR).writer(source)
        if model == "translator"
        else model_of(model).writer()
    )
    return decoding.sample(writer, len(typed) + ROLLS + 1, PLAIN, seed, dict(enumerate(typed)))


def sample(model: str, text: str, source: str, target: str, n: int, seed: int) -> Sampled:
    """The dice of step t are the same whatever stands before: change an early word and see what becomes of the rest."""
    if model == "translator":
        ids = read_source(source)
        typed = read_target(target, "target") if target.strip() else ()
        vocabulary = TRANSLATION.target
    else:
        ids, typed, vocabulary = (), words_of(text), STORIES.vocabulary
    run = rolled(model, ids, typed, seed)
    tokens = run.tokens[: len(typed) + n]
    ended = bool(tokens) and tokens[-1] == Vocabulary.eos
    logprobs = np.array(run.logprobs[: len(tokens)])
    p = torch.zeros(0) if ended else run.logits[len(tokens)].double().softmax(-1)  # (V,)
    best = likeliest(p)
    words, truth = vocabulary.tokens(tokens), reference_for(TRANSLATION, english(ids))
    return Sampled(
        model=model,
        source=english(ids),
        truth=truth,
        as_truth=matches_reference(words, truth) if ended else None,
        words=words,
        typed=len(typed),
        factors=np.exp(logprobs),
        log_product=logprobs.cumsum(),
        lowest=run.total,
        ended=ended,
        next_words=vocabulary.tokens(best),
        next_probabilities=p[best].numpy(),
        others=0.0 if ended else max(0.0, 1 - float(p[best].sum())),
        die=decoding.uniforms(seed, len(tokens) + 1)[-1].item(),
        upcoming="" if ended else vocabulary.words[run.tokens[len(tokens)]],
        seed=seed,
    )


# ---- filters ----


@dataclass(frozen=True)
class Filtered(Result):
    words: Words  # shown: the likeliest once banned, boosted and penalised, then those that were removed
    touched: tuple[int, ...]  # places of shown words that were banned, boosted or penalised
    logits: np.ndarray  # (shown,) z, as the model has them
    names: Words  # of the stages, models.decoding.STAGES
    probabilities: np.ndarray  # (stages, shown)
    removed: np.ndarray  # (stages, shown) bool
    entropy: np.ndarray  # (stages,) bits
    live: tuple[int, ...]  # words left, in each stage
    mass: np.ndarray  # (stages,) probability left: less than 1 right after a cut
    drawn: str
    drawn_at: int  # its place among the shown words
    drawn_probability: float
    plain: str  # what the same die gives without filters
    die: float
    seed: int
    vocabulary: int
    settings: Settings
    _history: Tokens

    def stage(self, name: str) -> int:
        return self.names.index(name)

    def idle(self) -> dict[str, str]:
        found = {} if self.settings.boost else {"by": "No word is lifted yet."}
        if not self._history:
            found["penalty"] = "Nothing is written yet that could be punished."
        if self.live[self.stage("tempered")] == 1:
            found["k"] = found["p"] = "Temperature 0 has left one word."
        elif self.live[self.stage("top-k")] == 1:
            found["p"] = "Top-k has left one word."
        return found | ({"seed": ONE_LEFT} if self.live[-1] == 1 else {})


def listed(text: str, control: str) -> Tokens:
    """Words to ban or boost, each once; unknown ones are named kindly."""
    try:
        return tuple(dict.fromkeys(words_of(text, control)))
    except InputError as error:
        raise InputError(f"{control.capitalize()}: {error}", control) from None


def filters(
    model: str,
    text: str,
    temperature: float,
    k: int,
    p: float,
    penalty: float,
    ban: str,
    boost: str,
    by: float,
    seed: int,
) -> Filtered:
    """Every stage from logits to the word drawn. Only the text and the model decide the logits; the rest is arithmetic on them."""
    history = words_of(text)
    banned, boosted = listed(ban, "ban"), listed(boost, "boost")
    settings = Settings(temperature, k, p, penalty, 0, banned, tuple((word, by) for word in boosted))
    logits = offered(model, history)  # (V,)
    found = decoding.stages(logits, settings, history)
    stage = {step.name: step for step in found}
    u = decoding.uniforms(seed, 1)[None]  # (1, 1)
    drawn, plain = (
        int(decoding.draw(step.probabilities[None], u)) for step in (stage["renormalised"], stage["logits"])
    )
    shown = to_show(stage, (*banned, *boosted), drawn)
    seen = set(history) if penalty != 1 else set()
    touched = {*banned, *(boosted if by else ()), *seen}
    return Filtered(
        words=named(shown),
        touched=tuple(place for place, word in enumerate(shown) if word in touched),
        logits=stage["logits"].logits[shown].numpy(),
        names=tuple(stage),
        probabilities=torch.stack([step.probabilities[shown] for step in found]).numpy(),
        removed=torch.stack([step.removed[shown] for step in found]).numpy(),
        entropy=np.array([decoding.entropy(step.probabilities).item() for step in found]),
        live=tuple(int((~step.removed).sum()) for step in found),
        mass=np.array([step.probabilities.sum().item() for step in found]),
        drawn=named([drawn])[0],
        drawn_at=shown.index(drawn),
        drawn_probability=stage["renormalised"].probabilities[drawn].item(),
        plain=named([plain])[0],
        die=u.item(),
        seed=seed,
        vocabulary=len(logits),
        settings=settings,
        _history=history,
    )


def to_show(stage: dict[str, Stage], touched: Tokens, drawn: int) -> list[int]:
    """In the order in which the cuts see them, the removed last: what a cut keeps is then a beginning of the list."""
    z = stage["penalised"].logits  # (V,)
    wanted = {*likeliest(z), *likeliest(stage["logits"].probabilities, SHOWN // 2), *touched[:TOUCHED], drawn}
    places = z.sort(descending=True, stable=True).indices.tolist()
    return [word for word in places if word in wanted]


# ---- many draws ----


@dataclass(frozen=True)
class Drawn(Result):
    words: Words
    probabilities: np.ndarray  # (shown + 1,) the last for all other words
    shares: np.ndarray  # (shown + 1,) counts / n
    counts: tuple[int, ...]
    n: int
    live: int  # words that can be drawn at all
    distance: float  # total variation between the two, over all words
    expected: float  # its mean over all that n draws could be,
    later: float  # and over four times as many
    sizes: np.ndarray  # (k,) numbers of draws
    distances: np.ndarray  # (k,) of the first so many draws
    expectations: np.ndarray  # (k,)
    constant: float  # C: for many draws C / √n is to be expected
    entropy: float
    seed: int

    def idle(self) -> dict[str, str]:
        return {"n": "One word is left: it is drawn every time.", "seed": ONE_LEFT} if self.live == 1 else {}


MOST = 10_000
SIZES = tuple(round(10**power) for power in np.linspace(1, 4, 25).tolist())


@memoize
def distances(model: str, tokens: Tokens, temperature: float, seed: int) -> np.ndarray:
    p = distribution(model, tokens, temperature)
    return np.array([found.distance for found in decoding.histograms(p, SIZES, seed)])


@memoize
def expectations(model: str, tokens: Tokens, temperature: float) -> np.ndarray:
    return expected_distances(distribution(model, tokens, temperature), SIZES)


@memoize
def distribution(model: str, tokens: Tokens, temperature: float) -> Tensor:
    return decoding.stages(offered(model, tokens), Settings(temperature))[-1].probabilities


def expected_distances(p: Tensor, sizes: Sequence[int]) -> np.ndarray:
    """For each n of sizes the mean of ½ Σ |count / n − p| over all that n draws could be, exactly.

    A count is binomial, and de Moivre knew its mean deviation: E|count − np| = 2 ν C(n, ν) p^ν (1 − p)^(n − ν + 1), ν = ⌊np⌋ + 1.
    """
    p, n = p[(p > 0) & (p < 1)].double(), torch.tensor(sizes, dtype=torch.float64)[:, None]
    v = (n * p).floor() + 1  # (sizes, V)
    ways = torch.lgamma(n + 1) - torch.lgamma(v + 1) - torch.lgamma(n - v + 1)  # log C(n, ν)
    deviations = 2 * v * (ways + v * p.log() + (n - v + 1) * (-p).log1p()).exp()
    return (deviations.sum(-1) / (2 * n[:, 0])).numpy()


def expected_distance(p: Tensor, n: int) -> float:
    return expected_distances(p, (n,)).item()


def constant_of(p: Tensor) -> float:
    """For many draws a count is normal: E|count / n − p| → √(2 p (1 − p) / (π n)); half the sum over all words is C / √n."""
    return 0.5 * (2 * p * (1 - p) / math.pi).sqrt().sum().item()


def histogram(model: str, text: str, temperature: float, n: int, seed: int) -> Drawn:
    tokens = words_of(text)
    p = distribution(model, tokens, temperature)
    found = decoding.histogram(p, n, seed)
    best = [word for word in likeliest(p) if p[word] > 0]
    counts = found.counts[best].tolist()
    expected, later = expected_distances(p, (n, 4 * n)).tolist()
    return Drawn(
        words=(*named(best), f"{len(p) - len(best)} others"),
        probabilities=np.append(p[best].numpy(), max(0.0, 1 - float(p[best].sum()))),
        shares=np.append(np.array(counts), n - sum(counts)) / n,
        counts=(*counts, n - sum(counts)),
        n=n,
        live=int((p > 0).sum()),
        distance=found.distance,
        expected=expected,
        later=later,
        sizes=np.array(SIZES),
        distances=distances(model, tokens, temperature, seed),
        expectations=expectations(model, tokens, temperature),
        constant=constant_of(p),
        entropy=abs(decoding.entropy(p).item()),
        seed=seed,
    )
