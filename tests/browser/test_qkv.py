"""Lesson 5 in a real browser: edit a cell by keyboard, see the mask's zeros, finish the sentence."""

import re

from playwright.sync_api import expect


def test_a_cell_by_keyboard_and_the_mask(page, course):
    page.goto(f"{course}/qkv?experiment=matrices")
    said = page.locator("#qkv-matrices-reading")
    expect(said).not_to_be_empty()
    stage = page.locator("#qkv-matrices-weights svg")
    before = stage.inner_html()
    page.locator("#qkv-matrices-X input").first.press("ArrowUp")
    expect(page.locator("#qkv-matrices-X input").first).to_have_value("1.1")
    expect(page).to_have_url(re.compile("X=1.1"))
    assert stage.inner_html() != before
    page.locator("#qkv-matrices-mask input").check()
    expect(stage).to_contain_text("0.00")


def test_finishing_the_sentence(page, course):
    page.goto(f"{course}/qkv?experiment=bank")
    said = page.locator("#qkv-bank-reading")
    expect(said).to_contain_text("river")
    page.get_by_role("button", name="i arrived at the bank after crossing the street .").click()
    expect(said).to_contain_text("money")
