"""Security headers: only our scripts run, nothing loads from other hosts, other sites may embed a page."""

import base64
import hashlib
import re
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from lessons import start
from lessons.kit.web.server import Site
from tests.toy import LESSON as TOY

PAGES = [
    "/",
    "/toy",
    "/toy?experiment=check",
    "/glossary",
    "/teach",
    "/teach/toy",
    "/handout?item=toy%3Fexperiment%3Dsizes",
    "/r",
]
OTHERS = [
    "/draw/toy/sizes",
    "/answers/toy-sizes-predict",
    "/room/BBBB/qr.svg",
    "/gradio_api/info",
    "/nowhere",
    "/sitemap.xml",
]


@pytest.fixture(scope="module", params=["", "/course"])
def client(request) -> Iterator[TestClient]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADIO_ROOT_PATH", request.param)
        patch.setenv("SEQ2SEE_TEACH", "open")
        site = Site((TOY,), start, module="tests.toy").asgi()
    with TestClient(site, f"http://here.example{request.param}") as client:
        yield client


def policy(client: TestClient, path: str) -> dict[str, list[str]]:
    headers = client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] in ("strict-origin-when-cross-origin", "no-referrer")
    assert "camera=()" in headers["permissions-policy"]
    parts = (part.split() for part in headers["content-security-policy"].split(";"))
    return {name: sources for name, *sources in parts}


@pytest.mark.parametrize("path", [*PAGES, *OTHERS])
def test_only_scripts_of_ours_run(client, path):
    found = policy(client, path)
    assert found["default-src"] == ["'self'"]
    assert not {"'unsafe-inline'", "'unsafe-eval'", "*", "data:"} & set(found["script-src"])
    assert found["object-src"] == ["'none'"]
    assert "frame-ancestors" not in found, (
        "lecturers embed experiments in their own pages, also in files and notebooks"
    )


@pytest.mark.parametrize("path", PAGES)
def test_every_inline_script_is_one_that_the_policy_knows(client, path):
    allowed = set(policy(client, path)["script-src"])
    page = client.get(path).text
    for kind, script in re.findall(r"<script(?: type=\"([^\"]*)\")?>(.*?)</script>", page, re.DOTALL):
        if kind == "application/ld+json":  # data, which browsers do not run
            continue
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in allowed, (kind, script[:80])
    assert not re.search(r"<[^>]+\son[a-z]+=", page), "no handlers in attributes"


def test_an_exported_picture_runs_nothing(client):
    found = policy(client, "/export/toy/sizes/lengths.svg")
    assert found["script-src"] == found["default-src"] == ["'none'"]


def test_a_refusal_has_them_too(client):
    answer = client.post(
        "/draw/toy/sizes", content=b"x" * 300_000, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 413
    assert "content-security-policy" in answer.headers
