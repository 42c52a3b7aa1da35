"""Lesson `attention`: numbers match independent computations; texts, exercises and pictures are correct."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.attention import LESSON, align, caveat, readers, shortcut, solved, steer, step, unordered
from lessons.attention.caveat.adversarial import find_other_weights, js_divergence, total_variation
from lessons.attention.caveat.compute import (
    COMPARED_MODELS,
    MIXES,
    TOWARDS,
    goal_weights,
    output_with_weights,
)
from lessons.attention.caveat.uniform_models import LEARNED, UNIFORM
from lessons.attention.pictures import reference_line
from lessons.attention.readers.compute import MEASURED_MODELS, OFFSETS, offset_from_gold
from lessons.attention.shortcut.compute import MODELS, WEIGHTS, gradients_by_step
from lessons.attention.solved.compute import ATTENTION_MODEL, VECTOR_MODEL
from lessons.attention.steer.compute import one_hot_row
from lessons.attention.translators import ADDITIVE, SCORES, WIRINGS
from lessons.attention.unordered.compute import SHUFFLES, permutation
from lessons.kit import link
from lessons.kit.checkpoints import CONTEXT_DIMS, load_model
from lessons.kit.contract import InputError
from lessons.kit.example_sentences import (
    FUTURE_TENSE,
    IDIOM,
    MANY_TO_ONE,
    REORDERING,
    UNLINKED_SOURCE,
    UNLINKED_TARGET,
)
from lessons.kit.notices import collect_notices
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.numbers import scientific
from lessons.kit.pictures.phrases import correctness_sentences
from lessons.kit.references import held_out, known_pair
from lessons.kit.translator import Translator
from lessons.kit.typed_text import UNKNOWN, mark_unknown
from models import zoo
from models.recipes import RECIPES
from models.tasks import TASKS
from models.vocabulary import Vocabulary
from tests import helpers
from tests.helpers import payload
from tests.says import assert_says, numbers, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
LONG = " ".join(["the old man kicked the bucket and"] * 5 + ["she gave up ."])  # 39 words, the maximum length
T = len(REORDERING.split())
READING = ("step", "align", "steer", "caveat", "unordered", "readers", "unknown")  # with a typed sentence
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


def run(slug: str, **state):
    return EXPERIMENTS[slug].run(state)


def reading_of(slug: str, result) -> str:
    return next(view for view in EXPERIMENTS[slug].views if view.__name__ == "reading")(result)


preset = partial(helpers.preset, LESSON)


# ---- all experiments ----


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
    """Also with every model that a learner can choose."""
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


# ---- pictures and readings ----


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


def test_presets_of_solved():
    assert preset("solved", "Short").right == (True, True)
    assert preset("solved", "As long as trained").right == (False, True)
    assert preset("solved", "Longer than trained").right == (False, False)


def test_beyond_training_the_reading_adds_the_longest_trained_lengths():
    result = run("solved", length=30)
    within = run("solved", length=result.trained[1])
    bucket = int(np.flatnonzero(result.lengths[:, 1] <= result.trained[1])[-1])
    assert not says(solved.views.reading(within), "longest in training")
    beyond = solved.views.reading(result).split(". ")[-1]
    assert_says(
        beyond, "longest in training", *result.lengths[bucket].tolist(), result.exact[1][:, bucket].mean()
    )


@pytest.mark.parametrize(("code", "steps"), [("32", "4,000"), ("128", "16,000")])
def test_solved_names_parameters_and_steps_of_both_models(code, steps):
    result = run("solved", code=code, steps=steps)
    cards = [zoo.Card.read(f"{name}-s0") for name in (VECTOR_MODEL.format(code), ATTENTION_MODEL)]
    assert result.parameters == tuple(card.parameters for card in cards)
    assert_says(
        solved.views.describe_training(result), *result.parameters, *result.steps, "parameters", "steps"
    )


def test_the_steps_of_solved_belong_to_its_metrics_not_to_the_translation():
    """Translations come from fully trained models; only the metrics depend on the chosen number of steps."""
    result = run("solved", steps="1,000")
    assert result.steps == (1000, 1000) != result.full
    [sizes] = [part for part in solved.views.reading(result).split(". ") if says(part, "parameters")]
    assert not says(sizes, 1000)


def test_shortcut_names_parameters_and_steps_of_both_models():
    result = run("shortcut", weights=WEIGHTS[1])
    for n, name in enumerate(MODELS):
        card = zoo.Card.read(name)
        assert_says(shortcut.views.reading(result), card.parameters, card.recipe["steps"])
        assert (result.parameters[n], result.steps[n]) == (card.parameters, card.recipe["steps"])
        # each model is described with its own training steps
        side = shortcut.views.describe_models(result).split("other")[1 - n]
        assert_says(side, card.parameters, card.recipe["steps"])
    linked = result.linked[0]
    shares = (result.now[:, linked] / result.now.sum(1)).tolist()
    assert_says(shortcut.views.reading(result), *shares, result.source[linked])


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


def test_gradients_stay_on_their_axis():
    for weights, (low, high) in shortcut.views.AXES.items():
        for length in (4, 20, 28, 40):
            gradients = run("shortcut", length=length, weights=weights).gradients
            assert low <= gradients.min()
            assert gradients.max() <= high


# ---- step ----


@pytest.mark.parametrize("wiring", WIRINGS)
@pytest.mark.parametrize("t", [1, 4])
def test_every_number_of_a_step_follows_from_the_one_before(wiring, t):
    """Recompute one decoder step in numpy from the model's parameters, with the lesson's equations."""
    result = run("step", source=MANY_TO_ONE, wiring=wiring, t=t)
    p = {name: tensor.numpy() for name, tensor in WIRINGS[wiring].model.state_dict().items()}
    query = result.s[t - 1] if wiring == "query after" else result.s_before
    np.testing.assert_allclose(result.query, query, atol=1e-6)
    e = np.tanh(result.H @ p["score.W_1"].T + query @ p["score.W_2"].T) @ p["score.v"]
    np.testing.assert_allclose(result.scores, e, rtol=1e-4, atol=1e-5)
    alpha = np.exp(e - e.max()) / np.exp(e - e.max()).sum()
    np.testing.assert_allclose(result.weights, alpha, atol=1e-5)
    np.testing.assert_allclose(result.context, alpha @ result.H, atol=1e-5)
    np.testing.assert_allclose(result.parts.sum(0), result.context, atol=1e-5)
    features = np.concatenate([result.context, result.s[t - 1]])
    if WIRINGS[wiring].model.config.tied:
        attentional = np.tanh(p["out.attentional.weight"] @ features + p["out.attentional.bias"])
        logits = p["embed_target.weight"] @ attentional + p["out.b"]
    else:
        logits = p["out.weight"] @ features + p["out.bias"]
    best = WIRINGS[wiring].task.target.ids(result.next_words)
    np.testing.assert_allclose(result.logits, logits[best], atol=1e-4)
    np.testing.assert_allclose(result.probabilities, (np.exp(logits) / np.exp(logits).sum())[best], atol=1e-4)
    assert result.output[t - 1] == result.next_words[0]


def test_scores_stay_on_their_axis():
    for wiring in WIRINGS:
        for source in (MANY_TO_ONE, REORDERING, LONG):
            assert np.abs(run("step", source=source, wiring=wiring, t=3).scores).max() <= step.views.MAX_SCORE


@pytest.mark.parametrize("source", [MANY_TO_ONE, REORDERING, LONG])
def test_the_weighted_sum_of_one_unit_adds_up(source):
    result = run("step", source=source, t=2, unit=5)
    alpha, h, products, c = (term for term in step.views.one_unit(result).terms if not isinstance(term, str))
    assert alpha.shows_numbers
    assert alpha.grid.sum() == pytest.approx(1, abs=1e-5)
    np.testing.assert_allclose(alpha.grid * h.grid, products.grid, atol=1e-6)
    assert products.grid.sum() == pytest.approx(c.grid.item(), abs=1e-5)
    if source == MANY_TO_ONE:
        np.testing.assert_array_equal(h.grid[:, 0], result.H[:, 4].astype(float))


def test_the_default_sum_adds_up_with_the_digits_shown():
    """After rounding to the digits shown, products and sum are off by at most one in the last digit."""
    alpha, h, products, c = (
        np.array([float(f"{value:.2f}") for value in term.grid.ravel()])
        for term in step.views.one_unit(run("step")).terms
        if not isinstance(term, str)
    )
    np.testing.assert_allclose((alpha * h).round(2), products, atol=0.0101)
    assert products.sum() == pytest.approx(c.item(), abs=0.0101)


# ---- align ----


def independent_aer(weights: np.ndarray, gold: set[tuple[int, int]]) -> float:
    chosen = {(t, max(range(len(row)), key=row.__getitem__)) for t, row in enumerate(weights.tolist())}
    return 1 - 2 * len(chosen & gold) / (len(chosen) + len(gold))


@pytest.mark.parametrize("source", [REORDERING, MANY_TO_ONE, UNLINKED_TARGET, UNLINKED_SOURCE, IDIOM])
@pytest.mark.parametrize("score", SCORES)
def test_aer_against_an_independent_computation(source, score):
    result = run("align", source=source, score=score)
    pair = known_pair(tuple(source.split()))
    assert result.target == pair.target
    assert result.aer == pytest.approx(independent_aer(result.weights, set(pair.alignment)))
    natural = zoo.Card.read(SCORES[score].name).metrics["natural"]
    assert_says(align.views.reading(result), result.aer, "AER", natural["aer"], natural["count"])
    assert align.views.alignment(result).gold == tuple(sorted(pair.alignment))
    np.testing.assert_allclose(result.weights.sum(1), 1, atol=1e-5)


def test_suggestions_of_align_have_the_links_they_are_for():
    for suggestion in (
        EXPERIMENTS["align"].controls[0].default,
        *EXPERIMENTS["align"].controls[0].suggestions,
    ):
        assert run("align", source=suggestion).gold, suggestion
    links = set(run("align", source=REORDERING).gold)
    assert {(4, 6), (5, 5), (6, 4)} <= links  # “zone économique européenne”
    # “hit … with a pie”
    assert [i for t, i in run("align", source=MANY_TO_ONE).gold if t == 3] == [1, 3, 4, 5]
    assert run("align", source=UNLINKED_TARGET).unlinked[1] == ("est-ce", "qu'")
    assert run("align", source=UNLINKED_SOURCE).unlinked[0] == ("in",)


def test_a_translation_without_end_is_reported():
    result = run("align", source="the the she .")
    assert result.ended
    assert not says(align.views.reading(result), ("no end", "end mark"))
    assert_says(align.views.reading(replace(result, ended=False)), ("no end", "end mark"), len(result.target))


def test_an_unknown_sentence_has_a_map_and_no_aer():
    result = run("align", source="the the she .")
    assert result.gold is None
    assert result.aer is None
    assert result.weights.shape == (len(result.target), 4)
    assert_says(align.views.reading(result), "AER", ("no", "not"))
    assert not says(align.views.reading(result), "AER =")


# ---- steer ----


@pytest.mark.parametrize("wiring", WIRINGS)
def test_without_edits_the_run_is_the_original(wiring):
    result = run("steer", wiring=wiring)
    plain = WIRINGS[wiring].model.run(WIRINGS[wiring].read(REORDERING))
    np.testing.assert_array_equal(result.your_weights, plain.weights)
    np.testing.assert_array_equal(result.s, plain.s)
    np.testing.assert_array_equal(result.probabilities[0], result.probabilities[1])
    assert result.plain == result.yours
    assert result.moved == 0
    assert (result.lost, result.new, result.edited) == ((), (), ())


@pytest.mark.parametrize("wiring", WIRINGS)
def test_the_models_own_weights_given_back_change_nothing(wiring):
    plain = run("steer", wiring=wiring)
    own = run(
        "steer",
        wiring=wiring,
        weights=tuple((t + 1, tuple(map(float, row))) for t, row in enumerate(plain.your_weights)),
    )
    assert own.yours == plain.yours
    np.testing.assert_allclose(own.context, plain.context, atol=1e-5)


@settings(max_examples=12, deadline=None)
@given(st.integers(1, 8), st.lists(st.floats(0, 1), min_size=7, max_size=7))
def test_the_weights_that_are_set_are_used(t, row):
    result = run("steer", source=FUTURE_TENSE, t=t, weights=((t, tuple(row)),))
    np.testing.assert_allclose(result.your_weights.sum(1), 1, atol=1e-5)
    assert result.yours[: t - 1] == result.plain[: t - 1]  # earlier steps must not change
    assert result.t == t
    if sum(row) == 0:
        assert result.unfit == (t,)
        return
    used = np.array(row) / sum(row)
    np.testing.assert_allclose(result.row, used, atol=1e-6)
    np.testing.assert_allclose(result.context, used @ result.H, atol=1e-5)
    assert result.limits()["weights"]["row"] == pytest.approx(used, abs=1e-4)


def test_several_steps_can_be_edited():
    rows = ((2, one_hot_row(2, 7)), (5, one_hot_row(4, 7)))
    result = run("steer", source=FUTURE_TENSE, weights=rows, t=2)
    assert result.edited == (2, 5)
    np.testing.assert_allclose(result.your_weights[[1, 4]], [row for _, row in rows], atol=1e-6)


def test_presets_of_steer():
    again = preset("steer", "Say it again")
    assert again.yours[:3] == again.plain[:3]
    assert again.new
    assert preset("steer", "Skip the future").yours[1] == "achètent"
    stopped = preset("steer", "All on the full stop")
    assert len(stopped.yours) < len(stopped.plain)
    even = preset("steer", "Even weights at every step")
    assert even.lost
    assert len(even.edited) == min(len(even.yours), T + 5)
    np.testing.assert_allclose(even.your_weights[: len(even.edited)], 1 / T, atol=1e-5)


def test_weights_of_steps_that_are_not_reached_are_reported():
    result = run("steer", t=12, weights=((6, one_hot_row(T - 1, T)), (12, one_hot_row(0, T))))
    assert result.waiting == (12,)
    assert result.t == len(result.yours) < 12
    assert_says(steer.views.reading(result), "step 12", len(result.yours))


def test_rows_of_another_length_are_ignored_and_reported():
    experiment = EXPERIMENTS["steer"]
    state, _, complaints = link.decode(
        experiment, {"weights": "2:0.5,0.5;3:" + ",".join(["0"] * 7), "source": MANY_TO_ONE}
    )
    assert not complaints
    result = experiment.run(state)
    assert result.unfit == (2, 3)
    assert result.yours == result.plain
    assert_says(steer.views.reading(result), "steps 2–3", "another length")


def test_every_offered_row_can_be_used():
    for source in (REORDERING, MANY_TO_ONE, "she"):
        for t in (1, 3, 60):
            result = run("steer", source=source, t=t)
            for name, row in result.limits()["weights"]["offers"].items():
                assert sum(row) == pytest.approx(1, abs=0.01), name
                assert run("steer", source=source, t=t, weights=((result.t, tuple(row)),)).edited == (
                    result.t,
                )
    offers = run("steer", t=6).offers
    assert set(offers) == {"even", "gold", "focus elsewhere", "mix", "sharpen", "mask strongest"}
    assert offers["gold"] == one_hot_row(5, T)  # “économique” is linked to “economic”
    assert offers["focus elsewhere"] == one_hot_row(4, T)
    assert offers["mask strongest"][5] == 0
    assert "gold" not in run("steer", source="the the she", t=1).offers


def test_the_row_of_the_step_can_be_dragged_and_shows_changes():
    row = steer.views.row(run("steer", t=6))
    assert isinstance(row, Bars)
    assert row.handle == "weights"
    assert row.svg().count('data-handle="weights"') == T
    changed = steer.views.row(run("steer", t=6, weights=((6, one_hot_row(4, T)),)))
    assert changed.changed == {4, 5}
    outlined = steer.views.alignment(
        run("steer", t=1, weights=((6, one_hot_row(4, T)), (8, (1 / T,) * T)))
    ).changed
    assert outlined == tuple((n, i) for n in (5, 7) for i in range(T))
    untouched_map = steer.views.alignment(run("steer"))
    assert not untouched_map.changed
    assert untouched_map.current_row is None  # no row is outlined
    assert_says(
        steer.views.reading(run("steer", t=8, weights=((8, (1 / T,) * T),))),
        ("alike", "equally", "even", "the same"),
    )


# ---- solved ----


def test_with_and_without_attention_differ_only_in_attention():
    for code in CONTEXT_DIMS:
        without, with_it = (
            zoo.Card.read(name).config
            for name in (f"{VECTOR_MODEL.format(code)}-s0", f"{ATTENTION_MODEL}-s0")
        )
        assert {key for key in without if without[key] != with_it[key]} == {"context", "context_dim"}


def test_solved_by_length():
    result = run("solved", length=20)
    bucket = next(n for n, (low, high) in enumerate(result.lengths) if low <= 20 <= high)
    rungs = zoo.Card.read("translation-oneway-128-s0").metrics["rungs"]
    (at,) = [row for row in rungs if row["steps"] == result.steps[1]]
    assert result.exact[1][0, bucket] == at["by_length"][bucket]["exact_match"]
    assert result.exact[1][:, bucket].mean() > result.exact[0][:, bucket].mean() + 0.3
    assert result.exact[1][:, -1].mean() < 0.3  # the text says that accuracy collapses on longer sentences
    assert result.stored == (result.code, 20 * 128)
    assert result.right == tuple(output == result.truth for output in result.outputs)
    assert [not (lost or wrong) for lost, wrong in zip(result.missing, result.wrong, strict=True)] == list(
        result.right
    )
    assert len(result.source) == 20


# ---- unordered ----


@pytest.mark.parametrize("seed", [1, 7, 50])
def test_shuffled_states_keep_their_weights_and_the_context(seed):
    result = run("unordered", seed=seed)
    assert sorted(result.order) == list(range(T))
    np.testing.assert_allclose(result.weights, result.plain_weights[list(result.order)], atol=1e-5)
    assert result.gaps[0].max() < 1e-4
    assert result.yours == result.plain
    words = run("unordered", seed=seed, what=SHUFFLES[1])
    assert words.gaps[1].max() > 0.1
    assert tuple(result.source) == tuple(REORDERING.split()[i] for i in result.order)


def test_seed_zero_is_the_original_order():
    result = run("unordered", seed=0)
    assert " ".join(result.source) == REORDERING
    assert result.gaps.max() == 0


@pytest.mark.parametrize("source", [REORDERING, MANY_TO_ONE, FUTURE_TENSE, LONG])
@pytest.mark.parametrize("seed", [3, 7, 12])
def test_rounding_shrinks_with_the_precision(source, seed):
    """The gaps shrink from 32-bit to 64-bit precision, so they are rounding errors."""
    result = run("unordered", source=source, seed=seed)
    assert_says(unordered.views.reading(result), "rounding", scientific(result.gap))
    single, double = (np.finfo(kind).eps for kind in (np.float32, np.float64))
    assert result.gaps_64_bit.max() < result.gaps[0].max() * 1e-6
    assert result.gaps_64_bit.max() < 100 * double
    assert run("unordered", what=SHUFFLES[1]).gaps[1].max() > 1e5 * single
    picture = unordered.views.change(result)
    assert [height for height, _ in picture.rules] == [single, double]
    np.testing.assert_array_equal(picture.lines[2].y, np.maximum(result.gaps_64_bit, picture.y_range[0]))
    assert picture.y_range[0] < double


IN_ORDER = next(seed for seed in range(1, 51) if permutation(2, seed) == (0, 1))


def test_an_identity_permutation_is_not_called_rounding():
    for result in (run("unordered", seed=0), run("unordered", source="she", seed=IN_ORDER)):
        assert result.order == tuple(range(len(result.source)))
        assert not says(unordered.views.reading(result), ("rounding", "is now"))


def test_repeated_words_are_numbered():
    twice = "the " * 5 + "."
    result = run("step", source=twice, t=2)
    best, second = (int(i) for i in np.argsort(-result.scores)[:2])
    assert result.source[best] == result.source[second] == "the"
    assert_says(step.views.reading(result), f"the (word {best + 1})", f"the (word {second + 1})")
    steered = run("steer", source=twice, t=2)
    assert_says(steer.views.reading(steered), f"the (word {int(steered.row.argmax()) + 1})")
    moved = run("caveat", source=twice, t=2)
    assert_says(caveat.views.told_other(moved), f"(word {int(moved.own_row.argmax()) + 1})")
    assert not says(step.views.reading(run("step")), "word")


def test_lost_and_new_words_of_a_shuffle_are_counted():
    shuffled = (run("unordered", seed=seed, what=SHUFFLES[1]) for seed in range(1, 51))
    result = next(each for each in shuffled if each.yours[-1] == "<eos>" and each.plain != each.yours)
    assert_says(unordered.views.describe_output(result), len(result.lost), len(result.new))
    fewer = replace(result, yours=(*result.plain[:-3], "<eos>"), lost=(12, 13), new=())
    assert_says(unordered.views.describe_output(fewer), "2 words", 0)
    assert_says(unordered.views.describe_output(replace(result, yours=result.plain)), "same")
    endless = replace(result, yours=("le",) * 60)
    assert_says(unordered.views.describe_output(endless), 60, ("no end", "end mark"))


def test_the_context_of_query_after_reaches_no_later_state():
    """The model has no input feeding (unlike Luong et al., 2015), and the page says so."""
    plain = ADDITIVE.run(ADDITIVE.read(MANY_TO_ONE))
    even = {"weights": lambda weights, t: torch.full_like(weights, 1 / len(weights))}
    yours = ADDITIVE.model.run(plain.source, plain.output, edits=even)
    assert not torch.equal(plain.contexts, yours.contexts)
    assert torch.equal(plain.s, yours.s)
    assert_says(LESSON.text.experiments["step"].acts["query"].body, "Luong", "input feeding", "Bahdanau")


def test_the_output_is_hidden_until_the_guess():
    experiment = EXPERIMENTS["unordered"]
    picture = unordered.views.unrolled(run("unordered"))
    assert not any(picture.chains[1].words)
    assert "européenne" not in picture.svg()
    assert {"translations", "weights", "change"} <= set(experiment.predict.covers)


def test_a_common_start_is_not_outlined():
    assert preset("unordered", "Shuffled states").source[0] == "area"
    assert preset("unordered", "Shuffled words").new
    shuffled = (run("unordered", source=IDIOM, seed=seed, what=SHUFFLES[1]) for seed in range(1, 51))
    result = next(each for each in shuffled if each.plain[0] == each.yours[0] and each.plain != each.yours)
    assert result.new
    assert 0 not in result.new


# ---- shortcut ----


def test_batched_gradients_equal_those_of_single_steps():
    """Gradients from one batch of copies equal those from autograd through a single run of the model."""
    pair = held_out(6, 1)
    for name in MODELS:
        model = load_model(name)
        source, target = (
            TASKS["translation"].source.ids(pair.source),
            [*TASKS["translation"].target.ids(pair.target), Vocabulary.eos],
        )
        x = model.embed_source(torch.tensor(source)).clone().requires_grad_()

        def score(x: torch.Tensor, t: int, model=model, source=source, target=target) -> torch.Tensor:
            return model.run(source, target, edits={"x": lambda value, step: x}).logits[t, target[t]]

        for t in (0, 3):
            own = torch.autograd.grad(score(x, t), x)[0].norm(dim=-1)
            np.testing.assert_allclose(gradients_by_step(name, True, pair)[t], own, rtol=1e-3, atol=1e-5)


def test_repeated_gold_words_are_numbered():
    twice = 0
    for t in range(1, 12):
        result = run("shortcut", length=20, weights=WEIGHTS[1], t=t)
        if result.linked and result.source.count(result.source[result.linked[0]]) > 1:
            assert_says(shortcut.views.reading(result), f"word {result.linked[0] + 1}")
            twice += 1
    assert twice


def test_gradients_and_distance():
    for length in (10, 20, 40):
        result = run("shortcut", length=length, t=80)
        without, with_it = result.now
        assert without[-1] / without[0] > 10
        assert with_it.max() / with_it.min() < 10
        assert with_it[0] > 100 * without[0] or length == 10
    trained = preset("shortcut", "After training")
    share = trained.now[:, trained.linked[0]] / trained.now.sum(1)
    assert share[1] > 2 * share[0]
    more = []
    for t, i in held_out(20, 1).alignment:
        share = trained.gradients[:, t, i] / trained.gradients[:, t].sum(1)
        more.append(share[1] > share[0])
    assert np.mean(more) > 0.8  # the text claims “in most steps”


def test_verdicts_about_distance_agree_with_the_reading():
    text = shortcut.views.reading(run("shortcut"))
    without, with_it = run("shortcut").now
    for value in (without[0], with_it[0]):
        assert scientific(value, 1) in text
    guess = EXPERIMENTS["shortcut"].predict.check
    assert_says(text, float(without[-1] / without[0]))
    assert_says(guess("600 times", {}).message, float(without[-1] / without[0]))
    shown = [float(f"{value:.1e}") for value in (with_it[0], without[0])]
    verdict = guess("15,000 times", {})
    assert verdict.ok
    factor, *_ = next(value for value in numbers(verdict.message) if value[0] > 1)
    assert factor == pytest.approx(shown[0] / shown[1], rel=0.1)  # ratio of the rounded numbers on the page


# ---- caveat ----


def test_moved_weights_give_the_same_output_as_a_new_run():
    """With query s_t, a step's weights affect only the output of that step, so no new run is needed."""
    source, mix, t = ADDITIVE.read(REORDERING), 0.6, 7
    trace = ADDITIVE.run(source)
    for towards, goal in goal_weights(trace.weights).items():
        row = (1 - mix) * trace.weights[t] + mix * goal[t]
        full = ADDITIVE.model.run(
            source, edits={"weights": lambda w, step, row=row: row if step == t else w}, limit=t + 1
        )
        quick = output_with_weights(trace, goal, torch.tensor([mix]))[0, t]
        np.testing.assert_allclose(quick, full.probabilities[t], atol=1e-5, err_msg=towards)


