"""The undocumented parts of Gradio that lessons/kit/web/gradio_api.py uses, and what to do when they change.

1. KaTeX is in Gradio's package (`katex_files`). If these tests fail, look for `katex` in gradio/templates and
   correct the patterns; if it is gone, put KaTeX's own release into assets/ and serve it from there.
2. The queue is in the memory of one process (`API_PATH`). If a client's call is lost with two workers, look
   in gradio/routes.py for paths that read `blocks._queue`, `app.iterators` or a session, and add them.
3. Gradio keeps a copy of all endpoints per session (`MAX_SESSIONS`). If the attribute is gone, see what
   `Blocks.launch` does with its parameter `state_session_capacity`.
4. `str` makes the text that an MCP client reads (`answer_class`): tests/api/test_tools.py.

tests/api/test_strangers.py tests which paths can be reached.
"""

import ast
import inspect
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import gradio as gr
from gradio_client import Client

from lessons import start
from lessons.kit.web import gradio_api, workers
from lessons.kit.web.server import Site
from lessons.kit.web.workers import serve_in_thread
from tests.api.test_endpoints import get
from tests.api.test_strangers import Server, events, gradio_addresses
from tests.toy import LESSON as TOY

ROOT = Path(__file__).parents[2]
MAY_IMPORT = {"lessons/kit/web/gradio_api.py", "lessons/kit/web/blocks.py"}
TYPES = {"gradio.blocks.Block", "gradio.components.Component"}  # annotations of the Gradio app, for mypy
DOCUMENTED = {*gr.__all__, "api"}


# ---- 1: KaTeX ----


def test_katex_has_one_script_one_style_and_its_fonts():
    names = [*gradio_api.katex_files()]
    kinds = [re.sub(r".*\.", "", name) for name in names]
    assert (kinds.count("js"), kinds.count("css")) == (1, 1), names
    assert kinds.count("woff2") >= 19
    assert all(re.search(r"-[\w-]{8}\.\w+$", name) for name in names), (
        "names carry a version, so browsers may keep the files"
    )


def test_the_style_of_katex_is_for_every_page_and_finds_its_fonts():
    [name] = [name for name in gradio_api.katex_files() if name.endswith("css")]
    style = gradio_api.katex_files()[name]().decode()
    assert ".gradio-container" in (gradio_api.KATEX_FOLDER / name).read_text(encoding="utf-8"), (
        "no scope to strip: simplify katex_files"
    )
    assert "gradio-container" not in style
    assert re.search(r"(^|})\.katex\{", style)
    fonts = set(re.findall(r"url\(\.?/?([^)]+\.woff2)\)", style))
    assert len(fonts) >= 19
    assert fonts <= set(gradio_api.katex_files())


def test_the_script_of_katex_exports_render():
    [name] = [name for name in gradio_api.katex_files() if name.endswith("js")]
    script = gradio_api.katex_files()[name]().decode()
    [export] = re.findall(r"export\s*\{(\w+) as default\}", script)
    [offered] = re.findall(rf"[ ,;]{export}=\{{(.*?)\}};export", script[-4000:], re.DOTALL)
    assert re.search(r"(^|,)render:", offered), "assets/js/tex.js calls `render` of what is exported"
    assert not re.findall(r"^import\b|[;}]import\s*[\"'{]|\bfrom\s*[\"']\.", script), (
        "it needs no other file of Gradio's"
    )


def test_katex_is_served_and_named_in_the_page(toy):
    for kind in ("js", "css"):
        status, headers, body = get(f"{toy}/{gradio_api.katex_address(kind)}")
        assert (status, len(body) > 10_000) == (200, True)
        assert ("javascript" if kind == "js" else "css") in headers["content-type"]
    assert gradio_api.katex_address("js").encode() in get(f"{toy}/toy")[2]


# ---- 2: the queue, with two workers ----


def test_a_client_joins_and_listens_whichever_worker_answers(toy_workers):
    """With two workers, half of the requests reach the one without the queue; all must be served."""

    def ask(number: int) -> list[str]:
        client = Client(toy_workers, verbose=False)
        return [
            client.predict(words=f"w{number} x{turn}", api_name="/toy_sizes")["words"][0] for turn in range(3)
        ]

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(ask, range(3))) == [[f"w{number}"] * 3 for number in range(3)]


def test_a_call_by_curl_is_answered_whichever_worker_answers(toy_workers):
    server = Server(toy_workers)
    for number in range(16):
        status, said = server.call("toy_again", {"data": [number / 10]})
        assert (status, [event for event, _ in events(said)]) == (200, ["complete"])


def test_every_reachable_address_of_the_api_goes_to_one_process():
    with gr.Blocks(analytics_enabled=False) as blocks:
        gr.api(lambda: 1, api_name="one")
    paths = {re.sub(r"{.*?}", "x", path) for path in gradio_addresses(gradio_api.mount(blocks, "/", ""))}
    reachable = {path.rstrip("/") for path in paths if gradio_api.ALLOWED_PATH.fullmatch(path)}
    assert {"/config", "/gradio_api/info", "/gradio_api/queue/join"} <= reachable
    assert all(gradio_api.API_PATH.match(path) for path in [*reachable, "/gradio_api/mcp/sse"])
    assert not any(
        gradio_api.API_PATH.match(path) for path in ("/draw/toy/sizes", "/gradio/config", "/configs")
    )


