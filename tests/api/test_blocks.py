"""The Gradio app of a lesson contains every experiment and gives the same answers as `Experiment.run`."""

import inspect
import logging
import socket
from collections.abc import Iterator
from typing import Any

import gradio as gr
import pytest
from fastapi import FastAPI
from gradio_client import Client
from starlette.testclient import TestClient

from lessons import LESSONS
from lessons.kit.contract import InputError, Lesson
from lessons.kit.web.blocks import MAIN, NUMBERS, blocks, course
from tests.toy import LESSON as TOY

SIZES, STEER = TOY.experiment("sizes"), TOY.experiment("steer")
pytestmark = pytest.mark.filterwarnings(
    "ignore:The copy keyword is deprecated"
)  # raised by Gradio's queue, which gradio_client uses
UNCHANGED = {"__type__": "update"}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    app = blocks(TOY)
    app.launch(prevent_thread_lock=True, quiet=True, server_port=free_port())
    yield Client(app.local_url, verbose=False)
    app.close()


def table(rows: list[list[float]]) -> dict[str, Any]:
    """A gr.Dataframe value as the component sends it."""
    return {"headers": [str(n + 1) for n in range(len(rows[0]))], "data": rows, "metadata": None}


SHOWN = {
    "words": "one three",
    "t": 1,
    "scale": 1.0,
    "sign": "plus",
    "loud": False,
    "table": table([[1, 0], [0, 1]]),
    "pull": table([[0]]),
}
OUTPUTS = "notice title plot reading numbers pulling_title pulling_plot corner_title corner_plot step".split()


def draw_toy(client: Client, opened: tuple[str, ...] = (MAIN,), **changed: Any) -> dict[str, Any]:
    """Outputs of the toy's first experiment, by name."""
    values = client.predict(list(opened), *(SHOWN | changed).values(), api_name="/draw_toy_sizes")
    return dict(zip(OUTPUTS, values, strict=True))


def components(app: gr.Blocks, kind: type) -> list[Any]:
    return [block for block in app.blocks.values() if isinstance(block, kind)]


# ---- building ----


@pytest.fixture(scope="module")
def built() -> gr.Blocks:
    return course((TOY, *LESSONS))


@pytest.mark.parametrize("lesson", [TOY, *LESSONS], ids=lambda lesson: lesson.slug)
def test_every_experiment_has_its_controls_presets_and_views(built: gr.Blocks, lesson: Lesson):
    events = {event.api_name: event for event in built.fns.values()}
    for experiment in lesson.experiments:
        draws, tries = (events[f"{verb}_{lesson.slug}_{experiment.slug}"] for verb in ("draw", "try"))
        opened, *inputs = draws.inputs
        assert [component.label for component in inputs] == [control.label for control in experiment.controls]
        assert {value for _, value in opened.choices} == {
            MAIN,
            NUMBERS,
            *(act.slug for act in experiment.acts),
        }
        assert [title for title, _ in tries.inputs[0].choices] == [
            preset.title for preset in experiment.presets
        ]
        assert [*tries.outputs][1:] == inputs
        words = [component for component in draws.outputs if isinstance(component, gr.Markdown)]
        assert len(words) == 1 + len(experiment.all_views)  # one more output for the notice
        for view in experiment.views:
            assert inspect.signature(view).return_annotation is not inspect.Signature.empty, (
                "it says whether there is a plot"
            )


def test_nothing_is_drawn_queued_or_public_when_the_course_is_built(built: gr.Blocks):
    assert components(built, gr.Plot)
    assert not any(plot.value for plot in components(built, gr.Plot))
    assert not [event.api_name for event in built.fns.values() if event.api_visibility == "public"]
    assert not [event.api_name for event in built.fns.values() if event.fn and event.queue]


def test_an_experiment_is_found_by_its_name_and_by_itself():
    lesson = LESSONS[-1]
    experiment = lesson.experiments[-1]
    for what in (f"{lesson.slug}/{experiment.slug}", experiment):
        heading = components(blocks(what), gr.Markdown)[0].value
        assert heading.startswith(f"## {lesson.text.experiments[experiment.slug].question}")
    assert components(blocks(lesson.slug), gr.Markdown)[0].value.startswith(f"# {lesson.text.question}")
    assert components(blocks(SIZES), gr.Markdown)[0].value == "## Sizes"  # not part of a lesson of the course


def test_equations_have_the_colours_of_their_roles(built: gr.Blocks):
    texts = [text.value or "" for text in components(built, gr.Markdown)]
    assert r"$$\textcolor{#0072B2}{n} = \text{length}$$" in "".join(texts)
    assert not [
        text for text in texts if any(macro in text for macro in (r"\src{", r"\tgt{", r"\att{", r"\ctx{"))
    ]


def test_an_unknown_name_is_answered_with_those_that_exist():
    with pytest.raises(ValueError, match="attention/steer"):
        blocks("attention/stear")


# ---- answers ----


def test_the_default_state_is_drawn_and_its_numbers_are_those_of_the_run(client: Client):
    found = draw_toy(client, (MAIN, NUMBERS))
    assert found["reading"] == "Word 1 is <b>one</b>, worth <b>0.30</b>."
    assert found["title"].startswith("<b>How long</b>")
    assert found["plot"]["plot"].startswith("data:image/webp;base64,")
    assert [row[1] for row in found["numbers"]["data"]] == pytest.approx(SIZES.run().numbers()["values"])
    assert found["step"]["maximum"] == 2
    assert found["notice"] == ""


