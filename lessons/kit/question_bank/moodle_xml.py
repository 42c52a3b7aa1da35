"""Questions in Moodle XML."""

from collections.abc import Sequence
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from lessons.kit.question_bank.questions import BankQuestion, number_text, question_html
from lessons.kit.templates import subscript_html

OPEN_SETTINGS = {
    "responseformat": "editor",
    "responserequired": "1",
    "responsefieldlines": "5",
    "attachments": "0",
    "attachmentsrequired": "0",
}
CHOICE_SETTINGS = {"single": "true", "shuffleanswers": "false", "answernumbering": "none"}


def encode(category: str, questions: Sequence[BankQuestion], root: str) -> bytes:
    quiz = Element("quiz")
    add_text(SubElement(quiz, "question", type="category"), "category", f"$course$/top/{category}")
    for question in questions:
        add_question(quiz, question, root)
    ElementTree.indent(quiz)
    return ElementTree.tostring(quiz, encoding="utf-8", xml_declaration=True)


def add_question(quiz: Element, question: BankQuestion, root: str) -> None:
    is_open = not question.options and question.answer is None
    kind = "essay" if is_open else "multichoice" if question.options else "numerical"
    node = SubElement(quiz, "question", type=kind)
    add_text(node, "name", question.title)
    add_html(node, "questiontext", question_html(question, root))
    add_html(node, "generalfeedback", "")
    add_settings(node, {"defaultgrade": "1", "penalty": "0.3333333", "hidden": "0", "idnumber": question.id})
    if is_open:
        add_settings(node, OPEN_SETTINGS)
        add_html(node, "graderinfo", subscript_html(question.feedback))
        return
    if question.options:
        add_settings(node, CHOICE_SETTINGS)
    for option in question.options:
        answer = add_html(
            node, "answer", subscript_html(option.text), fraction="100" if option.is_right else "0"
        )
        add_html(answer, "feedback", subscript_html(option.feedback))
    if question.answer is not None:
        answer = add_text(node, "answer", number_text(question.answer), fraction="100", format="plain_text")
        add_settings(answer, {"tolerance": number_text(question.tolerance)})
        add_html(answer, "feedback", subscript_html(question.feedback))
    add_html(node, "hint", subscript_html(question.hint))


def add_settings(node: Element, values: dict[str, str]) -> None:
    for name, value in values.items():
        SubElement(node, name).text = value


def add_text(node: Element, name: str, text: str, **attributes: str) -> Element:
    """Add an element whose content is in a <text> element, as Moodle expects."""
    child = SubElement(node, name, attributes)
    SubElement(child, "text").text = str(text)  # a plain str, because Markup would be escaped twice
    return child


def add_html(node: Element, name: str, html: str, **attributes: str) -> Element:
    return add_text(node, name, html, format="html", **attributes)
