"""Lesson `bottleneck`, context vector: wirings, sizes, surgery, the probe, and gradients through c."""

import dataclasses
import json
import re
from functools import partial
from itertools import islice

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

from lessons.bottleneck import LESSON, curve, endtoend, inject, surgery, survive
from lessons.bottleneck.curve import remeasure
from lessons.bottleneck.curve.compute import FIRST_K, LONG_TRAINING, LONGEST_TRAINING, SHORT_TRAINING
from lessons.bottleneck.endtoend.compute import ENCODER_STATES, WEIGHTS, load_weights, loss_jacobian
from lessons.bottleneck.inject.compute import WIRINGS
from lessons.bottleneck.measurements import LearningCurve, band_over_seeds
from lessons.bottleneck.sentences import (
    FOURTEEN_WORDS,
    PIECE_OF_CAKE,
    POSSESSIVE,
    SEVENTEEN_WORDS,
    SIXTEEN_WORDS,
)
from lessons.bottleneck.surgery.compute import C_SIZE, edit_context
from lessons.bottleneck.translator import (
    ATTENTION_MODELS,
    SMALL_TRANSLATOR,
    TRANSLATOR,
    models_with_context_dim,
    teacher_tokens,
)
from lessons.kit.checkpoints import (
    BUDGET_OPTIONS,
    CONTEXT_DIMS,
    TRANSLATION,
    load_model,
    measured_at,
    original_run,
    read_source,
)
from lessons.kit.example_sentences import PASSIVE
from lessons.kit.pictures.numbers import percent, scientific, short, signed
from lessons.kit.plan import read_plan
from models import metrics, zoo
from models.gradients import gradient
from models.vocabulary import Vocabulary
from tests import helpers
from tests.says import assert_says, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
LONGEST_SENTENCE = TRANSLATION.join(
    TRANSLATION.pairs("test", 1, seed=2, lengths=range(40, 41))[0].source
)  # 40 words, the maximum length
preset = partial(helpers.preset, LESSON)


# ---- inject ----


def test_wirings_have_the_figures_of_their_cards():
    run = inject.compute(FOURTEEN_WORDS, "every step", "token accuracy")
    for wiring, names in WIRINGS.items():
        cards = [zoo.Card.read(name) for name in names]
        figures_by_seed = [figures_on_card(name, run.common_steps) for name in names]
        assert run.natural[wiring].tolist() == [
            figures["natural"]["token_accuracy"] for figures in figures_by_seed
        ]
        lengths = [figures["by_length"][2]["token_accuracy"] for figures in figures_by_seed]
        assert run.accuracy[wiring].mean[2] == pytest.approx(np.mean(lengths))
        assert (run.accuracy[wiring].low[2], run.accuracy[wiring].high[2]) == (min(lengths), max(lengths))
        assert (run.parameters[wiring], run.steps[wiring]) == (cards[0].parameters, cards[0].recipe["steps"])
        assert figures_on_card(names[0], run.common_steps)["steps"] == run.common_steps
    for output, right, changed in zip(run.outputs, run.right, run.changed, strict=True):
        assert right == (output == run.truth) == (not changed)
    shared = inject.compute(PASSIVE, "one RNN", "exact match")
    np.testing.assert_array_equal(shared.s_0, shared.c)
    np.testing.assert_array_equal(shared.c, shared.H[-1])


