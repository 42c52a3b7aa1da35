"""Send a few hundred random requests to all routes; `python -m tests.bench.fuzz` sends 10,000."""

from contextlib import contextmanager
from urllib.parse import urlsplit

from lessons.kit.web import code_limiter
from tests.bench.fuzz import Fuzz
from tests.conftest import served
from tests.toy import LESSON as TOY


def test_nothing_that_is_sent_is_a_fault_of_the_server(tmp_path, monkeypatch):
    monkeypatch.setenv("SEQ2SEE_STORE", str(tmp_path / "store"))
    # no delay of wrong codes, so that the test is fast
    monkeypatch.setattr(code_limiter, "NETWORK_DELAY_SECONDS", 0.0)
    with contextmanager(served)((TOY,), "tests.toy") as address:
        fuzz = Fuzz(urlsplit(address).port or 0, [TOY])
        fuzz.send(500)
    assert not fuzz.faults
    routes = {route for route, _ in fuzz.counts}
    answered = {route for route, status in fuzz.counts if status < 400}
    assert routes - answered <= {"/work progress", "files"}, "each route is asked for what it has, too"
