"""Every rule of the request guard, at the root and below a path prefix, whether or not a proxy strips it."""

from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest

from lessons import start
from lessons.kit.web.request_guard import MAX_REQUEST_BYTES
from lessons.kit.web.server import Site
from lessons.kit.web.workers import serve_in_thread
from tests.api.test_strangers import JSON, LEAKS, Server
from tests.bench import serve
from tests.browser.test_machines import NGINX, program
from tests.toy import LESSON as TOY

WAYS = {  # name: GRADIO_ROOT_PATH, what nginx passes on, the prefix in the visitor's URL
    "at the root": ("", None, ""),
    "below a path": ("/seq2see", None, "/seq2see"),
    "below a path, without it": ("/seq2see", None, ""),
    "nginx, root": ("", "/", ""),
    "nginx passes the path on": ("/seq2see", "/seq2see/", "/seq2see"),
    "nginx strips the path": ("/seq2see", "/", "/seq2see"),
}


@pytest.fixture(scope="module", params=WAYS)
def site(request, tmp_path_factory) -> Iterator[tuple[Server, str]]:
    """A server and its path prefix."""
    root, passed, prefix = WAYS[request.param]
    with pytest.MonkeyPatch.context() as patch, ExitStack() as running:
        patch.setenv("GRADIO_ROOT_PATH", root)
        patch.setenv("SEQ2SEE_STORE", str(tmp_path_factory.mktemp("store") / "store"))
        address = running.enter_context(serve_in_thread(Site((TOY,), start, module="tests.toy").asgi()))
        if passed:
            port, folder = serve.free_port(), tmp_path_factory.mktemp("nginx")
            (folder / "nginx.conf").write_text(NGINX.format(folder))
            (folder / "seq2see.conf").write_text(
                f"server {{ listen 127.0.0.1:{port}; client_max_body_size 10m; client_body_buffer_size 1m;"
                f" location {prefix}/ {{ proxy_pass http://{urlsplit(address).netloc}{passed};"
                " proxy_set_header Host $http_host; }"
                f" {'location = / { return 200 here; }' if prefix else ''} }}"
            )
            nginx = [program("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf")]
            serve.wait_for_first_page(running.enter_context(serve.run_process(nginx)), port)
            address = f"http://127.0.0.1:{port}"
        yield Server(address), prefix


@pytest.mark.parametrize(
    "path", ["upload", "run/toy_sizes", "run/predict", "file=/etc/passwd", "file/app.py", "stream/x", "login"]
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_gradio_has_beside_its_short_list_is_not_found(site, method, path):
    server, prefix = site
    status, said, _ = server.ask(
        method, f"{prefix}/gradio_api/{path}", b"{}" if method == "POST" else None, JSON
    )
    assert status == 404
    assert not LEAKS.search(said)


@pytest.mark.parametrize(
    "path",
    ["/gradio_api/call/toy_sizes", "/draw/toy/sizes", "/room", "/work/toy-again", "/gradio_api/upload"],
)
def test_a_large_body_is_refused(site, path):
    server, prefix = site
    assert server.ask("POST", prefix + path, b" " * (MAX_REQUEST_BYTES + 1), JSON)[0] == 413


def test_a_host_that_is_none_is_refused(site):
    server, prefix = site
    assert server.ask("GET", f"{prefix}/toy", None, {"X-Forwarded-Host": "a b:c"})[0] == 400


def test_gradio_believes_no_proxy_that_a_visitor_invents(site):
    server, prefix = site
    status, said, _ = server.ask(
        "GET", f"{prefix}/config", None, {"X-Gradio-Server": "http://elsewhere.example:x"}
    )
    assert (status, "elsewhere.example" in said) == (200, False)


def test_what_changes_something_wants_json_from_our_own_pages(site):
    server, prefix = site
    assert server.ask("POST", f"{prefix}/room", b"{}", {"Content-Type": "text/plain"})[0] == 415
    assert (
        server.ask("POST", f"{prefix}/room", b"{}", JSON | {"Origin": "https://elsewhere.example"})[0] == 403
    )
    assert server.ask("POST", f"{prefix}/room", b"{}", JSON)[0] == 201
