"""Questions about stories, with answers found in the story's own words: data for instruction tuning.

A question is asked only if the story answers it without doubt. Names, colours and objects come from the
corpus, so the questions follow when its words change.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from models.tasks.corpus import Corpus

MAX_STORY_WORDS = 40
KINDS = ("who", "what", "like")
SENTENCE_ENDS = (".", "?")
OPENING_MARKS, CLOSING_MARKS = ("“", "("), ("”", ")")
BEFORE_SUBJECT = ("", ",", "poor")  # what may precede a name that is the subject of a sentence
MIN_PREDICATE_WORDS, MAX_PREDICATE_WORDS = 2, 8
MARKS = frozenset("“ ” ( ) : , . ?".split())


class StoryQuestion(NamedTuple):
    """A question about the beginning of a story. The model reads `prompt` and must write the answer."""

    kind: str
    story: tuple[str, ...]
    question: tuple[str, ...]
    answer: tuple[str, ...]
    rivals: int = 0  # number of other words in the story that could answer a question of this kind

    @property
    def prompt(self) -> tuple[str, ...]:
        return make_prompt(self.story, self.question)


def make_prompt(story: Sequence[str], question: Sequence[str]) -> tuple[str, ...]:
    """Fill the prompt template: the story, then the question in quotation marks."""
    return (*story, "“", *question, "”")


def beginning(tokens: Sequence[str]) -> tuple[str, ...]:
    """The first whole sentences of a story, at most MAX_STORY_WORDS words, with no open quotation mark."""
    end = opened = 0
    for i, word in enumerate(tokens[:MAX_STORY_WORDS], start=1):
        opened += (word in OPENING_MARKS) - (word in CLOSING_MARKS)
        if word in SENTENCE_ENDS and not opened:
            end = i
    return tuple(tokens[:end])


def questions_about(story: Sequence[str], choices: Mapping[str, Sequence[str]]) -> Iterator[StoryQuestion]:
    """All questions of the three kinds that have a unique answer in this story.

    `choices` are the names, colours and objects that can be asked for.
    """
    words = tuple(story)
    names, colours, objects = (set(choices[kind]) for kind in ("name", "colour", "object"))
    rivals = {
        kind: len(found.intersection(words)) - 1
        for kind, found in zip(KINDS, (names, objects, colours), strict=True)
    }
    subjects = sorted({(predicate, name) for name, predicate in predicates(words, names)})
    for predicate, name in subjects:
        if sum(predicate == other for other, _ in subjects) == 1:
            yield StoryQuestion("who", words, ("who", *predicate, "?"), (name, "."), rivals["who"])
    pairs = sorted({(a, b) for a, b in pairwise(words) if a in colours and b in objects})
    for colour, thing in pairs:
        if sum(colour == other for other, _ in pairs) == 1:
            yield StoryQuestion(
                "what", words, ("what", "was", colour, "?"), ("the", thing, "."), rivals["what"]
            )
        if sum(thing == other for _, other in pairs) == 1:
            yield StoryQuestion(
                "like", words, ("what", "was", "the", thing, "like", "?"), (colour, "."), rivals["like"]
            )


def predicates(words: Sequence[str], names: set[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each name that is the subject of a sentence, with the predicate of the sentence."""
    for i, word in enumerate(words):
        before = words[i - 1] if i and words[i - 1] not in SENTENCE_ENDS else ""
        if word in names and before in BEFORE_SUBJECT:
            end = next((j for j in range(i + 1, len(words)) if words[j] in MARKS), len(words))
            predicate = tuple(words[i + 1 : end])
            is_plain = end < len(words) and words[end] in (".", ",") and "and" not in predicate[:1]
            if is_plain and MIN_PREDICATE_WORDS <= len(predicate) <= MAX_PREDICATE_WORDS:
                yield word, predicate


def draw_questions(corpus: Corpus, split: str, count: int, seed: int = 0) -> list[StoryQuestion]:
    """Every question about the beginnings of `count` stories of a split."""
    stories = corpus.draw_documents(split, count, seed, kind="story")
    return [
        question for story in stories for question in questions_about(beginning(story.tokens), corpus.choices)
    ]
