"""Every public endpoint through gradio_client, exports over HTTP, and a server under load."""

import gc
import gzip
import inspect
import io
import json
import re
import tracemalloc
import urllib.error
import urllib.request
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from gradio.utils import get_function_description
from gradio_client import Client
from gradio_client.exceptions import AppError

from lessons import LESSONS
from lessons.kit import VERSION, link
from lessons.kit.contract import (
    Choice,
    Control,
    Matrix,
    PairFile,
    RowEdits,
    SavedRuns,
    Slider,
    Text,
    Toggle,
    json_value,
)
from lessons.kit.pictures import base
from lessons.kit.web.cache import ANSWERS
from lessons.kit.web.compression import IMMUTABLE
from lessons.kit.web.gradio_api import katex_files, make_endpoint
from lessons.kit.web.renderer import PICTURES, Renderer
from lessons.kit.web.request_guard import MAX_REQUEST_BYTES
from tests.helpers import Element, by_class, parse_html, text_of
from tests.toy import LESSON as TOY

ALL = [(lesson, experiment) for lesson in LESSONS for experiment in lesson.experiments]


@pytest.fixture(scope="module")
def client(course: str) -> Client:
    return Client(course, verbose=False)


@pytest.mark.parametrize(("lesson", "experiment"), ALL, ids=lambda part: part.slug)
def test_an_endpoint_answers_the_reading_and_the_numbers_of_the_page(client, lesson, experiment):
    found = client.predict(api_name=f"/{lesson.slug}_{experiment.slug}")
    result = experiment.run()
    [reading] = [view(result) for view in experiment.views if view.__name__ == "reading"]
    assert next(iter(found)) == "reading"
    assert found.pop("reading") == reading.replace("**", "")
    assert found == json.loads(json.dumps(result.numbers()))


JSON_TYPES = {
    Slider: "number",
    Toggle: "boolean",
    Text: "string",
    PairFile: "string",
    Matrix: "array",
    RowEdits: "array",
    SavedRuns: "array",
}


def wanted(control: Control) -> dict:
    """The parameter type that Gradio derives from an annotation."""
    if isinstance(control, Choice):
        return {"enum": [*control.options]}
    kind = next(kind for base, kind in JSON_TYPES.items() if isinstance(control, base))
    if kind == "number" and control.whole:
        return {"type": "integer"}
    return {"type": kind} | ({"items": {}} if kind == "array" else {})


def test_only_the_experiments_are_public_with_names_types_and_defaults(client):
    named = client.view_api(return_format="dict")["named_endpoints"]
    assert set(named) == {f"/{lesson.slug}_{experiment.slug}" for lesson, experiment in ALL}
    for lesson, experiment in ALL:
        endpoint = named[f"/{lesson.slug}_{experiment.slug}"]
        parameters = endpoint["parameters"]
        assert [p["parameter_name"] for p in parameters] == [control.name for control in experiment.controls]
        assert [p["type"] for p in parameters] == [wanted(control) for control in experiment.controls]
        assert all(p["parameter_has_default"] for p in parameters)
        assert [p["parameter_default"] for p in parameters] == [
            json_value(control.default) for control in experiment.controls
        ]
        assert lesson.text.experiments[experiment.slug].question in endpoint["description"]
        assert [answer["type"]["type"] for answer in endpoint["returns"]] == ["object"]


@pytest.mark.parametrize(("lesson", "experiment"), ALL, ids=lambda part: part.slug)
def test_the_signature_says_what_each_parameter_takes(lesson, experiment):
    """`help()` and MCP clients must see the label, range and default of every control."""
    call = make_endpoint(Renderer(lesson, experiment))
    assert call.__name__ == f"{lesson.slug}_{experiment.slug}"
    parameters = inspect.signature(call).parameters
    assert [*parameters] == [control.name for control in experiment.controls]
    _, described, _ = get_function_description(call)
    for control in experiment.controls:
        assert experiment.state({control.name: parameters[control.name].default}) == experiment.state()
        accepted = " ".join(f"{control.label}: {control.accepts}.".split())
        assert described[control.name].startswith(accepted)


