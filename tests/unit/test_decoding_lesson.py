"""Lesson 7: whole texts (the beam, the loop, the gallery), what is said to bad text, and what its exercises accept."""

from dataclasses import replace
from functools import partial
from itertools import islice, pairwise

import numpy as np
import pytest

from lessons.decoding import LESSON, exercises
from lessons.decoding.compute import common, gallery, loop, search
from lessons.decoding.compute.common import READERS, WRITERS, sentences, words_of
from lessons.decoding.exercises import CAR, FRANCE, GAVE_UP, HOME, LONDON, WEAK
from lessons.decoding.views.beam import about, falls, typeset
from lessons.decoding.views.beam import tree as tree_picture
from lessons.decoding.views.gallery import agreement, figures
from lessons.decoding.views.loop import texts
from lessons.kit.web.renderer import Renderer
from models import decoding, zoo
from models.tasks import TASKS
from models.tasks.task import split_of
from models.vocabulary import InputError, Vocabulary
from tests import helpers
from tests.helpers import takes_only

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
preset, changed = partial(helpers.preset, LESSON), partial(helpers.changed, LESSON)


def reading(slug: str, run) -> str:
    return next(view for view in EXPERIMENTS[slug].views if view.__name__ == "reading")(run)


@pytest.mark.parametrize("experiment", LESSON.experiments, ids=lambda experiment: experiment.slug)
def test_every_preset_reads_without_a_stray_number(experiment):
    for state in ({}, *(item.state for item in experiment.presets)):
        said = reading(experiment.slug, experiment.run(state))
        assert "nan" not in said
        assert "-" not in said.replace("top-", "").replace("C/√n", "")  # a true minus


@pytest.mark.parametrize(
    ("slug", "control", "text", "says"),
    [
        ("sample", "text", "the zzyzx", "never learned"),
        ("sample", "text", "the " * 70, "at most"),
        ("filters", "ban", "shee", "Ban: .*Near it: .*she"),
        ("filters", "boost", "moon", "Boost: .*never learned"),
        ("loop", "phrase", " ", "phrase of 1 to"),
        ("loop", "phrase", "the " * 9, "phrase of 1 to"),
        ("beam", "source", "the zzyzx .", "never learned"),
    ],
)
def test_bad_text_is_told_what_to_do(slug, control, text, says):
    with pytest.raises(InputError, match=says):
        EXPERIMENTS[slug].run({control: text})


def test_sentences_end_at_their_marks():
    words = "she said : “ go home . ” then ( why ? ) she ran".split()
    assert sentences(words) == ("she said : “ go home . ”", "then ( why ? )", "she ran")
    assert sentences(()) == ()


# ---- search ----


def test_a_beam_beats_greedy_and_is_right():
    run = EXPERIMENTS["beam"].run()
    assert run.source == tuple(GAVE_UP.split())
    greedy, found = run.totals_of
    assert found > greedy + 0.5
    assert [" ".join(output) for output in run.outputs] == [
        "vous n' avez pas nous sommes arrivés en italie . <eos>",
        "vous n' avez jamais abandonné . <eos>",
    ]
    assert run.exact == run.outputs[1]
    assert run.right == (False, True)
    assert run.exact_right


def test_a_beam_finds_what_is_more_probable_and_wrong():
    run = EXPERIMENTS["beam"].run({"source": CAR})
    assert split_of(run.source) != "train"
    assert run.outputs[0][:-1] == run.truth
    assert run.outputs[1][:-1] != run.truth
    assert run.totals_of[1] > run.totals_of[0]
    assert run.right == (True, False)
    assert "more probable is not more true" in reading("beam", run)


def test_wider_is_worse():
    run = preset("beam", "One place more")
    assert (run.source, run.width) == (tuple(FRANCE.split()), 2)
    assert run.totals_of[1] < run.totals_of[0] - 0.5
    assert run.totals_of == pytest.approx(run.by_width[:2])
    assert "times less probable" in reading("beam", run)
    assert falls(run) == "Here a beam finds less than the next narrower one at width **2**."
    assert "no width finds less" in falls(EXPERIMENTS["beam"].run())
    four = search.beam(WEAK, FRANCE, "", 4, 0)
    assert four.totals_of[1] == pytest.approx(four.exact_total, abs=1e-5) == pytest.approx(four.by_width.max(), abs=1e-5)
    assert run.right == four.right == (False, False)  # the most probable of all is wrong