def test_words_that_stay_with_even_weights():
    result = run("caveat", mix=1.0)
    for t, survives in enumerate(result.stays_even):
        steered = steer.compute(REORDERING, "query after", t + 1, ((t + 1, (1 / T,) * T),))
        assert (steered.yours[t] == steered.plain[t]) == survives
    assert (result.holds[result.stays_even] == 1).all()
    assert result.holds[~result.stays_even].max() < 1
    assert 0 < result.stays_even.sum() < len(result.stays_even)
    same = preset("caveat", "Even weights, same word")
    assert same.stays_even[same.t - 1]
    needed = preset("caveat", "A word that needs its weights")
    assert not needed.stays_even[needed.t - 1]
    phrase = preset("caveat", "A fixed phrase")
    assert 0 < phrase.stays_even.sum() < len(phrase.stays_even)


def test_a_step_with_even_weights_shows_its_word():
    result = run("caveat")
    holds, even = caveat.views.survives(result).lines
    assert holds.mark == ""
    for n, word in enumerate(even.words):
        assert (n in even.changed) == (word != result.output[n])
        written = steer.compute(REORDERING, "query after", n + 1, ((n + 1, (1 / T,) * T),)).yours[n]
        # even weights copy the first of all words, so “Explanation?” leaves <unk> as it is
        assert written == (mark_unknown(result.source[0]) if word == UNKNOWN else word)
    assert_says(caveat.views.reading(result), T + 2 - len(even.changed), T + 2, "even")


