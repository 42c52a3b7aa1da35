"""Members of every screen size see what the lecturer shows: each tab, closer look, picture and exercise."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from lessons import LESSONS
from lessons.kit.contract import Lesson
from tests.bench import serve
from tests.browser.test_lecture import Hall, come
from tests.chromium import wait_for
from tests.toy import LESSON as TOY

WIDTHS = (360, 390, 412, 768, 1024)
LECTURER = {"width": 1280, "height": 720}
IN_VIEW = """(id) => {
  const part = document.getElementById(id), box = part?.getBoundingClientRect();
  const scene = document.querySelector(".experiment:not([hidden]) .scene")?.getBoundingClientRect();
  const isSticky = innerWidth <= 700 && scene && !part?.closest(".scene");
  const top = isSticky ? Math.max(0, scene.bottom - 2) : 0;
  return Boolean(box?.height) && box.top >= top - 2 && box.top < innerHeight - 40;
}"""


@pytest.fixture(scope="module")
def course_hall(tmp_path_factory) -> Iterator[Hall]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(serve.ENVIRONMENT, "SEQ2SEE_STORE", str(tmp_path_factory.mktemp("course") / "store"))
        hall = Hall("lessons")
        try:
            hall.start()
            yield hall
        finally:
            hall.end()


@pytest.fixture(scope="module")
def toy_hall(tmp_path_factory) -> Iterator[Hall]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(serve.ENVIRONMENT, "SEQ2SEE_STORE", str(tmp_path_factory.mktemp("toy") / "store"))
        hall = Hall()
        try:
            hall.start()
            yield hall
        finally:
            hall.end()


@pytest.fixture
def contexts(browser: Browser) -> Iterator[Browser]:
    before = list(browser.contexts)
    yield browser
    for context in [context for context in browser.contexts if context not in before]:
        context.close()


def open_room(browser: Browser, address: str) -> tuple[Page, str]:
    """Open a room on this page; return the lecturer's page and the code."""
    desk = come(browser, address, **LECTURER)
    desk.get_by_role("button", name="teach").click()
    code = desk.locator(".board .code").inner_text()
    desk.keyboard.press("k")
    return desk, code


def query(page: Page) -> str | None:
    return page.locator(".experiment:visible .drawing").get_attribute("data-link")


def test_closer_looks_and_their_place_travel(contexts, toy_hall):
    desk, code = open_room(contexts, f"{toy_hall.address}/toy")
    phones = [come(contexts, f"{toy_hall.address}/r/{code}", width=w, height=800) for w in WIDTHS]
    desk.set_viewport_size({"width": 1280, "height": 500})
    for act in ("pulling", "table"):
        desk.locator(f"#toy-sizes [data-act={act}]").click()
    desk.locator("#toy-sizes-act-table").evaluate("(it) => it.scrollIntoView({block: 'start'})")
    for phone in phones:
        expect(phone.locator("#toy-sizes [data-act=table]")).to_have_attribute("aria-expanded", "true")
        wait_for(phone, IN_VIEW, "toy-sizes-act-table")
        expect(phone.locator(".strip")).to_contain_text("following")
    for act in ("table", "pulling"):
        desk.locator(f"#toy-sizes [data-act={act}]").click()
    for phone in phones:
        wait_for(phone, "scrollY === 0")


def test_members_follow_the_steps_of_a_presentation(contexts, toy_hall):
    desk, code = open_room(contexts, f"{toy_hall.address}/toy")
    desk.get_by_role("button", name="present").click()
    phones = [come(contexts, f"{toy_hall.address}/r/{code}", width=w, height=800) for w in WIDTHS]
    projector = come(contexts, f"{toy_hall.address}/toy?present=1&room={code}", **LECTURER)
    for phone in phones:
        expect(phone.locator(".strip")).to_contain_text("following")
    desk.keyboard.press("PageDown")  # puts the question to the room
    for phone in phones:
        expect(phone.locator(".card .chip").first).to_be_visible()
    expect(desk.locator(".card .count")).to_have_text("0 of 6 answered")
    desk.wait_for_timeout(400)  # a clicker that bounces does not skip a step
    desk.keyboard.press("r")
    expect(desk.locator(".card .right")).to_be_visible()
    desk.wait_for_timeout(400)
    desk.keyboard.press("x")
    expect(desk.locator(".card .right")).to_have_count(0)
    for phone in [*phones, projector]:
        expect(phone.locator("#toy-sizes-reading .cover")).to_have_count(0)
    while desk.locator("#toy-sizes [data-act=table]").get_attribute("aria-expanded") != "true":
        desk.keyboard.press("PageDown")
        desk.wait_for_timeout(300)
    for phone in phones:
        wait_for(phone, IN_VIEW, "toy-sizes-act-table")
    expect(projector.locator("#toy-sizes-corner")).to_be_visible()
    desk.goto(f"{toy_hall.address}/toy?experiment=check&present=1")
    for number in range(len(TOY.exercises)):
        if number:
            desk.keyboard.press("PageDown")  # shows the answer of the previous exercise
            expect(desk.locator(".exercise .verdict:visible")).not_to_be_empty()
            desk.keyboard.press("PageDown")
        slug = TOY.exercises[number].slug
        expect(desk.locator(f"#toy-check-{slug}")).to_be_visible()
        for phone in phones:
            wait_for(phone, IN_VIEW, f"toy-check-{slug}")
        expect(projector.locator(f"#toy-check-{slug}")).to_be_visible()


def test_members_follow_to_the_start_of_a_lesson_and_on(contexts, toy_hall):
    desk, code = open_room(contexts, f"{toy_hall.address}/toy?experiment=welcome")
    phone = come(contexts, f"{toy_hall.address}/r/{code}")
    expect(phone.locator("#toy-welcome")).to_be_visible()
    desk.locator('.tab-strip [data-tab="again"]').click()
    expect(phone.locator("#toy-again")).to_be_visible()
    desk.goto(f"{toy_hall.address}/toy?experiment=welcome&present=1")
    expect(phone.locator("#toy-welcome")).to_be_visible()
    desk.keyboard.press("PageDown")
    expect(phone.locator("#toy-sizes")).to_be_visible()
    expect(phone.locator(".strip")).to_contain_text("following")


@pytest.mark.parametrize(
    "lesson",
    [pytest.param(one, marks=[] if one.slug == "scores" else pytest.mark.slow) for one in LESSONS],
    ids=lambda lesson: lesson.slug,
)
def test_members_of_every_size_land_in_every_tab(contexts, course_hall, lesson: Lesson):
    desk, code = open_room(contexts, f"{course_hall.address}/{lesson.slug}")
    phones = [come(contexts, f"{course_hall.address}/r/{code}", width=w, height=800) for w in WIDTHS]
    slugs = [experiment.slug for experiment in lesson.experiments] + ["check"]
    for slug in [*slugs[1:], slugs[0]]:
        desk.locator(f'.tab-strip [data-tab="{slug}"]').click()
        expect(desk.locator(f"#{lesson.slug}-{slug}")).to_be_visible()
        for phone in phones:
            expect(phone.locator(f"#{lesson.slug}-{slug}")).to_be_visible()
            expect(phone.locator(".experiment:visible")).to_have_count(1)
            expect(phone.locator(".strip")).to_contain_text("following")
            if slug != "check":
                wait_for(
                    phone,
                    "(link) => document.querySelector('.experiment:not([hidden]) .drawing')"
                    "?.dataset.link === link",
                    query(desk),
                )