def test_a_wiring_is_best_only_beyond_luck():
    run = inject.compute(PASSIVE, "first state", "exact match")
    once = dataclasses.replace(run, natural={wiring: values[:1] for wiring, values in run.natural.items()})
    assert once.best is None  # one seed each cannot show the variation between seeds
    assert_says(inject.views.reading(once), "one seed", "luck")
    seeds = run.natural["first state"][0] + np.array([0.0, 0.02, 0.01])
    run = dataclasses.replace(run, natural=run.natural | {"first state": seeds})
    near = dataclasses.replace(run, natural=run.natural | {"every step": seeds[:1], "one RNN": seeds[:1]})
    assert near.best is None
    assert_says(inject.views.reading(near), "do not know", *(f"{share:.2f}" for share in seeds[:2]))
    ahead = dataclasses.replace(
        run, natural=near.natural | {"every step": seeds.max() + seeds[:1] - seeds.min() + 0.03}
    )
    assert ahead.best == "every step"
    more = run.parameters["every step"] / run.parameters["first state"] - 1
    assert_says(
        inject.views.reading(ahead),
        "every step",
        "one seed",
        "outside",
        percent(more),
        "more parameters",
        "first state",
    )
    smaller = dataclasses.replace(ahead, parameters=run.parameters | {"every step": 1})
    assert not says(inject.views.reading(smaller), "more parameters")


def test_the_training_steps_of_the_drawn_weights_are_named():
    """The wirings were trained for different numbers of steps, so the page must name each number."""
    run = EXPERIMENTS["inject"].run()
    assert len(set(run.steps.values())) > 1
    assert_says(
        inject.views.unequal(run),
        *run.steps,
        *(f"{steps:,}" for steps in run.steps.values()),
        "different numbers of steps",
    )
    assert_says(inject.views.unequal(dataclasses.replace(run, steps=dict.fromkeys(run.steps, 4000))), "4,000")


def test_the_plan_does_not_call_the_winner_a_mistake():
    """The plan names the winner and says that it has the most parameters."""
    (step,) = (step for step in read_plan(LESSON.folder / "plan.md") if step.slug == "inject")
    run = EXPERIMENTS["inject"].run()
    assert max(run.parameters, key=run.parameters.get) == run.best
    assert_says(step.parts["Tempting"], run.best, len(run.c), "most parameters")


def test_no_label_is_cut():
    run = next(
        remeasured
        for _, remeasured in remeasure.measure_in_rounds(
            EXPERIMENTS["curve"].run({"code": "128", "steps": LONGEST_TRAINING}), 7
        )
    )
    shown = [curve.views.curves(run), curve.views.budgets(run), curve.views.outputs(run)]
    wired = EXPERIMENTS["inject"].run()
    for picture in (*shown, inject.views.outputs(wired), inject.views.by_length(wired)):
        texts = re.findall(r"<text[^>]*>([^<]*)</text>", picture.svg())
        assert not [text for text in texts if text.endswith("…")], picture.title
    assert_says(curve.views.outputs(run).title, *(f"{steps:,}" for steps in run.full_steps))


# ---- curve ----


def figures_on_card(name: str, steps: int) -> dict:
    return next(row for row in zoo.Card.read(name).metrics["rungs"] if row["steps"] == steps)


@pytest.mark.parametrize("steps", BUDGET_OPTIONS)
def test_every_line_is_on_the_cards(steps):
    run = EXPERIMENTS["curve"].run({"steps": steps})
    for code, band in run.one_vector.items():
        names, used = measured_at(models_with_context_dim(code), run.steps)
        assert run.steps_used[code] == used <= run.steps
        seeds = [figures_on_card(name, used)["by_length"][1]["exact_match"] for name in names]
        assert (band.low[1], band.high[1], band.seeds[1]) == (min(seeds), max(seeds), len(seeds))
        assert band.mean[1] == pytest.approx(np.mean(seeds))
        natural = [figures_on_card(name, used)["natural"]["exact_match"] for name in names]
        assert run.by_steps[code].mean[list(run.budgets).index(used)] == pytest.approx(np.mean(natural))
    assert run.steps_used["attention"] == min(run.steps, 4000)
    seeds = [
        figures_on_card(name, run.steps_used["attention"])["by_length"][0]["exact_match"]
        for name in ATTENTION_MODELS
    ]
    assert run.attention.mean[0] == pytest.approx(np.mean(seeds))


def test_only_c_differs():
    configs = [zoo.Card.read(models_with_context_dim(code)[0]).config for code in CONTEXT_DIMS]
    assert [config.pop("context_dim") for config in configs] == [int(code) for code in CONTEXT_DIMS]
    assert all(config == configs[0] for config in configs)
    attention = zoo.Card.read(ATTENTION_MODELS[0]).config
    assert {
        key
        for key in attention
        if attention[key] != zoo.Card.read(models_with_context_dim("128")[0]).config[key]
    } == {"context", "context_dim"}


