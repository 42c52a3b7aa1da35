"""A classroom with a second computer or tab, a lost connection or worker, and members on their own."""

import base64
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from lessons.kit.web.addresses import machine_addresses
from tests.bench import serve
from tests.browser.test_layout import AXE, SERIOUS
from tests.browser.test_lecture import PHONE, Hall, come
from tests.chromium import wait_for

DESK = {"width": 1280, "height": 720}


@pytest.fixture(scope="module")
def hall(tmp_path_factory) -> Iterator[Hall]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(serve.ENVIRONMENT, "SEQ2SEE_STORE", str(tmp_path_factory.mktemp("hall") / "store"))
        hall = Hall()
        try:
            hall.start()
            yield hall
        finally:
            hall.end()


class Lecture:
    """A room, its lecturer's page, and a phone that follows."""

    def __init__(self, browser: Browser, hall: Hall):
        self.browser, self.hall = browser, hall
        self.desk = come(browser, f"{hall.address}/toy", **DESK)
        self.desk.get_by_role("button", name="teach").click()
        self.code = self.desk.locator(".board .code").inner_text()
        self.desk.keyboard.press("k")
        self.phone = self.join()

    def join(self) -> Page:
        phone = come(self.browser, f"{self.hall.address}/r/{self.code}")
        expect(phone.locator(".strip")).to_contain_text("following")
        return phone


@pytest.fixture
def lecture(browser: Browser, hall: Hall) -> Iterator[Lecture]:
    before = list(browser.contexts)
    yield Lecture(browser, hall)
    for context in [context for context in browser.contexts if context not in before]:
        context.close()


def tab(page: Page, slug: str) -> Locator:
    return page.locator(f'.tab-strip [data-tab="{slug}"]')


def scale(page: Page, key: str) -> None:
    page.locator("#toy-sizes-scale input[type=range]").press(key)


def shows(page: Page, words: str) -> None:
    expect(page.locator("#toy-sizes-reading")).to_contain_text(words)


def copied(context: BrowserContext, page: Page, button: str) -> str:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name=button).click()
    expect(page.get_by_role("button", name="copied")).to_be_visible()
    return page.evaluate("navigator.clipboard.readText()")


def test_the_private_link_leads_from_another_computer(lecture, browser):
    scale(lecture.desk, "ArrowRight")
    shows(lecture.phone, "worth 0.33")
    lecture.desk.keyboard.press("k")
    link = copied(lecture.desk.context, lecture.desk, "copy my private link")
    lecture.desk.keyboard.press("k")
    assert re.fullmatch(rf"{lecture.hall.address}/r/{lecture.code}#lead=[\w-]+", link)
    other = come(browser, link, **DESK)
    expect(other.locator(".desk")).to_contain_text(f"Room {lecture.code}")
    shows(other, "worth 0.33")
    assert "lead=" not in other.url, "who looks over a shoulder must not read it"
    assert "lead=" not in lecture.phone.evaluate("JSON.stringify(localStorage)")
    other.get_by_role("button", name="lead from here").click()
    expect(lecture.desk.get_by_role("button", name="lead from here")).to_be_visible()
    scale(other, "ArrowRight")
    # the phone and the lecturer's first tab follow the new leading tab
    for page in (lecture.phone, lecture.desk):
        shows(page, "worth 0.36")
    lecture.desk.get_by_role("button", name="lead from here").click()
    expect(other.get_by_role("button", name="lead from here")).to_be_visible()
    scale(lecture.desk, "ArrowLeft")
    for page in (lecture.phone, other):
        shows(page, "worth 0.33")


def test_the_code_says_that_phones_cannot_reach_a_loopback_address(lecture):
    lecture.desk.keyboard.press("k")
    hint = lecture.desk.locator(".board .message")
    for words in ("Phones cannot reach 127.0.0.1", "--host 0.0.0.0", *machine_addresses()):
        expect(hint).to_contain_text(words)


def test_a_slow_request_does_not_undo_a_later_move(lecture):
    waiting: list[Route] = []  # holds back the request with the first position

    def delay_the_first(route: Route) -> None:
        waiting.append(route)
        if len(waiting) > 1:
            route.continue_()

    lecture.desk.route("**/lead", delay_the_first)
    scale(lecture.desk, "ArrowRight")
    shows(lecture.desk, "worth 0.33")
    scale(lecture.desk, "ArrowRight")
    shows(lecture.desk, "worth 0.36")
    assert len(waiting) == 1
    waiting[0].continue_()
    shows(lecture.phone, "worth 0.36")
    assert len(waiting) > 1


