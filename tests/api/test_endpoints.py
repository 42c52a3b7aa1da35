"""Every public endpoint by gradio_client, the exports by plain HTTP, and what happens to a server that is asked much."""

import gc
import gzip
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
from gradio_client import Client
from gradio_client.exceptions import AppError
from lessons.kit.web.page import Screen

from lessons import LESSONS
from lessons.kit.pictures import base
from lessons.kit.web import renderer as stages
from lessons.kit.web.renderer import Renderer
from lessons.kit.web.request_guard import LARGEST
from tests.toy import LESSON as TOY

ALL = [(lesson, experiment) for lesson in LESSONS for experiment in lesson.experiments]


@pytest.fixture(scope="module")
def client(course: str) -> Client:
    return Client(course, verbose=False)


@pytest.mark.parametrize(("lesson", "experiment"), ALL, ids=lambda part: part.slug)
def test_an_endpoint_answers_the_numbers_of_the_page(client, lesson, experiment):
    found = client.predict(api_name=f"/{lesson.slug}_{experiment.slug}")
    assert found == json.loads(json.dumps(experiment.run().numbers()))


def test_only_the_experiments_are_public(client):
    named = client.view_api(return_format="dict")["named_endpoints"]
    assert set(named) == {f"/{lesson.slug}_{experiment.slug}" for lesson, experiment in ALL}
    for lesson, experiment in ALL:
        parameters = named[f"/{lesson.slug}_{experiment.slug}"]["parameters"]
        assert [p["parameter_name"] for p in parameters] == [control.name for control in experiment.controls]
        assert [p["label"] for p in parameters] == [control.label for control in experiment.controls]
        assert all(p["parameter_has_default"] for p in parameters)


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
    """What is kept is bounded; nothing else that our code made stays behind."""
    bounded = (base.element, base.num, base.width_of)
    assert all(cache.cache_info().maxsize for cache in bounded)
    kept = (stages.ANSWERS, stages.PICTURES)
    stage = Renderer(TOY, TOY.experiments[0])
    ours = tracemalloc.Filter(True, "*/lessons/*")

    def held_after(start: int) -> int:
        for i in range(200):
            stage.html({"words": f"w{start + i}"})
        assert stages.ANSWERS.makings == 200
        for cache in kept:
            cache.clear()
        for cache in bounded:
            cache.cache_clear()
        gc.collect()
        return sum(trace.size for trace in tracemalloc.take_snapshot().filter_traces([ours]).traces)

    stages.ANSWERS.clear()
    tracemalloc.start()
    try:
        held_after(1000)
        before = held_after(2000)
        assert held_after(3000) - before < 20_000
    finally:
        tracemalloc.stop()


def test_a_screen_keeps_no_learner():
    assert not any(isinstance(value, dict) for value in vars(Screen).values() if not callable(value))


# ---- pages and exports ----


def test_a_page_arrives_with_its_picture_before_anything_else(toy):
    for headers in ({}, {"Accept-Encoding": "gzip"}):
        status, found, body = get(f"{toy}/toy", **headers)
        page = (gzip.decompress(body) if found.get("content-encoding") == "gzip" else body).decode()
        assert status == 200
        assert "@@" not in page
        places = [page.index(part) for part in ("Word 1 is <b>", "window.gradio_config", "script/", "<template", "assets/index-")]
        assert places == sorted(places)
        assert page.count("Word 1 is") == 1  # what is behind the other tabs comes when they are opened
        assert int(found["content-length"]) == len(body)


def test_what_has_its_version_in_its_name_may_be_kept_for_ever(toy):
    page = get(f"{toy}/toy")[2].decode()
    versioned = set(re.findall(r'(?:href|src)="\.?/?((?:assets|script|style)/[^"]+)"', page))
    kinds = {(name.split("/")[0], name.rpartition(".")[2]) for name in versioned}
    assert kinds == {("assets", "js"), ("assets", "css"), ("script", "js"), ("style", "css")}
    for name in versioned:
        status, headers, _ = get(f"{toy}/{name}")
        assert (status, headers["cache-control"]) == (200, "public, max-age=31536000, immutable"), name
    for name in ("toy", "", "theme.css", "static/js/iframeResizer.contentWindow.min.js", "assets/nosuch-12345678.js"):
        assert "immutable" not in get(f"{toy}/{name}")[1].get("cache-control", ""), name
    assert "immutable" in get(f"{toy}/theme.css?v=1")[1]["cache-control"]


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
    assert get(f"{toy}/export/toy/sizes/lengths.svg?words=hello&scale=2", **{"If-None-Match": headers["etag"]})[0] == 304


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


@pytest.mark.parametrize("name", ["nobody", "probe-none-64-s0", "..%2F..%2Fapp", "..", "%2Fetc%2Fpasswd", "a%00b", "x" * 3000])
def test_no_other_file_is_taken_home(toy, name):
    status, _, body = get(f"{toy}/home/{name}.zip")
    assert (status, len(body) < 200) == (404, True)
    if "%2F" not in name:
        assert body.decode() == "There is no model of this name to take home."


def test_many_pictures_at_once_are_all_drawn_or_politely_refused(toy):
    with ThreadPoolExecutor(24) as pool:
        found = list(pool.map(lambda i: get(f"{toy}/export/toy/sizes/lengths.csv?words=w{i}")[0], range(48)))
    assert set(found) <= {200, 503}
    assert found.count(200) >= 17


def test_a_huge_request_is_refused(toy):
    request = urllib.request.Request(f"{toy}/gradio_api/run/predict", b"x" * (LARGEST + 1), {"Content-Type": "application/json"})
    with pytest.raises(urllib.error.HTTPError, match="413"):
        urllib.request.urlopen(request)
    assert get(toy)[0] == 200