def test_a_bad_value_is_refused_with_what_to_do(toy):
    client = Client(toy, verbose=False)
    with pytest.raises(AppError, match="between 0 and 2"):
        client.predict(scale=99, api_name="/toy_sizes")
    with pytest.raises(AppError, match="Type at least one word"):
        client.predict(words="", api_name="/toy_sizes")
    assert client.predict(words="still up", api_name="/toy_sizes")["words"] == ["still", "up"]


def test_clients_at_once_never_meet(toy):
    def ask(word: str) -> list[list[str]]:
        client = Client(toy, verbose=False)
        return [client.predict(words=word, api_name="/toy_sizes")["words"] for _ in range(5)]

    words = ["ab", "cde", "f"]
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(ask, words)) == [[[word]] * 5 for word in words]


def test_nothing_grows_over_two_hundred_calls():
    """Caches must stay bounded, and no other objects of our code may accumulate."""
    bounded = (base.element, base.num, base.text_width)
    assert all(cache.cache_info().maxsize for cache in bounded)
    renderer = Renderer(TOY, TOY.experiments[0])
    ours = tracemalloc.Filter(True, "*/lessons/*")

    def held_after(start: int) -> int:
        for i in range(200):
            renderer.drawing({"words": f"w{start + i}"})
            renderer.api_answer({"words": f"w{start + i}"})
        assert ANSWERS.compute_count == 200
        for cache in (ANSWERS, PICTURES):
            cache.clear()
        for cache in bounded:
            cache.cache_clear()
        gc.collect()
        return sum(trace.size for trace in tracemalloc.take_snapshot().filter_traces([ours]).traces)

    ANSWERS.clear()
    tracemalloc.start()
    try:
        held_after(1000)
        before = held_after(2000)
        assert held_after(3000) - before < 20_000
    finally:
        tracemalloc.stop()


def test_a_renderer_keeps_no_learner():
    renderer = Renderer(TOY, TOY.experiments[0])
    renderer.drawing({"words": "zyzzyva"})
    renderer.api_answer({"words": "zyzzyva"})
    assert "zyzzyva" not in repr(vars(renderer))


# ---- pages and exports ----


def parse_page(page: str) -> Element:
    """Parse a whole page into a tree, without its doctype."""
    return parse_html(page.strip().removeprefix("<!doctype html>"))


def fields(tree: Element) -> dict[str, str]:
    """The value of each control as the form sends it without JavaScript."""
    found: dict[str, str] = {}
    for field in tree.iter():
        if "data-field" not in field.attrib:
            continue
        name, kind = field.get("name", ""), field.get("type", field.tag)
        if kind in ("radio", "checkbox"):
            if "checked" in field.attrib:
                found[name] = field.get("value", "")
        elif kind == "select":
            found[name] = next(text_of(option) for option in field if "selected" in option.attrib)
        elif kind == "textarea":
            found[name] = (field.text or "").removeprefix("\n")
        else:
            found[name] = field.get("value", "")
    return found


def test_a_page_is_complete_before_any_script_runs(toy):
    status, headers, body = get(
        f"{toy}/toy?experiment=sizes&words=to+be&scale=0.5&sign=minus&loud=1&table=2,0;0,1&acts=table"
    )
    tree = parse_page(body.decode())
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    [experiment] = by_class(tree, "experiment")  # the other experiments are loaded when their tabs are opened
    assert experiment.get("id") == "toy-sizes"
    assert fields(experiment) == {
        "words": "to be",
        "t": "1",
        "scale": "0.5",
        "sign": "minus",
        "loud": "1",
        "table": "2,0;0,1",
        "pull": "0",
    }  # fmt: skip
    [reading] = by_class(experiment, "reading")
    assert "".join(reading.itertext()).strip() == "Word 1 is to, worth -0.40."
    assert (
        len([svg for svg in experiment.iter("svg") if svg.get("class")]) >= 2
    )  # the main picture, and that of the open closer look
    assert [button for button in experiment.iter("button") if button.get("data-part") == "show"]
    assert int(headers["content-length"]) == len(body)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_every_page_has_its_experiment_with_the_values_of_a_preset(course, lesson):
    for experiment in lesson.experiments:
        for state in [{}, *(preset.state for preset in experiment.presets)][:2]:
            state = experiment.state(state)
            page = get(f"{course}/{lesson.slug}?{link.encode(experiment, state)}")[2].decode()
            [shown] = by_class(parse_page(page), "experiment")
            assert shown.get("id") == f"{lesson.slug}-{experiment.slug}"
            sent = {control.name: control.write(state[control.name]) for control in experiment.controls}
            unset = {
                control.name
                for control in experiment.controls
                if isinstance(control, Toggle) and not state[control.name]
            }
            sent = {name: text for name, text in sent.items() if name not in unset}
            pairs = {control.name for control in experiment.controls if isinstance(control, PairFile)}
            assert fields(shown) == {name: text for name, text in sent.items() if name not in pairs}


