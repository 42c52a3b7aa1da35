"""Which states of a unidirectional and of a bidirectional encoder depend on a given word?"""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lessons.attention.seed_metrics import SeedMetrics, read_metrics
from lessons.attention.translators import ENCODERS, Source, without_eos
from lessons.kit.checkpoints import TRANSLATION, Words, load_card, load_model
from lessons.kit.contract import Result
from lessons.kit.language import translate
from lessons.kit.memo import memoize
from lessons.kit.notices import add_notice
from lessons.kit.translator import Translator
from lessons.kit.typed_text import UNKNOWN, TypedSentence
from models.metrics import aer, attention_maps, strongest_links
from models.seq2seq import Seq2SeqTrace
from models.tasks.everyday.reader import read_english
from models.vocabulary import Vocabulary

MEASURED_MODELS = {"unidirectional": "translation-oneway-64", "bidirectional": "translation-additive-64"}
OFFSETS = range(-2, 4)  # positions after the gold word; the first and last also count everything beyond
COUNTED_SENTENCES, COUNTED_LENGTHS = 60, range(8, 12)  # unseen sentences used to count offsets
Links = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Reader:
    """Results of one encoder. The decoder is fed the reference if gold links exist, else its own output."""

    name: str
    target: Words  # (T') without <eos>: the rows of the map
    weights: np.ndarray  # (T', T)
    links: Links  # (t, i): for each target word t, the source word i with the largest weight
    aer: float | None
    change: np.ndarray  # (T,) |Δh_i|, the norm of the difference
    halves: np.ndarray  # (1 or 2, T) the same, separately for forward and backward units
    written: tuple[Words, Words]  # the output for the original and for the changed sentence
    right: bool | None  # whether the output for the original sentence is the reference


@dataclass(frozen=True)
class Readers(Result):
    source: Words  # (T)
    i: int  # the position of the changed word, from 1
    put: str  # the word read at position i instead; "" leaves it blank: x_i = 0
    truth: Words | None
    gold: Links | None
    both: tuple[Reader, Reader]  # unidirectional, bidirectional

    @property
    def is_unchanged(self) -> bool:
        return self.put == self.source[self.i - 1]

    def limits(self) -> dict[str, Any]:
        return {"i": len(self.source)}

    @cached_property
    def measured(self) -> tuple[SeedMetrics, ...]:
        return tuple(read_metrics(name, model) for name, model in MEASURED_MODELS.items())

    @cached_property
    def lengths(self) -> tuple[tuple[int, int], ...]:
        """Shortest and longest sentence of each bucket of `by_length`."""
        rows = load_card(f"{MEASURED_MODELS['unidirectional']}-s0").metrics["by_length"]
        return tuple((row["from"], row["to"]) for row in rows)

    @cached_property
    def lateness(self) -> np.ndarray:
        """(2, offsets) fraction of target words whose largest weight is at each offset from the gold word."""
        return np.stack([offset_fractions(f"{model}-s0") for model in MEASURED_MODELS.values()])


def compute(source: str, i: int, put: str) -> Readers:
    first = ENCODERS["unidirectional"]
    sentence = first.read_typed(source)
    i, put = min(i, len(sentence.words)), read_word(put, first)
    changed = put_word(sentence, i, put, first)
    unidirectional, bidirectional = (compare_states(name, sentence, changed) for name in ENCODERS)
    pair = first.pair(sentence.words)
    return Readers(
        source=sentence.shown,
        i=i,
        put=changed.shown[i - 1],
        truth=pair.target if pair else None,
        gold=pair.alignment if pair else None,
        both=(unidirectional, bidirectional),
    )


def read_word(text: str, translator: Translator) -> str:
    """The first typed word; "" if there is none, or if a translator without `<unk>` does not know it."""
    words = [word for word in read_english(text) if word[0].isalnum()]
    if len(words) > 1:
        add_notice("put", translate("Type one word: only the first of your {n} words is used.", n=len(words)))
    if not words or translator.knows(words[:1]) or translator.knows([UNKNOWN]):
        return words[0] if words else ""
    template = "These models do not know “{word}”, so the position is blank."
    add_notice("put", translate(template, word=words[0]))
    return ""


def put_word(sentence: TypedSentence, i: int, word: str, translator: Translator) -> TypedSentence:
    """Replace the word at position i, from 1; "" leaves the position blank."""
    read = word if not word or translator.knows([word]) else UNKNOWN
    typed = (*sentence.typed[: i - 1], word, *sentence.typed[i:])
    return TypedSentence(typed, (*sentence.words[: i - 1], read, *sentence.words[i:]))


def compare_states(name: str, sentence: TypedSentence, changed: TypedSentence) -> Reader:
    """Run one encoder on the original and on the changed sentence."""
    translator = ENCODERS[name]
    sources = Source(translator, sentence), Source(translator, changed)
    traces = [run_with_blanks(translator, source.sentence.words) for source in sources]
    written, rewritten = (
        without_eos(source.output(trace)) for source, trace in zip(sources, traces, strict=True)
    )
    pair = sources[0].pair
    target = pair.target if pair else written
    trace: Any = sources[0].run_on(target) if pair else traces[0]
    weights = trace.weights[: len(target)]
    links = strongest_links(weights, len(target))
    directions = 2 if translator.model.config.bidirectional else 1
    difference = traces[1].H - traces[0].H  # (T, m)
    difference = difference.unflatten(-1, (directions, -1))  # (T, directions, m / directions)
    return Reader(
        name=name,
        target=target,
        weights=weights.numpy(),
        links=links,
        aer=aer([links], [pair.alignment]) if pair else None,
        change=difference.flatten(1).norm(dim=-1).numpy(),
        halves=difference.norm(dim=-1).T.numpy(),
        written=(written, rewritten),
        right=sources[0].is_right(written),
    )


@memoize
def run_with_blanks(translator: Translator, words: Words) -> Seq2SeqTrace:
    """Run the model. At a position with the word "" the input is blank: x_i = 0."""
    if "" not in words:
        return translator.run(translator.ids(words))
    is_word = torch.tensor([word != "" for word in words])

    def blank_positions(x: Tensor, step: int) -> Tensor:
        return x * is_word[:, None]

    tokens = tuple(translator.task.source.index.get(word, Vocabulary.pad) for word in words)
    with torch.inference_mode():
        return translator.model.run(tokens, edits={"x": blank_positions})


@cache
def offset_fractions(name: str) -> np.ndarray:
    """(offsets,) fraction of target words in unseen sentences by offset of the largest weight from gold."""
    pairs = TRANSLATION.pairs("test", COUNTED_SENTENCES, seed=1, lengths=COUNTED_LENGTHS)
    counts = np.zeros(len(OFFSETS))
    for pair, (weights,) in zip(pairs, attention_maps(load_model(name), pairs, TRANSLATION), strict=True):
        for t, position in enumerate(weights[: len(pair.target)].argmax(-1).tolist()):
            if gold := [i for row, i in pair.alignment if row == t]:
                offset = np.clip(offset_from_gold(position, gold), OFFSETS[0], OFFSETS[-1])
                counts[int(offset) - OFFSETS[0]] += 1
    return counts / counts.sum()


def offset_from_gold(position: int, gold: list[int]) -> int:
    """Offset of a position from the nearest gold word; negative if the position comes before it."""
    return min((position - i for i in gold), key=abs)
