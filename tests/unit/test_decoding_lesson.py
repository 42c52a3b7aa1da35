"""Lesson `decoding`, whole texts: beam search, loops, gallery, invalid input and exercises."""

from dataclasses import replace
from functools import partial
from itertools import islice, pairwise

import numpy as np
import pytest

from lessons.decoding import LESSON, beam, gallery, loop
from lessons.decoding.prompts import (
    BEAM_WINS,
    LENGTH_PENALTY_LOSES,
    PROBABLE_BUT_WRONG,
    REPEATED_PHRASE,
    WIDER_IS_WORSE,
)
from lessons.decoding.sample.exercises import text_at_start
from lessons.decoding.sentences import split_sentences
from lessons.decoding.story_models import READERS, WRITERS, load_story_model, read_words
from lessons.kit.checkpoints import STORIES
from lessons.kit.notices import collect_notices
from lessons.kit.pictures.base import text_width
from lessons.kit.pictures.prose import Text
from lessons.kit.web.renderer import Renderer
from models import decoding, zoo
from models.gallery import HUMAN, TEXT_COUNT, load_gallery
from models.tasks.task import split_of
from models.vocabulary import InputError, Vocabulary
from tests import helpers
from tests.helpers import takes_only
from tests.says import assert_says, numbers, plain, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
PHRASES = EXPERIMENTS["loop"].controls[0].suggestions
preset, changed = partial(helpers.preset, LESSON), partial(helpers.changed, LESSON)


def reading(slug: str, run) -> str:
    return next(view for view in EXPERIMENTS[slug].views if view.__name__ == "reading")(run)


@pytest.mark.parametrize("experiment", LESSON.experiments, ids=lambda experiment: experiment.slug)
def test_preset_readings_have_finite_numbers_and_true_minus_signs(experiment):
    for state in ({}, *(item.state for item in experiment.presets)):
        text = reading(experiment.slug, experiment.run(state))
        assert "nan" not in text
        assert "-" not in text.replace("top-", "").replace("C/√n", "")  # no hyphens instead of minus signs


@pytest.mark.parametrize(
    ("slug", "control", "text", "facts"),
    [
        ("sample", "text", "Привет", ["English"]),
        ("loop", "phrase", " ", [1, loop.compute.MAX_PHRASE_WORDS]),
        ("beam", "source", " ", ["English sentence"]),
        ("beam", "source", "Привет", ["English sentence"]),
    ],
)
def test_invalid_text_raises_input_error_with_its_control(slug, control, text, facts):
    with pytest.raises(InputError) as refused:
        EXPERIMENTS[slug].run({control: text})
    assert_says(str(refused.value), *facts)
    assert refused.value.control == control


@pytest.mark.parametrize("model", [name for name in beam.compute.MODELS if name != beam.compute.ADDITION])
@pytest.mark.parametrize("text", ["My zzyzx doesn’t sleep 🙂", "I go. I am.", "the old dog " * 20])
def test_a_translator_reads_any_english(model, text):
    run = EXPERIMENTS["beam"].run({"model": model, "source": text})
    assert run.outputs[1]
    assert len(run.source) <= 40


def test_a_sum_that_was_never_learned_is_wrong_and_said():
    with collect_notices() as notices:
        run = EXPERIMENTS["beam"].run({"model": beam.compute.ADDITION, "addends": "12345+6"})
    assert run.truth == tuple("12351")
    assert_says(notices["addends"], "0 to 999")


@pytest.mark.parametrize(
    ("slug", "control", "text", "facts"),
    [
        ("sample", "text", "the zzyzx", ["zzyzx"]),
        ("sample", "text", "the " * 70, [STORIES.max_words, 70]),
        ("filters", "ban", "zzyzx she", ["zzyzx", "left out"]),
        ("filters", "boost", "zzyzx", ["zzyzx", "left out"]),
        ("loop", "phrase", "the " * 9, [loop.compute.MAX_PHRASE_WORDS, 9]),
    ],
)
def test_a_story_text_is_never_refused_and_a_notice_says_how_it_is_read(slug, control, text, facts):
    with collect_notices() as notices:
        EXPERIMENTS[slug].run({control: text})
    assert_says(notices[control], *facts)


