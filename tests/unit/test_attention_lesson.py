"""Lesson attention: its numbers against what they should be, what its words claim about the models, its exercises, its pictures."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.attention import AREA, BUCKET, HOUSE, LESSON, MORNING, OLD, PIE, all_on, exercises, views
from lessons.attention.compute import align, caveat, others, readers, shortcut, solved, steer, unordered
from lessons.attention.compute.wirings import ADDITIVE, WIRINGS
from lessons.kit import link
from lessons.kit.checkpoints import CONTEXT_DIMS, load_card, load_model, original_run, read_source
from lessons.kit.contract import InputError
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.numbers import scientific
from lessons.kit.references import held_out, known_pair
from models import zoo
from models.recipes import RECIPES
from models.tasks import TASKS
from models.vocabulary import Vocabulary
from tests import helpers
from tests.helpers import payload
from tests.says import assert_says, numbers, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
LONG = " ".join(
    ["the old man kicked the bucket and"] * 5 + ["she gave up ."]
)  # 39 words, as long as a sentence may be
T = len(AREA.split())


def run(slug: str, **state):
    return EXPERIMENTS[slug].run(state)


preset = partial(helpers.preset, LESSON)


# ---- everything that can be shown ----


@pytest.mark.parametrize("slug", ["step", "align", "steer", "unordered", "readers", "caveat"])
def test_long_and_short_sentences_stay_within_the_payload(slug):
    for source in (LONG, "she"):
        assert payload(EXPERIMENTS[slug], source=source) <= 150 * 1024


@pytest.mark.parametrize("slug", ["step", "align", "steer", "unordered", "readers", "caveat"])
@pytest.mark.parametrize(
    ("source", "facts"), [(" ", ("word",)), ("the zzyzx", ("zzyzx",)), (f"{LONG} she gave", (41, 40))]
)
def test_bad_text_is_told_what_to_do(slug, source, facts):
    with pytest.raises(InputError) as complaint:
        run(slug, source=source)
    assert_says(str(complaint.value), *facts)


# ---- what the pictures and the readings say ----


@pytest.mark.parametrize("slug", ["step", "steer", "unordered"])
def test_readers_are_drawn_as_they_read(slug):
    """These models read both ways; states that were shuffled hang on nothing."""
    assert all(load_card(name).config["two_way"] for name in WIRINGS.values())
    chain = getattr(views, slug).unrolled(run(slug)).chains[0]
    shuffled = slug == "unordered"
    assert (chain.linked, chain.both_ways) == (not shuffled, not shuffled)
    if shuffled:
        assert views.unordered.unrolled(run(slug, what=unordered.SHUFFLES[1])).chains[0].both_ways


def test_outputs_stand_beside_the_truth():
    marks = [line.right for line in views.steer.translations(preset("steer", "Say it again")).lines]
    assert marks == [True, False]
    found = preset("solved", "Longer than trained")
    lines = views.solved.translations(found).lines
    assert [line.mark for line in lines] == ["", "✗", "✗", ""]
    assert lines[-1].words == found.truth
    assert [set(line.changed) for line in lines[1:3]] == [set(wrong) for wrong in found.wrong]
    assert lines[-1].changed == set(found.missing[0]) | set(
        found.missing[1]
    )  # where nothing is too much, something is too little
    lacking = min(set(found.missing[0]) & set(found.missing[1]))
    assert lines[-1].notes[lacking] == f"{found.truth[lacking]}: missing with one vector and with attention"
    assert_says(views.step.reading(run("step")), "✓")
    off = replace(run("step"), output=("il", "<eos>"), right=False)
    assert_says(views.parts.graded(off.output, off.truth, off.right), "✗", " ".join(off.truth))
    assert views.parts.truth_line(off.truth, False)[0].quiet
    assert not views.parts.truth_line(off.truth, True)
    assert not views.parts.truth_line(None, None)


def test_steps_are_named_in_runs():
    assert views.steer.steps((4,)) == "step 4"
    assert views.steer.steps((1, 2, 3, 6, 8, 9)) == "steps 1–3, 6, 8–9"


def test_a_control_without_effect_says_so():
    assert set(run("unordered", seed=0).idle()) == {"what"}
    assert not run("unordered").idle()
    assert set(run("caveat", t=60, towards=caveat.TOWARDS[2]).idle()) == {"mix"}
    assert not run("caveat", t=60).idle()


def test_one_word_is_missing_not_one_words():
    found = replace(preset("solved", "Short"), right=(False, True), missing=((3,), ()))
    assert_says(views.solved.reading(found), "1 word", "missing")
    assert_says(views.solved.reading(replace(found, missing=((2, 3), ()))), "2 words", "missing")


def test_what_the_presets_of_solved_promise():
    assert preset("solved", "Short").right == (True, True)
    assert preset("solved", "As long as trained").right == (False, True)
    assert preset("solved", "Longer than trained").right == (False, False)


def test_beyond_training_the_share_stands_beside_that_of_trained_lengths():
    found = run("solved", length=30)
    within = run("solved", length=found.trained[1])
    bucket = int(np.flatnonzero(found.lengths[:, 1] <= found.trained[1])[-1])
    assert not says(views.solved.reading(within), f"more than {found.trained[1]} words")
    beyond = views.solved.reading(found).partition(f"more than {found.trained[1]} words")[2]
    assert_says(
        beyond, "with attention", *found.lengths[bucket].tolist(), float(found.exact[1][:, bucket].mean())
    )


@pytest.mark.parametrize(("code", "steps"), [("32", "4,000"), ("128", "16,000")])
def test_solved_says_in_what_the_two_models_are_unequal(code, steps):
    found = run("solved", code=code, steps=steps)
    cards = [zoo.Card.read(f"{name}-s0") for name in (solved.WITHOUT.format(code), solved.WITH)]
    assert found.parameters == tuple(card.parameters for card in cards)
    assert_says(views.solved.unequal(found), *found.parameters, *found.steps, "parameters", "steps")


def test_the_steps_of_solved_are_those_of_its_figures_not_of_the_sentence_above():
    """The sentence is translated by weights after all their training, the figures are after the steps that were chosen."""
    found = run("solved", steps="1,000")
    assert found.steps == (1000, 1000) != found.full
    [sizes] = [part for part in views.solved.reading(found).split(". ") if says(part, "parameters")]
    assert not says(sizes, 1000)


def test_shortcut_says_in_what_the_trained_models_are_unequal():
    found = run("shortcut", weights=shortcut.WEIGHTS[1])
    for n, name in enumerate((shortcut.WITHOUT, shortcut.WITH)):
        card = zoo.Card.read(name)
        assert_says(views.shortcut.reading(found), card.parameters, card.recipe["steps"])
        assert (found.parameters[n], found.steps[n]) == (card.parameters, card.recipe["steps"])
        side = views.shortcut.unequal(found).split("other")[1 - n]  # each model with its own steps
        assert_says(side, card.parameters, card.recipe["steps"])
    linked = found.linked[0]
    shares = (found.now[:, linked] / found.now.sum(1)).tolist()
    assert_says(views.shortcut.reading(found), *shares, found.source[linked])


def test_comparisons_of_models_say_how_large_each_is():
    for kind in run("readers").measured:
        parameters = zoo.Card.read(f"{readers.READERS[kind.name]}-s0").parameters
        assert kind.parameters == parameters
        assert_says(views.readers.told_measured(run("readers")), parameters)
    shown = views.caveat.aligners(run("caveat"))
    column = shown.headings.index("parameters")
    for row in shown.rows:
        assert_says(row[column], zoo.Card.read(f"translation-{caveat.OURS[row[0]]}-64-s0").parameters)


@pytest.mark.parametrize(
    "table", [lambda: views.readers.measured(run("readers")), lambda: views.caveat.aligners(run("caveat"))]
)
def test_no_word_of_a_table_is_cut(table):
    assert "…</text>" not in table().svg()


def test_gradients_stay_on_their_axis():
    for weights, (low, high) in views.shortcut.RANGES.items():
        for length in (4, 20, 28, 40):
            gradients = run("shortcut", length=length, weights=weights).gradients
            assert low <= gradients.min()
            assert gradients.max() <= high


# ---- one step ----


@pytest.mark.parametrize("wiring", WIRINGS)
@pytest.mark.parametrize("t", [1, 4])
def test_every_number_of_a_step_follows_from_the_one_before(wiring, t):
    """The equations of the lesson, worked out here in plain numpy from the model's parameters."""
    found = run("step", source=PIE, wiring=wiring, t=t)
    p = {name: tensor.numpy() for name, tensor in zoo.load(WIRINGS[wiring])[0].state_dict().items()}
    query = found.s[t - 1] if wiring == "query after" else found.s_before
    np.testing.assert_allclose(found.query, query, atol=1e-6)
    e = np.tanh(found.H @ p["score.W_1"].T + query @ p["score.W_2"].T) @ p["score.v"]
    np.testing.assert_allclose(found.scores, e, rtol=1e-4)
    alpha = np.exp(e - e.max()) / np.exp(e - e.max()).sum()
    np.testing.assert_allclose(found.weights, alpha, atol=1e-5)
    np.testing.assert_allclose(found.context, alpha @ found.H, atol=1e-5)
    np.testing.assert_allclose(found.parts.sum(0), found.context, atol=1e-5)
    logits = p["out.weight"] @ np.concatenate([found.context, found.s[t - 1]]) + p["out.bias"]
    best = TASKS["translation"].target.ids(found.next_words)
    np.testing.assert_allclose(found.logits, logits[best], atol=1e-4)
    np.testing.assert_allclose(found.probabilities, (np.exp(logits) / np.exp(logits).sum())[best], atol=1e-4)
    assert found.output[t - 1] == found.next_words[0]