@pytest.mark.parametrize(
    "path", ["", "toy", "toy?experiment=check", "glossary", "notation", "about", "accessibility"]
)
def test_no_page_needs_gradio_or_another_host(toy, path):
    page = get(f"{toy}/{path}")[2].decode()
    tree = parse_page(page)
    assert not re.search(r"<gradio-app|gradio_config|theme\.css|/assets/|window\.gradio", page)
    loading = [
        each
        for each in tree.iter()
        if each.tag in ("script", "link", "img") and each.get("rel") not in ("canonical", "alternate")
    ]
    addresses = [
        each.get("src") or each.get("href") for each in loading if each.get("src") or each.get("href")
    ]
    assert addresses
    assert not [address for address in addresses if re.match(r"\w+:|//", address)]
    assert {get(f"{toy}/{address}")[0] for address in addresses} == {200}
    assert len(list(tree.iter("main"))) == 1


def test_the_about_page_shows_the_version(toy):
    assert f"Version {VERSION}" in get(f"{toy}/about")[2].decode()


def test_a_page_is_compressed_and_not_sent_twice(toy):
    _, _, plain_page = get(f"{toy}/toy")
    _, headers, body = get(f"{toy}/toy", **{"Accept-Encoding": "gzip"})
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(body) == plain_page
    assert len(body) < len(plain_page) / 2
    assert "Accept-Encoding" in headers["vary"]
    status, _, nothing = get(f"{toy}/toy", **{"Accept-Encoding": "gzip", "If-None-Match": headers["etag"]})
    assert (status, nothing) == (304, b"")
    assert (
        get(f"{toy}/toy?experiment=again", **{"Accept-Encoding": "gzip", "If-None-Match": headers["etag"]})[0]
        == 200
    )


def test_what_has_its_version_in_its_address_is_immutable_and_nothing_else(toy):
    page = get(f"{toy}/toy")[2].decode()
    config = json.loads(
        text_of(next(each for each in parse_page(page).iter("script") if each.get("id") == "config"))
    )
    versioned = set(re.findall(r'(?:href|src)="(static/[^"]+)"', page)) | set(config["katex"].values())
    kinds = {f"{name.partition('/')[0]}.{name.rpartition('.')[2]}" for name in versioned}
    assert kinds == {
        "static.css", "static.js", "katex.css", "katex.js",
    }  # fmt: skip
    versioned |= {f"katex/{name}" for name in katex_files() if name.endswith("woff2")}
    versioned.add(f"draw/toy/again?_v={config['version']}")
    for name in versioned:
        status, headers, _ = get(f"{toy}/{name}")
        assert (status, headers["cache-control"]) == (200, IMMUTABLE), name
    for name in (
        "toy",
        "",
        "draw/toy/again",
        "draw/toy/again?_v=old",
        "favicon.svg",
        "glossary",
        "export/toy/again/bars.svg",
    ):
        status, headers, _ = get(f"{toy}/{name}")
        assert (status, "immutable" in headers["cache-control"]) == (200, False), name
    css = next(name for name in versioned if name.startswith("static") and name.endswith("css"))
    for name in (
        css.replace(css.split("/")[1], "0" * 12),
        "static/x/page.js",
        "katex/nosuch.js",
        "katex/..%2F..%2Findex.html",
    ):
        status, headers, _ = get(f"{toy}/{name}")
        assert (status, headers.get("cache-control")) == (404, None), name


