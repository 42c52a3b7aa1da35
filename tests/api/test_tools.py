"""The experiments as tools, by a real MCP client over streamable HTTP, from two workers."""

import asyncio
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from gradio.utils import get_function_description
from lessons.kit.web.page import endpoint
from lessons.kit.web.tools import rounded
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, Tool

from lessons import LESSONS, start
from lessons.kit.web.renderer import Renderer
from lessons.kit.web.server import Site
from tests.bench import serve
from tests.toy import LESSON as TOY


@pytest.fixture(scope="module")
def tools() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(serve.ENVIRONMENT, "GRADIO_MCP_SERVER", "True")
        with serve.served("tests.toy", "2") as port:
            yield f"http://{serve.HOST}:{port}/gradio_api/mcp/"


def talk(address: str, ask: Callable[[ClientSession], Any]) -> Any:
    async def conversation() -> Any:
        async with streamable_http_client(address) as (read, write, _), ClientSession(read, write) as session:
            await session.initialize()
            return await ask(session)

    with ThreadPoolExecutor(1) as pool:  # a browser of other tests may have a loop of its own in this thread
        return pool.submit(asyncio.run, conversation()).result()


def call(address: str, name: str, **given: Any) -> CallToolResult:
    return talk(address, lambda session: session.call_tool(name, given))


def test_every_experiment_is_a_tool_that_says_what_it_takes(tools):
    found: list[Tool] = talk(tools, lambda session: session.list_tools()).tools
    assert [tool.name for tool in found] == [f"toy_{experiment.slug}" for experiment in TOY.experiments]
    assert found[0].description.startswith("How long is a word?")
    parameters = found[0].inputSchema["properties"]
    assert parameters["scale"] == {
        "type": "number",
        "minimum": 0,
        "maximum": 2,
        "description": "Scale: a number from 0 to 2, in steps of 0.1. By default 1.0.",
        "default": 1.0,
    }
    assert parameters["sign"]["enum"] == ["plus", "minus"]
    assert "2 rows of 2 numbers" in parameters["table"]["description"]
    assert "required" not in found[0].inputSchema


def test_a_tool_answers_json_with_the_reading_first(tools):
    for _ in range(4):  # whoever answers
        found = call(tools, "toy_sizes", words="to be", scale=0.3)
        assert not found.isError
        assert json.loads(found.content[0].text) == found.structuredContent
        assert next(iter(found.structuredContent)) == "reading"
        assert found.structuredContent["reading"] == "Word 1 is to, worth 0.06."
        assert found.structuredContent["values"] == [0.06, 0.06]
    assert call(tools, "toy_steer", t=2).structuredContent["row"] == [0.5, 0.3, 0.2]


@pytest.mark.parametrize(
    ("name", "given", "says"),
    [
        ("toy_sizes", {"scale": 99}, "Scale: between 0 and 2, please; this is 99."),
        ("toy_sizes", {"sign": "times"}, "Sign: choose one of plus, minus."),
        ("toy_sizes", {"words": ""}, "Type at least one word."),
        ("toy_again", {"sclae": 1}, "again has no control named sclae."),
        ("toy_nothing", {}, "There is no tool toy_nothing."),
        ("toy_sizes", {"words": "boom"}, "Something went wrong on our side. Please try another setting, or reset."),
    ],
)
def test_a_bad_value_is_a_sentence(tools, name, given, says):
    found = call(tools, name, **given)
    assert (found.isError, found.content[0].text) == (True, says)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_every_tool_of_the_course_is_described(lesson):
    for experiment in lesson.experiments:
        stage = Renderer(lesson, experiment)
        description, parameters, _ = get_function_description(endpoint(stage))
        assert lesson.words.sections[experiment.slug].question in description
        assert set(parameters) == {control.name for control in experiment.controls}
        assert all(control.wants in parameters[control.name] for control in experiment.controls)
        found = rounded(stage.told({}))
        assert found["reading"]
        assert len(json.dumps(found)) < 48_000, experiment.slug  # a model must be able to read it


def test_numbers_are_short():
    assert rounded({"a": [1 / 3, 12345.678, 2], "b": None}) == {"a": [0.33333, 12346.0, 2], "b": None}


def test_no_tools_are_served_unless_asked_for():
    site = Site((TOY,), start)
    site.asgi()
    assert not site.app.mcp_server
    site.firm.close()
