"""The next token of any text: the model's distribution, the filters, one draw, and a few sampled tokens."""

from dataclasses import dataclass

import numpy as np
import torch

from lessons.kit.checkpoints import STORIES, load_model
from lessons.kit.contract import Result
from lessons.kit.memo import memoize
from lessons.real.pretrained_model import Tokens, Words, encode, model, most_probable, pieces, read, tokenizer
from lessons.real.recordings import recorded
from models import decoding
from models.decoding import Settings
from models.vocabulary import SPECIAL, split_words

PIECES_SHOWN = 12
MAX_ROLLED = 12
OUR_MODEL, OUR_WORDS_SHOWN = "stories-transformer", 8
LAST_STAGES = ("tempered", "top-k", "top-p", "min-p")


@dataclass(frozen=True)
class OurPrediction:
    """The prediction of our story model for the same text."""

    words: Words  # the text as our tokeniser splits it
    unknown: Words  # words outside its vocabulary; then there is no prediction
    candidates: Words
    probabilities: np.ndarray  # (candidates,)
    entropy: float | None  # entropy in bits
    vocabulary: int


@dataclass(frozen=True)
class NextPiece(Result):
    words: Words  # tokens of the text
    rolled: Words  # tokens sampled after the text
    candidates: Words  # the most probable tokens
    continuations: tuple[str, ...]  # the text with each candidate added
    model: np.ndarray  # (candidates,) P without filters
    filtered: np.ndarray  # (candidates,) P after the filters
    left: tuple[int, ...]  # number of tokens left after each of LAST_STAGES
    entropy: tuple[float, float]  # bits, before and after the filters
    others: float  # total P of all other tokens, after the filters
    drawn: str
    drawn_probability: float
    without_filters: str  # the token that the same random number selects without filters
    vocabulary: int
    n: int
    settings: tuple[float, float, float, float]  # temperature, k, p, min-p
    text: str

    @property
    def ours(self) -> OurPrediction:
        return our_prediction(self.text)


@recorded("next", NextPiece, "text")
def compute(text: str, temperature: float, k: int, p: float, min_p: float, n: int, seed: int) -> NextPiece:
    """Compute the next token. Logits depend only on the text and on tokens sampled after it."""
    typed = encode(text)
    settings = Settings(temperature, k, p, min_p=min_p)
    rolled = roll(typed, settings, seed, n)
    tokens = typed + rolled
    logits = read(tokens).logits
    stages = decoding.stages(logits, settings)
    found = {stage.name: stage for stage in stages}
    plain, filtered = found["logits"].probabilities, found["renormalised"].probabilities
    u = decoding.uniforms(seed, len(rolled) + 1)[-1:][None]  # (1, 1)
    drawn, without_filters = (int(decoding.sample_ids(each[None], u)) for each in (filtered, plain))
    shown = most_probable(plain, PIECES_SHOWN)
    so_far = tokenizer().decode(tokens)
    return NextPiece(
        words=pieces(typed),
        rolled=pieces(rolled),
        candidates=pieces(shown),
        continuations=tuple(so_far + tokenizer().decode([piece]) for piece in shown),
        model=plain[shown].numpy(),
        filtered=filtered[shown].numpy(),
        left=tuple(int((~found[name].removed).sum()) for name in LAST_STAGES),
        entropy=(decoding.entropy(plain).item(), abs(decoding.entropy(filtered).item())),
        others=max(0.0, 1 - float(filtered[shown].sum())),
        drawn=pieces([drawn])[0],
        drawn_probability=filtered[drawn].item(),
        without_filters=pieces([without_filters])[0],
        vocabulary=len(logits),
        n=n,
        settings=(temperature, k, p, min_p),
        text=text,
    )


@memoize
def roll(tokens: Tokens, settings: Settings, seed: int, n: int) -> Tokens:
    """Sample n tokens after the text."""
    if n == 0:
        return ()
    with read.lock, torch.inference_mode():
        writer = model().writer(tokens, past=read.prefix_caches(tokens))
        return decoding.sample(writer, n, settings, seed).tokens


@memoize
def our_prediction(text: str) -> OurPrediction:
    """Predict the next word with our story model, if it knows every word of the text."""
    vocabulary = STORIES.vocabulary
    words = tuple(split_words(text, vocabulary))
    unknown = tuple(dict.fromkeys(word for word in words if word not in vocabulary or word in SPECIAL))
    shown, p, entropy = list[int](), torch.empty(0), None
    if words and not unknown:
        with torch.inference_mode():
            plain = load_model(OUR_MODEL).run(vocabulary.ids(words)).probabilities[-1].double()
        shown, entropy = most_probable(plain, OUR_WORDS_SHOWN), decoding.entropy(plain).item()
        p = plain[shown]
    return OurPrediction(words, unknown, vocabulary.tokens(shown), p.numpy(), entropy, len(vocabulary))
