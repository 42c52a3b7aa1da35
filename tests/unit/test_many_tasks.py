"""The tasks `parsing`, `code`, `summaries` and `answers`: rules, drawn pairs, and pictures of outputs."""

import json
import random
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.bottleneck.translate.output_pictures import does_the_same, draw_phrases, draw_program
from lessons.kit.notices import collect_notices
from lessons.kit.pictures.tokens import TokenLine
from lessons.kit.translator import Translator
from models.tasks import TASKS
from models.tasks.code import CODE, START, run_program, write_line
from models.tasks.parsing import PARSING, find_tree, read_brackets, words_of, write_brackets
from models.tasks.story_answers import ANSWERS
from models.tasks.summaries import SUMMARIES
from tests.says import assert_says

MANY = (PARSING, CODE, SUMMARIES, ANSWERS)
LENGTHS = {
    "parsing": range(3, 17),
    "code": range(3, 21),
    "summaries": range(14, 57),
    "answers": range(14, 57),
}


@pytest.mark.parametrize("task", MANY, ids=lambda task: task.name)
def test_the_rule_finds_the_target_of_every_drawn_pair(task):
    rng = random.Random(1)
    for _ in range(60):
        pair = task.draw(rng, LENGTHS[task.name])
        assert len(pair.source) in LENGTHS[task.name]
        assert task.answer(pair.source) == pair.target
        assert not task.unseen(pair.source)
        for words, vocabulary in ((pair.source, task.source), (pair.target, task.target)):
            assert all(word in vocabulary for word in words)


@pytest.mark.parametrize("task", MANY, ids=lambda task: task.name)
def test_each_length_of_a_test_can_be_drawn(task):
    """Each length must be possible, because drawing repeats until a pair has the requested length."""
    rng = random.Random(0)
    drawn = {len(task.draw(rng, task.lengths).source) for _ in range(3000 if task in (PARSING, CODE) else 60)}
    shortest = {*task.lengths[:6]}
    assert task not in (PARSING, CODE) or shortest <= drawn


@pytest.mark.parametrize(
    ("task", "source", "target"),
    [
        (
            "parsing",
            "the girl saw the man with the telescope .",
            "(S (NP the girl ) (VP saw (NP the man ) (PP with (NP the telescope ) ) ) . )",
        ),
        (
            "parsing",
            "the girl saw the man with the beard .",
            "(S (NP the girl ) (VP saw (NP (NP the man ) (PP with (NP the beard ) ) ) ) . )",
        ),
        ("code", "before you print x , double x .", "x = x * 2 ⏎ print ( x )"),
        ("code", "if y is more than 3 , add y to it .", "if y > 3 : ⏎ ⇥ y = y + y"),
        (
            "summaries",
            "mira lost her red kite near the barn . paul found it behind the tower .",
            "paul found mira's red kite behind the tower .",
        ),
        ("answers", "mira lost her red kite . paul found it . what colour was the kite ?", "red"),
        ("answers", "mira lost her red kite . paul found it . who had the kite in the end ?", "paul"),
    ],
)
def test_worked_by_hand(task, source, target):
    assert TASKS[task].answer(tuple(source.split())) == tuple(target.split())


@pytest.mark.parametrize(
    ("task", "source"),
    [
        ("parsing", "man the saw girl ."),
        ("code", "open the door ."),
        ("summaries", "she lost her red kite ."),  # “she” has no antecedent
        ("answers", "mira lost her red kite . what colour was the drum ?"),
        ("answers", "mira lost her red kite ."),
    ],
)
def test_no_rule_answers_what_it_cannot_know(task, source):
    words = tuple(source.split())
    assert TASKS[task].answer(words) is None
    assert TASKS[task].unseen(words)


# ---- trees ----


def test_brackets_and_trees_say_the_same():
    rng = random.Random(2)
    for _ in range(60):
        pair = PARSING.draw(rng, LENGTHS["parsing"])
        (tree,), faults = read_brackets(pair.target)
        assert not faults
        assert tree == find_tree(pair.source)
        assert tuple(words_of(tree)) == pair.source
        assert tuple(write_brackets(tree)) == pair.target
        for t, i in pair.alignment:
            assert pair.target[t] == pair.source[i]


@given(st.lists(st.sampled_from(["(S", "(NP", "(VP", ")", "the", "girl", "."]), max_size=25))
@settings(max_examples=60, deadline=None)
def test_any_output_can_be_drawn_as_trees(tokens):
    right = tuple("(S (NP the girl ) . )".split())
    lines = TokenLine("it writes", tuple(tokens), right=False), TokenLine("right", right, quiet=True)
    picture = draw_phrases(lines, 1, "Trees")
    first, last = picture.trees
    words = [node.name for node in first.nodes if node.parts is None]
    assert words == [token for token in tokens if token[0] not in "()"]
    assert not any(picture.is_wrong(node) for node in last.nodes)
    assert len(picture.frame()) == sum(token[0] == "(" for token in (*tokens, *right))
    picture.svg()
    picture.figure()


