"""The Gradio app of a lesson in Chromium: controls redraw, open parts are updated, nothing fails."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import gradio as gr
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from lessons import LESSONS
from lessons.kit.web.blocks import blocks, course
from tests.api.test_blocks import free_port
from tests.toy import LESSON as TOY


@contextmanager
def opened(browser: Browser, app: gr.Blocks) -> Iterator[Page]:
    """Open a page with the app; fail on console errors, failed requests and requests to other hosts."""
    app.launch(prevent_thread_lock=True, quiet=True, server_port=free_port())
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page, complaints = context.new_page(), []
    page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request",
        lambda r: urlsplit(r.url).hostname not in ("127.0.0.1", None) and complaints.append(f"asks {r.url}"),
    )
    page.on("response", lambda r: r.status >= 400 and complaints.append(f"{r.status} {r.url}"))
    try:
        page.goto(app.local_url)
        yield page
    finally:
        context.close()
        app.close()
    assert not complaints


@pytest.fixture(scope="module")
def toy_page(browser: Browser) -> Iterator[Page]:
    with opened(browser, blocks(TOY)) as page:
        yield page


@pytest.fixture
def sizes(toy_page: Page) -> Page:
    """The toy's first experiment with default values."""
    toy_page.reload()
    expect(toy_page.get_by_text("worth 0.30.")).to_be_visible()
    expect(plots(toy_page)).to_have_count(1)
    return toy_page


def choose(page: Page, title: str) -> None:
    page.get_by_label("Try").click()
    page.get_by_role("option", name=title).click()


def plots(page: Page) -> Locator:
    return page.locator("img[src^='data:image/webp']:visible")


def source(plot: Locator) -> str:
    """A short hash that identifies a plot."""
    return hashlib.sha256((plot.get_attribute("src") or "").encode()).hexdigest()


def test_a_slider_changes_reading_and_plot(sizes: Page):
    before = source(plots(sizes))
    slider = sizes.get_by_label("range slider for Scale")
    slider.focus()
    slider.press("ArrowRight")
    expect(sizes.get_by_text("worth 0.33.")).to_be_visible()
    assert source(plots(sizes)) != before


def test_a_step_can_go_as_far_as_the_result_says(sizes: Page):
    step = sizes.get_by_label("range slider for Step t")
    expect(step).to_have_attribute("max", "2")
    step.press("End")
    expect(sizes.get_by_text("Word 2 is three")).to_be_visible()
    sizes.get_by_label("Words").fill("a longer row of words")
    sizes.get_by_label("Words").press("Enter")
    expect(step).to_have_attribute("max", "5")


def test_a_number_typed_beyond_the_slider_counts_as_its_end(sizes: Page):
    sizes.get_by_label("number input for Scale").fill("9")
    sizes.get_by_label("number input for Scale").press("Tab")
    expect(sizes.get_by_text("worth 0.60.")).to_be_visible()
    expect(sizes.get_by_label("number input for Scale")).to_have_value("2")


def test_a_preset_can_be_taken_twice(sizes: Page):
    choose(sizes, "Upside down")
    expect(sizes.get_by_text("worth -0.60.")).to_be_visible()
    expect(sizes.get_by_text("Watch the bars turn.")).to_be_visible()
    sizes.get_by_label("plus").check()
    expect(sizes.get_by_text("worth 0.60.")).to_be_visible()
    choose(sizes, "Upside down")
    expect(sizes.get_by_text("worth -0.60.")).to_be_visible()


def test_a_cell_of_a_matrix_can_be_edited(sizes: Page):
    sizes.get_by_role("button", name="Where is the table?").click()
    cell = sizes.get_by_test_id("cell-0-0").nth(1)  # the first match is the draggable bar
    cell.dblclick()
    cell.get_by_role("textbox").fill("0.5")
    cell.get_by_role("textbox").press("Enter")
    expect(sizes.get_by_text("worth 0.15.")).to_be_visible()


def test_an_open_part_follows_the_controls_and_a_closed_one_is_not_drawn(sizes: Page):
    look = sizes.get_by_role("button", name="Where is the table?")
    look.click()
    expect(plots(sizes)).to_have_count(2)
    before = source(plots(sizes).last)
    sizes.get_by_role("button", name="Numbers of these pictures").click()
    expect(sizes.get_by_role("gridcell", name="0.3", exact=True)).to_be_visible()
    choose(sizes, "Upside down")
    expect(sizes.get_by_role("gridcell", name="-0.6", exact=True)).to_be_visible()
    expect(sizes.get_by_text("worth -0.60.")).to_be_visible()
    assert source(plots(sizes).last) != before
    look.click()
    with sizes.expect_request("**/run/predict") as asked:
        sizes.get_by_label("Loud").check()
    assert asked.value.post_data_json["data"][0] == ["_main", "_numbers"]


def test_a_bad_value_is_answered_where_it_can_be_read_and_the_plot_stays(sizes: Page):
    before = source(plots(sizes))
    sizes.get_by_label("Words").fill("")
    sizes.get_by_label("Words").press("Enter")
    expect(sizes.get_by_text("Type at least one word.")).to_be_visible()
    assert source(plots(sizes)) == before
    sizes.get_by_label("Words").fill("*stars*")
    sizes.get_by_label("Words").press("Enter")
    expect(sizes.get_by_text("Word 1 is *stars*")).to_be_visible()
    expect(sizes.get_by_text("Type at least one word.")).to_have_count(0)


def test_a_tab_is_drawn_when_it_is_selected(sizes: Page):
    with sizes.expect_request("**/run/predict") as asked:
        sizes.get_by_role("tab", name="Again").click()
    assert asked.value.post_data_json["data"] == [["_main"], 1]
    expect(sizes.get_by_text("Word 1 is a, worth 0.10.")).to_be_visible()
    expect(sizes.get_by_role("heading", name="And again?")).to_be_visible()


def test_an_experiment_by_name_shows_its_question_equation_and_plots(browser: Browser):
    with opened(browser, blocks("attention/steer")) as page:
        expect(page.get_by_role("heading", level=2)).to_be_visible()
        expect(plots(page)).to_have_count(4)
        assert plots(page).first.evaluate("image => image.naturalWidth") > 300
        expect(page.locator(".katex [style*='color']").first).to_be_visible()
        choose(page, "Say it again")
        expect(page.get_by_label("Source sentence")).to_have_value("they will buy a beautiful house .")
        expect(page.get_by_label("Drag a bar")).to_have_value("4:1,0,0,0,0,0,0")
        expect(page.get_by_text("At step 4")).to_be_visible()


def test_a_lesson_of_the_course_is_drawn_when_it_is_selected(browser: Browser):
    first, second = (
        next(lesson for lesson in LESSONS if lesson.slug == slug) for slug in ("scores", "attention")
    )
    with opened(browser, course((first, second))) as page:
        expect(page.get_by_role("heading", name=first.text.question)).to_be_visible()
        expect(plots(page).first).to_be_visible()
        with page.expect_request("**/run/predict") as asked:
            page.get_by_role("tab", name=second.short_title, exact=True).first.click()
        assert asked.value.post_data_json["data"][1] == second.experiments[0].state()["source"]
        expect(page.get_by_role("heading", name=second.text.question)).to_be_visible()
        expect(plots(page).first).to_be_visible()
