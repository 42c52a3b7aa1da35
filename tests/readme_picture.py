"""Take the README's picture of one experiment again: `python -m tests.readme_picture`.

The file carries the names in the bar of the page, so that a test can tell when lessons have changed since.
"""

import zlib
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import expect

from lessons import LESSONS
from tests.chromium import chromium
from tests.conftest import served

PICTURE = Path(__file__).parents[1] / "assets" / "readme" / "steer.png"
KEYWORD = b"tEXtlessons\0"  # the type of a PNG chunk, and the name of its text
HEADER_BYTES = 8 + 25  # signature and IHDR chunk: other chunks may follow
SIZE = {"width": 1280, "height": 790}


def lessons_in(png: bytes) -> list[str]:
    """Names in the bar of the page when the picture was taken."""
    start = png.index(KEYWORD)
    length = int.from_bytes(png[start - 4 : start])
    return png[start + len(KEYWORD) : start + 4 + length].decode("latin-1").split(", ")


def with_lessons(png: bytes, names: list[str]) -> bytes:
    body = KEYWORD + ", ".join(names).encode("latin-1")
    chunk = (len(body) - 4).to_bytes(4) + body + zlib.crc32(body).to_bytes(4)
    return png[:HEADER_BYTES] + chunk + png[HEADER_BYTES:]


def take() -> None:
    """“Steer” with all weight of step 6 moved to “european”."""
    with contextmanager(served)(LESSONS) as course, chromium() as browser:
        page = browser.new_page(viewport=SIZE)
        page.goto(f"{course}/attention?experiment=steer&guess=0")
        reading = page.locator("#attention-steer-reading")
        before = reading.inner_text()
        page.locator("#attention-steer-stage .handle").nth(4).press("End")
        expect(reading).not_to_have_text(before)
        page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
        page.wait_for_timeout(500)
        names = page.get_by_role("navigation", name="lessons").get_by_role("link").all_inner_texts()
        PICTURE.write_bytes(with_lessons(page.screenshot(), names))


if __name__ == "__main__":
    take()
