"""Lesson bottleneck: its numbers against oracles, what its words claim about the models, its exercises and its pictures."""

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

from lessons.bottleneck import BIRDS, LESSON, LETTER, MARKET, MATCH, SOUP, exercises
from lessons.bottleneck.compute import common, measured, sentences, vector
from lessons.bottleneck.exercises import HOUSE, SHORTEST
from lessons.contract import InputError, Text
from lessons.pictures.base import Picture
from models import metrics, zoo
from models.vocabulary import Vocabulary
from tests import presets

TASK = common.TASK
EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
FORTY = (
    "my friend writes the book while this girl eats the soup , and when it is raining cats and dogs , "
    "i buy the fish in the street , and this sick young woman and these nurses are french ."
)  # as long as a sentence may be


preset = partial(presets.preset, LESSON)


# ---- everything that can be shown ----


@pytest.mark.parametrize("experiment", LESSON.experiments, ids=lambda experiment: experiment.slug)
def test_the_page_can_be_built(experiment):
    """Ids of controls and views never meet; the words are there: a question, little before the picture, equations after it."""
    names = [control.name for control in experiment.controls] + [view.__name__ for view in experiment.views]
    assert len(set(names)) == len(names)
    words = LESSON.words.sections[experiment.slug]
    assert words.question.endswith("?")
    assert 1 <= len(re.findall(r"[.?](?:\s|$)", words.before)) <= 2
    assert "$$" in words.after
    assert 2 <= len(experiment.presets) <= 4


@pytest.mark.parametrize("slug", EXPERIMENTS)
def test_the_longest_sentence_stays_small(slug):
    """The payload of one event at the largest input (DESIGN §4)."""
    assert len(TASK.read(FORTY)) == TASK.lengths[-1]
    run = EXPERIMENTS[slug].run({"text": FORTY})
    shown = [view(run) for view in EXPERIMENTS[slug].views]
    assert sum(len(picture.svg().encode()) for picture in shown if isinstance(picture, Picture)) <= 200_000


@pytest.mark.parametrize("slug", EXPERIMENTS)
@pytest.mark.parametrize(("text", "says"), [(" ", "Type"), ("the zzyzx", "never learned"), (f"the {FORTY}", "at most")])
def test_bad_text_is_told_what_to_do(slug, text, says):
    with pytest.raises(InputError, match=says):
        EXPERIMENTS[slug].run({"text": text})


def test_suggestions_and_examples_can_be_read():
    for experiment in LESSON.experiments:
        for control in experiment.controls:
            if isinstance(control, Text):
                for text in (control.default, *control.suggestions):
                    experiment.run({control.name: text})


# ---- what all share ----


def test_differences_are_found_in_order():
    assert common.differing(tuple("abcd"), tuple("abcd")) == ()
    assert common.differing(tuple("abcd"), tuple("axcd")) == (1,)
    assert common.differing(tuple("abcd"), tuple("xabcd")) == (0,)  # what follows an extra word is not new
    assert common.differing((), tuple("ab")) == (0, 1)


def test_said_is_what_a_run_in_sight_writes():
    for text in (HOUSE, BIRDS):
        source = common.source_of(text)
        for name in (common.TRANSLATOR, "translation-oneway-32-s0", *measured.WIRINGS.values()):
            output = common.translated(name, source).output
            assert output[-1] == Vocabulary.eos
            assert common.said(name, source) == common.written(output[:-1])


# ---- B1 ----


@pytest.mark.parametrize("task", sentences.MODELS)
def test_every_task_begins_with_its_example(task):
    run = sentences.translate(task, HOUSE, 1)
    assert run.text == sentences.EXAMPLES[task]
    assert run.example == (task != "English → French")
    assert run.next_words[0] == run.outputs[0]
    assert run.probabilities.sum() + run.rest == pytest.approx(1, abs=1e-5)
    assert run.c.shape == run.s_0.shape == run.s[0].shape
    with pytest.raises(InputError):
        sentences.translate(task, "x1 +", 1)


def test_the_decoder_is_what_the_equations_say():
    run, model = sentences.translate("English → French", MARKET, 4), common.model_of(common.TRANSLATOR)
    np.testing.assert_array_equal(run.c, run.H[-1])
    np.testing.assert_allclose(run.s_0, np.tanh(model.first[0](torch.tensor(run.c)).numpy()), atol=1e-6)
    (s,) = model.decoder.cells[0].step(torch.tensor(run.y[3]), (torch.tensor(run.s[2]),))
    np.testing.assert_allclose(run.s[3], s, atol=1e-6)
    target_in = torch.tensor([[Vocabulary.bos, *TASK.target.ids(run.outputs[:-1])]])
    logits = model(torch.tensor([common.source_of(MARKET)]), target_in)[0]
    np.testing.assert_allclose(run.probabilities, logits[3].softmax(-1).topk(8).values, atol=1e-5)


