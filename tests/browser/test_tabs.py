"""Every tab of every lesson can be reached, opened and linked to, and "next" leads through a lesson."""

import re
from collections.abc import Iterator
from html import unescape

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from lessons import LESSONS
from lessons.kit.contract import Experiment, Lesson
from lessons.kit.web.layout import CHECK, START, lesson_tabs, nav_links
from tests.chromium import wait_until
from tests.toy import LESSON as TOY

HEIGHTS = {360: 740, 390: 844, 768: 1024, 1024: 768, 1280: 720, 1920: 1080}
PHONES = (360, 390)
SMALLEST = 24  # minimum target size in pixels (WCAG 2.2, 2.5.8)
EACH = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
# clicks through all tabs: the usual run has the first and the last lesson, and the one with most tabs
WALKED = (LESSONS[0], LESSONS[-1], max(LESSONS, key=lambda lesson: len(lesson.experiments)))
WALK_EACH = pytest.mark.parametrize(
    "lesson",
    [pytest.param(lesson, marks=[] if lesson in WALKED else pytest.mark.slow) for lesson in LESSONS],
    ids=lambda lesson: lesson.slug,
)

# Tabs that a pointer cannot hit even after scrolling: too small, outside the window, or covered.
OUT_OF_REACH = f"""() => {{
  const isHit = (tab) => {{
    const strip = tab.parentElement;
    if (strip.scrollWidth > strip.clientWidth) strip.scrollLeft = tab.offsetLeft - strip.offsetLeft;
    const box = tab.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
    return Math.min(box.width, box.height) >= {SMALLEST} && tab.contains(document.elementFromPoint(x, y));
  }};
  const tabs = [...document.querySelectorAll(".tab-strip [data-tab]")];
  return tabs.filter((tab) => !isHit(tab)).map((tab) => tab.dataset.tab);
}}"""
# Whether the current tab is completely inside the strip and the window.
CURRENT_IN_VIEW = """() => {
  const tab = document.querySelector(".tab-strip [aria-current]"), box = tab.getBoundingClientRect();
  const strip = tab.parentElement.getBoundingClientRect();
  return box.left >= strip.left - 1 && box.right <= Math.min(strip.right, innerWidth) + 1 && box.top >= 0;
}"""


def order(lesson: Lesson) -> list[str]:
    """Tabs in order: core experiments, further experiments, “Check yourself”."""
    return [tab.slug for group in lesson_tabs(lesson) for tab in group]


def find_experiment(lesson: Lesson, slug: str) -> Experiment | None:
    return None if slug == CHECK else lesson.experiment(slug)


def tab(page: Page, slug: str) -> Locator:
    return page.locator(f'.tab-strip [data-tab="{slug}"]')


def title(lesson: Lesson, slug: str) -> str:
    experiment = find_experiment(lesson, slug)
    if experiment is None:
        return f"{lesson.text.question} · Check yourself · Seq2See"
    return f"{lesson.text.experiments[slug].question} · {experiment.title} · Seq2See"


def is_open(page: Page, lesson: Lesson, slug: str) -> None:
    """Check that only this tab is open: in view, in the URL, in the title, and marked in strip and menu."""
    expect(page.locator(f"#{lesson.slug}-{slug}")).to_be_visible()
    expect(page.locator(".experiment:visible")).to_have_count(1)
    expect(page).to_have_url(re.compile(rf"/{lesson.slug}\?experiment={slug}$"))
    expect(page).to_have_title(title(lesson, slug))
    assert (
        page.evaluate(
            '[...document.querySelectorAll(".tabs [aria-current=page]")].map((one) => one.dataset.tab)'
        )
        == [slug] * 2
    )


