"""Question files are read by programs that others wrote: GIFT by gift-pegjs, QTI by pyslet.

pyslet also answers the questions: the score and the feedback come from the file.
"""

import io
import json
import logging
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from lessons import LESSONS
from lessons.kit.exercises import WHOLE_NUMBER, guess, number
from lessons.kit.question_bank import FORMATS, question_file
from lessons.kit.question_bank.questions import (
    BankQuestion,
    Option,
    bank_question,
    lesson_questions,
    question_html,
)
from lessons.kit.templates import subscript_html
from lessons.scores import LESSON as SCORES
from tests.toy import LESSON as TOY

pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::SyntaxWarning"
)  # of the readers

AWKWARD = "a = b ~ c # {d}: 5 \\ 3 <script>&</script> h_{t-1} 🙂 ] ]]>"
ROOT = "https://course.example/seq"
PARSER = Path(sys.prefix) / "lint" / "node_modules" / "gift-pegjs"


def awkward_questions() -> tuple[BankQuestion, ...]:
    """One question of each kind, with characters that a format or XML could misread."""
    choice = guess(
        "pick", AWKWARD, {"α = 1 # x": AWKWARD, "β: {2}": "No ~."}, lambda: "β: {2}", "Think = hard."
    )
    large = number("large", AWKWARD, lambda: 28_311_552.0, AWKWARD, AWKWARD, WHOLE_NUMBER)
    negative = number("negative", "−0.8?", lambda: -0.8, "Mind the sign.", "Below zero.")
    return (
        *(bank_question(TOY, one, None, f"toy-{one.slug}") for one in (choice, large, negative)),
        *lesson_questions(TOY),
    )


def encoded(ending: str, questions: tuple[BankQuestion, ...], root: str = ROOT) -> bytes:
    return FORMATS[ending].encode("A: b/c", questions, root)


# ---- the questions ----


def test_every_question_of_a_lesson_is_there():
    found = lesson_questions(SCORES)
    guesses = [one.predict.question for one in SCORES.experiments if one.predict]
    assert [one.text for one in found][: len(guesses)] == guesses
    assert len(found) == len(guesses) + len(SCORES.exercises)
    assert len({one.id for one in found}) == len(found)
    for one in found:
        assert bool(one.options) + (one.answer is not None) <= 1
        assert not one.options or [option.is_right for option in one.options].count(True) == 1, one.id


def test_where_nobody_can_tell_every_option_is_accepted():
    open_guess = guess("best", "Best?", {"a": "A.", "b": "B."}, lambda: None, "")
    question = bank_question(TOY, open_guess, None, "toy-best")
    assert question.options == (
        Option("a", True, "There is no single right answer. A."),
        Option("b", True, "There is no single right answer. B."),
    )


def test_a_challenge_asks_for_a_link():
    [challenge] = [one for one in lesson_questions(TOY) if one.id == "toy-check-loud"]
    assert challenge.text.startswith("Make it loud.")
    assert "copy link" in challenge.text
    assert challenge.link == "toy?experiment=sizes"


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_the_answers_of_every_lesson_are_right(lesson):
    """The verdict on each exported answer is “right”, and every file can be read."""
    for question in lesson_questions(lesson):
        assert not question.options or any(option.is_right for option in question.options)
        assert question.answer is None or question.feedback.startswith("Yes."), question.id
    gift = question_file(lesson, LESSONS, "gift.txt", ROOT)
    assert len(read_gift(gift)) == len(lesson_questions(lesson))
    assert len(read_qti(question_file(lesson, LESSONS, "qti.zip", ROOT))) == len(lesson_questions(lesson))
    ElementTree.fromstring(question_file(lesson, LESSONS, "moodle.xml", ROOT))


# ---- GIFT ----


def read_gift(file: bytes) -> list[dict[str, Any]]:
    """The questions as gift-pegjs reads them, without the category."""
    if not PARSER.exists():
        pytest.skip("tests/run installs gift-pegjs where Node is there")
    script = (
        f"const {{ parse }} = require({json.dumps(str(PARSER))});"
        "console.log(JSON.stringify(parse(require('fs').readFileSync(0, 'utf8'))))"
    )
    answer = subprocess.run(["node", "-e", script], input=file, capture_output=True, check=True, timeout=60)
    category, *found = json.loads(answer.stdout)
    assert category["type"] == "Category"
    return found


