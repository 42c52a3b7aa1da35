"""Questions of a lesson as files that learning platforms import."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from lessons.kit.contract import Lesson
from lessons.kit.question_bank import gift, moodle_xml, qti
from lessons.kit.question_bank.questions import BankQuestion, category, lesson_questions


class Format(NamedTuple):
    name: str
    media_type: str
    encode: Callable[[str, Sequence[BankQuestion], str], bytes]  # category, questions, address of the site


FORMATS = {  # file name extension → format
    "moodle.xml": Format("Moodle XML", "application/xml", moodle_xml.encode),
    "gift.txt": Format("GIFT", "text/plain; charset=utf-8", gift.encode),
    "qti.zip": Format("QTI 2.1", "application/zip", qti.encode),
}


def question_file(lesson: Lesson, lessons: Sequence[Lesson], ending: str, root: str = "") -> bytes:
    """One lesson's questions as one file. `root`: address of the site, for links to the experiments."""
    return FORMATS[ending].encode(category(lesson, lessons), lesson_questions(lesson), root)