@pytest.mark.parametrize("option", [exercises.CAN, exercises.ONLY, exercises.NEVER])
def test_every_guess_about_two_places_leads_to_where_it_is_seen(option):
    verdict = EXPERIMENTS["beam"].predict.check(option, {})
    assert verdict.ok == (option == "it can")
    assert "Choose “One place more” to see it." in verdict.message


def test_a_length_penalty_needs_two_outputs():
    assert not EXPERIMENTS["beam"].run().idle()
    assert set(EXPERIMENTS["beam"].run({"width": 1}).idle()) == {"penalty"}


def test_a_length_penalty_changes_the_winner():
    run = preset("beam", "The longer one wins")
    short = search.beam(WEAK, LONDON, "", run.width, 0)
    assert (run.source, run.penalty) == (short.source, 1.0)
    assert (short.right[1], run.right[1]) == (True, False)
    assert len(run.outputs[1]) > len(short.outputs[1])
    assert run.totals_of[1] < short.totals_of[1]


def test_where_the_model_is_sure_a_beam_finds_nothing_else():
    run = preset("beam", "A sure model")
    assert run.source == tuple("93+8")
    assert run.outputs[0] == run.outputs[1] == run.exact == (*"101", "<eos>")
    assert run.right == (True, True)
    assert np.exp(run.exact_total) > 0.99
    task, name = search.MODELS[run.model]
    model, words = zoo.load(name)[0], TASKS[task]
    totals = {  # numbers one by one
        said: decoding.score(model.writer(words.source.ids(run.source)), [*words.target.ids(said), Vocabulary.eos]).total
        for said in map(str, range(200))
    }
    assert max(totals, key=totals.get) == "".join(run.exact[:-1])
    assert max(totals.values()) == pytest.approx(run.exact_total, abs=1e-5)


def test_a_beam_can_miss_the_exact_best():
    run = search.beam(WEAK, FRANCE, "", 2, 0)
    assert run.exact_total > run.totals_of[1] + 1
    assert "lost the best" in reading("beam", run)


def test_a_beam_that_had_the_exact_best_has_not_lost_it():
    run = search.beam(WEAK, LONDON, "", 2, 1)
    assert run.exact_total > run.totals_of[1] + 0.1
    assert len(run.outputs[1]) > len(run.exact)
    assert f"had it, too; a length penalty of 1 prefers the longer one (**{len(run.outputs[1])}** tokens)" in reading("beam", run)
    assert "lost the best" not in reading("beam", run)


@pytest.mark.parametrize(
    ("times", "says"), [(1.04, "1.0"), (9.87, "9.9"), (43.2, "43"), (5638.9, "5,600"), (5.2e21, "5.2\u00a0·\u00a010²¹")]
)
def test_a_ratio_has_no_more_digits_than_mean_something(times, says):
    assert about(times) == says


def test_the_length_penalty_lets_longer_outputs_win():
    short, long = (search.beam(WEAK, FRANCE, "", 8, penalty) for penalty in (0.0, 2.0))
    assert len(long.outputs[1]) >= len(short.outputs[1])
    assert long.scores_of[1] == pytest.approx(long.totals_of[1] / len(long.outputs[1]) ** 2)
    np.testing.assert_array_equal(short.by_width, long.by_width)


@pytest.mark.parametrize("width", [1, 2, 8])
def test_the_tree_shows_kept_pruned_and_why(width):
    run = EXPERIMENTS["beam"].run({"width": width})
    branches = tree_picture(run).branches
    pruned = [branch for branch in branches if not branch.kept]
    assert len(pruned) == run.pruned > 0
    assert all("room for" in branch.reason for branch in pruned)
    best = [branch for branch in branches if branch.best]
    assert [branch.label for branch in best] == ["<eos>"]
    assert best[0].score == pytest.approx(run.totals_of[1])
    assert (width == 1) == (run.outputs[0] == run.outputs[1])


def test_reasons_have_a_true_minus_and_no_minus_zero():
    assert (
        typeset("Can reach -6.01 at most; the best that ended has -0.00.")
        == "Can reach −6.01 at most; the best that ended has 0.00."
    )


def test_what_is_wrong_and_less_probable_teaches_nothing_about_truth():
    run = preset("beam", "More probable, and wrong")
    assert run.right == (True, False)
    assert reading("beam", replace(run, totals_of=run.totals_of[::-1])).endswith("the beam is **not** ✗.")


def test_an_exact_search_that_is_too_much_is_left(monkeypatch):
    search.exact.cache_clear()
    monkeypatch.setattr(search, "BEGINNINGS", 1)
    run = search.beam(WEAK, FRANCE, "", 2, 0)
    search.exact.cache_clear()
    assert run.exact == ()
    assert "out of reach" in reading("beam", run)


