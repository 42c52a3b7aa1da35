"""A GRU with attention over its own past: the right word, inserted words, and the effect of the weights."""

from functools import partial

import numpy as np
import pytest
import torch

from lessons.kit.checkpoints import STORIES, load_card, load_model
from lessons.transformer import LESSON
from lessons.transformer.recurrent_lm import exercises, views
from lessons.transformer.recurrent_lm.compute import (
    ATTENTIVE,
    EVEN,
    FIRST_STATES,
    INTERVENTIONS,
    KEEP,
    MEASURED_MODELS,
    MODELS,
    ONLY,
    PLAIN,
    TRANSFORMER,
    UNIFORM,
    WITHOUT,
    choose_word,
    compute,
    edited_trace,
    find_mention,
    original_trace,
)
from lessons.transformer.recurrent_lm.stories import (
    GAPS,
    NAME,
    OPEN_QUOTE,
    PRONOUN,
    THING,
    inserted_words,
    insertion_point,
)
from models.tasks.story_recall import draw_recalls
from models.vocabulary import Vocabulary
from tests import helpers
from tests.says import assert_says, says

EXPERIMENT = next(each for each in LESSON.experiments if each.slug == "recurrent_lm")
preset = partial(helpers.preset, LESSON)
TEXTS = (NAME, THING, PRONOUN, OPEN_QUOTE)


# ---- the right word ----


@pytest.mark.parametrize(
    ("kind", "words", "expected"),
    [
        ("name", "then leo met mira . poor", ("leo", 1)),
        ("name", "the dog slept . poor", None),
        ("pronoun", "a girl met leo . then", ("she", 1)),
        ("pronoun", "leo met a girl . then", ("he", 0)),
        ("colour", "a red box and a blue key . the", ("red", 1)),
        ("object", "a red box and a blue key . the red", ("box", 2)),
        ("mark", "“ yes . ” ( no . “ why ?", ("”", 7)),
        ("mark", "( no . “ why ? ”", (")", 0)),
        ("mark", "“ yes . ”", None),
    ],
)
def test_the_first_mention_or_the_last_open_mark_tells_the_word(kind, words, expected):
    assert find_mention(kind, tuple(words.split())) == expected


@pytest.mark.parametrize(
    ("text", "kind", "due", "cue"),
    [
        (NAME, "name", "leo", "leo"),
        (THING, "object", "box", "box"),
        (PRONOUN, "pronoun", "she", "girl"),
        (OPEN_QUOTE, "mark", "”", "“"),
    ],
)
def test_every_suggested_story_asks_for_a_word_mentioned_before(text, kind, due, cue):
    for gap in (0, GAPS[-1]):
        run = EXPERIMENT.run({"text": text, "gap": gap})
        assert (run.kind, run.due, run.words[run.cue]) == (kind, due, cue)
        assert run.back == len(text.split()) - text.split().index(cue) + gap


def test_a_word_of_no_kind_is_the_likeliest_word():
    run = EXPERIMENT.run({"text": "one"})
    assert run.kind is None
    assert run.due == run.next_words[0]
    assert_says(views.reading(run), run.due, run.on_start)


# ---- inserted words ----


def test_inserted_words_come_before_the_last_sentence_and_tell_nothing():
    assert insertion_point(("a", ".", "b", "?", "poor")) == 4
    assert insertion_point(("poor", "leo")) == 0
    for kind in ("name", "mark"):
        longest = inserted_words(GAPS[-1], kind)
        for gap in GAPS:
            assert inserted_words(gap, kind) == longest[:gap]
            assert len(inserted_words(gap, kind)) == gap
    run = EXPERIMENT.run({"gap": 30})
    begin, end = run.inserted
    assert end - begin == 30
    assert " ".join((*run.words[:begin], *run.words[end:])) == NAME


def test_a_single_sentence_has_no_place_for_more_words():
    run = EXPERIMENT.run({"text": "poor", "gap": 40})
    assert run.gap == 0
    assert "gap" in run.idle()
    assert len(run.words) == 1


@pytest.mark.parametrize("text", TEXTS)
def test_the_chart_has_the_same_p_as_single_runs(text):
    """The texts of all gaps are read as one padded batch; runs of each text alone are the oracle."""
    due = None
    for n, gap in enumerate(GAPS):
        run = EXPERIMENT.run({"text": text, "gap": gap})
        due = due or STORIES.vocabulary.ids([run.due])[0]
        for name, model in MODELS.items():
            P = load_model(model).run(run._tokens).probabilities[-1]
            assert run.chances[name][n] == pytest.approx(float(P[due]), abs=1e-5), (name, gap)
        assert run.chance[0] == pytest.approx(run.chances[ATTENTIVE][n], abs=1e-5)


