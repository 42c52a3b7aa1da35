"""The toy tasks: reversal, copy, addition and dates."""

import hashlib
import os
import random
import subprocess
import sys
from collections import Counter
from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.tasks.task import SPLITS
from models.tasks.toys import ADDITION, COPY, DATES, FIRST, FORMATS, LAST, REVERSAL, align_date, write_date
from models.vocabulary import InputError

TASKS = (REVERSAL, COPY, ADDITION, DATES)
seeds = st.integers(0, 2**32)
each_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)


def draw_pairs(task, count=300, lengths=None, seed=0):
    rng = random.Random(seed)
    return [task.draw(rng, lengths or task.lengths) for _ in range(count)]


# ---- all four tasks ----


@each_task
def test_only_known_characters_and_all_of_them(task):
    pairs = draw_pairs(task, 3000)
    assert {c for pair in pairs for c in pair.source} == set(task.source.words[3:])
    assert {c for pair in pairs for c in pair.target} == set(task.target.words[3:])


@each_task
def test_splits_share_no_source(task):
    sources = [
        {pair.source for pair in task.pairs(split, 150, seed)} - task.course_sources
        for seed in range(2)
        for split in SPLITS
    ]
    for k, split in enumerate(sources):
        assert len(split) == 150
        for other, more in enumerate(sources):
            assert k % 3 == other % 3 or not split & more


@each_task
def test_what_is_drawn_can_be_typed(task):
    for pair in draw_pairs(task):
        assert task.read(task.join(pair.source)) == pair.source
        assert task.read(task.join(pair.source).upper()) == pair.source
        assert task.read_target(task.join(pair.target)) == pair.target


@each_task
def test_the_rule_answers_whatever_is_typed_as_the_pairs_do(task):
    for pair in draw_pairs(task):
        assert task.answer(task.read(task.join(pair.source))) == pair.target


@each_task
def test_links_stay_inside_the_pair(task):
    for pair in draw_pairs(task):
        assert all(0 <= t < len(pair.target) and 0 <= i < len(pair.source) for t, i in pair.alignment)


@each_task
def test_ten_thousand_characters_are_refused(task):
    with pytest.raises(InputError, match=r"10,000 characters\. Use at most"):
        task.read("a" * 10_000)


@each_task
@pytest.mark.parametrize("text", ["", " ", "🙂", "<bos>", "<script>", "שלום", "\x00"])
def test_strange_text_is_refused(task, text):
    with pytest.raises(InputError, match=r"^(Type|The model)"):
        task.read(text)


PRINT_HASH = """
import hashlib
from models.tasks.toys import ADDITION, COPY, DATES, REVERSAL
tasks = REVERSAL, COPY, ADDITION, DATES
pairs = [(p.source, p.target, sorted(p.alignment)) for t in tasks for p in t.pairs("test", 20, seed=1)]
print(hashlib.sha256(repr((pairs, [(t.source.words, t.target.words) for t in tasks])).encode()).hexdigest())
"""


def test_every_process_draws_the_same():
    pairs = [
        (p.source, p.target, sorted(p.alignment)) for task in TASKS for p in task.pairs("test", 20, seed=1)
    ]
    here = hashlib.sha256(
        repr((pairs, [(t.source.words, t.target.words) for t in TASKS])).encode()
    ).hexdigest()
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        there = subprocess.run(
            [sys.executable, "-c", PRINT_HASH], env=environment, capture_output=True, text=True, check=True
        )
        assert there.stdout.strip() == here


# ---- reversal and copy ----


@given(seeds, st.integers(1, 40))
def test_reversal_twice_is_the_identity(seed, length):
    pair = REVERSAL.draw(random.Random(seed), range(length, length + 1))
    assert len(pair.source) == length
    assert tuple(reversed(pair.target)) == pair.source


@given(seeds)
def test_copy_is_the_identity(seed):
    pair = COPY.draw(random.Random(seed), range(1, 41))
    assert pair.target == pair.source


