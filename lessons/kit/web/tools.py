"""The experiments as tools for MCP clients, where GRADIO_MCP_SERVER=True asks for them: a model can try what a learner tries.

Gradio speaks the protocol, and lists the endpoints with their docstrings (page.py). The answers are ours: JSON, with the reading
first, and a bad value is met with the control's own sentence. No session is kept, so any worker may answer.
"""

import json
import logging
from collections.abc import Iterable
from typing import Any

import gradio as gr
from anyio import CapacityLimiter, to_thread

from lessons.kit.contract import InputError
from lessons.kit.web.renderer import Renderer

log = logging.getLogger("seq2see")
TURNS = 2  # at work at once in one worker
DIGITS = 5  # a model pays for each


def equip(app: gr.Blocks, stages: Iterable[Renderer]) -> None:
    """Takes over the answers; where the protocol is not asked for, nothing."""
    if app.mcp_error:
        log.warning("There will be no tools for MCP clients. %s", app.mcp_error)
    if not app.mcp_server_obj:
        return
    from mcp.types import CallToolResult, TextContent  # only where `gradio[mcp]` is installed

    known = {f"/{stage.lesson.slug}_{stage.experiment.slug}": stage for stage in stages}
    endpoints, turns = app.mcp_server_obj.tool_to_endpoint, CapacityLimiter(TURNS)

    @app.mcp_server_obj.mcp_server.call_tool(validate_input=False)
    async def call(name: str, given: dict[str, Any]) -> CallToolResult:
        if name not in endpoints:
            raise InputError(f"There is no tool {name[:60]}.")
        found = rounded(await to_thread.run_sync(known[endpoints[name]].told, given, limiter=turns))
        text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
        return CallToolResult(content=[TextContent(type="text", text=text)], structuredContent=found)


def rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return [rounded(item) for item in value] if isinstance(value, list) else value