def test_a_reader_of_gift_finds_the_same_questions():
    questions = (*awkward_questions(), *lesson_questions(SCORES))
    found = read_gift(encoded("gift.txt", questions))
    assert [one["type"] for one in found] == [
        "MC" if one.options else "Numerical" if one.answer is not None else "Essay" for one in questions
    ]
    for read, question in zip(found, questions, strict=True):
        assert read["title"] == question.title
        assert read["stem"]["text"] == question_html(question, ROOT).replace("\n", " ")
        if question.options:
            assert [one["text"]["text"] for one in read["choices"]] == [
                str(subscript_html(option.text)) for option in question.options
            ]
            assert [one["isCorrect"] for one in read["choices"]] == [one.is_right for one in question.options]
        elif question.answer is not None:
            number = read["choices"]
            assert (number["number"], number["range"]) == (question.answer, question.tolerance)


def test_a_platform_accepts_every_option_where_nobody_can_tell():
    open_guess = guess("best", "Best?", {"a": "A.", "b": "B."}, lambda: None, "")
    [read] = read_gift(encoded("gift.txt", (bank_question(TOY, open_guess, None, "toy-best"),)))
    assert read["type"] == "MC"
    assert [(one["isCorrect"], one["weight"]) for one in read["choices"]] == [(True, None), (False, 100)]


# ---- Moodle XML ----


def test_moodle_gets_each_question_with_its_settings():
    quiz = ElementTree.fromstring(encoded("moodle.xml", awkward_questions()))
    kinds = [one.get("type") for one in quiz]
    assert kinds == ["category", "multichoice", "numerical", "numerical", "multichoice", "essay", "essay"]
    choice, large = quiz[1], quiz[2]
    assert [one.get("fraction") for one in choice.findall("answer")] == ["0", "100"]
    assert "a = b ~ c # {d}: 5 \\ 3 &lt;script&gt;" in choice.findtext("questiontext/text", "")
    assert "h<sub>t-1</sub>" in choice.findtext("questiontext/text", "")
    assert (large.findtext("answer/text"), large.findtext("answer/tolerance")) == ("28311552", "0.5")
    assert quiz[6].findtext("graderinfo/text") == "There is a box."
    assert f'href="{ROOT}/toy?experiment=sizes"' in quiz[6].findtext("questiontext/text", "")
    assert b"href" not in encoded("moodle.xml", awkward_questions(), root="")


# ---- QTI ----


@pytest.fixture(autouse=True)
def quiet_reader() -> Iterator[None]:
    """Pyslet writes its warnings to the root logger."""
    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.CRITICAL)
    yield
    root.setLevel(level)


def read_qti(package: bytes) -> dict[str, Any]:
    """The items of a package that its manifest and its test list, as pyslet reads them."""
    from pyslet.qtiv2.xml import QTIDocument

    found = {}
    with zipfile.ZipFile(io.BytesIO(package)) as files:
        manifest = ElementTree.fromstring(files.read("imsmanifest.xml"))
        listed = [one.get("href") for one in manifest.iter() if one.tag.endswith("}resource")]
        assert sorted(files.namelist()) == sorted(["imsmanifest.xml", *listed])
        test = ElementTree.fromstring(files.read("test.xml"))
        references = [one.get("href") for one in test.iter() if one.tag.endswith("}assessmentItemRef")]
        assert listed == ["test.xml", *references]
        for name in references:
            document = QTIDocument()
            document.read(src=io.BytesIO(files.read(name)))
            found[name.removesuffix(".xml")] = document.root
    return found


def take(item: Any, answer: str) -> tuple[float, str | None]:
    """Score and feedback for an answer."""
    from pyslet.qtiv2.variables import ItemSessionState

    state = ItemSessionState(item)
    state.begin_session()
    state["RESPONSE"].set_value(answer)
    state.end_attempt()
    return state["SCORE"].value, state["FEEDBACK"].value


def attempts(question: BankQuestion) -> Iterator[tuple[str, bool]]:
    """Answers to a question, and whether each is right."""
    for place, option in enumerate(question.options, start=1):
        yield f"option{place}", option.is_right
    if question.answer is not None:
        for share, is_right in ((0, True), (0.9, True), (-0.9, True), (1.2, False), (-1.2, False)):
            yield repr(question.answer + share * question.tolerance), is_right


def test_a_player_of_qti_scores_every_answer():
    questions = (*awkward_questions(), *lesson_questions(SCORES))
    items = read_qti(encoded("qti.zip", questions))
    assert list(items) == [one.id for one in questions]
    for question in questions:
        for answer, is_right in attempts(question):
            score, feedback = take(items[question.id], answer)
            assert score == is_right, (question.id, answer)
            assert feedback == (answer if question.options else "right" if is_right else "wrong")