def test_the_scores_fit_on_their_axis():
    for wiring in WIRINGS:
        for source in (PIE, AREA, LONG):
            assert np.abs(run("step", source=source, wiring=wiring, t=3).scores).max() <= views.step.HIGHEST


@pytest.mark.parametrize("source", [PIE, AREA, LONG])
def test_the_sum_by_hand_is_shown_in_numbers_and_adds_up(source):
    found = run("step", source=source, t=2, unit=5)
    alpha, h, products, c = (term for term in views.step.one_unit(found).terms if not isinstance(term, str))
    assert alpha.in_numbers
    assert alpha.grid.sum() == pytest.approx(1, abs=1e-5)
    np.testing.assert_allclose(alpha.grid * h.grid, products.grid, atol=1e-6)
    assert products.grid.sum() == pytest.approx(c.grid.item(), abs=1e-5)
    if source == PIE:
        np.testing.assert_array_equal(h.grid[:, 0], found.H[:, 4].astype(float))


def test_the_first_sum_adds_up_by_hand():
    """To the digits that are shown: each product of a row, and their sum."""
    alpha, h, products, c = (
        np.array([float(f"{value:.2f}") for value in term.grid.ravel()])
        for term in views.step.one_unit(run("step")).terms
        if not isinstance(term, str)
    )
    np.testing.assert_allclose((alpha * h).round(2), products, atol=1e-9)
    assert products.sum() == pytest.approx(c.item())


