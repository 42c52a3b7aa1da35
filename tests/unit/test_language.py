"""Another language: sentences, numbers, fallback to English; and that lesson 3 is whole in French."""

import re

import pytest

from lessons import LESSONS, start
from lessons.attention import LESSON as ATTENTION
from lessons.kit import language
from lessons.kit.language import (
    PAGE_LANGUAGE,
    keep_language,
    set_spaces,
    text_language,
    translate,
    translate_plural,
)
from lessons.kit.pictures.base import Picture
from lessons.kit.pictures.numbers import percent, scientific, signed
from lessons.kit.templates import ENVIRONMENT
from lessons.kit.web import layout
from lessons.kit.web.cache import ANSWERS
from lessons.kit.web.check_language import check_interface, check_lesson
from lessons.kit.web.renderer import Renderer, parse_drawing
from lessons.recurrence import LESSON as RECURRENCE

NNBSP = "\N{NARROW NO-BREAK SPACE}"
EXPERIMENTS = {experiment.slug: experiment for experiment in ATTENTION.experiments}
# what views show in both languages: signs, and words that are the same in French
SAME = re.compile(r"[\W\d_]*|attention|original|code|graine 0")


@pytest.fixture
def french():
    with text_language("fr", is_page=True):
        yield


# ---- sentences and numbers ----


def test_english_is_the_template_itself():
    assert (
        translate("Step {t}: the weight of each source word", t=3) == "Step 3: the weight of each source word"
    )
    assert translate("h_{t-1}") == "h_{t-1}"  # without values, braces are only braces
    assert translate_plural("{n} seed", "{n} seeds", 1) == "1 seed"
    assert (signed(-1280.5), percent(0.37)) == ("−1,280.50", "37%")


def test_french_has_its_own_words_marks_and_plurals(french):
    assert translate("Step {t}: the weight of each source word", t=3) == (
        f"Étape 3{NNBSP}: le poids de chaque mot de la source"
    )
    assert (signed(-1280.5), percent(0.37)) == (f"−1{NNBSP}280,50", f"37{NNBSP}%")
    assert scientific(4.2e-7, 1) == "4,2\u00a0·\u00a010⁻⁷"
    one, many = "**{n}** word is missing", "**{n}** words are missing"
    said = [translate_plural(one, many, n) for n in (0, 1, 2)]
    assert said == ["il manque **0** mot", "il manque **1** mot", "il manque **2** mots"]


def test_a_sentence_without_translation_stays_english(french):
    assert translate("No catalog has this {noun}.", noun="sentence") == "No catalog has this sentence."
    assert (translate(""), translate("4,000")) == ("", f"4{NNBSP}000")  # numbers need no catalog


def test_spaces_and_apostrophes_are_set_outside_equations_and_code():
    assert set_spaces("l'« état » : $[h ; s'] :$ `a : b'`") == (
        f"l’«{NNBSP}état{NNBSP}»{NNBSP}: $[h ; s'] :$ `a : b'`"
    )


def test_links_keep_the_language_of_the_page():
    assert keep_language("attention?experiment=steer") == "attention?experiment=steer"
    with text_language("fr", is_page=True), text_language("en"):  # an English part of a French page
        assert keep_language("attention?experiment=steer") == "attention?experiment=steer&lang=fr"
        assert keep_language("glossary") == "glossary?lang=fr"
        assert PAGE_LANGUAGE.get() == "fr"


# ---- pages and caches ----


def test_each_language_has_its_own_cached_drawing():
    renderer = Renderer(ATTENTION, EXPERIMENTS["align"], start.terms(LESSONS, ATTENTION))
    english = renderer.drawing({})
    with text_language("fr", is_page=True):
        french = renderer.drawing({})
        made = ANSWERS.compute_count
        assert renderer.drawing({}) == french
    assert renderer.drawing({}) == english != french
    assert ANSWERS.compute_count == made
    assert parse_drawing(french)[0]["link"] == parse_drawing(english)[0]["link"]  # a state has no language


def test_a_lesson_without_translation_is_english_as_a_whole(french):
    experiment = RECURRENCE.experiments[0]
    renderer = Renderer(RECURRENCE, experiment, start.terms(LESSONS, RECURRENCE))
    assert RECURRENCE.text.language == "en"
    page = layout.render_lesson(LESSONS, RECURRENCE, renderer, {"experiment": experiment.slug})
    assert '<div class="columns" lang="en">' in page
    assert "Your guess" in page
    assert "Votre pronostic" not in page
    assert "suivant →" in page  # the frame is French
    assert f"recurrence?experiment={experiment.slug}&amp;lang=fr" in page
    french = renderer.drawing({})
    with text_language("en", is_page=True):
        assert renderer.drawing({}) == french


# ---- the whole of lesson 3 ----


def test_the_interface_is_whole_in_french():
    assert check_interface("fr").is_complete, check_interface("fr")


def test_lesson_3_is_whole_in_french():
    report = check_lesson(LESSONS, ATTENTION, "fr")
    assert report.is_complete, report


def shown_words(experiment, values) -> dict[str, str]:
    """The sentences and the titles of pictures, by the names of their views."""
    result = experiment.run(values)
    shown = {view.__name__: view(result) for view in experiment.all_views}
    words = {name: one.title if isinstance(one, Picture) else one for name, one in shown.items()}
    return words | {f"ask {act.slug}": act.asks(result) for act in experiment.acts if act.asks}


@pytest.mark.parametrize("slug", EXPERIMENTS)
def test_no_reading_and_no_title_is_left_in_english(slug):
    experiment = EXPERIMENTS[slug]
    for values in ({}, *(preset.state for preset in experiment.presets)):
        english = shown_words(experiment, values)
        with text_language("fr", is_page=True):
            french = shown_words(experiment, values)
        for name, words in french.items():
            assert words != english[name], (name, words)
            own = re.sub("«[^»]*»", "", words)  # without the words of the model
            assert not re.search(r" [;:?!%»]|« |[a-zé]'|\d\.\d", own), (name, words)  # as French books do


def test_the_numbers_of_a_reading_are_the_same_in_both_languages():
    def numbers(text: str) -> list[str]:
        plain = text.replace(NNBSP, "").replace(",", ".") if "étape" in text else text.replace(",", "")
        return re.findall(r"\d+\.\d+", plain)

    english = shown_words(EXPERIMENTS["step"], {})["reading"]
    with text_language("fr", is_page=True):
        french = shown_words(EXPERIMENTS["step"], {})["reading"]
    assert len(numbers(english)) >= 3
    assert [value.replace(".", ",") for value in numbers(english)] == re.findall(r"\d+,\d+", french)


def test_the_catalogs_do_not_contradict_each_other():
    found: dict[object, str] = {}
    for path in language.catalog_paths("fr"):
        for message in language.read_catalog(path):
            assert found.setdefault(message.id, message.string) == message.string, message.id


def test_a_template_compiled_for_one_language_serves_the_other():
    template = ENVIRONMENT.from_string('{{ "./" | in_language }} {{ "original" | translate }}')
    assert template.render() == "./ original"
    with text_language("fr", is_page=True):
        assert template.render() == f"./?lang=fr {translate('original')}"
