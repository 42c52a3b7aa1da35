"""Lesson bottleneck, its one vector: how much fits in, measured; what it says when it is changed; what training sends back."""

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

from lessons.bottleneck import LESSON, exercises, views
from lessons.bottleneck.compute import common, measured, vector
from lessons.bottleneck.examples import BIRDS, CAR, HOUSE, LETTER, MATCH, SOUP
from lessons.kit.checkpoints import TRANSLATION as TASK
from lessons.kit.checkpoints import load_model, measured_at, original_run, read_source, translate
from lessons.kit.pictures.numbers import percent, scientific, short, signed
from lessons.kit.plan import read_plan
from models import metrics, zoo
from models.gradients import gradient
from models.vocabulary import Vocabulary
from tests import helpers
from tests.says import assert_says, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
FORTY = TASK.join(
    TASK.pairs("test", 1, seed=2, lengths=range(40, 41))[0].source
)  # as long as a sentence may be
preset = partial(helpers.preset, LESSON)


# ---- three ways to hand c over ----


def test_three_wirings_as_their_cards_say():
    run = measured.inject(SOUP, "every step", "token accuracy")
    for wiring, names in measured.WIRINGS.items():
        cards = [zoo.Card.read(name) for name in names]
        alike = [rung(name, run.alike) for name in names]
        assert run.natural[wiring].tolist() == [figures["natural"]["token_accuracy"] for figures in alike]
        lengths = [figures["by_length"][2]["token_accuracy"] for figures in alike]
        assert run.accuracy[wiring].mean[2] == pytest.approx(np.mean(lengths))
        assert (run.accuracy[wiring].low[2], run.accuracy[wiring].high[2]) == (min(lengths), max(lengths))
        assert (run.parameters[wiring], run.steps[wiring]) == (cards[0].parameters, cards[0].recipe["steps"])
        assert rung(names[0], run.alike)["steps"] == run.alike
    for output, right, changed in zip(run.outputs, run.right, run.changed, strict=True):
        assert right == (output == run.truth) == (not changed)
    shared = measured.inject(HOUSE, "one RNN", "exact match")
    np.testing.assert_array_equal(shared.s_0, shared.c)
    np.testing.assert_array_equal(shared.c, shared.H[-1])


def test_a_wiring_is_best_only_beyond_luck():
    run = measured.inject(HOUSE, "first state", "exact match")
    once = dataclasses.replace(run, natural={wiring: values[:1] for wiring, values in run.natural.items()})
    assert once.best is None  # one seed each tells nothing of luck
    assert_says(views.inject.reading(once), "one seed", "luck")
    seeds = run.natural["first state"][0] + np.array([0.0, 0.02, 0.01])
    run = dataclasses.replace(run, natural=run.natural | {"first state": seeds})
    near = dataclasses.replace(run, natural=run.natural | {"every step": seeds[:1], "one RNN": seeds[:1]})
    assert near.best is None
    assert_says(views.inject.reading(near), "cannot be told", *(f"{share:.2f}" for share in seeds[:2]))
    ahead = dataclasses.replace(
        run, natural=near.natural | {"every step": seeds.max() + seeds[:1] - seeds.min() + 0.03}
    )
    assert ahead.best == "every step"
    more = run.parameters["every step"] / run.parameters["first state"] - 1
    assert_says(
        views.inject.reading(ahead),
        "every step",
        "one seed",
        "outside",
        percent(more),
        "more parameters",
        "first state",
    )
    smaller = dataclasses.replace(ahead, parameters=run.parameters | {"every step": 1})
    assert not says(views.inject.reading(smaller), "more parameters")


def test_what_translates_the_sentence_says_how_long_it_was_trained():
    """The pictures draw each wiring's best weights, and those had unequal training."""
    run = EXPERIMENTS["inject"].run()
    assert len(set(run.steps.values())) > 1
    assert_says(
        views.inject.unequal(run), *run.steps, *(f"{steps:,}" for steps in run.steps.values()), "unequal"
    )
    assert_says(views.inject.unequal(dataclasses.replace(run, steps=dict.fromkeys(run.steps, 4000))), "4,000")