# ---- alignment ----


def independent_aer(weights: np.ndarray, gold: set[tuple[int, int]]) -> float:
    chosen = {(t, max(range(len(row)), key=row.__getitem__)) for t, row in enumerate(weights.tolist())}
    return 1 - 2 * len(chosen & gold) / (len(chosen) + len(gold))


@pytest.mark.parametrize("source", [AREA, PIE, OLD, MORNING, BUCKET])
@pytest.mark.parametrize("score", align.SCORES)
def test_the_aer_on_the_page(source, score):
    found = run("align", source=source, score=score)
    pair = known_pair(tuple(source.split()))
    assert found.target == pair.target
    assert found.aer == pytest.approx(independent_aer(found.weights, set(pair.alignment)))
    natural = zoo.Card.read(align.SCORES[score]).metrics["natural"]
    assert_says(views.align.reading(found), found.aer, "AER", natural["aer"], natural["count"])
    assert views.align.alignment(found).gold == tuple(sorted(pair.alignment))
    np.testing.assert_allclose(found.weights.sum(1), 1, atol=1e-5)


def test_what_the_suggestions_of_align_show():
    for suggestion in (
        EXPERIMENTS["align"].controls[0].default,
        *EXPERIMENTS["align"].controls[0].suggestions,
    ):
        assert run("align", source=suggestion).gold, suggestion
    links = set(run("align", source=AREA).gold)
    assert {(4, 6), (5, 5), (6, 4)} <= links  # zone économique européenne
    assert [i for t, i in run("align", source=PIE).gold if t == 3] == [1, 3, 4, 5]  # hit … with a pie
    assert run("align", source=OLD).alone[1] == ("est-ce", "qu'")
    assert run("align", source=MORNING).alone[0] == ("in",)


def test_a_translation_that_finds_no_end_is_said_to_have_none():
    found = run("align", source="the the she .")
    assert found.ended
    assert not says(views.align.reading(found), "no end")
    assert_says(views.align.reading(replace(found, ended=False)), "no end", len(found.target))


def test_a_sentence_that_the_grammar_did_not_make_has_a_map_and_no_gold():
    found = run("align", source="the the she .")
    assert found.gold is None
    assert found.aer is None
    assert found.weights.shape == (len(found.target), 4)
    assert_says(views.align.reading(found), "AER", ("no", "not"))
    assert not says(views.align.reading(found), "AER =")


# ---- steering ----


@pytest.mark.parametrize("wiring", WIRINGS)
def test_without_edits_nothing_changes_at_all(wiring):
    found = run("steer", wiring=wiring)
    plain = zoo.load(WIRINGS[wiring])[0].run(read_source(AREA))
    np.testing.assert_array_equal(found.your_weights, plain.weights)
    np.testing.assert_array_equal(found.s, plain.s)
    np.testing.assert_array_equal(found.probabilities[0], found.probabilities[1])
    assert found.plain == found.yours
    assert found.moved == 0
    assert (found.lost, found.new, found.edited) == ((), (), ())


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
def test_the_weights_that_are_held_are_the_weights_that_are_used(t, row):
    found = run("steer", source=HOUSE, t=t, weights=((t, tuple(row)),))
    np.testing.assert_allclose(found.your_weights.sum(1), 1, atol=1e-5)
    assert found.yours[: t - 1] == found.plain[: t - 1]  # nothing before the change can know of it
    assert found.t == t
    if sum(row) == 0:
        assert found.unfit == (t,)
        return
    used = np.array(row) / sum(row)
    np.testing.assert_allclose(found.row, used, atol=1e-6)
    np.testing.assert_allclose(found.context, used @ found.H, atol=1e-5)
    assert found.limits()["weights"]["row"] == pytest.approx(used, abs=1e-4)


def test_several_steps_are_steered_together():
    rows = ((2, all_on(2, 7)), (5, all_on(4, 7)))
    found = run("steer", source=HOUSE, weights=rows, t=2)
    assert found.edited == (2, 5)
    np.testing.assert_allclose(found.your_weights[[1, 4]], [row for _, row in rows], atol=1e-6)


