"""The map says what the road is and never leads nowhere; the shared words are whole."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from lessons.kit.pictures import palette
from lessons.start import ROAD, pages
from lessons.start.compute import answer
from lessons.start.words import EXAMPLES, GLOSSARY, ROSETTA, TIMELINE

SLUGS = ["recurrence", "bottleneck", "attention", "scores", "qkv", "transformer", "decoding", "training"]
ALL = {slug: 10 + k for k, slug in enumerate(SLUGS)}
CSS = Path(__file__).parents[2] / "assets" / "css" / "start.css"


def echo(model: str, text: str) -> tuple[list[str], list[str]]:
    return text.split(), ["<written>", "by", model]


def parsed(html: str) -> ET.Element:
    return ET.fromstring(f"<root>{html}</root>")


def links(html: str) -> list[str]:
    return [link.get("href") for link in parsed(html).iter("a")]


def by_class(html: str, name: str) -> list[ET.Element]:
    return [found for found in parsed(html).iter() if name in found.get("class", "").split()]


def words(found: ET.Element) -> str:
    return " ".join(" ".join(found.itertext()).split())


def test_every_stop_is_there_in_order():
    assert [(stop.slug, stop.number) for stop in ROAD] == list(zip(SLUGS, range(1, 9), strict=True))
    cards = by_class(pages.map_page(ALL, echo), "road-stop")
    for card, stop in zip(cards, ROAD, strict=True):
        assert card.find(".//a").get("href") == stop.slug
        assert all(said in words(card) for said in (str(stop.number), stop.title, stop.question, stop.one_line))
        (progress,) = card.iterfind(".//span[@data-progress]")
        assert (progress.get("class"), progress.get("data-progress"), progress.get("data-total")) == (
            "progress",
            stop.slug,
            str(ALL[stop.slug]),
        )


@pytest.mark.parametrize("available", [ALL, {"bottleneck": 3, "qkv": 2}, {}], ids=len)
def test_only_lessons_that_exist_are_links(available):
    html = pages.map_page(available, echo)
    assert set(links(html)) == set(available)  # relative, too: a slug and nothing else
    assert set(links(pages.glossary(available))) == set(available)
    for card, stop in zip(by_class(html, "road-stop"), ROAD, strict=True):
        assert ("soon" in words(card).split()) == (stop.slug not in available)


@pytest.mark.parametrize(
    ("available", "said"), [(ALL, ["Start with lesson 1"]), ({"attention": 1}, ["Start with lesson 3"]), ({}, [])]
)
def test_one_place_to_start(available, said):
    assert [words(link) for link in by_class(pages.map_page(available, echo), "road-start")] == said


def test_live_examples_are_written_by_the_models():
    items = by_class(pages.map_page(ALL, echo), "task-item")
    for item, example in zip(items, EXAMPLES, strict=True):
        assert bool(example.model) != bool(example.target)
        said = words(item)
        assert ("live" in said.split()) == bool(example.model)
        assert said.endswith(f"<written> by {example.model}" if example.model else example.target)


def test_the_shipped_models_answer():
    assert {
        model: "".join(answer(model, text)[1])
        for model, text in [("addition-none-64-s0", "27+58"), ("dates-none-64-s0", "3 mar '92")]
    } == {
        "addition-none-64-s0": "85",
        "dates-none-64-s0": "1992-03-03",
    }
    assert all(answer(example.model, example.source) for example in EXAMPLES if example.model)


def test_the_years_run_forward_and_each_has_a_source():
    assert [moment.year for moment in TIMELINE] == sorted(moment.year for moment in TIMELINE)
    for moment in TIMELINE:
        assert moment.stop in SLUGS
        assert re.search(r"arXiv:\d{4}\.\d{4,5}", moment.source)


def test_every_term_is_there_once_and_has_a_lesson():
    terms = [words(term) for term in parsed(pages.glossary()).iter("dt")]
    assert terms == sorted(GLOSSARY, key=str.lower)
    assert len({term.lower() for term in terms}) == len(terms) >= 30
    for term, (slug, sentence) in GLOSSARY.items():
        assert slug in SLUGS, term
        assert sentence.endswith("."), term
    assert {slug for slug, _ in GLOSSARY.values()} == set(SLUGS)


def test_the_notation_table():
    rows = list(parsed(pages.rosetta()).iterfind(".//tbody/tr"))
    assert len(rows) == len(ROSETTA)
    assert ["".join(row[0].itertext()) for row in rows][:7] == ["xt, x1…xT", "yt, y1…yT′", "ht", "st", "c, ct", "eti", "αti"]


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("`h_iᵀ`", '<code><span class="rosetta-source">h<sub>i</sub></span>ᵀ</code>'),
        ("`y_T′`", '<code><span class="rosetta-target">y<sub>T′</sub></span></code>'),
        ("`s_{t−1}` <b>", '<code><span class="rosetta-target">s<sub>t−1</sub></span></code> &lt;b&gt;'),
        ("tanh has no `tanh`", "tanh has no <code>tanh</code>"),
        ("`e^t_i`", "<code>e<sup>t</sup><sub>i</sub></code>"),
    ],
)
def test_formulas(text, html):
    assert pages.formulas(text, coloured=True) == html


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    return sum(
        w * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4)
        for w, c in zip((0.2126, 0.7152, 0.0722), parts, strict=True)
    )


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("role", ["weight", "quiet", "ink", "source", "target", "context"])
def test_words_can_be_read(role, theme):
    light, dark = sorted((luminance(palette.ROLES[name][theme]) for name in (role, "paper")), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_the_style_is_one_that_gradio_keeps():
    """Gradio takes selectors apart at commas, and knows no @container; every class of the pages has the room's own prefix."""
    css = re.sub(r"/\*.*?\*/", "", CSS.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert css.count("{") == css.count("}")
    assert "@container" not in css
    assert ":is(" not in css
    html = pages.map_page({"recurrence": 1}, echo) + pages.rosetta() + pages.glossary()
    used = {name for found in parsed(html).iter() for name in found.get("class", "").split()} - {"progress"}
    assert all(name.startswith(("road-", "timeline-", "task-", "rosetta-", "glossary-")) for name in used)
    assert {name for name in used if f".{name}" not in css} == set()
