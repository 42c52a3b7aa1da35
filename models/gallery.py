"""Compare decoding strategies: `python -m models.gallery` writes assets/gallery.json for lesson `decoding`.

Every strategy continues the same prompts from held-out stories. As in Holtzman et al. 2020, Table 1, we
measure perplexity under the model that wrote the texts, the fraction that end in a loop, and distinct-n.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import torch

from models import zoo
from models.decoding import Settings, beam, distinct, find_loop, perplexity, sample, score
from models.dynamic_types import Json
from models.tasks import CORPORA
from models.vocabulary import Vocabulary

PATH = Path(__file__).parent.parent / "assets" / "gallery.json"
CORPUS = CORPORA["stories"]
MODELS = {"GRU": "stories-gru-1", "Transformer": "stories-transformer"}
PROMPT_TOKENS, MAX_TOKENS = 12, 80
TEXT_COUNT = 100  # number of texts per strategy
SEED = 0
NGRAM_SIZES = (1, 2, 3)  # the values of n in distinct-n
BOOTSTRAP_SAMPLES = 2000


@dataclass(frozen=True)
class Strategy:
    """How the next word is chosen: sampling with filters, or beam search with a given width."""

    settings: Settings = Settings()  # noqa: RUF009  # safe as a default: the class is frozen
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
    tokens: tuple[int, ...]  # the generated tokens, without the prompt and the end token
    logprobs: tuple[float, ...]  # log P of each token under the unfiltered model, including the end token


@cache
def held_out_prompts(
    count: int = TEXT_COUNT, seed: int = SEED
) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """The first words of test stories, and the rest of each story with its end token.

    Songs and chants are left out: their lines repeat by design.
    """
    # a seed that the cards did not use
    documents = CORPUS.draw_documents("test", 2 * count, seed=seed + 1000)
    stories = [document for document in documents if document.kind == "story"][:count]
    texts = [(*CORPUS.vocabulary.ids(story.tokens), Vocabulary.eos) for story in stories]
    return tuple((ids[:PROMPT_TOKENS], ids[PROMPT_TOKENS : PROMPT_TOKENS + MAX_TOKENS]) for ids in texts)


def write_text(model: zoo.Storyteller, prompt: Sequence[int], strategy: Strategy, seed: int) -> Text:
    writer = model.writer(prompt)
    if strategy.width:
        tree = beam(writer, strategy.width, MAX_TOKENS, shown=0)
        path = tree.path(tree.best)
        return _make_text([node.token for node in path], [node.logprob for node in path])
    hypothesis = sample(writer, MAX_TOKENS, strategy.settings, seed)
    return _make_text(hypothesis.tokens, hypothesis.logprobs)


def true_text(model: zoo.Storyteller, prompt: Sequence[int], rest: Sequence[int]) -> Text:
    """The true continuation, with its probabilities under the model."""
    return _make_text(rest, score(model.writer(prompt), rest).logprobs)


def _make_text(tokens: Sequence[int], logprobs: Sequence[float]) -> Text:
    return Text(tuple(token for token in tokens if token != Vocabulary.eos), tuple(logprobs))


def texts(name: str, strategy: str, count: int = TEXT_COUNT, seed: int = SEED) -> Iterator[Text]:
    """Continue each prompt with a strategy. Text i continues prompt i with the seed `seed + i`."""
    model = zoo.load(MODELS[name])[0]
    for i, (prompt, rest) in enumerate(held_out_prompts(count, seed)):
        if strategy == HUMAN:
            yield true_text(model, prompt, rest)
        else:
            yield write_text(model, prompt, STRATEGIES[strategy], seed + i)


def figures(texts: Sequence[Text]) -> dict[str, float]:
    """Perplexity of all words with its interval, and loops, distinct-n and length averaged over texts."""
    low, high = interval(texts)
    return {
        "perplexity": perplexity([logprob for text in texts for logprob in text.logprobs]),
        "least": low,
        "most": high,
        "repetition": _mean([find_loop(text.tokens) is not None for text in texts]),
        **{
            f"distinct-{n}": _mean([distinct(text.tokens, n) for text in texts if len(text.tokens) >= n])
            for n in NGRAM_SIZES
        },
        "words": _mean([len(text.tokens) for text in texts]),
    }


def interval(texts: Sequence[Text]) -> tuple[float, float]:
    """95% bootstrap interval of the perplexity.

    Texts are resampled, not words, because the words of one text depend on each other.
    """
    sums = np.array([(sum(text.logprobs), len(text.logprobs)) for text in texts])  # (texts, 2)
    chosen = np.random.default_rng(0).integers(len(texts), size=(BOOTSTRAP_SAMPLES, len(texts)))
    totals = sums[chosen].sum(1)  # (BOOTSTRAP_SAMPLES, 2)
    low, high = np.exp(-np.quantile(totals[:, 0] / totals[:, 1], (0.975, 0.025))).tolist()
    return low, high


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def gallery(models: Mapping[str, str] = MODELS, count: int = TEXT_COUNT, seed: int = SEED) -> Json:
    """Compute the content of assets/gallery.json."""
    torch.set_num_threads(1)
    names = (HUMAN, *STRATEGIES)
    return {
        "seed": seed,
        "count": count,
        "prompt": PROMPT_TOKENS,
        "limit": MAX_TOKENS,
        "prompts": [_join(prompt) for prompt, _ in held_out_prompts(count, seed)],
        "models": {
            model: {name: _strategy_json(tuple(texts(model, name, count, seed))) for name in names}
            for model in models
        },
    }


def _strategy_json(texts: Sequence[Text]) -> Json:
    return {
        "figures": {key: round(value, 4) for key, value in figures(texts).items()},
        "texts": [_join(text.tokens) for text in texts],
    }


def _join(tokens: Sequence[int]) -> str:
    return " ".join(CORPUS.vocabulary.tokens(tokens))


@cache
def load_gallery(path: Path = PATH) -> Json:
    return json.loads(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    PATH.write_text(json.dumps(gallery(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{PATH.name}: {len(MODELS)} models, {len(STRATEGIES) + 1} strategies, {TEXT_COUNT} texts each")
