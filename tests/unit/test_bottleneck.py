"""Lesson bottleneck: its sentences against oracles (translated, scored, forced), its pictures and its exercises."""

import re
from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

from lessons.bottleneck import LESSON, exercises, views
from lessons.bottleneck.compute import common, measured, sentences
from lessons.bottleneck.examples import BIRDS, HOUSE, LETTER, LETTERS, MARKET, OWN, SOUP
from lessons.bottleneck.exercises import SHORTEST
from lessons.kit.checkpoints import TRANSLATION as TASK
from lessons.kit.checkpoints import french, load_model, original_run, read_source, translate
from lessons.kit.contract import InputError
from lessons.kit.notices import collect_notices
from lessons.kit.pictures.numbers import percent, plural
from models.tasks.task import split_of
from models.vocabulary import EOS, Vocabulary
from tests import helpers
from tests.helpers import payload, takes_only
from tests.says import assert_says, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
FORTY = (  # as long as a sentence may be
    "my friend writes the book while this girl eats the soup , and when it is raining cats and dogs , "
    "i buy the fish in the street , and this sick young woman and these nurses are french ."
)
TYPED = [slug for slug in EXPERIMENTS if slug not in ("depth", "referee")]  # those with a sentence
preset, changed = partial(helpers.preset, LESSON), partial(helpers.changed, LESSON)


# ---- everything that can be shown ----


@pytest.mark.parametrize("slug", TYPED)
def test_the_longest_sentence_stays_small(slug):
    """The payload of one event at the largest input."""
    assert len(TASK.read(FORTY)) == TASK.lengths[-1]
    assert payload(EXPERIMENTS[slug], text=FORTY) <= 200_000


@pytest.mark.parametrize("slug", TYPED)
@pytest.mark.parametrize(
    ("text", "fact"), [(" ", "type"), ("the zzyzx", "zzyzx"), (f"the {FORTY}", TASK.lengths[-1])]
)
def test_bad_text_is_told_what_to_do(slug, text, fact):
    with pytest.raises(InputError) as refused:
        EXPERIMENTS[slug].run({"text": text})
    assert_says(str(refused.value), fact)


def test_sentences_at_the_start_were_not_seen_in_training():
    for slug in TYPED:
        words = TASK.read(EXPERIMENTS[slug].state()["text"])
        assert split_of(words) != "train"
        assert words not in TASK.course_sources


# ---- what all share ----


def test_said_is_what_a_run_in_sight_writes():
    for text in (HOUSE, BIRDS):
        source = read_source(text)
        for name in (
            common.TRANSLATOR,
            "translation-oneway-128-s0",
            *(each[0] for each in measured.WIRINGS.values()),
        ):
            output = original_run(name, source).output
            assert output[-1] == Vocabulary.eos
            assert translate(name, source) == french(output[:-1])


@pytest.mark.parametrize(
    ("task", "text", "truth"),
    [
        ("addition", "27+58", "85"),
        ("reversal", "abc", "cba"),
        ("dates", "3 mar '92", "1992-03-03"),
        ("copy", "abc", "abc"),
    ],
)
def test_the_truth_stands_beside_the_output(task, text, truth):
    run = sentences.translate(task, text, 1)
    assert run.truth == tuple(truth)
    assert run.right == (run.outputs == (*truth, EOS))


def test_what_is_right_is_said_of_each_output():
    run = sentences.score(HOUSE, "la belle maison a été achetée .")
    assert run.right == (True, True)
    assert sentences.score(HOUSE, "le belle maison a été achetée .").right == (True, False)
    assert sentences.score("the the she", "le").right == (None, None)
    forced = sentences.forcing(HOUSE, sentences.FED[0], 1, "le")
    assert forced.right == (False, False)
    assert sentences.forcing(HOUSE, sentences.FED[0], 1, "").right == (True, True)
    assert forced.truth == run.truth


def test_the_teacher_is_the_truth_where_it_is_known(monkeypatch):
    source, unknown = read_source(SOUP), read_source("the the she")
    with monkeypatch.context() as patched:
        patched.setattr(common, "said", lambda name, source: ("oui",))
        assert common.teacher_of.__wrapped__(source) == sentences.score(SOUP, OWN).truth
        assert common.teacher_of.__wrapped__(unknown) == ("oui",)
    assert common.teacher_of(unknown) == translate(common.TEACHERS[0], unknown)
    assert french(common.taught(unknown)) == (*common.teacher_of(unknown), EOS)


