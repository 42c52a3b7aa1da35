"""Requests for drawings: one at a time, the latest wins; the browser caches them and prefetches the next."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, Request, Route, expect

from lessons.kit.web.draw import Drawings
from tests.chromium import wait_until

DRAW = "**/draw/**"


class Asked(NamedTuple):
    method: str
    values: dict[str, Any]
    is_ahead: bool


@pytest.fixture
def asked(monkeypatch) -> list[Asked]:
    """Requests for drawings that reach the server; those answered by the browser's cache are not included."""
    found: list[Asked] = []
    serve = Drawings.serve_drawing

    async def counted(self, request, renderer, values, *more):
        sent = {name: text for name, text in values.items() if not name.startswith("_")}
        found.append(Asked(request.method, sent, "x-ahead" in request.headers))
        return await serve(self, request, renderer, values, *more)

    monkeypatch.setattr(Drawings, "serve_drawing", counted)
    return found


def by_hand(asked: list[Asked]) -> list[Asked]:
    return [one for one in asked if not one.is_ahead]


def ahead(asked: list[Asked]) -> list[Asked]:
    return [one for one in asked if one.is_ahead]


@pytest.fixture
def sizes(page: Page, toy: str) -> Page:
    page.goto(f"{toy}/toy?experiment=sizes&guess=0")
    page.wait_for_selector("html.live", state="attached")
    return page


def scale(page: Page, *keys: str) -> None:
    for key in keys:
        page.locator("#toy-sizes-scale-field").press(key)


def shows(page: Page, words: str) -> None:
    expect(page.locator("#toy-sizes-reading")).to_have_text(words)


# ---- the cache ----


def test_a_state_seen_before_needs_no_server(sizes, asked):
    scale(sizes, "ArrowRight")
    shows(sizes, "Word 1 is one, worth 0.33.")
    scale(sizes, "ArrowRight")
    shows(sizes, "Word 1 is one, worth 0.36.")
    assert len(by_hand(asked)) == 2
    scale(sizes, "ArrowLeft")
    shows(sizes, "Word 1 is one, worth 0.33.")
    expect(sizes).to_have_url(re.compile("scale=1.1$"))
    sizes.reload()  # the browser's cache survives a reload
    shows(sizes, "Word 1 is one, worth 0.33.")
    scale(sizes, "ArrowRight")
    shows(sizes, "Word 1 is one, worth 0.36.")
    assert len(by_hand(asked)) == 2


def test_a_complaint_is_not_kept(sizes, asked):
    words = sizes.locator("#toy-sizes-words textarea")
    for _ in range(2):
        words.fill(" ")
        expect(sizes.locator("#toy-sizes-words .wrong")).to_have_text("Type at least one word.")
        words.fill("a bcd")
        expect(sizes.locator("#toy-sizes-reading")).to_contain_text("Word 1 is a,")
    assert len([one for one in by_hand(asked) if one.values.get("words") == " "]) == 2


# ---- prefetching ----


def test_the_next_steps_and_the_presets_come_ahead_once_something_was_moved(sizes, asked):
    sizes.wait_for_timeout(1000)
    assert asked == []  # nothing has been moved yet
    scale(sizes, "ArrowRight")
    shows(sizes, "Word 1 is one, worth 0.33.")
    wait_until(sizes, lambda: any(one.values.get("sign") == "minus" for one in ahead(asked)))
    assert any((one.values.get("t"), one.values.get("scale")) == ("2", "1.1") for one in ahead(asked))
    count = len(asked)
    sizes.locator("#toy-sizes-t-field").press("ArrowRight")
    expect(sizes.locator("#toy-sizes-reading")).to_contain_text("Word 2 is three")
    sizes.get_by_role("button", name="Upside down").click()
    expect(sizes.locator("#toy-sizes-reading")).to_contain_text("worth -0.60")
    assert len(by_hand(asked[count:])) == 0


def test_a_busy_server_is_not_asked_ahead(sizes):
    ahead: list[Request] = []

    def busy(route: Route) -> None:
        if "x-ahead" not in route.request.headers:
            return route.continue_()
        ahead.append(route.request)
        return route.fulfill(status=204)

    sizes.route(DRAW, busy)
    with sizes.expect_request(lambda request: "x-ahead" in request.headers):
        scale(sizes, "ArrowRight")
    scale(sizes, "ArrowRight")
    shows(sizes, "Word 1 is one, worth 0.36.")
    sizes.wait_for_timeout(1500)
    assert len(ahead) == 1


# ---- one at a time ----


class Held:
    """Hold back requests made by the user until they are released; prefetches get an empty answer."""

    def __init__(self, page: Page):
        self.page, self.waiting, self.queries = page, list[Route](), list[str]()
        page.route(DRAW, self.hold)

    def hold(self, route: Route) -> None:
        if "x-ahead" in route.request.headers:
            return route.fulfill(status=204)
        self.queries.append(route.request.url.partition("?")[2].partition("&_v=")[0])
        self.waiting.append(route)
        return None

    def comes(self) -> None:
        """Wait until a request is held back."""
        wait_until(self.page, lambda: bool(self.waiting))

    def let_through(self) -> None:
        self.comes()
        self.waiting.pop(0).continue_()


@pytest.fixture
def held(sizes: Page) -> Iterator[Held]:
    found = Held(sizes)
    yield found
    sizes.unroute(DRAW)


