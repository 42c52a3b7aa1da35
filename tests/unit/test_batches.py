"""Batches: sources are not padded, every target occurs once, and nothing is lost."""

from collections import Counter

import torch

from models.batches import IGNORE, pair_batches, text_batches
from models.tasks.toys import REVERSAL
from models.vocabulary import Vocabulary


def test_pairs_come_back_whole():
    pairs = REVERSAL.pairs("train", 300, lengths=range(1, 9))
    batches = pair_batches(pairs, REVERSAL, 16)
    seen = []
    for (sources, target_in), targets in batches:
        assert len(sources) <= 16
        assert not (sources == Vocabulary.pad).any()
        assert (target_in[:, 0] == Vocabulary.bos).all()
        asked = targets != IGNORE
        assert torch.equal(
            target_in[:, 1:][asked[:, 1:]], targets[:, :-1][asked[:, 1:]]
        )  # the input of each step is the target of the previous step
        for source, target in zip(sources.tolist(), targets.tolist(), strict=True):
            *target, end = [t for t in target if t != IGNORE]
            assert end == Vocabulary.eos
            seen.append((REVERSAL.source.tokens(source), REVERSAL.target.tokens(target)))
    assert Counter(seen) == Counter((pair.source, pair.target) for pair in pairs)


def test_the_order_depends_on_the_seed_alone():
    pairs = REVERSAL.pairs("train", 200, lengths=range(3, 6))
    first, again, other = (
        pair_batches(pairs, REVERSAL, 16, seed)[0].inputs[0].tolist() for seed in (0, 0, 1)
    )
    assert first == again != other


def test_long_documents_are_cut_into_overlapping_windows():
    documents = [[5] * 3, list(range(3, 40)), [7] * 8]
    batches = text_batches(documents, size=2, window=10)
    rows = [row for (tokens,), _ in batches for row in tokens.tolist()]
    assert max(map(len, rows)) == 10
    pairs = {
        (a, b)
        for (tokens,), targets in batches
        for a, b in zip(tokens.flatten().tolist(), targets.flatten().tolist(), strict=True)
    }
    assert {(a, a + 1) for a in range(3, 39)} <= pairs  # every token of the long document is a target
    assert {(Vocabulary.bos, 5), (Vocabulary.bos, 3), (39, Vocabulary.eos), (7, Vocabulary.eos)} <= pairs
    for (tokens,), targets in batches:
        assert ((targets == IGNORE) == (tokens == Vocabulary.pad)).all()
