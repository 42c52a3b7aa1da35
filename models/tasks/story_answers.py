"""Questions about short stories: a story and a question → the answer in a few words (lesson `bottleneck`).

The question comes last, so an encoder without attention must keep the whole story until it knows what is
asked. Some questions are those of `story_questions`, asked about the story with its pronouns resolved.
"""

import random
from collections.abc import Iterator, Sequence

from models.tasks.short_stories import (
    CARRIED,
    COLOURS,
    MOST_WORDS,
    NAMES,
    PERSONS,
    PREPOSITIONS,
    VERBS,
    VISITED,
    Plot,
    draw_story,
    follow,
    story_words,
)
from models.tasks.story_questions import questions_about
from models.tasks.task import Pair, Task
from models.vocabulary import Vocabulary

CHOICES = {"name": NAMES, "colour": COLOURS, "object": CARRIED}
KINDS = ("who", "what", "like", "whose", "where", "went", "has")
QUESTION_WORDS = 12  # maximum length of a question
NO_QUESTION = "All inputs in training end with a question about the story, such as “who found the key ?”."
UNLIKE_TRAINING = (
    "Unlike the inputs in training: the rules of the story grammar find no answer to this question, so"
    " nothing says whether the output is right."
)
Words = tuple[str, ...]


def plot_questions(plot: Plot) -> Iterator[tuple[str, Words, Words]]:
    """All questions with a unique answer in the story: kind, question, answer."""
    for question in questions_about(plot.plain, CHOICES):
        yield question.kind, question.question, question.answer[:-1]  # the answer without its full stop
    for thing, owner in plot.owners.items():
        yield "whose", ("whose", "was", "the", thing, "?"), (owner,)
        if thing in plot.colours:
            yield "like", ("what", "colour", "was", "the", thing, "?"), (plot.colours[thing],)
        if holder := plot.last_events[thing].holder:
            answer = ("the", holder) if holder in PERSONS else (holder,)
            yield "has", ("who", "had", "the", thing, "in", "the", "end", "?"), answer
    for event in plot.events:
        same = [(other.verb, other.thing) for other in plot.events].count((event.verb, event.thing))
        if same == 1 and event.verb != "had":
            yield "who", ("who", event.verb, "the", event.thing, "?"), (event.actor,)
            if event.where:
                asked = ("where", "did", event.actor, VERBS[event.verb], "the", event.thing, "?")
                yield "where", asked, event.where
    for name, place in plot.journeys:
        if [other for other, _ in plot.journeys].count(name) == 1:
            yield "went", ("where", "did", name, "go", "?"), ("to", "the", place)


def answer(source: Words) -> Words | None:
    """The answer to the question at the end of a story; None if the rules cannot tell."""
    story, question = split_question(source)
    plot = follow(story)
    asked = (*(word for word in question if word != ","), "?")
    found = (
        {answer for _, other, answer in plot_questions(plot) if other == asked}
        if plot and question
        else set()
    )
    return found.pop() if len(found) == 1 else None


def split_question(source: Words) -> tuple[Words, Words]:
    """Split a text into the story and the question without its question mark; empty if there is none."""
    if not source or source[-1] != "?":
        return source, ()
    ends = [i for i, word in enumerate(source[:-1]) if word in (".", "!", "?")]
    start = ends[-1] + 1 if ends else 0
    return source[:start], source[start:-1]


def draw_question(rng: random.Random, lengths: range) -> Pair:
    """Draw a story and a question about it; all kinds of questions are equally likely."""
    while True:
        story = draw_story(rng, range(lengths[0] - QUESTION_WORDS, lengths[-1]))
        plot = follow(story)
        assert plot, story
        by_kind: dict[str, list[tuple[Words, Words]]] = {}
        for kind, question, right in plot_questions(plot):
            by_kind.setdefault(kind, []).append((question, right))
        question, right = rng.choice(by_kind[rng.choice([kind for kind in KINDS if kind in by_kind])])
        source = (*story, *question)
        if len(source) in lengths and answer(source) == right:
            return Pair(source, right)


def describe_unseen_question(source: Words) -> str:
    if not split_question(source)[1]:
        return NO_QUESTION
    return "" if answer(source) else UNLIKE_TRAINING


def question_words() -> Sequence[str]:
    return (
        *"who whose where what colour was like did go had in end the to of at on ?".split(),
        *VERBS.values(),
    )


ANSWERS = Task(
    "answers",
    Vocabulary.of((*story_words(), *question_words())),
    Vocabulary.of((*NAMES, *COLOURS, *CARRIED, *PERSONS, *PREPOSITIONS, *VISITED, "the", "to")),
    draw_question,
    lengths=range(3, MOST_WORDS + QUESTION_WORDS + 1),
    answer=answer,
    unseen=describe_unseen_question,
)