def test_the_plan_does_not_call_the_winner_a_mistake():
    """What the figures say is the answer to what is tempting, and more parameters are named as a reason."""
    (step,) = (step for step in read_plan(LESSON.folder / "plan.md") if step.slug == "inject")
    run = EXPERIMENTS["inject"].run()
    assert max(run.parameters, key=run.parameters.get) == run.best
    assert_says(step.parts["Tempting"], run.best, len(run.c), "most parameters")


def test_no_label_is_cut():
    run = next(
        found
        for share, found in measured.measured(
            EXPERIMENTS["curve"].run({"code": "128", "steps": measured.MOST}), 7
        )
    )
    shown = [views.curve.curves(run), views.curve.budgets(run), views.curve.outputs(run)]
    wired = EXPERIMENTS["inject"].run()
    for picture in (*shown, views.inject.outputs(wired), views.inject.by_length(wired)):
        texts = re.findall(r"<text[^>]*>([^<]*)</text>", picture.svg())
        assert not [text for text in texts if text.endswith("…")], picture.title
    assert_says(views.curve.outputs(run).title, *(f"{steps:,}" for steps in run.full))


# ---- the bottleneck ----


def rung(name: str, steps: int) -> dict:
    return next(row for row in zoo.Card.read(name).metrics["rungs"] if row["steps"] == steps)


@pytest.mark.parametrize("steps", measured.STEPS)
def test_every_line_is_on_the_cards(steps):
    run = EXPERIMENTS["curve"].run({"steps": steps})
    for code, band in run.one_vector.items():
        names, had = measured_at(measured.of_size(code), run.steps)
        assert run.had[code] == had <= run.steps
        seeds = [rung(name, had)["by_length"][1]["exact_match"] for name in names]
        assert (band.low[1], band.high[1], band.seeds[1]) == (min(seeds), max(seeds), len(seeds))
        assert band.mean[1] == pytest.approx(np.mean(seeds))
        natural = [rung(name, had)["natural"]["exact_match"] for name in names]
        assert run.by_steps[code].mean[list(run.budgets).index(had)] == pytest.approx(np.mean(natural))
    assert run.had["attention"] == min(run.steps, 4000)
    seeds = [rung(name, run.had["attention"])["by_length"][0]["exact_match"] for name in measured.ATTENTION]
    assert run.attention.mean[0] == pytest.approx(np.mean(seeds))


def test_only_c_differs():
    configs = [zoo.Card.read(measured.of_size(code)[0]).config for code in measured.CONTEXT_DIMS]
    assert [config.pop("code") for config in configs] == [int(code) for code in measured.CONTEXT_DIMS]
    assert all(config == configs[0] for config in configs)
    attention = zoo.Card.read(measured.ATTENTION[0]).config
    assert {
        key for key in attention if attention[key] != zoo.Card.read(measured.of_size("128")[0]).config[key]
    } == {
        "context",
        "code",
    }


def test_the_cliff_moves_with_c_and_with_training():
    run = EXPERIMENTS["curve"].run()
    assert run.buckets[run.last][1] == run.trained[1]
    for code in ("16", "128"):
        assert np.nanmax(run.by_steps[code].mean) > run.by_steps[code].mean[0] + 0.2
    assert run.by_steps["128"].mean[-2] > run.by_steps["4"].mean[-2] + 0.2
    assert run.attention_by_steps.mean[0] > max(line.mean[0] for line in run.by_steps.values())
    assert all(paper.same_order for paper in run.papers)


def test_since_when_a_training_stands_still():
    steps = np.array([1, 2, 3, 4])
    assert common.Learning(steps, steps, np.array([4.0, 2.0, 1.01, 1.0])).still == 3
    assert common.Learning(steps, steps, np.array([4.0, 1.0, 3.0, 2.0])).still == 2


def test_each_figure_of_the_papers_stands_once():
    run = EXPERIMENTS["curve"].run()
    rows = views.curve.paper_and_ours(run).rows
    assert len({row[0] for row in rows}) == len(rows) == 3
    written = [cell for row in rows for cell in row[1:-1] if cell != "–"]
    assert sorted(written) == sorted(f"{figure:.2f}" for paper in run.papers for figure in paper.paper)


