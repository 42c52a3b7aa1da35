"""Experiment `own` in a browser: a good file is read and trained on; a bad one is refused with a message."""

import os
import re
import signal
from pathlib import Path

from playwright.sync_api import Page, expect

from lessons.kit.jobs.queue import ABANDONED_MESSAGE
from lessons.training.pair_file import BINARY, EMPTY, NOT_UTF_8, ONE_COLUMN, UTF_16
from tests.browser.test_training import LEARNED, left
from tests.chromium import wait_for

OWN = "training?experiment=own&width=8&budget=5&batch=256"
DIGITS = "zero one two three four five six seven eight nine".split()
GOOD = "".join(f"{DIGITS[a]} {DIGITS[b]}\t{a} {b}\n" for a in range(10) for b in range(10))


def bring(page: Page, data: bytes, name: str = "secret-name.tsv") -> None:
    page.locator("#training-own-pairs input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": data}
    )


def test_a_good_file_is_read_trained_on_tried_and_forgotten(page, course):
    page.goto(f"{course}/{OWN}")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(f"{request.url} {request.post_data or ''}"))
    report, said = page.locator("#training-own-report"), page.locator("#training-own-reading")
    expect(report).to_contain_text("What was read of the sample")
    bring(page, ("\ufeff" + GOOD + "alone\n" + GOOD[:9]).encode())
    expect(report).to_contain_text("What was read of your pairs")
    expect(report).to_contain_text("100")
    expect(report).to_contain_text("skipped: one column")
    expect(page.locator("#training-own-tries")).to_contain_text("zero zero")
    expect(page.locator("#training-own-pairs")).to_contain_text("secret-name.tsv: in this page only")
    start = page.get_by_role("button", name="train", exact=True)
    start.click()
    expect(start).to_be_disabled()
    expect(start).to_be_enabled(timeout=120_000)  # the job ends by itself
    expect(said).to_contain_text(re.compile(r"After \d+ s and \d+"))
    page.locator("#training-own-sentence-field").fill("seven three")
    expect(page.locator("#training-own-tries")).to_contain_text("seven three")
    expect(page.locator("#training-own-gaze")).to_contain_text("seven")
    wait_for(page, "location.search.includes('runs=')")
    assert "seven" not in page.url.replace("sentence=seven+three", "")
    assert not any("secret-name" in one for one in sent)
    name = re.search(r"runs=([0-9a-f]{16})", page.url)
    assert name
    page.get_by_role("button", name="Did the model learn a rule, or memorise?").click()
    home = page.locator("#training-own-compared a").get_attribute("href")
    assert page.request.get(f"{course}/{home}").headers["content-type"] == "application/zip"
    page.goto(page.url)  # the run is kept but the file is not, so training asks for it again
    expect(said).to_contain_text(re.compile(r"After \d+ s and \d+"))
    start.click()
    expect(page.locator("#training-own-job")).to_contain_text("Choose it again")
    page.locator("#training-own-runs").get_by_role("button", name="forget all").click()
    expect(page.locator("#training-own-pairs")).to_contain_text("does not carry")
    gone = page.request.get(f"{course}/{home}")
    assert (gone.status, "does not carry" in gone.text()) == (400, True)


BAD = {
    "empty": (b"", EMPTY),
    "blank": (b"\n \n", EMPTY),
    "one column": (b"one\ntwo\nthree\n" * 9, ONE_COLUMN),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", BINARY),
    "a spreadsheet": (b"PK\x03\x04\x14\0\x06\0[Content_Types].xml\xff\xd8", BINARY),
    "UTF-16": (GOOD.encode("utf-16"), UTF_16),
    "UTF-16 without a mark": (GOOD.encode("utf-16-le"), UTF_16),
    "Latin-1": ("".join(f"é{n}\tà{n}\n" for n in range(20)).encode("latin-1"), NOT_UTF_8),
    "an endless line": (b"word " * 9000, "It is one line of 45,000 characters."),
    "too many words": (
        "".join(f"w{n}\tv\n" for n in range(3500)).encode(),
        "The left side has 3,500 different words",
    ),
    "wrong quoting": ("".join(f'"a {n},b {n}\n' for n in range(50)).encode(), "wrong quoting (line 1)"),
    "one pair": (b"a\tb\n" * 50, "All 50 lines hold the same pair"),
}


def test_bad_files_are_met_with_what_to_do(page, course):
    page.goto(f"{course}/{OWN}")
    control = page.locator("#training-own-stage, #training-own-pairs")
    before = page.locator("#training-own-report").text_content()
    for name, (data, says) in BAD.items():
        bring(page, data)
        expect(control.filter(has_text=says).first, name).to_be_visible()
    assert page.locator("#training-own-report").text_content() == before, (
        "the picture is of what was there before"
    )
    bring(page, GOOD.encode())
    expect(page.locator("#training-own-report")).to_contain_text("your pairs")
    expect(page.locator("#training-own-pairs .wrong:visible")).to_have_count(0)


