"""The HTTP routes /draw (cacheable drawings) and /check (verdicts on answers)."""

import gzip
import json

import brotli
import pytest

from lessons import LESSONS, start
from lessons.kit.web import static_files
from lessons.kit.web.cache import ANSWERS
from lessons.kit.web.compression import IMMUTABLE
from lessons.kit.web.draw import TEXT_TYPE
from lessons.kit.web.renderer import PICTURES, SORRY, Renderer, parse_drawing
from tests.api.test_endpoints import get
from tests.api.test_strangers import JSON, Server
from tests.toy import LESSON as TOY

SECRET = "qwyjibo"  # occurs in no text of the course


@pytest.fixture(scope="module")
def server(toy: str) -> Server:
    return Server(toy)


def cached_entries(word: str) -> list[str]:
    """Cache entries that contain this word, compressed or not."""
    found = []
    for key, made in [*ANSWERS.values.items(), *PICTURES.values.items()]:
        texts = [repr(key), made if isinstance(made, str) else ""]
        if isinstance(made, bytes):
            for unpack in (bytes, gzip.decompress, brotli.decompress):
                try:
                    texts.append(unpack(made).decode("utf-8", "replace"))
                except (OSError, EOFError, brotli.error):
                    continue
        if any(word in text for text in texts):
            found.append(repr(key)[:80])
    return found


# ---- GET ----


def test_a_drawing_has_a_line_about_it_a_layout_and_its_pieces(server):
    status, said, headers = server.ask("GET", "/draw/toy/sizes")
    assert (status, headers["content-type"]) == (200, TEXT_TYPE)
    about, pieces = parse_drawing(said)
    assert (about["link"], about["limits"]["t"]) == ("experiment=sizes", 2)
    assert about["covers"] == ["toy-sizes-reading", "toy-sizes-lengths"]
    assert {"toy-sizes-lengths", "toy-sizes-reading", "toy-sizes-meaning"} <= set(pieces)
    assert "toy-sizes-pulls" not in pieces  # part of a closed closer look
    assert "data-piece='toy-sizes-lengths'" in said.split("\n")[1]
    assert said == Renderer(TOY, TOY.experiments[0], start.terms((TOY,), TOY)).drawing({})


def test_the_address_sets_the_state_as_a_link_does(server):
    status, said, _ = server.ask(
        "GET", "/draw/toy/sizes?experiment=sizes&words=to+be&scale=0.5&sign=minus&present=1&__theme=dark"
    )
    about, pieces = parse_drawing(said)
    assert status == 200
    assert about["link"] == "experiment=sizes&words=to+be&scale=0.5&sign=minus"
    assert "<b>-0.10</b>" in pieces["toy-sizes-reading"]


def test_only_open_closer_looks_are_pieces_of(server):
    _, said, _ = server.ask("GET", "/draw/toy/sizes?acts=pulling.nosuch")
    about, pieces = parse_drawing(said)
    assert "toy-sizes-pulls" in pieces
    assert "toy-sizes-corner" not in pieces
    assert about["link"] == "experiment=sizes&acts=pulling"
    _, said, _ = server.ask("GET", "/draw/toy/sizes?acts=table.pulling")
    assert {"toy-sizes-pulls", "toy-sizes-corner"} <= set(parse_drawing(said)[1])


def test_a_control_without_effect_is_named(server):
    about, _ = parse_drawing(server.ask("GET", "/draw/toy/sizes?scale=0")[1])
    assert about["idle"] == {"loud": "Twice nothing is nothing."}


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_a_page_and_its_first_drawing_say_the_same(course, lesson):
    experiment = lesson.experiments[0]
    page = get(f"{course}/{lesson.slug}?experiment={experiment.slug}&guess=0")[2].decode()
    _, pieces = parse_drawing(get(f"{course}/draw/{lesson.slug}/{experiment.slug}")[2].decode())
    assert pieces[f"{lesson.slug}-{experiment.slug}-reading"] in page


def test_a_browser_may_keep_a_drawing_of_this_version_for_ever(server):
    address = f"/draw/toy/sizes?words=kept&_v={static_files.version()}"
    status, said, headers = server.ask("GET", address)
    assert (status, headers["cache-control"]) == (200, IMMUTABLE)
    assert "_v" not in parse_drawing(said)[0]["link"]
    for other in ("", "&_v=", "&_v=older"):
        assert server.ask("GET", f"/draw/toy/sizes?words=kept{other}")[2]["cache-control"] == "no-cache"


def test_what_a_browser_has_is_not_sent_again(server):
    _, _, headers = server.ask("GET", "/draw/toy/sizes?words=tagged")
    tag = {"If-None-Match": headers["etag"]}
    assert server.ask("GET", "/draw/toy/sizes?words=tagged", None, tag)[:2] == (304, "")
    assert server.ask("GET", "/draw/toy/sizes?words=other", None, tag)[0] == 200
    assert "Accept-Encoding" in headers["vary"]


