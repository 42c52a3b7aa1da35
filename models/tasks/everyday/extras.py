"""Everyday constructions with a French of their own, each as often as its weight."""

from collections.abc import Callable

from models.tasks.everyday.contents import (
    across,
    around,
    both_objects,
    comes_from,
    far,
    for_somebody,
    full_of,
    letter_from,
    made_of,
    measured,
    passive,
    there_are_many,
    with_topic,
    without,
)
from models.tasks.everyday.degrees import attributes, best, favourite, more_than, superlative
from models.tasks.everyday.draft import Draft
from models.tasks.everyday.indefinite import (
    all_of,
    belongs,
    each_other,
    everyone,
    nobody,
    nothing,
    something,
    two_subjects,
)
from models.tasks.everyday.spans import been_to, born, for_two_years, in_year, just, times_a_week
from models.tasks.everyday.states import again, becomes, fine, hurts, illness, looks, thanks
from models.tasks.everyday.subjects import Sentence

EXTRAS: tuple[tuple[int, Callable[[Draft], Sentence]], ...] = (
    (3, everyone),
    (3, nobody),
    (3, nothing),
    (3, something),
    (2, belongs),
    (2, hurts),
    (1, illness),
    (2, looks),
    (2, becomes),
    (2, just),
    (2, been_to),
    (2, for_two_years),
    (1, best),
    (7, superlative),
    (2, more_than),
    (3, measured),
    (1, full_of),
    (5, passive),
    (1, fine),
    (1, thanks),
    (2, again),
    (2, with_topic),
    (3, for_somebody),
    (1, born),
    (2, all_of),
    (2, comes_from),
    (1, letter_from),
    (2, far),
    (2, favourite),
    (3, attributes),
    (2, times_a_week),
    (7, in_year),
    (2, without),
    (2, made_of),
    (1, across),
    (1, each_other),
    (1, around),
    (8, there_are_many),
    (3, both_objects),
    (3, two_subjects),
)

DRAWN = tuple(build for weight, build in EXTRAS for _ in range(weight))


def extra(draft: Draft) -> Sentence:
    return draft.pick(DRAWN)(draft)