def test_the_guess_is_decided_by_the_figures(monkeypatch):
    run = exercises.at_start()
    early, late = (list(measured.STEPS).index(steps) for steps in (measured.EARLY, measured.LATE))
    for share, named in ((0.35, 0), (0.6, 1), (0.9, 2)):
        shares = np.full(len(measured.STEPS), 0.1)
        shares[early], shares[late] = 0.3, share
        lines = run.by_steps | {measured.CODE: common.band([shares])}
        moved = dataclasses.replace(run, by_steps=lines, attention_by_steps=common.band([(0.8, 0.9, 0.95)]))
        monkeypatch.setattr(exercises, "at_start", lambda moved=moved: moved)
        assert exercises.trained_on() == exercises.MOVED[named]


def test_measuring_again_on_other_sentences(monkeypatch):
    monkeypatch.setattr(measured, "ROUNDS", 1)
    monkeypatch.setattr(measured, "EACH", 3)
    run = measured.curve(HOUSE, "32", "4,000", "exact match")
    results = list(islice(measured.measured(run, 77), 3))  # the shorter buckets
    shares, fresh = [share for share, _ in results], results[-1][1].fresh
    assert shares == sorted(shares)
    assert fresh.counts.tolist() == [3, 3, 3, 0, 0, 0, 0, 0]
    low, high = run.buckets[2]
    pairs = TASK.pairs("test", 3, seed=77, lengths=range(low, high + 1))
    for n, name in enumerate((measured.of_size("32")[0], measured.ATTENTION[0])):
        figures = metrics.judge(zoo.load(name)[0], pairs, TASK)
        for name in ("exact_match", "token_accuracy"):
            assert getattr(fresh, name)[n, 2] == pytest.approx(figures[name], abs=1e-3)
    assert np.isnan(fresh.exact_match[:, 3:]).all()
    assert json.dumps(results[0][1].numbers(), allow_nan=False)
    assert all(view(results[1][1]) for view in EXPERIMENTS["curve"].all_views)
    _, other = next(measured.measured(run, 78))
    assert other.fresh.seed != fresh.seed
    assert TASK.pairs("test", 3, seed=78, lengths=range(3, 9)) != TASK.pairs(
        "test", 3, seed=77, lengths=range(3, 9)
    )


def test_the_job_goes_to_the_end(monkeypatch):
    monkeypatch.setattr(measured, "ROUNDS", 1)
    monkeypatch.setattr(measured, "EACH", 1)
    monkeypatch.setattr(measured, "time", lambda: 5.0)
    state = EXPERIMENTS["curve"].state({"code": "16"})
    *_, (share, run) = EXPERIMENTS["curve"].job.run(**state)
    assert (share, run.fresh.seed) == (1, 5)
    assert (run.fresh.counts == 1).all()


# ---- surgery ----

UNTOUCHED = {"blend": 0.0, "scale": 1.0, "noise": 0.0, "seed": 1, "zeros": 0}


def operated(**values):
    return vector.surgery(HOUSE, MATCH, **UNTOUCHED | values)


@given(st.floats(0, 1), st.floats(-1, 2), st.floats(0, 1), st.integers(1, 20), st.integers(0, vector.M))
@settings(max_examples=15)
def test_the_operation_is_the_equation(blend, scale, noise, seed, zeros):
    c, donor = torch.randn(2, vector.M, generator=torch.Generator().manual_seed(0))
    noises = torch.randn(vector.M, generator=torch.Generator().manual_seed(seed))
    expected = scale * ((1 - blend) * c + blend * donor) + noise * noises
    expected[vector.M - zeros :] = 0
    torch.testing.assert_close(
        vector.operated(c, donor, scale, noise, seed, zeros, blend), expected, atol=1e-5, rtol=1e-5
    )


def test_the_output_follows_the_vector():
    assert not operated().touched
    assert operated().yours == operated().plain
    whole = operated(blend=1.0)
    assert whole.yours == whole.donor != whole.plain
    np.testing.assert_allclose(whole.distances, [whole.distances[2], 0, whole.distances[2]], atol=1e-6)
    half = operated(blend=0.5)
    assert half.distances[0] == pytest.approx(half.distances[2] / 2, abs=1e-5)
    between = preset("surgery", "In between")
    assert between.yours not in (between.plain, between.donor)
    assert (operated(zeros=64).c[1, 64:] == 0).all()
    assert not np.array_equal(operated(noise=0.5).c[1], operated(noise=0.5, seed=2).c[1])
    assert (
        operated(zeros=128).yours == vector.surgery(BIRDS, MATCH, **UNTOUCHED | {"zeros": 128}).yours
    )  # nothing is left of x