def test_static_files_come_compressed_and_are_not_sent_twice(toy):
    names = re.findall(r'(?:href|src)="(static/[^"]+)"', get(f"{toy}/toy")[2].decode())
    assert len(names) == 2
    for name in names:
        plain_file = get(f"{toy}/{name}")[2]
        _, headers, body = get(f"{toy}/{name}", **{"Accept-Encoding": "gzip"})
        assert (headers["content-encoding"], gzip.decompress(body)) == ("gzip", plain_file)
        assert get(f"{toy}/{name}", **{"Accept-Encoding": "gzip", "If-None-Match": headers["etag"]})[0] == 304


def get(address: str, **headers: str) -> tuple[int, dict, bytes]:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
            return answer.status, dict(answer.headers), answer.read()
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read()


def test_a_picture_has_an_address(toy):
    status, headers, body = get(f"{toy}/export/toy/sizes/lengths.svg?words=hello&scale=2")
    assert status == 200
    assert "max-age" in headers["cache-control"]
    assert headers["content-type"].startswith("image/svg+xml")
    assert b"hello" in body
    assert b"1.00" in body
    assert (
        get(f"{toy}/export/toy/sizes/lengths.svg?words=hello&scale=2", **{"If-None-Match": headers["etag"]})[
            0
        ]
        == 304
    )


def test_the_code_is_the_source_of_the_module(toy):
    status, headers, body = get(f"{toy}/code/toy/sizes")
    assert status == 200
    assert headers["content-type"].startswith("text/html")
    assert b"How long each word is, scaled." in body
    assert get(f"{toy}/code/toy/nowhere")[0] == 404


def test_an_exported_picture_carries_no_script(toy):
    _, _, body = get(f"{toy}/export/toy/sizes/lengths.svg?words=%3Cscript%3Ealert(1)%3C/script%3E")
    assert b"<script" not in body


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("toy/sizes/lengths.svg?scale=99", 400),
        ("toy/sizes/lengths.svg?words=", 400),
        ("toy/sizes/lengths.svg?nothing=1", 400),
        ("toy/sizes/lengths.exe", 404),
        ("toy/sizes/reading.svg", 404),
        ("toy/nowhere/lengths.svg", 404),
        ("../../app/x/y.svg", 404),
    ],
)
def test_a_bad_address_is_refused(toy, path, status):
    assert get(f"{toy}/export/{path}")[0] == status


def test_a_shipped_model_is_taken_home(toy):
    status, headers, body = get(f"{toy}/home/copy-none-64-s0.zip")
    assert status == 200
    assert headers["content-disposition"] == 'attachment; filename="copy-none-64-s0.zip"'
    with zipfile.ZipFile(io.BytesIO(body)) as files:
        assert [Path(name).suffix for name in files.namelist()] == [".safetensors", ".json", ".py"]
    assert get(f"{toy}/home/copy-none-64-s0.zip", **{"If-None-Match": headers["etag"]})[0] == 304


@pytest.mark.parametrize(
    "name", ["nobody", "probe-none-64-s0", "..%2F..%2Fapp", "..", "%2Fetc%2Fpasswd", "a%00b", "x" * 3000]
)
def test_no_other_file_is_taken_home(toy, name):
    status, _, body = get(f"{toy}/home/{name}.zip")
    assert (status, len(body) < 200) == (404, True)
    if "%2F" not in name:
        assert body.decode() == "There is no model with this name to download."


def test_many_pictures_at_once_are_all_drawn_or_politely_refused(toy):
    with ThreadPoolExecutor(24) as pool:
        found = list(pool.map(lambda i: get(f"{toy}/export/toy/sizes/lengths.csv?words=w{i}")[0], range(48)))
    assert set(found) <= {200, 503}
    assert found.count(200) >= 17


def test_a_huge_request_is_refused(toy):
    request = urllib.request.Request(
        f"{toy}/draw/toy/sizes", b"x" * (MAX_REQUEST_BYTES + 1), {"Content-Type": "application/json"}
    )
    with pytest.raises(urllib.error.HTTPError, match="413"):
        urllib.request.urlopen(request)
    assert get(toy)[0] == 200
