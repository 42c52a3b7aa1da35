"""The map, the header, the glossary and the notation show exactly the given lessons."""

import re
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from markupsafe import Markup

from lessons import LESSONS, start
from lessons.kit.contract import Lesson
from lessons.kit.glossary import link_terms
from lessons.kit.link import decode
from lessons.kit.pictures import palette
from lessons.kit.pictures.base import Canvas
from lessons.kit.translator import Translator
from lessons.kit.web.layout import START, Frame, render_page
from lessons.start import pages
from lessons.start.compute import run_example
from lessons.start.words import EVERYDAY, EXAMPLES, FIGURES, GLOSSARY, PARTS, ROSETTA, TIMELINE
from models import zoo
from models.tasks import TASKS
from models.tasks.task import split_of
from models.vocabulary import EOS
from models.zoo import CheckpointError
from tests.helpers import by_class as elements
from tests.helpers import numbers_of, parse_html
from tests.says import assert_says

CSS = Path(__file__).parents[2] / "assets" / "css" / "start.css"


def echo(model: str, text: str) -> tuple[list[str], list[str]]:
    return text.split(), ["<written>", "by", model]


def render_map(lessons: Sequence[Lesson]) -> str:
    return start.map_page(lessons, {lesson.slug: 10 + k for k, lesson in enumerate(lessons)}, echo)


def header(lessons: Sequence[Lesson], here: Lesson | None = None) -> ET.Element:
    """The header, which is the same on all pages."""
    html = render_page(
        Frame(lessons, "page.css", "page.js", {}), Markup(""), here, Markup("<p>Content</p>"), {}
    )
    [found] = parse_html(html).iter("header")
    return found


def parsed(html: str) -> ET.Element:
    return ET.fromstring(f"<root>{html}</root>")


def links(html: str) -> list[tuple[str, str]]:
    return [(link.get("href", ""), words(link)) for link in parsed(html).iter("a")]


def by_class(html: str, name: str) -> list[ET.Element]:
    return [found for found in parsed(html).iter() if name in found.get("class", "").split()]


def words(found: ET.Element) -> str:
    return " ".join(" ".join(found.itertext()).split())


@pytest.fixture
def extra(tmp_path: Path) -> Lesson:
    """A lesson that is only in the list of lessons."""
    for path in LESSONS[1].folder.glob("*/text.md"):
        shutil.copytree(path.parent, tmp_path / path.parent.name)
    (tmp_path / "text.md").write_text("# Who <asked>?\nA lead.\n", encoding="utf-8")

    def draw(canvas: Canvas) -> None:
        canvas.text(8, 8, "made up")

    made_up = {
        "slug": "extra",
        "title": "An extra & more",
        "short_title": "Extra",
        "summary": "One line.",
        "pictogram": draw,
    }
    return replace(LESSONS[1], folder=tmp_path, **made_up)


# ---- map and header ----


@pytest.mark.parametrize("place", [1, 3, len(LESSONS)])
def test_a_lesson_in_the_list_is_on_the_map_and_in_the_bar(extra, place):
    lessons = (*LESSONS[:place], extra, *LESSONS[place:])
    html = render_map(lessons)
    numbers = numbers_of(lessons)
    for k, (card, lesson) in enumerate(zip(by_class(html, "road-stop"), lessons, strict=True)):
        (link,) = card.iter("a")
        assert (link.get("href"), words(link)) == (f"{lesson.slug}?experiment={START}", lesson.title)
        said = words(card)
        assert said.startswith(f"{numbers[k]} ")
        assert lesson.text.question in said
        assert lesson.summary in said
        (progress,) = card.iterfind(".//span[@data-progress]")
        assert (progress.get("data-progress"), progress.get("data-total")) == (lesson.slug, str(10 + k))
    assert "made up" in words(by_class(html, "road-stop")[place])  # the lesson's pictogram on the map
    (bar,) = elements(header(lessons, extra), "bar")
    stops = [(link.get("href"), words(link)) for link in bar]
    assert stops == [
        ("./", "Map"),
        *((lesson.slug, f"{n} {lesson.short_title}") for n, lesson in zip(numbers, lessons, strict=True)),
    ]
    assert [words(link) for link in bar if link.get("aria-current")] == [f"{place} Extra"]


