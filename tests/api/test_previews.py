"""Previews of shared links (title, description, picture), and files for search engines."""

import json
import re
import struct
from html import unescape
from xml.etree import ElementTree

import pytest

from lessons import LESSONS
from lessons.kit.web import social_preview
from lessons.kit.web.renderer import Renderer
from tests.api.test_strangers import Server
from tests.toy import LESSON as TOY

HOST = {"X-Forwarded-Host": "course.example", "X-Forwarded-Proto": "https"}


def tags(page: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">', page)
    assert len({name for name, _ in found}) == len(found)
    return {name: unescape(content) for name, content in found}


@pytest.fixture(scope="module")
def server(toy) -> Server:
    return Server(toy)


PATHS = (
    "/",
    "/toy",
    "/toy?experiment=check",
    "/toy?experiment=sizes",
    "/toy?experiment=sizes&pull=0.4",
    "/toy?experiment=sizes&scale=1.5",
    "/toy?experiment=sizes&words=a+bc+def",
    "/toy?experiment=again",
    "/toy?experiment=steer",
    "/toy?experiment=steer&t=2",
)


@pytest.mark.parametrize("path", PATHS)
def test_every_address_has_its_own_tags(server, path):
    page = server.ask("GET", path, None, HOST)[1]
    found = tags(page)
    assert "Gradio" not in "".join(found.values())
    assert (
        found["og:title"] == found["twitter:title"] == unescape(re.findall("<title>(.*?)</title>", page)[0])
    )
    assert found["og:description"] == found["description"]
    address = found["og:url"]
    assert address == unescape(re.findall('<link rel="canonical" href="([^"]+)">', page)[0])
    assert address.startswith("https://course.example/")
    if "experiment" in path and not path.endswith("check"):
        assert address == f"https://course.example{path}"
        image = found["og:image"].removeprefix("https://course.example")
        status, _, headers = server.ask("GET", image)
        assert (status, headers["content-type"]) == (200, "image/png")


def test_the_tags_tell_the_state(server):
    def preview_tags(path: str) -> dict[str, str]:
        return tags(server.ask("GET", path)[1])

    start, moved = (preview_tags(f"/toy?experiment=sizes{more}") for more in ("", "&pull=0.4"))
    assert start["og:title"] == moved["og:title"]
    assert start["og:description"] != moved["og:description"]
    assert start["og:image"] != moved["og:image"]
    assert moved["og:description"] == "Word 1 is one, worth 0.42."
    # these parameters do not change the picture
    assert preview_tags("/toy?experiment=sizes&pull=0.4&acts=pulling&present=1") == moved
    assert (
        preview_tags("/toy?experiment=sizes&pull=9999&nosuch=1")["og:description"] == start["og:description"]
    )  # bad values are replaced by the defaults


def test_a_stranger_s_host_is_not_markup(server):
    page = server.ask("GET", "/toy", None, {"X-Forwarded-Host": 'x"><script>alert(1)</script>'})[1]
    head = page.partition("<title>")[2].partition("</head>")[0]
    assert "<script>alert" not in head


def size_of(png: bytes) -> tuple[int, int]:
    return struct.unpack(">II", png[16:24])


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_posters_are_as_large_as_they_should_be(lesson):
    stage = Renderer(lesson, lesson.experiments[0])
    png = social_preview.render_poster(stage, stage.experiment.state())
    assert png.startswith(b"\x89PNG")
    assert size_of(png) == social_preview.SIZE_PX


def test_bad_pictures_are_refused(server):
    assert server.ask("GET", "/preview/toy/nosuch.png")[0] == 404
    status, said, _ = server.ask("GET", "/preview/toy/sizes.png?pull=zzz")
    assert status == 400
    assert "left out" in said


def test_search_engines_find_every_experiment(server):
    robots = server.ask("GET", "/robots.txt", None, HOST)[1]
    assert "Sitemap: https://course.example/sitemap.xml" in robots
    places = [
        place.text
        for place in ElementTree.fromstring(server.ask("GET", "/sitemap.xml", None, HOST)[1]).iter()
        if place.text
    ]
    assert places[0] == "https://course.example/"
    assert len(places) == 1 + len(TOY.experiments)
    for place in places[1:]:
        path = place.removeprefix("https://course.example")
        assert tags(server.ask("GET", path, None, HOST)[1])["og:url"] == place


def test_the_icon_and_the_manifest(server):
    ElementTree.fromstring(server.ask("GET", "/favicon.svg")[1])
    manifest = json.loads(server.ask("GET", "/site.webmanifest")[1])
    assert manifest["icons"][0]["src"] == "favicon.svg"
    assert manifest["name"] == social_preview.SITE_NAME
