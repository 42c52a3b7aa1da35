"""Lesson `recurrence` as a learner uses it, in a real browser."""

import re

import pytest
from playwright.sync_api import Page, expect

from lessons.kit.pictures.base import Picture
from lessons.recurrence import LESSON
from lessons.recurrence.edit.exercises import effect_of_flip
from lessons.recurrence.memory.views import FATES


def open_at(page: Page, course: str, query: str, covered: bool = False) -> None:
    """Open a page with its guess already answered, unless `covered`."""
    page.goto(f"{course}/recurrence?{query}{'' if covered else '&guess=0'}")
    expect(page.locator(".drawing .reading:visible")).not_to_be_empty()


@pytest.mark.parametrize("experiment", LESSON.experiments, ids=lambda e: e.slug)
def test_every_tab_shows_its_pictures(page, course, experiment):
    open_at(page, course, f"experiment={experiment.slug}")
    stage, result = page.locator(f"#recurrence-{experiment.slug}-stage"), experiment.run()
    shown = [
        [isinstance(view(result), Picture) for view in views].count(True)
        for views in (experiment.views, experiment.all_views)
    ]
    expect(stage.locator("svg.picture")).to_have_count(shown[0])
    expect(page.locator("h1:visible")).to_have_text(LESSON.text.experiments[experiment.slug].question)
    for act in experiment.acts:
        stage.locator(f"button[data-act={act.slug}]").click()
    expect(stage.locator("svg.picture")).to_have_count(shown[1])


def test_dragging_the_eigenvalue_out_of_the_circle(page, course):
    open_at(page, course, "experiment=memory")
    fades = FATES["fades"].replace("*", "")
    expect(page.locator("#recurrence-memory-reading")).to_contain_text(fades)
    knob = page.locator("#recurrence-memory-plane .knob").bounding_box()
    x, y = knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y - 60, steps=10)
    page.mouse.up()
    expect(page.locator("#recurrence-memory-reading")).not_to_contain_text(fades)
    expect(page).to_have_url(re.compile("eigenvalue="))


def test_an_input_by_keyboard(page, course):
    open_at(page, course, "experiment=cell&t=1")
    before = page.locator("#recurrence-cell-reading").text_content()
    page.locator("#recurrence-cell-inputs .handle").first.press("ArrowUp")
    expect(page.locator("#recurrence-cell-reading")).not_to_have_text(before)


def test_a_weight_is_changed_where_it_stands(page, course):
    open_at(page, course, "experiment=cell")
    reading = page.locator("#recurrence-cell-reading")
    before = reading.text_content()
    weight = page.locator("#recurrence-cell-equation .cell").first
    expect(weight).to_have_text("0.80")
    weight.press("ArrowUp")
    expect(weight).to_have_text("0.90")
    expect(reading).not_to_have_text(before)
    expect(page).to_have_url(re.compile("W_hh=0.9"))


def test_the_guess_comes_before_what_the_model_expects(page, course):
    open_at(page, course, "experiment=edit", covered=True)
    cover = page.locator("#recurrence-edit-expected .cover")
    expect(cover).to_be_visible()
    page.locator("#recurrence-edit-predict").get_by_role("button", name=effect_of_flip()).click()
    expect(page.locator("#recurrence-edit-predict .verdict")).to_contain_text("Yes.")
    expect(cover).to_have_count(0)


def test_unknown_words_are_named_and_the_text_is_read(page, course):
    open_at(page, course, "experiment=read")
    before = page.locator("#recurrence-read-reading").text_content()
    page.locator("#recurrence-read-text textarea").fill("one day , zorblax walked home .")
    expect(page.locator("#recurrence-read-text .notice")).to_contain_text("zorblax")
    expect(page.locator("#recurrence-read-reading")).not_to_have_text(before)


def test_the_map_leads_to_the_lesson_and_shows_progress(page, course):
    page.goto(course)
    page.get_by_role("link", name="Start with lesson 0").click()
    page.locator("#header").get_by_role("link", name="1 Recurrence").click()
    expect(page.locator("#recurrence-cell-m input[type=range]")).to_be_visible()
    page.locator("#recurrence-cell-m input[type=range]").press("ArrowRight")
    expect(page.locator("#header .progress")).to_contain_text(re.compile("^1/"))
    page.goto(course)
    expect(page.locator('.progress[data-progress="recurrence"]')).to_contain_text(re.compile("^1/"))
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("link", name="about").click()
    page.get_by_role("button", name="clear my progress").click()
    expect(page.locator("#header .progress")).to_contain_text(re.compile("^0/"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone_in_both_themes(page, course, theme):
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme=theme)
    for experiment in LESSON.experiments:
        open_at(page, course, f"experiment={experiment.slug}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, experiment.slug
