"""Unknown words are read as `<unk>`, written as `<unk>`, and copied along the attention weights."""

from itertools import product

import pytest
import torch

from lessons.attention.unknown import EXPERIMENT
from lessons.attention.unknown.views import reading
from lessons.kit.notices import collect_notices
from lessons.kit.translator import Translator, pairs_of
from models import copying, zoo
from models.tasks import TASKS
from models.tasks.pronounce import held_out
from tests.says import assert_says

ADDITIVE = Translator("everyday-additive-64-s0")


def test_unknown_words_are_copied_from_where_the_output_looks():
    weights = torch.tensor([[0.1, 0.9], [0.6, 0.4]])
    assert copying.copy_unknown(("<unk>", "rit"), ("ha", "tom"), weights) == ("tom", "rit")
    assert copying.copy_unknown(("<unk>", "rit"), ("ha", "tom"), None) == ("<unk>", "rit")
    assert copying.copy_unknown(("de", "<unk>"), ("anna", "tom"), weights) == ("d'", "anna")
    assert copying.copy_unknown(("de", "<unk>"), ("anna", "tom"), weights[[1, 0]]) == ("de", "tom")


def test_a_transformer_copies_along_its_best_aligned_head():
    (model, card), task = zoo.load("translation-transformer-s0"), TASKS["translation"]
    trace = model.run(task.source.ids("the man sees the dog .".split()))
    table = card.metrics["aer_by_head"]
    layer, head = min(product(range(len(table)), range(len(table[0]))), key=lambda at: table[at[0]][at[1]])
    assert torch.equal(copying.copying_weights(trace, card), trace.cross[layer, head])


def test_names_that_were_never_seen_arrive():
    run = EXPERIMENT.run({"source": "Xanthippe met Tanmoy in the kitchen."})
    assert run.unknown == (0, 2)
    assert run.copied[0] == "xanthippe"
    assert "tanmoy" in run.copied
    assert "<unk>" not in run.copied
    assert_says(reading(run), "2 words", "xanthippe", "tanmoy")


def test_one_vector_has_nothing_to_copy_from():
    run = EXPERIMENT.run({"model": "one vector"})
    assert run.weights is None
    assert run.copied == run.output
    assert "word" in run.idle()


def test_moving_the_weight_changes_what_is_written():
    own, moved = EXPERIMENT.run(), EXPERIMENT.run({"word": 4})
    assert moved.weights[own.step].tolist() == [0, 0, 0, 1, 0]
    assert moved.copied != own.copied
    assert_says(reading(moved), "london")


def test_the_figures_are_those_of_the_shipped_models():
    """On a smaller sample, each fraction must lie within four standard errors of the recorded one."""
    recorded = copying.load_copying()[ADDITIVE.name]
    found = copying.measure(ADDITIVE.name, 60)
    p = recorded["correct"]
    assert found["correct"] == pytest.approx(p, abs=4 * (p * (1 - p) / 60) ** 0.5)
    assert recorded["sentences"] == copying.SENTENCES
    assert recorded["correct"] <= min(recorded["copied"], recorded["placed"])
    assert recorded["copied"] >= 0.9
    assert found["copied"] >= 0.9
    assert copying.load_copying()["everyday-none-128-s0"]["correct"] == 0


def test_hidden_names_are_spelled_the_same_in_both_languages():
    for pair, at in copying.hidden_names(20):
        assert pair.source[at] in pair.target


def test_a_translator_knows_its_task_and_the_sentences_of_the_course():
    assert ADDITIVE.task is TASKS["everyday"]
    source = "the old man kicked the bucket ."
    with collect_notices() as notices:
        tokens = ADDITIVE.read(source)
    assert_says(notices["source"], "Seen in training")
    words = ADDITIVE.source_words(tokens)
    assert words == tuple(source.split())
    assert ADDITIVE.pair(words) is pairs_of("everyday")[words]
    assert ADDITIVE.translate(tokens) == ADDITIVE.target_words(ADDITIVE.run(tokens).output)


def test_references_of_words_with_several_pronunciations():
    translator = Translator("pronounce-none-128-s0")
    word, sounds = next((word, sounds) for word, sounds in held_out().items() if len(sounds) > 1)
    assert translator.reference(tuple(word), sounds[1]) == sounds[1]
    assert translator.reference(tuple(word), ("Z", "Z")) == sounds[0]
    assert translator.reference(tuple("tanmoy"), ("T",)) is None
