"""/status answers the owner of a server and returns 404 to everyone else."""

import json

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from lessons.kit.memo import memoize
from lessons.kit.web import status
from tests.api.test_strangers import Server


@memoize
def squared(n: int) -> int:
    return n * n


@pytest.fixture(scope="module")
def server(toy: str) -> Server:
    return Server(toy)


def asked_from(host: str, **headers: str) -> int:
    """The status code for a client with this address."""
    client = TestClient(Starlette(routes=status.routes()), client=(host, 1))
    return client.get(
        "/status", headers={name.replace("_", "-"): value for name, value in headers.items()}
    ).status_code


def test_the_owner_sees_memory_and_caches(server):
    squared(12)
    server.ask("GET", "/draw/toy/sizes?words=status")
    code, said, headers = server.ask("GET", "/status")
    assert (code, headers["content-type"], headers["cache-control"]) == (200, "application/json", "no-store")
    report = json.loads(said)
    assert report["resident_bytes"] > 50 << 20
    assert report["uptime_seconds"] >= 0
    assert report["open_sockets"] >= 2  # the listening socket and this connection
    assert len(report["version"]) == 12
    assert set(report["caches"]) == {"answers", "pictures", "computed"}
    for cache in report["caches"].values():
        assert 0 < cache["bytes"] <= cache["limit_bytes"]
        assert cache["entries"] > 0
    assert report["computed"][f"{__name__}.squared"]["entries"] == 1


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Forwarded-Proto", "X-Real-IP", "Via"])
def test_what_a_proxy_forwards_is_not_from_this_machine(server, header):
    code, said, _ = server.ask("GET", "/status", headers={header: "127.0.0.1"})
    assert (code, "bytes" in said) == (404, False)


def test_only_this_machine_is_answered():
    assert [asked_from(host) for host in ("127.0.0.1", "127.8.8.8", "::1")] == [200] * 3
    assert [asked_from(host) for host in ("192.168.0.7", "10.0.0.1", "::2", "testclient")] == [404] * 4


def test_a_token_opens_it_from_elsewhere(monkeypatch):
    assert asked_from("10.0.0.1", authorization="Bearer ") == 404
    monkeypatch.setenv("SEQ2SEE_STATUS_TOKEN", "s3cret")
    assert asked_from("10.0.0.1", authorization="Bearer s3cret") == 200
    assert asked_from("127.0.0.1", authorization="Bearer s3cret", x_forwarded_for="10.0.0.1") == 200
    assert [
        asked_from("10.0.0.1", authorization=word) for word in ("s3cret", "Bearer S3cret", "Bearer ", "")
    ] == [404] * 4
    assert asked_from("10.0.0.1") == 404