def test_sentences_end_at_full_stops_and_closing_marks():
    words = "she said : “ go home . ” then ( why ? ) she ran".split()
    assert split_sentences(words) == ("she said : “ go home . ”", "then ( why ? )", "she ran")
    assert split_sentences(()) == ()


# ---- beam ----


def test_a_beam_beats_greedy_and_is_right():
    run = EXPERIMENTS["beam"].run()
    assert run.source == tuple(BEAM_WINS.split())
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
    run = EXPERIMENTS["beam"].run({"source": PROBABLE_BUT_WRONG})
    assert split_of(run.source) != "train"
    assert run.outputs[0][:-1] == run.truth
    assert run.outputs[1][:-1] != run.truth
    assert run.totals_of[1] > run.totals_of[0]
    assert run.right == (True, False)
    assert_says(reading("beam", run), *run.totals_of, "more probable", "correct", "not")


def test_wider_is_worse():
    run = preset("beam", "Wider but worse")
    assert (run.source, run.width) == (tuple(WIDER_IS_WORSE.split()), 2)
    assert run.totals_of[1] < run.totals_of[0] - 0.5
    assert run.totals_of == pytest.approx(run.by_width[:2])
    assert_says(reading("beam", run), *run.totals_of, "less probable")
    assert_says(beam.views.falls(run), 2, "less")
    assert not says(beam.views.falls(EXPERIMENTS["beam"].run()), "less")
    four = beam.compute.compute(beam.compute.WEAK_MODEL, WIDER_IS_WORSE, "", 4, 0)
    assert (
        four.totals_of[1]
        == pytest.approx(four.exact_total, abs=1e-5)
        == pytest.approx(four.by_width.max(), abs=1e-5)
    )
    assert run.right == four.right == (False, False)  # the most probable output is wrong in both runs


@pytest.mark.parametrize(
    "option", [beam.exercises.POSSIBLE, beam.exercises.ONLY_WITH_PENALTY, beam.exercises.NEVER]
)
def test_every_guess_points_to_the_preset(option):
    verdict = EXPERIMENTS["beam"].predict.check(option, {})
    assert verdict.ok == (option == "it can")
    assert_says(verdict.message, "Wider but worse", *beam.exercises.beam_of_two().totals_of)


def test_length_penalty_is_idle_for_greedy_search():
    assert not EXPERIMENTS["beam"].run().idle()
    assert set(EXPERIMENTS["beam"].run({"width": 1}).idle()) == {"penalty"}


def test_a_length_penalty_changes_the_winner():
    run = preset("beam", "The longer one wins")
    short = beam.compute.compute(beam.compute.WEAK_MODEL, LENGTH_PENALTY_LOSES, "", run.width, 0)
    assert (run.source, run.penalty) == (short.source, 1.0)
    assert (short.right[1], run.right[1]) == (True, False)
    assert len(run.outputs[1]) > len(short.outputs[1])
    assert run.totals_of[1] < short.totals_of[1]


def test_beam_agrees_with_greedy_and_all_numbers_for_a_sure_model():
    run = preset("beam", "A sure model")
    assert run.source == tuple("93+8")
    assert run.outputs[0] == run.outputs[1] == run.exact == (*"101", "<eos>")
    assert run.right == (True, True)
    assert np.exp(run.exact_total) > 0.99
    model, words = beam.compute.MODELS[run.model].model, beam.compute.MODELS[run.model].task
    totals = {  # every number that could be the answer
        number: (
            decoding.score(
                model.writer(words.source.ids(run.source)), [*words.target.ids(number), Vocabulary.eos]
            ).total
        )
        for number in map(str, range(200))
    }
    assert max(totals, key=totals.get) == "".join(run.exact[:-1])
    assert max(totals.values()) == pytest.approx(run.exact_total, abs=1e-5)


def test_a_beam_can_miss_the_exact_best():
    run = beam.compute.compute(beam.compute.WEAK_MODEL, WIDER_IS_WORSE, "", 2, 0)
    assert run.exact_total > run.totals_of[1] + 1
    assert_says(reading("beam", run), run.exact_total, "pruned on the way")


