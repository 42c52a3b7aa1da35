"""A language model of stories: the lens, the heads and what their interventions change."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch

from lessons.kit.checkpoints import STORIES
from lessons.transformer import LESSON
from lessons.transformer.lm import compute as lm_compute
from lessons.transformer.lm import views as lm_views
from lessons.transformer.lm.compute import (
    HEAD_NAMES,
    INTERVENTIONS,
    KEEP,
    LOOK_AT_CUE,
    LOOK_AWAY,
    MODELS,
    RESIDUAL_STREAM,
    SWITCH_OFF,
    StoryRun,
    edited_trace,
    find_cue,
    lm,
)
from lessons.transformer.lm.stories import COLOUR, NAME, OPEN_QUOTE, PLURAL_SUBJECT
from models.zoo import Card
from tests import helpers
from tests.says import assert_says, says

EXPERIMENTS = {experiment.slug: experiment for experiment in LESSON.experiments}
preset = partial(helpers.preset, LESSON)


def test_the_options_match_the_story_model():
    config = Card.read(MODELS["Transformer"]).config
    assert len(HEAD_NAMES) == config["layers"] * config["heads"]
    assert len(RESIDUAL_STREAM) == config["layers"] + 1


@pytest.mark.parametrize(
    ("text", "due", "cue"),
    [
        (COLOUR, "white", "white"),
        (f"{COLOUR} white", "box", "box"),
        (NAME, "leo", "leo"),
        (OPEN_QUOTE, "”", "“"),
    ],
)
def test_a_head_of_the_upper_layer_attends_to_the_cue(text, due, cue):
    found = EXPERIMENTS["lm"].run({"text": text})
    assert found.due == due
    assert [found.words[place] for place in found.cue] == [cue]
    assert found.on_cue[1].max() > 0.6
    assert found.chance[0] > 0.9


def test_a_word_that_replaces_an_unknown_one_is_not_called_a_mark():
    """In the reading, “≈do” is an earlier occurrence of “do”, not an opening mark."""
    found = EXPERIMENTS["lm"].run({"text": "Why did the chicken cross the road?"})
    assert found.words[found.cue[-1]] != found.due
    assert_says(lm_views.describe_cue(found), "this word occurred", found.back)
    assert_says(lm_views.describe_cue(EXPERIMENTS["lm"].run({"text": OPEN_QUOTE})), "has been open")


@pytest.mark.parametrize("do", INTERVENTIONS)
def test_only_the_chosen_head_is_changed(do):
    found = EXPERIMENTS["lm"].run({"do": do, "head": "layer 2, head 3"})
    plain = lm_compute.original_trace(found._tokens)
    yours = edited_trace(found._tokens, 2, 3, do, found.cue)
    others = [head for head in range(4) if head != 2]
    assert torch.equal(plain.weights[:, others], yours.weights[:, others])
    row = torch.tensor(found.row)
    if do == LOOK_AT_CUE:
        assert row[list(found.cue)].sum() == pytest.approx(1)
    if do == LOOK_AWAY:
        assert row[list(found.cue)].sum() == 0
        assert row.sum() + yours.weights[1, 2, -1, 0] == pytest.approx(1, abs=1e-5)
    assert (found.chance[0] == found.chance[1]) == (do == KEEP)


def test_every_option_of_the_guess_about_one_head_tells_how_far_p_falls():
    was, now = EXPERIMENTS["lm"].run({"do": SWITCH_OFF}).chance
    assert now < was
    guess = EXPERIMENTS["lm"].predict
    for option in guess.answer.options:
        assert_says(guess.check(option, {}).message, "falls", was, now)


def test_every_head_off_is_the_same_as_switching_it_off_by_hand():
    found = EXPERIMENTS["lm"].run({"head": "layer 2, head 1", "do": SWITCH_OFF})
    assert found.without[1, 0] == pytest.approx(found.chance[1], abs=1e-6)
    assert found.without[1, 0] == found.without.min()


def stream_probabilities(found: StoryRun) -> list[float]:
    """P of the next word at every point of the residual stream, rounded as shown."""
    return [round(due, 2) for *_, due in found.early]


def test_the_lens_ends_with_the_output_of_the_model():
    found = EXPERIMENTS["lm"].run({})
    assert found.early[-1][2] == pytest.approx(found.chance[0], abs=1e-5)
    assert found.early[-1][0][0] == found.due
    gains = np.diff([due for *_, due in found.early])
    assert_says(lm_views.told_lens(found), *stream_probabilities(found), f"layer {gains.argmax() + 1}")


def test_a_word_never_said_has_no_cue_and_a_mark_has_the_one_that_is_open():
    assert find_cue("kite", ("a", "drum")) == ()
    assert find_cue("drum", ("a", "drum", "a", "drum")) == (1, 3)
    assert find_cue("”", ("“", "yes", "”", "“", "no")) == (3,)
    assert_says(lm_views.reading(preset("lm", "Not learned")), "was", "has not occurred")


def test_what_is_expected_need_not_be_right():
    found = preset("lm", "Not learned")
    assert found.due == "was"  # wrong: the verb should agree with “farmers”
    assert found.on_cue.max() == 0
    assert (
        lm_compute.original_trace(found._tokens).weights[:, :, -1, 1 + found.words.index("farmers")].max()
        < 0.05
    )
    assert_says(lm_views.reading(found), "was", found.chance[0], found.recurrent)
    counts = sum(row["count"] for row in Card.read(MODELS["GRU"]).metrics["memory"]["number"])
    assert_says(lm_views.by_distance(found).title, "was", "were", counts)
    assert not says(lm_views.reading(found), "move its weights")


@pytest.fixture(scope="module")
def stories() -> list[StoryRun]:
    """Beginnings of held-out stories, cut after any word."""
    documents = STORIES.documents("test", 30, seed=3)
    return [lm(" ".join(words[:cut]), "layer 2, head 1", KEEP) for words in documents for cut in (15, 27, 40)]


def test_the_lens_never_contradicts_its_own_numbers(stories):
    seen = set()
    for found in stories:
        chances, said = np.array([due for *_, due in found.early]), lm_views.told_lens(found)
        assert_says(said, *stream_probabilities(found))
        unsure = chances.max() < 0.5
        falls = not unsure and round(chances[-1], 2) < round(chances.max(), 2)
        assert says(said, "not sure") == unsure
        assert says(said, "highest") == falls
        if says(said, "adds the most"):
            gains = np.diff(chances.round(2))  # computed from the rounded numbers on the page
            assert_says(said, f"layer {gains.argmax() + 1}")
            assert chances[0] <= chances[-1] / 2
        seen.add((unsure, bool(falls), says(said, "adds the most")))
    assert len(seen) > 2, "states of several kinds"


def test_a_head_that_lowers_p_is_named(stories):
    told = 0
    for found in stories:
        was, said = found.chance[0], lm_views.told_every(found)
        higher = int((found.without.round(2) > round(was, 2)).sum())
        assert says(said, "raises P") == bool(higher)
        assert says(said, "matters most") == bool(round(found.without.min(), 2) < round(was, 2))
        if higher:
            layer, head = np.unravel_index(found.without.argmax(), found.without.shape)
            assert_says(said, higher, f"layer {layer + 1}, head {head + 1}", "rises", found.without.max())
        told += bool(higher)
    assert told > len(stories) / 4


@pytest.mark.parametrize(
    ("head", "word"), [("layer 2, head 4", "falls"), ("layer 1, head 2", "rises"), ("layer 2, head 1", None)]
)
def test_the_reading_says_whether_p_rises_or_falls(head, word):
    found = EXPERIMENTS["lm"].run({"text": PLURAL_SUBJECT, "head": head, "do": SWITCH_OFF})
    was, now = found.chance
    assert_says(
        lm_views.reading(found),
        round(now, 2),
        ("stays" if round(was, 2) == round(now, 2) else "rises" if now > was else "falls"),
    )
    assert word is None or says(lm_views.reading(found), word)


def test_a_lens_on_a_guess_and_figures_of_another_kind_say_so():
    found = EXPERIMENTS["lm"].run({"text": "one"})
    assert found.chance[0] < 0.5
    assert_says(lm_views.told_lens(found), *stream_probabilities(found))
    assert_says(lm_views.told_distance(found), found.due, "things")
    thing = preset("lm", "The lost thing")
    far = {name: rows[-1] for name, rows in thing.memory.items()}
    assert_says(
        lm_views.told_distance(thing),
        *(row["accuracy"] for row in far.values()),
        far["GRU"]["count"],
        thing.by_luck,
    )
    assert not says(lm_views.told_distance(thing), "things")


def test_one_head_can_change_the_next_word():
    check = next(each.check for each in LESSON.exercises if each.slug == "another-word")
    state = EXPERIMENTS["lm"].state
    assert check(None, state({"text": NAME, "head": "layer 2, head 2", "do": LOOK_AWAY})).ok
    assert not check(None, state({"text": NAME, "head": "layer 1, head 2", "do": SWITCH_OFF})).ok
    assert not check(None, state({"text": NAME})).ok
    assert not check(None, state({"do": SWITCH_OFF})).ok


def test_where_no_head_is_missed_none_is_missed_most():
    run = lm(OPEN_QUOTE, "layer 2, head 1", KEEP)
    even = replace(run)
    vars(even)["without"] = np.full_like(run.without, run.chance[0])
    assert_says(lm_views.told_every(even), "no single head", 8, "stays", run.chance[0])
    assert not says(lm_views.told_every(even), ("matters most", "raises"))


def test_a_quotation_mark_is_not_put_in_quotation_marks():
    run = lm(OPEN_QUOTE, "layer 2, head 1", KEEP)
    assert run.due == "”"
    for said in (
        lm_views.story(run).title,
        lm_views.reading(run),
        lm_views.told_every(run),
        lm_views.told_lens(run),
    ):
        assert "“”" not in said.replace("**", "")
    assert_says(lm_views.story(run).title, "the mark")