def test_a_second_tab_of_the_lecturer(lecture):
    other = lecture.desk.context.new_page()
    other.goto(f"{lecture.hall.address}/toy?experiment=again")
    expect(other.locator(".desk")).to_contain_text("follows your other tab")
    shows(other, "worth 0.30")  # the new tab shows what the leading tab shows
    tab(other, "steer").click()
    expect(other.locator(".desk")).to_contain_text("on its own")
    scale(lecture.desk, "ArrowRight")
    shows(lecture.phone, "worth 0.33")
    expect(other.locator("#toy-steer-reading")).to_be_visible()
    expect(lecture.desk.locator("#toy-sizes-reading")).to_be_visible()
    other.get_by_role("button", name="lead from here").click()
    for page in (lecture.phone, lecture.desk):
        expect(page.locator("#toy-steer-reading")).to_be_visible()
    tab(lecture.desk, "again").click()  # the first tab has stopped leading
    expect(lecture.desk.locator("#toy-again-reading")).to_be_visible()
    scale_of_steer = other.locator("#toy-steer-t input[type=range]")
    scale_of_steer.press("ArrowRight")
    expect(lecture.phone.locator("#toy-steer-reading")).to_contain_text("Step 2")
    other.close()
    lecture.desk.get_by_role("button", name="lead from here").click()
    expect(lecture.phone.locator("#toy-again-reading")).to_be_visible()


def test_a_duplicated_tab_does_not_lead(lecture):
    copied = lecture.desk.evaluate("sessionStorage.getItem('seq2see-tab')")
    other = lecture.desk.context.new_page()
    other.add_init_script(f"if (!sessionStorage.length) sessionStorage.setItem('seq2see-tab', {copied!r})")
    other.goto(f"{lecture.hall.address}/toy?experiment=again")
    expect(other.get_by_role("button", name="lead from here")).to_be_visible()
    expect(lecture.desk.get_by_role("button", name="lead from here")).to_have_count(0)


def test_your_turn_with_a_goal_and_calling_back(lecture):
    lecture.desk.get_by_role("button", name="your turn").click()
    lecture.desk.get_by_label("What should people find?").fill("a <b>longer</b> word")
    lecture.desk.get_by_role("button", name="hand out").click()
    strip = lecture.phone.locator(".strip")
    expect(strip).to_contain_text("your turn: a <b>longer</b> word")
    scale(lecture.phone, "End")
    shows(lecture.phone, "worth 0.60")
    scale(lecture.desk, "ArrowRight")
    shows(lecture.desk, "worth 0.33")
    shows(lecture.phone, "worth 0.60")
    lecture.desk.get_by_role("button", name="call back").click()
    expect(strip).to_contain_text("following")
    shows(lecture.phone, "worth 0.33")


def test_they_follow_to_the_map_and_to_a_lesson(lecture):
    lecture.desk.get_by_role("link", name="Map").click()
    expect(lecture.phone.locator("#start-map")).to_be_visible()
    expect(lecture.phone).to_have_url(re.compile(r"/\?"))
    lecture.desk.get_by_role("link", name="1 Toy").first.click()
    expect(lecture.phone.locator("#toy-sizes-reading")).to_be_attached()
    expect(lecture.phone.locator(".strip")).to_contain_text("following")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (768, 1024)])
def test_a_follower_goes_with_the_lecturer_through_every_tab(lecture, width, height):
    lecture.phone.set_viewport_size({"width": width, "height": height})
    # each tab is opened for the first time, then again
    for slug in ["again", "steer", "check", "sizes", "check", "again"]:
        tab(lecture.desk, slug).click()
        expect(lecture.phone.locator(f"#toy-{slug}")).to_be_visible()
        expect(lecture.phone.locator(".experiment:visible")).to_have_count(1)
        expect(tab(lecture.phone, slug)).to_have_attribute("aria-current", "page")
        expect(tab(lecture.phone, slug)).to_be_in_viewport()
        expect(lecture.phone).to_have_url(re.compile(f"experiment={slug}"))
        expect(lecture.phone.locator(".strip")).to_contain_text("following")
    lecture.desk.locator("#toy-again-scale-field").press("ArrowRight")
    expect(lecture.phone.locator("#toy-again-reading")).to_have_text("Word 1 is a, worth 0.11.")
    lecture.desk.locator(".steps a[rel=next]:visible").click()
    expect(lecture.phone.locator("#toy-steer")).to_be_visible()
    lecture.desk.go_back()
    expect(lecture.phone.locator("#toy-again-reading")).to_have_text("Word 1 is a, worth 0.11.")
    tab(lecture.phone, "steer").click()  # opening a tab stops following
    expect(lecture.phone.locator(".strip")).to_contain_text("on your own")


