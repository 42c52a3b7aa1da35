"""Helpers for tests of several lessons and several parts of the site."""

from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder

from lessons.kit.contract import Exercise, Experiment, Lesson, Result, State
from lessons.kit.pictures.base import Picture

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}

# the first line of a program that needs only a part of `lessons`: the package itself loads the whole course
WITHOUT_COURSE = (
    "import sys, types; sys.modules['lessons'] = types.ModuleType('lessons');"
    " sys.modules['lessons'].__path__ = ['lessons']\n"
)

EVERYDAY_SENTENCES = (  # typed as learners type: names, contractions, digits, emoji, no final mark
    "My neighbour Sara bought a second-hand bike yesterday.",
    "I don't like pizza!",
    "what's your name",
    "Can you help me with my homework?",
    "Tanmoy lives in Berlin and works for Google.",
    "It's 25 degrees outside 🌞",
    "We watched Netflix until 2 a.m.",
    "She said: “I'll be back”.",
    "He isn't here. He went home.",
    "the wifi is down again",
    "My cat’s favourite toy is a mouse…",
    "Ich komme aus Deutschland",
    "LOL that was funny",
    "He ran 10,000 metres in 31:45",
    "Please close the door, it's cold!",
    "Attention is all you need",
    "I've never been to São Paulo",
    "100% of students passed the exam (really)",
    "Hello",
    "The quick brown fox jumps over the lazy dog",
)


LONGEST_SENTENCE = (  # 40 words, the maximum length
    "my friend writes the book while this girl eats the soup , and when it is raining cats and dogs , "
    "i buy the fish in the street , and this sick young woman and these nurses are french ."
)


def run(lesson: Lesson, slug: str, /, **values: Any) -> Result:
    """Run an experiment with these values, and defaults for the others."""
    return lesson.experiment(slug).run(values)


def exercise(lesson: Lesson, slug: str) -> Exercise:
    """Find an exercise by its slug."""
    return next(each for each in lesson.exercises if each.slug == slug)


def preset(lesson: Lesson, slug: str, title: str) -> Result:
    """Run the preset with this title."""
    experiment = lesson.experiment(slug)
    return experiment.run(next(item.state for item in experiment.presets if item.title == title))


def changed(lesson: Lesson, slug: str, /, **values: Any) -> State:
    """Return the default state with these values changed."""
    return lesson.experiment(slug).state(values)


def payload(experiment: Experiment, **values: Any) -> int:
    """Total size in bytes of all pictures of one event."""
    result = experiment.run(values)
    shown = [view(result) for view in experiment.all_views]
    return sum(len(picture.svg().encode()) for picture in shown if isinstance(picture, Picture))


def takes_only(exercise: Exercise, right: tuple[Any, State], *wrong: tuple[Any, State]) -> None:
    """Check that an exercise accepts the first (answer, state) pair and rejects the others with a message."""
    verdict = exercise.check(*right)
    assert verdict.ok, verdict.message
    for answer in wrong:
        verdict = exercise.check(*answer)
        assert not verdict.ok, answer
        assert verdict.message, answer


class Reader(HTMLParser):
    """Build a tree of elements; a tag closed twice, never, or in the wrong order is an error."""

    def __init__(self) -> None:
        super().__init__()
        self.tree, self.open = TreeBuilder(), ["root"]
        self.tree.start("root", {})

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tree.start(tag, {name: value or "" for name, value in attributes})
        if tag in VOID:
            self.tree.end(tag)
        else:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes another element"
        self.tree.end(tag)

    def handle_data(self, data: str) -> None:
        self.tree.data(data)


def parse_html(html: str) -> Element:
    """Parse HTML into a tree below a new `root` element."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == ["root"], f"never closed: {reader.open[1:]}"
    reader.tree.end("root")
    return reader.tree.close()


def by_class(found: Element, name: str) -> list[Element]:
    return [each for each in found.iter() if name in each.get("class", "").split()]


def text_of(found: Element) -> str:
    """Text of an element, with single spaces."""
    return " ".join(" ".join(found.itertext()).split())


def numbers_of(lessons: Sequence[Lesson]) -> list[int]:
    """Number lessons from 1; a lesson with its own number keeps it, and the next one continues from there."""
    numbers: list[int] = []
    for lesson in lessons:
        following = numbers[-1] + 1 if numbers else 1
        numbers.append(following if lesson.number is None else lesson.number)
    return numbers
