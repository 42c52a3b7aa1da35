"""The language of a link: pages, drawings, verdicts and exports in French, the rest in English."""

import json
import re

import pytest

from tests.api.test_strangers import Server


@pytest.fixture(scope="module")
def server(course: str) -> Server:
    return Server(course)


def test_a_page_is_in_the_language_of_its_link(server):
    _, page, _ = server.ask("GET", "/attention?experiment=align&lang=fr")
    assert '<html lang="fr">' in page
    assert "Le modèle prête-t-il attention aux mots" in page
    assert '<link rel="canonical"' in page
    internal = re.findall(r'<a [^>]*?href="((?:attention|recurrence|\./)[^"]*)"[^>]*>', page)
    other = [address for address in internal if "lang=fr" not in address]
    assert other == ["attention?experiment=align"]  # the switch to English
    config = json.loads(re.search(r'id="config">(.*?)</script>', page)[1])
    assert (config["language"], config["decimal"]) == ("fr", ",")
    assert config["words"]["why?"] == "pourquoi\u202f?"


def test_english_is_what_an_unknown_language_gets(server):
    pages = [server.ask("GET", f"/attention?experiment=align{more}") for more in ("", "&lang=xx", "&lang=")]
    assert len({re.sub(r'(content|href)="[^"]*"', "", page) for _, page, _ in pages}) == 1
    assert '<html lang="en">' in pages[0][1]
    assert 'hreflang="fr"' in pages[0][1]
    assert 'hreflang="fr"' not in server.ask("GET", "/recurrence")[1]  # it has no French


def test_drawings_of_two_languages_have_two_etags(server):
    english, french = (server.ask("GET", f"/draw/attention/align{more}") for more in ("", "?lang=fr"))
    assert english[2]["etag"] != french[2]["etag"]
    assert "<b>" in french[1]
    assert "Le plus grand poids de chaque mot" in french[1]
    again = server.ask("GET", "/draw/attention/align", headers={"If-None-Match": french[2]["etag"]})
    assert again[0] == 200  # the French answer is not the English one
    assert json.loads(french[1].split("\n")[0])["link"] == "experiment=align"


def test_verdicts_and_errors_are_in_the_language_of_their_link(server):
    answer = {"answer": "a line down to the left", "values": {}}
    _, said = server.post("/check/attention-align-predict?lang=fr", answer)
    assert json.loads(said)["message"].startswith("Oui. L’ordre français est")
    _, said = server.post("/check/attention-align-predict", answer)
    assert json.loads(said)["message"].startswith("Yes. The French order")
    about = json.loads(server.ask("GET", "/draw/attention/align?source=+&lang=fr")[1].split("\n")[0])
    assert about["complaint"] == "Tapez une phrase en anglais."


def test_exports_are_in_the_language_of_their_link(server):
    _, svg, _ = server.ask("GET", "/export/attention/align/alignment.svg?lang=fr")
    assert "Poids d’attention" in svg
    png = [server.ask("GET", f"/export/attention/align/on_gold.png{more}")[1] for more in ("", "?lang=fr")]
    assert png[0] != png[1]  # its title is drawn in the export process


def test_the_map_is_still_english_and_says_so(server):
    _, page, _ = server.ask("GET", "/?lang=fr")
    assert '<div id="start-map" lang="en">' in page
    assert "What if the decoder could look back at every word?" in page
    assert 'href="attention?experiment=welcome&amp;lang=fr"' in page