@pytest.mark.parametrize(("source", "right"), [(PROBABLE_BUT_WRONG, True), (BEAM_WINS, False)])
def test_beam_of_one_is_greedy(source, right):
    run = EXPERIMENTS["beam"].run({"source": source, "width": 1})
    assert run.right == (right, right)
    assert_says(reading("beam", run), "greedy", run.totals_of[0], "correct" if right else "wrong")
    assert reading("beam", run).count(f"{abs(run.totals_of[0]):.2f}") == 1
    assert not says(reading("beam", run), ("both", "neither"))


def test_length_penalty_explains_a_less_probable_choice():
    run = beam.compute.compute(beam.compute.WEAK_MODEL, LENGTH_PENALTY_LOSES, "", 2, 1)
    assert run.exact_total > run.totals_of[1] + 0.1
    assert len(run.outputs[1]) > len(run.exact)
    assert_says(reading("beam", run), run.exact_total, "length penalty", run.penalty, len(run.outputs[1]))
    assert not says(reading("beam", run), "pruned on the way")


@pytest.mark.parametrize(
    ("times", "says"),
    [(1.04, "1.0"), (9.87, "9.9"), (43.2, "43"), (5638.9, "5,600"), (5.2e21, "5.2\u00a0·\u00a010²¹")],
)
def test_ratio_has_two_digits(times, says):
    assert beam.views.write_ratio(times) == says


def test_the_length_penalty_lets_longer_outputs_win():
    short, long = (
        beam.compute.compute(beam.compute.WEAK_MODEL, WIDER_IS_WORSE, "", 8, penalty)
        for penalty in (0.0, 2.0)
    )
    assert len(long.outputs[1]) >= len(short.outputs[1])
    assert long.scores_of[1] == pytest.approx(long.totals_of[1] / len(long.outputs[1]) ** 2)
    np.testing.assert_array_equal(short.by_width, long.by_width)


@pytest.mark.parametrize("width", [1, 2, 8])
def test_tree_shows_pruned_branches_with_reasons(width):
    run = EXPERIMENTS["beam"].run({"width": width})
    branches = beam.views.tree(run).branches
    pruned = [branch for branch in branches if not branch.kept]
    assert len(pruned) == run.pruned > 0
    assert all(says(branch.reason, width) for branch in pruned)
    best = [branch for branch in branches if branch.best]
    assert [branch.label for branch in best] == ["<eos>"]
    assert best[0].score == pytest.approx(run.totals_of[1])
    assert (width == 1) == (run.outputs[0] == run.outputs[1])


def test_reasons_have_true_minus_signs_and_no_minus_zero():
    assert (
        beam.views.format_numbers("Can reach -6.01 at most; the best that ended has -0.00.")
        == "Can reach −6.01 at most; the best that ended has 0.00."
    )


def test_reading_contrasts_probable_and_true_only_when_the_beam_is_more_probable():
    run = preset("beam", "More probable, but wrong")
    assert run.right == (True, False)
    assert says(reading("beam", run), "more probable output is not always better")
    assert not says(reading("beam", replace(run, totals_of=run.totals_of[::-1])), "not always better")


def test_exact_search_stops_at_its_limit(monkeypatch):
    beam.compute.find_exact_best.cache_clear()
    monkeypatch.setattr(beam.compute, "MAX_PREFIXES", 1)
    run = beam.compute.compute(beam.compute.WEAK_MODEL, WIDER_IS_WORSE, "", 2, 0)
    beam.compute.find_exact_best.cache_clear()
    assert run.exact == ()
    assert_says(reading("beam", run), "too many")
    assert not says(reading("beam", run), "pruned on the way")


# ---- loop ----


@pytest.mark.parametrize("reader", READERS)
def test_phrase_logprobs_agree_with_the_step_by_step_version(reader):
    phrase = read_words("i don't know .")
    expected = decoding.phrase_logprobs(load_story_model(reader).writer(), (), phrase, 12)
    np.testing.assert_allclose(loop.compute.phrase_logprobs(reader, phrase)[:13], expected, atol=2e-3)