def test_the_last_step_has_no_next_step():
    result = run("caveat", t=60, towards=TOWARDS[2])
    assert np.isnan(result.holds).tolist() == [False] * (T + 1) + [True]
    text = caveat.views.reading(result)
    assert_says(text, result.idle()["mix"], f"step {len(result.output)}", result.word)
    assert not says(text, ("all the way", "is written up to"))
    assert_says(caveat.views.survives(result).lines[0].notes[-1], "no next step")
    assert not np.isnan(run("caveat", t=60).holds).any()


def test_better_alignment_need_not_mean_better_translation():
    """The claims in “Is the best aligner the best translator?” hold for every run."""
    rivals = {rival.name: rival for rival in run("caveat").rivals}
    means = [np.mean(rival.aer) for rival in rivals.values()]
    assert means == sorted(means)
    aligner, translator = (
        next(iter(rivals.values())),
        max(rivals.values(), key=lambda rival: np.mean(rival.exact)),
    )
    text = caveat.views.best_of_both(run("caveat"))
    assert aligner is not translator
    assert max(aligner.aer) > min(translator.aer)
    assert_says(text, aligner.name, translator.name, "overlap")
    first, second = rivals["scaled dot"], rivals["unidirectional"]
    last = text[text.rindex(first.name) :]
    assert_says(last, "better", "worse")
    assert last.index("better") < last.index(second.name) < last.index("worse")
    assert max(first.aer) < min(second.aer)
    assert max(first.exact) < min(second.exact)
    cards = [zoo.Card.read(f"translation-before-64-s{seed}") for seed in range(3)]
    assert rivals["query before"].aer == tuple(card.metrics["natural"]["aer"] for card in cards)
    assert {len(rival.aer) for rival in rivals.values()} == {3}
    assert {rival.steps for rival in rivals.values()} == {cards[0].recipe["steps"]}  # trained equally long


