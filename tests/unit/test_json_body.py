"""JSON request bodies: invalid ones are refused with a 4xx status and an explanation."""

from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from lessons.kit.web.json_body import RequestBody, read_json
from lessons.kit.web.request_guard import HTTPError, answer_error


class Given(RequestBody):
    name: str
    count: int = 0
    values: dict[str, Any] = {}  # noqa: RUF012 - pydantic copies it


async def take(request: Request) -> Response:
    return JSONResponse((await read_json(request, Given)).model_dump())


async def change(request: Request) -> Response:
    return JSONResponse((await read_json(request, Given, changes=True)).model_dump())


@pytest.fixture(scope="module")
def client() -> TestClient:
    routes = [Route("/take", take, methods=["POST"]), Route("/change", change, methods=["POST"])]
    return TestClient(
        Starlette(routes=routes, exception_handlers={HTTPError: answer_error}), "http://here.example"
    )


def post(client: TestClient, body: bytes, path: str = "/take", **headers: str) -> tuple[int, str]:
    named = {"Content-Type": "application/json"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    answer = client.post(path, content=body, headers=named)
    return answer.status_code, answer.text


def test_a_body_is_read_by_its_schema(client):
    assert post(client, b'{"name": "x", "other": 1}') == (200, '{"name":"x","count":0,"values":{}}')


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[",
        b"[" * 8000,
        b'{"values":' * 3000 + b"1" + b"}" * 3000,
        b"null",
        b"[]",
        b"\xff",
        b'{"name": "\\ud800"}',
        b'{"values": {"\\udfff": 1}, "name": "x"}',
        b'{"name": NaN}',
        b'{"name": "x", "count": 1e999}',
        b'{"name": ["x"]}',
        b'{"name": "x", "count": "1"}',
        b'{"name": "x", "count": true}',
        b'{"name": "x", "values": []}',
        b'{"count": 1}',
    ],
    ids=lambda body: repr(body[:24]),
)
def test_what_cannot_be_read_is_a_sentence(client, body):
    status, said = post(client, body)
    assert status == 400
    assert said.endswith(".")
    assert "Traceback" not in said


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
def test_what_a_form_of_another_site_can_send_is_refused(client, kind):
    assert post(client, b'{"name": "x"}', "/change", Content_Type=kind)[0] == 415


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://here.example"}, 200),
        ({"Origin": "https://there.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://course.example", "X_Forwarded_Host": "course.example"}, 200),
        ({"Sec_Fetch_Site": "same-origin", "Origin": "https://behind-a-proxy.example"}, 200),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "same-site", "Origin": "http://other.here.example"}, 403),
    ],
)
def test_only_pages_of_this_site_change_something(client, headers, status):
    assert post(client, b'{"name": "x"}', "/change", **headers)[0] == status
    assert post(client, b'{"name": "x"}', "/take", **headers)[0] == 200