def test_the_reading_counts_the_words_that_are_shown():
    run = operated(zeros=64)
    shown = views.surgery.side_by_side(run).lines[1]
    assert_says(
        views.surgery.reading(run),
        str(len(shown.changed)),
        "new",
        *(f"{way:.2f}" for way in run.distances[:2]),
    )


def test_controls_without_effect_are_idle():
    assert set(operated().idle()) == {"seed", "donor"}
    assert set(operated(blend=0.5, noise=0.5).idle()) == set()
    assert set(operated(blend=0.5, scale=0.0).idle()) == {"seed", "donor", "blend"}
    all_zero = operated(zeros=vector.M)
    assert set(all_zero.idle()) == {"donor", "blend", "scale", "noise", "seed"}
    assert np.array_equal(
        all_zero.c[1], operated(zeros=vector.M, blend=0.7, scale=0.3, noise=0.4, seed=3).c[1]
    )


# ---- what is left of each word ----


def test_the_pull_against_differences():
    source, i, small = read_source(HOUSE), 2, 1e-2
    model, target = load_model(common.TRANSLATOR), original_run(common.TRANSLATOR, source).output
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
    assert vector.survive(HOUSE, "128", 0).pull[i] == pytest.approx(expected, rel=0.05)


@pytest.mark.parametrize("width", ["64", "128"])
def test_the_probe_reads_c_and_its_card_is_shown(width):
    run, (probe, card) = vector.survive(BIRDS, width, 2), zoo.load(f"probe-none-{width}-s0")
    assert card.config["of"] == f"translation-none-{width}-s0"
    logits = probe(original_run(card.config["of"], read_source(BIRDS)).c[None])[0]
    assert run.read_off == TASK.source.tokens(logits.argmax(-1)[: len(run.words)])
    np.testing.assert_array_equal(run.recovered, [row["accuracy"] for row in card.metrics["by_position"]])
    np.testing.assert_allclose(run.gains[width], run.recovered - run.commonest)
    assert np.isnan(run.by_length[0][1][8:]).all()  # no ninth word in a sentence of eight
    row = card.metrics["by_length"][0]["by_position"][3]
    assert run.by_length[0][1][3] == pytest.approx(row["accuracy"] - row["commonest"])


def test_a_short_sentence_nearly_survives_and_a_long_one_does_not():
    short, long = vector.survive(HOUSE, "128", 0), vector.survive(LETTER, "128", 0)
    lost = [sum(a != b for a, b in zip(run.read_off, run.words, strict=True)) for run in (short, long)]
    assert lost[0] <= 2 < 6 < lost[1]
    assert len(vector.survive(FORTY, "128", 0).read_off) == 20
    word = vector.survive(HOUSE, "128", 3)
    assert (word.outputs[word.t - 1], word.words[int(word.pull.argmax())]) == ("maison", "house")


def test_the_gain_is_what_is_guessed_about():
    places = exercises.gains_by_place()
    run = EXPERIMENTS["survive"].run()
    shown = views.survive.gain(run).lines[0].y  # the curve in view, not one in an act
    assert places["the first words"] == pytest.approx(np.mean(shown[:7]))
    assert places["the last words"] == pytest.approx(np.mean(shown[14:]))
    assert_says(exercises.gained("the last words"), "15", "20", signed(places["the last words"]))
    thirds = [np.mean(part) for part in np.array_split(run.by_length[-1][1], 3)]
    assert exercises.PLACES[int(np.argmax(thirds))] == max(
        places, key=places.get
    )  # in long sentences alone it is the same


def test_the_measured_shares_come_before_one_sentence():
    run = preset("survive", "Half the numbers")
    said = views.survive.reading(run)
    shares = {
        width: zoo.Card.read(f"probe-none-{width}-s0").metrics["natural"]["accuracy"]
        for width in ("64", "128")
    }
    assert shares["64"] < shares["128"]
    measured_first, _, one_sentence = said.partition("gain")
    assert_says(measured_first, *shares, *map(percent, shares.values()), percent(run.without))
    found = sum(a == b for a, b in zip(run.read_off, run.words, strict=True))
    assert_says(one_sentence, str(found), str(len(run.words)))


# ---- end to end ----