def test_overlapping_runs_are_reported():
    result = run("caveat")
    first, *others = result.rivals
    close = replace(others[0], aer=first.aer, exact=tuple(exact + 0.001 for exact in first.exact))
    result.__dict__["rivals"] = (first, close)
    assert_says(caveat.views.best_of_both(result), first.name, close.name, "overlap")


# ---- exercises ----


def challenge(slug: str) -> Callable:
    return next(exercise for exercise in LESSON.exercises if exercise.slug == slug).check


@pytest.mark.parametrize(
    ("source", "t", "place"),
    [(FUTURE_TENSE, 5, 5), (REORDERING, 6, 4), (REORDERING, 7, 7), ("the old bank is big .", 2, 2)],
    ids=lambda value: str(value)[:12],
)
def test_an_adjective_can_be_lost_by_attention_only(source, t, place):
    state = EXPERIMENTS["steer"].state(
        {"source": source, "t": t, "weights": ((t, one_hot_row(place, len(source.split()))),)}
    )
    verdict = challenge("adjective")(None, state)
    assert verdict.ok, verdict.message


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"weights": ((6, one_hot_row(5, T)),)},  # the largest weight is where it was before
        {"weights": ((6, one_hot_row(T - 1, T)),)},  # more than the adjective is lost
        {"weights": ((7, one_hot_row(5, T)),)},  # a word is repeated
        {"source": MANY_TO_ONE, "weights": ((5, one_hot_row(3, 7)),)},  # the sentence has no adjective
    ],
)
def test_other_changes_do_not_count_as_losing_an_adjective(state):
    assert not challenge("adjective")(None, EXPERIMENTS["steer"].state(state)).ok