def test_a_guess_stays_covered_on_phones_until_it_is_shown_in_front(lecture):
    reading = lecture.phone.locator("#toy-sizes-reading")
    expect(reading).to_have_class(re.compile("covered"))
    lecture.desk.locator("#toy-sizes-reading").get_by_role("button", name="show me").click()
    expect(reading).not_to_have_class(re.compile("covered"))


def test_the_lecturer_loses_the_connection(lecture):
    """Without a connection a loaded tab must open; a new one must load when the connection is back."""
    desk, phone, context = lecture.desk, lecture.phone, lecture.desk.context
    tab(desk, "again").click()
    expect(phone.locator("#toy-again-reading")).to_be_visible()
    tab(desk, "sizes").click()
    expect(phone.locator("#toy-sizes-reading")).to_be_visible()
    context.set_offline(True)
    tab(desk, "again").click()
    expect(desk.locator("#toy-again-reading")).to_be_visible()
    expect(phone.locator(".strip")).to_contain_text("following")
    expect(phone.locator("#toy-sizes-reading")).to_be_visible()
    context.set_offline(False)
    expect(phone.locator("#toy-again-reading")).to_be_visible()
    context.set_offline(True)
    tab(desk, "steer").click()
    expect(desk.locator(".busy", has_text="trying again")).to_be_visible()
    expect(desk.locator("#toy-again-reading")).to_be_visible()
    context.set_offline(False)
    for page in (desk, phone):
        expect(page.locator("#toy-steer-reading")).to_be_visible()
    expect(desk.locator(".busy", has_text="trying again")).to_be_hidden()


def workers_of(pid: int) -> list[int]:
    found = []
    for task in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = task.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(task.parent.name))
    return sorted(found)


def test_a_worker_is_killed(lecture):
    workers = workers_of(lecture.hall.pid)
    assert len(workers) >= 2
    for worker in workers[:2]:
        os.kill(worker, signal.SIGKILL)
    tab(lecture.desk, "again").click()
    expect(lecture.phone.locator("#toy-again-reading")).to_be_visible()
    expect(lecture.desk.locator(".desk")).to_contain_text("1 here")


def test_where_they_are_and_what_they_have_solved(lecture):
    phone = lecture.join()
    tab(phone, "check").click()
    phone.locator("#toy-check-count input").fill("2")
    phone.locator("#toy-check-count input").press("Enter")
    expect(phone.locator("#toy-check-count .verdict")).to_contain_text("There are 2")
    lecture.desk.get_by_text("where they are", exact=True).click()
    places = lecture.desk.locator(".places")
    expect(places).to_contain_text(
        "toy/sizes: 1", timeout=60_000
    )  # the phone reports and the desk polls every 15 s
    expect(places).to_contain_text("toy/check: 1")
    expect(places).to_contain_text("solved: toy/count: 1", timeout=60_000)


