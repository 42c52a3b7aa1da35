"""Sentences of several clauses, each kind as often as its weight."""

from collections.abc import Callable

from models.tasks.everyday.draft import Draft
from models.tasks.everyday.joining import (
    as_cause,
    because,
    but_obstacle,
    contrast,
    if_past,
    if_present,
    searched,
    so,
    two_states,
)
from models.tasks.everyday.reported import hope_well, object_relative, subject_relative, that
from models.tasks.everyday.sequences import before_after, purpose, same_subject, two_people
from models.tasks.everyday.timing import (
    childhood,
    had_left,
    used_to,
    when_future,
    when_habit,
    when_past,
    while_clause,
)
from models.tasks.translation.phrase import Phrase

COMPOUND: tuple[tuple[int, Callable[[Draft], Phrase]], ...] = (
    (9, because),
    (5, so),
    (2, as_cause),
    (4, if_present),
    (3, if_past),
    (5, when_past),
    (3, childhood),
    (2, used_to),
    (5, when_future),
    (3, when_habit),
    (3, while_clause),
    (8, same_subject),
    (7, two_people),
    (5, but_obstacle),
    (1, searched),
    (3, two_states),
    (4, contrast),
    (8, that),
    (1, hope_well),
    (5, subject_relative),
    (6, object_relative),
    (5, purpose),
    (4, before_after),
    (2, had_left),
)

DRAWN = tuple(build for weight, build in COMPOUND for _ in range(weight))