def test_a_drawing_is_compressed_as_the_browser_accepts_it(toy):
    plain = get(f"{toy}/draw/toy/sizes?words=packed")[2]
    for encoding, unpack in {"br": brotli.decompress, "gzip": gzip.decompress}.items():
        _, headers, body = get(f"{toy}/draw/toy/sizes?words=packed", **{"Accept-Encoding": encoding})
        assert headers["content-encoding"] == encoding
        assert unpack(body) == plain
        assert len(body) < len(plain) / 2


@pytest.mark.parametrize(
    ("query", "control", "says"),
    [
        ("scale=99", "scale", "Scale: between 0 and 2, please; this is 99."),
        ("scale=", "scale", "Scale: a number, please"),
        ("sign=times", "sign", "Sign: choose one of plus, minus."),
        ("table=1,2", "table", "Table: 2 rows of 2 numbers, please."),
        # raised by `compute`; the error belongs to the only text control
        ("words=", "words", "Type at least one word."),
        ("words=boom", None, SORRY),
        ("nosuch=1", None, "sizes has no control named nosuch."),
    ],
)
def test_what_cannot_be_drawn_is_a_complaint_with_the_name_of_the_control(server, query, control, says):
    for address in (f"/draw/toy/sizes?{query}", f"/draw/toy/sizes?{query}&_v={static_files.version()}"):
        status, said, headers = server.ask("GET", address)
        found = json.loads(said)
        assert status == 200
        assert set(found) == {"complaint", "control"}
        assert says in found["complaint"]
        assert found["control"] == control
        assert "immutable" not in headers["cache-control"]


def test_a_defect_of_one_view_leaves_a_note_in_its_place(server):
    status, said, _ = server.ask("GET", "/draw/toy/sizes?words=crack")
    _, pieces = parse_drawing(said)
    assert status == 200
    assert "class='view-error'" in pieces["toy-sizes-lengths"]
    assert "crack" in pieces["toy-sizes-reading"]


@pytest.mark.parametrize("path", ["toy/nosuch", "nosuch/sizes", "toy/", "toy/sizes/more", "toy/check"])
def test_an_experiment_that_is_not_there_is_not_found(server, path):
    for method in ("GET", "POST"):
        status, said, headers = server.ask(method, f"/draw/{path}", b"{}" if method == "POST" else None, JSON)
        assert (status, len(said) < 100) == (404, True)
        assert "immutable" not in headers.get("cache-control", "")


def test_words_of_a_learner_are_never_markup(server):
    _, said, _ = server.ask("GET", "/draw/toy/sizes?words=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E+a%27b")
    assert "<img" not in said
    assert "&lt;img" in said


# ---- POST: states that are private or too long for a URL ----


def test_a_long_state_comes_by_post_and_gets_the_same_drawing(server):
    values = {"words": "two words", "scale": "0.5", "loud": "1"}
    status, said, headers = server.ask(
        "POST", "/draw/toy/sizes", json.dumps({"values": values, "acts": ["table"]}).encode(), JSON
    )
    assert (status, headers["cache-control"]) == (200, "no-store")
    assert said == server.ask("GET", "/draw/toy/sizes?words=two+words&scale=0.5&loud=1&acts=table")[1]
    assert json.loads(server.request_drawing("sizes", {"scale": "99"})[1])["control"] == "scale"
    long = " ".join(["word"] * 79)
    assert server.request_drawing("sizes", {"words": long})[1].count(">word<") >= 2
    _, _, headers = server.ask(
        "POST", f"/draw/toy/sizes?_v={static_files.version()}", b'{"values": {}}', JSON
    )
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b"{}", b'{"values": []}', b'{"values": "words=a"}', b'{"values": null}'],
)
def test_a_body_without_values_is_refused(server, body):
    status, said, _ = server.ask("POST", "/draw/toy/sizes", body, JSON)
    assert (status, said.startswith("Please send")) == (400, True)


@pytest.mark.parametrize("acts", [None, 5, "table", {"table": 1}, [["table"]], ["nosuch"]])
def test_acts_that_are_none_open_nothing(server, acts):
    status, said = server.request_drawing("sizes", {}, acts)
    assert (status, parse_drawing(said)[0]["link"]) == (200, "experiment=sizes")


def test_nothing_of_a_private_state_is_cached(course):
    server, text = Server(course), "".join(f"{SECRET} {n}\t{n} secret\n" for n in range(40))
    for headers in (JSON, JSON | {"Accept-Encoding": "gzip"}):
        body = json.dumps({"values": {"pairs": text}}).encode()
        status, said, found = server.ask("POST", "/draw/training/own", body, headers)
        assert (status, found["cache-control"]) == (200, "no-store")
        assert SECRET in said or found.get("content-encoding") == "gzip"
    assert cached_entries(SECRET) == []
    first = LESSONS[0].experiments[0]
    server.ask("GET", f"/draw/{LESSONS[0].slug}/{first.slug}", None, {"Accept-Encoding": "gzip"})
    # public drawings are cached, and `cached_entries` finds them
    assert cached_entries(f'"link":"experiment={first.slug}"')


