"""The public API through Gradio: one typed endpoint per experiment, for gradio_client and MCP clients.

`gr.Blocks` with `gr.api` endpoints, mounted with `gr.mount_gradio_app` behind our own routes.
(`gradio.Server` can only be launched: it cannot fork after loading, share a port between workers, or run in
another ASGI server.)

Functions import Gradio when the first client calls (gradio_ui.py): with its libraries it takes 75 MB and a
second, and most visitors only open pages.

Only this module uses undocumented parts of Gradio: where its package keeps KaTeX, the paths of its API (the
queue is in the memory of one process), and how many sessions it keeps. tests/api/test_gradio.py checks each
of them.
"""

import importlib.util
import inspect
import json
import logging
import os
import re
import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import make_dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import orjson
from starlette.applications import Starlette

from lessons.kit.contract import Choice, Control, InputError, Slider, Toggle, json_value
from lessons.kit.web.json_body import parse_json
from lessons.kit.web.renderer import Renderer, RenderError
from lessons.kit.web.request_guard import MAX_REQUEST_BYTES, HTTPError, read_body, replay

if TYPE_CHECKING:
    import gradio as gr

log = logging.getLogger("seq2see")
MAX_QUEUE = 64  # maximum number of calls waiting in Gradio's queue
MAX_SESSIONS = 64  # Gradio keeps a third of a megabyte per session, and every call by curl is a new session
COMPUTE_SLOTS = threading.BoundedSemaphore(
    2
)  # concurrent API calls per process; few, because pages have priority

# ---- Gradio's internals ----

GRADIO = Path(str(importlib.util.find_spec("gradio").origin)).parent  # type: ignore[union-attr]
KATEX_FOLDER = GRADIO / "templates/frontend/assets"
# paths that only one process answers: it has the queue, and the others do not need to import Gradio
API_PATH = re.compile(r"/(config|gradio_api)\b")


@cache
def katex_files() -> dict[str, Callable[[], bytes]]:
    """Functions that read KaTeX's script, style and fonts, by file name. Gradio's CSS scope is removed."""
    scope = re.compile(rb"\.gradio-container-[\w-]+ ")
    paths = [*KATEX_FOLDER.glob("KaTeX_*.woff2"), *KATEX_FOLDER.glob("katex-*.js")]
    files = {path.name: path.read_bytes for path in paths}
    for path in KATEX_FOLDER.glob("katex-*.css"):
        files[path.name] = lambda path=path: scope.sub(b"", path.read_bytes())  # type: ignore[misc]
    return files


def katex_address(kind: str) -> str:
    return next(f"katex/{name}" for name in katex_files() if re.fullmatch(rf"katex-.*{kind}", name))


# ---- endpoints ----


@cache
def answer_class(names: tuple[str, ...]) -> type:
    """Create a dataclass for answers with these fields. gradio_client gets a dict, MCP clients get JSON.

    Gradio converts the answer with `str`, which for a dict would give Python syntax instead of JSON.
    """
    return make_dataclass("Answer", names, namespace={"__str__": to_json})


def to_json(answer: Any) -> str:
    return json.dumps(vars(answer), ensure_ascii=False, separators=(",", ":"))


def annotation(control: Control) -> Any:
    """Type annotation of a control's value, for the signature that Gradio reads."""
    match control:
        case Slider():
            return int if control.whole else float
        case Choice():
            return Literal[control.options]
        case Toggle():
            return bool
    return str if isinstance(control.default, str) else list


def make_endpoint(renderer: Renderer) -> Callable[..., Any]:
    """Make an API function: takes an experiment's controls, returns its reading and numbers."""
    import gradio as gr

    lesson, experiment = renderer.lesson, renderer.experiment

    def call(*values: Any, **named: Any) -> Any:
        given = dict(zip((control.name for control in experiment.controls), values, strict=False)) | named
        try:
            with COMPUTE_SLOTS:
                answer = renderer.api_answer(given)
            return answer_class(tuple(answer))(**answer)
        except (InputError, RenderError) as error:
            raise gr.Error(str(error), print_exception=False) from error

    call.__name__ = f"{lesson.slug}_{experiment.slug}"
    types = {control.name: annotation(control) for control in experiment.controls}
    call.__annotations__ = types | {"return": dict}
    call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(
                control.name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=json_value(control.default),
                annotation=types[control.name],
            )
            for control in experiment.controls
        ],
        return_annotation=dict,
    )
    # one line per parameter, although a suggestion may contain line breaks
    lines = [
        " ".join(f"{c.name}: {c.label}: {c.accepts}. By default {short_json(c.default)}.".split())
        for c in experiment.controls
    ]
    question = lesson.text.experiments[experiment.slug].question
    about = f"{question} Experiment “{experiment.title}” of the lesson “{lesson.title}”."
    call.__doc__ = "\n    ".join([f"{about}\n\nParameters:", *lines])
    return call


def short_json(value: Any) -> str:
    text = json.dumps(json_value(value), ensure_ascii=False)
    return text if len(text) < 80 else "as on the page"


def limit_sessions(blocks: "gr.Blocks", max_sessions: int) -> None:
    """Limit the number of sessions Gradio keeps. Only launch() has a parameter for this."""
    blocks.state_session_capacity = max_sessions


def build_endpoints(renderers: Sequence[Renderer]) -> "gr.Blocks":
    """All experiments as endpoints /<lesson>_<experiment>, unqueued."""
    import gradio as gr

    with gr.Blocks(title="Seq2See", analytics_enabled=False) as blocks:
        for renderer in renderers:
            call = make_endpoint(renderer)
            gr.api(call, api_name=call.__name__, queue=False)
    limit_sessions(blocks, MAX_SESSIONS)
    return blocks.queue(max_size=MAX_QUEUE)


