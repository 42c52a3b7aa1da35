"""Lesson `training` in a browser: a recording, training runs that finish or are stopped, and saved runs."""

import io
import re
import subprocess
import sys
import time
import zipfile
from contextlib import suppress

import pytest
from playwright.sync_api import Page, expect

from lessons.kit.jobs import artifacts
from lessons.kit.jobs.queue import ABANDONED_MESSAGE, ABANDONED_SECONDS, STORE_ERRORS, JobQueue

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
    expect(said).to_contain_text("0.01")
    page.get_by_label("models", exact=True).check()
    expect(said).to_contain_text("additive")
    page.get_by_label("no attention", exact=True).check()
    expect(said).to_contain_text("no attention")
    expect(chosen.locator("#training-film-gaze")).to_contain_text("no attention")
    expect(page.locator("#training-film-outputs")).to_contain_text("Transformer")


def test_page_down_starts_the_run_and_its_closer_look_stays_open(page, course):
    page.goto(f"{course}/{LIVE.replace('budget=5', 'budget=30')}&present=1&guess=1")
    page.keyboard.press("PageDown")
    expect(page.locator("#training-live-predict .verdict")).to_contain_text("Press “train”")
    page.keyboard.press("PageDown")
    said, act = page.locator("#training-live-reading"), page.locator("#training-live [data-act=compare]")
    expect(said).to_contain_text(re.compile(r"After \d+ s"), timeout=60_000)
    for _ in range(8):
        if act.get_attribute("aria-expanded") != "true":
            page.keyboard.press("PageDown")
            page.wait_for_timeout(300)
    before = page.locator("#training-live-compared").inner_text()
    expect(page.locator("#training-live-compared")).not_to_have_text(before)  # the run goes on
    expect(act).to_have_attribute("aria-expanded", "true")


@pytest.mark.parametrize("model", ["GRU", "Transformer"])
def test_a_run_is_trained_tried_kept_and_taken_home(page, course, tmp_path, model):
    page.goto(f"{course}/{LIVE}&cell={model}")
    said, start = page.locator("#training-live-reading"), page.get_by_role("button", name="train", exact=True)
    expect(said).to_contain_text("Press “train”")
    start.click()
    expect(start).to_be_disabled()
    expect(start).to_be_enabled(timeout=120_000)  # the job ends by itself
    expect(said).to_contain_text(re.compile(r"After \d+ s and \d+"))
    before = said.text_content()
    page.locator("#training-live-sentence-field").fill("cab")
    expect(page.locator("#training-live-tries")).to_contain_text("cab")
    expect(said).to_have_text(before)  # the same run with another sentence
    page.goto(f"{course}/training?experiment=live")  # a later visit: the browser remembers the run
    expect(said).to_contain_text(before)
    page.get_by_role("button", name="Which change made the difference?").click()
    link = page.locator("#training-live-compared a")
    with zipfile.ZipFile(
        io.BytesIO(page.request.get(f"{course}/{link.get_attribute('href')}").body())
    ) as files:
        files.extractall(tmp_path)
    check = page.context.new_page()  # opened directly, “Check yourself” still finds the run
    check.goto(f"{course}/training?experiment=check")
    check.locator("#training-check-quick").get_by_role("button", name="check my settings").click()
    expect(check.locator("#training-check-quick .verdict")).to_contain_text(
        re.compile(r"✓|best of your runs reached \d+")
    )
    check.close()
    [file] = tmp_path.glob("*/*.py")
    found = subprocess.run(
        [sys.executable, "-I", file, "cab"], cwd=file.parent, capture_output=True, text=True, check=True
    )
    tried = page.request.get(
        f"{course}/{link.get_attribute('href').replace('home.zip', 'tries.json')}&sentence=cab"
    ).json()
    [shown] = [token for line, _, token, *_ in tried["data"] if line == "cab"]
    assert shown
    said = (
        found.stdout.strip().replace("<pad>", "·") or "–"
    )  # on a busy machine the model has learned almost nothing
    assert said.startswith(shown)  # the page truncates long outputs


