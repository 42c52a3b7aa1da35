"""A real Chromium, for the browser's tests and for the page's budgets."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

FLAGS = "--no-sandbox --disable-gpu --disable-quic --disable-background-networking --disable-component-update --disable-sync"


@contextmanager
def chromium() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, filter(None, (os.environ.get("CHROMIUM"), "chromium", "chromium-browser")))), None)
    assert path, "no Chromium: install the package `chromium`, or set CHROMIUM"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS.split())
        yield browser
        browser.close()
