"""Experiment `own`: any text is read or refused with a message, and a saved run contains what it needs."""

import ast
import csv
import io
import json
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.kit.contract import InputError
from lessons.kit.controls import text_fingerprint
from lessons.kit.jobs import artifacts
from lessons.kit.notices import collect_notices
from lessons.kit.web.export import encode_picture
from lessons.training import LESSON, run_views
from lessons.training.dataset import MAX_HELD_OUT_PAIRS, read_dataset
from lessons.training.own import views
from lessons.training.own.compute import OwnPairsResult, go_on, own, sample_dataset, text_runs, train
from lessons.training.own.exercises import check_own_run
from lessons.training.own.samples import SAMPLES, sample_text
from lessons.training.pair_file import (
    MAX_PAIRS,
    MAX_SIDE_TOKENS,
    MAX_TEXT_BYTES,
    MAX_VOCABULARY,
    MIN_PAIRS,
    ROWS_SHOWN,
    UNITS,
    Report,
    read_pairs,
    split_tokens,
)
from lessons.training.training_run import Measurement, add_measurement, pack_run
from lessons.training.training_session import home

SETTINGS = {
    "cell": "GRU", "attention": "dot", "width": "8", "layers": 1,
    "power": -2.0, "batch": "8", "seed": 0, "budget": 5,
}  # fmt: skip
CONTROL = next(control for control in LESSON.experiment("own").controls if control.name == "pairs")


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setattr(artifacts, "STORE_PATHS", [str(tmp_path / "work.db")])


def tsv(count: int = 20) -> str:
    return "".join(f"one {n}\tun {n}\n" for n in range(count))


def show(pairs: str = "", runs: tuple[str, ...] = (), **change) -> OwnPairsResult:
    controls = {"sample": "English–French", "unit": "words", "sentence": ""} | SETTINGS | change
    return own(pairs=pairs, runs=runs, **controls)


def run_training(
    pairs: str = "", budget: float = 0.2, runs: tuple[str, ...] = (), job=train, **change
) -> OwnPairsResult:
    controls = (
        {"sample": "English–French", "unit": "words", "sentence": ""} | SETTINGS | {"budget": budget} | change
    )
    *_, (share, last) = job(pairs=pairs, runs=runs, **controls)
    assert share == 1
    return last


# ---- reading a text ----


def find_error(text: str, unit: str = "words") -> InputError | None:
    try:
        read_dataset(text, unit, "any")
    except InputError as error:
        return error
    return None


@given(
    st.text()
    | st.lists(st.sampled_from(["a", "é", "\t", ",", ";", '"', "\n", "\r", "=", " ", "\0", "\ufeff"])).map(
        "".join
    )
)
def test_any_text_is_read_or_refused_with_a_sentence(text):
    good = tsv(MIN_PAIRS)
    for unit in UNITS:
        error = find_error(text, unit)
        assert error is None or (error.control == "pairs" and str(error).endswith("."))
        if find_error(good + text, unit) is None:
            pairs, report = read_pairs(good + text, unit)
            assert len(pairs) == report["pairs"]
            assert report["pairs"] + sum(each.lines for each in report["skipped"]) == report["lines"]


@given(st.binary())
def test_any_bytes_are_read_or_refused_with_a_sentence(data):
    for way in ("utf-8", "latin-1", "utf-16"):
        error = find_error(data.decode(way, "replace"))
        assert error is None or str(error).endswith(".")


WORD = st.text("abcdeéßñ", min_size=1, max_size=6)
SIDE = st.lists(WORD, min_size=1, max_size=MAX_SIDE_TOKENS["words"]).map(" ".join)
ROWS = st.lists(st.tuples(SIDE, SIDE), min_size=MIN_PAIRS, max_size=30, unique=True)


@given(ROWS, st.sampled_from("\t,;"), st.sampled_from(["\n", "\r\n"]))
def test_well_formed_rows_are_read_unchanged(rows, separator, end):
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator=end).writerows(rows)
    pairs, report = read_pairs("\ufeff" * (end == "\r\n") + out.getvalue(), "words")
    assert [(" ".join(pair.source), " ".join(pair.target)) for pair in pairs] == rows
    assert (report["lines"], report["skipped"]) == (len(rows), ())
    assert report["left"].known == len({word for left, _ in rows for word in left.split()})


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
            "".join(f"w{n}\tv\n" for n in range(MAX_VOCABULARY + 1)),
            "The left side has 3,001 different words, and 3,000 fit",
        ),
        ("".join(f"same\tr{n}\n" for n in range(30)), "All left sides are alike"),
    ],
)
def test_an_unusable_text_is_refused_with_what_to_do(text, says):
    assert says in str(find_error(text))


