"""Metrics agree with examples worked by hand, and BLEU agrees with its formula."""

import math

import pytest
import torch

from models import metrics, zoo
from models.tasks import TASKS
from models.tasks.task import Pair


def test_exact_match_and_token_accuracy():
    outputs, references = [["a", "b"], ["a", "x", "c"], ["a"]], [["a", "b"], ["a", "b", "c"], ["a", "b"]]
    assert metrics.exact_match(outputs, references) == pytest.approx(1 / 3)
    assert metrics.token_accuracy(outputs, references) == pytest.approx((2 + 2 + 1) / (2 + 3 + 2))


def test_aer_is_its_definition():
    """AER must follow Och & Ney 2003, with every gold link sure: 1 − (|A∩S| + |A∩P|) / (|A| + |S|)."""
    A = [frozenset({(0, 0), (1, 1), (2, 2)}), frozenset({(0, 1)})]
    G = [frozenset({(0, 0), (1, 2)}), frozenset({(0, 1), (1, 1)})]
    hits = 1 + 1
    assert metrics.aer(A, G) == pytest.approx(1 - (hits + hits) / (4 + 4))
    assert metrics.aer(G, G) == 0
    assert metrics.aer([frozenset()], [frozenset()]) == 0


def test_bleu_is_its_definition():
    out, ref = "the cat sat on the mat now", "the cat sat on a mat now"
    o, r = out.split(), ref.split()
    precisions = []
    for n in range(1, 5):
        grams = [tuple(o[i : i + n]) for i in range(len(o) - n + 1)]
        known = [tuple(r[i : i + n]) for i in range(len(r) - n + 1)]
        precisions.append(sum(min(grams.count(g), known.count(g)) for g in set(grams)) / len(grams))
    expected = 100 * math.exp(sum(map(math.log, precisions)) / 4)
    assert metrics.bleu([out], [ref]) == pytest.approx(expected, abs=1e-6)


def test_links_are_the_largest_weights():
    weights = torch.tensor([[0.2, 0.7, 0.1], [0.5, 0.3, 0.2], [0.1, 0.1, 0.8]])
    assert metrics.strongest_links(weights, 2) == {(0, 1), (1, 0)}  # the third row produced <eos>


def test_the_two_ends_of_the_aer_scale():
    pair = Pair(("a", "b", "c"), ("x", "y", "z"), frozenset({(0, 0), (1, 2), (1, 1), (2, 1)}))
    assert metrics.oracle_links(pair) == {(0, 0), (1, 1), (2, 1)}
    diagonal = frozenset((t, t) for t in range(3))
    assert metrics.aer([metrics.oracle_links(pair)], [pair.alignment]) < metrics.aer(
        [diagonal], [pair.alignment]
    )


class Countdown:
    """A model that counts down from the first token of its source and stops at 2, which is <eos>."""

    class Writer:
        bos, eos = 1, 2

        def __init__(self, source):
            self.at = source[:, 0]

        def begin(self):
            return (self.at + 1,)

        def next(self, tokens, state):
            now = (state[0] - 1).clamp(min=2)
            return torch.nn.functional.one_hot(now, 10).float(), (now,)

    def batch_writer(self, sources):
        return self.Writer(sources)


def test_translate_keeps_the_order_and_stops_each_at_its_end():
    assert metrics.translate(Countdown(), [[5, 0], [3], [4, 0], [2, 0]]) == [[5, 4, 3], [3], [4, 3], []]
    assert metrics.translate(Countdown(), [[9]], limit=3) == [[9, 8, 7]]


@pytest.mark.parametrize("name", ["translation-before-64-s0", "translation-additive-64-s0"])
def test_attention_maps_are_those_of_single_runs(name):
    """Batched attention maps must equal those of single runs, for both kinds of decoder query."""
    task, (model, _) = TASKS["translation"], zoo.load(name)
    pairs = task.pairs("test", 6, lengths=range(5, 7))
    for pair, found in zip(pairs, metrics.attention_maps(model, pairs, task), strict=True):
        alone = model.run(
            task.source.ids(pair.source), [*task.target.ids(pair.target), task.target.eos]
        ).weights
        torch.testing.assert_close(found[0, : len(alone)], alone, atol=1e-5, rtol=0)