def test_even_steps_can_keep_the_sentence():
    stays = run("caveat", mix=1.0).stays_even
    kept, lost = (np.flatnonzero(each) + 1 for each in (stays, ~stays))

    def verdict(*steps: int) -> bool:
        rows = tuple((int(t), (1 / T,) * T) for t in steps)
        return bool(challenge("unmoved")(None, EXPERIMENTS["steer"].state({"weights": rows})).ok)

    assert any(verdict(*steps) for steps in combinations(kept, 3))
    assert not verdict(*kept[:2])
    assert not verdict(*kept[:2], lost[0])


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
    assert challenge(slug)(round(answer, 2), {}).ok
    assert not challenge(slug)(round(answer, 2) + 0.6, {}).ok


def test_the_divergence_is_asked_for_in_one_unit():
    """The question names the unit, because the answer is 1 in bits and ln 2 in nats."""
    asked = next(exercise for exercise in LESSON.exercises if exercise.slug == "divergence")
    assert_says(asked.question, "nats")
    assert not asked.check(1.0, {}).ok
    assert_says(caveat.views.told_other(run("caveat")), "nats", math.log(2))


def test_only_query_before_changes_the_state():
    assert step.exercises.changes_state("query before")
    assert not step.exercises.changes_state("query after")


# ---- caveat: other weights and uniform models ----