@pytest.mark.parametrize("task", [REVERSAL, COPY], ids=lambda task: task.name)
def test_links_join_equal_letters_one_to_one(task):
    for pair in draw_pairs(task):
        places = range(len(pair.source))
        assert sorted(t for t, _ in pair.alignment) == sorted(i for _, i in pair.alignment) == list(places)
        assert all(pair.target[t] == pair.source[i] for t, i in pair.alignment)
        last = len(pair.source) - 1
        assert all(i == (last - t if task is REVERSAL else t) for t, i in pair.alignment)


@pytest.mark.parametrize("task", [REVERSAL, COPY], ids=lambda task: task.name)
@pytest.mark.parametrize("lengths", [range(1, 21), range(15, 41)])
def test_lengths_are_spread_evenly(task, lengths):
    count = 200 * len(lengths)
    found = Counter(len(pair.source) for pair in draw_pairs(task, count, lengths))
    assert set(found) == set(lengths)
    assert all(140 <= found[length] <= 260 for length in lengths)  # limits at four standard deviations


def test_typed_letters_lose_their_spaces_only():
    assert REVERSAL.read("Hello World") == tuple("helloworld")
    assert REVERSAL.read_target("d l r o w") == tuple("dlrow")
    with pytest.raises(InputError, match=r"no character “1”, “é”\. Use only a–z\."):
        COPY.read("a1é")
    with pytest.raises(InputError, match=r"41 characters\. Use at most 40\."):
        COPY.read("a" * 41)
    assert len(COPY.read("a b " * 20)) == 40


# ---- addition ----


def operands(pair):
    return [int(number) for number in "".join(pair.source).split("+")]


@given(seeds)
def test_addition_equals_python_s(seed):
    pair = ADDITION.draw(random.Random(seed), range(3, 8))
    assert int("".join(pair.target)) == sum(operands(pair))
    assert "".join(pair.target) == str(sum(operands(pair)))
    assert not pair.alignment


@pytest.mark.parametrize(
    ("lengths", "sizes"),
    [
        (range(3, 6), {(1, 1), (1, 2), (2, 1), (2, 2)}),
        (range(5, 6), {(2, 2)}),
        (range(6, 7), {(2, 3), (3, 2)}),
        (range(3, 8), {(a, b) for a in (1, 2, 3) for b in (1, 2, 3)}),
    ],
)
def test_lengths_decide_the_size_of_the_numbers(lengths, sizes):
    pairs = draw_pairs(ADDITION, 3000, lengths)
    assert all(len(pair.source) in lengths for pair in pairs)
    found = Counter(tuple(len(number) for number in "".join(pair.source).split("+")) for pair in pairs)
    assert set(found) == sizes
    assert min(found.values()) > 0.7 * len(pairs) / len(sizes)  # all sizes are about equally frequent


def test_every_number_of_a_size_is_drawn():
    assert {n for pair in draw_pairs(ADDITION, 3000, range(3, 6)) for n in operands(pair)} == set(range(100))


@pytest.mark.parametrize("text", ["27+58", "27 + 58", " 27\t+ 58\u00a0"])
def test_a_typed_sum_may_have_spaces(text):
    assert ADDITION.read(text) == tuple("27+58")


@pytest.mark.parametrize("text", ["0+0", "999+999", "7+0"])
def test_the_smallest_and_largest_sums(text):
    assert ADDITION.read(text) == tuple(text)


@pytest.mark.parametrize("text", ["27+58", "0+0", "999+999"])
def test_a_sum_like_those_in_training_has_no_remark(text):
    assert ADDITION.unseen(ADDITION.read(text)) == ""