def test_the_cliff_moves_with_c_and_with_training():
    run = EXPERIMENTS["curve"].run()
    assert run.buckets[run.last][1] == run.trained[1]
    for code in ("16", "128"):
        assert np.nanmax(run.by_steps[code].mean) > run.by_steps[code].mean[0] + 0.2
    assert run.by_steps["128"].mean[-2] > run.by_steps["4"].mean[-2] + 0.2
    assert run.attention_by_steps.mean[0] > max(line.mean[0] for line in run.by_steps.values())
    assert all(paper.same_order for paper in run.papers)


def test_start_of_the_plateau():
    steps = np.array([1, 2, 3, 4])
    assert LearningCurve(steps, steps, np.array([4.0, 2.0, 1.01, 1.0])).plateau_start == 3
    assert LearningCurve(steps, steps, np.array([4.0, 1.0, 3.0, 2.0])).plateau_start == 2


def test_each_figure_of_the_papers_stands_once():
    run = EXPERIMENTS["curve"].run()
    rows = curve.views.paper_and_ours(run).rows
    assert len({row[0] for row in rows}) == len(rows) == 3
    written = [cell for row in rows for cell in row[1:-1] if cell != "–"]
    assert sorted(written) == sorted(f"{figure:.2f}" for paper in run.papers for figure in paper.paper)


def test_the_right_guess_follows_from_the_figures(monkeypatch):
    run = curve.exercises.compute_start()
    early, late = (list(BUDGET_OPTIONS).index(steps) for steps in (SHORT_TRAINING, LONG_TRAINING))
    for share, named in ((0.35, 0), (0.6, 1), (0.9, 2)):
        shares = np.full(len(BUDGET_OPTIONS), 0.1)
        shares[early], shares[late] = 0.3, share
        lines = run.by_steps | {FIRST_K: band_over_seeds([shares])}
        moved = dataclasses.replace(
            run, by_steps=lines, attention_by_steps=band_over_seeds([(0.8, 0.9, 0.95)])
        )
        monkeypatch.setattr(curve.exercises, "compute_start", lambda moved=moved: moved)
        assert curve.exercises.effect_of_training() == curve.exercises.CLIFF_MOVES[named]


def test_measuring_again_on_other_sentences(monkeypatch):
    monkeypatch.setattr(remeasure, "ROUNDS", 1)
    monkeypatch.setattr(remeasure, "SENTENCES_PER_ROUND", 3)
    run = curve.compute(PASSIVE, "32", "4,000", "exact match")
    results = list(islice(remeasure.measure_in_rounds(run, 77), 3))  # only the three shortest buckets
    shares, fresh = [share for share, _ in results], results[-1][1].remeasured
    assert shares == sorted(shares)
    assert fresh.counts.tolist() == [3, 3, 3, 0, 0, 0, 0, 0]
    low, high = run.buckets[2]
    pairs = TRANSLATION.pairs("test", 3, seed=77, lengths=range(low, high + 1))
    for n, name in enumerate((models_with_context_dim("32")[0], ATTENTION_MODELS[0])):
        figures = metrics.evaluate(zoo.load(name)[0], pairs, TRANSLATION)
        for name in ("exact_match", "token_accuracy"):
            assert getattr(fresh, name)[n, 2] == pytest.approx(figures[name], abs=1e-3)
    assert np.isnan(fresh.exact_match[:, 3:]).all()
    assert json.dumps(results[0][1].numbers(), allow_nan=False)
    assert all(view(results[1][1]) for view in EXPERIMENTS["curve"].all_views)
    _, other = next(remeasure.measure_in_rounds(run, 78))
    assert other.remeasured.seed != fresh.seed
    assert TRANSLATION.pairs("test", 3, seed=78, lengths=range(3, 9)) != TRANSLATION.pairs(
        "test", 3, seed=77, lengths=range(3, 9)
    )


