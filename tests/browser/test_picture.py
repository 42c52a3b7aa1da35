"""Lesson `attention`, experiment `picture`: painting with the mouse, a finger and the keyboard."""

import re

from playwright.sync_api import Browser, Page, expect

from lessons.attention import LESSON
from lessons.attention.picture.compute import draw_shapes
from tests.browser.expected import text_of_reading

ADDRESS = "attention?experiment=picture&guess=0"
SQUARE = ((1, 1), (1, 3), (2, 3), (2, 1), (3, 1), (3, 3))  # corners of a stroke that fills a small square
SIDE = 12


def centre(page: Page, row: int, column: int) -> tuple[float, float]:
    box = page.locator(f"#attention-picture-grid .pixel[data-pixel='{SIDE * row + column}']").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_shape_is_painted_in_one_stroke(page: Page, course: str):
    page.goto(f"{course}/{ADDRESS}")
    reading = page.locator("#attention-picture-reading")
    expect(reading).to_contain_text(text_of_reading(LESSON, "picture"))
    page.locator("#attention-picture-drawing").get_by_role("button", name="clear").click()
    empty = draw_shapes()
    expect(reading).to_contain_text(text_of_reading(LESSON, "picture", drawing=empty))
    page.mouse.move(*centre(page, *SQUARE[0]))
    page.mouse.down()
    for cell in SQUARE[1:]:
        page.mouse.move(*centre(page, *cell), steps=6)
    page.mouse.up()
    square = draw_shapes(("small", "square", 1, 1))
    expect(reading).to_contain_text(text_of_reading(LESSON, "picture", drawing=square))
    expect(page).to_have_url(re.compile(r"drawing=[0-9a-f]{36}"))
    page.get_by_role("checkbox", name="row 2, column 2", exact=True).click()
    corner = tuple(
        tuple(0.0 if (r, c) == (1, 1) else filled for c, filled in enumerate(row))
        for r, row in enumerate(square)
    )
    expect(reading).to_contain_text(text_of_reading(LESSON, "picture", drawing=corner))


def test_the_keyboard_moves_and_paints(page: Page, course: str):
    page.goto(f"{course}/{ADDRESS}")
    first = page.get_by_role("checkbox", name="row 1, column 1", exact=True)
    first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press(" ")
    painted = page.get_by_role("checkbox", name="row 2, column 2", exact=True)
    expect(painted).to_be_focused()
    expect(painted).to_be_checked()
    page.keyboard.press(" ")
    expect(painted).not_to_be_checked()


def test_a_finger_paints_and_does_not_scroll(browser: Browser, course: str):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.goto(f"{course}/{ADDRESS}")
    cell = page.get_by_role("checkbox", name="row 1, column 1", exact=True)
    expect(cell).not_to_be_checked()
    cell.tap()
    expect(cell).to_be_checked()
    assert cell.evaluate("cell => getComputedStyle(cell).touchAction") == "none"
    context.close()
