"""Gradio as the engine of the public interface: one typed endpoint per experiment, for gradio_client, notebooks and MCP clients.

`gr.Blocks` with `gr.api` endpoints, mounted with `gr.mount_gradio_app` behind our own routes. `gradio.Server` was tried as well: it
can only be launched, with a server and a thread of its own, so it cannot fork after loading, share a port between workers, or be
handed to another ASGI server; a mounted Blocks can, and needs no line more.

What of Gradio is not documented, and used all the same, is in this module only (tests/api/test_gradio.py says what to do when it
changes): where its package keeps KaTeX, which of its addresses need the queue, which lives in the memory of one process, and how
many sessions it remembers.
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
from typing import Any, Literal

import gradio as gr
import orjson
from starlette.applications import Starlette

from lessons.kit.contract import Choice, Control, InputError, Slider, Toggle, plain
from lessons.kit.web.json_body import parse_json
from lessons.kit.web.renderer import Renderer, RenderError
from lessons.kit.web.request_guard import MAX_REQUEST_BYTES, HTTPError, read_body, replay

log = logging.getLogger("seq2see")
MAX_QUEUE = 64  # calls that wait in Gradio's queue
MAX_SESSIONS = 64  # whose copy of the endpoints Gradio keeps: a third of a megabyte each, and every call by curl is a new one
AT_WORK = threading.BoundedSemaphore(2)  # calls that compute at once in one process: learners come first

# ---- Gradio's internals ----

KATEX = Path(gr.__file__).parent / "templates" / "frontend" / "assets"
QUEUED = re.compile(
    r"/gradio_api/(queue|call|cancel|reset|heartbeat|mcp/(sse|messages))\b"
)  # only one process can answer these


@cache
def katex_files() -> dict[str, Callable[[], bytes]]:
    """KaTeX's script, style and fonts, by name. Gradio scopes the style to its own pages; here it is for all."""
    scope = re.compile(rb"\.gradio-container-[\w-]+ ")
    found = {path.name: path.read_bytes for path in KATEX.glob("KaTeX_*.woff2")}
    for path in KATEX.glob("katex-*.js"):
        found[path.name] = path.read_bytes
    for path in KATEX.glob("katex-*.css"):
        found[path.name] = lambda path=path: scope.sub(b"", path.read_bytes())  # type: ignore[misc]
    return found


def katex_file(name: str) -> Path:
    return KATEX / name


def katex_address(kind: str) -> str:
    return next(
        f"katex/{name}" for name in katex_files() if name.startswith("katex-") and name.endswith(kind)
    )


# ---- endpoints ----


@cache
def answer_class(names: tuple[str, ...]) -> type:
    """What an endpoint answers, with these fields. gradio_client gets a dict; MCP clients get text, and that is JSON.

    Gradio makes text with `str`, and dicts anew on the way there: of a dict it would be Python's. A dataclass it leaves alone.
    """
    return make_dataclass("Answer", names, namespace={"__str__": written})


def written(answer: Any) -> str:
    return json.dumps(vars(answer), ensure_ascii=False, separators=(",", ":"))


def annotation(control: Control) -> Any:
    """The type of a control's value, as Gradio reads it from a signature."""
    match control:
        case Slider():
            return int if control.whole else float
        case Choice():
            return Literal[control.options]
        case Toggle():
            return bool
    return str if isinstance(control.default, str) else list


def endpoint(renderer: Renderer) -> Callable[..., Any]:
    """A function whose parameters are the controls: the reading and the numbers of an experiment, as JSON."""
    lesson, experiment = renderer.lesson, renderer.experiment

    def call(*values: Any, **named: Any) -> Any:
        given = dict(zip((control.name for control in experiment.controls), values, strict=False)) | named
        try:
            with AT_WORK:
                answer = renderer.answer(given)
            return answer_class(tuple(answer))(**answer)
        except (InputError, RenderError) as error:
            raise gr.Error(str(error), print_exception=False) from error

    call.__name__ = f"{lesson.slug}_{experiment.slug}"
    call.__annotations__ = {control.name: annotation(control) for control in experiment.controls} | {
        "return": dict
    }
    call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(
                control.name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=plain(control.default),
                annotation=annotation(control),
            )
            for control in experiment.controls
        ],
        return_annotation=dict,
    )
    lines = "".join(
        f"\n    {c.name}: {c.label}: {c.wants}. By default {abridged(c.default)}."
        for c in experiment.controls
    )
    question = lesson.words.sections[experiment.slug].question
    call.__doc__ = (
        f"{question} Experiment “{experiment.title}” of the lesson “{lesson.title}”.\n\nParameters:{lines}"
    )
    return call


def abridged(value: Any) -> str:
    text = json.dumps(plain(value), ensure_ascii=False)
    return text if len(text) < 80 else "as on the page"


def limit_sessions(blocks: gr.Blocks, most: int) -> None:
    """How many sessions Gradio remembers: a parameter of launch(), which mounting does not have."""
    blocks.state_session_capacity = most


def endpoints(renderers: Sequence[Renderer]) -> gr.Blocks:
    """All experiments as endpoints `/<lesson>_<experiment>`; unqueued, so that any worker can answer an MCP client."""
    with gr.Blocks(title="Seq2See", analytics_enabled=False) as blocks:
        for renderer in renderers:
            gr.api(
                endpoint(renderer), api_name=f"{renderer.lesson.slug}_{renderer.experiment.slug}", queue=False
            )
    limit_sessions(blocks, MAX_SESSIONS)
    return blocks.queue(max_size=MAX_QUEUE)