def test_a_poll_in_front_by_page_down(lecture):
    """Ask, ask again, both distributions, why, and on. The poll takes the place of the guess."""
    desk, phone = lecture.desk, lecture.phone
    expect(desk.locator(".desk")).to_contain_text("1 here")
    desk.get_by_role("button", name="present", exact=True).click()
    reading = phone.locator("#toy-sizes-reading")
    desk.keyboard.press("PageDown")
    expect(phone.locator(".card.in-place")).to_be_visible()
    for page in (desk, phone):
        expect(page.locator("#toy-sizes-predict")).to_be_hidden()
    expect(phone.locator(".cover button:visible")).to_have_count(0)
    phone.locator("#toy-sizes-scale input[type=range]").press("ArrowRight")
    # while a room is asked, moving a control must not reveal the answer
    expect(reading).to_have_class(re.compile("covered"))
    phone.locator(".card").get_by_role("button", name="one").click()
    expect(desk.locator(".card .count")).to_have_text("1 of 1 answered")
    desk.wait_for_timeout(500)  # a clicker that bounces does not skip a step
    desk.keyboard.press("PageDown")
    expect(phone.locator(".card")).to_contain_text("asked again")
    phone.locator(".card").get_by_role("button", name="three").click()
    expect(desk.locator(".card .count")).to_have_text("1 of 1 answered")
    expect(desk.locator(".card .bar-row")).to_have_count(0)
    desk.wait_for_timeout(500)
    desk.keyboard.press("PageDown")
    expect(desk.locator(".card .bar-row b")).to_have_text(["1", "0", "0", "1"])
    picture = desk.locator("#toy-sizes .view:visible, #toy-sizes .scene").first.bounding_box()
    card = desk.locator(".card").bounding_box()
    assert picture
    assert card
    assert card["y"] + card["height"] <= picture["y"] + 1 or card["y"] >= picture["y"] + picture["height"] - 1
    desk.wait_for_timeout(500)
    desk.keyboard.press("PageDown")
    for page in (desk, phone):
        expect(page.locator(".card .right")).to_contain_text("It has 5 letters.")
        expect(page.locator(".card .right")).to_be_in_viewport()
    desk.wait_for_timeout(500)
    desk.keyboard.press("PageDown")
    expect(desk.locator(".card")).to_be_hidden()
    expect(reading).not_to_have_class(re.compile("covered"))
    desk.wait_for_timeout(500)
    desk.keyboard.press("PageDown")  # plays the setting that the guess asks about
    expect(desk.locator("#toy-sizes-reading")).to_contain_text("worth -0.60")


def test_a_lost_connection_is_seen_and_what_was_pressed_is_sent(lecture):
    desk, phone = lecture.desk, lecture.phone
    phone.context.set_offline(True)
    expect(phone.locator(".strip")).to_contain_text("connection lost", timeout=5000)
    phone.context.set_offline(False)
    expect(phone.locator(".strip")).to_contain_text("following")
    desk.context.set_offline(True)
    expect(desk.locator(".desk")).to_contain_text("connection lost", timeout=5000)
    desk.get_by_role("button", name="your turn").click()
    desk.get_by_label("What should people find?").fill("the longest word")
    desk.get_by_role("button", name="hand out").click()
    expect(desk.locator(".desk")).to_contain_text("1 not sent yet")
    desk.keyboard.press("Escape")
    desk.context.set_offline(False)
    expect(phone.locator(".strip")).to_contain_text("your turn: the longest word")
    expect(desk.locator(".desk")).not_to_contain_text("not sent")


def test_a_remote_shows_notes_and_presses_next(lecture, browser):
    desk, phone = lecture.desk, lecture.phone
    desk.keyboard.press("k")
    link = copied(desk.context, desk, "copy the link of my remote")
    desk.keyboard.press("k")
    remote = come(browser, link)
    expect(remote.get_by_role("heading", name=f"Room {lecture.code}")).to_be_visible()
    assert "lead=" not in remote.url
    expect(remote.locator("main")).to_contain_text("Ask: Which is longer?")
    expect(remote.locator("main")).to_contain_text("✓ right: three")
    expect(remote.locator("main")).to_contain_text("Then: Again.")
    expect(remote.locator("main")).to_contain_text("1 here")
    desk.get_by_role("button", name="present", exact=True).click()
    remote.get_by_role("button", name="next").click()  # puts the question to the room
    expect(phone.locator(".card .chip").first).to_be_visible()
    phone.locator(".card").get_by_role("button", name="one").click()
    expect(remote.locator("main")).to_contain_text("1 of 1 answered")
    remote.get_by_role("button", name="60 s").click()
    expect(phone.locator(".card .timer")).to_have_text(re.compile(r"\d+ s"))
    remote.get_by_role("button", name="reveal").click()
    expect(phone.locator(".card .right")).to_contain_text("three")
    remote.get_by_role("button", name="done").click()
    phone.get_by_role("button", name="ask a question").click()
    phone.get_by_label("Your question").fill("<b>Why?</b>")
    phone.get_by_role("button", name="send", exact=True).click()
    expect(remote.locator("main")).to_contain_text("<b>Why?</b>")
    remote.get_by_role("button", name="show to all").click()
    for page in (desk, phone):
        expect(page.locator(".heard")).to_have_text("From the room: <b>Why?</b>")


