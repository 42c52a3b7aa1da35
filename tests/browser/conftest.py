"""A real Chromium, and pages that may not complain."""

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.chromium import chromium

expect.set_options(timeout=30_000)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def settled(page: Page, go: Callable[..., Any]) -> Callable[..., Any]:
    """Most tests are about Gradio's page: they begin when the first view has moved in."""

    def going(*where: Any, **how: Any) -> Any:
        answer = go(*where, **how)
        page.wait_for_function("!document.getElementById('first-view')")
        return answer

    return going


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page that may not complain: no console error, no failed request, no other host."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page, complaints = context.new_page(), []
    page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda r: urlsplit(r.url).hostname not in ("127.0.0.1", None) and complaints.append(f"asks {r.url}"))
    page.on("response", lambda r: r.status >= 400 and complaints.append(f"{r.status} {r.url}"))
    page.goto, page.reload = settled(page, page.goto), settled(page, page.reload)
    yield page
    context.close()
    assert not complaints
