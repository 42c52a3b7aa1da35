"""Lesson 2 in a real browser: stepping, measuring again, operating on the vector."""

import re

from playwright.sync_api import expect

from lessons.bottleneck import LESSON
from lessons.bottleneck.compute import depth


def test_stepping_through_a_translation(page, course):
    page.goto(f"{course}/bottleneck?experiment=translate&t=1")
    said = page.locator("#bottleneck-translate-reading")
    expect(said).not_to_be_empty()
    expect(page.locator("#bottleneck-translate-t output")).to_have_text(re.compile("^1 of"))
    before = said.text_content()
    page.locator("#bottleneck-translate-t input").press("ArrowRight")
    expect(said).not_to_have_text(before)
    expect(page).to_have_url(re.compile("experiment=translate&t=2"))


def test_measuring_again_shows_progress_and_can_be_stopped(page, course):
    page.goto(f"{course}/bottleneck?experiment=curve")
    job = page.locator("#bottleneck-curve-job")
    start, said = (
        job.get_by_role("button", name=LESSON.experiment("curve").job.label),
        page.locator("#bottleneck-curve-stage .stage"),
    )
    expect(said).to_be_visible()
    before = said.inner_html()
    start.click()
    job.get_by_text("stop").dispatch_event("click")
    expect(job.get_by_role("progressbar")).to_be_hidden()
    expect(start).to_be_enabled()
    start.click()
    expect(start).to_be_disabled()
    expect(start).to_be_enabled(timeout=170_000)  # it ends by itself
    assert said.inner_html() != before  # its points are in the picture
    expect(said).to_have_attribute("data-found", "")  # drawn by the job


def test_choosing_layers_names_their_figures(page, course):
    page.goto(f"{course}/bottleneck?experiment=depth")
    page.locator("#bottleneck-depth-stage").get_by_text("show me").first.click()
    said = page.locator("#bottleneck-depth-reading")
    expect(said).to_contain_text(depth.ONE)
    deepest = LESSON.experiment("depth").run({"build": [*depth.BUILDS][-1]})
    expect(said).not_to_contain_text(deepest.build)
    page.locator("#bottleneck-depth-presets .chip").nth(2).click()
    for name in (deepest.build, depth.ONE):  # and what it is held against
        expect(said).to_contain_text(name)
        expect(said).to_contain_text(f"{deepest.builds[name].natural.mean():.2f}")
    page.locator("#bottleneck-depth-stage button[data-act=papers]").click()
    expect(
        page.locator("#bottleneck-depth-stage, #bottleneck-depth").get_by_text(depth.BRITZ).first
    ).to_be_visible()


def test_surgery_on_the_vector(page, course):
    page.goto(f"{course}/bottleneck?experiment=surgery&guess=0")
    said = page.locator("#bottleneck-surgery-reading")
    expect(said).not_to_be_empty()
    before = said.text_content()
    page.locator("#bottleneck-surgery-presets .chip").nth(2).click()
    expect(said).not_to_have_text(before)
    expect(page.locator("#bottleneck-surgery-presets .watch")).not_to_be_empty()