# ---- loops ----


@pytest.mark.parametrize("reader", READERS)
def test_reading_at_once_agrees_with_one_walk(reader):
    phrase = words_of("i don't know .")
    expected = decoding.phrase_logprobs(common.model_of(reader).writer(), (), phrase, 12)
    np.testing.assert_allclose(loop.said_again(reader, phrase)[:13], expected, atol=2e-3)


@pytest.mark.parametrize("reader", READERS)
def test_the_lines_are_what_the_cards_say(reader):
    metrics = zoo.Card.read(READERS[reader]).metrics
    for phrase, expected in metrics["loop"].items():
        p = np.exp(loop.said_again(reader, words_of(phrase)).sum(-1))
        np.testing.assert_allclose(p[metrics["repeats"]], expected, rtol=0.05)


def test_what_was_never_said_has_one_probability():
    said = reading("loop", EXPERIMENTS["loop"].run({"r": 0}))
    assert "at first" not in said
    assert "0** times" not in said
    large = reading("loop", EXPERIMENTS["loop"].run({"phrase": exercises.PHRASES[1], "model": "GRU, no songs", "r": 145}))
    assert "**2.9 · 10⁶** times" in large.replace("\u00a0", " ")  # no more digits than mean something


def test_lambda_is_an_eigenvalue_and_no_length_penalty():
    """One symbol, one meaning: see the panel of notations."""
    hints = [hint.watch for experiment in LESSON.experiments for hint in experiment.presets]
    assert "λ" not in " ".join([(LESSON.folder / "text.md").read_text(encoding="utf-8"), *hints])


def test_saying_it_makes_it_likelier():
    run = preset("loop", "It feeds itself")
    assert run.repeats[-1] >= 100
    assert (run.probabilities[:, run.r] > 20 * run.probabilities[:, 0]).all()


@pytest.mark.parametrize("phrase", [HOME, *exercises.PHRASES])
def test_without_songs_a_phrase_climbs_and_stays_near_zero(phrase):
    run = EXPERIMENTS["loop"].run({"phrase": phrase, "model": "GRU, no songs"})
    songs, none = (run.probabilities[run.readers.index(reader)] for reader in ("GRU", "GRU, no songs"))
    assert none.max() < min(0.01, 0.1 * songs.max())
    assert phrase == exercises.PHRASES[-1] or none[run.r] > 100 * none[0]  # but for the one that no story has
    assert not run.written[0].loop


def test_a_phrase_never_seen_stays_next_to_impossible():
    run = preset("loop", "Never seen")
    assert run.probabilities.max() < 1e-10


def test_greedy_loops_and_a_nucleus_does_not():
    run = preset("loop", "It feeds itself")
    greedy, nucleus = run.written
    assert greedy.loop == run.phrase
    assert not nucleus.loop
    assert greedy.perplexity < nucleus.perplexity
    assert greedy.repeated > nucleus.repeated


def test_a_narrow_nucleus_is_caught_like_greedy():
    run = preset("loop", "A nucleus is caught")
    greedy, nucleus = run.written
    assert greedy.loop == nucleus.loop == run.phrase
    assert not run.idle()
    assert set(EXPERIMENTS["loop"].run({"temperature": 0}).idle()) == {"p", "seed"}
    assert set(EXPERIMENTS["loop"].run({"p": 0}).idle()) == {"seed"}


def test_what_was_said_before_is_marked_also_in_the_phrase():
    greedy, _ = texts(EXPERIMENTS["loop"].run()).texts
    assert [passage.marked for passage in greedy.passages] == [True] * 4 + [False, False]
    assert greedy.passages[0].words == HOME
    assert not texts(EXPERIMENTS["loop"].run({"r": 0})).texts[0].passages[0].marked


def test_a_remedy_can_loop_again_and_costs_something():
    run = EXPERIMENTS["loop"].run({"phrase": exercises.PHRASES[0]})
    (greedy, _), (punished, ruled) = run.written, run.remedies
    assert punished.loop == greedy.loop == run.phrase  # every word of it is punished, and still the next one wins
    assert not ruled.loop
    assert ruled.perplexity > greedy.perplexity
    run = preset("loop", "Too strong a remedy")
    _, ruled = run.remedies
    mild = EXPERIMENTS["loop"].run().remedies
    assert not ruled.loop
    assert len(set(ruled.words)) == len(ruled.words)
    assert ruled.perplexity > 3 * max(run.perplexity, mild[1].perplexity)