@pytest.mark.parametrize(("t", "allowed"), [(5, 0.05), (9, 0.01), (13, 0.3)])
def test_found_weights_are_valid_and_the_output_is_near_enough(t, allowed):
    tokens = ADDITIVE.read(REORDERING)
    result, plain = find_other_weights(tokens, t, allowed), ADDITIVE.run(tokens)
    assert result.row.min() >= 0
    assert result.row.sum() == pytest.approx(1, abs=1e-5)
    row = torch.tensor(result.row)
    again = ADDITIVE.model.run(
        tokens, plain.output, edits={"weights": lambda own, step: row if step == t - 1 else own}
    )  # a full run with the weights that were found
    off = (again.probabilities[t - 1] - plain.probabilities[t - 1]).abs().sum().item() / 2
    assert off == pytest.approx(result.off, abs=1e-5)
    assert off <= allowed + 1e-5


def test_the_search_finds_more_than_a_mix_with_even_weights():
    tokens = ADDITIVE.read(REORDERING)
    trace = ADDITIVE.run(tokens)
    even = goal_weights(trace.weights)[TOWARDS[0]]
    mixes = torch.tensor(MIXES, dtype=torch.float32)
    off = total_variation(output_with_weights(trace, even, mixes), trace.probabilities)  # (mixes, T')
    far = js_divergence(
        (1 - mixes[:, None, None]) * trace.weights + mixes[:, None, None] * even, trace.weights
    )
    for t in (1, 5, 9, 13):
        assert (
            find_other_weights(tokens, t, 0.05).divergence
            >= far[:, t - 1][off[:, t - 1] <= 0.05].max() - 1e-5
        )


