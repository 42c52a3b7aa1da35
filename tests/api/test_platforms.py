"""What other platforms get: notebooks of a state, question files, oEmbed, structured data."""

import json
import re
from html import unescape
from urllib.parse import quote

import nbformat
import pytest
from starlette.testclient import TestClient

from lessons import start
from lessons.kit.question_bank import FORMATS
from lessons.kit.web.server import Site
from lessons.kit.web.social_preview import SITE_NAME
from tests.api.test_strangers import Server
from tests.helpers import by_class, parse_html
from tests.toy import LESSON as TOY

HOST = {"X-Forwarded-Host": "course.example", "X-Forwarded-Proto": "https"}
SITE = "https://course.example"


@pytest.fixture(scope="module")
def server(toy) -> Server:
    return Server(toy)


# ---- notebooks ----


def test_a_notebook_has_the_state_of_its_link(server):
    status, body, headers = server.ask(
        "GET", "/notebook/toy/sizes.ipynb?scale=1.5&words=%F0%9F%99%82+%22x%22"
    )
    assert status == 200
    assert headers["content-disposition"] == 'attachment; filename="toy-sizes.ipynb"'
    notebook = nbformat.reads(body, as_version=4)
    nbformat.validate(notebook)
    [cell] = [one.source for one in notebook.cells if one.cell_type == "code"]
    state: dict = {}
    exec(next(line for line in cell.splitlines() if line.startswith("state = ")), state)
    assert state["state"] == {"words": '🙂 "x"', "scale": 1.5}
    assert "from tests.toy import LESSON" in cell
    assert len(cell.splitlines()) <= 16


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/notebook/toy/nowhere.ipynb", 404),
        ("/notebook/nowhere/sizes.ipynb", 404),
        ("/notebook/toy/sizes.ipynb?scale=NaN", 400),
        ("/notebook/toy/sizes.ipynb?unknown=1", 400),
        ("/notebook/toy/sizes.ipynb?words=" + "x" * 5000, 400),
    ],
)
def test_a_bad_state_gives_no_notebook(server, path, status):
    assert server.ask("GET", path)[0] == status


# ---- questions ----


def test_the_lecturers_link_opens_question_files(monkeypatch):
    monkeypatch.setenv("GRADIO_ROOT_PATH", "/course")
    monkeypatch.setenv("SEQ2SEE_TEACH", "a-key")
    with TestClient(Site((TOY,), start, module="tests.toy").asgi(), "http://here.example/course") as client:
        for ending, kind in FORMATS.items():
            path = f"/teach/toy/questions.{ending}"
            assert client.get(path).status_code == 403
            answer = client.get(path, params={"key": "a-key"})
            assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
            assert answer.headers["content-type"] == kind.media_type
        client.get("/teach", params={"key": "a-key"})  # sets a cookie, which later requests send
        plan = client.get("/teach/toy").text
        assert all(f'href="teach/toy/questions.{ending}"' in plan for ending in FORMATS)
        link = 'href="http://here.example/course/toy?experiment=sizes"'
        assert link in unescape(client.get("/teach/toy/questions.moodle.xml").text)
        for path in ("/teach/toy/questions.exe", "/teach/nowhere/questions.gift.txt"):
            assert client.get(path).status_code == 404


def test_question_files_need_the_lecturers_link(server):
    for ending in FORMATS:
        status, body, _ = server.ask("GET", f"/teach/toy/questions.{ending}")
        assert status == 403
        assert "/teach?key=" in body


# ---- oEmbed ----


def ask(server: Server, url: str, **more: str) -> tuple[int, dict]:
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in {"url": url, **more}.items())
    status, body, headers = server.ask("GET", f"/oembed?{query}", None, HOST)
    return status, json.loads(body) if "json" in headers["content-type"] else {}


def test_a_platform_learns_how_to_embed_a_state(server):
    status, answer = ask(
        server, f"{SITE}/toy?experiment=sizes&scale=1.5&unknown=%3Cscript%3E", maxwidth="640"
    )
    assert status == 200
    assert (answer["version"], answer["type"], answer["provider_name"]) == ("1.0", "rich", SITE_NAME)
    assert (answer["width"], answer["height"]) == (640, 720)
    [frame] = parse_html(answer["html"])
    assert frame.attrib["src"] == f"{SITE}/toy?experiment=sizes&scale=1.5&embed=1"
    assert frame.attrib["width"] == "640"
    assert server.ask("GET", answer["thumbnail_url"].removeprefix(SITE))[0] == 200


def test_every_page_says_where_to_ask(server):
    for path in ("/", "/toy", "/toy?experiment=check", "/toy?experiment=sizes&scale=1.5"):
        page = server.ask("GET", path, None, HOST)[1]
        [address] = re.findall(r'<link rel="alternate" type="application/json\+oembed" href="([^"]+)"', page)
        status, body, _ = server.ask("GET", unescape(address).removeprefix(SITE), None, HOST)
        answer = json.loads(body)
        assert status == 200
        assert answer["type"] == ("link" if path == "/" else "rich")
        if path.endswith("1.5"):
            assert "scale=1.5" in answer["html"]


@pytest.mark.parametrize(
    "url",
    ["", "x", "http://[", "https://elsewhere.example/toy", f"{SITE}/nowhere", f"{SITE}/toy/sizes", "🙂"],
)
def test_only_pages_of_this_site_are_embedded(server, url):
    assert ask(server, url)[0] == 404


def test_only_json_and_only_usable_sizes(server):
    assert ask(server, f"{SITE}/toy", format="xml")[0] == 501
    for asked, width in {"1": 200, "99999999": 1000, "x": 1000, "-5": 1000, "²": 1000}.items():
        assert ask(server, f"{SITE}/toy", maxwidth=asked)[1]["width"] == width


# ---- structured data ----


def structured_data(server: Server, path: str) -> dict:
    page = server.ask("GET", path, None, HOST)[1]
    [text] = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page)
    assert "<" not in text
    found = json.loads(text)
    assert found["@context"] == "https://schema.org"
    assert found["license"].startswith("https://creativecommons.org/licenses/by/")
    return found


def test_the_map_is_a_course_of_lessons(server):
    found = structured_data(server, "/")
    assert (found["@type"], found["url"]) == ("Course", f"{SITE}/")
    assert [one["name"] for one in found["hasPart"]] == [TOY.title]
    assert found["teaches"] == [TOY.text.question]


@pytest.mark.parametrize("slug", ["sizes", "again", "steer"])
def test_an_experiment_is_a_part_of_its_lesson_and_the_course(server, slug):
    found = structured_data(server, f"/toy?experiment={slug}")
    assert (found["@type"], found["url"]) == ("LearningResource", f"{SITE}/toy?experiment={slug}")
    assert found["name"] == TOY.text.experiments[slug].question
    lesson = found["isPartOf"]
    assert (lesson["url"], lesson["isPartOf"]["@type"]) == (f"{SITE}/toy", "Course")


def test_check_yourself_is_a_quiz(server):
    assert "Quiz" in structured_data(server, "/toy?experiment=check")["@type"]
    page = parse_html(server.ask("GET", "/toy?experiment=check")[1].partition("\n")[2])
    assert not by_class(page, "embeds")