# ---- step by step ----


@pytest.mark.parametrize("task", sentences.MODELS)
def test_every_task_begins_with_its_example(task):
    run = sentences.translate(task, HOUSE, 1)
    assert run.text == sentences.EXAMPLES[task]
    assert run.example == (task != "English → French")
    assert run.next_words[0] == run.outputs[0]
    assert run.probabilities.sum() + run.rest == pytest.approx(1, abs=1e-5)
    assert run.s_0.shape == run.s[0].shape
    suggested = run.limits()["text"]
    assert suggested
    assert run.text not in suggested
    for text in suggested:  # they belong to the task
        assert sentences.translate(task, text, 1).text == text
    with pytest.raises(InputError):
        sentences.translate(task, "x1 +", 1)


@pytest.mark.parametrize("task", sentences.MODELS)
@pytest.mark.parametrize("text", ["3 mar '92", "12+30", "bottleneck", "the small books are old ."])
def test_a_text_of_another_task_does_not_block_this_one(task, text):
    """Typed for one task and left over when the task is changed: the example is shown, and why is said beside the text."""
    name, _ = sentences.MODELS[task]
    readable = sentences.why_unreadable(sentences.TASKS[name], text) is None
    with collect_notices() as remarks:
        run = sentences.translate(task, text, 1)
    assert run.example == (not readable)
    assert run.text == (text if readable else sentences.EXAMPLES[task])
    if run.example:
        assert remarks["text"] == sentences.why_unreadable(sentences.TASKS[name], text)
        assert_says(views.translate.reading(run), run.text, "example")


def test_a_misspelt_sentence_is_still_refused():
    for task, text in (
        ("English → French", "the houze was bought ."),
        ("dates", "12 + x"),
        ("reversal", "12 + x"),
    ):
        with pytest.raises(InputError):
            sentences.translate(task, text, 1)


def test_the_decoder_is_what_the_equations_say():
    run, model = sentences.translate("English → French", MARKET, 4), load_model(common.TRANSLATOR)
    np.testing.assert_array_equal(run.c, run.H[-1])
    np.testing.assert_allclose(run.s_0, np.tanh(model.first[0](torch.tensor(run.c)).numpy()), atol=1e-6)
    (s,) = model.decoder.cells[0].step(torch.tensor(run.y[3]), (torch.tensor(run.s[2]),))
    np.testing.assert_allclose(run.s[3], s, atol=1e-6)
    target_in = torch.tensor([[Vocabulary.bos, *TASK.target.ids(run.outputs[:-1])]])
    logits = model(torch.tensor([read_source(MARKET)]), target_in)[0]
    np.testing.assert_allclose(run.probabilities, logits[3].softmax(-1).topk(8).values, atol=1e-5)


def test_what_the_tasks_presets_show():
    assert len(preset("translate", "A longer sentence").words) == 17
    assert "".join(preset("translate", "A sum").outputs[:-1]) == "85"
    assert "".join(preset("translate", "A date").outputs[:-1]) == "1992-03-03"
    assert preset("translate", "A date").exact_match > 0.95


@pytest.mark.parametrize(("text", "right"), [(HOUSE, True), (LETTER, False), ("the the she", None)])
def test_the_reading_says_whether_the_output_is_right(text, right):
    run = sentences.translate("English → French", text, 1)
    assert run.right is right
    said = views.translate.reading(run)
    assert_says(said, percent(run.exact_match), str(len(run.words)), str(len(run.c)), f"{run.chosen[0]:.2f}")
    assert (says(said, "output is right"), says(said, "output is wrong")) == (right is True, right is False)


def test_c_is_an_input_of_a_step_only_where_it_is():
    for task in sentences.MODELS:
        run = sentences.translate(task, sentences.EXAMPLES[task], 1)
        assert run.every == (task != "English → French")  # as the text of the act says
        assert_says(views.translate.inputs(run).title, "three things" if run.every else "only s₀")
        assert not says(views.translate.reading(run), "last output")  # nothing was written yet
    second = sentences.translate("English → French", HOUSE, 2)
    assert_says(views.translate.reading(second), "last output", second.outputs[0])


# ---- any output can be scored ----