def test_the_job_measures_every_bucket(monkeypatch):
    monkeypatch.setattr(remeasure, "ROUNDS", 1)
    monkeypatch.setattr(remeasure, "SENTENCES_PER_ROUND", 1)
    monkeypatch.setattr(remeasure, "time", lambda: 5.0)
    state = EXPERIMENTS["curve"].state({"code": "16"})
    *_, (share, run) = EXPERIMENTS["curve"].job.run(**state)
    assert (share, run.remeasured.seed) == (1, 5)
    assert (run.remeasured.counts == 1).all()


# ---- surgery ----

UNEDITED = {"blend": 0.0, "scale": 1.0, "noise": 0.0, "seed": 1, "zeros": 0}


def operate(**values):
    return surgery.compute(PASSIVE, PIECE_OF_CAKE, **UNEDITED | values)


@given(st.floats(0, 1), st.floats(-1, 2), st.floats(0, 1), st.integers(1, 20), st.integers(0, C_SIZE))
@settings(max_examples=15)
def test_edit_context_follows_the_equation(blend, scale, noise, seed, zeros):
    c, donor = torch.randn(2, C_SIZE, generator=torch.Generator().manual_seed(0))
    noises = torch.randn(C_SIZE, generator=torch.Generator().manual_seed(seed))
    expected = scale * ((1 - blend) * c + blend * donor) + noise * c.square().mean().sqrt() * noises
    expected[C_SIZE - zeros :] = 0
    torch.testing.assert_close(
        edit_context(c, donor, scale, noise, seed, zeros, blend), expected, atol=1e-5, rtol=1e-5
    )


def test_the_output_follows_the_vector():
    assert not operate().is_edited
    assert operate().edited == operate().original
    whole = operate(blend=1.0)
    assert whole.edited == whole.donor != whole.original
    np.testing.assert_allclose(whole.distances, [whole.distances[2], 0, whole.distances[2]], atol=1e-6)
    half = operate(blend=0.5)
    assert half.distances[0] == pytest.approx(half.distances[2] / 2, abs=1e-5)
    between = preset("surgery", "In between")
    assert between.edited not in (between.original, between.donor)
    assert (operate(zeros=64).c[1, 64:] == 0).all()
    assert not np.array_equal(operate(noise=0.5).c[1], operate(noise=0.5, seed=2).c[1])
    assert (
        operate(zeros=128).edited
        == surgery.compute(SIXTEEN_WORDS, PIECE_OF_CAKE, **UNEDITED | {"zeros": 128}).edited
    )  # with all units set to zero, the source no longer matters


def test_the_reading_counts_the_words_that_are_shown():
    run = operate(zeros=120)
    shown = surgery.views.side_by_side(run).lines[1]
    assert_says(
        surgery.views.reading(run),
        str(len(shown.changed)),
        "new",
        *(f"{way:.2f}" for way in run.distances[:2]),
    )


def test_controls_without_effect_are_idle():
    assert set(operate().idle()) == {"seed", "donor"}
    assert set(operate(blend=0.5, noise=0.5).idle()) == set()
    assert set(operate(blend=0.5, scale=0.0).idle()) == {"seed", "donor", "blend"}
    all_zero = operate(zeros=C_SIZE)
    assert set(all_zero.idle()) == {"donor", "blend", "scale", "noise", "seed"}
    assert np.array_equal(all_zero.c[1], operate(zeros=C_SIZE, blend=0.7, scale=0.3, noise=0.4, seed=3).c[1])


# ---- survive ----


def test_the_gradient_against_finite_differences():
    source, i, small = read_source(PASSIVE), 2, 1e-2
    model, target = load_model(SMALL_TRANSLATOR), original_run(SMALL_TRANSLATOR, source).output
    found = []
    for unit in range(model.config.embedding):
        ends = []
        for sign in (1, -1):

            def nudge(x, step, unit=unit, sign=sign):
                x[i, unit] += sign * small
                return x

            ends.append(model.run(source, target, {"x": nudge}).logprobs.double().sum())
        found.append((ends[0] - ends[1]) / (2 * small))
    expected = torch.stack(found).norm().item()
    assert survive.compute(PASSIVE, "128", 0).pull[i] == pytest.approx(expected, rel=0.05)