def test_a_set_of_questions_from_a_link(lecture):
    questions = '[{"text": "What is $2/3$?", "kind": "number", "right": "2/3"}, {"id": "toy-sizes-predict"}]'
    packed = base64.urlsafe_b64encode(questions.encode()).decode().rstrip("=")
    lecture.desk.goto(f"{lecture.hall.address}/toy?experiment=again#set={packed}")
    lecture.desk.wait_for_selector("html.live", state="attached")
    expect(lecture.desk.locator(".room-note")).to_contain_text("Prepared: 2 questions")
    lecture.desk.get_by_role("button", name="ask", exact=True).click()
    lecture.desk.get_by_role("button", name="ask the next of 2").click()
    expect(lecture.phone.locator(".card .asked .katex")).to_be_visible()
    lecture.phone.locator(".card").get_by_label("your answer").fill("0,67")
    lecture.phone.locator(".card").get_by_role("button", name="send").click()
    lecture.desk.get_by_role("button", name="reveal").click()
    expect(lecture.phone.locator(".card .right")).to_contain_text("0.67")


def test_an_exercise_goes_to_all_and_a_number_is_typed(lecture):
    lecture.desk.get_by_role("button", name="ask", exact=True).click()
    lecture.desk.locator(".room-form li").filter(has_text="How many words?").get_by_role(
        "button", name="ask"
    ).click()
    lecture.phone.locator(".card").get_by_label("your answer").fill("2")
    lecture.phone.locator(".card").get_by_role("button", name="send").click()
    expect(lecture.phone.locator(".card .sent")).to_have_text("Sent: 2. Your lecturer will show the answer.")
    lecture.desk.get_by_role("button", name="reveal").click()
    expect(lecture.phone.locator(".card .right")).to_contain_text("There are 2.")
    with lecture.desk.context.expect_page() as opened:
        lecture.desk.get_by_role("link", name="report").click()
    report = opened.value
    expect(report.get_by_role("row", name=re.compile("2 1 100%.*There are 2"))).to_be_visible()
    expect(report.get_by_role("link", name="A toy: Sizes").first).to_be_visible()
    with report.expect_download() as file:
        report.get_by_role("link", name="CSV").click()
    table = Path(file.value.path()).read_text(encoding="utf-8")
    assert table.startswith("\ufeff"), "Excel reads UTF-8 by this mark"
    assert re.search(r"asked,1,\d\d:\d\d,How many words\?,2,1,,100,,yes", table)
    assert re.search(r"shown,1,\d\d:\d\d,A toy: Sizes", table)


BOX = "((name) => document.querySelector(name).getBoundingClientRect())"


def test_the_strip_leaves_a_phone_its_page(lecture):
    phone = lecture.phone
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    strip = phone.locator(".strip").bounding_box()
    assert strip
    assert strip["height"] <= PHONE["height"] / 8
    lecture.desk.get_by_role("button", name="ask", exact=True).click()
    lecture.desk.get_by_role("button", name="ask this guess").click()
    expect(phone.locator(".card .chip").first).to_be_visible()
    wait_for(phone, f"{BOX}('.card').bottom <= {BOX}('.strip').top")  # the strip must not cover the question
    phone.get_by_role("button", name="leave", exact=True).click()
    expect(phone.locator(".strip")).to_have_count(0)


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is installed by tests/run where Node is there")
def test_axe_finds_nothing_serious_in_a_room(lecture):
    desk, phone = lecture.desk, lecture.phone

    def check(page: Page) -> None:
        page.evaluate(AXE.read_text(encoding="utf-8"))
        assert page.evaluate(SERIOUS) == []

    desk.get_by_role("button", name="present", exact=True).click()
    desk.keyboard.press("m")
    expect(desk.get_by_role("dialog", name="Jump to an experiment").get_by_role("link").first).to_be_visible()
    check(desk)
    desk.keyboard.press("Escape")
    expect(desk.locator(".desk")).to_contain_text("1 here")
    desk.keyboard.press("a")
    phone.locator(".card").get_by_role("button", name="one").click()
    expect(desk.locator(".card .count")).to_have_text("1 of 1 answered")
    check(phone)
    desk.wait_for_timeout(400)  # a clicker that bounces does not skip a step
    desk.keyboard.press("r")
    for page in (desk, phone):
        expect(page.locator(".card .right")).to_be_visible()
        check(page)