@pytest.mark.parametrize("reader", READERS)
def test_phrase_probabilities_agree_with_the_cards(reader):
    metrics = zoo.Card.read(READERS[reader]).metrics
    for phrase, expected in metrics["loop"].items():
        p = np.exp(loop.compute.phrase_logprobs(reader, read_words(phrase)).sum(-1))
        np.testing.assert_allclose(p[metrics["repeats"]], expected, rtol=0.05)


def test_loop_reading_without_repetitions_has_one_probability():
    never = EXPERIMENTS["loop"].run({"r": 0})
    assert_says(reading("loop", never), never.probabilities[0, 0])
    assert "0 times" not in plain(reading("loop", never))
    assert "0 times" not in loop.views.texts(never).title
    large = EXPERIMENTS["loop"].run({"phrase": PHRASES[1], "model": "GRU, no songs", "r": 145})
    p = large.probabilities[large.readers.index(large.model)]
    assert_says(reading("loop", large), p[0], p[145], p[145] / p[0], 145)


def test_sentences_use_full_model_names():
    """Sentences use full names such as “vanilla RNN”, not short labels such as “vanilla”."""
    for model, name in (
        ("vanilla", "vanilla RNN"),
        ("GRU, no songs", "GRU trained without songs"),
        ("LSTM", "the LSTM"),
    ):
        run = EXPERIMENTS["loop"].run({"model": model})
        assert_says(reading("loop", run), name)
        assert_says(loop.views.texts(run).title, name)


@pytest.mark.parametrize("model", READERS)
@pytest.mark.parametrize("r", [0, 3, 126])
def test_loop_reading_agrees_with_the_underlined_sentences(model, r):
    """The reading says whether a text ends in a loop, repeats sentences without a loop, or repeats none."""
    for phrase in (REPEATED_PHRASE, *PHRASES[:2]):
        run = EXPERIMENTS["loop"].run({"phrase": phrase, "model": model, "r": r})
        greedy, nucleus = reading("loop", run).partition("The text sampled")[::2]
        for written, part in zip(run.written, (greedy, nucleus), strict=True):
            again = sum(passage.marked for passage in loop.views.mark_repeated(run, written).passages)
            assert says(part, "ends in a loop") == bool(written.loop)
            assert says(part, "repeats no sentence") == (not written.loop and not again)
            if again and not written.loop:
                assert_says(part, again, "does not end in a loop")


@pytest.mark.parametrize("model", READERS)
@pytest.mark.parametrize("phrase", LESSON.experiment("loop").controls[0].suggestions)
def test_ratio_agrees_with_the_two_probabilities(model, phrase):
    run = LESSON.experiment("loop").run({"model": model, "phrase": phrase, "r": 35})
    (first, half), (now, other), _, (times, rounded) = numbers(loop.views.reading(run))[:4]
    assert (now - other) / (first + half) - rounded <= times <= (now + other) / (first - half) + rounded
    # each probability is shown with at least two significant digits
    assert max(half / first, other / now) <= 0.0501


def test_a_text_that_leaves_its_repetition_does_not_end_in_a_loop():
    run = EXPERIMENTS["loop"].run({"phrase": PHRASES[1], "r": 126})
    greedy = run.written[0]
    assert len(set(split_sentences(greedy.words))) < len(split_sentences(greedy.words)) - 2
    assert not greedy.loop
    assert_says(reading("loop", run), "does not end in a loop")


def test_verdicts_say_which_remedies_are_off():
    run = EXPERIMENTS["loop"].run({"penalty": 1, "n": 0})
    assert run.remedies_off == (True, True)
    assert [way.words for way in run.remedies] == [run.written[0].words] * 2
    assert loop.views.verdicts(run).count("ends in a loop") == 1
    assert_says(loop.views.verdicts(run), "penalty is off", "blocking is off")
    one = EXPERIMENTS["loop"].run({"n": 1})
    assert_says(
        loop.views.verdicts(one), "1-gram blocking", one.remedies[1].perplexity, one.written[0].perplexity
    )