def test_a_saved_run_is_private_by_get_too(course):
    """A saved run must stay private with GET: it may still be training, so its content changes."""
    runs = "3f9a5c71e0b24d86"
    drawing = f"/draw/training/live?runs={runs}"
    for path in (drawing, f"{drawing}&_v={static_files.version()}", f"/training?experiment=live&runs={runs}"):
        status, _, headers = Server(course).ask("GET", path)
        assert (status, headers["cache-control"]) == (200, "no-store"), path
    assert cached_entries(runs) == []


# ---- answers ----


def check(server: Server, id: str, **asked: object) -> dict:
    status, said, headers = server.ask("POST", f"/check/{id}", json.dumps(asked).encode(), JSON)
    assert (status, headers["cache-control"]) == (200, "no-store")
    found = json.loads(said)
    assert set(found) == {"ok", "message"}
    return found


def test_an_answer_is_right_or_wrong_with_a_sentence(server):
    assert check(server, "toy-sizes-predict", answer="three") == {
        "ok": True,
        "message": "Yes. It has 5 letters.",
    }
    wrong = check(server, "toy-sizes-predict", answer="one")
    assert wrong["ok"] is False
    assert wrong["message"].startswith("No. It has three letters only.")


def test_the_state_of_the_experiment_counts(server):
    assert check(server, "toy-check-count", answer="2")["ok"] is True
    assert check(server, "toy-check-count", answer=3, values={"words": "one two three"})["ok"] is True
    assert check(server, "toy-check-count", answer="2", values={"words": "one two three"})["ok"] is False
    assert check(server, "toy-check-loud", values={"loud": "1"}) == {"ok": True, "message": "Loud."}
    assert check(server, "toy-check-loud", values={})["ok"] is False


@pytest.mark.parametrize(
    ("id", "asked", "says"),
    [
        ("toy-sizes-predict", {}, "Your guess: choose one of one, three."),
        ("toy-sizes-predict", {"answer": 3}, "Your guess: choose one of one, three."),
        ("toy-sizes-predict", {"answer": ["three"]}, "Your guess: choose one of one, three."),
        ("toy-check-count", {"answer": "many"}, "words: a number, please"),
        ("toy-check-count", {"answer": True}, "words: a number, please"),
        ("toy-check-count", {"answer": {"n": 2}}, "words: a number, please"),
        ("toy-check-count", {"answer": None}, "words: a number, please"),
        ("toy-check-count", {"answer": "2", "values": {"scale": "99"}}, "Scale: between 0 and 2, please"),
        ("toy-check-count", {"answer": "2", "values": {"nosuch": "1"}}, "no control named nosuch"),
    ],
)
def test_an_answer_of_the_wrong_type_is_not_right_and_says_what_to_do(server, id, asked, says):
    found = check(server, id, **asked)
    assert found["ok"] is False
    assert says in found["message"]


def test_without_values_an_answer_is_judged_at_the_defaults(server):
    assert check(server, "toy-check-count", answer="2")["ok"] is True
    assert server.post("/check/toy-check-count", {"answer": "2", "values": [1]})[0] == 400


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"\xff", b'"three"', b'{"answer": Infinity}', b'{"answer": "\\ud800"}']
)
def test_an_answer_that_is_no_json_object_is_refused(server, body):
    status, said, _ = server.ask("POST", "/check/toy-sizes-predict", body, JSON)
    assert (status, "JSON object" in said) == (400, True)


@pytest.mark.parametrize(
    "id", ["toy-sizes", "toy-again-predict", "toy-check-nosuch", "x" * 3000, "..%2F..%2Fapp"]
)
def test_a_question_that_is_not_there_is_not_found(server, id):
    assert server.post(f"/check/{id}", {"answer": "three"})[0] == 404
    assert server.ask("GET", f"/answers/{id}")[0] == 404


def test_every_option_has_its_verdict_for_presentations(server):
    status, said, headers = server.ask("GET", "/answers/toy-sizes-predict")
    assert (status, "max-age" in headers["cache-control"]) == (200, True)
    assert [(each["option"], each["ok"]) for each in json.loads(said)] == [("one", False), ("three", True)]
    for option in json.loads(said):
        assert check(server, "toy-sizes-predict", answer=option["option"])["message"] == option["message"]


def test_the_words_of_a_vocabulary_are_small_and_cacheable(toy):
    status, headers, body = get(f"{toy}/words/everyday", **{"Accept-Encoding": "gzip"})
    assert (status, headers["content-encoding"]) == (200, "gzip")
    assert "max-age" in headers["cache-control"]
    assert len(body) <= 12_000
    assert "family" in json.loads(gzip.decompress(body))
    assert (
        get(f"{toy}/words/everyday", **{"Accept-Encoding": "gzip", "If-None-Match": headers["etag"]})[0]
        == 304
    )
    assert get(f"{toy}/words/klingon")[0] == 404
