"""Probes recover what c contains and nothing else, and the shipped probes fit their models."""

import pytest
import torch

from models import measure, train, zoo
from models.batches import IGNORE, Batch
from models.probe import LinearProbe, ProbeConfig, contexts, probe_batches
from models.recipes import RECIPES
from models.tasks import TASKS

TASK = TASKS["translation"]
PROBES = [name for name, recipe in RECIPES.items() if recipe.kind == "probe"]
FRESH = 4711  # a seed that neither training nor the cards used


def small_probe(**config) -> LinearProbe:
    return zoo.build(
        "probe",
        {"checkpoint": "x", "source_words": 12, "target_words": 1, "width": 8, "positions": 3, "rank": 8}
        | config,
    )


def test_a_probe_is_linear_in_c():
    probe, (a, b) = small_probe(), torch.randn(2, 1, 8)
    with torch.no_grad():
        mixed, apart = probe(0.3 * a + 0.7 * b), 0.3 * probe(a) + 0.7 * probe(b)
        by_hand = probe.U @ (probe.W[1].T @ a[0] + probe.b[1])
        torch.testing.assert_close(probe(a)[0, 1], by_hand)
    assert mixed.shape == (1, 3, 12)
    torch.testing.assert_close(mixed, apart)


@pytest.mark.parametrize("told", [True, False])
def test_it_finds_what_is_there_and_nothing_else(told):
    """A probe must find the word at position 2 if c contains it, and must not find it in noise."""
    rng = torch.Generator().manual_seed(0)
    words = torch.randint(0, 12, (400, 3), generator=rng)
    directions = torch.randn(12, 8, generator=rng)
    c = directions[words[:, 1]] if told else torch.randn(400, 8, generator=rng)
    probe = small_probe()
    batches = [Batch((c[n : n + 50],), words[n : n + 50]) for n in range(0, 300, 50)]
    list(train.fit(probe, batches, 200, 1e-2))
    with torch.no_grad():
        found = (probe(c[300:]).argmax(-1) == words[300:]).float().mean(0)
    assert found[0] < 0.3
    assert found[2] < 0.3
    assert (found[1] > 0.95) == told


def test_batches_hold_c_and_the_words_it_came_from():
    model, _ = zoo.load("translation-none-64-s0")
    sources = [
        TASK.source.ids(TASK.read(text))
        for text in ("she gave up .", "he hit me with a pie .", "they gave up .")
    ]
    batch, rest = probe_batches(model, sources, 2, 5)
    assert batch.targets.tolist() == [[*sources[0], IGNORE], sources[1][:5]]
    for source, c in zip(sources, [*batch.inputs[0], *rest.inputs[0]], strict=True):
        torch.testing.assert_close(c, model.run(source).c, atol=1e-5, rtol=0)
    assert not contexts(model, sources).requires_grad


@pytest.mark.parametrize("name", PROBES)
def test_the_recorded_recovery_is_reached_again(name):
    """A probe must reach its recorded recovery. If it fails, run python -m models.train NAME."""
    probe, card = zoo.load(name)
    pairs = TASK.pairs("test", 120, seed=FRESH, lengths=RECIPES[name].lengths)
    rows = measure.accuracy_by_position(probe, pairs, TASK)
    found = sum(row["accuracy"] * row["count"] for row in rows) / sum(row["count"] for row in rows)
    assert found == pytest.approx(card.metrics["natural"]["accuracy"], abs=0.06)
    assert card.metrics["natural"]["accuracy"] > 2 * card.metrics["natural"]["commonest"]


def test_what_is_left_shrinks_with_length_and_grows_with_width():
    narrow, wide = (zoo.Card.read(f"probe-none-{width}-s0").metrics for width in (64, 128))
    assert narrow["natural"]["accuracy"] < wide["natural"]["accuracy"]
    for figures in (narrow, wide):
        fifth = [
            rows["by_position"][4]["accuracy"] for rows in figures["by_length"]
        ]  # sentences in every bucket have at least five words
        assert fifth[0] > fifth[-1]
        assert [row["position"] for row in figures["by_position"]] == list(range(1, 21))


def test_a_probe_knows_its_size():
    assert ProbeConfig("x", 261, 363).positions == RECIPES["probe-none-128-s0"].lengths[-1]