@pytest.mark.parametrize("phrase", [REPEATED_PHRASE, *PHRASES])
def test_line_names_do_not_cross_the_marker(phrase):
    for r in (*range(9), 20, 50, 100, 200):
        run = EXPERIMENTS["loop"].run({"phrase": phrase, "r": r})
        for picture in (loop.views.again_and_again(run), loop.views.rare(run)):
            x, _, names, _ = picture.plot_layout
            marker = float(x.to_pixels([picture.current])[0])
            inside = [name for name in names if name.start is None]
            assert all(abs(name.x - marker) > text_width(name.words) / 2 for name in inside), r


def test_lambda_does_not_mean_length_penalty():
    """The lesson's texts never use λ, because λ means an eigenvalue in this course."""
    hints = [hint.watch for experiment in LESSON.experiments for hint in experiment.presets]
    texts = [path.read_text(encoding="utf-8") for path in LESSON.folder.rglob("text.md")]
    assert "λ" not in " ".join([*texts, *hints])


def test_repetition_makes_the_phrase_likelier():
    run = preset("loop", "A growing loop")
    assert run.repeats[-1] >= 100
    assert (run.probabilities[:, run.r] > 20 * run.probabilities[:, 0]).all()


@pytest.mark.parametrize("phrase", [REPEATED_PHRASE, *PHRASES])
def test_without_songs_a_phrase_rises_but_stays_improbable(phrase):
    run = EXPERIMENTS["loop"].run({"phrase": phrase, "model": "GRU, no songs"})
    songs, none = (run.probabilities[run.readers.index(reader)] for reader in ("GRU", "GRU, no songs"))
    assert none.max() < min(0.01, 0.1 * songs.max())
    assert phrase == PHRASES[-1] or none[run.r] > 100 * none[0]  # the last phrase occurs in no story
    assert not run.written[0].loop


def test_unseen_phrase_stays_improbable():
    run = preset("loop", "Never seen")
    assert run.probabilities.max() < 1e-10


def test_greedy_loops_and_a_nucleus_does_not():
    run = preset("loop", "A growing loop")
    greedy, nucleus = run.written
    assert greedy.loop == run.phrase
    assert not nucleus.loop
    assert greedy.perplexity < nucleus.perplexity
    assert greedy.repeated > nucleus.repeated


def test_narrow_nucleus_loops_like_greedy():
    run = preset("loop", "A small nucleus")
    greedy, nucleus = run.written
    assert greedy.loop == nucleus.loop == run.phrase
    assert not run.idle()
    assert set(EXPERIMENTS["loop"].run({"temperature": 0}).idle()) == {"p", "seed"}
    assert set(EXPERIMENTS["loop"].run({"p": 0}).idle()) == {"seed"}


def test_sentences_of_the_phrase_count_as_repeated():
    greedy, _ = loop.views.texts(EXPERIMENTS["loop"].run()).texts
    assert [passage.marked for passage in greedy.passages] == [True] * 4 + [False, False]
    assert greedy.passages[0].words == REPEATED_PHRASE
    assert not loop.views.texts(EXPERIMENTS["loop"].run({"r": 0})).texts[0].passages[0].marked


def test_a_remedy_can_loop_again_and_costs_something():
    run = EXPERIMENTS["loop"].run({"phrase": PHRASES[0]})
    (greedy, _), (penalised, blocked) = run.written, run.remedies
    assert (
        penalised.loop == greedy.loop == run.phrase
    )  # all words of the phrase are penalised, so the same one still wins
    assert not blocked.loop
    assert blocked.perplexity > greedy.perplexity
    run = preset("loop", "Too strong a remedy")
    _, blocked = run.remedies
    mild = EXPERIMENTS["loop"].run().remedies
    assert not blocked.loop
    assert len(set(blocked.words)) == len(blocked.words)
    assert blocked.perplexity > 3 * max(run.perplexity, mild[1].perplexity)


def test_remedies_count_words_of_the_phrase():
    """N-gram blocking also counts the n-grams of the phrase, however often it was repeated."""
    for r in (1, 2, 50):
        *_, blocked = loop.compute.compute("the boats were wet .", r, "GRU", 1, 0.9, 1.2, 2, 0).remedies
        text = ("the", "boats", "were", "wet", ".") * min(r, 2) + blocked.words
        new = len(text) - len(blocked.words)
        pairs = list(pairwise(text))
        assert all(pair not in pairs[:place] for place, pair in enumerate(pairs) if place >= new - 1)
        assert len(blocked.logprobs) == len(blocked.words) + blocked.ended