SOME = [LESSONS, LESSONS[:1], LESSONS[2:5], LESSONS[::-2], ()]


@pytest.mark.parametrize("lessons", SOME, ids=len)
def test_links_lead_only_to_given_lessons(lessons):
    """Every link must lead to a given lesson and show its number."""
    for html in (render_map(lessons), start.glossary(lessons)):
        places = dict(zip([lesson.slug for lesson in lessons], numbers_of(lessons), strict=True))
        for address, said in links(html):
            lesson = address.partition("?")[0]
            assert lesson in places
            if number := re.search(r"lesson (\d+)", said):
                assert int(number[1]) == places[lesson]
        assert len(re.findall(r"lesson \d", html)) == sum(
            "lesson" in said for _, said in links(html)
        )  # every lesson number is a link
        assert "soon" not in html
    assert len(by_class(render_map(lessons), "road-stop")) == len(lessons)
    assert [words(one) for one in by_class(render_map(lessons), "road-start")] == [
        f"Start with lesson {number}" for number in numbers_of(lessons)[:1]
    ]


def test_glossary_and_history_name_only_lessons_of_the_course():
    slugs = {lesson.slug for lesson in LESSONS}
    named = (
        {slug for slug, _ in GLOSSARY.values()}
        | {told.lesson for told in (*TIMELINE, *FIGURES)}
        | {one.lesson for one in EXAMPLES}
    )
    assert named - {""} <= slugs
    assert {slug for slug, _ in GLOSSARY.values()} == slugs


def test_the_header_opens_every_dialog():
    found = [
        (link.get("href"), link.get("data-action"))
        for tools in elements(header(LESSONS), "tools")
        for link in tools.iter("a")
    ]
    assert found == [("notation", "dialog"), ("glossary", "dialog"), ("about", "dialog")]


# ---- the glossary ----


def test_every_term_has_one_entry_with_its_own_anchor():
    terms = list(parsed(start.glossary(LESSONS)).iter("dt"))
    assert [words(term) for term in terms] == sorted(GLOSSARY, key=str.lower)
    assert len({term.get("id") for term in terms}) == len(terms) >= 40
    assert all(sentence.endswith(".") for _, sentence in GLOSSARY.values())
    assert set(GLOSSARY) >= EVERYDAY


def test_a_term_of_a_missing_lesson_is_shown_only_if_another_uses_it():
    without = [lesson for lesson in LESSONS if lesson.slug != "attention"]
    shown = {words(term[0]): list(term.iter("a")) for term in parsed(start.glossary(without))[0]}
    assert shown["attention"] == []  # lesson 2 uses the term
    text = "".join(
        path.read_text(encoding="utf-8") for lesson in without for path in lesson.folder.rglob("text.md")
    )
    assert ("AER" in shown) == ("AER" in text)
    only_decoding = start.glossary([lesson for lesson in LESSONS if lesson.slug == "decoding"])
    assert "spectral radius" not in only_decoding


TERMS = ("attention", "attention weight", "query", "loss", "top-k", "AER")


@pytest.mark.parametrize(
    ("html", "linked"),
    [
        ("<p>Attention, then attention again.</p>", ["Attention"]),
        ("<p>The <em>attention weights</em> are attention.</p>", ["attention weights", "attention"]),
        ("<p>Queries, losses &amp; top-k</p>", ["Queries", "losses", "top-k"]),
        ("<p>lossless, glossary, self-attention, attention-free, AERO</p>", []),
        ("<h2>Loss</h2>", []),
        ('<p><a href="x">a loss</a> <b>loss</b></p>', ["loss"]),
        ("<p><code>loss</code></p>", []),
        ('<p><span class="tex display">loss</span></p>', []),
        ("<p>1 &lt; 2<br />a loss</p>", ["loss"]),
        ("<p>attention\nweight</p>", ["attention weight"]),
    ],
)
def test_the_first_use_of_a_term_is_a_link(html, linked):
    seen: set[str] = set()
    made = link_terms(html, TERMS, seen)
    assert [words(link) for link in by_class(made, "term")] == linked
    assert not any(link.findall(".//a") for link in parsed(made).iter("a"))
    assert (
        re.sub(r'<a class="term"[^>]*>(.*?)</a>', r"\1", made, flags=re.DOTALL) == html
    )  # nothing else has changed
    assert len(seen) == len(linked)
    assert link_terms(html, TERMS, seen) == html  # one link per term and page


