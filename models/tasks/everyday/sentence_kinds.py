"""Every kind of sentence, with its weight."""

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
    (46, statements.draw_statement),
    (9, statements.draw_yes_no_question),
    (2, statements.draw_polite_request),
    (6, statements.draw_order),
    (14, being.draw_description),
    (3, being.draw_it_is),
    (1, statements.draw_name),
    (1, statements.draw_greeting),
    (3, weather.draw_weather_sentence),
    (2, weather.draw_time_of_day),
    (4, weather.draw_existence),
    (12, questions.draw_wh_question),
    (20, by_word.draw_with_any_noun),
    (2, by_word.draw_rare_noun),
    (1, by_word.draw_wait_a_second),
    (1, by_word.draw_what_happened),
    (1, by_word.draw_future_or_date),
    (1, by_word.draw_one_dollar),
    (3, by_word.draw_rare_adjective),
    (10, by_word.draw_with_any_verb),
    (7, by_word.draw_any_comparison),
)
# The French construction differs from the English one.
IDIOMATIC: tuple[Callable[[Draft], Sentence], ...] = repeat_by_weight(
    (3, indefinite.draw_everyone),
    (3, indefinite.draw_nobody),
    (3, indefinite.draw_nothing),
    (3, indefinite.draw_something),
    (2, indefinite.draw_ownership),
    (2, states.draw_pain),
    (1, states.draw_illness),
    (2, states.draw_looks),
    (2, states.draw_becoming),
    (2, spans.draw_just),
    (2, spans.draw_been_to),
    (2, spans.draw_duration),
    (1, degrees.draw_best),
    (7, degrees.draw_superlative),
    (2, degrees.draw_more_than),
    (3, contents.draw_measure),
    (1, contents.draw_full_of),
    (5, contents.draw_passive),
    (1, states.draw_well_being),
    (1, states.draw_thanks),
    (2, states.draw_again),
    (2, contents.draw_topic),
    (3, contents.draw_for_somebody),
    (1, spans.draw_birth),
    (2, indefinite.draw_all_of),
    (2, contents.draw_origin),
    (1, contents.draw_letter_from),
    (2, contents.draw_distance),
    (2, degrees.draw_favourite),
    (3, degrees.draw_attribute),
    (2, spans.draw_frequency),
    (7, spans.draw_in_year),
    (2, contents.draw_without),
    (2, contents.draw_material),
    (1, contents.draw_across),
    (1, indefinite.draw_each_other),
    (1, contents.draw_around),
    (8, contents.draw_there_are),
    (3, contents.draw_two_objects),
    (3, indefinite.draw_two_subjects),
)
COMPOUND: tuple[Callable[[Draft], Phrase], ...] = repeat_by_weight(  # sentences with two clauses
    (9, joining.draw_because),
    (5, joining.draw_so),
    (2, joining.draw_as),
    (4, joining.draw_if),
    (3, joining.draw_wish),
    (5, timing.draw_when_past),
    (3, timing.draw_childhood),
    (2, timing.draw_used_to),
    (5, timing.draw_when_future),
    (3, timing.draw_when_habit),
    (3, timing.draw_while),
    (8, sequences.draw_same_subject),
    (7, sequences.draw_two_people),
    (5, joining.draw_but),
    (1, joining.draw_search),
    (3, joining.draw_two_qualities),
    (4, joining.draw_contrast),
    (8, reported.draw_that),
    (1, reported.draw_hope),
    (5, reported.draw_subject_relative),
    (6, reported.draw_object_relative),
    (5, sequences.draw_purpose),
    (4, sequences.draw_before_after),
    (2, timing.draw_had_left),
)
