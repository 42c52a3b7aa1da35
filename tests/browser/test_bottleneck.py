"""Lesson `bottleneck` in a real browser: stepping, repeating a measurement, editing the vector."""

import re

import pytest
from playwright.sync_api import expect

from lessons.bottleneck import LESSON
from lessons.bottleneck.depth.compute import BRITZ, SHALLOW
from lessons.bottleneck.translate.tasks import CODE_TASK, PARSING_TASK


def test_stepping_through_a_translation(page, course):
    page.goto(f"{course}/bottleneck?experiment=translate&t=1")
    reading = page.locator("#bottleneck-translate-reading")
    expect(reading).not_to_be_empty()
    expect(page.locator("#bottleneck-translate-t output")).to_have_text(re.compile("^1 of"))
    before = reading.text_content()
    page.locator("#bottleneck-translate-t input").press("ArrowRight")
    expect(reading).not_to_have_text(before)
    expect(page).to_have_url(re.compile("experiment=translate&t=2"))


def test_a_sentence_becomes_a_tree_and_a_command_a_program(page, course):
    page.goto(f"{course}/bottleneck?experiment=translate&guess=0")
    task, text = page.locator("#bottleneck-translate-task select"), page.locator("#bottleneck-translate-text")
    written, reading = (
        page.locator("#bottleneck-translate-written"),
        page.locator("#bottleneck-translate-reading"),
    )
    task.select_option(PARSING_TASK)
    expect(written).to_contain_text("PP")
    text.locator("textarea").fill("The old teacher loved Paul.")
    expect(written.locator("svg")).to_contain_text("paul")
    assert written.locator("svg").text_content().count("NP") == 2
    page.locator("#bottleneck-translate-stage button[data-act=attention]").click()
    beside = page.locator("#bottleneck-translate-beside")
    for name in ("one vector", "attention"):
        expect(beside).to_contain_text(name)
    task.select_option(CODE_TASK)
    expect(written).to_contain_text("print(x)")
    text.locator("textarea").fill("multiply n by 6; show it")
    expect(written).to_contain_text("n: 4 → 24")
    expect(written).to_contain_text("prints 24")
    expect(reading).to_contain_text("right")


def test_the_map_opens_each_task_in_its_lesson(page, course):
    page.goto(course)
    item = page.locator(".task-item").filter(has_text="Parsing")
    expect(item).to_contain_text("live")
    item.get_by_role("link").click()
    expect(page.locator("#bottleneck-translate-task select")).to_have_value(PARSING_TASK)
    expect(page.locator("#bottleneck-translate-written")).to_contain_text("telescope")


def test_measuring_again_shows_progress_and_can_be_stopped(page, course):
    page.goto(f"{course}/bottleneck?experiment=curve")
    job = page.locator("#bottleneck-curve-job")
    start = job.get_by_role("button", name=LESSON.experiment("curve").job.label)
    stage = page.locator("#bottleneck-curve-stage .drawing")
    expect(stage).to_be_visible()
    before = stage.inner_html()
    start.click()
    job.get_by_text("stop").dispatch_event("click")
    expect(job.get_by_role("progressbar")).to_be_hidden()
    expect(start).to_be_enabled()
    start.click()
    expect(start).to_be_disabled()
    expect(start).to_be_enabled(timeout=170_000)  # the job ends by itself
    assert stage.inner_html() != before  # the picture shows the job's points
    expect(stage).to_have_attribute("data-found", "")  # the job has drawn this picture


