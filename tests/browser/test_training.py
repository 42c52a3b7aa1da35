"""Lesson 8 in a real browser: a film, a training to its end and one that is stopped, a run tried, kept and taken home."""

import io
import re
import subprocess
import sys
import zipfile

import pytest
from playwright.sync_api import expect

LIVE = "training?experiment=live&task=copy&width=8&budget=5&batch=256"


def test_the_film_moves_all_its_pictures(page, course):
    page.goto(f"{course}/training?experiment=film&moment=2")
    said = page.locator("#training-film-reading")
    expect(said).to_contain_text("step 5")
    page.locator("#training-film-moment input").press("ArrowRight")
    expect(said).to_contain_text("step 21")
    expect(page.locator("#training-film-gaze")).to_contain_text("after step 21")


def test_four_models_stand_side_by_side(page, course):
    page.goto(f"{course}/training?experiment=film&moment=9&guess=0")
    said, chosen = page.locator("#training-film-reading"), page.locator("#training-film-stage")
    expect(said).to_contain_text("Rate 0.01")
    page.get_by_label("models", exact=True).check()
    expect(said).to_contain_text("Additive, step")
    page.get_by_label("no attention", exact=True).check()
    expect(said).to_contain_text("no attention at all")
    expect(chosen).to_contain_text("it cannot look")
    expect(page.locator("#training-film-outputs")).to_contain_text("Transformer")


@pytest.mark.parametrize("model", ["GRU", "Transformer"])
def test_a_run_is_trained_tried_kept_and_taken_home(page, course, tmp_path, model):
    page.goto(f"{course}/{LIVE}&cell={model}")
    said, start = page.locator("#training-live-reading"), page.get_by_role("button", name="train", exact=True)
    expect(said).to_contain_text("Fresh weights")
    start.click()
    expect(start).to_be_disabled()
    expect(start).to_be_enabled(timeout=120_000)  # it ends by itself
    expect(said).to_contain_text(re.compile(r"After \d+ s and \d+"))
    before = said.inner_text()
    page.locator("#training-live-sentence-field").fill("cab")
    expect(page.locator("#training-live-tries")).to_contain_text("cab")
    expect(said).to_have_text(before)  # the same run, another sentence
    page.goto(f"{course}/training?experiment=live")  # as on another day: the browser knows its run
    expect(said).to_contain_text(before)
    page.get_by_role("button", name="Which change made the difference?").click()
    link = page.locator("#training-live-compared a")
    with zipfile.ZipFile(io.BytesIO(page.request.get(f"{course}/{link.get_attribute('href')}").body())) as files:
        files.extractall(tmp_path)
    [file] = tmp_path.glob("*/*.py")
    found = subprocess.run([sys.executable, "-I", file, "cab"], cwd=file.parent, capture_output=True, text=True, check=True)
    tried = page.request.get(f"{course}/{link.get_attribute('href').replace('home.zip', 'tries.json')}&sentence=cab").json()
    [shown] = [token for line, _, token, *_ in tried["data"] if line == "cab"]
    assert shown
    assert found.stdout.startswith(shown)  # the page ends what is far too long


def test_a_training_that_is_stopped_keeps_what_it_learned(page, course):
    page.goto(f"{course}/{LIVE.replace('budget=5', 'budget=120')}")
    job, said = page.locator("#training-live-job"), page.locator("#training-live-reading")
    job.get_by_role("button", name="train", exact=True).click()
    expect(said).to_contain_text("s to go", timeout=120_000)
    job.get_by_text("stop").dispatch_event("click")
    expect(job.get_by_role("progressbar")).to_be_hidden()
    expect(page.locator("#training-live-runs")).to_contain_text("1: copy")


def test_a_loss_that_is_no_number_is_said_and_not_drawn(page, course):
    page.goto(f"{course}/training?experiment=rate&unit=no+tanh&power=0")
    expect(page.locator("#training-rate-reading")).to_contain_text("no number any more")
    assert "nan" not in page.locator("#training-rate-stage").inner_html().lower()