def test_workers_agree_on_what_a_client_compares(toy_workers):
    """gradio_client reads these paths once and relies on them, so all workers must give the same answer."""
    server = Server(toy_workers)
    for path in ("/config", "/gradio_api/info", "/gradio_api/app_id"):
        assert len({server.ask("GET", path)[1] for _ in range(12)}) == 1, path


# ---- 3: sessions ----


def test_gradio_remembers_a_bounded_number_of_sessions(monkeypatch):
    seen = []
    mount = gradio_api.mount
    monkeypatch.setattr(gradio_api, "mount", lambda *given: seen.append(mount(*given)) or seen[-1])
    monkeypatch.setattr(gradio_api, "MAX_SESSIONS", 3)
    site = Site((TOY,), start)
    with serve_in_thread(site.asgi()) as address:
        server = Server(address)
        for number in range(8):
            assert server.call("toy_again", {"data": [1], "session_hash": f"s{number}"})[0] == 200
        [engine] = [route.app for route in seen[0].routes]
        assert len(engine.state_holder.session_data) == 3
    site.supervisor.close()


# ---- imports of Gradio ----


def sources() -> list[Path]:
    return [ROOT / "app.py", *(ROOT / "lessons").rglob("*.py"), *(ROOT / "models").rglob("*.py")]


def of_gradio(path: Path) -> list[str]:
    """Full names of everything that a module imports from Gradio."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return [name for name in found if re.match(r"gradio(_client)?\b", name)]


def test_only_the_interface_and_the_gradio_app_import_gradio():
    importing = {path.relative_to(ROOT).as_posix(): names for path in sources() if (names := of_gradio(path))}
    assert set(importing) == MAY_IMPORT
    assert {name for names in importing.values() for name in names} <= {"gradio", *TYPES}


def test_only_public_names_of_gradio_are_used():
    for name in MAY_IMPORT:
        tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
        used = {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "gr"
        }
        assert used <= DOCUMENTED, name


def test_no_other_module_touches_the_queue_or_the_sessions():
    private = re.compile(
        r"\._queue\b|pending_messages_per_session|event_ids_to_events|state_holder|state_session_capacity"
    )
    touching = {path.name for path in sources() if private.search(path.read_text(encoding="utf-8"))}
    assert touching <= {"gradio_api.py", "blocks.py"}


def test_what_is_documented_takes_what_is_given():
    """gr.api, Blocks.queue and gr.mount_gradio_app must accept the parameters used here."""
    assert {"fn", "api_name", "queue"} <= set(inspect.signature(gr.api).parameters)
    assert "max_size" in inspect.signature(gr.Blocks.queue).parameters
    used = {"root_path", "footer_links", "run_history", "enable_monitoring", "max_file_size", "ssr_mode"}
    assert used <= set(inspect.signature(gr.mount_gradio_app).parameters)


def test_the_port_settings_are_read_from_gradio_s_documented_variables(monkeypatch):
    assert (workers.DEFAULT_HOST, workers.FIRST_PORT, workers.MAX_PORTS) == ("127.0.0.1", 7860, 100)
    from gradio import http_server

    assert (http_server.LOCALHOST_NAME, http_server.INITIAL_PORT_VALUE, http_server.TRY_NUM_PORTS) == (
        "127.0.0.1",
        7860,
        100,
    )


# ---- when Gradio is imported ----

PAGES_ONLY = """
import sys
import torch
from starlette.testclient import TestClient
from lessons import start
from lessons.kit.web.server import Site
from models.gradients import jacobian
from models.language_model import LanguageModel, LanguageModelConfig
from tests.toy import LESSON

model = LanguageModel(LanguageModelConfig(12, 4, 6)).requires_grad_(False)
jacobian(lambda edits: model.run([5, 3], edits), "layer1.h", lambda trace: trace.h[0, -1])
site = Site((LESSON,), start)
with TestClient(site.asgi(), "http://here.example") as client:
    assert client.get("/toy").status_code == client.get("/draw/toy/sizes").status_code == 200
    print(*sorted({"gradio", "fastapi", "matplotlib", "sympy"} & set(sys.modules)))
    assert client.get("/gradio_api/info").status_code == 200
    print(*sorted({"gradio"} & set(sys.modules)))
site.supervisor.close()
"""


def test_a_server_of_pages_only_does_not_import_gradio():
    """Gradio and its libraries take 75 MB of a worker, matplotlib 40, sympy (from torch.autograd) 38."""
    done = subprocess.run([sys.executable, "-c", PAGES_ONLY], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["", "gradio"], done.stderr


def test_an_api_that_cannot_start_is_answered_and_does_not_stop_the_pages(monkeypatch, caplog):
    monkeypatch.setattr(gradio_api, "build_endpoints", lambda _: 1 / 0)
    site = Site((TOY,), start)
    with serve_in_thread(site.asgi()) as address:
        assert Server(address).ask("GET", "/gradio_api/info")[0] == 503
        assert Server(address).ask("GET", "/config")[0] == 503
        assert Server(address).ask("GET", "/toy")[0] == 200
    site.supervisor.close()
    assert "ZeroDivisionError" in caplog.text
