"""Every kind of sentence, with how often it is drawn."""

from collections.abc import Callable
from typing import TypeVar

from models.tasks.everyday import (
    being,
    by_word,
    contents,
    degrees,
    indefinite,
    joining,
    questions,
    reported,
    sequences,
    spans,
    statements,
    states,
    timing,
    weather,
)
from models.tasks.everyday.draft import Draft
from models.tasks.everyday.subjects import Sentence
from models.tasks.translation.phrase import Phrase

Result = TypeVar("Result")


def repeat_by_weight(
    *kinds: tuple[int, Callable[[Draft], Result]],
) -> tuple[Callable[[Draft], Result], ...]:
    return tuple(build for weight, build in kinds for _ in range(weight))


SIMPLE: tuple[Callable[[Draft], Sentence], ...] = repeat_by_weight(
    (46, statements.statement),
    (9, statements.yes_no_question),
    (2, statements.polite_request),
    (6, statements.giving_order),
    (14, being.description),
    (3, being.it_is),
    (1, statements.name_is),
    (1, statements.greeting),
    (3, weather.weather_sentence),
    (2, weather.telling_time),
    (4, weather.existence),
    (12, questions.wh_question),
    (20, by_word.any_noun_sentence),
    (2, by_word.a_good_place),
    (1, by_word.wait_a_second),
    (1, by_word.what_happened),
    (1, by_word.future_and_date),
    (1, by_word.one_dollar),
    (3, by_word.seldom_said),
    (10, by_word.any_verb_sentence),
    (7, by_word.any_comparison),
)
IDIOMATIC: tuple[Callable[[Draft], Sentence], ...] = repeat_by_weight(  # French says them in its own way
    (3, indefinite.everyone),
    (3, indefinite.nobody),
    (3, indefinite.nothing),
    (3, indefinite.something),
    (2, indefinite.belongs),
    (2, states.hurts),
    (1, states.illness),
    (2, states.looks),
    (2, states.becomes),
    (2, spans.just),
    (2, spans.been_to),
    (2, spans.for_two_years),
    (1, degrees.best),
    (7, degrees.superlative),
    (2, degrees.more_than),
    (3, contents.measured),
    (1, contents.full_of),
    (5, contents.passive),
    (1, states.fine),
    (1, states.thanks),
    (2, states.again),
    (2, contents.with_topic),
    (3, contents.for_somebody),
    (1, spans.born),
    (2, indefinite.all_of),
    (2, contents.comes_from),
    (1, contents.letter_from),
    (2, contents.far),
    (2, degrees.favourite),
    (3, degrees.attributes),
    (2, spans.times_a_week),
    (7, spans.in_year),
    (2, contents.without),
    (2, contents.made_of),
    (1, contents.across),
    (1, indefinite.each_other),
    (1, contents.around),
    (8, contents.there_are_many),
    (3, contents.both_objects),
    (3, indefinite.two_subjects),
)
COMPOUND: tuple[Callable[[Draft], Phrase], ...] = repeat_by_weight(  # two clauses
    (9, joining.because),
    (5, joining.so),
    (2, joining.as_cause),
    (4, joining.if_present),
    (3, joining.if_past),
    (5, timing.when_past),
    (3, timing.childhood),
    (2, timing.used_to),
    (5, timing.when_future),
    (3, timing.when_habit),
    (3, timing.while_clause),
    (8, sequences.same_subject),
    (7, sequences.two_people),
    (5, joining.but_obstacle),
    (1, joining.searched),
    (3, joining.two_states),
    (4, joining.contrast),
    (8, reported.that),
    (1, reported.hope_well),
    (5, reported.subject_relative),
    (6, reported.object_relative),
    (5, sequences.purpose),
    (4, sequences.before_after),
    (2, timing.had_left),
)
