"""Lesson 6 in a real browser: choose a block, ablate a head, step the decode."""

from playwright.sync_api import expect


def test_choosing_a_block_in_the_diagram(page, course):
    page.goto(f"{course}/transformer?experiment=block")
    said = page.locator("#transformer-block-reading")
    expect(said).not_to_be_empty()
    before = said.inner_text()
    block = page.locator("#transformer-block-stage .pick").last
    block.click()
    expect(said).not_to_have_text(before)
    expect(page.locator("#transformer-block-block select")).to_have_value(block.get_attribute("data-value"))


def test_ablating_and_stepping(page, course):
    page.goto(f"{course}/transformer?experiment=ablate")
    said = page.locator("#transformer-ablate-reading")
    expect(said).not_to_be_empty()
    before = said.inner_text()
    page.locator("#transformer-ablate-presets .chip").nth(1).click()
    expect(said).not_to_have_text(before)
    page.goto(f"{course}/transformer?experiment=decode&t=3")
    walk = page.locator("#transformer-decode-reading")
    expect(walk).not_to_be_empty()
    before = walk.inner_text()
    page.locator("#transformer-decode .step input").first.press("ArrowLeft")
    expect(walk).not_to_have_text(before)


def test_a_row_of_the_scoreboard_opens_its_lesson(page, course):
    page.goto(f"{course}/transformer?experiment=scoreboard")
    page.locator("#transformer-scoreboard-board a[href=scores]").first.click()
    expect(page.locator("h1:visible")).to_contain_text("key")
