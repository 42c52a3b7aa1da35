"""Models for lessons: typed text and its errors, cached runs, and most probable words."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lessons import LESSONS
from lessons.kit.checkpoints import (
    EXTRA_EVERYDAY_SENTENCES,
    EXTRA_TRAINING_SENTENCES,
    english,
    load_model,
    most_probable,
    original_run,
    read_source,
    read_story,
    read_target,
    translate,
    untrained_model,
)
from lessons.kit.contract import Experiment, Text
from lessons.kit.notices import collect_notices
from models.tasks import TASKS
from models.tasks.task import split_of
from models.vocabulary import EOS, InputError

PIE = "he hit me with a pie ."
SENSES = {("qkv", "mask"), ("qkv", "bank"), ("qkv", "blank")}  # texts for models of another task
NAMES = ("translation-additive-64-s0", "translation-none-64-s0", "translation-transformer-s0")


@pytest.mark.parametrize(
    ("read", "control"),
    [
        (lambda: read_source(""), "source"),
        (lambda: read_source("Привет", "donor"), "donor"),
        (lambda: read_source("2*2", "sum", TASKS["addition"]), "sum"),
        (lambda: read_target("le zzyzx", "candidate"), "candidate"),
        (lambda: read_story("Привет"), "text"),
    ],
)
def test_a_complaint_names_its_control(read, control):
    with pytest.raises(InputError) as caught:
        read()
    assert caught.value.control == control


@pytest.mark.parametrize(
    ("typed", "read", "said"),
    [
        ("he hit me with a pie", "he hit me with a pie .", "A full stop was added. Seen in training."),
        ("Is she young", "is she young ?", "A question mark was added."),
        ("will they buy a house", "will they buy a house ?", "A question mark was added."),
        ("is she old .", "is she old .", None),
        ("is she old ?", "is she old ?", "Seen in training."),
        (PIE, PIE, "Seen in training."),
        ("the beautiful house was bought .", "the beautiful house was bought .", None),
    ],
)
def test_a_sentence_gets_the_mark_that_it_lacks_and_it_is_said(typed, read, said):
    with collect_notices() as notices:
        assert english(read_source(typed, "text")) == tuple(read.split())
    assert notices == ({"text": said} if said else {})


def test_whatever_is_offered_and_was_seen_in_training_says_so():
    """Default and suggested texts that were in the training data show a notice that says so."""
    course = {" ".join(source) for source in TASKS["translation"].course_sources} | set(
        EXTRA_TRAINING_SENTENCES
    )
    silent = set()
    for lesson in LESSONS:
        for experiment in lesson.experiments:
            for control in experiment.controls:
                for text in (
                    {control.default, *getattr(control, "suggestions", ())} & course
                    if isinstance(control, Text)
                    else ()
                ):
                    with collect_notices() as notices:
                        experiment.run({control.name: text})
                    if (
                        "Seen in training." not in notices.get(control.name, "")
                        and (lesson.slug, experiment.slug) not in SENSES
                    ):
                        silent.add((lesson.slug, experiment.slug, text))
    unseen_in_everyday = set(EXTRA_TRAINING_SENTENCES) - set(EXTRA_EVERYDAY_SENTENCES)
    assert {text for _, _, text in silent} <= unseen_in_everyday
    assert all(split_of(tuple(text.split())) == "train" for text in EXTRA_TRAINING_SENTENCES)


def test_only_sentences_get_marks():
    with collect_notices() as notices:
        assert (
            "".join(TASKS["addition"].source.tokens(read_source("27+58", "sum", TASKS["addition"])))
            == "27+58"
        )
    assert not notices


def test_a_mark_counts_as_a_word():
    assert english(read_source(" ".join(["the"] * 40))) == (*["the"] * 39, ".")


@pytest.mark.parametrize(
    ("text", "said"),
    [("12345+6", "0 to 999"), ("1+2+3", "two numbers"), ("007+5", "leading zeros"), ("5", "two numbers")],
)
def test_what_no_model_learned_is_read_and_said(text, said):
    with collect_notices() as notices:
        tokens = read_source(text, "sum", TASKS["addition"])
    assert "".join(TASKS["addition"].source.tokens(tokens)) == text
    assert said in notices["sum"]


def test_two_sentences_of_known_words_are_not_one():
    with collect_notices() as notices:
        assert english(read_source("She is old. He is young.")) == ("she", "is", "old", ".")
    assert "2 sentences" in notices["source"]


@pytest.mark.parametrize("name", NAMES)
def test_the_output_alone_is_that_of_the_run_in_sight_which_is_kept(name):
    source = read_source(PIE)
    trace = original_run(name, source)
    assert TASKS["translation"].target.tokens(trace.output) == (*translate(name, source), EOS)
    assert original_run(name, source) is trace


def test_a_run_that_is_fed_thinks_about_what_it_is_fed():
    source = read_source(PIE)
    fed = read_target("elle a .", "candidate")
    assert original_run(NAMES[0], source, fed).output == fed != original_run(NAMES[0], source).output


def test_before_training_is_the_same_model_with_other_weights():
    trained, fresh = load_model(NAMES[1]), untrained_model(NAMES[1])
    assert fresh.config == trained.config
    assert not torch.equal(fresh.out.weight, trained.out.weight)


@given(
    st.lists(st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.5]), min_size=6, max_size=6), min_size=1, max_size=2)
)
def test_likeliest_words_are_those_of_any_and_stand_in_the_order_of_the_first(rows):
    found = most_probable(*torch.tensor(rows), shown=3)
    highest = [max(column) for column in zip(*rows, strict=True)]
    assert set(found) == set(sorted(range(6), key=lambda word: (-highest[word], word))[:3])
    assert [rows[0][word] for word in found] == sorted((rows[0][word] for word in found), reverse=True)


def used(experiment: Experiment, name: str) -> dict:
    """Return a state in which the model reads this text; some texts apply to only one of the models."""
    states = [
        {},
        *({"model": model} for c in experiment.controls if c.name == "model" for model in c.options),
    ]
    return next(state for state in states if experiment.run(state).limits().get(name, True))


@pytest.mark.parametrize(
    ("experiment", "name"),
    [
        pytest.param(experiment, control.name, id=f"{lesson.slug}-{experiment.slug}-{control.name}")
        for lesson in LESSONS
        for experiment in lesson.experiments
        for control in experiment.controls
        if isinstance(control, Text)
        and lesson.slug != "real"  # byte-pair encoding reads any text
        and (lesson.slug, experiment.slug) != ("basics", "tokens")
    ],
)
def test_every_typed_text_is_named_when_it_cannot_be_read(experiment, name):
    with collect_notices() as notices:
        try:
            experiment.run({**used(experiment, name), name: "zzyzx zzyzx"})
            named = set(notices)  # the text was replaced, and a notice says so
        except InputError as error:
            named = {error.control}
    assert name in named  # the other texts may have notices, too