def test_what_the_presets_of_steer_promise():
    assert (
        " ".join(preset("steer", "Say it again").yours)
        == "ils vont acheter ils vont acheter une belle maison . <eos>"
    )
    assert preset("steer", "Skip the future").yours[1] == "achètent"
    stopped = preset("steer", "Look at the full stop")
    assert len(stopped.yours) < len(stopped.plain)
    even = preset("steer", "Even, everywhere")
    assert even.lost
    assert len(even.edited) == len(even.yours)  # every step of it,
    assert not even.waiting  # and none beyond


def test_a_change_that_the_sentence_does_not_reach_waits():
    found = run("steer", t=12, weights=((6, all_on(T - 1, T)), (12, all_on(0, T))))
    assert found.waiting == (12,)
    assert found.t == len(found.yours) < 12
    assert_says(views.steer.reading(found), "step 12", len(found.yours))


def test_rows_made_for_another_sentence_are_left_out_calmly():
    experiment = EXPERIMENTS["steer"]
    state, _, complaints = link.decode(
        experiment, {"weights": "2:0.5,0.5;3:" + ",".join(["0"] * 7), "source": PIE}
    )
    assert not complaints
    found = experiment.run(state)
    assert found.unfit == (2, 3)
    assert found.yours == found.plain
    assert_says(views.steer.reading(found), "steps 2–3", "another length")


def test_every_row_on_offer_can_be_taken():
    for source in (AREA, PIE, "she"):
        for t in (1, 3, 60):
            found = run("steer", source=source, t=t)
            for name, row in found.limits()["weights"]["offers"].items():
                assert sum(row) == pytest.approx(1, abs=0.01), name
                assert run("steer", source=source, t=t, weights=((found.t, tuple(row)),)).edited == (found.t,)
    offers = run("steer", t=6).offers
    assert set(offers) == {"even", "gold", "focus elsewhere", "mix", "sharpen", "mask strongest"}
    assert offers["gold"] == all_on(5, T)  # économique comes from economic
    assert offers["focus elsewhere"] == all_on(4, T)
    assert offers["mask strongest"][5] == 0
    assert "gold" not in run("steer", source="the the she", t=1).offers


def test_the_row_in_the_picture_is_the_one_to_drag():
    row = views.steer.row(run("steer", t=6))
    assert isinstance(row, Bars)
    assert row.handle == "weights"
    assert row.svg().count('data-handle="weights"') == T
    changed = views.steer.row(run("steer", t=6, weights=((6, all_on(4, T)),)))
    assert changed.changed == {4, 5}
    outlined = views.steer.alignment(
        run("steer", t=1, weights=((6, all_on(4, T)), (8, (1 / T,) * T)))
    ).changed
    assert outlined == tuple((n, i) for n in (5, 7) for i in range(T))
    untouched_map = views.steer.alignment(run("steer"))
    assert not untouched_map.changed
    assert untouched_map.current_row is None  # nothing looks as if it was set
    assert_says(
        views.steer.reading(run("steer", t=8, weights=((8, (1 / T,) * T),))),
        ("alike", "equally", "even", "the same"),
    )


# ---- the bottleneck solved ----


def test_with_and_without_attention_differ_only_in_attention():
    for code in CONTEXT_DIMS:
        without, with_it = (
            zoo.Card.read(name).config for name in (f"{solved.WITHOUT.format(code)}-s0", f"{solved.WITH}-s0")
        )
        assert {key for key in without if without[key] != with_it[key]} == {"context", "code"}


def test_what_solved_says_about_length():
    found = run("solved", length=20)
    bucket = next(n for n, (low, high) in enumerate(found.lengths) if low <= 20 <= high)
    rungs = zoo.Card.read("translation-oneway-128-s0").metrics["rungs"]
    (at,) = [row for row in rungs if row["steps"] == found.steps[1]]
    assert found.exact[1][0, bucket] == at["by_length"][bucket]["exact_match"]
    assert found.exact[1][:, bucket].mean() > found.exact[0][:, bucket].mean() + 0.3
    assert found.exact[1][:, -1].mean() < 0.3  # the text says that it loses its way beyond
    assert found.stored == (found.code, 20 * 128)
    assert found.right == tuple(output == found.truth for output in found.outputs)
    assert [not (lost or wrong) for lost, wrong in zip(found.missing, found.wrong, strict=True)] == list(
        found.right
    )
    assert len(found.source) == 20


# ---- no order ----


@pytest.mark.parametrize("seed", [1, 7, 50])
def test_weights_go_along_with_the_states_and_the_context_stays(seed):
    found = run("unordered", seed=seed)
    assert sorted(found.order) == list(range(T))
    np.testing.assert_allclose(found.weights, found.plain_weights[list(found.order)], atol=1e-5)
    assert found.gaps[0].max() < 1e-4
    assert found.yours == found.plain
    words = run("unordered", seed=seed, what=unordered.SHUFFLES[1])
    assert words.gaps[1].max() > 0.1
    assert tuple(found.source) == tuple(AREA.split()[i] for i in found.order)