def test_divergence_and_distance_by_hand():
    a, b = torch.tensor([0.5, 0.5]), torch.tensor([1.0, 0.0])
    middle = 0.5 * (0.5 * math.log(0.5 / 0.75) + 0.5 * math.log(0.5 / 0.25)) + 0.5 * math.log(1 / 0.75)
    assert js_divergence(a, b).item() == pytest.approx(middle, abs=1e-6)
    assert js_divergence(a, a).item() == pytest.approx(0, abs=1e-6)
    assert total_variation(a, b).item() == pytest.approx(0.5)


def test_the_uniform_model_has_uniform_weights():
    uniform = Translator(f"{UNIFORM}-s0")
    assert torch.allclose(uniform.run(uniform.read(REORDERING)).weights, torch.tensor(1 / T))


def test_metrics_of_even_weights_are_on_the_cards():
    result = run("caveat")
    names = [name for name in RECIPES if name.startswith(f"{UNIFORM}-s")]
    exact = [zoo.Card.read(name).metrics["natural"]["exact_match"] for name in names]
    assert_says(caveat.views.told_frozen(result), np.mean(exact), min(exact), max(exact))
    assert {zoo.Card.read(f"{name}-s0").recipe["steps"] for name in (UNIFORM, LEARNED)} == {
        result.trained.steps
    }


