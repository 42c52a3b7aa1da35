"""Lesson 8, own pairs: whatever comes is read or refused with a sentence, and a run carries all that is left of it."""

import ast
import csv
import io
import json
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.kit.contract import InputError
from lessons.kit.controls import mark_of
from lessons.kit.jobs import artifacts
from lessons.kit.notices import collect_notices
from lessons.kit.web.export import encode_picture
from lessons.training import LESSON, exercises
from lessons.training.compute import own, reader, runs, samples
from lessons.training.compute.training import CHECKED
from lessons.training.views import live as live_views
from lessons.training.views import own as views

SETTINGS = {
    "cell": "GRU", "attention": "dot", "width": "8", "layers": 1, "power": -2.0, "batch": "8", "seed": 0, "budget": 5,
}  # fmt: skip
CONTROL = next(control for control in LESSON.experiment("own").controls if control.name == "pairs")


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setattr(artifacts, "STORE_PATHS", [str(tmp_path / "work.db")])


def tsv(count: int = 20) -> str:
    return "".join(f"one {n}\tun {n}\n" for n in range(count))


def asked(pairs: str = "", runs: tuple[str, ...] = (), **change) -> own.Own:
    given = {"sample": "English–French", "unit": "words", "sentence": ""} | SETTINGS | change
    return own.own(pairs=pairs, runs=runs, **given)


def trained(
    pairs: str = "", budget: float = 0.2, runs: tuple[str, ...] = (), work=own.train, **change
) -> own.Own:
    given = (
        {"sample": "English–French", "unit": "words", "sentence": ""} | SETTINGS | {"budget": budget} | change
    )
    *_, (share, last) = work(pairs=pairs, runs=runs, **given)
    assert share == 1
    return last


# ---- the reader ----


def refused(text: str, unit: str = "words") -> InputError | None:
    try:
        own.given_of(text, unit, "any")
    except InputError as error:
        return error
    return None


@given(
    st.text()
    | st.lists(st.sampled_from(["a", "é", "\t", ",", ";", '"', "\n", "\r", "=", " ", "\0", "\ufeff"])).map(
        "".join
    )
)
def test_whatever_comes_is_read_or_refused_with_a_sentence(text):
    good = tsv(reader.LEAST)
    for unit in reader.UNITS:
        error = refused(text, unit)
        assert error is None or (error.control == "pairs" and str(error).endswith("."))
        if refused(good + text, unit) is None:
            pairs, told = reader.read(good + text, unit)
            assert len(pairs) == told["pairs"]
            assert told["pairs"] + sum(each.lines for each in told["skipped"]) == told["lines"]


@given(st.binary())
def test_bytes_taken_for_text_are_no_trap(data):
    for way in ("utf-8", "latin-1", "utf-16"):
        error = refused(data.decode(way, "replace"))
        assert error is None or str(error).endswith(".")


WORD = st.text("abcdeéßñ", min_size=1, max_size=6)
SIDE = st.lists(WORD, min_size=1, max_size=reader.LONGEST["words"]).map(" ".join)
ROWS = st.lists(st.tuples(SIDE, SIDE), min_size=reader.LEAST, max_size=30, unique=True)


@given(ROWS, st.sampled_from("\t,;"), st.sampled_from(["\n", "\r\n"]))
def test_well_formed_rows_come_back_as_they_were(rows, separator, end):
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator=end).writerows(rows)
    pairs, told = reader.read("\ufeff" * (end == "\r\n") + out.getvalue(), "words")
    assert [(" ".join(pair.source), " ".join(pair.target)) for pair in pairs] == rows
    assert (told["lines"], told["skipped"]) == (len(rows), ())
    assert told["left"].known == len({word for left, _ in rows for word in left.split()})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "nothing in it"),
        (" \n\n", "nothing in it"),
        ("one\ntwo\nthree\n", "only one column"),
        ("word " * 2000, "one line of 10,000 characters"),
        ("\ufeffa\tb\n".encode("utf-16-le").decode("latin-1"), "UTF-16"),
        ("PK\x03\x04\x00\x06binary\x00\x01", "no text"),
        ("a\tb\n" * 50, "All 50 lines hold the same pair"),
        ("a\tb\nc\td\n", "Only 2 of 2 lines can be used; 10 different pairs"),
        ("".join(f'"a {n},b\n' for n in range(30)), "wrong quoting (line 1). Close the double quote"),
        (
            "".join(f"w{n}\tv\n" for n in range(reader.KNOWN + 1)),
            "The left side has 3,001 different words, and 3,000 fit",
        ),
        ("".join(f"same\tr{n}\n" for n in range(30)), "All left sides are alike"),
    ],
)
def test_what_cannot_be_used_is_said_with_what_to_do(text, says):
    assert says in str(refused(text))