def test_what_the_tasks_presets_show():
    soup = preset("translate", "Too long for one vector")
    assert len(soup.words) == 14
    assert "pierre" in soup.outputs
    assert "pierre" not in soup.words
    assert "".join(preset("translate", "A sum").outputs[:-1]) == "85"
    assert "".join(preset("translate", "A date").outputs[:-1]) == "1992-03-03"
    assert preset("translate", "A date").exact_match > 0.95
    assert sentences.translate("addition", "27+58", 1).exact_match > 0.85
    assert max(sentences.translate(task, HOUSE, 1).exact_match for task in ("copy", "reversal", "English → French")) < 0.85


# ---- B2 ----


@given(st.lists(st.sampled_from(TASK.target.words[3:]), min_size=1, max_size=12))
@settings(max_examples=15)
def test_any_candidate_has_the_probability_that_training_gives_it(words):
    run = sentences.score(HOUSE, " ".join(words))
    ids = TASK.target.ids(run.candidate)
    logits = common.model_of(common.TRANSLATOR)(
        torch.tensor([common.source_of(HOUSE)]), torch.tensor([[Vocabulary.bos, *ids[:-1]]])
    )
    expected = -F.cross_entropy(logits[0], torch.tensor(ids), reduction="sum").item()
    assert run.log_p[1] == pytest.approx(expected, rel=1e-3, abs=1e-3)
    np.testing.assert_allclose(np.log(run.factors.astype(float)).sum(), run.log_p[1], rtol=1e-3, atol=1e-3)
    assert (run.factors <= run.preferred_factors + 1e-6).all()


def test_its_own_output_scores_as_itself():
    run = preset("score", "Its own words")
    assert run.own == run.candidate
    np.testing.assert_allclose(run.own_factors, run.factors, atol=1e-6)
    short = preset("score", "Stop early")
    assert short.candidate[int(short.factors.argmin())] == "<eos>"


def test_unknown_french_gets_near_words():
    with pytest.raises(InputError, match="achetée"):
        sentences.score(HOUSE, "la belle maison a été achetee .")


# ---- B3 ----


@pytest.mark.parametrize("fed", sentences.FED)
def test_nothing_changes_before_the_wrong_word(fed):
    run = sentences.forcing(MARKET, fed, 3, "il")
    assert run.free[1][:3] == (*run.free[0][:2], "il")
    assert run.guesses[0][:3] == run.guesses[1][:3]
    assert [line[:3].max() for line in run.moved] == [0, 0]
    assert run.read[3] == "il"  # what step 4 reads, either way
    if fed == sentences.FED[1]:
        assert run.read[4:] == run.teacher[3:-1]
    else:
        assert run.read[1:] == run.outputs[:-1]


def test_a_wrong_word_spreads_when_it_is_fed_back():
    run = EXPERIMENTS["forcing"].run()
    later = [[place for place in places if place >= run.t] for places in run.changed]
    assert len(later[0]) > len(later[1])
    he = preset("forcing", "He instead of she").free
    assert (he[0][4], he[1][4]) == ("allée", "allé")


def test_no_word_and_two_words():
    run = sentences.forcing(HOUSE, sentences.FED[0], 2, " ")
    assert run.wrong == ""
    assert run.free[0] == run.free[1]
    assert max(line.max() for line in run.moved) == 0
    with pytest.raises(InputError, match="One word"):
        sentences.forcing(HOUSE, sentences.FED[0], 2, "la maison")
    with pytest.raises(InputError, match="never learned"):
        sentences.forcing(HOUSE, sentences.FED[0], 2, "zzyzx")


# ---- B4 ----


def test_three_wirings_as_their_cards_say():
    run = measured.inject(LETTER, "every step", "token accuracy")
    for n, name in enumerate(measured.WIRINGS.values()):
        card = zoo.Card.read(name)
        assert run.natural[n] == card.metrics["natural"]["token_accuracy"]
        assert run.accuracy[n, 2] == card.metrics["by_length"][2]["token_accuracy"]
        assert run.parameters[n] == card.parameters
    assert run.changed[0]  # the default sentence is too long for c given once
    shared = measured.inject(HOUSE, "one RNN", "exact match")
    np.testing.assert_array_equal(shared.s_0, shared.c)
    np.testing.assert_array_equal(shared.c, shared.H[-1])


# ---- B5 ----


def test_bands_hold_three_seeds():
    run = EXPERIMENTS["curve"].run()
    for kind, bands in (("none", run.one_vector), ("oneway", run.attention)):
        for width, band in bands.items():
            seeds = [
                zoo.Card.read(f"translation-{kind}-{width}-s{seed}").metrics["by_length"][1]["exact_match"] for seed in (0, 1, 2)
            ]
            assert (band.low[1], band.high[1]) == (min(seeds), max(seeds))
            assert band.mean[1] == pytest.approx(sum(seeds) / 3)


