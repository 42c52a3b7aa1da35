"""A headless Chromium for the browser tests and the benchmarks of the page."""

import inspect
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Error, Page, sync_playwright

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --disable-background-networking --disable-component-update"
    " --disable-sync"
)


@contextmanager
def chromium() -> Iterator[Browser]:
    # the shell has the same engine without windows around the pages: less than half of the processor time
    names = filter(
        None, (os.environ.get("CHROMIUM"), "chromium-headless-shell", "chromium", "chromium-browser")
    )
    path = next(filter(None, map(shutil.which, names)), None)
    assert path, "no Chromium: install the package `chromium`, or set CHROMIUM"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS.split())
        yield browser
        browser.close()


def wait_for(page: Page, expression: str, arg: Any = None, timeout: float = 30_000) -> None:
    """Wait until an expression is true in the page (wait_for_function needs `eval`, which it forbids)."""
    wait_until(page, lambda: is_true(page, expression, arg), timeout, expression)


def wait_until(page: Page, is_met: Callable[[], bool], timeout: float = 30_000, what: str = "") -> None:
    """Wait until a Python condition is true, while the page keeps running."""
    ends = time.monotonic() + timeout / 1000
    while not is_met():
        assert time.monotonic() < ends, f"not true in time: {what or inspect.getsource(is_met).strip()}"
        page.wait_for_timeout(20)


def is_true(page: Page, expression: str, arg: Any) -> bool:
    try:
        return bool(page.evaluate(expression, arg))
    except Error as error:
        if "navigation" not in str(error):
            raise
        return False  # a new page is loading: try again there