def test_a_training_that_is_stopped_keeps_what_it_learned(page, course):
    page.goto(f"{course}/{LIVE.replace('budget=5', 'budget=120')}")
    job, said = page.locator("#training-live-job"), page.locator("#training-live-reading")
    job.get_by_role("button", name="train", exact=True).click()
    expect(said).to_contain_text("s are left", timeout=120_000)
    job.get_by_text("stop").dispatch_event("click")
    expect(job.get_by_role("progressbar")).to_be_hidden()
    expect(page.locator("#training-live-runs")).to_contain_text("1: copy")


def having(order: str) -> JobQueue:
    """The job queue of this process that contains the job `order`."""
    for place in artifacts.STORE_PATHS:
        with suppress(*STORE_ERRORS):  # some stores may have been deleted
            if (line := JobQueue(place)).get(f"status {order}"):
                return line
    raise LookupError(order)


def left(page: Page, until: str = "") -> tuple[Page, str]:
    """Close the page during a training run; return a new page of the same browser, and the URL.

    With `until` = "ended", wait until the run has been ended as abandoned.
    """
    order = page.evaluate("JSON.parse(localStorage.seq2see).order.id")
    again, address = page.context.new_page(), page.evaluate("location.href")
    page.close()
    line = having(order)
    while until and line.get(f"status {order}")["state"] == "runs":
        line.put(f"polled {order}", time.time() - ABANDONED_SECONDS)
        time.sleep(0.1)
    return again, address


LEARNED = re.compile(r"After \d+ s and [1-9]")


def test_a_training_that_is_left_in_the_middle_is_found_again_and_goes_on(page, course):
    page.goto(f"{course}/{LIVE.replace('budget=5', 'budget=120')}")
    page.get_by_role("button", name="train", exact=True).click()
    expect(page.locator("#training-live-reading")).to_contain_text(LEARNED, timeout=120_000)
    page, _ = left(page)
    page.goto(f"{course}/training?experiment=live")  # the run continues, and all settings are restored
    job, said = page.locator("#training-live-job"), page.locator("#training-live-reading")
    expect(job.get_by_role("progressbar")).to_be_visible()
    expect(said).to_contain_text(LEARNED)
    expect(page.locator("#training-live-task select")).to_have_value("copy")
    before = said.text_content()
    expect(said).not_to_have_text(before, timeout=120_000)
    page, address = left(page, until="ended")
    page.goto(address)
    job, said = page.locator("#training-live-job"), page.locator("#training-live-reading")
    expect(job).to_contain_text(ABANDONED_MESSAGE)
    expect(said).to_contain_text(LEARNED)
    expect(said).to_contain_text("s are left")
    expect(said).to_be_visible()
    steps = int(re.search(r"([\d,]+) steps?", said.text_content())[1].replace(",", ""))
    page.locator("#training-live-budget input").fill("5")
    job.get_by_role("button", name="go on", exact=True).click()
    expect(page.locator("#training-live-runs")).to_contain_text("2: ", timeout=120_000)
    expect(job.get_by_role("button", name="train", exact=True)).to_be_enabled(timeout=120_000)
    expect(said).not_to_contain_text("s are left")
    assert int(re.search(r"([\d,]+) steps?", said.text_content())[1].replace(",", "")) > steps


def test_a_typed_date_does_not_stop_another_task(page, course):
    page.goto(f"{course}/training?experiment=live&task=dates&width=8&budget=5&guess=0")
    page.locator("#training-live-sentence-field").fill("12 may 2020")
    tries = page.locator("#training-live-tries")
    expect(tries).to_contain_text("12 may 2020")
    page.locator("#training-live-task select").select_option("reversal")
    expect(tries).to_contain_text("sequence")  # an example of the task
    expect(page.locator('[data-name="sentence"] .notice')).to_contain_text("sequence")
    expect(page.locator('[data-name="sentence"] .wrong')).to_have_count(0)
    page.get_by_role("button", name="train", exact=True).click()
    expect(page.locator("#training-live-reading")).to_contain_text(LEARNED, timeout=120_000)


def test_a_loss_that_diverged_is_said_and_not_drawn(page, course):
    page.goto(f"{course}/training?experiment=rate&unit=no+tanh&power=0")
    expect(page.locator("#training-rate-reading")).to_contain_text("diverge")
    assert "nan" not in page.locator("#training-rate-stage").inner_html().lower()