def test_wrong_phrases_are_marked():
    right = PARSING.answer(tuple("the girl saw the man with the beard .".split()))
    written = PARSING.answer(tuple("the girl saw the man .".split()))
    lines = TokenLine("it writes", written, right=False), TokenLine("right", right, quiet=True)
    picture = draw_phrases(lines, 0, "Trees")
    wrong = [node.key for node in picture.trees[0].nodes if picture.is_wrong(node)]
    assert wrong == [("S", 0, 6), ("VP", 2, 5), (".", 5, 6)]  # NP 0–2 and NP 3–5 are in the right tree, too


def test_faults_of_brackets_are_said():
    line = TokenLine("it writes", tuple("(S (NP the girl ) ) )".split()), right=False)
    assert_says(draw_phrases((line,), 0, "Trees").trees[0].caption, "1 closed too often")


# ---- programs ----


def test_the_evaluator_agrees_with_python():
    """A program of each drawn command prints in Python, run in another process, what it prints here."""
    rng = random.Random(3)
    drawn = [run_program(CODE.draw(rng, LENGTHS["code"]).target) for _ in range(80)]
    assert all(
        "nine digits" in program.fault for program in drawn if program.fault
    )  # a number that is squared repeatedly
    programs = [program for program in drawn if not program.fault]
    here = [[step.printed for step in program.steps if step.printed] for program in programs]
    values = [dict(program.steps[-1].values) if program.steps else dict(START) for program in programs]
    report = "\nreport(x, y, z, n, total)\n"
    start = "\n".join(f"{name} = {value}" for name, value in START.items())
    head = (
        "import json\nlines = []\nends = []\n"
        "def print_(value): lines[-1].append(str(value))\n"
        "def report(*values): ends.append(values)\n"
    )
    body = "".join(
        "lines.append([])\n" + start + "\n" + "\n".join(program.lines).replace("print(", "print_(") + report
        for program in programs
    )
    ran = subprocess.run(
        [sys.executable, "-c", f"{head}{body}print(json.dumps([lines, ends]))"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    lines, ends = json.loads(ran.stdout)
    assert lines == here
    assert ends == [[value[name] for name in ("x", "y", "z", "n", "total")] for value in values]


@given(st.lists(st.sampled_from(sorted(CODE.target.words[3:])), max_size=20))
@settings(max_examples=150, deadline=None)
def test_any_output_is_run_or_its_fault_is_said(tokens):
    execution = run_program(tokens)
    assert execution.fault or len(execution.steps) >= len(execution.lines) - 1
    table = draw_program((TokenLine("it writes", tuple(tokens), right=False),), 0, "Program")
    if execution.fault:
        assert any(execution.fault in str(cell) for row in table.rows for cell in row)
    table.svg()


@pytest.mark.parametrize(
    ("program", "effects"),
    [
        ("x = x + 2 ⏎ print ( x )", ["x: 2 → 4", "prints 4"]),
        ("x , y = y , x", ["x: 2 → 5, y: 5 → 2"]),
        ("if x > 3 : ⏎ ⇥ z = z * 2 ⏎ print ( z )", ["false", "is not run", "prints 9"]),
        ("for i in range ( 5 ) : ⏎ ⇥ total = total + y", ["5 times", "total: 0 → 5 → 10 → … → 25"]),
        ("x = x", ["changes nothing"]),
    ],
)
def test_the_table_says_what_each_line_does(program, effects):
    table = draw_program((TokenLine("it writes", tuple(program.split())),), 0, "Program")
    assert [row[2] for row in table.rows] == effects


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("x = y + z ⏎ print ( x )", "x = z + y ⏎ print ( x )", True),
        ("x = y + z ⏎ print ( x )", "x = y + z", False),
        ("x = y", "x = z", False),
        ("x = y ⏎ x", "x = y", False),
    ],
)
def test_two_programs_can_do_the_same(one, other, same):
    assert does_the_same(tuple(one.split()), tuple(other.split())) == same


def test_a_line_is_written_as_in_python():
    assert write_line("⇥ print ( x )".split()) == "    print(x)"


# ---- typed text ----


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("x = 3", "let x be 3 ."),
        ("Double x. Then print it!", "double x , then print it ."),
        ("double x\nprint it", "double x , then print it ."),
        ("if x == 3, print y", "if x equals 3 , print y ."),
        ("Add 99 to price, then print price.", "add 12 to x , then print x ."),
    ],
)
def test_commands_are_read_as_programmers_type_them(typed, read):
    words = Translator("code-none-128-s0").read_typed(typed).words
    assert " ".join(words) == read
    assert CODE.answer(words)


@pytest.mark.parametrize(
    ("task", "typed", "mark"),
    [
        ("summaries", "Mira lost her red kite. Tom found it", "."),
        ("answers", "Mira lost her red kite. Who lost the kite", "?"),
        ("answers", "Mira lost her red kite. Who lost the kite?", "?"),
    ],
)
def test_a_story_ends_with_a_mark(task, typed, mark):
    with collect_notices() as notices:
        words = Translator(f"{task}-none-128-s0").read_typed(typed, "text").words
    assert words[-1] == mark
    assert words.count(mark) == 1 + (task == "summaries")
    assert ("added" in notices.get("text", "")) == (typed[-1] != mark)
