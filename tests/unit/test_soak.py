"""The soak test's clients reach every experiment with new states and notice errors."""

import random
from collections import Counter
from urllib.parse import urlsplit

import pytest

from lessons import LESSONS
from lessons.kit import link
from lessons.kit.contract import Experiment, Lesson
from tests.bench import soak
from tests.bench.client import Call
from tests.bench.soak import ALLOWED_ERRORS, KINDS, SoakClient
from tests.toy import LESSON as TOY


def visitor(address: str = "http://127.0.0.1:1", lessons: tuple[Lesson, ...] = (TOY,)) -> SoakClient:
    return SoakClient(urlsplit(address).port or 0, lessons, 0)


def test_states_are_valid_and_seldom_the_same():
    one = visitor(lessons=LESSONS)
    seen: Counter[Experiment] = Counter()
    links = set()
    for _ in range(1200):
        place = one.chance.choice(one.places)
        state = one.state(place)
        assert place.experiment.state(state) == state
        seen[place.experiment] += 1
        links.add((place.lesson, link.encode(place.experiment, state)))
    assert len(seen) == len(one.places)
    assert len(links) > 400


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "own pairs"])
def test_each_kind_of_request_is_answered(toy, kind):
    one = visitor(toy)
    for _ in range(8):
        one.ask(one.call(kind), ALLOWED_ERRORS)
    one.client.close()


def test_own_pairs_are_sent_and_differ():
    one = visitor(lessons=LESSONS)
    calls = [one.own_pairs() for _ in range(3)]
    assert {(call.method, call.path) for call in calls} == {("POST", "/draw/training/own")}
    assert len({call.body for call in calls}) == 3


def test_an_error_of_ours_is_seen(toy, monkeypatch):
    one = visitor(toy)
    with pytest.raises(ValueError, match="404"):
        one.ask(Call("GET", "/draw/toy/nowhere"), ())
    one.ask(Call("GET", "/draw/toy/nowhere"), (404,))
    monkeypatch.setattr(soak, "SORRY", "toy-sizes-lengths")  # a text that every (compressed) drawing contains
    with pytest.raises(ValueError, match="toy-sizes-lengths"):
        one.ask(Call("GET", "/draw/toy/sizes"), ())
    one.client.close()


def test_a_text_keeps_its_words_and_its_final_mark():
    one = visitor()
    one.chance = random.Random(3)
    texts = {one.text(["she is very old ."]) for _ in range(40)}
    assert len(texts) > 3
    assert {tuple(sorted(text.split())) for text in texts} == {tuple(sorted("she is very old .".split()))}
    assert all(text.endswith(" .") for text in texts)