@pytest.mark.parametrize("weights", vector.WEIGHTS)
def test_the_loss_reaches_every_encoder_step_through_c(weights):
    run, source = vector.endtoend(BIRDS, 5, weights), read_source(BIRDS)
    model, target = vector.weighted(weights), common.taught(source)
    assert (run.to_s[5:] == 0).all()  # what comes later has no part in it
    assert (np.abs(run.to_s[:5]).max(-1) > 0).all()
    assert (run.sizes > 0).all()
    to_c = gradient(lambda edits: model.run(source, target, edits), "c", lambda trace: -trace.logprobs[4])
    np.testing.assert_allclose(
        run.to_h[-1], to_c, atol=1e-6, rtol=1e-4
    )  # c is h_T, and there is no other way
    whole = vector.endtoend(BIRDS, 0, weights)
    losses = F.cross_entropy(
        model(torch.tensor([source]), torch.tensor([[Vocabulary.bos, *target[:-1]]]))[0],
        torch.tensor(target),
        reduction="none",
    )
    np.testing.assert_allclose(whole.losses, losses, atol=1e-4, rtol=1e-3)
    np.testing.assert_allclose(whole.to_h, vector.reach(weights, source, vector.H).sum(0), atol=1e-5)


def test_a_bar_of_the_losses_chooses_its_word():
    run = EXPERIMENTS["endtoend"].run()
    name, values = views.endtoend.losses(run).pick
    assert name == "t"
    assert [EXPERIMENTS["endtoend"].state({name: value})["t"] for value in values] == [
        *range(1, len(run.teacher) + 1)
    ]
    assert run.losses.argmax() == run.t - 1  # the default is the word that costs most
    assert not np.signbit(vector.endtoend(BIRDS, 0, "trained").losses).any()  # never −0.00


@pytest.mark.parametrize("weights", vector.WEIGHTS)
def test_the_ratio_follows_from_the_lengths_as_written(weights):
    for t in (1, 2, 5):
        run = vector.endtoend(CAR, t, weights)
        first, *_, last = (run.trained if weights == "trained" else run.fresh).tolist()
        lengths = (short(first), short(last), short(first / last, 2), short(float(run.losses[t - 1])))
        assert_says(views.endtoend.reading(run), *lengths)


def test_the_guess_names_the_gradient_that_the_page_shows():
    run = EXPERIMENTS["endtoend"].run()
    guess = EXPERIMENTS["endtoend"].predict
    for option in guess.answer.options:
        assert_says(
            guess.check(option, EXPERIMENTS["endtoend"].state()).message,
            short(float(run.trained[0])),
            run.words[0],
        )


def test_a_loss_with_a_gradient_is_not_said_to_be_zero():
    run = vector.endtoend(CAR, 9, "trained")
    assert (run.losses[-1], run.trained[-1] > 0) == (0, True)  # as 32 bits hold it
    assert_says(views.endtoend.reading(run), "below", scientific(1e-7))


def test_the_hard_word_is_wrong_and_costs_most():
    run = EXPERIMENTS["endtoend"].run(
        next(one.state for one in EXPERIMENTS["endtoend"].presets if one.title == "A hard word")
    )
    assert run.teacher[run.t - 1] == "1992"
    assert run.losses.argmax() == run.t - 1
    written = translate(common.TRANSLATOR, read_source(LETTER))
    assert "1992" not in written


def test_training_helps_the_gradient_back():
    run = vector.endtoend(BIRDS, 0, "trained")
    assert run.trained[0] / run.trained[-1] > run.fresh[0] / run.fresh[-1]


def test_an_output_that_only_lost_a_word_is_not_the_same():
    run = vector.surgery(HOUSE, MATCH, **UNTOUCHED | {"zeros": 1})
    lost = dataclasses.replace(run, yours=run.plain[:1] + run.plain[2:], changed=())
    assert_says(views.surgery.reading(lost), "1 word", "gone", "0", "new")
    assert not says(views.surgery.reading(lost), "the same")


def test_a_ratio_is_no_count():
    run = vector.endtoend(CAR, 1, "trained")
    run.__dict__["trained"] = np.ones(len(run.words))
    assert "1.0" in views.endtoend.reading(run).replace("*", "").split()  # not “1 times”


def test_the_size_of_c_is_called_k():
    assert [line.name for line in views.survive.gain(vector.survive(HOUSE, "128", 0)).lines] == [
        "k = 128",
        "k = 64",
    ]
