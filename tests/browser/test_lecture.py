"""A lecture with a lecturer, phones that follow, and a question; with two workers and after a restart."""

import re
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.bench import serve

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def hall(tmp_path, monkeypatch) -> Iterator["Hall"]:
    monkeypatch.setitem(serve.ENVIRONMENT, "SEQ2SEE_STORE", str(tmp_path / "store"))
    hall = Hall()
    try:
        hall.start()
        yield hall
    finally:
        hall.end()


class Hall:
    """A site with two workers that can be stopped and restarted at the same address."""

    def __init__(self, module: str = "tests.toy") -> None:
        self.module = module
        self.port = serve.free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.running = ExitStack()

    def start(self) -> None:
        running = self.running.enter_context(serve.run_process(serve.command(self.module, self.port, "2")))
        serve.wait_for_first_page(running, self.port)
        self.pid = running.pid

    def end(self) -> None:
        self.running.close()


def come(browser: Browser, address: str, **size: int) -> Page:
    page = browser.new_context(viewport=size or PHONE).new_page()
    page.goto(address)
    page.wait_for_selector("html.live", state="attached")
    return page


def test_a_lecture(browser, hall):
    desk = come(browser, f"{hall.address}/toy", width=1280, height=720)
    desk.get_by_role("button", name="teach").click()
    code = desk.locator(".board .code").inner_text()
    assert re.fullmatch("[A-Z]{4}", code)
    desk.keyboard.press("k")
    expect(desk.locator(".board")).to_be_hidden()

    # join by the short link and by the code
    ann, bob = come(browser, f"{hall.address}/r/{code}"), browser.new_context(viewport=PHONE).new_page()
    bob.goto(f"{hall.address}/r")
    bob.get_by_label("The four letters").fill(code.lower())
    bob.get_by_role("button", name="join").click()
    for phone in (ann, bob):
        expect(phone.locator(".strip")).to_contain_text(f"Room {code} · following")
    expect(desk.locator(".desk")).to_contain_text("2 here")
    assert "secret" not in ann.evaluate("localStorage.seq2see")

    # phones follow the lecturer
    desk.locator("#toy-sizes-scale input[type=range]").press("ArrowRight")
    for phone in (ann, bob):
        expect(phone.locator("#toy-sizes-reading")).to_contain_text("worth 0.33")

    # one phone leaves and comes back
    ann.locator("#toy-sizes-scale input[type=range]").press("ArrowLeft")
    expect(ann.locator(".strip")).to_contain_text("on your own")
    desk.locator('.tab-strip [data-tab="again"]').click()
    expect(bob.locator("#toy-again-reading")).to_be_visible()
    expect(ann.locator("#toy-sizes-reading")).to_be_visible()
    ann.get_by_role("button", name="back to the lecture").click()
    expect(ann.locator("#toy-again-reading")).to_be_visible()

    # after a server restart the room still exists, and latecomers join at its current place
    hall.end()
    hall.start()
    late = come(browser, f"{hall.address}/r/{code}")
    expect(late.locator("#toy-again-reading")).to_be_visible()
    desk.locator('.tab-strip [data-tab="sizes"]').click()
    for phone in (ann, bob, late):
        expect(phone.locator("#toy-sizes-reading")).to_be_visible()

    # a question, asked before and after a discussion
    desk.get_by_role("button", name="ask", exact=True).click()
    desk.get_by_role("button", name="ask this guess").click()
    for phone, said in ((ann, "one"), (bob, "three")):
        phone.locator(".card").get_by_role("button", name=said).click()
        expect(phone.locator(".card .sent")).to_have_text(
            f"Sent: {said}. Your lecturer will show the answer."
        )
        expect(phone.locator(".card .right")).to_have_count(0)
    expect(desk.locator(".card .count")).to_contain_text("2 of 3 answered")
    expect(desk.locator(".card .of")).to_have_count(0)
    desk.get_by_role("button", name="show answers").click()
    expect(desk.locator(".card .bar-row b")).to_have_text(["1", "1"])
    expect(ann.locator(".card .bar-row")).to_have_count(0)
    desk.get_by_role("button", name="reveal").click()
    for phone in (ann, late):
        expect(phone.locator(".card .right")).to_contain_text("three")
        expect(phone.locator(".card .why")).to_have_count(2)
    desk.get_by_role("button", name="ask again").click()
    expect(ann.locator(".card")).to_contain_text("asked again")
    ann.locator(".card").get_by_role("button", name="three").click()
    expect(desk.locator(".card .count")).to_contain_text("1 of 3 answered")
    desk.get_by_role("button", name="show answers").click()
    expect(desk.locator(".card .bar-row b")).to_have_text(["1", "0", "1", "1"])
    desk.get_by_role("button", name="done").click()
    expect(ann.locator(".card")).to_be_hidden()

    # a question typed by the lecturer; markup is shown as text
    desk.get_by_role("button", name="ask", exact=True).click()
    desk.get_by_label("Your own question").fill("<b>Clear?</b>")
    desk.get_by_label("Options").fill("yes\nno")
    desk.locator(".room-form").get_by_role("button", name="ask", exact=True).last.click()
    expect(ann.locator(".card .asked")).to_have_text("<b>Clear?</b>")

    # a phone reloads, and the lecturer opens the report
    bob.reload()
    expect(bob.locator(".strip")).to_contain_text("following")
    expect(bob.locator(".card .asked")).to_have_text("<b>Clear?</b>")
    desk.goto(desk.get_by_role("link", name="report").get_attribute("href") or "")
    expect(desk.get_by_role("row", name=re.compile("three 1 50%.* 1 100%"))).to_be_visible()
