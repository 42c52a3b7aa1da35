"""Lesson `real` in a real browser, with the real weights."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from lessons.real import LESSON
from tests.browser.expected import text_of_reading
from tests.conftest import served, use_cache


@pytest.fixture(scope="module")
def real(pretrained_folder: str) -> Iterator[str]:
    with use_cache(pretrained_folder):
        yield from served((LESSON,))


def shows(page: Page, slug: str, **state) -> None:
    expect(page.locator(f"#real-{slug}-reading")).to_contain_text(
        text_of_reading(LESSON, slug, **state), timeout=20_000
    )


def test_a_bar_adds_its_piece(page: Page, real: str):
    page.goto(f"{real}/real?experiment=next&guess=0")
    shows(page, "next")
    page.locator("#real-next-next_pieces .pick").first.click()
    shows(page, "next", text="The capital of France is Paris")


def test_a_vector_is_transplanted(page: Page, real: str):
    page.goto(f"{real}/real?experiment=lens&guess=0")
    shows(page, "lens")
    page.locator("#real-lens-layer input[type=range]").press("End")
    shows(page, "lens", layer=30)


def test_a_moved_row_and_a_head_switched_off(page: Page, real: str):
    page.goto(f"{real}/real?experiment=heads&guess=0")
    shows(page, "heads")
    page.goto(f"{real}/real?experiment=heads&guess=0&change=give+all+weight+to+one+piece&piece=1")
    shows(page, "heads", change="give all weight to one piece", piece=1)


def test_a_loop_grows(page: Page, real: str):
    page.goto(f"{real}/real?experiment=loop&guess=0&copies=6")
    shows(page, "loop", copies=6)


def test_a_chat_answers(page: Page, real: str):
    page.goto(f"{real}/real?experiment=chat&guess=0&n=12")
    shows(page, "chat", n=12)
    expect(page.locator("#real-chat-answers")).to_contain_text("fruits")