def test_what_is_skipped_is_counted_with_its_first_line():
    lines = [
        *(f'"a, {n}",b {n}' for n in range(20)),
        "",
        "alone",
        '"open,b',
        "a,b,c",
        ",b",
        "a, 3,b 3",
        '"A, 3",b  3',
        '"a, 3",B 3',
    ]
    lines += [" ".join(["long"] * 31) + ",x", "=1+1,=cmd()"]
    pairs, told = reader.read("\n".join(lines), "words")
    assert {each.why: (each.lines, each.line) for each in told["skipped"]} == {
        "there already": (2, 27),
        "more than two columns": (2, 24),
        "an empty line": (1, 21),
        "one column": (1, 22),
        "wrong quoting": (1, 23),
        "an empty side": (1, 25),
        "too long": (1, 29),
    }
    assert pairs[-1].source == ("=", "1", "+", "1")  # a formula is text


def test_notes_behind_a_second_tab_are_left_out_and_pairs_have_a_limit():
    pairs, told = reader.read(
        "".join(f"a{n % 2000} b{n // 2000}\tc\tCC-BY\n" for n in range(reader.PAIRS + 5)), "words"
    )
    assert (len(pairs), told["skipped"][0].lines) == (reader.PAIRS, 5)
    assert pairs[0].target == ("c",)


def test_a_report_survives_the_shelf():
    report = own.sampled("with faults", "words").report
    assert reader.Report.of(json.loads(json.dumps(report.plain()))) == report
    assert {each.why for each in report.skipped} >= {
        "one column",
        "an empty side",
        "too long",
        "there already",
    }


