"""Lesson `qkv` in a browser: edit cells in the picture, set the mask, finish the sentence."""

import re

from playwright.sync_api import Page, expect

from lessons.qkv import LESSON
from tests.browser.expected import refusal, text_of_reading


def open_experiment(page: Page, course: str, experiment: str) -> None:
    page.goto(f"{course}/qkv?experiment={experiment}")
    expect(page.locator(f"#qkv-{experiment}-stage .picture").first).to_be_visible()


def cell(page: Page, control: str, row: int, column: int):
    return page.locator(
        f'#qkv-matrices-layer [data-cell="{control}"][data-row="{row}"][data-column="{column}"]'
    )


def test_cell_is_edited_by_keyboard_and_mask_is_drawn(page: Page, course: str):
    open_experiment(page, course, "matrices")
    reading, picture = page.locator("#qkv-matrices-reading"), page.locator("#qkv-matrices-layer svg")
    expect(page.locator("#qkv-matrices-X")).to_be_hidden()  # cells are edited in the picture only
    cell(page, "X", 0, 0).press("ArrowUp")
    expect(cell(page, "X", 0, 0)).to_have_text("1.10")
    expect(page).to_have_url(re.compile("X=1.1"))
    X = [list(row) for row in LESSON.experiment("matrices").state()["X"]]
    X[0][0] = 1.1
    expect(reading).to_contain_text(text_of_reading(LESSON, "matrices", X=X))
    page.locator("#qkv-matrices-mask input").check()
    expect(picture).to_contain_text("−∞")
    expect(reading).to_contain_text(text_of_reading(LESSON, "matrices", X=X, mask=True))


def test_cell_is_typed_and_dragged(page: Page, course: str):
    open_experiment(page, course, "matrices")
    cell(page, "W_V", 1, 1).click()
    field = page.locator(".cell-field")
    field.fill("7")
    expect(page.locator(".cell-note")).to_contain_text("between −3 and 3")
    field.fill("-0,5")
    expect(cell(page, "W_V", 1, 1)).to_have_text("−0.50")
    field.press("Enter")
    expect(field).to_have_count(0)
    box = cell(page, "X", 2, 1).bounding_box()
    assert box
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] + 60, middle[1], steps=6)
    page.mouse.up()
    expect(cell(page, "X", 2, 1)).not_to_have_text("1.00")
    expect(page.locator("#qkv-matrices-reading b").first).to_have_text("2")  # number of changed cells
    expect(page).to_have_url(re.compile("W_V=.*-0.5"))
    page.reload()
    expect(cell(page, "W_V", 1, 1)).to_have_text("−0.50")  # the link holds the value


def test_suggested_sentence_changes_the_reading(page: Page, course: str):
    open_experiment(page, course, "bank")
    reading = page.locator("#qkv-bank-reading")
    street = "i arrived at the bank after crossing the street ."
    page.get_by_role("button", name=street).click()
    expect(reading).to_contain_text(text_of_reading(LESSON, "bank", text=street))


def test_sentence_with_a_blank_is_typed(page: Page, course: str):
    page.goto(f"{course}/qkv?experiment=blank")  # the guess covers the pictures of this experiment
    reading, field = (
        page.locator("#qkv-blank-reading"),
        page.locator("#qkv-blank-text textarea, #qkv-blank-text input").first,
    )
    line = page.locator("#qkv-blank-filled svg")
    after, before = "and it was profitable", "it was profitable when"
    field.fill(f"I arrived at the bank after crossing the ___ {after}")
    expect(reading).to_contain_text(
        text_of_reading(LESSON, "blank", text=f"i arrived at the bank after crossing the ___ {after}")
    )
    expect(line).to_contain_text("street")
    field.fill(f"{before} i arrived at the bank after crossing the ___")
    expect(reading).to_contain_text(
        text_of_reading(LESSON, "blank", text=f"{before} i arrived at the bank after crossing the ___")
    )
    expect(page).to_have_url(re.compile("text=it.was.profitable"))
    for bad in ("i arrived at the bank", "the bank ___ the ___", "", "<script>alert(1)</script> ___"):
        field.fill(bad)
        expect(page.locator("#qkv-blank-text .wrong")).to_contain_text(refusal(LESSON, "blank", text=bad))
    field.fill("we noticed the bark of the ___ and it was loud .")
    expect(reading).to_contain_text(
        text_of_reading(LESSON, "blank", text="we noticed the bark of the ___ and it was loud .")
    )


def test_sizes_that_do_not_fit_show_the_error(page: Page, course: str):
    open_experiment(page, course, "layer")
    reading, picture = page.locator("#qkv-layer-reading"), page.locator("#qkv-layer-whole svg")
    width = page.locator("#qkv-layer-wide_K input")
    width.press("ArrowRight")
    expect(reading).to_contain_text(text_of_reading(LESSON, "layer", wide_K=3))
    expect(reading).to_contain_text(LESSON.experiment("layer").run({"wide_K": 3}).fault)
    expect(picture).to_contain_text("✗ 2 ≠ 3")
    width.press("ArrowLeft")
    expect(reading).to_contain_text(text_of_reading(LESSON, "layer"))
    expect(picture).to_contain_text("Y = A V")


def test_closer_look_after_a_job_is_in_the_link(page: Page, course: str):
    page.goto(f"{course}/qkv?experiment=swoop&guess=0")
    start, look = page.locator("#qkv-swoop-job [data-part=start]"), page.locator("#qkv-swoop-act-loop button")
    start.click()
    expect(start).to_be_disabled()
    expect(start).to_be_enabled(timeout=120_000)  # the job ends by itself
    expect(page.locator("#qkv-swoop-stage .drawing")).to_have_attribute("data-found", "")
    draw_requests: list[str] = []
    page.on(
        "request",
        lambda request: (
            "x-ahead" not in request.headers and "/draw/" in request.url and draw_requests.append(request.url)
        ),
    )
    look.click()
    expect(page.locator("#qkv-swoop-stage .closer:visible")).to_have_count(1)
    expect(page).to_have_url(re.compile("experiment=swoop&acts=loop$"))
    look.click()
    expect(page.locator("#qkv-swoop-stage .closer:visible")).to_have_count(0)
    expect(page).to_have_url(re.compile("experiment=swoop$"))
    assert not draw_requests  # a new drawing would lose the result of the job


def test_every_tab_is_visible(page: Page, course: str):
    page.set_viewport_size({"width": 1280, "height": 720})
    open_experiment(page, course, "layer")
    tabs = page.locator(".tab-strip").get_by_role("link")
    expect(tabs).to_have_count(len(LESSON.experiments) + 1)  # the last one is "Check yourself"
    for tab in tabs.all():
        expect(tab).to_be_in_viewport(ratio=1)