@pytest.mark.parametrize(
    ("text", "answer", "said"),
    [
        ("12345+6", "12351", "0 to 999"),
        ("1+2+3", "6", "two numbers"),
        ("007+5", "12", "leading zeros"),
        ("27", None, "two numbers"),
        ("+5", None, "two numbers"),
        ("5+", None, "two numbers"),
        ("9" * 20 + "+" + "9" * 19, str(int("9" * 20) + int("9" * 19)), "0 to 999"),
    ],
)
def test_other_sums_are_read_with_a_remark(text, answer, said):
    source = ADDITION.read(text)
    assert source == tuple(text)
    assert ADDITION.answer(source) == (tuple(answer) if answer else None)
    assert said in ADDITION.unseen(source)


@pytest.mark.parametrize(
    ("text", "nearest"),
    [("7*8", "7+8"), ("27-58", "27+58"), ("27+58=", "27+58"), ("2.5+1", "2+5+1"), ("ten", ""), ("٢+٣", "")],
)
def test_a_sum_with_unknown_characters_is_refused_with_the_nearest_sum(text, nearest):
    with pytest.raises(InputError, match="no character") as error:
        ADDITION.read(text)
    assert error.value.nearest == nearest


def test_lengths_that_no_sum_has():
    with pytest.raises(ValueError, match="no sum"):
        ADDITION.draw(random.Random(0), range(8, 12))


# ---- dates ----

PYTHON_FORMATS = ("%d %B %Y", "%B %d, %Y", "%A, %B %d, %Y", "%A %d %B %Y", "%d %b %Y", "%b %d, %Y")


def parse(text):
    """Parse the date with Python's own parser."""
    for suffix in ("st of", "nd of", "rd of", "th of"):
        text = text.replace(suffix, "").replace("  ", " ")
    text = text.removeprefix("the ")
    for suffix in ("st,", "nd,", "rd,", "th,"):
        text = text.replace(suffix, ",")
    if "'" in text:
        text, short = text.split("'")
        text += ("19" if short >= "50" else "20") + short
    for form in PYTHON_FORMATS:
        try:
            return datetime.strptime(text, form).date()
        except ValueError:
            continue
    raise AssertionError(text)


@given(st.dates(FIRST, LAST), st.sampled_from(FORMATS))
def test_a_written_date_is_what_python_reads(day, form):
    text, places = write_date(day, form)
    assert parse(text) == day
    assert DATES.read(text) == tuple(text)
    if "weekday" in places:  # strptime does not check the weekday
        assert "".join(text[i] for i in places["weekday"]) == day.strftime("%A").lower()


@given(seeds)
def test_a_drawn_date_goes_to_iso(seed):
    pair = DATES.draw(random.Random(seed), DATES.lengths)
    assert date.fromisoformat("".join(pair.target)) == parse("".join(pair.source))
    assert FIRST <= date.fromisoformat("".join(pair.target)) <= LAST


def test_every_format_as_people_write_it():
    assert [write_date(date(1992, 3, 3), form)[0] for form in FORMATS] == [
        "3 march 1992",
        "march 3, 1992",
        "the 3rd of march 1992",
        "tuesday, march 3, 1992",
        "tuesday 3 march 1992",
        "march 3rd, 1992",
        "3 mar 1992",
        "mar 3, 1992",
        "3 mar '92",
    ]
    ordinals = [
        write_date(date(2000, 1, day), "{ordinal}")[0]
        for day in (1, 2, 3, 4, 10, 11, 12, 13, 21, 22, 23, 30, 31)
    ]
    assert ordinals == [
        "1st",
        "2nd",
        "3rd",
        "4th",
        "10th",
        "11th",
        "12th",
        "13th",
        "21st",
        "22nd",
        "23rd",
        "30th",
        "31st",
    ]


def test_no_two_dates_are_written_alike():
    written = {}
    for ordinal in range(FIRST.toordinal(), LAST.toordinal() + 1, 7):
        day = date.fromordinal(ordinal)
        for form in FORMATS:
            assert written.setdefault(write_date(day, form)[0], day) == day