def test_a_text_that_is_too_large_is_refused_by_the_control():
    with pytest.raises(InputError, match="at most 120 KB"):
        CONTROL.check("é" * (reader.BYTES // 2 + 1))
    worst = json.dumps({"data": ['"' * reader.BYTES]}, ensure_ascii=False)
    from lessons.kit.web.request_guard import MAX_REQUEST_BYTES

    assert len(worst.encode()) + 10_000 < MAX_REQUEST_BYTES, (
        "what the control lets in passes the request guard"
    )
    assert all(len(samples.sample(name).encode()) <= reader.BYTES for name in samples.SAMPLES)


# ---- what it learns from ----


def test_what_is_held_back_is_never_learned():
    given = own.given_of(tsv(400) + "one 3\tune 3\n", "words", "any")
    held = {pair.source for pair in given.material.checked}
    assert len(held) == min(CHECKED, 40)
    assert not held & {pair.source for pair in given.pairs}
    assert given.report.torn == 1


def test_no_rule_has_the_same_sides_and_another_order():
    good, none = (samples.sample(name).splitlines() for name in ("English–French", "no rule"))
    assert [line.split("\t")[0] for line in good] == [line.split("\t")[0] for line in none]
    assert sorted(line.split("\t")[1] for line in good) == sorted(line.split("\t")[1] for line in none)
    assert good != none


def test_a_sentence_that_was_typed_before_does_not_stop_a_file():
    with collect_notices() as heard:
        shown = asked(tsv(), sentence="quite another language")
    assert shown.source == shown.samples[0][0]
    assert "never learned “quite”" in heard["sentence"]
    assert asked(tsv(), sentence="one 3").source == ("one", "3")


# ---- the training ----


@pytest.mark.parametrize("unit", reader.UNITS)
def test_a_run_carries_all_that_is_left_of_the_text(store, unit):
    text = tsv()
    last = trained(text, unit=unit)
    assert last.brought
    assert last.run.last.step > 0
    by_mark = asked(mark_of(text), runs=(last.view,), unit=unit)
    with_text = asked(text, runs=(last.view,), unit=unit)
    assert by_mark.numbers() == with_text.numbers()
    assert by_mark.report == last.report
    kept = artifacts.get(last.view)
    held = {pair.source for pair in own.given_of(text, unit, "any").material.checked}
    learned = [f"one {n}" for n in range(20) if tuple(reader.tokens(f"one {n}", unit)) not in held]
    assert learned[reader.ROWS :]
    assert not any(sentence.encode() in kept for sentence in learned[reader.ROWS :])  # but for the first rows


def test_a_mark_alone_says_that_the_file_is_not_here(store):
    with pytest.raises(InputError, match="does not carry"):
        asked(mark_of(tsv()))
    last = trained(tsv())
    with pytest.raises(InputError, match="Choose it again"):
        trained(mark_of(tsv()), runs=(last.view,))


def test_runs_on_other_pairs_are_not_in_view_but_not_lost(store):
    first = trained(tsv(20))
    other = asked(tsv(30), runs=(first.view,))
    assert other.view is None
    assert other.limits()["runs"] is None
    second = trained(tsv(30), runs=(first.view,))
    assert second.sets() == {"runs": [second.view, first.view]}
    assert [run.name for run in second.runs] == [second.view]
    again = trained(tsv(20), runs=(second.view, first.view), work=own.go_on)
    assert len(again.run.looks) > len(first.run.looks)
    assert again.run.looks[: len(first.run.looks)] == first.run.looks
    with pytest.raises(InputError, match="no run in view"):
        trained(tsv(40), runs=(second.view, first.view), work=own.go_on)


def test_words_and_characters_of_one_text_are_compared(store):
    """A run stays in the comparison when the same text is read in the other unit; it can be chosen again in its own."""
    words = trained(tsv(20))
    other = asked(tsv(20), runs=(words.view,), unit="characters")
    assert (other.view, other.limits()["runs"]) == (None, None)
    assert [run.name for run in other.runs] == [words.view]
    both = trained(tsv(20), runs=(words.view,), unit="characters")
    assert [run.name for run in both.runs] == [words.view, both.view]
    assert both.called == ("your pairs, words", "your pairs, characters")
    assert [name for name, _ in both.limits()["runs"]] == [both.view]
    assert both.sets() == {"runs": [both.view, words.view]}
    links = [row[-1].to for row in live_views.compared(both).rows]
    assert ["unit=characters" in address for address in links] == [False, True]
    again = asked(tsv(20), runs=(both.view, words.view))
    assert again.view == words.view
    assert [run.name for run in again.runs] == [words.view, both.view]


@pytest.mark.parametrize(
    "change",
    [
        {"width": "1"},
        {"width": "1", "cell": "LSTM", "attention": "none"},
        {"batch": "256"},
        {"cell": "Transformer"},
        {"budget": 1e-9},
    ],
    ids=["width 1", "width 1, LSTM", "a batch larger than the data", "Transformer", "no time"],
)
def test_every_setting_trains_on_ten_pairs(store, change):
    last = trained(tsv(reader.LEAST), **change)
    assert last.run.last.step >= 1
    assert last.run.lost is None
    assert views.reading(last)


def test_home_has_no_code_of_the_learners(store):
    bad = "".join(f'"""{n}\nimport os\t\\x{n}\n'.replace("\n", " ", 1) for n in range(20))
    last = trained(bad, unit="characters")
    with zipfile.ZipFile(io.BytesIO(own.home(last))) as files:
        [script] = [files.read(name).decode() for name in files.namelist() if name.endswith(".py")]
    assert not any(
        alias.name == "os"
        for node in ast.walk(ast.parse(script))
        if isinstance(node, ast.Import)
        for alias in node.names
    )
    assert "import os" in ast.get_docstring(ast.parse(script)), "it is only an example of what to type"


def test_formulas_leave_as_text():
    text = "".join(f"=1+{n}\t@SUM({n})\n" for n in range(20))
    table = encode_picture(views.first(asked(text)), "csv").decode()
    assert "'=1+0" in table
    assert "'@SUM(0)" in table
    assert not any(cell.startswith(("=", "@")) for row in csv.reader(io.StringIO(table)) for cell in row)


def test_what_is_written_is_escaped():
    shown = asked("".join(f"<img src=x>{n}\t<b>{n}</b>\n" for n in range(20)))
    for view in (views.report, views.tries, views.first, views.skipped):
        assert "<img" not in view(shown).svg()
        assert "<b>" not in view(shown).svg()


def test_the_challenge_wants_pairs_of_ones_own(store):
    assert "no run" in exercises.yours(None, {"runs": ()}).message
    sample = trained("", sample="forty of them")
    assert "no run" in exercises.yours(None, {"runs": (sample.view,)}).message
    last = trained(tsv())
    assert not exercises.yours(None, {"runs": (last.view,)}).ok
    [one] = own.kept([last.view])
    artifacts.put(
        last.view,
        runs.packed(runs.looked(one.run, runs.Look(9.0, 99, 0.1, 0.5)), one.model, given=one.given.packed()),
    )
    assert exercises.yours(None, {"runs": (last.view,)}).ok