@given(st.lists(st.sampled_from(TASK.target.words[3:]), min_size=1, max_size=12))
@settings(max_examples=15)
def test_any_candidate_has_the_probability_that_training_gives_it(words):
    run = sentences.score(HOUSE, " ".join(words))
    ids = TASK.target.ids(run.candidate)
    logits = load_model(common.TRANSLATOR)(
        torch.tensor([read_source(HOUSE)]), torch.tensor([[Vocabulary.bos, *ids[:-1]]])
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
    assert short.candidate[int(short.factors.argmin())] == "."


@pytest.mark.parametrize(
    ("text", "french", "mark"), [(HOUSE, OWN, "."), ("is she old ?", "elle est vieille ?", "?")]
)
def test_a_candidate_without_its_final_mark_is_not_punished(text, french, mark):
    """The same as for an English sentence: the mark is added, and that is said."""
    with collect_notices() as remarks:
        run = sentences.score(text, french.removesuffix(f" {mark}"))
    whole = sentences.score(text, french)
    assert run.candidate == whole.candidate == (*french.split(), EOS)
    assert run.log_p == whole.log_p
    assert_says(remarks["candidate"], {".": "full stop", "?": "question mark"}[mark])


def test_unknown_french_gets_near_words():
    with pytest.raises(InputError, match="achetée"):
        sentences.score(HOUSE, "la belle maison a été achetee .")


# ---- teacher forcing ----


@pytest.mark.parametrize("fed", sentences.FED)
def test_nothing_changes_before_the_wrong_word(fed):
    run = sentences.forcing(MARKET, fed, 3, "il")
    assert run.free[1][:3] == (*run.free[0][:2], "il")
    assert run.outputs[2] == run.guesses[1][2] == "il"  # said, either way
    assert run.moved[:3].max() == 0


def test_free_running_reads_what_it_says_and_taught_what_the_teacher_says():
    free, taught = (sentences.forcing(MARKET, fed, 3, "ils") for fed in sentences.FED)
    assert free.read[1:] == free.outputs[:-1]
    assert free.moved.max() > 0.5
    assert taught.outputs[2] == "ils"
    assert taught.read[1:] == taught.teacher[:-1]  # step 4 reads elle, whatever was said
    assert taught.moved.max() == 0
    with torch.inference_mode():  # a run of its own, fed the teacher's words
        states = load_model(common.TRANSLATOR).run(read_source(MARKET), common.taught(read_source(MARKET))).s
    np.testing.assert_array_equal(taught.s, states)


def test_a_taught_step_still_waits_for_the_state_before_it():
    """All input words are known at once, but a change of one state reaches every later one: the steps are not parallel."""
    source = read_source(MARKET)
    model, target = load_model(common.TRANSLATOR), common.taught(source)

    def nudge(state, step):
        return state + (step == 1)

    plain, changed = (model.run(source, target, edits).s for edits in ({}, {"decoder.layer1.h": nudge}))
    moved = (plain - changed).abs().amax(-1) > 0
    assert moved.tolist() == [step >= 1 for step in range(len(target))]
    assert_says(LESSON.words.sections["forcing"].after, "state", ("parallel", "one after the other"))


def test_a_wrong_word_spreads_when_it_is_fed_back():
    run = EXPERIMENTS["forcing"].run()
    later = [[place for place in places if place >= run.t] for places in run.changed]
    assert [wake.new for wake in run.wake] == [
        len(later[0]),
        0,
    ]  # by itself it would have said what the teacher says
    assert later[0]
    assert not later[1]
    shown = views.forcing.side_by_side(run)
    assert len(shown.lines) == 3
    counts = (
        plural(run.wake[0].lost, "later word"),
        plural(run.wake[0].new, "new one"),
        plural(0, "later word"),
    )
    assert_says(views.forcing.reading(run), *counts, run.wrong, run.teacher[run.t - 1])
    assert not says(views.forcing.reading(run), "marks")  # they say the same
    he = preset("forcing", "He instead of she").free
    assert (he[0][4], he[1][4]) == ("allée", "allé")


def test_where_it_is_wrong_by_itself_the_reading_tells_the_marks_from_the_wake():
    run = sentences.forcing(LETTER, sentences.FED[0], 1, "le")
    boxes = views.forcing.side_by_side(run).lines[1:]
    marked = [len([place for place in line.changed if place >= run.t]) for line in boxes]
    assert run.wake[0].new != marked[0]
    reading, marks = views.forcing.reading(run).split(" The marks")
    assert_says(reading, plural(run.wake[0].lost, "later word"), plural(run.wake[0].new, "new one"))
    assert_says(marks, plural(marked[0], "word"), str(marked[1]), "free running", "taught", "le")
    picture = views.forcing.unrolled(run)
    assert len(run.s) > views.forcing.LONG
    assert picture.sketch().width <= picture.wide


def test_no_word_and_two_words():
    run = sentences.forcing(HOUSE, sentences.FED[0], 2, " ")
    assert run.wrong == ""
    assert run.free[0] == run.free[1]
    assert run.moved.max() == 0
    assert run.wake == ((0, 0, 0), (0, 0, 0))
    assert "t" in run.idle()
    for text, facts in (("la maison", ("one word", "la", "maison")), ("zzyzx", ("zzyzx",))):
        with pytest.raises(InputError) as refused:
            sentences.forcing(HOUSE, sentences.FED[0], 2, text)
        assert_says(str(refused.value), *facts)


def test_a_later_word_that_vanishes_is_counted():
    """“pas” goes and no other word comes: that is a change."""
    run = sentences.forcing(LETTERS, sentences.FED[0], 4, "il")
    plain, yours = run.free
    assert "pas" in plain
    assert "pas" not in yours
    assert run.wake[0] == (1, 0, 0)
    assert_says(views.forcing.reading(run), plural(1, "later word"), ("loses", "lost", "leaves out"))


def test_a_word_that_only_changes_place_is_neither_lost_nor_new():
    plain, yours = (
        tuple("le petit ressort était vieux .".split()),
        tuple("le elle était petite ressort vieux .".split()),
    )
    assert sentences.later(2, plain, yours) == (0, 1, 1)  # “petite” is new, “était” moved


@pytest.mark.parametrize("text", [MARKET, LETTERS, BIRDS])
def test_what_the_teacher_feeds_keeps_every_later_word(text):
    for t in (1, 3, 5):
        assert sentences.forcing(text, sentences.FED[1], t, "nous").wake[1] == (0, 0, 0)


# ---- exercises ----


ANSWERS = {  # slug → (answer, state) that is right, then some that are not
    "product": [(0.36, {}), (0.8, {}), (3.2, {})],
    "from-where": [("from c alone", {}), ("from x, through attention", {}), ("from both", {})],
    "bits": [(8.2, {}), (292, {}), (5.7, {})],
    "half": [(12, {}), (16, {}), (20, {}), (8, {})],
    "all-states": [(2560, {}), (128, {}), (20, {})],
    "second-best": [
        (
            None,
            changed(
                "score",
                text=LETTER,
                candidate=(
                    "la belle lettre de mes jeunes enfants a été écrite en janvier 1992 parce qu' elle était"
                    " importante ."
                ),
            ),
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
    takes_only(exercise, *ANSWERS[exercise.slug])


def test_no_seed_decides_otherwise_how_long_a_sentence_half_are_right():
    """A length is right or wrong for every seed: no bucket has seeds on both sides of one half, or near it."""
    run = exercises.seeded()
    band = run.one_vector[run.code]
    assert (band.seeds >= 3).all()
    assert ((band.low > 0.55) | (band.high < 0.45)).all()
    asked = {high: low >= 0.5 for (_, high), low in zip(run.buckets, band.low, strict=True)}
    assert exercises.half_exact() == max(high for high, right in asked.items() if right)


@pytest.mark.parametrize("exercise", LESSON.exercises, ids=lambda exercise: exercise.slug)
def test_no_exercise_shows_raw_powers(exercise):
    said = [
        exercise.question,
        exercise.hint,
        *(exercise.check(*answer).message for answer in ANSWERS[exercise.slug]),
    ]
    assert not [text for text in said if re.search(r"_\{|\^", text)]


def test_three_words_are_the_shortest():
    """All short sentences that the grammar gives in 200 tries: none is shorter, and most of three words are solutions."""
    assert TASK.lengths[0] == SHORTEST
    pairs = TASK.pairs("train", 40, seed=3, lengths=range(SHORTEST, SHORTEST + 1))
    short = [pair for pair in pairs if len(pair.source) == SHORTEST]
    solved = [exercises.shortest(None, {"text": TASK.join(pair.source)}).ok for pair in short]
    assert sum(solved) > len(short) / 2
    assert not all(solved)  # some it gets right, so there is something to find
    for pair in short[:10]:  # the three teachers agree on the truth
        assert {translate(name, read_source(TASK.join(pair.source))) for name in common.TEACHERS} == {
            pair.target
        }
