"""A real Chromium, and pages that fail the test on any browser error."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.chromium import chromium

expect.set_options(timeout=30_000)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A new page that fails the test on a console error, a failed request or a request to another host."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page, complaints = context.new_page(), []
    page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request",
        lambda r: urlsplit(r.url).hostname not in ("127.0.0.1", None) and complaints.append(f"asks {r.url}"),
    )
    page.on("response", lambda r: r.status >= 400 and complaints.append(f"{r.status} {r.url}"))
    yield page
    context.close()
    assert not complaints