def test_remedies_know_what_was_said_before():
    """Words of the phrase count as written, however often it was said."""
    for r in (1, 2, 50):
        *_, ruled = loop.loop("the boats were wet .", r, "GRU", 1, 0.9, 1.2, 2, 0).remedies
        text = ("the", "boats", "were", "wet", ".") * min(r, 2) + ruled.words
        new = len(text) - len(ruled.words)
        pairs = list(pairwise(text))
        assert all(pair not in pairs[:place] for place, pair in enumerate(pairs) if place >= new - 1)
        assert len(ruled.logprobs) == len(ruled.words) + ruled.ended


def test_a_loop_is_told_from_its_beginning():
    assert loop.turned(("home", ".", "i", "want")) == ("i", "want", "home", ".")
    assert loop.turned(("la", "li")) == ("la", "li")


# ---- the gallery ----


def test_the_gallery_shows_every_way_beside_the_paper():
    run = EXPERIMENTS["gallery"].run()
    assert set(run.names) == set(gallery.PAPER)
    assert [name for name, _ in run.texts] == list(run.names)
    assert dict(zip(run.names, run.paper_perplexity, strict=True))["greedy"] == 1.50
    Renderer(LESSON, EXPERIMENTS["gallery"]).drawing({"number": 40, "way": "greedy"})


def test_only_what_texts_tell_apart_has_an_order():
    order = gallery.same_order(("a", "b", "c"), (1.0, 3.0, 2.0), ((1.0, 1.5), (2.0, 2.4), (2.5, 3.0)))
    assert (order.same, order.apart, order.pairs, order.swapped) == (2, 3, 3, (("b", "c"),))
    order = gallery.same_order(("a", "b", "c"), (1.0, 3.0, 2.0), ((1.0, 1.5), (2.0, 2.6), (2.5, 3.0)))
    assert (order.same, order.apart, order.pairs, order.swapped) == (2, 2, 3, ())


@pytest.mark.parametrize("model", WRITERS)
def test_search_repeats_and_dice_surprise(model):
    run = EXPERIMENTS["gallery"].run({"model": model})
    perplexity, repetition = (dict(zip(run.names, row, strict=True)) for row in (run.perplexity, run.repetition))
    assert max(perplexity["greedy"], perplexity["beam 16"]) < perplexity["top-k 40, τ 0.7"] < perplexity["pure sampling"]
    dice = ("pure sampling", "top-k 40", "top-p 0.95")
    new = dict(zip(run.names, run.distinct, strict=True))
    assert max(new["greedy"][1:]) < min(min(new[way][1:]) for way in dice)
    if model == "GRU":
        assert repetition["greedy"] > max(repetition[way] for way in dice)
    assert run.order.apart > 0.5 * run.order.pairs
    assert run.order.same >= run.order.apart - 1
    intervals = dict(zip(run.names, run.intervals, strict=True))
    assert perplexity["pure sampling"] > perplexity["the true text"]
    assert not gallery.overlap(intervals["greedy"], intervals["the true text"])
    said = reading("gallery", run)
    alike = [way for way in run.names[1:] if gallery.overlap(intervals[way], intervals["the true text"])]
    assert set(alike) & {"top-k 40", "top-p 0.95"}
    assert f"{run.count} texts of each cannot tell it from {'; '.join(alike)}." in said.replace("\u2011", "-")
    assert not {"greedy", "beam 16"} & set(alike)


def test_what_the_gallerys_presets_show():
    def repeated(run) -> dict[str, int]:
        return {name: len(sentences) - len(set(sentences)) for name, sentences in run.texts}

    def ends(title: str, way: str) -> decoding.Loop | None:
        run = preset("gallery", title)
        return decoding.repeats(gallery.made.read()["models"][run.model][way]["texts"][run.number - 1].split())

    for title in ("Caught", "A Transformer"):
        found = repeated(preset("gallery", title))
        assert min(found["greedy"], found["beam 16"]) >= 2  # one sentence three times, as far as is shown
        assert max(found["pure sampling"], found["the true text"]) == 0
    assert ends("Caught", "greedy").times >= 3
    assert not ends("A Transformer", "greedy")  # it comes out again
    assert repeated(preset("gallery", "Not caught"))["greedy"] == 0
    rare = [n for n in range(1, gallery.made.COUNT + 1) if not repeated(EXPERIMENTS["gallery"].run({"number": n}))["greedy"]]
    assert len(rare) <= gallery.made.COUNT / 20


