"""Sample a story or a translation word by word, with the probability of every word."""

from dataclasses import dataclass

import numpy as np
import torch

from lessons.decoding.story_models import WRITERS, likeliest, load_story_model, read_shown_words
from lessons.kit.checkpoints import (
    STORIES,
    TRANSLATION,
    Tokens,
    Words,
    english,
    load_model,
    read_source,
    read_target,
)
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.kit.references import matches_reference, reference_for
from models import decoding
from models.decoding import Hypothesis, Settings
from models.vocabulary import Vocabulary

TRANSLATOR = "translation-additive-64-s0"
SAMPLERS = (*WRITERS, "translator")
MAX_SAMPLED = 30  # maximum number of sampled words


@dataclass(frozen=True)
class Sampled(Result):
    model: str
    source: Words  # the sentence to translate; empty for a story
    truth: Words | None  # reference translation, if known
    as_truth: bool | None  # whether a finished translation equals the reference
    words: Words  # typed words, then sampled words
    typed: int
    factors: np.ndarray  # (T,) P(y_t | y_<t)
    log_product: np.ndarray  # (T,) log P(y_1 .. y_t), natural logarithm
    lowest: float  # log P of the longest sample; fixes the end of the axis
    ended: bool  # whether the text ended with the end token
    next_words: Words  # the likeliest next words
    next_probabilities: np.ndarray  # (SHOWN_WORDS,)
    others: float  # probability of all other words together
    die: float  # random number between 0 and 1 that selects the next word
    upcoming: str  # the word that `die` selects
    seed: int

    def limits(self) -> dict[str, bool]:
        translates = self.model == "translator"
        return {"text": not translates, "source": translates, "target": translates}


@memoize
def sample_text(model: str, source: Tokens, typed: Tokens, seed: int) -> Hypothesis:
    """The typed words, then MAX_SAMPLED + 1 sampled words. A shorter run shows only the first of them."""
    is_translator = model == "translator"
    writer = load_model(TRANSLATOR).writer(source) if is_translator else load_story_model(model).writer()
    return decoding.sample(writer, len(typed) + MAX_SAMPLED + 1, Settings(), seed, dict(enumerate(typed)))


def compute(model: str, text: str, source: str, target: str, n: int, seed: int) -> Sampled:
    """Sample the text. Step t always uses the same random number, so that edited texts can be compared."""
    if model == "translator":
        source_tokens = read_source(source)
        typed = read_target(target, "target") if target.strip() else ()
        vocabulary = TRANSLATION.target
        shown = vocabulary.tokens(typed)
    else:
        source_tokens, vocabulary = (), STORIES.vocabulary
        typed, shown = read_shown_words(text)
    run = sample_text(model, source_tokens, typed, seed)
    tokens = run.tokens[: len(typed) + n]
    ended = bool(tokens) and tokens[-1] == Vocabulary.eos
    logprobs = np.array(run.logprobs[: len(tokens)])
    p = torch.zeros(0) if ended else run.logits[len(tokens)].double().softmax(-1)  # (V,)
    best = likeliest(p)
    words, reference = vocabulary.tokens(tokens), reference_for(TRANSLATION, english(source_tokens))
    return Sampled(
        model=model,
        source=english(source_tokens),
        truth=reference,
        as_truth=matches_reference(words, reference) if ended else None,
        words=(*shown, *words[len(typed) :]),
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