def test_one_request_at_a_time_and_the_latest_wins(sizes, held):
    scale(sizes, "ArrowRight")
    held.comes()
    scale(sizes, *["ArrowRight"] * 5)
    sizes.wait_for_timeout(300)
    assert len(held.waiting) == 1  # later requests wait for the first
    held.let_through()
    held.let_through()
    shows(sizes, "Word 1 is one, worth 0.48.")
    expect(sizes).to_have_url(re.compile("scale=1.6$"))
    assert held.queries == [
        "experiment=sizes&scale=1.1",
        "experiment=sizes&scale=1.6",
    ]  # states in between were never requested


def test_a_late_answer_never_overwrites_a_newer_state(sizes, held):
    """If a control is moved while a preset loads, the result must contain both the preset and the move."""
    sizes.get_by_role("button", name="Upside down").click()
    held.comes()
    scale(sizes, "Home", "ArrowRight")
    held.let_through()
    held.let_through()
    shows(sizes, "Word 1 is one, worth -0.03.")
    expect(sizes.locator("#toy-sizes-scale-field")).to_have_value("0.1")
    expect(sizes.locator("#toy-sizes-sign").get_by_label("minus")).to_be_checked()
    expect(sizes).to_have_url(re.compile("scale=0.1&sign=minus$"))


def test_a_preset_wins_over_a_move_that_is_under_way(sizes, held):
    scale(sizes, "ArrowRight")
    held.comes()
    sizes.get_by_role("button", name="Upside down").click()
    held.let_through()
    held.let_through()
    shows(sizes, "Word 1 is one, worth -0.60.")
    expect(sizes.locator("#toy-sizes-scale-field")).to_have_value("2")
    expect(sizes).to_have_url(re.compile(r"scale=2(\.0)?&sign=minus$"))


def test_an_answer_for_a_tab_that_was_left_changes_neither_address_nor_title(sizes, held):
    scale(sizes, "ArrowRight")
    held.comes()
    sizes.locator('.tab-strip [data-tab="again"]').click()
    expect(sizes.locator("#toy-again")).to_be_visible()
    title = sizes.title()
    held.let_through()
    sizes.wait_for_timeout(500)
    expect(sizes).to_have_url(re.compile("experiment=again$"))
    assert sizes.title() == title
    sizes.locator('.tab-strip [data-tab="sizes"]').click()  # open the tab that the late answer belongs to
    shows(sizes, "Word 1 is one, worth 0.33.")
    expect(sizes).to_have_url(re.compile("experiment=sizes&scale=1.1$"))


# ---- states that do not fit into a URL ----


def test_a_long_state_is_sent_and_kept_nowhere(sizes, asked):
    words = "😀" * 190  # 12 characters each in a URL
    answers = []
    sizes.on("response", lambda answer: "/draw/" in answer.url and answers.append(answer))
    for _ in range(2):
        sizes.locator("#toy-sizes-words-field").fill(words)
        expect(sizes.locator("#toy-sizes-reading")).to_contain_text(words)
        sizes.locator("#toy-sizes-words-field").fill("x")
        expect(sizes.locator("#toy-sizes-reading")).to_contain_text("Word 1 is x")
    assert [one.method for one in by_hand(asked) if one.values["words"] == words] == ["POST", "POST"]
    assert {answer.headers["cache-control"] for answer in answers if answer.request.method == "POST"} == {
        "no-store"
    }


def test_a_private_state_is_in_no_address(page, course, asked):
    page.goto(f"{course}/training?experiment=own&guess=0")
    addresses = []
    page.on("request", lambda request: addresses.append(request.url))
    page.get_by_role("button", name="paste").click()
    page.get_by_label("Pasted pairs").fill("".join(f"secret {number}\tsecret\n" for number in range(30)))
    expect(page.locator("#training-own-report")).to_contain_text("What was read of your pairs")
    page.wait_for_timeout(1000)
    assert [one.method for one in asked] == ["POST"]  # nothing was prefetched
    assert not [address for address in [*addresses, page.url] if "secret" in address]


# ---- states that the server refuses ----


def test_what_the_server_refuses_is_said_on_the_stage(browser, toy):
    with browser.new_context() as context, context.new_page() as page:
        page.route(
            DRAW,
            lambda route: route.fulfill(
                status=413, content_type="text/plain", body="At most 256 KB at once, please."
            ),
        )
        page.goto(f"{toy}/toy?experiment=sizes&guess=0")
        scale(page, "ArrowRight")
        expect(page.locator("#toy-sizes-stage .message")).to_have_text("At most 256 KB at once, please.")
        page.unroute(DRAW)
        scale(page, "ArrowRight")  # the next move works again
        shows(page, "Word 1 is one, worth 0.36.")
        expect(page.locator("#toy-sizes-stage .message")).to_have_count(0)


def test_a_page_of_a_proxy_is_not_shown_as_a_message(browser, toy):
    with browser.new_context() as context, context.new_page() as page:
        page.route(
            DRAW,
            lambda route: route.fulfill(status=403, content_type="text/html", body="<html>Blocked</html>"),
        )
        page.goto(f"{toy}/toy?experiment=sizes&guess=0")
        scale(page, "ArrowRight")
        expect(page.locator("#toy-sizes-stage .message")).not_to_contain_text("Blocked")
        shows(page, "Word 1 is one, worth 0.30.")
