"""Summaries: a short story → one sentence on what happened to each thing (lesson `bottleneck`).

The owner, the colour, the last event and its place stand in different sentences of the story, so a summary
cannot be copied from one of them. Longer stories are about two things, and their summary has two clauses.
"""

import random

from models.tasks.short_stories import (
    CARRIED,
    COLOURS,
    MOST_WORDS,
    NAMES,
    PERSONS,
    POSSESSIVES,
    PREPOSITIONS,
    PRONOUNS,
    VERBS,
    VISITED,
    Plot,
    draw_story,
    follow,
    story_words,
)
from models.tasks.task import Pair, Task
from models.vocabulary import Vocabulary

UNLIKE_TRAINING = (
    "Unlike the stories in training: the rules of the story grammar cannot follow it, so nothing says whether"
    " the summary is right."
)


def summarise(plot: Plot, thing: str) -> tuple[str, ...]:
    """The clause about one thing: “tom found mira's red kite behind the barn”."""
    last, owner = plot.last_events[thing], plot.owners[thing]
    own = POSSESSIVES[PRONOUNS[owner]] if owner == last.actor else f"{owner}'s"
    back = ("back",) if last.receiver == owner else ()
    colour = (plot.colours[thing],) if thing in plot.colours else ()
    to = ("to", *(("the",) if last.receiver in PERSONS else ()), last.receiver) if last.receiver else ()
    return last.actor, last.verb, "the" if back else own, *colour, thing, *back, *to, *last.where


def summary(source: tuple[str, ...]) -> tuple[str, ...] | None:
    """The summary of a story; None if the rules cannot parse it, or if nothing happens to a thing."""
    plot = follow(source)
    if not plot or any(event.verb == "had" for event in plot.last_events.values()):
        return None
    first, *others = (summarise(plot, thing) for thing in plot.owners)
    return *first, *(word for clause in others for word in (",", "and", *clause)), "."


def draw_summary(rng: random.Random, lengths: range) -> Pair:
    story = draw_story(rng, lengths)
    target = summary(story)
    assert target, story
    return Pair(story, target)


def describe_unseen_story(source: tuple[str, ...]) -> str:
    return "" if summary(source) else UNLIKE_TRAINING


SUMMARIES = Task(
    "summaries",
    Vocabulary.of(story_words()),
    Vocabulary.of(
        (
            *(*NAMES, *(f"{name}'s" for name in NAMES), *POSSESSIVES.values(), *VERBS, *COLOURS, *CARRIED),
            *(*PERSONS, *PREPOSITIONS, *VISITED, *", and . the to back".split()),
        )
    ),
    draw_summary,
    lengths=range(3, MOST_WORDS + 1),
    answer=summary,
    unseen=describe_unseen_story,
)
