"""Ways of choosing words, side by side: `python -m models.gallery` writes assets/gallery.json (lesson decoding, gallery).

Every way continues the same beginnings of held-out texts, and its texts are measured by the model that wrote them, as in
Holtzman et al. 2020, Table 1: perplexity, and the share that ends in a loop; beside them how many words and phrases are new.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import torch

from models import zoo
from models.decoding import Settings, beam, distinct, perplexity, find_loop, sample, score
from models.dynamic_types import Json
from models.tasks import CORPORA
from models.vocabulary import Vocabulary

PATH = Path(__file__).parent.parent / "assets" / "gallery.json"
CORPUS = CORPORA["stories"]
MODELS = {"GRU": "stories-gru-1", "Transformer": "stories-transformer"}
PROMPT, LIMIT = 12, 80  # words given, words written at most
TEXT_COUNT = 100  # texts of each way
SEED = 0
PLAIN = Settings()
NGRAM_SIZES = (1, 2, 3)  # n of distinct-n
RESAMPLED = 2000  # sets of texts for an interval


@dataclass(frozen=True)
class Strategy:
    """How the next word is chosen: sampled through filters, or the best that a beam of some width finds."""

    settings: Settings = PLAIN
    width: int = 0


HUMAN = "the true text"
STRATEGIES = {
    "greedy": Strategy(Settings(temperature=0)),
    "beam 16": Strategy(width=16),
    "pure sampling": Strategy(),
    "top-k 40": Strategy(Settings(top_k=40)),
    "top-k 40, τ 0.7": Strategy(Settings(top_k=40, temperature=0.7)),
    "top-p 0.95": Strategy(Settings(top_p=0.95)),
}


@dataclass(frozen=True)
class Text:
    tokens: tuple[int, ...]  # what was written, without the end token
    logprobs: tuple[float, ...]  # of each token under the model as it is, that of the end token included


@cache
def held_out_prompts(count: int = TEXT_COUNT, seed: int = SEED) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """The first words of held-out stories, and how each goes on, its end token included.

    Songs and chants are left out: in them lines come back by design, and the words of a chant have no sense.
    """
    found: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    drawn = CORPUS.marked("test", 2 * count, seed=seed + 1000)  # other texts than those on the models' cards
    for document in [document for document in drawn if document.kind == "story"][:count]:
        ids = (*CORPUS.vocabulary.ids(document.tokens), Vocabulary.eos)
        found.append((ids[:PROMPT], ids[PROMPT : PROMPT + LIMIT]))
    return tuple(found)


def write_text(model: zoo.Storyteller, prompt: Sequence[int], way: Strategy, seed: int) -> Text:
    writer = model.writer(prompt)
    if way.width:
        tree = beam(writer, way.width, LIMIT, shown=0)
        path = tree.path(tree.best)
        return _text([node.token for node in path], [node.logprob for node in path])
    hypothesis = sample(writer, LIMIT, way.settings, seed)
    return _text(hypothesis.tokens, hypothesis.logprobs)


def true_text(model: zoo.Storyteller, prompt: Sequence[int], rest: Sequence[int]) -> Text:
    """What a writer of flesh, or here a grammar, wrote, as the model sees it."""
    return _text(rest, score(model.writer(prompt), rest).logprobs)


def _text(tokens: Sequence[int], logprobs: Sequence[float]) -> Text:
    return Text(tuple(token for token in tokens if token != Vocabulary.eos), tuple(logprobs))


def texts(name: str, way: str, count: int = TEXT_COUNT, seed: int = SEED) -> Iterator[Text]:
    """Text i continues beginning i, with seed + i."""
    model = zoo.load(MODELS[name])[0]
    for i, (prompt, rest) in enumerate(held_out_prompts(count, seed)):
        yield true_text(model, prompt, rest) if way == HUMAN else write_text(model, prompt, STRATEGIES[way], seed + i)


def figures(found: Sequence[Text]) -> dict[str, float]:
    """Perplexity over all words, with its interval; the share of texts that end in a loop; distinct-n, length: means over texts."""
    least, most = interval(found)
    return {
        "perplexity": perplexity([logprob for text in found for logprob in text.logprobs]),
        "least": least,
        "most": most,
        "repetition": _mean([find_loop(text.tokens) is not None for text in found]),
        **{
            f"distinct-{n}": _mean([distinct(text.tokens, n) for text in found if len(text.tokens) >= n])
            for n in NGRAM_SIZES
        },
        "words": _mean([len(text.tokens) for text in found]),
    }


def interval(found: Sequence[Text]) -> tuple[float, float]:
    """Where the perplexity lies in 95 of 100 sets of as many texts, drawn from these with repeats (bootstrap over texts).

    Words of one text hang together, so texts are drawn and not words.
    """
    sums = np.array([(sum(text.logprobs), len(text.logprobs)) for text in found])  # (texts, 2)
    drawn = sums[np.random.default_rng(0).integers(len(found), size=(RESAMPLED, len(found)))].sum(
        1
    )  # (RESAMPLED, 2)
    least, most = np.exp(-np.quantile(drawn[:, 0] / drawn[:, 1], (0.975, 0.025))).tolist()
    return least, most


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def gallery(models: Mapping[str, str] = MODELS, count: int = TEXT_COUNT, seed: int = SEED) -> Json:
    torch.set_num_threads(1)
    return {
        "seed": seed,
        "count": count,
        "prompt": PROMPT,
        "limit": LIMIT,
        "prompts": [_said(prompt) for prompt, _ in held_out_prompts(count, seed)],
        "models": {name: {way: _told(name, way, count, seed) for way in (HUMAN, *STRATEGIES)} for name in models},
    }


def _told(name: str, way: str, count: int, seed: int) -> Json:
    found = tuple(texts(name, way, count, seed))
    return {
        "figures": {key: round(value, 4) for key, value in figures(found).items()},
        "texts": [_said(text.tokens) for text in found],
    }


def _said(tokens: Sequence[int]) -> str:
    return " ".join(CORPUS.vocabulary.tokens(tokens))


@cache
def load_gallery(path: Path = PATH) -> Json:
    return json.loads(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    PATH.write_text(json.dumps(gallery(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{PATH.name}: {TEXT_COUNT} texts in each of {len(STRATEGIES) + 1} ways by {len(MODELS)} models")
