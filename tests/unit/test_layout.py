"""The page as HTML: links of previous, next and tabs; contents of panels; effects of URL parameters."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.testclient import TestClient

from lessons import LESSONS, start
from lessons.kit.contract import Experiment, Lesson
from lessons.kit.web import layout
from lessons.kit.web.layout import CHECK, START, Frame, NavLink, nav_links
from lessons.kit.web.pages import Pages
from lessons.kit.web.renderer import Renderer
from lessons.start.words import GLOSSARY
from tests.helpers import by_class, numbers_of, parse_html, text_of
from tests.toy import LESSON as TOY

SOME = [LESSONS, LESSONS[:1], LESSONS[2:5], LESSONS[::-2]]
FRAME = Frame((TOY,), "page.css", "page.js", {})


def experiment_of(lesson: Lesson, slug: str) -> Experiment | None:
    """Return the experiment of a tab, or None for “Check yourself”."""
    return None if slug == CHECK else lesson.experiment(slug)


def slugs(lesson: Lesson) -> list[str]:
    """All tabs of a lesson, in order."""
    return [*(experiment.slug for experiment in lesson.experiments), *[CHECK] * bool(lesson.exercises)]


def follow_links(
    lessons: Sequence[Lesson], lesson: Lesson, slug: str, which: int
) -> tuple[list[str], NavLink | None]:
    """Follow “previous” (0) or “next” (1): the tabs visited and the link that leaves the lesson."""
    seen = [slug]
    while True:
        way = nav_links(lessons, lesson, experiment_of(lesson, seen[-1]))[which]
        if way is None or not way.tab:
            return seen, way
        assert way.address == f"{lesson.slug}?experiment={way.tab}"
        assert way.tab not in seen, "a circle"
        seen.append(way.tab)


# ---- previous and next ----


@pytest.mark.parametrize("lessons", SOME, ids=len)
def test_next_walks_the_core_then_check_yourself_then_the_next_lesson(lessons):
    for number, lesson in enumerate(lessons):
        core = [experiment.slug for experiment in lesson.core]
        seen, on = follow_links(lessons, lesson, core[0], 1)
        assert seen == [*core, CHECK]
        if number + 1 < len(lessons):
            assert on.address == f"{lessons[number + 1].slug}?experiment={START}"
            assert f"Lesson {numbers_of(lessons)[number + 1]}: {lessons[number + 1].short_title}" in on.text
        else:
            assert on.address == "./"


@pytest.mark.parametrize("lessons", SOME, ids=len)
def test_previous_walks_back_to_the_lesson_before(lessons):
    for number, lesson in enumerate(lessons):
        core = [experiment.slug for experiment in lesson.core]
        seen, back = follow_links(lessons, lesson, CHECK, 0)
        assert seen == [CHECK, *core[::-1]]
        if number:
            assert back.address == lessons[number - 1].slug
            assert f"Lesson {numbers_of(lessons)[number - 1]}: {lessons[number - 1].short_title}" in back.text
        else:
            assert back is None


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_the_further_experiments_are_a_way_of_their_own(lesson):
    further = [experiment.slug for experiment in lesson.further]
    for experiment in lesson.experiments:
        more = nav_links(LESSONS, lesson, experiment)[2]
        if further and experiment is lesson.core[-1]:
            assert more == NavLink(
                f"further: {lesson.further[0].title} →", f"{lesson.slug}?experiment={further[0]}", further[0]
            )
        else:
            assert more is None
    if further:
        assert follow_links(LESSONS, lesson, further[0], 1)[0] == [*further, CHECK]
        assert follow_links(LESSONS, lesson, further[-1], 0)[0][: len(further) + 1] == [
            *further[::-1],
            lesson.core[-1].slug,
        ]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_every_tab_is_reached_from_the_first_by_previous_next_and_further(lesson):
    seen, todo = set(), [lesson.core[0].slug]
    while todo:
        slug = todo.pop()
        if slug not in seen:
            seen.add(slug)
            todo += [
                way.tab for way in nav_links(LESSONS, lesson, experiment_of(lesson, slug)) if way and way.tab
            ]
    assert seen == set(slugs(lesson))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_every_tab_is_a_link_in_the_strip_and_in_the_menu(lesson):
    tree = parse_html(layout.render_lesson(LESSONS, lesson, None, {}))
    for place, order in (("tab-strip", slugs(lesson)), ("all-list", slugs(lesson))):
        [found] = by_class(tree, place)
        links = list(found.iter("a"))
        assert [link.get("data-tab") for link in links] == order
        assert [link.get("href") for link in links] == [f"{lesson.slug}?experiment={slug}" for slug in order]
        assert [link.get("data-tab") for link in links if link.get("aria-current") == "page"] == [CHECK]
        titles = [*(experiment.title for experiment in lesson.experiments), "Check yourself"]
        assert all(text_of(link).endswith(title) for link, title in zip(links, titles, strict=True))


@pytest.mark.parametrize(
    "experiment", [*TOY.experiments, None], ids=lambda experiment: experiment.slug if experiment else CHECK
)
def test_the_foot_has_the_ways_as_links_and_tools_for_an_experiment_only(experiment):
    foot = parse_html(layout.render_foot((TOY,), TOY, experiment))
    [steps] = foot.iter("nav")
    back, on, more = nav_links((TOY,), TOY, experiment)
    expected = [(way.address, way.text, way.tab or None) for way in (back, more, on) if way]
    assert [(link.get("href"), text_of(link), link.get("data-tab")) for link in steps.iter("a")] == expected
    [tools] = by_class(foot, "foot-tools")
    assert tools.get("data-for") == (f"toy-{experiment.slug}" if experiment else None)
    assert bool(list(foot.iter("button"))) == bool(experiment)


def test_a_lesson_without_exercises_ends_with_its_last_core_experiment():
    first = replace(LESSONS[0], exercises=())
    lessons = (first, LESSONS[1])
    _, on, _ = nav_links(lessons, first, first.core[-1])
    assert (on.address, on.text) == (
        f"{LESSONS[1].slug}?experiment={START}",
        f"Lesson 1: {LESSONS[1].short_title} →",
    )
    assert CHECK not in [tab.slug for tabs in layout.lesson_tabs(first) for tab in tabs]


# ---- URL parameters ----


def test_a_guess_comes_first_unless_the_link_sets_something():
    sizes, again = (Renderer(TOY, experiment) for experiment in TOY.experiments[:2])
    assert layout.asks_first(sizes, {})
    assert layout.asks_first(sizes, {"experiment": "sizes", "present": "1"})
    assert layout.asks_first(sizes, {"scale": "2", "guess": "1"})
    assert not layout.asks_first(sizes, {"scale": "2"})
    assert not layout.asks_first(sizes, {"guess": "0"})
    assert not layout.asks_first(again, {})  # this experiment has no guess


def test_what_would_give_the_guess_away_is_covered():
    renderer = Renderer(TOY, TOY.experiments[0])
    for query, covered in (({}, ["toy-sizes-lengths", "toy-sizes-reading"]), ({"scale": "2"}, [])):
        tree = parse_html(layout.render_experiment((TOY,), renderer, query))
        assert [piece.get("id") for piece in by_class(tree, "covered")] == covered
        assert len(by_class(tree, "cover")) == len(covered)


@pytest.mark.parametrize(
    ("query", "classes"),
    [
        ({}, []),
        ({"present": "1", "embed": "1"}, ["present", "embed"]),
        ({"hide": "answers.controls"}, ["hide-controls", "hide-answers"]),
        ({"present": "yes", "hide": 'x"><script>'}, []),
    ],
)
def test_only_known_flags_become_classes_of_the_body(query, classes):
    assert layout.body_classes(query) == classes
    html = layout.render_page(FRAME, Markup(""), TOY, Markup(""), query)
    [body] = parse_html(html.partition("</head>")[2].partition("</html>")[0]).iter("body")
    assert body.get("class", "").split() == classes


def test_the_config_cannot_close_its_script():
    html = layout.render_page(
        FRAME._replace(config={"ids": ["</script><script>alert(1)"]}), Markup(""), None, Markup(""), {}
    )
    assert "alert(1)" in html
    assert "</script><script>alert" not in html


# ---- panels ----


@pytest.fixture(scope="module")
def panels() -> TestClient:
    renderers = {lesson.slug: [Renderer(lesson, each) for each in lesson.experiments] for lesson in LESSONS}
    routes = Pages(Frame(LESSONS, "page.css", "page.js", {}), renderers, start).routes()
    return TestClient(
        Starlette(
            routes=[
                route
                for route in routes
                if route.path in ("/glossary", "/notation", "/about", "/accessibility")
            ]
        )
    )


def test_the_glossary_panel_leads_to_lessons_that_are_there(panels):
    answer = panels.get("/glossary")
    assert answer.status_code == 200
    [terms] = by_class(
        parse_html(answer.text.partition("</head>")[2].removesuffix("</html>")), "glossary-list"
    )
    assert len(terms) == len(GLOSSARY)
    addresses = [link.get("href") for term in terms for link in term.iter("a")]
    assert len(addresses) >= 40
    assert set(addresses) <= {lesson.slug for lesson in LESSONS}


def test_the_about_panel_names_the_device_and_clears_progress(panels):
    [about] = by_class(
        parse_html(panels.get("/about").text.partition("</head>")[2].removesuffix("</html>")), "about"
    )
    assert text_of(by_class(about, "device")[0]) == "cpu · 1 thread"
    assert [button.get("data-action") for button in about.iter("button")] == ["clear"]


def test_the_about_panel_leads_to_the_accessibility_statement(panels):
    [about] = by_class(
        parse_html(panels.get("/about").text.partition("</head>")[2].removesuffix("</html>")), "about"
    )
    [link] = [link for link in about.iter("a") if link.get("href") == "accessibility"]
    assert link.get("data-action") == "dialog"
    answer = panels.get("/accessibility")
    assert answer.status_code == 200
    assert "What does not work yet" in answer.text


def test_the_notation_panel_has_the_table(panels):
    answer = panels.get("/notation")
    assert (answer.status_code, "rosetta-table" in answer.text) == (200, True)
    assert "max-age" in answer.headers["cache-control"]