def test_order_zero_is_the_own_order():
    found = run("unordered", seed=0)
    assert " ".join(found.source) == AREA
    assert found.gaps.max() == 0


@pytest.mark.parametrize("source", [AREA, PIE, HOUSE, LONG])
@pytest.mark.parametrize("seed", [3, 7, 12])
def test_what_is_called_rounding_shrinks_with_the_precision(source, seed):
    """Points above the 32-bit line are rounding only if 64-bit numbers bring them down to the 64-bit line."""
    found = run("unordered", source=source, seed=seed)
    assert_says(views.unordered.reading(found), "rounding", scientific(found.gap))
    single, double = (np.finfo(kind).eps for kind in (np.float32, np.float64))
    assert found.gaps_64_bit.max() < found.gaps[0].max() * 1e-6
    assert found.gaps_64_bit.max() < 100 * double
    assert run("unordered", what=unordered.SHUFFLES[1]).gaps[1].max() > 1e5 * single
    picture = views.unordered.change(found)
    assert [height for height, _ in picture.rules] == [single, double]
    np.testing.assert_array_equal(picture.lines[2].y, np.maximum(found.gaps_64_bit, picture.y_range[0]))
    assert picture.y_range[0] < double


def test_an_order_that_moves_nothing_is_not_called_rounding():
    for found in (run("unordered", seed=0), run("unordered", source=".", seed=3)):
        assert found.order == tuple(range(len(found.source)))
        assert not says(views.unordered.reading(found), ("rounding", "now stands"))


def test_a_word_that_stands_twice_is_told_by_its_number():
    twice = "the " * 5 + "."
    found = run("step", source=twice, t=2)
    best, second = (int(i) for i in np.argsort(-found.scores)[:2])
    assert found.source[best] == found.source[second] == "the"
    assert_says(views.step.reading(found), f"the (word {best + 1})", f"the (word {second + 1})")
    steered = run("steer", source=twice, t=2)
    assert_says(views.steer.reading(steered), f"the (word {int(steered.row.argmax()) + 1})")
    moved = run("caveat", source=twice, t=2)
    assert_says(views.caveat.told_other(moved), f"(word {int(moved.own_row.argmax()) + 1})")
    assert not says(views.step.reading(run("step")), "word")


def test_a_sentence_of_one_word_is_well_said():
    assert not says(views.steer.reading(run("steer", source=".")), "drag")
    assert_says(
        views.readers.reading(run("readers", source=".")), "1 of 1 one-way state", "1 of 1 two-way state"
    )


def test_shuffled_words_that_vanish_are_counted_too():
    shuffled = (run("unordered", seed=seed, what=unordered.SHUFFLES[1]) for seed in range(1, 51))
    found = next(each for each in shuffled if each.yours[-1] == "<eos>" and each.plain != each.yours)
    assert_says(views.unordered.rewritten(found), len(found.lost), len(found.new))
    fewer = replace(found, yours=(*found.plain[:-3], "<eos>"), lost=(12, 13), new=())
    assert_says(views.unordered.rewritten(fewer), "2 words", 0)
    assert_says(views.unordered.rewritten(replace(found, yours=found.plain)), "same")
    endless = replace(found, yours=("le",) * 60)
    assert_says(views.unordered.rewritten(endless), 60, "no end")


def test_the_context_of_query_after_reaches_no_later_state():
    """No input feeding here, unlike in Luong et al. (2015), and the page says so."""
    plain = original_run(ADDITIVE, read_source(PIE))
    even = {"weights": lambda weights, t: torch.full_like(weights, 1 / len(weights))}
    yours = load_model(ADDITIVE).run(plain.source, plain.output, edits=even)
    assert not torch.equal(plain.contexts, yours.contexts)
    assert torch.equal(plain.s, yours.s)
    assert_says(LESSON.words.sections["step"].acts["query"].body, "Luong", "input feeding", "Bahdanau")


def test_nothing_tells_the_sentence_before_the_guess():
    experiment = EXPERIMENTS["unordered"]
    picture = views.unordered.unrolled(run("unordered"))
    assert not any(picture.chains[1].words)
    assert "européenne" not in picture.svg()
    assert {"translations", "weights", "change"} <= set(experiment.predict.covers)


def test_a_common_beginning_is_not_outlined():
    assert preset("unordered", "Shuffled states").source[0] == "area"
    assert 0 in preset("unordered", "Shuffled words").new
    shuffled = (
        run("unordered", source=BUCKET, seed=seed, what=unordered.SHUFFLES[1]) for seed in range(1, 51)
    )
    found = next(each for each in shuffled if each.plain[0] == each.yours[0] and each.plain != each.yours)
    assert found.new
    assert 0 not in found.new


# ---- the shortcut ----


def test_the_gradients_of_all_steps_at_once_are_those_of_each_step_alone():
    """In one batch of copies, or by autograd through one run of the model."""
    pair = held_out(6, 1)
    for name in (shortcut.WITHOUT, shortcut.WITH):
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
            np.testing.assert_allclose(shortcut.by_step(name, True, pair)[t], own, rtol=1e-3, atol=1e-5)