# ---- weights ----


def test_weights_belong_to_the_states_after_the_words():
    run = EXPERIMENT.run({})
    row = original_trace(run._tokens).values["weights"][-1].numpy()
    assert row.sum() == pytest.approx(1, abs=1e-5)
    np.testing.assert_array_equal(run.own_row[:-1], row[FIRST_STATES:])
    assert np.isnan(run.own_row[-1])  # the last word's state is the query
    assert run.on_start + np.nansum(run.own_row) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("do", INTERVENTIONS)
def test_changes_of_the_last_weights(do):
    strongest = PRONOUN.split().index("mira") + 2  # the full stop after the name, counted from 1
    run = EXPERIMENT.run({"text": PRONOUN, "do": do, "word": strongest})
    plain, edited = original_trace(run._tokens), edited_trace(run._tokens, do, run.chosen)
    rows = edited.values["weights"]
    assert torch.equal(plain.values["weights"][:-1], rows[:-1])
    assert torch.equal(plain.h, edited.h)
    assert float(rows[-1].sum()) == pytest.approx(1, abs=1e-5)
    if do == EVEN:
        assert rows[-1].tolist() == pytest.approx([1 / rows.shape[1]] * rows.shape[1])
    if do == ONLY:
        assert run.row[run.chosen] == 1
    if do == WITHOUT:
        assert run.row[run.chosen] == 0
        others = np.delete(run.own_row[:-1], run.chosen)
        np.testing.assert_allclose(
            np.delete(run.row[:-1], run.chosen), others / (others.sum() + run.on_start), atol=1e-3
        )
    assert (run.chance[0] == run.chance[1]) == (do == KEEP)


def test_no_weight_can_stay_when_one_state_has_all_of_it():
    run = compute(THING, 0, WITHOUT, 0)
    assert run.own_row[run.chosen] > 0.999
    assert np.isfinite(run.row[:-1]).all()
    assert np.isfinite(run.chance).all()


def test_zero_stands_for_the_outlined_word_and_the_query_cannot_be_chosen():
    weights = np.array([0.1, 0.7, 0.2, np.nan])
    assert choose_word(0, 2, weights) == 2
    assert choose_word(0, None, weights) == 1
    assert choose_word(0, 3, weights) == 1
    assert choose_word(1, 2, weights) == 0
    assert choose_word(120, 2, weights) == 2
    assert choose_word(5, None, np.array([np.nan])) == 0


def test_p_with_all_weight_on_one_state_is_that_of_the_edited_run():
    run = EXPERIMENT.run({})
    for word in (1, 4, 19, len(run.words) - 1):
        edited = EXPERIMENT.run({"do": ONLY, "word": word})
        assert run.by_state[word - 1] == pytest.approx(edited.chance[1], abs=1e-5)
    assert np.isnan(run.by_state[-1])


def test_the_state_after_the_name_knows_it_better_than_the_last_states():
    run = EXPERIMENT.run({})
    assert run.by_state[run.cue] > run.by_state[-3]
    assert_says(views.told_states(run), run.by_state[run.cue], run.chance[0])


# ---- what is said ----


def test_the_reading_has_the_numbers_of_this_run():
    run = preset("recurrent_lm", "Uniform weights")
    said = views.reading(run)
    assert_says(said, *(run.chances[name][0] for name in MODELS), *run.chance)
    edited = edited_trace(run._tokens, run.do, run.chosen).probabilities[-1]
    best = STORIES.vocabulary.tokens([int(edited.argmax())])[0]
    assert best in run.next_words
    assert says(said, "it writes") == (best != run.due)
    far = preset("recurrent_lm", "Far away")
    assert_says(views.reading(far), *(far.chances[name][-1] for name in MODELS))


def test_attention_finds_the_thing_that_the_gru_forgot():
    run = preset("recurrent_lm", "A lost thing")
    assert run.strongest == run.cue
    assert run.chances[ATTENTIVE].min() > 0.9
    assert run.chances[PLAIN].max() < 0.5
    assert run.chances[TRANSFORMER].min() > 0.9


# ---- measurements ----