# ---- readers ----


@pytest.mark.parametrize("put", ["", "house"])
@pytest.mark.parametrize("i", [1, 7, T])
def test_states_depend_on_the_words_read_so_far(i, put):
    one, two = run("readers", i=i, put=put).both
    places = np.arange(1, T + 1)
    assert ((one.change > 0) == (places >= i)).all()
    assert (two.change > 0).all()
    assert ((two.halves > 0) == [places >= i, places <= i]).all()
    assert np.allclose(np.hypot(*two.halves), two.change, atol=1e-5)


def test_the_same_word_changes_no_state():
    result = run("readers", i=7, put="area")
    assert all((reader.change == 0).all() for reader in result.both)
    assert_says(readers.views.reading(result), "area", ("no state changes", "nothing changes"))


def test_unidirectional_attention_is_late_and_hardly_ever_early():
    one, two = (dict(zip(OFFSETS, shares, strict=True)) for shares in run("readers").lateness)
    assert sum(one.values()) == pytest.approx(1)
    late = [sum(share for places, share in each.items() if places > 0) for each in (one, two)]
    assert late[0] > 3 * late[1]
    assert one[-1] + one[-2] < 0.02


def test_offset_from_gold():
    assert [offset_from_gold(4, [2]), offset_from_gold(4, [4, 2]), offset_from_gold(4, [5, 1])] == [2, 0, -1]


def test_the_reading_gives_the_first_late_link():
    result = run("readers")
    t, position, gold = readers.views.late_links(result, result.both[0])[0]
    assert (result.both[0].target[t], result.source[position], result.source[gold]) == (
        "l'",
        "agreement",
        "the",
    )
    first, _, second = readers.views.reading(result).rpartition("bidirectional encoder")
    assert_says(
        first, "l'", "agreement", result.both[0].weights[t, position], f"h₁ at “{result.source[gold]}”"
    )
    assert_says(second, len(readers.views.late_links(result, result.both[1])))
    linked = {row for row, _ in result.gold}
    assert_says(first, f"{len(readers.views.late_links(result, result.both[0]))} of {len(linked)} words")


def test_only_words_with_a_gold_link_are_counted():
    result = run("readers", source=UNLINKED_TARGET)
    linked = {row for row, _ in result.gold}
    assert len(linked) < len(result.both[0].target)
    assert_says(readers.views.reading(result), f"of {len(linked)} words")


def test_metrics_of_both_encoders_are_on_the_cards():
    one, two = run("readers").measured
    assert one.aer == tuple(
        zoo.Card.read(f"translation-oneway-64-s{seed}").metrics["natural"]["aer"] for seed in (0, 1, 2)
    )
    assert_says(readers.views.told_measured(run("readers")).partition(".")[0], "AER")
    for kind in (one, two):
        assert_says(
            readers.views.told_measured(run("readers")), kind.name, np.mean(kind.aer), np.mean(kind.exact)
        )


def test_superfluous_words_are_reported():
    """The reading counts extra words and says that no word is missing."""
    plain = run("solved", length=8)
    too_long = replace(plain, right=(False, True), missing=((), ()), wrong=((2, 3), ()))
    text = solved.views.reading(too_long)
    assert_says(text, "2 words", "too many", "nothing is missing")
    assert not says(text, "fully trained"), "some were still learning"


def test_one_state_and_one_word_are_in_the_singular():
    last = run("readers", source=UNLINKED_SOURCE, i=6, put="women")
    text = readers.views.reading(last)
    assert_says(text, "1 of 6", "changes", "1 of 5", "attends")


def test_a_factor_near_one_is_not_rounded_to_one():
    result = run("shortcut", length=16, t=4)
    factors = [each.max() / each.min() for each in result.now]
    assert 1 < factors[1] < 2
    assert_says(shortcut.views.reading(result), f"{factors[1]:.1f}")