@pytest.mark.parametrize("width", ["64", "128"])
def test_the_probe_reads_c_and_its_card_is_shown(width):
    run, (probe, card) = survive.compute(SIXTEEN_WORDS, width, 2), zoo.load(f"probe-none-{width}-s0")
    assert card.config["checkpoint"] == f"translation-none-{width}-s0"
    logits = probe(original_run(card.config["checkpoint"], read_source(SIXTEEN_WORDS)).c[None])[0]
    assert run.read_off == TRANSLATION.source.tokens(logits.argmax(-1)[: len(run.words)])
    np.testing.assert_array_equal(run.recovered, [row["accuracy"] for row in card.metrics["by_position"]])
    np.testing.assert_allclose(run.gains[width], run.recovered - run.commonest)
    assert np.isnan(run.by_length[0][1][8:]).all()  # a sentence of eight words has no ninth word
    row = card.metrics["by_length"][0]["by_position"][3]
    assert run.by_length[0][1][3] == pytest.approx(row["accuracy"] - row["commonest"])


def test_a_short_sentence_nearly_survives_and_a_long_one_does_not():
    short, long = survive.compute(PASSIVE, "128", 0), survive.compute(SEVENTEEN_WORDS, "128", 0)
    lost = [sum(a != b for a, b in zip(run.read_off, run.words, strict=True)) for run in (short, long)]
    assert lost[0] <= 2 < 6 < lost[1]
    assert len(survive.compute(LONGEST_SENTENCE, "128", 0).read_off) == 20
    word = survive.compute(PASSIVE, "128", 3)
    assert (word.outputs[word.t - 1], word.words[int(word.pull.argmax())]) == ("maison", "house")


def test_the_guess_is_about_the_gain_in_view():
    gains = survive.exercises.gains_by_part()
    run = EXPERIMENTS["survive"].run()
    shown = survive.views.gain(run).lines[0].y  # the curve in the main view, not in a closer look
    assert gains["the first words"] == pytest.approx(np.mean(shown[:7]))
    assert gains["the last words"] == pytest.approx(np.mean(shown[14:]))
    assert_says(
        survive.exercises.describe_gain("the last words"), "15", "20", signed(gains["the last words"])
    )
    thirds = [np.mean(part) for part in np.array_split(run.by_length[-1][1], 3)]
    assert survive.exercises.PARTS[int(np.argmax(thirds))] == max(
        gains, key=gains.get
    )  # the answer is the same for long sentences only


def test_measured_fractions_come_before_one_sentence():
    run = preset("survive", "Half the numbers")
    text = survive.views.reading(run)
    shares = {
        width: zoo.Card.read(f"probe-none-{width}-s0").metrics["natural"]["accuracy"]
        for width in ("64", "128")
    }
    assert shares["64"] < shares["128"]
    measured_first, _, one_sentence = text.partition("gain")
    assert_says(measured_first, *shares, *map(percent, shares.values()), percent(run.without))
    found = sum(a == b for a, b in zip(run.read_off, run.words, strict=True))
    assert_says(one_sentence, str(found), str(len(run.words)))


# ---- endtoend ----