def has_mcp() -> bool:
    """Whether experiments are MCP tools: GRADIO_MCP_SERVER is set and `gradio[mcp]` is installed."""
    is_on = os.environ.get("GRADIO_MCP_SERVER", "").lower() == "true"
    return is_on and importlib.util.find_spec("mcp") is not None


def mount(blocks: "gr.Blocks", path: str, root: str) -> Starlette:
    """Gradio's ASGI application for these blocks, which answers below `path`."""
    import gradio as gr

    # a warning about server-side rendering, which is not used
    warnings.filterwarnings("ignore", "SSR mode is not supported")
    return gr.mount_gradio_app(
        Starlette(),
        blocks,
        path,
        root_path=root or None,
        footer_links=[],
        run_history=False,
        enable_monitoring=False,
        max_file_size=MAX_REQUEST_BYTES,
        ssr_mode=False,
    )


# ---- paths that clients can reach ----

ALLOWED_PATH = re.compile(
    r"/config|/gradio_api/(info|openapi\.json|app_id|startup-events|heartbeat|call|queue|cancel|reset|mcp)"
    r"(/.*)?"
)
CALL_PATH = re.compile(r"/gradio_api/(queue/join|call/(v2/)?(?P<name>[^/]+))/?")
CONTROL_PATH = re.compile(r"/gradio_api/(cancel|reset|mcp(/.*)?)/?")
STREAM_PATH = re.compile(r"/gradio_api/(queue/data|call/(v2/)?[^/]+/(?P<event>[^/]+))/?")
MAX_LISTENED_EVENTS = 10_000


class GradioGate:
    """ASGI middleware: forward only the paths that Gradio's clients use, with valid bodies; else 404."""

    def __init__(self, app: Any, renderers: Sequence[Renderer]):
        self.app = app
        self.controls = [renderer.experiment.controls for renderer in renderers]
        self.index = {
            f"{one.lesson.slug}_{one.experiment.slug}": number for number, one in enumerate(renderers)
        }
        self.listened: OrderedDict[str, None] = OrderedDict()

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        path = scope["path"]
        try:
            if not ALLOWED_PATH.fullmatch(path):
                raise HTTPError(404, "There is nothing at this address.")
            if scope["method"] == "POST" and (
                found := CALL_PATH.fullmatch(path) or CONTROL_PATH.fullmatch(path)
            ):
                body = parse_json(await read_body(scope, receive))
                if found.re is CALL_PATH:
                    body = self.check_call(found["name"], "/v2/" in path, body)
                scope, receive = with_new_body(scope), replay(write_json(body), receive)
            stream = scope["method"] == "GET" and STREAM_PATH.fullmatch(path)
            if stream and stream["event"]:
                self.claim_event(stream["event"])
        except HTTPError as error:
            return await error.response(path)(scope, receive, send)
        await (self.stream_events if stream else self.app)(scope, receive, send)

    def claim_event(self, event: str) -> None:
        """Refuse a second listener for the same event: with Gradio it would wait forever."""
        if event in self.listened:
            raise HTTPError(404, "Somebody has listened for this event already; please call again.")
        self.listened[event] = None
        if len(self.listened) > MAX_LISTENED_EVENTS:
            self.listened.popitem(last=False)

    async def stream_events(self, scope: dict, receive: Any, send: Any) -> None:
        """Stream events. If nothing is running, Gradio raises an error; here the stream just ends."""
        has_begun = False

        async def send_and_note(message: dict) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        except RuntimeError:
            if not has_begun:
                raise
            await send({"type": "http.response.body", "body": b""})

    def check_call(self, name: str | None, by_name: bool, body: dict[str, Any]) -> dict[str, Any]:
        """Return a valid body for Gradio: one value per control, the endpoint's index, and the session."""
        index = body.get("fn_index") if name is None else self.index.get(name)
        if type(index) is not int or not 0 <= index < len(self.controls):
            raise HTTPError(404, "There is no such endpoint; /gradio_api/info lists all endpoints.")
        defaults = {control.name: json_value(control.default) for control in self.controls[index]}
        data = body.get("data")
        if by_name:
            if unknown := [key for key in body if key not in defaults]:
                raise HTTPError(
                    400, f"There is no “{unknown[0][:30]}” here; there are {', '.join(defaults)}."
                )
            data = list((defaults | body).values())
        if not isinstance(data, list) or len(data) != len(defaults):
            received = f"{len(data)} came" if isinstance(data, list) else "they are missing"
            raise HTTPError(
                400,
                f"Please send {len(defaults)} values as the list “data” ({', '.join(defaults)}); {received}.",
            )
        session = body.get("session_hash")
        if not isinstance(session, str | None) or len(session or "") > 64 or (name is None and not session):
            raise HTTPError(400, "Please send a text of at most 64 characters as “session_hash”.")
        return {"data": data, "fn_index": index, "session_hash": session}


def with_new_body(scope: dict) -> dict:
    """Adapt a request to a new body: drop headers of the old one, use the path for positional arguments."""
    path = scope["path"].replace("/call/v2/", "/call/")
    headers = [
        (name, value)
        for name, value in scope["headers"]
        if name not in (b"content-length", b"transfer-encoding")
    ]
    return scope | {"headers": headers, "path": path, "raw_path": path.encode()}


def write_json(body: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(body)
    except TypeError as error:  # orjson can parse deeper nesting than it can serialize
        raise HTTPError(400, "Please send lists that are not nested so deep.") from error