def test_the_table_marks_the_row_looked_at():
    table = figures(EXPERIMENTS["gallery"].run({"way": "greedy"}))
    assert [table.rows[row][0] for row in table.marked] == ["greedy"]


def test_fresh_texts_on_demand():
    steps = EXPERIMENTS["gallery"].job.run(model="GRU", number=1, way="top-p 0.95", seed=7)
    first, *_, (share, run) = islice(steps, gallery.SLOW)
    assert (first[0], share) == pytest.approx((1 / gallery.FRESH, gallery.SLOW / gallery.FRESH))
    shipped = EXPERIMENTS["gallery"].run()
    assert (first[1].fresh, run.fresh) == (0, gallery.SLOW)  # one text says nothing yet
    assert first[1].perplexity == shipped.perplexity
    assert first[1].more != shipped.more
    place = run.names.index("top-p 0.95")
    assert run.perplexity[place] != shipped.perplexity[place]
    assert run.perplexity[:place] == shipped.perplexity[:place]
    assert "fresh texts" in reading("gallery", run)
    assert "top\u2011p 0.95" in reading("gallery", shipped).partition("cannot tell")[2]
    assert "top\u2011p" not in reading("gallery", run)  # a few fresh texts are not compared with many
    assert (shipped.order.pairs, run.order.pairs) == (21, 15)
    assert [row[0] for row in figures(run).rows if "fresh" in row[0]] == [f"top-p 0.95 ({gallery.SLOW} fresh)"]
    assert "without the fresh one" in agreement(run)
    _, again = next(EXPERIMENTS["gallery"].job.run(model="GRU", number=1, way="top-p 0.95", seed=7))
    assert again.more == first[1].more


# ---- exercises ----


ANSWERS = {  # slug → (answer, state) that is right, then some that are not
    "half-temperature": [(0.98, {}), (0.88, {}), (0.73, {})],
    "nucleus": [(3, {}), (2, {}), (4, {})],
    "not-greedy": [("temperature 1, nothing else", {}), ("temperature 0", {}), ("top-k with k = 1", {}), ("top-p with p = 0", {})],
    "perplexity": [(2.52, {}), (3.0, {}), (16, {})],
    "four-times": [(8000, {}), (2000, {}), (1000, {})],
    "wider-is-worse": [
        (None, changed("beam", source=FRANCE)),
        (None, changed("beam")),
        (None, changed("beam", source=FRANCE, width=1)),
        (None, changed("beam", source=FRANCE, width=4)),
    ],
    "break-the-loop": [
        (None, changed("loop", p=0.5, temperature=1.5)),
        (None, changed("loop")),  # a wide nucleus
        (None, changed("loop", p=0.5, temperature=1.5, r=2)),
        (None, changed("loop", p=0.5)),  # loops
        (None, changed("loop", p=0.5, temperature=2)),  # too surprising
    ],
}


@pytest.mark.parametrize("exercise", LESSON.exercises, ids=lambda exercise: exercise.slug)
def test_exercises_take_the_right_answer_and_no_other(exercise):
    takes_only(exercise, *ANSWERS[exercise.slug])


def test_the_challenge_names_what_is_missing():
    said = [exercises.escapes(None, state).message for _, state in ANSWERS["break-the-loop"][1:]]
    for message, part in zip(said, ("Leave it at", "at least 3", "too few words", "too wild"), strict=True):
        assert part in message


@pytest.mark.parametrize("r", [3, 10])
def test_the_challenge_is_solved_by_understanding_and_not_by_luck(r):
    """Between too cold and too hot, a good half of what is left of the slider will do."""
    solved = [exercises.escapes(None, changed("loop", p=0.5, temperature=t, r=r)).ok for t in (0.7, 1.0, 1.2, 1.4, 1.6, 1.9)]
    assert not any(solved[:2])
    assert sum(solved[2:5]) >= 2
    assert not solved[5]


def test_what_is_said_of_greedy_text_is_measured():
    """Most of it does not end in a loop, but fewer of its pairs of words are new."""
    why = next(experiment for experiment in LESSON.experiments if experiment.slug == "gallery").predict
    said = why.check("greedy’s text", {}).message
    found = gallery.gallery("GRU", 1, "greedy", 1)
    shares = [round(100 * found.distinct[found.names.index(name)][1]) for name in ("greedy", gallery.HUMAN)]
    assert shares[0] < shares[1]
    assert "{} % are different, of the true text’s {} %".format(*shares) in said