def test_a_gold_word_that_stands_twice_has_its_number():
    twice = 0
    for t in range(1, 12):
        found = run("shortcut", length=20, weights=shortcut.WEIGHTS[1], t=t)
        if found.linked and found.source.count(found.source[found.linked[0]]) > 1:
            assert_says(views.shortcut.reading(found), f"word {found.linked[0] + 1}")
            twice += 1
    assert twice


def test_what_shortcut_says_about_distance():
    for length in (10, 20, 40):
        found = run("shortcut", length=length, t=80)
        without, with_it = found.now
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
    assert np.mean(more) > 0.8  # in most steps, says the text


def test_the_verdicts_about_distance_agree_with_the_reading():
    said = views.shortcut.reading(run("shortcut"))
    without, with_it = run("shortcut").now
    for value in (without[0], with_it[0]):
        assert scientific(value, 1) in said
    guess = EXPERIMENTS["shortcut"].predict.check
    assert_says(said, float(without[-1] / without[0]))
    assert_says(guess("600 times", {}).message, float(without[-1] / without[0]))
    shown = [float(f"{value:.1e}") for value in (with_it[0], without[0])]
    verdict = guess("15,000 times", {})
    assert verdict.ok
    told, *_ = next(found for found in numbers(verdict.message) if found[0] > 1)
    assert told == pytest.approx(shown[0] / shown[1], rel=0.1)  # what the numbers shown give


# ---- a caveat ----


def test_moving_weights_by_the_output_layer_alone_is_the_same_as_a_new_run():
    """The shortcut that makes the curve cheap: with the query after, one step's weights reach only that step's output."""
    source, mix, t = read_source(AREA), 0.6, 7
    trace = original_run(ADDITIVE, source)
    for towards, goal in caveat.goals(trace.weights).items():
        row = (1 - mix) * trace.weights[t] + mix * goal[t]
        full = zoo.load(ADDITIVE)[0].run(
            source, edits={"weights": lambda w, step, row=row: row if step == t else w}, limit=t + 1
        )
        quick = caveat.moved(trace, goal, torch.tensor([mix]))[0, t]
        np.testing.assert_allclose(quick, full.probabilities[t], atol=1e-5, err_msg=towards)


def test_what_survives_even_attention():
    found = run("caveat", mix=1.0)
    for t, survives in enumerate(found.even):
        steered = steer.steer(AREA, "query after", t + 1, ((t + 1, (1 / T,) * T),))
        assert (steered.yours[t] == steered.plain[t]) == survives
    assert (found.holds[found.even] == 1).all()
    assert found.holds[~found.even].max() < 1
    assert 0 < found.even.sum() < len(found.even)
    heart = preset("caveat", "Known by heart")
    assert [word for word, stays in zip(heart.output, heart.even, strict=True) if not stays] == ["."]


def test_a_step_made_even_shows_what_it_writes_instead():
    found = run("caveat")
    holds, even = views.caveat.survives(found).lines
    assert holds.mark == ""
    for n, word in enumerate(even.words):
        assert (n in even.changed) == (word != found.output[n])
        assert word == steer.steer(AREA, "query after", n + 1, ((n + 1, (1 / T,) * T),)).yours[n]
    assert_says(views.caveat.reading(found), T + 2 - len(even.changed), T + 2, "even")


def test_after_the_last_step_there_is_no_next_one():
    found = run("caveat", t=60, towards=caveat.TOWARDS[2])
    assert np.isnan(found.holds).tolist() == [False] * (T + 1) + [True]
    said = views.caveat.reading(found)
    assert_says(said, found.idle()["mix"], f"step {len(found.output)}", found.word)
    assert not says(said, ("all the way", "holds"))
    assert_says(views.caveat.survives(found).lines[0].notes[-1], "no next step")
    assert not np.isnan(run("caveat", t=60).holds).any()


def test_who_aligns_better_need_not_translate_better():
    """What the last experiment's words say of our models, run by run."""
    rivals = {rival.name: rival for rival in run("caveat").rivals}
    means = [np.mean(rival.aer) for rival in rivals.values()]
    assert means == sorted(means)
    aligner, translator = (
        next(iter(rivals.values())),
        max(rivals.values(), key=lambda rival: np.mean(rival.exact)),
    )
    said = views.caveat.best_of_both(run("caveat"))
    assert aligner is not translator
    assert max(aligner.aer) > min(translator.aer)
    assert_says(said, aligner.name, translator.name, "overlap")
    looks, writes = rivals["scaled dot"], rivals["one-way reader"]
    last = said[said.rindex(looks.name) :]
    assert_says(last, "better", "worse")
    assert last.index("better") < last.index(writes.name) < last.index("worse")
    assert max(looks.aer) < min(writes.aer)
    assert max(looks.exact) < min(writes.exact)
    cards = [zoo.Card.read(f"translation-before-64-s{seed}") for seed in range(3)]
    assert rivals["query before"].aer == tuple(card.metrics["natural"]["aer"] for card in cards)
    assert {len(rival.aer) for rival in rivals.values()} == {3}
    assert {rival.steps for rival in rivals.values()} == {cards[0].recipe["steps"]}  # all trained as long


