"""Lesson `attention`: any English sentence is accepted, outputs are marked, and answers are right."""

import math
from dataclasses import replace
from functools import partial

import pytest

from lessons.attention import LESSON, caveat, readers, solved, steer, step, unordered
from lessons.attention.caveat.compute import (
    COMPARED_MODELS,
    TOWARDS,
)
from lessons.attention.pictures import reference_line
from lessons.attention.readers.compute import MEASURED_MODELS
from lessons.attention.translators import WIRINGS
from lessons.attention.unordered.compute import SHUFFLES
from lessons.kit.contract import InputError
from lessons.kit.notices import collect_notices
from lessons.kit.pictures.phrases import correctness_sentences
from models import zoo
from tests import helpers
from tests.helpers import payload
from tests.says import assert_says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
LONG = " ".join(["the old man kicked the bucket and"] * 5 + ["she gave up ."])  # 39 words, the maximum length
# experiments in which a sentence is typed
READING = ("step", "align", "steer", "caveat", "unordered", "readers", "unknown")
EVERYDAY_SENTENCES = (
    "My grandmother makes the best soup",
    "I don't like Mondays.",
    "Can we meet at 7:30 tomorrow?",
    "Mr Smith's dog is called Rex.",
    "She's taller than her brother!",
    "The train to Zurich was late again",
    "I love you 😀",
    "We paid 3,50 euros for two coffees.",
    "Please close the window. It is cold.",
    "“Where are my keys?” she asked.",
    "My daughter plays the cello and hates maths.",
    "He could have won the marathon",
    "It's raining; let's stay at home.",
    "The self-driving car stopped.",
    "Nobody believed the politician.",
    "What a beautiful day",
    "There are 24 children in my class.",
    "Ich habe keine Zeit.",
    "café au lait",
    "ok",
)


run = partial(helpers.run, LESSON)


def reading_of(slug: str, result) -> str:
    return next(view for view in EXPERIMENTS[slug].views if view.__name__ == "reading")(result)


preset = partial(helpers.preset, LESSON)


@pytest.mark.parametrize("slug", READING)
def test_long_and_short_sentences_stay_within_the_payload(slug):
    for source in (LONG, "she"):
        assert payload(EXPERIMENTS[slug], source=source) <= 150 * 1024


@pytest.mark.parametrize("slug", READING)
@pytest.mark.parametrize("source", [" ", "🍕!", "你好"])
def test_text_that_is_no_english_raises_an_error(slug, source):
    with pytest.raises(InputError) as complaint:
        run(slug, source=source)
    assert_says(str(complaint.value), "English sentence")


@pytest.mark.parametrize("slug", READING)
@pytest.mark.parametrize("sentence", EVERYDAY_SENTENCES)
def test_every_text_control_takes_everyday_sentences(slug, sentence):
    """No everyday sentence may be refused, whichever model the learner chooses."""
    models = [
        control for control in EXPERIMENTS[slug].controls if control.name in ("wiring", "score", "model")
    ]
    choices = [{control.name: option} for control in models for option in control.options] or [{}]
    for chosen in choices:
        result = run(slug, source=sentence, **chosen)
        assert len(result.source) >= 2
        assert_says(reading_of(slug, result), ("**",))


@pytest.mark.parametrize("word", ["pizza", "two houses", "Zyzzyx", "don't", "🍕", "42"])
def test_any_word_can_be_put_into_the_sentence(word):
    with collect_notices() as notices:
        result = run("readers", put=word)
    assert readers.views.reading(result)
    if word == "two houses":
        assert_says(notices["put"], "first", 2)


@pytest.mark.parametrize("slug", ["step", "align", "steer", "caveat", "unordered"])
def test_an_unknown_word_is_marked_where_it_is_read_and_where_it_is_copied(slug):
    result = run(slug, source="Zaphod loves Anna.")
    assert "<zaphod>" in result.source
    written = next(getattr(result, name) for name in ("yours", "output", "written") if hasattr(result, name))
    assert "<zaphod>" in written
    assert "<unk>" not in (*result.source, *written)