def test_a_preset_sets_every_control_and_is_drawn(client: Client):
    [preset] = SIZES.presets
    watch, *values = client.predict(preset.title, api_name="/try_toy_sizes")
    assert watch == preset.watch
    assert values[:5] == ["one three", 1, 2, "minus", False]
    found = draw_toy(client, (MAIN, NUMBERS), **dict(zip(SHOWN, values, strict=True)))
    assert [row[1] for row in found["numbers"]["data"]] == pytest.approx(
        SIZES.run(preset.state).numbers()["values"]
    )


def test_only_open_parts_are_drawn(client: Client):
    assert draw_toy(client)["numbers"]["data"] == []
    assert draw_toy(client)["pulling_plot"] is None
    found = draw_toy(client, (MAIN, "pulling"), pull=table([[1]]))
    assert found["pulling_plot"]["plot"].startswith("data:image/webp")
    assert found["corner_plot"] is None
    notice, title, plot = client.predict(*SHOWN.values(), api_name="/expand_toy_sizes_table")
    assert (notice, title.strip()) == ("", "<b>The first word</b>")
    assert plot["plot"].startswith("data:image/webp")


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"words": ""}, "Type at least one word."),
        ({"words": None}, "Type at least one word."),
        ({"t": None}, "Step t: a number, please, such as 1."),
        ({"sign": "sideways"}, "Sign: choose one of plus, minus."),
        ({"table": table([[1, 0]])}, "Table: 2 rows of 2 numbers, please."),
        ({"table": table([["", 0], [0, 1]])}, "Table: a number, please, such as 0.5."),
        ({"table": None}, "Table: 2 rows of 2 numbers, please."),
    ],
)
def test_a_bad_value_is_answered_with_what_to_do_and_the_pictures_stay(
    client: Client, changed: dict[str, Any], sentence: str
):
    found = draw_toy(client, **changed)
    assert found.pop("notice") == f"<b>{sentence}</b>"
    assert all(value == UNCHANGED for value in found.values())


@pytest.mark.parametrize("words", ["boom", "crack"])  # "boom" makes compute fail, "crack" makes a view fail
def test_a_defect_is_logged_and_the_pictures_stay(
    client: Client, words: str, caplog: pytest.LogCaptureFixture
):
    with caplog.at_level(logging.ERROR, "seq2see"):
        found = draw_toy(client, words=words)
    assert "wrong on our side" in found.pop("notice")
    assert all(value == UNCHANGED for value in found.values())
    assert "toy_sizes" in caplog.text
    assert "a defect" in caplog.text


def test_words_of_a_learner_are_neither_html_nor_markdown(client: Client):
    reading = draw_toy(client, words="<img/src=x>*_a_*$b$")["reading"]
    assert reading.startswith("Word 1 is <b>&lt;img/src=x&gt;&#42;&#95;a&#95;&#42;&#36;b&#36;</b>")


def test_a_number_beyond_the_slider_counts_as_its_end(client: Client):
    assert (
        draw_toy(client, scale=99)["reading"]
        == draw_toy(client, scale=2)["reading"]
        == "Word 1 is <b>one</b>, worth <b>0.60</b>."
    )


def test_rows_changed_by_hand_are_given_as_in_a_link(client: Client):
    _, _, _, reading, *_ = client.predict([MAIN], 2, "2:0.1,0.2,0.7", api_name="/draw_toy_steer")
    assert reading == "Step 2: <b>0.10 0.20 0.70</b>."
    row = STEER.run({"t": 2, "edits": ((2, (0.1, 0.2, 0.7)),)}).numbers()["row"]
    *_, frame, _ = client.predict([MAIN, NUMBERS], 2, "2:0.1,0.2,0.7", api_name="/draw_toy_steer")
    assert [line[1] for line in frame["data"]] == pytest.approx(row)


def test_it_can_be_mounted_beside_other_pages_and_keeps_few_sessions():
    app = blocks("attention/steer")
    site = TestClient(gr.mount_gradio_app(FastAPI(), app, path="/gradio"))
    assert "gradio" in site.get("/gradio/").text
    steer = next(lesson for lesson in LESSONS if lesson.slug == "attention").experiment("steer")
    state = steer.state()
    values = [[MAIN], *(control.write(state[control.name]) for control in steer.controls)]
    for n in range(app.state_session_capacity + 2):
        answer = site.post(
            "/gradio/gradio_api/run/try_attention_steer",
            json={"data": ["Say it again"], "session_hash": f"s{n}"},
        )
        assert answer.json()["data"][1] == steer.presets[0].state["source"]
    assert len(app.state_holder.session_data) == app.state_session_capacity <= 64
    answer = site.post(
        "/gradio/gradio_api/run/draw_attention_steer", json={"data": values, "session_hash": "s"}
    )
    assert "<b>" in answer.json()["data"][3]


def test_an_experiment_opens_in_a_given_state():
    components = blocks(SIZES, {"scale": 1.5}).get_config_file()["components"]
    values = {one["props"].get("label"): one["props"].get("value") for one in components}
    assert (values["Scale"], values["Words"]) == (1.5, "one three")
    with pytest.raises(InputError, match="no control named nothing"):
        blocks(SIZES, {"nothing": 1})
