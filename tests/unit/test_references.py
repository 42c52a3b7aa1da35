"""References: known pairs, the reference for an output, and the positions where two sentences differ."""

from collections.abc import Iterator
from itertools import combinations
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons import LESSONS
from lessons.kit import references
from lessons.kit.contract import Experiment, State, Text
from lessons.kit.references import differing_positions, held_out, known_pair, matches_reference, reference_for
from models.tasks import TASKS
from models.tasks.task import split_of
from models.vocabulary import EOS, InputError

TRANSLATION = TASKS["translation"]
words = st.lists(st.sampled_from("abc"), max_size=8).map(tuple)


def test_the_pool_holds_the_course_and_what_lessons_offer():
    for pair in TRANSLATION.course:
        assert known_pair(pair.source) == pair
    assert len(references.known_pairs()) > references.RANDOM_PAIR_COUNT / 2
    assert known_pair(("the", "the", "she")) is None


def has_reference(experiment: Experiment) -> bool:
    """Check, without a run, whether the results of an experiment can be right."""
    result = get_type_hints(experiment.compute)["return"]
    return hasattr(result, "right") or "right" in result.__annotations__


def on_offer(experiment: Experiment) -> Iterator[State]:
    """States offered by an experiment: the default, presets and suggestions, each with its task."""
    tasks = [
        {},
        *(
            {"task": task}
            for control in experiment.controls
            if control.name == "task"
            for task in control.options
        ),
    ]
    yield {}
    yield from (preset.state for preset in experiment.presets)
    for control in experiment.controls:
        for text in control.suggestions if isinstance(control, Text) else ():
            yield next(
                state for task in tasks if can_be_run(experiment, state := {**task, control.name: text})
            )


def can_be_run(experiment: Experiment, state: State) -> bool:
    try:
        return bool(experiment.run(state))
    except InputError:
        return False


@pytest.mark.parametrize(
    "experiment",
    [
        pytest.param(experiment, id=f"{lesson.slug}-{experiment.slug}")
        for lesson in LESSONS
        for experiment in lesson.experiments
        if has_reference(experiment)
    ],
)
def test_the_truth_of_all_that_lessons_offer_is_known(experiment):
    for state in on_offer(experiment):
        run = experiment.run(state)
        if getattr(run, "role", "decoder") == "decoder":  # only a decoder writes an output that can be right
            # there is no reference pronunciation for names, and no right sentence for other shapes
            is_open = state.get("text") == "tanmoy" or "drawing" in state
            assert is_open or run.right in (True, False) or None not in run.right, state


@pytest.mark.parametrize(
    ("task", "source", "target"),
    [
        ("addition", "27+58", "85"),
        ("reversal", "stressed", "desserts"),
        ("copy", "stressed", "stressed"),
        ("dates", "3 mar '92", "1992-03-03"),
        ("translation", "the beautiful house was bought .", "la belle maison a été achetée ."),
        ("translation", "the the she", None),
    ],
)
def test_the_truth(task, source, target):
    found = reference_for(TASKS[task], TASKS[task].read(source))
    assert (found and TASKS[task].join(found)) == target


def test_right_is_word_for_word_and_the_end_is_no_word():
    assert matches_reference(("85", EOS), ("85",)) is True
    assert matches_reference(("85", "5", EOS), ("85",)) is False
    assert matches_reference(("85", EOS), None) is None


def test_held_out_sentences_have_their_length_and_were_not_trained_on():
    for length in (4, 12, 25):
        first, second = held_out(length, 1), held_out(length, 2)
        assert first != second
        for pair in (first, second):
            assert len(pair.source) == length
            assert split_of(pair.source) != "train"


def test_differences_are_marked_where_they_are():
    assert differing_positions(tuple("abc"), tuple("ac")) == ((1,), ())
    assert differing_positions(tuple("ab"), tuple("axb")) == ((), (1,))
    assert differing_positions((), ("a",)) == ((), (0,))
    assert differing_positions(tuple("abcd"), tuple("xabcd")) == (
        (),
        (0,),
    )  # words after an extra word are not marked
    assert differing_positions(tuple("xabyczz"), tuple("xyabc")) == ((3, 5, 6), (1,))


@given(words, words)
def test_what_does_not_differ_is_the_same_in_both(first, second):
    lost, new = differing_positions(first, second)
    kept = [
        [word for n, word in enumerate(sentence) if n not in places]
        for sentence, places in ((first, lost), (second, new))
    ]
    assert kept[0] == kept[1]
    assert (not lost and not new) == (first == second)
    some = {part for many in range(len(first) + 1) for part in combinations(first, many)}
    both = some & {part for many in range(len(second) + 1) for part in combinations(second, many)}
    assert len(kept[0]) == max(map(len, both)), "no more is marked than must be"
