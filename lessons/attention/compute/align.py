"""Who looks where, against the alignment that the grammar built in."""

from dataclasses import dataclass

import numpy as np

from lessons.kit.checkpoints import TRANSLATION, Words, english, french, load_card, original_run, read_source
from lessons.kit.contract import Result
from lessons.kit.references import known_pair, matches_reference
from models.metrics import aer, links_of
from models.vocabulary import Vocabulary

SCORES = {
    name: f"translation-{name.replace(' ', '-')}-64-s0"
    for name in ("additive", "dot", "scaled dot", "bilinear", "scaled bilinear")
}
Links = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Alignment(Result):
    """With gold, the model is fed the reference, as for the AER on its card; else what it writes itself."""

    score: str
    source: Words  # (T)
    target: Words  # (T') without <eos>
    written: Words  # by the model, when nothing is fed
    truth: Words | None  # the translation by the grammar, where it is known
    right: bool | None  # is what the model wrote the truth
    ended: bool  # did it write <eos> before it was stopped
    weights: np.ndarray  # (T', T)
    links: Links  # (t, i): each target word with the source word it looks at most
    gold: Links | None
    aer: float | None
    fresh: tuple[int, float]  # so many sentences that it has never read, and the AER there, from the card

    @property
    def on_gold(self) -> np.ndarray:
        """(T',) how much weight each word gives to its gold words; where there are none, nothing."""
        mask = np.zeros(self.weights.shape)
        for t, i in self.gold or ():
            mask[t, i] = 1
        return np.where(mask.any(1), (self.weights * mask).sum(1), np.nan)

    @property
    def alone(self) -> tuple[Words, Words]:
        """Source and target words without a counterpart."""
        gold = self.gold or ()
        seen, told = {i for _, i in gold}, {t for t, _ in gold}
        return (
            tuple(word for i, word in enumerate(self.source) if i not in seen),
            tuple(word for t, word in enumerate(self.target) if t not in told),
        )


def align(source: str, score: str) -> Alignment:
    name, tokens = SCORES[score], read_source(source)
    own, pair = original_run(name, tokens), known_pair(english(tokens))
    truth = pair.target if pair else None
    written = french(token for token in own.output if token != Vocabulary.eos)
    fed = own if truth is None or truth == written else original_run(name, tokens, reference(truth))
    target = written if truth is None else truth
    links = links_of(fed.weights, len(target))
    natural = load_card(name).metrics["natural"]
    return Alignment(
        score=score,
        source=english(tokens),
        target=target,
        written=written,
        truth=truth,
        right=matches_reference(written, truth),
        ended=own.output[-1] == Vocabulary.eos,
        weights=fed.weights[: len(target)].numpy(),
        links=tuple(sorted(links)),
        gold=tuple(sorted(pair.alignment)) if pair else None,
        aer=aer([links], [pair.alignment]) if pair else None,
        fresh=(natural["count"], natural["aer"]),
    )


def reference(words: Words) -> tuple[int, ...]:
    return (*TRANSLATION.target.ids(words), Vocabulary.eos)