def test_where_runs_overlap_nobody_can_tell():
    found = run("caveat")
    first, *others = found.rivals
    close = replace(others[0], aer=first.aer, exact=tuple(exact + 0.001 for exact in first.exact))
    found.__dict__["rivals"] = (first, close)
    assert_says(views.caveat.best_of_both(found), first.name, close.name, "overlap")


# ---- exercises ----


def challenge(slug: str) -> Callable:
    return next(exercise for exercise in LESSON.exercises if exercise.slug == slug).check


@pytest.mark.parametrize(
    ("source", "t", "place"),
    [(HOUSE, 5, 5), (AREA, 6, 4), (AREA, 7, 7), ("the old bank is big .", 2, 2)],
    ids=lambda value: str(value)[:12],
)
def test_an_adjective_can_be_lost_by_attention_only(source, t, place):
    state = EXPERIMENTS["steer"].state(
        {"source": source, "t": t, "weights": ((t, all_on(place, len(source.split()))),)}
    )
    verdict = challenge("adjective")(None, state)
    assert verdict.ok, verdict.message


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"weights": ((6, all_on(5, T)),)},  # as it was
        {"weights": ((6, all_on(T - 1, T)),)},  # too much is lost
        {"weights": ((7, all_on(5, T)),)},  # something is said twice
        {"source": PIE, "weights": ((5, all_on(3, 7)),)},  # no adjective
    ],
)
def test_other_changes_do_not_count_as_losing_an_adjective(state):
    assert not challenge("adjective")(None, EXPERIMENTS["steer"].state(state)).ok


def test_even_steps_can_leave_the_sentence_alone():
    even = (1 / T,) * T
    assert challenge("unmoved")(
        None, EXPERIMENTS["steer"].state({"weights": tuple((t, even) for t in (5, 6, 8))})
    ).ok
    assert not challenge("unmoved")(
        None, EXPERIMENTS["steer"].state({"weights": tuple((t, even) for t in (5, 6))})
    ).ok
    assert not challenge("unmoved")(
        None, EXPERIMENTS["steer"].state({"weights": tuple((t, even) for t in (5, 6, 7))})
    ).ok


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
def test_answers_worked_out_by_hand(slug, answer):
    assert challenge(slug)(round(answer, 2), {}).ok
    assert not challenge(slug)(round(answer, 2) + 0.6, {}).ok


def test_the_divergence_is_asked_for_in_one_unit():
    """1 bit is right in bits and wrong in nats, so the question must name the unit."""
    asked = next(exercise for exercise in LESSON.exercises if exercise.slug == "divergence")
    assert_says(asked.question, "nats")
    assert not asked.check(1.0, {}).ok
    assert_says(views.caveat.told_other(run("caveat")), "nats", math.log(2))


def test_only_the_query_before_reaches_the_state():
    assert exercises.state_moves("query before")
    assert not exercises.state_moves("query after")


# ---- other weights, same output ----


@pytest.mark.parametrize(("t", "allowed"), [(5, 0.05), (9, 0.01), (13, 0.3)])
def test_the_weights_found_are_weights_and_the_output_is_as_near_as_allowed(t, allowed):
    tokens = read_source(AREA)
    found, plain = others.farthest(tokens, t, allowed), original_run(ADDITIVE, tokens)
    assert found.row.min() >= 0
    assert found.row.sum() == pytest.approx(1, abs=1e-5)
    row = torch.tensor(found.row)
    again = load_model(ADDITIVE).run(
        tokens, plain.output, edits={"weights": lambda own, step: row if step == t - 1 else own}
    )  # the model itself, by the other door
    off = (again.probabilities[t - 1] - plain.probabilities[t - 1]).abs().sum().item() / 2
    assert off == pytest.approx(found.off, abs=1e-5)
    assert off <= allowed + 1e-5


def test_the_search_finds_more_than_a_mix_with_even_weights():
    tokens = read_source(AREA)
    trace = original_run(ADDITIVE, tokens)
    even = caveat.goals(trace.weights)[caveat.TOWARDS[0]]
    mixes = torch.tensor(caveat.MIXES, dtype=torch.float32)
    off = others.apart(caveat.moved(trace, even, mixes), trace.probabilities)  # (mixes, T')
    far = others.divergence(
        (1 - mixes[:, None, None]) * trace.weights + mixes[:, None, None] * even, trace.weights
    )
    for t in (1, 5, 9, 13):
        assert (
            others.farthest(tokens, t, 0.05).divergence >= far[:, t - 1][off[:, t - 1] <= 0.05].max() - 1e-5
        )


def test_divergence_and_distance_by_hand():
    a, b = torch.tensor([0.5, 0.5]), torch.tensor([1.0, 0.0])
    middle = 0.5 * (0.5 * math.log(0.5 / 0.75) + 0.5 * math.log(0.5 / 0.25)) + 0.5 * math.log(1 / 0.75)
    assert others.divergence(a, b).item() == pytest.approx(middle, abs=1e-6)
    assert others.divergence(a, a).item() == pytest.approx(0, abs=1e-6)
    assert others.apart(a, b).item() == pytest.approx(0.5)