def test_links_of_terms_lead_to_the_glossary():
    places = {term.get("id") for term in parsed(start.glossary(LESSONS)).iter("dt")}
    made = link_terms("<p>" + ", ".join(GLOSSARY) + "</p>", tuple(GLOSSARY), set())
    assert {address for address, _ in links(made)} == {f"glossary#{place}" for place in places}
    assert len(by_class(made, "term")) == len(GLOSSARY), "by this class the page opens them as panels"


def test_an_everyday_word_is_a_term_from_its_lesson_on():
    taught = [lesson.slug for lesson in LESSONS].index(GLOSSARY["query"][0])
    assert ["query" in start.terms(LESSONS, lesson) for lesson in LESSONS] == [
        k >= taught for k in range(len(LESSONS))
    ]


def test_an_ambiguous_word_is_a_term_only_in_its_lesson():
    """“The value of a unit” must not link to the values of attention."""
    linking = [lesson.slug for lesson in LESSONS if "value" in start.terms(LESSONS, lesson)]
    assert linking == [GLOSSARY["value"][0]]


def test_each_text_is_searched_for_terms_once(monkeypatch):
    """Each experiment asks for the terms of its lesson when the server starts."""
    searched = []
    monkeypatch.setattr(pages, "find_terms", lambda text, terms: searched.append(text) or frozenset())
    pages.terms_in_folder.cache_clear()
    for lesson in LESSONS:
        for _ in lesson.experiments:
            start.terms(LESSONS, lesson)
    pages.terms_in_folder.cache_clear()
    assert len(searched) == sum(len([*lesson.folder.rglob("text.md")]) for lesson in LESSONS)


def test_terms_of_guesses_and_readings_are_in_the_glossary():
    terms = (
        "eigenvalue, gold, nats, batch, epoch, seed, linear probe, hypothesis, residual stream, forget gate"
    )
    assert set(terms.split(", ")) <= set(GLOSSARY)


# ---- examples, history, notation ----


def test_live_examples_are_written_by_the_models():
    items = by_class(render_map(LESSONS), "task-item")
    for item, example in zip(items, EXAMPLES, strict=True):
        assert bool(example.model) != bool(example.target)
        assert [link.get("href") for link in item.iter("a")] == [f"{example.lesson}{example.query}"] * bool(
            example.lesson
        )
        said = words(item)
        assert ("live" in said.split()) == bool(example.model)
        assert said.endswith(f"<written> by {example.model}" if example.model else example.target)


def test_a_missing_model_breaks_only_its_own_example(caplog):
    def broken(model: str, text: str) -> tuple[list[str], list[str]]:
        if "dates" in model:
            raise CheckpointError(model, "has no weights")
        return echo(model, text)

    html = start.map_page(LESSONS, {lesson.slug: 1 for lesson in LESSONS}, broken)
    (fault,) = by_class(html, "task-fault")
    assert "python -m models.train dates-none-64-s0" in words(fault)
    assert len(by_class(html, "task-target")) == len(EXAMPLES) - 1
    assert "has no weights" in caplog.text


def test_the_shipped_models_answer():
    """The shipped models must get all live examples right."""
    for example in EXAMPLES:
        if example.model:
            source, output = run_example(example.model, example.source)
            truth = Translator(example.model).reference(source, output)
            assert output == (truth or tuple("le chat noir n' a pas vu le vieux chien .".split())), (
                example.task
            )


def test_an_example_opens_in_its_lesson_with_the_same_output():
    for example in (example for example in EXAMPLES if example.lesson):
        lesson = next(lesson for lesson in LESSONS if lesson.slug == example.lesson)
        experiment = lesson.experiment(example.state["experiment"])
        state, _, complaints = decode(experiment, example.state)
        assert not complaints
        if example.model:
            assert state != experiment.state()  # the link sets the example's input
            written = [
                " ".join(word for word in value if word != EOS)
                for value in vars(experiment.compute(**state)).values()
                if isinstance(value, tuple) and all(isinstance(word, str) for word in value)
            ]
            assert " ".join(run_example(example.model, example.source)[1]) in written, example.task