@pytest.mark.parametrize("weights", WEIGHTS)
def test_the_loss_reaches_every_encoder_step_through_c(weights):
    run, source = endtoend.compute(SIXTEEN_WORDS, 5, weights), TRANSLATOR.read(SIXTEEN_WORDS)
    model, target = load_weights(weights), teacher_tokens(source)
    assert (run.to_s[5:] == 0).all()  # states after step 5 do not affect the loss of step 5
    assert (np.abs(run.to_s[:5]).max(-1) > 0).all()
    assert (run.sizes > 0).all()
    to_c = gradient(lambda edits: model.run(source, target, edits), "c", lambda trace: -trace.logprobs[4])
    np.testing.assert_allclose(
        run.to_h[-1], to_c, atol=1e-6, rtol=1e-4
    )  # c is h_T, and there is no other path to the loss
    whole = endtoend.compute(SIXTEEN_WORDS, 0, weights)
    losses = F.cross_entropy(
        model(torch.tensor([source]), torch.tensor([[Vocabulary.bos, *target[:-1]]]))[0],
        torch.tensor(target),
        reduction="none",
    )
    np.testing.assert_allclose(whole.losses, losses, atol=1e-4, rtol=1e-3)
    np.testing.assert_allclose(whole.to_h, loss_jacobian(weights, source, ENCODER_STATES).sum(0), atol=1e-5)


def test_a_bar_of_the_losses_chooses_its_word():
    run = EXPERIMENTS["endtoend"].run()
    name, values = endtoend.views.losses(run).pick
    assert name == "t"
    assert [EXPERIMENTS["endtoend"].state({name: value})["t"] for value in values] == [
        *range(1, len(run.teacher) + 1)
    ]
    assert run.losses[run.t - 1] > np.median(run.losses)  # the default step is a hard word
    assert not np.signbit(endtoend.compute(SIXTEEN_WORDS, 0, "trained").losses).any()  # never −0.00


@pytest.mark.parametrize("weights", WEIGHTS)
def test_the_ratio_follows_from_the_lengths_as_written(weights):
    for t in (1, 2, 5):
        run = endtoend.compute(POSSESSIVE, t, weights)
        first, *_, last = (run.trained if weights == "trained" else run.before_training).tolist()
        lengths = (short(first), short(last), short(first / last, 2), short(float(run.losses[t - 1])))
        assert_says(endtoend.views.reading(run), *lengths)


def test_the_guess_names_the_gradient_that_the_page_shows():
    run = EXPERIMENTS["endtoend"].run()
    guess = EXPERIMENTS["endtoend"].predict
    for option in guess.answer.options:
        assert_says(
            guess.check(option, EXPERIMENTS["endtoend"].state()).message,
            short(float(run.trained[0])),
            run.words[0],
        )


def test_a_loss_with_a_gradient_is_not_called_zero():
    run = endtoend.compute(POSSESSIVE, 9, "trained")
    run = dataclasses.replace(run, losses=0 * run.losses)  # float32 may round a loss to 0
    assert run.trained[-1] > 0
    assert_says(endtoend.views.reading(run), "below", scientific(1e-7))


def test_the_hard_word_is_the_year():
    run = EXPERIMENTS["endtoend"].run(
        next(one.state for one in EXPERIMENTS["endtoend"].presets if one.title == "A hard word")
    )
    assert run.teacher[run.t - 1] == "1992"
    assert run.losses[run.t - 1] > np.median(run.losses)


def test_training_helps_the_gradient_back():
    run = endtoend.compute(SIXTEEN_WORDS, 0, "trained")
    assert run.trained[0] / run.trained[-1] > run.before_training[0] / run.before_training[-1]


def test_an_output_that_only_lost_a_word_is_not_the_same():
    run = surgery.compute(PASSIVE, PIECE_OF_CAKE, **UNEDITED | {"zeros": 1})
    lost = dataclasses.replace(run, edited=run.original[:1] + run.original[2:], changed=())
    assert_says(surgery.views.reading(lost), "1", "missing", "0", "new")
    assert not says(surgery.views.reading(lost), "the same")


def test_a_ratio_of_one_has_a_decimal():
    run = endtoend.compute(POSSESSIVE, 1, "trained")
    run.__dict__["trained"] = np.ones(len(run.words))
    assert "1.0" in endtoend.views.reading(run).replace("*", "").split()  # the number must not be “1 times”


def test_the_size_of_c_is_called_k():
    assert [line.name for line in survive.views.gain(survive.compute(PASSIVE, "128", 0)).lines] == [
        "k = 128",
        "k = 64",
    ]
