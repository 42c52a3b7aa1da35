"""Lesson `real` in a real browser, with the real weights."""

import re
from collections.abc import Iterator
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Page, expect

from lessons.real import LESSON
from lessons.real.next.views import STORY_START
from lessons.real.pretrained_model import HEADS, LAYERS
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


def test_all_heads_are_points_and_small_maps(page: Page, real: str):
    page.goto(f"{real}/real?experiment=heads&guess=0&acts=scatter.maps")
    expect(page.locator("#real-heads-effect_scatter circle")).to_have_count(
        LAYERS * HEADS + 1, timeout=60_000
    )
    one_box_per_map = re.compile(rf"^(M[^M]+){{{LAYERS * HEADS}}}$")
    expect(page.locator("#real-heads-all_maps path.ground")).to_have_attribute("d", one_box_per_map)


def test_our_story_model_stands_beside_the_real_one(page: Page, real: str):
    page.goto(f"{real}/real?experiment=next&guess=0&acts=ours")
    expect(page.locator("#real-next-ours_sentence")).to_contain_text("does not know “capital”")
    page.goto(f"{real}/real?experiment=next&guess=0&acts=ours&text={quote_plus(STORY_START)}")
    expect(page.locator("#real-next-ours_sentence")).to_contain_text(
        re.compile(r"words with an entropy of \d+\.\d+ bits\. SmolLM2 chooses among 49,152 pieces")
    )


def test_tuning_changes_the_answer_beside_the_base_model(page: Page, real: str):
    page.goto(f"{real}/real?experiment=tune&guess=0&budget=5")
    expect(page.locator("#real-tune-answers")).to_contain_text("(not tuned yet)", timeout=60_000)
    page.get_by_role("button", name="Tune", exact=True).click()
    expect(page.locator("#real-tune-answers")).not_to_contain_text("(not tuned yet)", timeout=120_000)
    expect(page.locator("#real-tune-reading")).to_contain_text("After", timeout=120_000)
    page.reload()  # the run is saved, and its name is in the link
    expect(page.locator("#real-tune-answers")).not_to_contain_text("(not tuned yet)", timeout=60_000)
