"""The course as files (assets/deploy/static.py), opened from the disk in a real browser."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from assets.deploy.static import write_site
from lessons import LESSONS
from lessons.kit.contract import Lesson

SCORES = next(lesson for lesson in LESSONS if lesson.slug == "scores")
LIVE = "https://example.org/course"
LINK = re.compile(r"""\bhref=["']([^"'#?]+)""")


@pytest.fixture(scope="session")
def scores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one lesson as files, inside another folder, as on GitHub Pages."""
    folder = tmp_path_factory.mktemp("pages") / "course"
    write_site(folder, (SCORES,), LIVE)
    return folder


def sentence(page: Page) -> str:
    return page.locator(".experiment .sentence.reading").inner_text()


def test_a_guess_a_preset_and_the_next_page_work_from_files(page: Page, scores: Path):
    page.goto((scores / "index.html").as_uri())
    page.get_by_role("link", name=SCORES.title, exact=True).click()
    page.locator(f".tab-strip a[data-tab={SCORES.core[0].slug}]").click()
    expect(page.locator(".guess.open")).to_be_visible()
    page.locator(".guess [data-answer]").first.click()
    expect(page.locator(".guess .verdict")).to_have_text(re.compile("^[✓✗] (Yes|No)"))
    expect(page.locator(".covered")).to_have_count(0)
    before = sentence(page)
    chip = page.locator(".presets .chip").first
    chip.click()
    expect(page.locator(".sentence.reading")).not_to_have_text(before)
    expect(chip).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".note .message")).to_have_count(0)
    page.locator(".steps a[rel=next]").click()
    expect(page).to_have_url(re.compile(rf"/scores-{SCORES.core[1].slug}\.html"))
    expect(page.locator("h1")).to_have_text(SCORES.text.experiments[SCORES.core[1].slug].question)


def test_closer_looks_open_and_have_their_equations(page: Page, scores: Path):
    page.goto((scores / "scores-plane.html").as_uri() + "?guess=0")
    head = page.locator("[data-act]").first
    expect(page.locator(".closer").first).to_be_hidden()
    head.click()
    expect(page.locator(".closer").first).to_be_visible()
    expect(head).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".katex").first).to_be_visible()


def test_a_state_without_a_file_is_found_in_the_live_course(page: Page, scores: Path):
    page.goto((scores / "scores-scaling.html").as_uri() + "?guess=0&k=5")
    page.locator("#scores-scaling-scaled input").click()
    message = page.locator(".note .message")
    expect(message).to_contain_text("no models")
    address = message.get_by_role("link").get_attribute("href") or ""
    assert address.startswith(f"{LIVE}/scores?experiment=scaling&k=5&scaled=")
    page.locator(".presets .chip").first.click()
    expect(message).to_have_count(0)


def test_a_link_names_a_state(page: Page, scores: Path):
    start = (scores / "scores-scaling.html").as_uri()
    page.goto(f"{start}?guess=0")
    before = sentence(page)
    query = (page.locator(".presets .chip").first.get_attribute("href") or "").partition("?")[2]
    page.goto(f"{start}?{query}")
    expect(page.locator(".sentence.reading")).not_to_have_text(before)
    expect(page.locator(".guess.open")).to_have_count(0)


def test_exercises_are_checked_and_dialogs_open(page: Page, scores: Path):
    page.goto((scores / "scores-check.html").as_uri())
    number = next(one for one in SCORES.exercises if one.tolerance)
    place = page.locator(f"#scores-check-{number.slug}")
    place.locator("input").fill("-12345")
    place.get_by_role("button", name="check").click()
    expect(place.locator(".verdict")).to_have_text(re.compile("^✗ Not yet"))
    assert number.solution
    place.locator("input").fill(number.solution())
    place.get_by_role("button", name="check").click()
    expect(place.locator(".verdict")).to_have_text(re.compile("^✓ Yes"))
    challenge = page.get_by_role("link", name="solve it in the live course").first
    assert (challenge.get_attribute("href") or "").startswith(f"{LIVE}/scores?experiment=")
    page.get_by_role("link", name="glossary").click()
    expect(page.get_by_role("dialog")).to_contain_text("softmax")


def test_on_a_phone_the_narrow_pictures_are_shown(page: Page, scores: Path):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto((scores / "scores-scaling.html").as_uri() + "?guess=0")
    page.wait_for_function("document.querySelector('.view').style.getPropertyValue('--natural') <= 366")


def test_every_link_leads_to_a_file_or_to_the_live_course(scores: Path):
    assert_links(scores)


def assert_links(folder: Path) -> None:
    for path in folder.glob("*.html"):
        for target in LINK.findall(path.read_text(encoding="utf-8")):
            is_there = (folder / target).is_file()
            assert is_there or target.startswith(("https://", LIVE)), f"{path.name}: {target}"


@pytest.mark.slow
def test_every_page_of_the_course_opens_from_files(page: Page, tmp_path: Path):
    """Each page must show its picture, and each preset another one, without a message."""
    write_site(tmp_path, LESSONS, LIVE)
    assert_links(tmp_path)
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) < 50e6
    for lesson in LESSONS:
        for experiment in lesson.experiments:
            open_presets(page, tmp_path, lesson, experiment.slug)


def open_presets(page: Page, folder: Path, lesson: Lesson, slug: str) -> None:
    page.goto((folder / f"{lesson.slug}-{slug}.html").as_uri() + "?guess=0")
    for chip in page.locator(".presets .chip").all():
        chip.click()
        expect(chip).to_have_attribute("aria-pressed", "true")
        page.wait_for_timeout(100)
        expect(page.locator(".note .message")).to_have_count(0)