def test_loop_is_rotated_to_end_with_its_full_stop():
    assert loop.compute.rotate_loop(("home", ".", "i", "want")) == ("i", "want", "home", ".")
    assert loop.compute.rotate_loop(("la", "li")) == ("la", "li")


# ---- gallery ----


def test_gallery_has_every_strategy_of_the_paper():
    run = EXPERIMENTS["gallery"].run()
    assert set(run.names) == set(gallery.compute.PAPER)
    assert [name for name, _ in run.texts] == list(run.names)
    assert dict(zip(run.names, run.paper_perplexity, strict=True))["greedy"] == 1.50
    Renderer(LESSON, EXPERIMENTS["gallery"]).drawing({"number": 40, "way": "greedy"})


def test_only_separate_intervals_are_compared():
    order = gallery.compute.compare_order(
        ("a", "b", "c"), (1.0, 3.0, 2.0), ((1.0, 1.5), (2.0, 2.4), (2.5, 3.0))
    )
    assert (order.same, order.apart, order.pairs, order.swapped) == (2, 3, 3, (("b", "c"),))
    order = gallery.compute.compare_order(
        ("a", "b", "c"), (1.0, 3.0, 2.0), ((1.0, 1.5), (2.0, 2.6), (2.5, 3.0))
    )
    assert (order.same, order.apart, order.pairs, order.swapped) == (2, 2, 3, ())


@pytest.mark.parametrize("model", WRITERS)
def test_search_repeats_and_sampling_surprises(model):
    run = EXPERIMENTS["gallery"].run({"model": model})
    perplexity, repetition = (
        dict(zip(run.names, row, strict=True)) for row in (run.perplexity, run.repetition)
    )
    assert (
        max(perplexity["greedy"], perplexity["beam 16"])
        < perplexity["top-k 40, τ 0.7"]
        < perplexity["pure sampling"]
    )
    dice = ("pure sampling", "top-k 40", "top-p 0.95")
    new = dict(zip(run.names, run.distinct, strict=True))
    assert max(new["greedy"][1:]) < min(min(new[way][1:]) for way in dice)
    if model == "GRU":
        assert repetition["greedy"] > max(repetition[way] for way in dice)
    assert run.order.apart > 0.5 * run.order.pairs
    assert run.order.same >= run.order.apart - 1
    intervals = dict(zip(run.names, run.intervals, strict=True))
    assert perplexity["pure sampling"] > perplexity["the true text"]
    assert not gallery.compute.do_overlap(intervals["greedy"], intervals["the true text"])
    text = reading("gallery", run)
    alike = [
        way for way in run.names[1:] if gallery.compute.do_overlap(intervals[way], intervals["the true text"])
    ]
    assert set(alike) & {"top-k 40", "top-p 0.95"}
    assert_says(text, run.count, *(way.replace("-", "\u2011") for way in alike))
    low = min(run.names[1:], key=perplexity.get)
    again = dict(zip(run.names, run.again, strict=True))
    assert_says(
        text, low, perplexity[low], perplexity["the true text"], again[low] / 100, repetition[low] / 100
    )
    assert not {"greedy", "beam 16"} & set(alike)


def test_gallery_presets_show_what_they_say():
    def repeated(run) -> dict[str, int]:
        return {name: len(sentences) - len(set(sentences)) for name, sentences in run.texts}

    def ends(title: str, way: str) -> decoding.Loop | None:
        run = preset("gallery", title)
        return decoding.find_loop(load_gallery()["models"][run.model][way]["texts"][run.number - 1].split())

    for title in ("Caught", "A Transformer"):
        found = repeated(preset("gallery", title))
        assert min(found["greedy"], found["beam 16"]) >= 2  # one sentence occurs at least three times
        assert max(found["pure sampling"], found["the true text"]) == 0
    assert ends("Caught", "greedy").times >= 3
    assert not ends("A Transformer", "greedy")  # the text leaves the loop
    assert repeated(preset("gallery", "Not caught"))["greedy"] == 0
    rare = [
        n
        for n in range(1, TEXT_COUNT + 1)
        if not repeated(EXPERIMENTS["gallery"].run({"number": n}))["greedy"]
    ]
    assert len(rare) <= TEXT_COUNT / 20