def test_choosing_layers_shows_both_scores(page, course):
    page.goto(f"{course}/bottleneck?experiment=depth")
    page.locator("#bottleneck-depth-stage").get_by_text("show me").first.click()
    reading = page.locator("#bottleneck-depth-reading")
    expect(reading).to_contain_text(SHALLOW)
    dense = LESSON.experiment("depth").run({"encoder": "4", "decoder": "4", "connection": "dense"})
    expect(reading).not_to_contain_text(dense.build)
    page.locator("#bottleneck-depth-presets .chip").nth(2).click()
    for name in (dense.build, SHALLOW):  # the chosen configuration and the one it is compared with
        expect(reading).to_contain_text(name)
        expect(reading).to_contain_text(f"{dense.builds[name].natural.mean():.2f}")
    page.locator("#bottleneck-depth-stage button[data-act=papers]").click()
    expect(
        page.locator("#bottleneck-depth-stage, #bottleneck-depth").get_by_text(BRITZ).first
    ).to_be_visible()


def test_surgery_on_the_vector(page, course):
    page.goto(f"{course}/bottleneck?experiment=surgery&guess=0")
    reading = page.locator("#bottleneck-surgery-reading")
    expect(reading).not_to_be_empty()
    before = reading.text_content()
    page.locator("#bottleneck-surgery-presets .chip").nth(2).click()
    expect(reading).not_to_have_text(before)
    expect(page.locator("#bottleneck-surgery-presets .watch")).not_to_be_empty()


def test_a_word_offered_for_an_unknown_word_replaces_it(page, course):
    page.goto(f"{course}/bottleneck?experiment=translate&guess=0&text=My+hause+is+big")
    control = page.locator("#bottleneck-translate-text")
    expect(control.locator(".notice")).to_contain_text("hause")
    control.locator(".offers").get_by_role("button", name="house", exact=True).click()
    expect(control.locator("textarea")).to_have_value("My house is big")
    expect(control.locator(".offers")).to_be_empty()
    expect(page.locator("#bottleneck-translate-unrolled")).to_contain_text("house")


def test_the_nearest_readable_input_is_offered(page, course):
    page.goto(f"{course}/bottleneck?experiment=translate&guess=0&task=dates&text=3+march+1992")
    control = page.locator("#bottleneck-translate-text")
    control.locator("textarea").fill("31/12/1999")
    expect(control.locator(".wrong")).to_contain_text("“/”")
    control.locator(".offers").get_by_role("button", name="31 december 1999").click()
    expect(control.locator("textarea")).to_have_value("31 december 1999")
    expect(control.locator(".wrong")).to_be_empty()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_words_that_a_model_knows_are_listed_searched_and_inserted(page, course, width):
    page.set_viewport_size({"width": width, "height": 800})
    requests = []
    page.on("request", lambda request: "/words/" in request.url and requests.append(request.url))
    page.goto(f"{course}/bottleneck?experiment=translate&guess=0&text=I+like+my")
    control, panel = page.locator("#bottleneck-translate-text"), page.locator(".known-words")
    button = control.get_by_role("button", name="words it knows")
    expect(button).to_be_visible()
    assert not requests  # the list of words is fetched when it is first opened
    for _ in range(2):  # open the list by keyboard, twice
        button.press("Enter")
        search = panel.get_by_role("searchbox")
        expect(search).to_be_focused()
        expect(panel.get_by_role("heading", name="family")).to_be_visible()
        page.keyboard.press("Escape")
        expect(panel).to_be_hidden()
        expect(button).to_be_focused()
    assert len(requests) == 1
    button.press("Enter")
    search.fill("grandmo")
    expect(panel.locator(".chip:visible")).to_have_text(["grandmother"])
    search.press("Enter")
    expect(control.locator("textarea")).to_have_value("I like my grandmother")
    search.fill("went")
    panel.get_by_role("button", name="went", exact=True).first.click()  # the word is listed in several fields
    expect(control.locator("textarea")).to_have_value("I like my grandmother went")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_rounding_c_breaks_the_translation(page, course):
    page.goto(f"{course}/bottleneck?experiment=bits&guess=0")
    reading = page.locator("#bottleneck-bits-reading")
    expect(reading).to_contain_text("the same")
    page.locator("#bottleneck-bits-bits input").fill("1")
    expect(reading).to_contain_text("another translation")
    expect(page).to_have_url(re.compile("bits=1"))
