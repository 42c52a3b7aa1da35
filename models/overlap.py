"""BLEU and chrF written out: how much a translation shares with its references (lesson `decoding`, `bleu`).

`models.metrics` measures the shipped models with the package sacrebleu; the tests compare both.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

MAX_ORDER = 4  # BLEU counts n-grams of 1 to 4 words
MAX_CHARACTERS, BETA = 6, 2  # chrF counts n-grams of 1 to 6 characters; recall counts twice as much
Words = Sequence[str]
Ngram = tuple[str, ...]


@dataclass(frozen=True)
class NgramPrecision:
    """The n-grams of one order in a candidate."""

    n: int
    counts: Counter[Ngram]  # how often each occurs in the candidate
    # n-grams that count as matches: at most as many as in the reference with the most
    clipped: Counter[Ngram]

    @property
    def matched(self) -> int:
        return sum(self.clipped.values())

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def precision(self) -> float:
        return self.matched / self.total if self.total else 0.0


@dataclass(frozen=True)
class Bleu:
    """BLEU of one sentence and its factors (Papineni et al. 2002), without smoothing."""

    orders: tuple[NgramPrecision, ...]
    length: int  # number of words in the candidate
    reference_length: int  # number of words in the reference closest in length

    @property
    def brevity(self) -> float:
        """Brevity penalty: 1, or exp(1 − r/c) if the candidate is shorter than the reference."""
        if self.length >= self.reference_length:
            return 1.0
        return exp(1 - self.reference_length / self.length) if self.length else 0.0

    @property
    def score(self) -> float:
        """100 × brevity penalty × geometric mean of the precisions; 0 if one precision is 0."""
        precisions = [order.precision for order in self.orders]
        if not all(precisions):
            return 0.0
        return 100 * self.brevity * exp(sum(map(log, precisions)) / len(precisions))


def ngrams(tokens: Words, n: int) -> Counter[Ngram]:
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def bleu(candidate: Words, references: Sequence[Words]) -> Bleu:
    orders = []
    for n in range(1, MAX_ORDER + 1):
        counts, most = ngrams(candidate, n), Counter[Ngram]()
        for reference in references:
            most |= ngrams(reference, n)
        orders.append(NgramPrecision(n, counts, counts & most))
    closest = min((abs(len(reference) - len(candidate)), len(reference)) for reference in references)[1]
    return Bleu(tuple(orders), len(candidate), closest)


def chrf(candidate: str, references: Sequence[str]) -> float:
    """chrF (Popović 2015), 0 to 100: F-score of character n-grams without spaces; the best reference counts.

    Orders that neither text is long enough for are left out.
    """
    return max((chrf_against(candidate, reference) for reference in references), default=0.0)


def chrf_against(candidate: str, reference: str) -> float:
    one, other = ("".join(text.split()) for text in (candidate, reference))
    precision = recall = 0.0
    orders = 0
    for n in range(1, MAX_CHARACTERS + 1):
        counts, wanted = ngrams(one, n), ngrams(other, n)
        if not counts or not wanted:
            continue
        shared = sum((counts & wanted).values())
        precision += shared / sum(counts.values())
        recall += shared / sum(wanted.values())
        orders += 1
    if not orders or not precision + recall:
        return 0.0
    precision, recall = precision / orders, recall / orders
    return 100 * (1 + BETA**2) * precision * recall / (BETA**2 * precision + recall)
