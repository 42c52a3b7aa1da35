"""What was answered is not asked for again, and what may come next is asked for ahead."""

import json
import re

import pytest
from playwright.sync_api import Page, expect


@pytest.fixture
def asked(page: Page) -> dict[str, list[dict]]:
    """The events that reach the server: by hand, and ahead."""
    found: dict[str, list[dict]] = {"hand": [], "ahead": []}

    def note(request) -> None:
        if "/gradio_api/run/" in request.url:
            found["ahead" if "x-ahead" in request.headers else "hand"].append(json.loads(request.post_data))

    page.on("request", note)
    return found


def reading(page: Page):
    return page.locator("#toy-sizes-reading")


def test_a_state_seen_before_needs_no_server(page, toy, asked):
    page.goto(f"{toy}/toy?experiment=sizes&guess=0")
    scale = page.locator("#toy-sizes-scale input[type=range]")
    scale.press("ArrowRight")
    expect(reading(page)).to_have_text("Word 1 is one, worth 0.33.")
    scale.press("ArrowRight")
    expect(reading(page)).to_have_text("Word 1 is one, worth 0.36.")
    count = len(asked["hand"])
    assert count == 2
    scale.press("ArrowLeft")
    expect(reading(page)).to_have_text("Word 1 is one, worth 0.33.")
    expect(page).to_have_url(re.compile("scale=1.1$"))
    assert len(asked["hand"]) == count


def test_the_next_steps_and_the_presets_come_ahead(page, toy, asked):
    page.goto(f"{toy}/toy?experiment=sizes&guess=0")
    with page.expect_request(lambda request: "x-ahead" in request.headers and '"data":[0,' in (request.post_data or "")):
        page.locator("#toy-sizes-scale input[type=range]").press("ArrowRight")  # and the hand rests
    by_hand = len(asked["hand"])
    page.locator("#toy-sizes-t input[type=range]").press("ArrowRight")
    expect(reading(page)).to_contain_text("Word 2 is three")
    assert len(asked["hand"]) == by_hand


def test_a_complaint_is_not_kept(page, toy, asked):
    page.goto(f"{toy}/toy?experiment=sizes&guess=0")
    words = page.locator("#toy-sizes-words textarea")
    for _ in range(2):
        words.fill(" ")
        expect(page.locator("#toy-sizes-words .wrong")).to_have_text("Type at least one word.")
        words.fill("a bcd")
        expect(reading(page)).to_contain_text("Word 1 is a,")
    complained = [event for event in asked["hand"] if event["data"][0] == " "]
    assert len(complained) == 2


def test_a_busy_server_is_not_asked_ahead(page, toy, asked):
    page.route(
        "**/gradio_api/run/**", lambda route: route.fulfill(status=204) if "x-ahead" in route.request.headers else route.continue_()
    )
    page.goto(f"{toy}/toy?experiment=sizes&guess=0")
    scale = page.locator("#toy-sizes-scale input[type=range]")
    with page.expect_request(lambda request: "x-ahead" in request.headers):
        scale.press("ArrowRight")
    scale.press("ArrowRight")
    expect(reading(page)).to_have_text("Word 1 is one, worth 0.36.")
    page.wait_for_timeout(1500)
    assert len(asked["ahead"]) == 1


def test_a_late_answer_does_not_cover_a_newer_picture(page, toy, asked):
    page.goto(f"{toy}/toy?experiment=sizes&guess=0")
    scale = page.locator("#toy-sizes-scale input[type=range]")
    scale.press("ArrowRight")
    expect(reading(page)).to_have_text("Word 1 is one, worth 0.33.")
    held = []
    page.route("**/gradio_api/run/**", lambda route: route.abort() if "x-ahead" in route.request.headers else held.append(route))
    with page.expect_request(lambda request: "x-ahead" not in request.headers):
        scale.press("ArrowRight")
    scale.press("ArrowLeft")  # a state that is here
    expect(page.locator("#toy-sizes-stage .stage")).to_have_attribute("data-link", "experiment=sizes&scale=1.1")
    with page.expect_response("**/gradio_api/run/**"):
        held.pop().continue_()
    page.wait_for_timeout(300)
    expect(reading(page)).to_have_text("Word 1 is one, worth 0.33.")
    scale.press("ArrowRight")  # it has come, and was kept
    expect(reading(page)).to_have_text("Word 1 is one, worth 0.36.")
    assert not held


def test_what_the_server_refuses_is_said_on_the_stage(browser, toy):
    with browser.new_context() as context, context.new_page() as page:
        refusal = {"status": 413, "content_type": "application/json", "body": '{"error": "At most 256 KB at once, please."}'}
        page.route("**/gradio_api/run/**", lambda route: route.fulfill(**refusal))
        page.goto(f"{toy}/toy?experiment=sizes&guess=0")
        page.locator("#toy-sizes-scale input[type=range]").press("ArrowRight")
        expect(page.locator("#toy-sizes-stage .message")).to_have_text("At most 256 KB at once, please.")