def test_no_live_example_was_seen_in_training():
    """No live example may be in the training data, as the map claims."""
    for example in EXAMPLES:
        if example.model:
            task = TASKS[zoo.Card.read(example.model).task]
            source = tuple(task.read(example.source))
            assert split_of(source) != "train", example.source
            assert source not in task.course_sources
    assert "not in its training data" in words(parsed(render_map(LESSONS)))


def test_one_vector_is_called_hard_to_learn_not_impossible():
    """No text may claim that a sentence cannot be passed through one vector."""
    said = [
        GLOSSARY["bottleneck"][1],
        *(moment.why for moment in TIMELINE),
        *(figure.found for figure in FIGURES),
    ]
    assert not re.search("too narrow|not everything fits|cannot|impossible", " ".join(said))
    for about in (
        GLOSSARY["bottleneck"][1],
        next(moment.why for moment in TIMELINE if moment.lesson == "attention"),
    ):
        assert "hard to learn" in about
        assert re.search("size of `?c|fixed size", about)


def test_the_years_run_forward_and_each_has_a_source():
    assert [moment.year for moment in TIMELINE] == sorted(moment.year for moment in TIMELINE)
    assert [figure.year for figure in FIGURES] == sorted(figure.year for figure in FIGURES)
    for told in (*TIMELINE, *FIGURES):
        assert re.search(r"arXiv:\d{4}\.\d{4,5}|doi:10\.\d{4}/\S+", told.source)


def test_the_cells_that_the_course_teaches_are_on_the_timeline_before_attention():
    """The LSTM (1997) and the GRU (Cho et al. 2014) must come before additive attention."""
    sources = [(moment.year, moment.source) for moment in TIMELINE]
    places = [
        next(n for n, (_, source) in enumerate(sources) if name in source)
        for name in ("Schmidhuber", "Cho et al.", "Bahdanau")
    ]
    assert places == sorted(places)
    assert [sources[n][0] for n in places[:2]] == ["1997", "2014"]


def test_bahdanaus_figures_are_those_of_the_papers_table():
    """Figures must match Table 1: RNNencdec-50, RNNsearch-50, RNNsearch-50⋆ and Moses."""
    [figure] = [figure for figure in FIGURES if "Bahdanau" in figure.source]
    assert_says(figure.found, 17.82, 26.75, 28.45, 33.30, 36.15, 35.63)
    assert_says(figure.source, "Table 1", "RNNsearch-50", "RNNencdec-50", "Moses")


def test_earlier_translators_are_on_the_map_with_their_sources():
    said = [words(item) for told in by_class(render_map(LESSONS), "timeline-parts") for item in told]
    assert said[: len(PARTS)] == [f"{name} {what}" for name, what in PARTS]
    for item, figure in zip(said[len(PARTS) :], FIGURES, strict=True):
        assert item.startswith(f"{figure.year}: {figure.who} lesson ")
        assert item.endswith(f"{figure.found} {figure.source}")


def test_the_notation_table():
    rows = list(parsed(start.rosetta()).iterfind(".//tbody/tr"))
    assert len(rows) == len(ROSETTA)
    assert ["".join(row[0].itertext()) for row in rows][:7] == [
        "xt, x1…xT",
        "yt, y1…yT′",
        "ht",
        "st",
        "c, ct",
        "eti",
        "αti",
    ]


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
def test_formulas(text, html, monkeypatch):
    monkeypatch.setattr(pages, "ROSETTA", ((text, "", ""),))
    assert f'<th scope="row">{html}</th>' in start.rosetta()


# ---- style ----


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    return sum(
        w * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4)
        for w, c in zip((0.2126, 0.7152, 0.0722), parts, strict=True)
    )


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("role", ["weight", "quiet", "ink", "source", "target", "context"])
def test_text_has_enough_contrast(role, theme):
    light, dark = sorted((luminance(palette.ROLES[name][theme]) for name in (role, "paper")), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_every_class_of_the_map_and_the_panels_has_its_style_and_prefix():
    css = re.sub(r"/\*.*?\*/", "", CSS.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert css.count("{") == css.count("}")
    html = render_map(LESSONS) + start.rosetta() + start.glossary(LESSONS)
    used = {name for found in parsed(html).iter() for name in found.get("class", "").split()} - {"progress"}
    assert all(name.startswith(("road-", "timeline-", "task-", "rosetta-", "glossary-")) for name in used)
    assert {name for name in used if f".{name}" not in css} == set()