def test_a_model_that_cannot_choose_looks_evenly():
    tokens = read_source(AREA)
    assert torch.allclose(original_run(f"{others.UNIFORM}-s0", tokens).weights, torch.tensor(1 / T))


def test_what_is_told_of_even_weights_is_on_the_cards():
    found = run("caveat")
    names = [name for name in RECIPES if name.startswith(f"{others.UNIFORM}-s")]
    exact = [zoo.Card.read(name).metrics["natural"]["exact_match"] for name in names]
    assert_says(views.caveat.told_frozen(found), np.mean(exact), min(exact), max(exact))
    assert {zoo.Card.read(f"{name}-s0").recipe["steps"] for name in (others.UNIFORM, others.LEARNED)} == {
        found.trained.steps
    }


# ---- one way, or both ----


@pytest.mark.parametrize("put", ["", "house"])
@pytest.mark.parametrize("i", [1, 7, T])
def test_a_state_knows_the_words_that_its_readers_have_read(i, put):
    one, two = run("readers", i=i, put=put).both
    places = np.arange(1, T + 1)
    assert ((one.change > 0) == (places >= i)).all()
    assert (two.change > 0).all()
    assert ((two.halves > 0) == [places >= i, places <= i]).all()
    assert np.allclose(np.hypot(*two.halves), two.change, atol=1e-5)


def test_the_same_word_again_changes_nothing_and_that_is_said():
    found = run("readers", i=7, put="area")
    assert all((reader.change == 0).all() for reader in found.both)
    assert_says(views.readers.reading(found), "area", ("no state changes", "nothing changes"))


@pytest.mark.parametrize(("put", "fact"), [("two houses", "one word"), ("zzyzx", "zzyzx")])
def test_what_is_put_there_is_one_known_word(put, fact):
    with pytest.raises(InputError) as complaint:
        run("readers", put=put)
    assert_says(str(complaint.value), fact)
    assert complaint.value.control == "put"


def test_over_one_way_states_attention_looks_late_and_hardly_ever_early():
    one, two = (dict(zip(readers.LATE, shares, strict=True)) for shares in run("readers").lateness)
    assert sum(one.values()) == pytest.approx(1)
    late = [sum(share for places, share in each.items() if places > 0) for each in (one, two)]
    assert late[0] > 3 * late[1]
    assert one[-1] + one[-2] < 0.02


def test_how_late_a_look_is():
    assert [readers.late_by(4, [2]), readers.late_by(4, [4, 2]), readers.late_by(4, [5, 1])] == [2, 0, -1]


def test_the_first_late_look_is_told_with_its_weight():
    found = run("readers")
    t, look, due = views.readers.late_looks(found, found.both[0])[0]
    assert (found.both[0].target[t], found.source[look], found.source[due]) == ("l'", "agreement", "the")
    first, _, second = views.readers.reading(found).rpartition("two-way")
    assert_says(first, "l'", "agreement", found.both[0].weights[t, look], f"h₁ at “{found.source[due]}”")
    assert_says(second, len(views.readers.late_looks(found, found.both[1])))
    linked = {row for row, _ in found.gold}
    assert_says(first, f"{len(views.readers.late_looks(found, found.both[0]))} of {len(linked)} words")


def test_only_words_with_a_gold_link_can_look_past_it():
    found = run("readers", source=OLD)
    linked = {row for row, _ in found.gold}
    assert len(linked) < len(found.both[0].target)
    assert_says(views.readers.reading(found), f"of {len(linked)} words")


def test_what_is_told_of_both_readers_is_on_the_cards():
    one, two = run("readers").measured
    assert one.aer == tuple(
        zoo.Card.read(f"translation-oneway-64-s{seed}").metrics["natural"]["aer"] for seed in (0, 1, 2)
    )
    assert_says(views.readers.told_measured(run("readers")).partition(".")[0], "AER")
    for kind in (one, two):
        assert_says(
            views.readers.told_measured(run("readers")), kind.name, np.mean(kind.aer), np.mean(kind.exact)
        )


def test_an_output_that_is_wrong_has_something_amiss():
    """Words too many, where none is missing."""
    plain = run("solved", length=8)
    too_long = replace(plain, right=(False, True), missing=((), ()), wrong=((2, 3), ()))
    said = views.solved.reading(too_long)
    assert_says(said, "2 words", "too many", "nothing is missing")
    assert not says(said, "fully trained"), "some were still learning"


def test_one_state_changes_and_one_word_looks():
    last = run("readers", source=MORNING, i=6, put="women")
    said = views.readers.reading(last)
    assert_says(said, "1 of 6", "changes", "1 of 5", "looks")


def test_a_factor_near_one_is_not_rounded_to_one():
    found = run("shortcut", length=16, t=4)
    factors = [each.max() / each.min() for each in found.now]
    assert 1 < factors[1] < 2
    assert_says(views.shortcut.reading(found), f"{factors[1]:.1f}")