@pytest.mark.parametrize("slug", ["step", "steer", "unordered"])
def test_encoders_are_drawn_with_their_directions(slug):
    """Bidirectional encoders are drawn with links in both directions, shuffled states without links."""
    assert all(each.model.config.bidirectional for each in WIRINGS.values())
    chain = EXPERIMENTS[slug].views[0](run(slug)).chains[0]
    shuffled = slug == "unordered"
    assert (chain.linked, chain.both_ways) == (not shuffled, not shuffled)
    if shuffled:
        assert unordered.views.unrolled(run(slug, what=SHUFFLES[1])).chains[0].both_ways


def test_outputs_are_marked_against_the_reference():
    marks = [line.right for line in steer.views.translations(preset("steer", "Say it again")).lines]
    assert marks == [True, False]
    result = preset("solved", "Longer than trained")
    lines = solved.views.translations(result).lines
    assert [line.mark for line in lines] == ["", "✗ wrong", "✗ wrong", ""]
    assert lines[-1].words == result.truth
    assert [set(line.changed) for line in lines[1:3]] == [set(wrong) for wrong in result.wrong]
    assert lines[-1].changed == set(result.missing[0]) | set(result.missing[1])
    lacking = min(set(result.missing[0]) & set(result.missing[1]))
    assert lines[-1].notes[lacking] == f"{result.truth[lacking]}: missing with one vector and with attention"
    assert_says(step.views.reading(run("step")), "correct")
    off = replace(run("step"), output=("il", "<eos>"), right=False)
    assert_says(" ".join(correctness_sentences(off.right, off.truth)), "wrong", " ".join(off.truth))
    assert reference_line(off.truth, False)[0].quiet
    assert not reference_line(off.truth, True)
    assert not reference_line(None, None)


def test_steps_are_named_in_runs():
    assert steer.views.name_steps((4,)) == "step 4"
    assert steer.views.name_steps((1, 2, 3, 6, 8, 9)) == "steps 1–3, 6, 8–9"


def test_controls_without_effect_are_idle():
    assert set(run("unordered", seed=0).idle()) == {"what"}
    assert not run("unordered").idle()
    assert set(run("caveat", t=60, towards=TOWARDS[2]).idle()) == {"mix"}
    assert not run("caveat", t=60).idle()


def test_missing_words_are_counted_in_singular_and_plural():
    result = replace(preset("solved", "Short"), right=(False, True), missing=((3,), ()))
    assert_says(solved.views.reading(result), "1 word", "missing")
    assert_says(solved.views.reading(replace(result, missing=((2, 3), ()))), "2 words", "missing")


def test_comparisons_of_models_give_their_parameters():
    for kind in run("readers").measured:
        parameters = zoo.Card.read(f"{MEASURED_MODELS[kind.name]}-s0").parameters
        assert kind.parameters == parameters
        assert_says(readers.views.told_measured(run("readers")), parameters)
    shown = caveat.views.aligners(run("caveat"))
    column = shown.headings.index("parameters")
    for row in shown.rows:
        assert_says(row[column], zoo.Card.read(f"translation-{COMPARED_MODELS[row[0]]}-64-s0").parameters)


@pytest.mark.parametrize(
    "table", [lambda: readers.views.measured(run("readers")), lambda: caveat.views.aligners(run("caveat"))]
)
def test_no_cell_of_a_table_is_truncated(table):
    assert "…</text>" not in table().svg()


exercise = partial(helpers.exercise, LESSON)


@pytest.mark.parametrize(
    ("slug", "answer"),
    [
        ("softmax", math.exp(2) / (math.exp(2) + math.e + 1)),
        ("context", (math.e * 1 - 1 + 2) / (math.e + 2)),
        ("aer", 1 - 2 * 5 / (5 + 8)),
        ("stored", 20 * 128),
        ("both-sides", (5 + 9) * 32),
        ("divergence", math.log(2)),
    ],
)
def test_answers_computed_by_hand(slug, answer):
    assert exercise(slug).check(round(answer, 2), {}).ok
    assert not exercise(slug).check(round(answer, 2) + 0.6, {}).ok


def test_the_divergence_is_asked_for_in_one_unit():
    """The question names the unit, because the answer is 1 in bits and ln 2 in nats."""
    asked = exercise("divergence")
    assert_says(asked.question, "nats")
    assert not asked.check(1.0, {}).ok
    assert_says(caveat.views.told_other(run("caveat")), "nats", math.log(2))
