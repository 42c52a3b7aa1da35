"""Questions in GIFT, the plain-text format that Moodle and many other platforms import."""

import re
from collections.abc import Sequence

from lessons.kit.question_bank.questions import BankQuestion, number_text, question_html
from lessons.kit.templates import subscript_html

SPECIAL = re.compile(r"[\\~=#{}:]")


def encode(category: str, questions: Sequence[BankQuestion], root: str) -> bytes:
    heading = f"$CATEGORY: $course$/top/{category.replace('/', '//')}"
    return "\n\n".join([heading, *(gift_question(question, root) for question in questions), ""]).encode()


def gift_question(question: BankQuestion, root: str) -> str:
    head = f"::{escape(question.title)}::[html]{escape(question_html(question, root))}"
    return f"{head} {{\n{gift_answers(question)}\n}}"


def gift_answers(question: BankQuestion) -> str:
    """The answers of a question, the part in braces. Without answers the question is open."""
    feedback = f"####{html(question.feedback)}"
    if question.options:
        return "\n".join(gift_options(question))
    if question.answer is not None:
        return f"#{number_text(question.answer)}:{number_text(question.tolerance)}\n{feedback}"
    return feedback


def gift_options(question: BankQuestion) -> list[str]:
    """One line per option. With a second “=” the question would ask for a typed word."""
    first = next(option for option in question.options if option.is_right)
    return [
        f"{'=' if option is first else '~%100%' if option.is_right else '~'}"
        f"{html(option.text)}#{html(option.feedback)}"
        for option in question.options
    ]


def html(words: str) -> str:
    return escape(subscript_html(words))


def escape(text: str) -> str:
    """Put a backslash before the characters that have a meaning in GIFT."""
    return SPECIAL.sub(r"\\\g<0>", " ".join(text.split()))