@pytest.mark.parametrize("model", WRITERS)
def test_repeating_percentage_agrees_with_the_underlined_sentences(model):
    """More than 90% of greedy texts repeat a sentence, but fewer than half end in a loop."""
    texts = load_gallery()["models"][model]["greedy"]["texts"]
    marked = sum(
        any(passage.marked for passage in Text.of("", split_sentences(text.split())).passages)
        for text in texts
    )
    run = EXPERIMENTS["gallery"].run({"model": model, "way": "greedy"})
    place = run.names.index("greedy")
    assert run.again[place] == pytest.approx(100 * marked / len(texts))
    assert run.again[place] > 90 > 50 > run.repetition[place]
    shown = next(text for text in gallery.views.texts(run).texts if text.label == "greedy")
    assert any(passage.marked for passage in shown.passages)
    row = gallery.views.figures(run).frame().set_index("strategy").loc["greedy"]
    assert row["repeat a sentence"] == run.again[place]


def test_table_data_has_every_figure_of_the_paper():
    """The table data contains all the paper's numbers; columns with the same name would be merged."""
    run = EXPERIMENTS["gallery"].run()
    table = gallery.views.figures(run)
    columns = [set(column) for _, column in table.frame().items()]
    assert {f"{figure:.2f}" for figure in run.paper_perplexity} in columns
    assert {f"{figure:.2f}%" for figure in run.paper_repetition} in columns
    assert "…</text>" not in table.svg()


def test_table_marks_the_chosen_strategy():
    table = gallery.views.figures(EXPERIMENTS["gallery"].run({"way": "greedy"}))
    assert_says(table.title, 0.95, "interval")
    assert [table.rows[row][0] for row in table.marked] == ["greedy"]


def test_job_writes_new_texts():
    steps = EXPERIMENTS["gallery"].job.run(model="GRU", number=1, way="top-p 0.95", seed=7)
    first, *_, (share, run) = islice(steps, gallery.compute.NEW_BEAM_TEXTS)
    assert (first[0], share) == pytest.approx(
        (1 / gallery.compute.NEW_TEXTS, gallery.compute.NEW_BEAM_TEXTS / gallery.compute.NEW_TEXTS)
    )
    shipped = EXPERIMENTS["gallery"].run()
    # one new text is not enough for a measurement
    assert (first[1].fresh, run.fresh) == (0, gallery.compute.NEW_BEAM_TEXTS)
    assert first[1].perplexity == shipped.perplexity
    assert first[1].more != shipped.more
    place = run.names.index("top-p 0.95")
    assert run.perplexity[place] != shipped.perplexity[place]
    assert run.perplexity[:place] == shipped.perplexity[:place]
    assert_says(reading("gallery", run), run.fresh, "top-p 0.95")
    assert says(reading("gallery", shipped), "top\u2011p 0.95")
    assert "top\u2011p" not in reading("gallery", run)  # too few new texts for a comparison
    assert (shipped.order.pairs, run.order.pairs) == (21, 15)
    assert [row[0] for row in gallery.views.figures(run).rows if "new)" in row[0]] == [
        f"top-p 0.95 ({gallery.compute.NEW_BEAM_TEXTS} new)"
    ]
    assert_says(gallery.views.agreement(run), "without", run.order.pairs, run.order.apart, run.order.same)
    assert_says(
        gallery.views.agreement(shipped), shipped.order.pairs, shipped.order.apart, shipped.order.same
    )
    _, again = next(EXPERIMENTS["gallery"].job.run(model="GRU", number=1, way="top-p 0.95", seed=7))
    assert again.more == first[1].more


# ---- exercises ----