def test_one_vector_fails_with_length_and_attention_does_not():
    run = EXPERIMENTS["curve"].run()
    last = [high for _, high in run.buckets].index(run.trained[1])
    assert run.one_vector["128"].mean[0] > 0.9
    assert run.one_vector["128"].mean[last] < 0.3
    assert min(run.attention[width].mean[last] for width in ("64", "128")) > 0.9
    assert all(paper.same_order for paper in run.papers)
    assert run.changed[0]
    assert not run.changed[1]  # on the sentence to try


def test_measuring_again_on_other_sentences(monkeypatch):
    monkeypatch.setattr(measured, "ROUNDS", 1)
    monkeypatch.setattr(measured, "EACH", 3)
    run = measured.curve(HOUSE, "32", "GRU", "exact match")
    results = list(islice(measured.measured(run, 77), 3))  # the shorter buckets
    shares, fresh = [share for share, _ in results], results[-1][1].fresh
    assert shares == sorted(shares)
    assert fresh.counts.tolist() == [3, 3, 3, 0, 0, 0, 0, 0]
    low, high = run.buckets[2]
    pairs = TASK.pairs("test", 3, seed=77, lengths=range(low, high + 1))
    for n, kind in enumerate(("none", "oneway")):
        figures = metrics.judge(zoo.load(f"translation-{kind}-32-s0")[0], pairs, TASK)
        for name in ("exact_match", "token_accuracy"):
            assert getattr(fresh, name)[n, 2] == pytest.approx(figures[name], abs=1e-3)
    assert np.isnan(fresh.exact_match[:, 3:]).all()
    assert json.dumps(results[0][1].numbers(), allow_nan=False)
    assert all(view(results[1][1]) for view in EXPERIMENTS["curve"].views)
    _, other = next(measured.measured(run, 78))
    assert other.fresh.seed != fresh.seed
    assert TASK.pairs("test", 3, seed=78, lengths=range(3, 9)) != TASK.pairs("test", 3, seed=77, lengths=range(3, 9))


def test_the_job_goes_to_the_end(monkeypatch):
    monkeypatch.setattr(measured, "ROUNDS", 1)
    monkeypatch.setattr(measured, "EACH", 1)
    monkeypatch.setattr(measured, "time", lambda: 5.0)
    state = EXPERIMENTS["curve"].state({"width": "16"})
    *_, (share, run) = EXPERIMENTS["curve"].job.run(**state)
    assert (share, run.fresh.seed) == (1, 5)
    assert (run.fresh.counts == 1).all()


# ---- B6 ----

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
    torch.testing.assert_close(vector.operated(c, donor, scale, noise, seed, zeros, blend), expected, atol=1e-5, rtol=1e-5)


def test_the_output_follows_the_vector():
    assert not operated().touched
    assert operated().yours == operated().plain
    whole = operated(blend=1.0)
    assert whole.yours == whole.donor != whole.plain
    np.testing.assert_allclose(whole.distances, [whole.distances[2], 0, whole.distances[2]], atol=1e-6)
    half = operated(blend=0.5)
    assert half.distances[0] == pytest.approx(half.distances[2] / 2, abs=1e-5)
    assert half.yours not in (half.plain, half.donor)
    assert (operated(zeros=64).c[1, 64:] == 0).all()
    assert not np.array_equal(operated(noise=0.5).c[1], operated(noise=0.5, seed=2).c[1])
    assert operated(zeros=128).yours == vector.surgery(BIRDS, MATCH, **UNTOUCHED | {"zeros": 128}).yours  # nothing is left of x


# ---- B7 ----


def test_the_pull_against_differences():
    source, i, small = common.source_of(HOUSE), 2, 1e-2
    model, target = common.model_of(common.TRANSLATOR), common.translated(common.TRANSLATOR, source).output
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
    logits = probe(common.translated(card.config["of"], common.source_of(BIRDS)).c[None])[0]
    assert run.read_off == TASK.source.tokens(logits.argmax(-1)[: len(run.words)])
    np.testing.assert_array_equal(run.recovered, [row["accuracy"] for row in card.metrics["by_position"]])
    assert np.isnan(run.by_length[0][1][8:]).all()  # no ninth word in a sentence of eight
    assert np.isfinite(run.by_length[0][1][:8]).all()


def test_a_short_sentence_survives_and_a_long_one_does_not():
    short, long = vector.survive(HOUSE, "128", 0), vector.survive(LETTER, "128", 0)
    assert short.read_off == short.words
    assert sum(a != b for a, b in zip(long.read_off, long.words, strict=True)) > 3
    assert len(vector.survive(FORTY, "128", 0).read_off) == 20
    word = preset("survive", "One output word")
    assert (word.outputs[word.t - 1], word.words[int(word.pull.argmax())]) == ("maison", "house")


