"""Questions as a content package in QTI 2.1: a file per question, a test that lists them, a manifest."""

import io
import zipfile
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from markupsafe import Markup

from lessons.kit.question_bank.questions import BankQuestion, Option, number_text, question_html
from lessons.kit.templates import subscript_html

QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
SCHEMA = "http://www.w3.org/2001/XMLSchema-instance"
LOCATIONS = {
    QTI: f"{QTI}.xsd",
    PACKAGE: "http://www.imsglobal.org/xsd/qti/qtiv2p1/qtiv2p1_imscpv1p2_v1p0.xsd",
}
FIXED_TIME = (1980, 1, 1, 0, 0, 0)  # equal questions give equal files


def encode(category: str, questions: Sequence[BankQuestion], root: str) -> bytes:
    files = {f"{question.id}.xml": assessment_item(question, root) for question in questions}
    files = {
        "imsmanifest.xml": manifest(questions),
        "test.xml": assessment_test(category, questions),
        **files,
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        for name, element in files.items():
            package.writestr(zipfile.ZipInfo(name, FIXED_TIME), document(element))
    return buffer.getvalue()


def document(element: Element) -> bytes:
    return ElementTree.tostring(element, encoding="utf-8", xml_declaration=True)


def root_element(tag: str, namespace: str, **attributes: str) -> Element:
    location = f"{namespace} {LOCATIONS[namespace]}"
    return Element(
        tag, {"xmlns": namespace, "xmlns:xsi": SCHEMA, "xsi:schemaLocation": location} | attributes
    )


# ---- one question ----


def assessment_item(question: BankQuestion, root: str) -> Element:
    item = root_element(
        "assessmentItem",
        QTI,
        identifier=question.id,
        title=question.title,
        adaptive="false",
        timeDependent="false",
    )
    for part in item_parts(question, root):
        item.append(part)
    return item


def item_parts(question: BankQuestion, root: str) -> Iterator[Element]:
    """XML elements of one question (a QTI “item”), in the order that QTI 2.1 requires."""
    if question.options:
        yield response_declaration(question, "identifier")
        yield from outcome_declarations()
        yield choice_body(question, root)
        yield choice_processing()
        for identifier, option in identified(question):
            yield feedback(identifier, option.feedback)
    elif question.answer is not None:
        yield response_declaration(question, "float")
        yield from outcome_declarations()
        yield number_body(question, root)
        yield number_processing(question, question.answer)
        yield feedback("right", question.feedback)
        yield feedback("wrong", question.hint)
    else:
        yield response_declaration(question, "string")
        yield outcome_declaration("SCORE", "float")
        yield open_body(question, root)


def identified(question: BankQuestion) -> list[tuple[str, Option]]:
    return [(f"option{number}", option) for number, option in enumerate(question.options, start=1)]


def response_declaration(question: BankQuestion, kind: str) -> Element:
    node = Element("responseDeclaration", identifier="RESPONSE", cardinality="single", baseType=kind)
    right = [identifier for identifier, option in identified(question) if option.is_right]
    if question.options:
        SubElement(SubElement(node, "correctResponse"), "value").text = right[0]
        mapping = SubElement(node, "mapping", defaultValue="0")
        for identifier in right:
            SubElement(mapping, "mapEntry", mapKey=identifier, mappedValue="1")
    elif question.answer is not None:
        SubElement(SubElement(node, "correctResponse"), "value").text = number_text(question.answer)
    return node


def outcome_declarations() -> list[Element]:
    return [outcome_declaration("SCORE", "float"), outcome_declaration("FEEDBACK", "identifier")]


def outcome_declaration(identifier: str, kind: str) -> Element:
    node = Element("outcomeDeclaration", identifier=identifier, cardinality="single", baseType=kind)
    if kind == "float":
        SubElement(SubElement(node, "defaultValue"), "value").text = "0"
    return node


def item_body(question: BankQuestion, root: str) -> Element:
    return xhtml("itemBody", question_html(question, root))


def choice_body(question: BankQuestion, root: str) -> Element:
    body = item_body(question, root)
    about = {"responseIdentifier": "RESPONSE", "shuffle": "false", "maxChoices": "1"}
    interaction = SubElement(body, "choiceInteraction", about)
    for identifier, option in identified(question):
        interaction.append(xhtml("simpleChoice", subscript_html(option.text), identifier=identifier))
    return body


def number_body(question: BankQuestion, root: str) -> Element:
    body = item_body(question, root)
    about = {"responseIdentifier": "RESPONSE", "expectedLength": "12"}
    SubElement(SubElement(body, "p"), "textEntryInteraction", about)
    return body


def open_body(question: BankQuestion, root: str) -> Element:
    body = item_body(question, root)
    SubElement(body, "extendedTextInteraction", responseIdentifier="RESPONSE", expectedLines="5")
    solution = Markup("<p>{}</p>").format(subscript_html(question.feedback))
    body.append(xhtml("rubricBlock", solution, view="scorer"))
    return body


def choice_processing() -> Element:
    """Response processing of a choice: the score from the mapping, and the feedback of the chosen option."""
    node = Element("responseProcessing")
    SubElement(set_outcome(node, "SCORE"), "mapResponse", identifier="RESPONSE")
    SubElement(set_outcome(node, "FEEDBACK"), "variable", identifier="RESPONSE")
    return node


def number_processing(question: BankQuestion, answer: float) -> Element:
    """Response processing of a number: right if it differs by at most the tolerance."""
    node = Element("responseProcessing")
    condition = SubElement(node, "responseCondition")
    matches = SubElement(condition, "responseIf")
    between = SubElement(matches, "and")
    for relation, bound in (("gte", answer - question.tolerance), ("lte", answer + question.tolerance)):
        comparison = SubElement(between, relation)
        SubElement(comparison, "variable", identifier="RESPONSE")
        SubElement(comparison, "baseValue", baseType="float").text = number_text(bound)
    set_value(matches, "SCORE", "float", "1")
    set_value(matches, "FEEDBACK", "identifier", "right")
    set_value(SubElement(condition, "responseElse"), "FEEDBACK", "identifier", "wrong")
    return node


def set_outcome(node: Element, identifier: str) -> Element:
    return SubElement(node, "setOutcomeValue", identifier=identifier)


def set_value(node: Element, identifier: str, kind: str, value: str) -> None:
    SubElement(set_outcome(node, identifier), "baseValue", baseType=kind).text = value


def feedback(identifier: str, words: str) -> Element:
    about = {"outcomeIdentifier": "FEEDBACK", "identifier": identifier, "showHide": "show"}
    return xhtml("modalFeedback", subscript_html(words), **about)


def xhtml(tag: str, html: str, **attributes: str) -> Element:
    """An element with this HTML inside. Our HTML is well-formed."""
    node = ElementTree.fromstring(f"<{tag}>{html}</{tag}>")
    node.attrib.update(attributes)
    return node


# ---- the package ----


def assessment_test(category: str, questions: Sequence[BankQuestion]) -> Element:
    test = root_element("assessmentTest", QTI, identifier="test", title=category)
    about = {"identifier": "part", "navigationMode": "nonlinear", "submissionMode": "individual"}
    part = SubElement(test, "testPart", about)
    section = SubElement(part, "assessmentSection", identifier="questions", title=category, visible="true")
    for question in questions:
        SubElement(section, "assessmentItemRef", identifier=question.id, href=f"{question.id}.xml")
    return test


def manifest(questions: Sequence[BankQuestion]) -> Element:
    node = root_element("manifest", PACKAGE, identifier="seq2see")
    metadata = SubElement(node, "metadata")
    SubElement(metadata, "schema").text = "QTIv2.1 Package"
    SubElement(metadata, "schemaversion").text = "1.0.0"
    SubElement(node, "organizations")
    resources = SubElement(node, "resources")
    test = add_resource(resources, "test-file", "imsqti_test_xmlv2p1", "test.xml")
    for question in questions:
        file = f"{question.id}.xml"
        add_resource(resources, f"{question.id}-file", "imsqti_item_xmlv2p1", file)
        SubElement(test, "dependency", identifierref=f"{question.id}-file")
    return node


def add_resource(resources: Element, identifier: str, kind: str, file: str) -> Element:
    resource = SubElement(resources, "resource", identifier=identifier, type=kind, href=file)
    SubElement(resource, "file", href=file)
    return resource
