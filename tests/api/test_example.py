"""The lesson of assets/docs/add-a-lesson.md is on the map and has a page, an endpoint and downloads."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from gradio_client import Client

from tests.api.test_endpoints import get
from tests.conftest import served
from tests.example import LESSON

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def example() -> Iterator[str]:
    yield from served((LESSON,))


def test_the_document_shows_it_word_for_word():
    document = (ROOT / "assets" / "docs" / "add-a-lesson.md").read_text(encoding="utf-8")
    for name in ("__init__.py", "text.md", "fading/text.md"):
        assert (ROOT / "tests" / "example" / name).read_text(encoding="utf-8").strip() in document


def test_it_is_on_the_map_and_has_a_page(example):
    _, _, page = get(example)
    assert b'href="fading"' in page
    status, _, page = get(f"{example}/fading?experiment=fading")
    assert status == 200
    assert "How much of today is left tomorrow?" in page.decode()
    assert "of it is left." in page.decode()


def test_it_has_an_endpoint_and_downloads(example):
    found = Client(example, verbose=False, httpx_kwargs={"timeout": 60}).predict(
        keep=0.5, days=2, api_name="/fading_fading"
    )
    assert next(iter(found)) == "reading"
    assert {name: value for name, value in found.items() if name != "reading"} == {
        "left": [0.5, 0.25],
        "half": 1.0,
    }
    for kind in ("svg", "png", "pdf", "csv"):
        assert get(f"{example}/export/fading/fading/memory.{kind}?keep=0.5&days=2")[0] == 200
    assert b"0.25" in get(f"{example}/export/fading/fading/memory.csv?keep=0.5&days=2")[2]
    assert get(f"{example}/export/fading/fading/half_life.svg")[0] == 200