ANSWERS = {  # slug → (answer, state) pairs: the first is right, the others are wrong
    "half-temperature": [(0.98, {}), (0.88, {}), (0.73, {})],
    "nucleus": [(3, {}), (2, {}), (4, {})],
    "not-greedy": [
        ("temperature 1, nothing else", {}),
        ("temperature 0", {}),
        ("top-k with k = 1", {}),
        ("top-p with p = 0", {}),
    ],
    "perplexity": [(2.52, {}), (3.0, {}), (16, {})],
    "four-times": [(8000, {}), (2000, {}), (1000, {}), (32_000, {}), (7000, {})],
    "wider-is-worse": [
        (None, changed("beam", source=WIDER_IS_WORSE)),
        (None, changed("beam")),
        (None, changed("beam", source=WIDER_IS_WORSE, width=1)),
        (None, changed("beam", source=WIDER_IS_WORSE, width=4)),
    ],
    "break-the-loop": [
        (None, changed("loop", p=0.5, temperature=1.5)),
        (None, changed("loop")),  # wrong: the nucleus is too large
        (None, changed("loop", p=0.5, temperature=1.5, r=2)),
        (None, changed("loop", p=0.5)),  # wrong: the text ends in a loop
        (None, changed("loop", p=0.5, temperature=2)),  # wrong: the text is too surprising
    ],
    "clipping": [(0.2, {}), (1.0, {}), (0.0, {})],
    "fool-bleu": [
        (None, changed("bleu", candidate="les enfants jouent dans le jardin , .")),
        (None, changed("bleu")),
        # wrong: the candidate is the reference translation
        (None, changed("bleu", candidate="les enfants jouent dans le jardin .")),
    ],
}


@pytest.mark.parametrize("exercise", LESSON.exercises, ids=lambda exercise: exercise.slug)
def test_exercises_accept_only_the_right_answer(exercise):
    takes_only(exercise, *ANSWERS[exercise.slug])


@pytest.mark.parametrize("given", [7500, 8000, 8100, 8500])
def test_draw_count_is_accepted_within_ten_percent(given):
    assert helpers.exercise(LESSON, "four-times").check(given, {}).ok


def test_guess_messages_carry_the_mean_probability():
    run = text_at_start()
    mean = np.exp(run.log_product[-1] / len(run.words))
    assert_says(EXPERIMENTS["sample"].predict.check("1 in 10", {}).message, mean, round(1 / mean))
    assert 1 / mean < 5
    assert_says(
        EXPERIMENTS["sample"].predict.check("1 in 1,000,000", {}).message,
        np.exp(run.log_product[-1]),
        len(run.words),
    )


def test_ratio_for_ten_thousand_draws_is_computed():
    run = EXPERIMENTS["histogram"].run({"n": 10_000})
    ratio = EXPERIMENTS["histogram"].run({"n": 100}).expected / run.expected
    assert ratio < 9
    assert_says(EXPERIMENTS["histogram"].predict.check("10,000", {}).message, ratio, run.expected)


def test_challenge_names_what_is_missing():
    messages = [
        loop.exercises.check_escape(None, state).message for _, state in ANSWERS["break-the-loop"][1:]
    ]
    facts = [("top-p", 0.5), ("GRU", 3), (10, "loop", "nucleus"), ("held-out", "perplexity")]
    for message, parts in zip(messages, facts, strict=True):
        assert_says(message, *parts)


@pytest.mark.parametrize("r", [3, 10])
def test_challenge_accepts_a_range_of_temperatures(r):
    """Most temperatures between the two extremes solve the challenge."""
    solved = [
        loop.exercises.check_escape(None, changed("loop", p=0.5, temperature=t, r=r)).ok
        for t in (0.7, 1.0, 1.2, 1.4, 1.6, 1.9)
    ]
    assert not any(solved[:2])
    assert sum(solved[2:5]) >= 2
    assert not solved[5]


def test_message_about_greedy_text_carries_its_figures():
    """The message shows that greedy text has fewer distinct word pairs than human text."""
    why = next(experiment for experiment in LESSON.experiments if experiment.slug == "gallery").predict
    message = why.check("greedy’s text", {}).message
    found = gallery.compute.compute("GRU", 1, "greedy", 1)
    shares = [found.distinct[found.names.index(name)][1] for name in ("greedy", HUMAN)]
    assert shares[0] < shares[1]
    assert_says(message, *shares, found.perplexity[found.names.index("greedy")])