# ---- B8 ----


@pytest.mark.parametrize("weights", vector.WEIGHTS)
def test_the_loss_reaches_every_encoder_step_through_c(weights):
    run, source = vector.endtoend(BIRDS, 5, weights), common.source_of(BIRDS)
    model, target = vector.weighted(weights), common.taught(source)
    assert (run.to_s[5:] == 0).all()  # what comes later has no part in it
    assert (np.abs(run.to_s[:5]).max(-1) > 0).all()
    assert (run.sizes > 0).all()
    to_c = vector.gradient(lambda edits: model.run(source, target, edits), "c", lambda trace: -trace.logprobs[4])
    np.testing.assert_allclose(run.to_h[-1], to_c, atol=1e-6, rtol=1e-4)  # c is h_T, and there is no other way
    whole = vector.endtoend(BIRDS, 0, weights)
    losses = F.cross_entropy(
        model(torch.tensor([source]), torch.tensor([[Vocabulary.bos, *target[:-1]]]))[0], torch.tensor(target), reduction="none"
    )
    np.testing.assert_allclose(whole.losses, losses, atol=1e-4, rtol=1e-3)
    np.testing.assert_allclose(whole.to_h, vector.reach(weights, source, vector.H).sum(0), atol=1e-5)


def test_training_helps_the_gradient_back():
    run = vector.endtoend(BIRDS, 0, "trained")
    assert run.trained[0] / run.trained[-1] > run.fresh[0] / run.fresh[-1]
    assert vector.before_training(common.TRANSLATOR).config == common.model_of(common.TRANSLATOR).config


# ---- guesses and exercises ----


@pytest.mark.parametrize("experiment", LESSON.experiments, ids=lambda experiment: experiment.slug)
def test_one_guess_is_right(experiment):
    verdicts = [experiment.predict.check(option, {}) for option in experiment.predict.answer.options]
    assert [verdict.ok for verdict in verdicts].count(True) == 1
    assert all(verdict.message for verdict in verdicts)


def changed(slug: str, **values):
    return EXPERIMENTS[slug].state(values)


ANSWERS = {  # slug → (answer, state) that is right, then some that are not
    "product": [(0.36, {}), (0.8, {}), (3.2, {})],
    "from-where": [("from c alone", {}), ("from x, through attention", {}), ("from both", {})],
    "bits": [(8.0, {}), (258, {}), (5.6, {})],
    "half": [(12, {}), (20, {}), (8, {})],
    "all-states": [(2560, {}), (128, {}), (20, {})],
    "second-best": [
        (
            None,
            changed("score", text=SOUP, candidate="marie mange la soupe pendant qu' elle travaille avec ces filles au marché ."),
        ),
        (None, changed("score")),
        (None, changed("score", candidate="la belle maison a été achetée .")),
    ],
    "unneeded": [
        (None, changed("surgery", blend=0.0, zeros=32)),
        (None, changed("surgery")),
        (None, changed("surgery", blend=0.0, zeros=31)),
        (None, changed("surgery", blend=0.0, zeros=128)),
        (None, changed("surgery", blend=0.05, zeros=32)),
    ],
    "shortest": [
        (None, changed("curve", text="she slept .")),
        (None, changed("curve")),
        (None, changed("curve", text="does marie sleep ?")),
        (None, changed("curve", text="she .")),
    ],
}


@pytest.mark.parametrize("exercise", LESSON.exercises, ids=lambda exercise: exercise.slug)
def test_exercises_take_the_right_answer_and_no_other(exercise):
    right, *wrong = ANSWERS[exercise.slug]
    assert exercise.check(*right).ok, exercise.check(*right).message
    for answer in wrong:
        verdict = exercise.check(*answer)
        assert not verdict.ok
        assert verdict.message
    assert exercise.experiment is None or exercise.experiment in EXPERIMENTS


def test_three_words_are_the_shortest():
    """All short sentences that the grammar gives in 200 tries: none is shorter, and most of three words are solutions."""
    assert TASK.lengths[0] == SHORTEST
    pairs = TASK.pairs("train", 40, seed=3, lengths=range(SHORTEST, SHORTEST + 1))
    short = [pair for pair in pairs if len(pair.source) == SHORTEST]
    solved = [exercises.shortest(None, {"text": TASK.join(pair.source)}).ok for pair in short]
    assert sum(solved) > len(short) / 2
    assert not all(solved)  # some it gets right, so there is something to find
    for pair in short[:10]:  # the three teachers agree on the truth
        assert {common.said(name, common.source_of(TASK.join(pair.source))) for name in common.TEACHERS} == {pair.target}


def test_there_are_challenges():
    assert sum(exercise.answer is None for exercise in LESSON.exercises) >= 1
    assert len(LESSON.exercises) >= 5
