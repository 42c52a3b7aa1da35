"""For all tests: one thread, since they run side by side; properties that try the same examples every time; two real servers."""

from collections.abc import Iterator

import pytest
import torch
from hypothesis import settings

from lessons import LESSONS, start
from lessons.kit.contract import Lesson
from tests.toy import LESSON as TOY

pytest.register_assert_rewrite("tests.helpers", "tests.writer")
torch.set_num_threads(1)
settings.register_profile("same every time", deadline=None, derandomize=True)
settings.load_profile("same every time")


def pytest_configure(config: pytest.Config) -> None:
    """Gradio sets an option that pandas has deprecated: in its queue, after each call. A user sees a warning, no error."""
    config.addinivalue_line("filterwarnings", "ignore:'future.no_silent_downcasting' is deprecated")


def served(lessons: tuple[Lesson, ...], module: str = "lessons") -> Iterator[str]:
    from lessons.kit.web.server import Site  # gradio is slow to import, and most tests do without
    from lessons.kit.web.workers import in_thread

    site = Site(lessons, start, module=module)
    with in_thread(site.asgi()) as address:
        yield address
    if site.firm:
        site.firm.close()


@pytest.fixture(scope="session")
def toy() -> Iterator[str]:
    """The toy lesson, with every kind of control."""
    yield from served((TOY,), "tests.toy")


@pytest.fixture(scope="session")
def course() -> Iterator[str]:
    yield from served(LESSONS)
