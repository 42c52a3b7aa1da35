"""Experiments as tools of Gradio's MCP server, called by an MCP client with two workers."""

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, Tool

from lessons import LESSONS
from lessons.kit.web import gradio_api
from lessons.kit.web.renderer import Renderer
from tests.api.test_strangers import JSON, Server
from tests.toy import LESSON as TOY

MAX_ANSWER = 56_000  # characters that a model can read, with all digits


@pytest.fixture(scope="module")
def tools(toy_workers: str) -> str:
    return f"{toy_workers}/gradio_api/mcp/"


def talk(address: str, ask: Callable[[ClientSession], Any]) -> Any:
    async def conversation() -> Any:
        async with streamable_http_client(address) as (read, write, _), ClientSession(read, write) as session:
            await session.initialize()
            return await ask(session)

    with ThreadPoolExecutor(1) as pool:  # a browser test may have left an event loop in this thread
        return pool.submit(asyncio.run, conversation()).result()


def call(address: str, name: str, **given: Any) -> CallToolResult:
    return talk(address, lambda session: session.call_tool(name, given))


def test_every_experiment_is_a_tool_that_says_what_it_takes(tools):
    found: list[Tool] = talk(tools, lambda session: session.list_tools()).tools
    assert [tool.name for tool in found] == [f"toy_{experiment.slug}" for experiment in TOY.experiments]
    assert found[0].description.startswith("How long is a word?")
    schema = found[0].inputSchema
    assert [*schema["properties"]] == [control.name for control in TOY.experiments[0].controls]
    assert schema["properties"]["scale"] == {
        "type": "number",
        "description": "Scale: a number from 0 to 2, in steps of 0.1. By default 1.0.",
        "default": 1.0,
    }
    assert schema["properties"]["t"]["type"] == "integer"
    assert schema["properties"]["sign"]["enum"] == ["plus", "minus"]
    assert schema["properties"]["loud"]["type"] == "boolean"
    assert schema["properties"]["table"]["type"] == "array"
    assert "2 rows of 2 numbers" in schema["properties"]["table"]["description"]
    assert not schema.get("required")


def test_a_tool_answers_json_with_the_reading_first(tools):
    for _ in range(4):  # either worker may answer
        found = call(tools, "toy_sizes", words="to be", scale=0.3)
        assert not found.isError
        answer = json.loads(found.content[0].text)
        assert next(iter(answer)) == "reading"
        assert answer["reading"] == "Word 1 is to, worth 0.06."
        assert (answer["words"], answer["t"]) == (["to", "be"], 1)
        assert answer["values"] == pytest.approx([0.06, 0.06])
    assert json.loads(call(tools, "toy_steer", t=2).content[0].text)["row"] == [0.5, 0.3, 0.2]


@pytest.mark.parametrize(
    ("name", "given", "says"),
    [
        ("toy_sizes", {"scale": 99}, "Scale: between 0 and 2, please; this is 99."),
        ("toy_sizes", {"t": 41}, "Step t: between 1 and 40, please; this is 41."),
        ("toy_sizes", {"words": ""}, "Type at least one word."),
        ("toy_sizes", {"table": [[1]]}, "Table: 2 rows of 2 numbers, please."),
        (
            "toy_sizes",
            {"words": "boom"},
            "Something went wrong on our side. Please try another setting, or reset.",
        ),
    ],
)
def test_a_bad_value_is_an_error_with_the_sentence_of_its_control(tools, name, given, says):
    found = call(tools, name, **given)
    assert found.isError
    assert says in found.content[0].text
    assert "Traceback" not in found.content[0].text


@pytest.mark.parametrize(
    ("given", "says"), [({"scale": "fast"}, "number"), ({"sign": "times"}, "plus"), ({"loud": 3}, "boolean")]
)
def test_a_value_of_the_wrong_type_is_refused_by_the_schema(tools, given, says):
    """The MCP library must refuse a value of the wrong type before the control sees it."""
    found = call(tools, "toy_sizes", **given)
    assert (found.isError, says in found.content[0].text) == (True, True)


@pytest.mark.parametrize(("name", "given"), [("toy_again", {"sclae": 1}), ("toy_nothing", {})])
def test_a_name_that_is_not_there_is_an_error(tools, name, given):
    found = call(tools, name, **given)
    assert found.isError
    assert "Traceback" not in found.content[0].text


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"[" * 5000, b"\xff", b'{"jsonrpc": "2.0", "id": 1, "method": "\\ud800"}', b"null"],
)
def test_no_body_breaks_the_tools(tools, body):
    server = Server(tools)
    accepts = JSON | {"Accept": "application/json, text/event-stream"}
    for path in (urlsplit(tools).path, "/gradio_api/mcp/messages/?session_id=0", "/gradio_api/mcp/nowhere"):
        status, said, _ = server.ask("POST", path, body, accepts)
        assert status < 500, (path, said)
    assert call(tools, "toy_again", scale=1).isError is False


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_every_answer_of_the_course_is_short_enough_for_a_model(lesson):
    for experiment in lesson.experiments:
        renderer = Renderer(lesson, experiment)
        text = str(gradio_api.make_endpoint(renderer)())
        assert json.loads(text) == json.loads(json.dumps(renderer.api_answer({})))
        assert next(iter(json.loads(text))) == "reading"
        assert len(text) < MAX_ANSWER, experiment.slug


def test_no_tools_are_served_unless_asked_for(toy, monkeypatch):
    assert Server(toy).post("/gradio_api/mcp/", {})[0] == 404
    assert not gradio_api.has_mcp()
    monkeypatch.setenv("GRADIO_MCP_SERVER", "True")
    assert gradio_api.has_mcp()