@given(st.dates(FIRST, LAST), st.sampled_from(FORMATS))
def test_links_of_a_date(day, form):
    text, places = write_date(day, form)
    iso, links = day.isoformat(), align_date(day, places)
    by_target = {t: sorted(i for s, i in links if s == t) for t in range(10)}
    assert by_target[4] == by_target[7] == []  # hyphens have no source
    years = range(0 if "year" in places else 2, 4)
    for t in (*years, *(range(8, 10) if day.day > 9 else [9])):  # each digit comes from one digit
        assert [text[i] for i in by_target[t]] == [iso[t]]
    if "yy" in places:  # the tens digit decides the century
        assert by_target[0] == by_target[1] == by_target[2]
    if day.day < 10:
        assert by_target[8] == []
    assert by_target[5] == by_target[6]
    assert "".join(text[i] for i in by_target[5]) in (day.strftime("%B").lower(), day.strftime("%b").lower())


@pytest.mark.parametrize(
    "lengths", [range(9, 10), range(9, 15), range(28, 30), *(range(n, n + 1) for n in range(10, 29, 3))]
)
def test_dates_of_the_lengths_asked_for(lengths):
    assert all(len(pair.source) in lengths for pair in draw_pairs(DATES, 20, lengths))


@pytest.mark.parametrize("lengths", [range(1, 9), range(30, 40)])
def test_lengths_that_no_date_has(lengths):
    with pytest.raises(ValueError, match="no written date"):
        DATES.draw(random.Random(0), lengths)


@pytest.mark.parametrize(
    "text", ["3 March 1992", "3  march\u00a01992", "Tuesday, March 3, 1992", "3 mar ’92"]
)
def test_typed_dates(text):
    assert DATES.read(text) == DATES.read(text.lower().replace("’", "'"))


@pytest.mark.parametrize(
    ("text", "answer", "said"),
    [
        ("hello", None, "month as a word"),
        ("march 1992", None, "month as a word"),
        ("3 mar 92", None, "month as a word"),  # 92 could be a day or a year; '92 is a year
        ("30 february 1992", None, "dates that exist"),
        ("3 march 1949", "1949-03-03", "1950 to 2049"),
        ("3 march 2050", "2050-03-03", "1950 to 2049"),
        ("monday, march 3, 1992", "1992-03-03", "3 march 1992"),  # wrong weekday: 3 March 1992 was a Tuesday
        ("3th march 1992", "1992-03-03", "3 march 1992"),
    ],
)
def test_other_dates_are_read_with_a_remark(text, answer, said):
    source = DATES.read(text)
    assert source == tuple(text)
    assert DATES.answer(source) == (tuple(answer) if answer else None)
    assert said in DATES.unseen(source)


@given(st.dates(FIRST, LAST), st.sampled_from(FORMATS))
def test_a_date_like_those_in_training_has_no_remark(day, form):
    assert DATES.unseen(tuple(write_date(day, form)[0])) == ""


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("31/12/1999", "31 december 1999"),
        ("12/31/1999", "31 december 1999"),
        ("1992-03-04", "4 march 1992"),
        ("3.4.92", "3 april 1992"),
        ("3 march 1992!", "3 march 1992"),
        ("99/99/9999", "99 99 9999"),
    ],
)
def test_a_date_with_unknown_characters_is_refused_with_the_nearest_date(text, nearest):
    with pytest.raises(InputError, match="no character") as error:
        DATES.read(text)
    assert error.value.nearest == nearest
    assert DATES.read(nearest)


@pytest.mark.parametrize("task", [REVERSAL, COPY], ids=lambda task: task.name)
def test_letters_are_what_is_nearest_to_a_text(task):
    with pytest.raises(InputError) as error:
        task.read("Café, 24/7!")
    assert error.value.nearest == "cafe"


def test_a_two_digit_year_has_one_century():
    assert parse("3 mar '50") == date(1950, 3, 3)
    for text in ("3 mar '50", "3 mar '99", "3 mar '00", "3 mar '49", "29 feb '00"):
        assert DATES.unseen(DATES.read(text)) == ""
    assert "exist" in DATES.unseen(DATES.read("29 feb '50"))  # 2000 was a leap year, 1950 was not