def has_mcp() -> bool:
    """Are the experiments tools for MCP clients? Asked for by Gradio's own variable, possible with `gradio[mcp]`."""
    return (
        os.environ.get("GRADIO_MCP_SERVER", "").lower() == "true"
        and importlib.util.find_spec("mcp") is not None
    )


def mount(blocks: gr.Blocks, path: str, root: str) -> Starlette:
    """Gradio's application for these blocks, as an ASGI application that answers below `path`."""
    warnings.filterwarnings("ignore", "SSR mode is not supported")  # and not asked for
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


# ---- what is reachable ----

OPEN = re.compile(
    r"/config|/gradio_api/(info|openapi\.json|app_id|startup-events|heartbeat|call|queue|cancel|reset|mcp)(/.*)?"
)
SENT = re.compile(r"/gradio_api/(queue/join|call/(v2/)?(?P<name>[^/]+))/?")
TOLD = re.compile(r"/gradio_api/(cancel|reset|mcp(/.*)?)/?")
HEARD = re.compile(r"/gradio_api/(queue/data|call/(v2/)?[^/]+/(?P<event>[^/]+))/?")
MAX_HEARD = 10_000  # events of which the gate knows that somebody has listened


class GradioGate:
    """Lets through the few addresses of Gradio that its clients use, with bodies that it can read. All else is not found."""

    def __init__(self, app: Any, renderers: Sequence[Renderer]):
        self.app = app
        self.controls = [renderer.experiment.controls for renderer in renderers]
        self.index = {
            f"{one.lesson.slug}_{one.experiment.slug}": number for number, one in enumerate(renderers)
        }
        self.heard: OrderedDict[str, None] = OrderedDict()

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        path = scope["path"]
        try:
            if not OPEN.fullmatch(path):
                raise HTTPError(404, "There is nothing at this address.")
            if scope["method"] == "POST" and (found := SENT.fullmatch(path) or TOLD.fullmatch(path)):
                asked = parse_json(await read_body(scope, receive))
                if found.re is SENT:
                    asked = self.checked(found["name"], "/v2/" in path, asked)
                scope, receive = rewritten(scope), replay(write_json(asked), receive)
            stream = scope["method"] == "GET" and HEARD.fullmatch(path)
            if stream and stream["event"]:
                self.hear(stream["event"])
        except HTTPError as error:
            return await error.response(path)(scope, receive, send)
        await (self.listen if stream else self.app)(scope, receive, send)

    def hear(self, event: str) -> None:
        """Refuses a second listener for the same event: Gradio would keep it waiting for ever."""
        if event in self.heard:
            raise HTTPError(404, "Somebody has listened for this event already; please call again.")
        self.heard[event] = None
        if len(self.heard) > MAX_HEARD:
            self.heard.popitem(last=False)

    async def listen(self, scope: dict, receive: Any, send: Any) -> None:
        """A stream of events. Where nothing is under way, Gradio says so in the stream and then fails; here the stream ends."""
        has_begun = False

        async def sent(message: dict) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self.app(scope, receive, sent)
        except RuntimeError:
            if not has_begun:
                raise
            await send({"type": "http.response.body", "body": b""})

    def checked(self, name: str | None, by_name: bool, asked: dict[str, Any]) -> dict[str, Any]:
        """What is asked for: one value for each control, and of all else only what belongs to a call."""
        index = asked.get("fn_index") if name is None else self.index.get(name)
        if type(index) is not int or not 0 <= index < len(self.controls):
            raise HTTPError(404, "There is no such endpoint; /gradio_api/info lists those there are.")
        defaults = {control.name: plain(control.default) for control in self.controls[index]}
        data = asked.get("data")
        if by_name:
            if unknown := [key for key in asked if key not in defaults]:
                raise HTTPError(
                    400, f"There is no “{unknown[0][:30]}” here; there are {', '.join(defaults)}."
                )
            data = list((defaults | asked).values())
        if not isinstance(data, list) or len(data) != len(defaults):
            came = f"{len(data)} came" if isinstance(data, list) else "they are missing"
            raise HTTPError(
                400, f"Please send {len(defaults)} values as the list “data” ({', '.join(defaults)}); {came}."
            )
        session = asked.get("session_hash")
        if not isinstance(session, str | None) or len(session or "") > 64 or (name is None and not session):
            raise HTTPError(400, "Please send a text of at most 64 characters as “session_hash”.")
        return {"data": data, "fn_index": index, "session_hash": session}


def rewritten(scope: dict) -> dict:
    """The request for a body that was written again, whose values stand in their order."""
    path = scope["path"].replace("/call/v2/", "/call/")
    headers = [
        (name, value)
        for name, value in scope["headers"]
        if name not in (b"content-length", b"transfer-encoding")
    ]
    return scope | {"headers": headers, "path": path, "raw_path": path.encode()}


def write_json(asked: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(asked)
    except TypeError as error:  # orjson reads more levels than it writes
        raise HTTPError(400, "Please send lists that are not nested so deep.") from error