def test_a_hundred_megabytes_never_leave_the_browser(page, course):
    page.goto(f"{course}/{OWN}")
    sent: list[int] = []
    page.on("request", lambda request: sent.append(len(request.post_data or "")))
    page.locator("#training-own-pairs input[type=file]").evaluate("""(input) => {
          const chosen = new DataTransfer();
          chosen.items.add(new File([new Uint8Array(100 << 20)], "large.tsv"));
          input.files = chosen.files;
          input.dispatchEvent(new Event("change"));
        }""")
    expect(page.locator("#training-own-pairs")).to_contain_text(
        "At most 120 KB, please; this has 104,858 KB. Take its first lines."
    )


def test_pasted_pairs_count_a_preset_puts_them_aside_and_they_come_back(page, course):
    page.goto(f"{course}/{OWN}")
    control, report = page.locator("#training-own-pairs"), page.locator("#training-own-report")
    control.get_by_role("button", name="paste").click()
    control.locator("textarea").fill(GOOD)
    expect(report).to_contain_text("your pairs")
    page.locator("#training-own-presets").get_by_role("button", name="With faults").click()
    expect(report).to_contain_text("What was read of the sample")
    expect(report).to_contain_text("skipped: an empty side")
    control.get_by_role("button", name="What you pasted again").click()
    expect(report).to_contain_text("your pairs")
    control.get_by_role("button", name="sample", exact=True).click()
    expect(report).to_contain_text("What was read of the sample")


def test_a_training_on_a_file_is_found_again_without_the_file_and_goes_on_with_it(page, course):
    page.goto(f"{course}/{OWN.replace('budget=5', 'budget=120')}")
    bring(page, GOOD.encode())
    expect(page.locator("#training-own-report")).to_contain_text("your pairs")
    page.get_by_role("button", name="train", exact=True).click()
    expect(page.locator("#training-own-reading")).to_contain_text(LEARNED, timeout=120_000)
    page, _ = left(page)
    page.goto(f"{course}/training?experiment=own")
    expect(page.locator("#training-own-job").get_by_role("progressbar")).to_be_visible()
    expect(page.locator("#training-own-report")).to_contain_text("your pairs")
    page, _ = left(page, until="ended")
    page.goto(f"{course}/training?experiment=own")
    job, said = page.locator("#training-own-job"), page.locator("#training-own-reading")
    expect(job).to_contain_text(ABANDONED_MESSAGE)
    expect(said).to_contain_text(LEARNED)
    page.locator("#training-own-budget input").fill("5")
    job.get_by_role("button", name="go on", exact=True).click()
    expect(job).to_contain_text("Choose it again")
    bring(page, GOOD.encode())
    expect(page.locator("#training-own-pairs")).to_contain_text("secret-name.tsv")
    job.get_by_role("button", name="go on", exact=True).click()
    expect(page.locator("#training-own-runs")).to_contain_text("2: ", timeout=120_000)
    expect(job.get_by_role("button", name="train", exact=True)).to_be_enabled(timeout=120_000)


def job_processes() -> list[int]:
    """Job processes of the servers in this process: children of their workers."""

    def children(process: int) -> list[int]:
        found = Path(f"/proc/{process}/task").glob("*/children")
        return [int(number) for each in found for number in each.read_text().split()]

    firms = [
        child
        for child in children(os.getpid())
        if b"lessons.kit.web.jobs" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]
    return [process for firm in firms for worker in children(firm) for process in children(worker)]


def test_a_training_whose_process_is_killed_is_said_and_the_next_one_runs(page, course):
    page.goto(f"{course}/{OWN.replace('budget=5', 'budget=120')}")
    job, said = page.locator("#training-own-job"), page.locator("#training-own-reading")
    start = job.get_by_role("button", name="train", exact=True)
    start.click()
    expect(said).to_contain_text("s are left", timeout=120_000)
    [process] = job_processes()
    os.kill(process, signal.SIGKILL)
    expect(job).to_contain_text("The process that worked on this was lost. Please start it again.")
    expect(said).to_contain_text("After")  # results up to the stop are kept
    start.click()
    expect(job.get_by_role("progressbar")).to_be_visible()
    expect(said).to_contain_text("s are left", timeout=120_000)
    job.get_by_text("stop").dispatch_event("click")
    expect(job.get_by_role("progressbar")).to_be_hidden()
