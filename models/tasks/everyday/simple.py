"""Sentences of one clause, each kind as often as its weight."""

from collections.abc import Callable

from models.tasks.everyday.being import description, it_is
from models.tasks.everyday.by_word import (
    a_good_place,
    any_comparison,
    any_noun_sentence,
    any_verb_sentence,
    future_and_date,
    one_dollar,
    seldom_said,
    wait_a_second,
    what_happened,
)
from models.tasks.everyday.draft import Draft
from models.tasks.everyday.questions import wh_question
from models.tasks.everyday.statements import (
    giving_order,
    greeting,
    name_is,
    polite_request,
    statement,
    yes_no_question,
)
from models.tasks.everyday.subjects import Sentence
from models.tasks.everyday.weather import existence, telling_time, weather_sentence

SIMPLE: tuple[Callable[[Draft], Sentence], ...] = (
    *(statement,) * 46,
    *(yes_no_question,) * 9,
    *(polite_request,) * 2,
    *(giving_order,) * 6,
    *(description,) * 14,
    *(it_is,) * 3,
    name_is,
    *(greeting,) * 1,
    *(weather_sentence,) * 3,
    *(telling_time,) * 2,
    *(existence,) * 4,
    *(wh_question,) * 12,
    *(any_noun_sentence,) * 20,
    *(a_good_place,) * 2,
    wait_a_second,
    what_happened,
    future_and_date,
    one_dollar,
    *(seldom_said,) * 3,
    *(any_verb_sentence,) * 10,
    *(any_comparison,) * 7,
)
