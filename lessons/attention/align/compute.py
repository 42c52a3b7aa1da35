"""The attention weights of a translation, and how well they agree with the gold alignment."""

from dataclasses import dataclass

import numpy as np

from lessons.attention.translators import SCORES, read_source, without_eos
from lessons.kit.checkpoints import Words, load_card
from lessons.kit.contract import Result
from models.metrics import aer, strongest_links
from models.vocabulary import Vocabulary

Links = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Alignment(Result):
    """Weights of one translation. The decoder is fed the reference if gold links exist, else its output."""

    score: str
    source: Words  # (T)
    target: Words  # (T') without <eos>
    written: Words  # the model's output when it is fed its own words
    truth: Words | None  # the reference translation, if it is known
    right: bool | None  # whether `written` is the reference
    ended: bool  # whether the model wrote <eos> before it was stopped
    weights: np.ndarray  # (T', T)
    links: Links  # (t, i): for each target word t, the source word i with the largest weight
    gold: Links | None
    aer: float | None
    fresh: tuple[int, float]  # from the card: number of unseen sentences, and the AER on them

    @property
    def on_gold(self) -> np.ndarray:
        """(T',) the weight of each target word on its gold source words; NaN for words without gold links."""
        is_gold = np.zeros(self.weights.shape)
        for t, i in self.gold or ():
            is_gold[t, i] = 1
        return np.where(is_gold.any(1), (self.weights * is_gold).sum(1), np.nan)

    @property
    def unlinked(self) -> tuple[Words, Words]:
        """Source words and target words without a gold link."""
        gold = self.gold or ()
        sources, targets = {i for _, i in gold}, {t for t, _ in gold}
        return (
            tuple(word for i, word in enumerate(self.source) if i not in sources),
            tuple(word for t, word in enumerate(self.target) if t not in targets),
        )


def compute(source: str, score: str) -> Alignment:
    read = read_source(source, SCORES[score])
    own, pair = read.run(), read.pair
    written = without_eos(read.output(own))
    target = pair.target if pair else written
    weights = (read.run_on(target) if pair else own).weights[: len(target)]
    links = strongest_links(weights, len(target))
    natural = load_card(read.translator.name).metrics["natural"]
    return Alignment(
        score=score,
        source=read.words,
        target=target,
        written=written,
        truth=read.truth,
        right=read.is_right(written),
        ended=own.output[-1] == Vocabulary.eos,
        weights=weights.numpy(),
        links=tuple(sorted(links)),
        gold=tuple(sorted(pair.alignment)) if pair else None,
        aer=aer([links], [pair.alignment]) if pair else None,
        fresh=(natural["count"], natural["aer"]),
    )