def test_the_measurements_are_those_of_the_cards():
    run = EXPERIMENT.run({"text": THING})
    for name, models in MEASURED_MODELS.items():
        rows = [load_card(model).metrics["recall"]["object"] for model in models]
        expected = [[row["probability"] for row in seed] for seed in rows]
        np.testing.assert_array_equal(run.measured[name].probabilities, expected)
        assert len({tuple(row["distance"] for row in seed) for seed in rows}) == 1
    plain, attentive = (run.measured[name].probabilities for name in (PLAIN, ATTENTIVE))
    above = int((attentive.min(0) > plain.max(0)).sum())
    assert run.clearly_above == above
    assert_says(views.told_measured(run), attentive.mean(0)[-1], plain.mean(0)[-1], attentive[:, -1].min())
    assert says(views.told_measured(run), "At no distance") == (above == 0)


def test_the_grus_differ_in_nothing_but_attention():
    """The comparison is fair: same texts, steps, rate and cell; each model has a seed of its own."""
    grus = [name for model in (PLAIN, ATTENTIVE, UNIFORM) for name in MEASURED_MODELS[model]]
    recipes = [{k: v for k, v in load_card(name).recipe.items() if k != "seed"} for name in grus]
    assert all(recipe == recipes[0] for recipe in recipes)
    for field in ("cell", "width", "embedding", "layers"):
        assert len({load_card(name).config[field] for name in grus}) == 1
    for model in (PLAIN, ATTENTIVE):
        seeds = [load_card(name).recipe["seed"] for name in MEASURED_MODELS[model]]
        assert seeds == [0, 1, 2]
    training = EXPERIMENT.run({}).training
    table = views.models(EXPERIMENT.run({})).frame().to_string()
    assert all(f"{each.parameters:,}" in table and f"{each.steps:,}" in table for each in training.values())


def test_looks_are_counted_as_single_runs_would():
    run = EXPERIMENT.run({"text": THING})
    model, hits = load_model(MODELS[ATTENTIVE]), 0
    recalls = draw_recalls("object", run.looks.distance, run.looks.texts)
    for recall in recalls[:15]:
        trace = model.run(STORIES.vocabulary.ids(recall.tokens))
        best = int(trace.values["weights"][-1].argmax())
        hits += (Vocabulary.bos, "<h0>", *recall.tokens)[best] == recall.answer
    assert hits / 15 == pytest.approx(run.looks.on_mention / run.looks.texts, abs=0.2)
    assert sum(count for _, count in run.looks.at) <= run.looks.texts


# ---- guess and exercises ----


def test_every_option_of_the_guess_names_the_largest_weight():
    run = EXPERIMENT.run({})
    for option in EXPERIMENT.predict.answer.options:
        verdict = EXPERIMENT.predict.check(option, {})
        assert_says(verdict.message, run.own_row[run.strongest], run.words[run.strongest])
        assert verdict.ok == (option == exercises.largest_weight())


def test_the_challenge_wants_weights_better_than_the_models_own():
    check = partial(exercises.check_better_weights, None)
    assert not check(EXPERIMENT.state({})).ok
    assert not check(EXPERIMENT.state({"do": EVEN})).ok
    assert check(EXPERIMENT.state({"do": ONLY})).ok  # the state after the name itself
    assert not check(EXPERIMENT.state({"text": THING, "do": ONLY})).ok  # P cannot rise


def test_attention_helps_clearly_where_no_seed_without_it_reaches_one_with_it():
    def lowest_and_highest(kind: str) -> tuple[float, float]:
        """The worst seed with attention, and the best one without."""
        P = {
            name: [
                row["probability"]
                for model in MEASURED_MODELS[name]
                for row in load_card(model).metrics["recall"][kind]
                if row["distance"] == exercises.ASKED_DISTANCE
            ]
            for name in (PLAIN, ATTENTIVE)
        }
        return min(P[ATTENTIVE]), max(P[PLAIN])

    (low_name, high_name), (low_thing, high_thing) = map(lowest_and_highest, ("name", "object"))
    right = exercises.where_attention_helps()
    assert (right in (exercises.ONLY_NAMES, exercises.BOTH)) == (low_name > high_name)
    assert (right in (exercises.ONLY_THINGS, exercises.BOTH)) == (low_thing > high_thing)
    for option in exercises.help_of_attention.answer.options:
        verdict = exercises.help_of_attention.check(option, {})
        assert verdict.ok == (option == right)
        assert_says(verdict.message, low_name, high_name, low_thing, high_thing)