def test_skipped_lines_are_counted_with_the_first_of_each_kind():
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
    pairs, report = read_pairs("\n".join(lines), "words")
    assert {each.why: (each.lines, each.line) for each in report["skipped"]} == {
        "there already": (2, 27),
        "more than two columns": (2, 24),
        "an empty line": (1, 21),
        "one column": (1, 22),
        "wrong quoting": (1, 23),
        "an empty side": (1, 25),
        "too long": (1, 29),
    }
    assert pairs[-1].source == ("=", "1", "+", "1")  # a formula is read as text


def test_columns_after_a_second_tab_are_ignored_and_pairs_are_limited():
    pairs, report = read_pairs(
        "".join(f"a{n % 2000} b{n // 2000}\tc\tCC-BY\n" for n in range(MAX_PAIRS + 5)), "words"
    )
    assert (len(pairs), report["skipped"][0].lines) == (MAX_PAIRS, 5)
    assert pairs[0].target == ("c",)


def test_a_report_survives_json():
    report = sample_dataset("with faults", "words").report
    assert Report.from_json(json.loads(json.dumps(report.to_json()))) == report
    assert {each.why for each in report.skipped} >= {
        "one column",
        "an empty side",
        "too long",
        "there already",
    }


def test_a_text_that_is_too_large_is_refused_by_the_control():
    with pytest.raises(InputError, match="at most 120 KB"):
        CONTROL.check("é" * (MAX_TEXT_BYTES // 2 + 1))
    worst = json.dumps({"data": ['"' * MAX_TEXT_BYTES]}, ensure_ascii=False)
    from lessons.kit.web.request_guard import MAX_REQUEST_BYTES

    assert len(worst.encode()) + 10_000 < MAX_REQUEST_BYTES, (
        "what the control lets in passes the request guard"
    )
    assert all(len(sample_text(name).encode()) <= MAX_TEXT_BYTES for name in SAMPLES)


# ---- datasets ----


def test_held_out_pairs_are_not_trained_on():
    given = read_dataset(tsv(400) + "one 3\tune 3\n", "words", "any")
    held = {pair.source for pair in given.held_out}
    assert len(held) == min(MAX_HELD_OUT_PAIRS, 40)
    assert not held & {pair.source for pair in given.pairs}
    assert given.report.torn == 1


def test_the_sample_without_a_rule_has_shuffled_right_sides():
    good, none = (sample_text(name).splitlines() for name in ("English–French", "no rule"))
    assert [line.split("\t")[0] for line in good] == [line.split("\t")[0] for line in none]
    assert sorted(line.split("\t")[1] for line in good) == sorted(line.split("\t")[1] for line in none)
    assert good != none


def test_a_sentence_that_cannot_be_read_is_replaced_by_a_held_out_one():
    with collect_notices() as notices:
        shown = show(tsv(), sentence="quite another language")
    assert shown.source == shown.samples[0][0]
    assert "never learned “quite”" in notices["sentence"]
    assert show(tsv(), sentence="one 3").source == ("one", "3")


# ---- training ----


@pytest.mark.parametrize("unit", UNITS)
def test_a_saved_run_needs_no_text_and_stores_little_of_it(store, unit):
    text = tsv()
    last = run_training(text, unit=unit)
    assert last.brought
    assert last.run.last.step > 0
    by_fingerprint = show(text_fingerprint(text), runs=(last.view,), unit=unit)
    with_text = show(text, runs=(last.view,), unit=unit)
    assert by_fingerprint.numbers() == with_text.numbers()
    assert by_fingerprint.report == last.report
    artifact = artifacts.get(last.view)
    held = {pair.source for pair in read_dataset(text, unit, "any").held_out}
    learned = [f"one {n}" for n in range(20) if tuple(split_tokens(f"one {n}", unit)) not in held]
    assert learned[ROWS_SHOWN:]
    assert not any(
        sentence.encode() in artifact for sentence in learned[ROWS_SHOWN:]
    )  # only the first rows are stored


def test_a_fingerprint_alone_is_refused_with_what_to_do(store):
    with pytest.raises(InputError, match="does not carry"):
        show(text_fingerprint(tsv()))
    last = run_training(tsv())
    with pytest.raises(InputError, match="Choose it again"):
        run_training(text_fingerprint(tsv()), runs=(last.view,))


def test_runs_on_other_pairs_are_not_in_view_but_are_kept(store):
    first = run_training(tsv(20))
    other = show(tsv(30), runs=(first.view,))
    assert other.view is None
    assert other.limits()["runs"] is None
    second = run_training(tsv(30), runs=(first.view,))
    assert second.sets() == {"runs": [second.view, first.view]}
    assert [run.name for run in second.runs] == [second.view]
    again = run_training(tsv(20), runs=(second.view, first.view), job=go_on)
    assert len(again.run.looks) > len(first.run.looks)
    assert again.run.looks[: len(first.run.looks)] == first.run.looks
    with pytest.raises(InputError, match="no run in view"):
        run_training(tsv(40), runs=(second.view, first.view), job=go_on)


def test_words_and_characters_of_one_text_are_compared(store):
    """A run must stay in the comparison when the same text is read in the other unit."""
    words = run_training(tsv(20))
    other = show(tsv(20), runs=(words.view,), unit="characters")
    assert (other.view, other.limits()["runs"]) == (None, None)
    assert [run.name for run in other.runs] == [words.view]
    both = run_training(tsv(20), runs=(words.view,), unit="characters")
    assert [run.name for run in both.runs] == [words.view, both.view]
    assert both.called == ("your pairs, words", "your pairs, characters")
    assert [name for name, _ in both.limits()["runs"]] == [both.view]
    assert both.sets() == {"runs": [both.view, words.view]}
    links = [row[-1].to for row in run_views.compared(both).rows]
    assert ["unit=characters" in address for address in links] == [False, True]
    again = show(tsv(20), runs=(both.view, words.view))
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
    last = run_training(tsv(MIN_PAIRS), **change)
    assert last.run.last.step >= 1
    assert last.run.lost is None
    assert views.reading(last)


def test_the_download_has_no_code_of_the_learner(store):
    bad = "".join(f'"""{n}\nimport os\t\\x{n}\n'.replace("\n", " ", 1) for n in range(20))
    last = run_training(bad, unit="characters")
    with zipfile.ZipFile(io.BytesIO(home(last))) as files:
        [script] = [files.read(name).decode() for name in files.namelist() if name.endswith(".py")]
    assert not any(
        alias.name == "os"
        for node in ast.walk(ast.parse(script))
        if isinstance(node, ast.Import)
        for alias in node.names
    )
    assert "import os" in ast.get_docstring(ast.parse(script)), "it is only an example of what to type"


def test_formulas_are_exported_as_text():
    text = "".join(f"=1+{n}\t@SUM({n})\n" for n in range(20))
    table = encode_picture(views.first(show(text)), "csv").decode()
    assert "'=1+0" in table
    assert "'@SUM(0)" in table
    assert not any(cell.startswith(("=", "@")) for row in csv.reader(io.StringIO(table)) for cell in row)


def test_pairs_are_escaped_in_pictures():
    shown = show("".join(f"<img src=x>{n}\t<b>{n}</b>\n" for n in range(20)))
    for view in (views.report, views.tries, views.first, views.skipped):
        assert "<img" not in view(shown).svg()
        assert "<b>" not in view(shown).svg()


def test_the_challenge_needs_the_learners_own_pairs(store):
    assert "no run" in check_own_run(None, {"runs": ()}).message
    sample = run_training("", sample="forty of them")
    assert "no run" in check_own_run(None, {"runs": (sample.view,)}).message
    last = run_training(tsv())
    assert not check_own_run(None, {"runs": (last.view,)}).ok
    [saved] = text_runs([last.view])
    better = add_measurement(saved.run, Measurement(9.0, 99, 0.1, 0.5))
    artifacts.put(last.view, pack_run(better, saved.load_model(), saved.dataset))
    assert check_own_run(None, {"runs": (last.view,)}).ok