def resized(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": HEIGHTS[width]})


@pytest.fixture
def quiet(browser: Browser) -> Iterator[Page]:
    """A page that fails the test on any error."""
    context = browser.new_context(viewport={"width": 1280, "height": HEIGHTS[1280]})
    page, faults = context.new_page(), list[str]()
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    context.close()
    assert faults == []


# ---- what the server sends ----


@EACH
def test_a_link_to_each_tab_opens_it(page: Page, course: str, lesson: Lesson):
    for slug in order(lesson):
        html = page.request.get(f"{course}/{lesson.slug}?experiment={slug}").text()
        assert unescape(re.search("<title>(.*?)</title>", html)[1]) == title(lesson, slug)
        assert re.findall(r'<section class="experiment[^"]*" id="([^"]+)"', html) == [f"{lesson.slug}-{slug}"]
        assert re.findall(r'data-tab="([^"]+)" data-done="[^"]+" aria-current="page"', html) == [slug] * 2


# ---- on every screen ----


@EACH
def test_every_tab_is_in_reach_on_every_screen(quiet: Page, course: str, lesson: Lesson):
    quiet.goto(f"{course}/{lesson.slug}?experiment={CHECK}")
    quiet.wait_for_selector("html.live", state="attached")
    for width in HEIGHTS:
        resized(quiet, width)
        assert quiet.evaluate(OUT_OF_REACH) == [], width
        assert quiet.evaluate("document.documentElement.scrollWidth") <= width
        strip = quiet.locator(".tab-strip")
        if width in PHONES:
            expect(quiet.locator(".all-tabs summary")).to_be_visible()
        else:
            assert strip.evaluate("(one) => one.scrollWidth <= one.clientWidth + 1"), (
                f"a tab is cut off at {width}"
            )
            expect(quiet.locator(".all-tabs")).to_be_hidden()


@EACH
def test_core_comes_before_further_and_is_numbered(quiet: Page, course: str, lesson: Lesson):
    quiet.goto(f"{course}/{lesson.slug}")
    core, further, last = lesson_tabs(lesson)
    found = quiet.locator(".tab-strip [data-tab]").evaluate_all(
        "(all) => all.map((one) => [one.dataset.tab, one.querySelector('.number')?.textContent ?? null])"
    )
    numbers = [str(number) for number in range(1, len(core) + 1)] + [None] * (len(further) + len(last))
    assert found == [[slug, number] for slug, number in zip(order(lesson), numbers, strict=True)]
    listed = quiet.locator(".all-list [data-tab]").evaluate_all("(all) => all.map((one) => one.dataset.tab)")
    assert listed == order(lesson)


# ---- clicks ----


@WALK_EACH
def test_every_tab_opens_and_history_follows(quiet: Page, course: str, lesson: Lesson):
    slugs = order(lesson)
    quiet.goto(f"{course}/{lesson.slug}?experiment={slugs[0]}")
    for slug in slugs[1:]:
        tab(quiet, slug).click()
        is_open(quiet, lesson, slug)
    quiet.go_back()
    is_open(quiet, lesson, slugs[-2])
    for _ in slugs[2:]:
        quiet.go_back()
    is_open(quiet, lesson, slugs[0])
    quiet.go_forward()
    is_open(quiet, lesson, slugs[1])


@WALK_EACH
def test_every_tab_opens_on_a_phone_and_is_scrolled_into_view(quiet: Page, course: str, lesson: Lesson):
    resized(quiet, 390)
    slugs = order(lesson)
    quiet.goto(f"{course}/{lesson.slug}?experiment={slugs[-1]}")
    quiet.wait_for_selector("html.live", state="attached")
    assert quiet.evaluate(CURRENT_IN_VIEW), "a link's tab"
    for number, slug in enumerate(slugs[:-1]):
        if number % 2:
            quiet.locator(".all-tabs summary").click()
            quiet.locator(f'.all-list [data-tab="{slug}"]').click()
            expect(quiet.locator(".all-list")).to_be_hidden()
        else:
            tab(quiet, slug).click()
        is_open(quiet, lesson, slug)
        assert quiet.evaluate(CURRENT_IN_VIEW), slug
    resized(quiet, 360)
    quiet.locator(".all-tabs summary").click()
    for entry in quiet.locator(".all-list a").all():
        entry.scroll_into_view_if_needed()
        expect(entry).to_be_in_viewport(ratio=1)


@WALK_EACH
def test_next_walks_the_core_and_then_check_yourself(quiet: Page, course: str, lesson: Lesson):
    number = LESSONS.index(lesson)
    resized(quiet, 768)
    quiet.goto(f"{course}/{lesson.slug}")
    for slug in [experiment.slug for experiment in lesson.core]:
        expect(quiet.locator(f"#{lesson.slug}-{slug}")).to_be_visible()
        check_links(quiet, lesson, slug)
        quiet.locator(".steps a[rel=next]:visible").click()
    is_open(quiet, lesson, CHECK)
    check_links(quiet, lesson, CHECK)
    assert quiet.evaluate("scrollY") == 0
    quiet.locator(".steps a[rel=prev]:visible").click()
    is_open(quiet, lesson, lesson.core[-1].slug)
    if lesson.further:
        quiet.locator(".steps a:not([rel]):visible").click()
        for experiment in lesson.further:
            is_open(quiet, lesson, experiment.slug)
            check_links(quiet, lesson, experiment.slug)
            quiet.locator(".steps a[rel=next]:visible").click()
        is_open(quiet, lesson, CHECK)
    else:
        quiet.locator(".steps a[rel=next]:visible").click()
    with quiet.expect_navigation():
        quiet.locator(f"#{lesson.slug}-{CHECK} .steps a[rel=next]").click()
    if number + 1 == len(LESSONS):
        expect(quiet).to_have_url(f"{course}/")
    else:
        after = LESSONS[number + 1]
        expect(quiet).to_have_url(f"{course}/{after.slug}?experiment={START}")
        quiet.locator(f"#{after.slug}-{START} .begin").click()
        is_open(quiet, after, after.core[0].slug)


def check_links(page: Page, lesson: Lesson, slug: str) -> None:
    """Check the links to the previous, next and further experiments against the lesson's route."""
    back, on, more = nav_links(LESSONS, lesson, find_experiment(lesson, slug))
    found = page.locator(f"#{lesson.slug}-{slug} .steps a").evaluate_all(
        '(all) => all.map((one) => [one.getAttribute("rel"), one.getAttribute("href"), one.dataset.tab ??'
        ' ""])'
    )
    wanted = [(rel, way) for rel, way in (("prev", back), (None, more), ("next", on)) if way]
    assert found == [[rel, way.address, way.tab] for rel, way in wanted]


@WALK_EACH
def test_go_there_leads_from_an_exercise_to_its_experiment(quiet: Page, course: str, lesson: Lesson):
    quiet.goto(f"{course}/{lesson.slug}?experiment={CHECK}")
    for exercise in lesson.exercises:
        there = quiet.locator(f"#{lesson.slug}-{CHECK}-{exercise.slug}").get_by_role("link", name="go there")
        if exercise.answer:
            expect(there).to_have_count(0)
            continue
        there.click()
        is_open(quiet, lesson, exercise.experiment)
        quiet.go_back()
        is_open(quiet, lesson, CHECK)


# ---- progress, saved states, pending requests ----


def test_a_tab_is_ticked_when_it_is_done(quiet: Page, course: str):
    lesson = next(lesson for lesson in LESSONS if lesson.further)
    core, further, [check] = lesson_tabs(lesson)
    exercises = [f"{lesson.slug}-{CHECK}-{exercise.slug}" for exercise in lesson.exercises]
    quiet.goto(f"{course}/robots.txt")

    def ticked(*done: str) -> list[str]:
        quiet.evaluate(
            "(ids) => localStorage.setItem('seq2see', JSON.stringify({ done: ids }))", dict.fromkeys(done, 1)
        )
        quiet.goto(f"{course}/{lesson.slug}")
        quiet.wait_for_selector("html.live", state="attached")
        return quiet.locator(".tab-strip [data-tab]").evaluate_all(
            """(all) => all.filter((one) => ["::before", "::after"].some(
            (part) => [one, one.querySelector(".number")].some(
                (here) => here && getComputedStyle(here, part).content.startsWith('"✓"'))))
            .map((one) => one.dataset.tab)"""
        )

    assert ticked() == []
    assert ticked(core[1].id, further[0].id, *exercises[1:]) == [core[1].slug, further[0].slug]
    assert ticked(*exercises) == [check.slug]  # all of its questions are solved


def test_a_tab_is_ticked_once_something_in_it_was_moved(quiet: Page, toy: str):
    quiet.goto(f"{toy}/toy?experiment=again")
    expect(tab(quiet, "again")).not_to_have_class(re.compile("done"))
    quiet.locator("#toy-again-scale-field").press("ArrowRight")
    expect(tab(quiet, "again")).to_have_class(re.compile("done"))
    expect(tab(quiet, "steer")).not_to_have_class(re.compile("done"))


def test_back_and_forward_bring_the_state_that_was_left(quiet: Page, toy: str):
    quiet.goto(f"{toy}/toy?experiment=again")
    reading = quiet.locator("#toy-again-reading")
    quiet.locator("#toy-again-scale-field").press("ArrowRight")
    expect(quiet).to_have_url(re.compile("experiment=again&scale=1.1$"))
    tab(quiet, "steer").click()
    expect(quiet.locator("#toy-steer")).to_be_visible()
    tab(quiet, "again").click()
    expect(quiet).to_have_url(re.compile("experiment=again&scale=1.1$"))
    quiet.locator("#toy-again-scale-field").press("ArrowRight")
    expect(quiet).to_have_url(re.compile("experiment=again&scale=1.2$"))
    quiet.go_back()
    expect(quiet.locator("#toy-steer")).to_be_visible()
    quiet.go_back()
    expect(reading).to_have_text("Word 1 is a, worth 0.11.")
    expect(quiet.locator("#toy-again-scale-field")).to_have_value("1.1")
    expect(quiet).to_have_url(re.compile("experiment=again&scale=1.1$"))
    quiet.go_forward()
    quiet.go_forward()
    expect(reading).to_have_text("Word 1 is a, worth 0.12.")
    expect(quiet).to_have_url(re.compile("experiment=again&scale=1.2$"))


def test_the_tab_that_was_asked_for_last_opens(quiet: Page, toy: str):
    """The tab requested last must open, however late the answer for another tab arrives."""
    quiet.goto(f"{toy}/toy?experiment=sizes&guess=0")
    quiet.wait_for_selector("html.live", state="attached")
    held: dict[str, Route] = {}

    def hold(route: Route) -> None:
        held[route.request.url.rpartition("=")[2]] = route

    quiet.route("**/toy?*", hold)
    tab(quiet, "again").click()
    tab(quiet, "steer").click()
    wait_until(quiet, lambda: set(held) == {"again", "steer"})
    expect(quiet.locator("#toy-sizes")).to_be_visible()  # the open tab stays until the new one has loaded
    held["steer"].continue_()
    is_open(quiet, TOY, "steer")
    held["again"].continue_()
    quiet.wait_for_timeout(500)
    is_open(quiet, TOY, "steer")
    quiet.unroute("**/toy?*")
    tab(quiet, "again").click()
    is_open(quiet, TOY, "again")


def test_a_tab_that_is_on_its_way_gives_way_to_one_that_is_here(quiet: Page, toy: str):
    quiet.goto(f"{toy}/toy?experiment=sizes&guess=0")
    quiet.wait_for_selector("html.live", state="attached")
    tab(quiet, "steer").click()
    is_open(quiet, TOY, "steer")
    held: list[Route] = []
    quiet.route("**/toy?*", lambda route: held.append(route))
    tab(quiet, "again").click()
    wait_until(quiet, lambda: bool(held))
    tab(quiet, "sizes").click()
    is_open(quiet, TOY, "sizes")
    held.pop().continue_()
    quiet.wait_for_timeout(500)
    is_open(quiet, TOY, "sizes")


def test_a_click_with_a_modifier_is_the_browser_s(quiet: Page, toy: str):
    quiet.goto(f"{toy}/toy?experiment=sizes&guess=0")
    with quiet.context.expect_page() as opened:
        tab(quiet, "again").click(modifiers=["ControlOrMeta"])
    expect(opened.value.locator("#toy-again")).to_be_visible()
    expect(quiet.locator("#toy-sizes")).to_be_visible()


def test_the_menu_of_all_tabs_closes_with_escape_and_with_a_click_beside_it(quiet: Page, toy: str):
    resized(quiet, 390)
    quiet.goto(f"{toy}/toy?experiment=sizes&guess=0")
    quiet.wait_for_selector("html.live", state="attached")
    summary, entries = quiet.locator(".all-tabs summary"), quiet.locator(".all-list")
    summary.click()
    expect(entries).to_be_visible()
    quiet.keyboard.press("Tab")
    quiet.keyboard.press("Escape")
    expect(entries).to_be_hidden()
    expect(summary).to_be_focused()
    summary.click()
    expect(entries).to_be_visible()
    quiet.locator("#toy-sizes h1").click(position={"x": 300, "y": 5})
    expect(entries).to_be_hidden()
