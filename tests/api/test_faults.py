"""With a full or read-only disk or a lost store, the lessons work and other requests get a message."""

import logging
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from gradio_client import Client

from lessons import LESSONS
from lessons import start as front
from lessons.kit.jobs.worker import ThrottledLogFilter
from lessons.kit.web.jobs import JOBS_UNAVAILABLE
from lessons.kit.web.questions import collect_questions
from lessons.kit.web.server import Site
from lessons.kit.web.workers import CannotListen, bind_sockets, serve_in_thread
from tests.api.test_command import MISSING, ROOT, copy_without, free_port, get_page, picture_of, start
from tests.api.test_connections import connected
from tests.api.test_jobs import ask, begin, until
from tests.bench.serve import command, wait_for_first_page
from tests.toy import LESSON as TOY

FULL, ROOMY = (0, resource.RLIM_INFINITY), (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
READ_ONLY = """
mount --rbind / {0} && mount -o remount,bind,ro {0} && exec chroot {0} sh -c 'cd {1} && exec "$@"' sh "$@"
"""  # runs in its own mount namespace


@contextmanager
def running(
    arguments: list[str], port: int, full: bool = False, files: int = 0, **variables: str
) -> Iterator[subprocess.Popen]:
    """Run a process for the duration of the block.

    `full`: it can create folders and empty files, but cannot write; `files`: its limit on open files;
    `variables`: its environment without HOME.
    """

    def bound() -> None:
        if full:
            resource.setrlimit(resource.RLIMIT_FSIZE, FULL)
        if files:
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

    app = subprocess.Popen(
        arguments,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={name: value for name, value in os.environ.items() if name != "HOME"}
        | {"TMPDIR": "/nowhere"}
        | variables,
        preexec_fn=bound,
    )
    try:
        wait_for_first_page(app, port)
        yield app
    finally:
        app.terminate()
        app.wait(20)


def ended(app: subprocess.Popen) -> str:
    """Stop a process and return its output."""
    app.send_signal(signal.SIGTERM)
    said, _ = app.communicate(timeout=30)
    assert app.returncode == 0, said
    return said


def test_without_any_checkpoint_the_course_is_there(tmp_path):
    """Experiments without their model must say so when requested; importing the lessons must read no card."""
    for folder in ("lessons", "models"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "assets", tmp_path / "assets", ignore=shutil.ignore_patterns("checkpoints"))
    made = subprocess.run(
        [sys.executable, "-c", "import lessons; print(len(lessons.LESSONS))"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert made.stdout.split() == [str(len(LESSONS))], made.stderr[-400:]


def test_a_full_disk_costs_the_long_work_and_nothing_else():
    port = free_port()
    with running(command("tests.toy", port), port, full=True) as app:
        site = f"http://127.0.0.1:{port}"
        assert {get_page(f"{site}/{path}")[0] for path in ("", "toy", "export/toy/sizes/lengths.svg")} == {
            200
        }
        assert get_page(f"{site}/draw/toy/again?scale=0.5")[0] == 200
        assert Client(site, verbose=False, httpx_kwargs={"timeout": 60}).predict(
            scale=0.5, api_name="/toy_again"
        )["reading"]
        assert ask(f"{site}/work/toy-again", {"values": {}}) == (503, {"message": JOBS_UNAVAILABLE})
        said = ended(app)
    assert said.count("There will be no long work") == 1
    assert not [word for word in ("Traceback", "--port", "taken") if word in said], said


def test_a_disk_that_fills_up_and_is_cleared_again():
    port = free_port()
    with running(command("tests.toy", port), port) as app:
        site = f"http://127.0.0.1:{port}"
        status, told = ask(f"{site}/work/toy-again", {"visitor": "early", "values": {}})
        assert status == 202
        resource.prlimit(app.pid, resource.RLIMIT_FSIZE, FULL)
        assert ask(f"{site}/work/{told['id']}/progress") == (503, {"message": JOBS_UNAVAILABLE})
        order = {"visitor": "late", "values": {}}
        assert ask(f"{site}/work/toy-again", order) == (503, {"message": JOBS_UNAVAILABLE})
        assert ask(f"{site}/work/{told['id']}/stop", {})[0] == 204
        assert get_page(f"{site}/toy")[0] == 200
        resource.prlimit(app.pid, resource.RLIMIT_FSIZE, ROOMY)
        assert ask(f"{site}/work/toy-again", {"visitor": "late", "values": {}})[0] == 202
        assert "Traceback" not in ended(app)


def test_a_machine_where_nothing_can_be_written(tmp_path):
    """The server must work where nothing can be written, not even the temporary folder."""
    alone = ["unshare", "--mount", *(["--map-root-user"] if os.getuid() else [])]
    mounted = [*alone, "sh", "-c", READ_ONLY.format(tmp_path, ROOT), "sh"]
    if sys.platform != "linux" or subprocess.run([*mounted, "true"], capture_output=True).returncode:
        pytest.skip("nobody may mount here")
    port, lesson = free_port(), LESSONS[0]
    with running([*mounted, sys.executable, "app.py", "--port", str(port), "--workers", "2"], port) as app:
        site = f"http://127.0.0.1:{port}"
        assert {get_page(f"{site}/{lesson.slug}")[0] for lesson in LESSONS} == {200}
        picture = (
            f"{site}/export/{lesson.slug}/{lesson.experiments[0].slug}/{picture_of(lesson.experiments[0])}"
        )
        assert [get_page(f"{picture}.{kind}")[0] for kind in ("svg", "csv", "png")] == [200, 200, 503]
        assert "SVG and CSV work" in get_page(f"{picture}.pdf")[1]
        assert ask(f"{site}/work/bottleneck-curve", {"values": {}}) == (503, {"message": JOBS_UNAVAILABLE})
        said = ended(app)
    assert "There will be no long work" in said
    assert not [word for word in ("Traceback", "--port", "taken") if word in said], said


def delete(store: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        Path(f"{store}{ending}").unlink()


def overwrite(store: Path) -> None:
    with closing(sqlite3.connect(store)) as connection:
        connection.execute(
            "pragma wal_checkpoint(truncate)"
        )  # otherwise all data could be recovered from the journal
    store.write_bytes(b"not a database " * 999)


def replace(store: Path) -> None:
    other = store.with_name("other")
    other.write_bytes(b"nor is this")
    os.replace(other, store)


def test_a_store_that_is_deleted_or_damaged_under_running_workers(tmp_path):
    """All web workers and job workers must continue with a new store."""
    port = free_port()
    with running(command("tests.toy", port, "2"), port, SEQ2SEE_STORE=str(tmp_path / "store")) as app:
        site = f"http://127.0.0.1:{port}"
        for n, fault in enumerate((delete, overwrite, replace)):
            lost = begin(site, f"early {n}")
            room = ask(f"{site}/room", {})[1]["code"]
            until(site, lost, lambda told: told["state"] == "runs")
            for name in ("store", "store.rooms"):
                fault(tmp_path / name)
            done = until(site, begin(site, f"late {n}"), lambda told: told["state"] == "done")
            assert done["share"] == 1
            assert {ask(f"{site}/work/{lost}/progress")[0] for _ in range(8)} <= {200, 404}
            assert {get_page(f"{site}/r/{room}")[0] for _ in range(8)} <= {200, 404}
            code = ask(f"{site}/room", {})[1]["code"]
            assert {get_page(f"{site}/r/{code}")[0] for _ in range(8)} == {200}
        assert (tmp_path / "store.damaged").exists()
        assert "Traceback" not in ended(app)


def test_without_redis_long_work_waits_for_it(monkeypatch):
    monkeypatch.setenv("SEQ2SEE_STORE", f"redis://127.0.0.1:{free_port()}")
    site = Site((TOY,), front)
    monkeypatch.setattr(site.supervisor, "start", lambda: None)  # the server starts without job workers
    with serve_in_thread(site.asgi()) as address:
        assert ask(f"{address}/work/toy-again", {"values": {}}) == (503, {"message": JOBS_UNAVAILABLE})
        assert ask(f"{address}/work/{'0' * 32}/progress") == (503, {"message": JOBS_UNAVAILABLE})
        assert get_page(f"{address}/toy")[0] == 200


def test_a_store_that_is_gone_is_mentioned_once_a_minute(monkeypatch):
    def record(error: Exception) -> logging.LogRecord:
        return logging.LogRecord(
            "huey", logging.ERROR, "", 0, "Error reading from queue", (), (type(error), error, None)
        )

    seldom, first = ThrottledLogFilter(), record(OSError("no space"))
    assert seldom.filter(first)
    assert (first.getMessage(), first.exc_info) == ("Long work has no store: no space", None)
    assert not seldom.filter(record(OSError("no space")))
    assert seldom.filter(record(ValueError("a defect")))
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 61)
    assert seldom.filter(record(OSError("no space")))


def test_a_damaged_checkpoint_costs_what_needs_it_and_nothing_else(tmp_path):
    """Wrong weights or an unreadable card must give 503 and a message that says what to do."""
    card = "stories-gru-2"
    copy_without(MISSING, tmp_path)
    checkpoints = tmp_path / "assets" / "checkpoints"
    (checkpoints / f"{MISSING}.safetensors").write_bytes(b"damaged")
    (checkpoints / f"{card}.json").unlink()
    (checkpoints / f"{card}.json").write_text("{")
    asked = [
        id
        for id, question in collect_questions(LESSONS).items()
        if id.startswith(("recurrence", "decoding")) and question.experiment
    ]
    port = free_port()
    app, site = start(port, tmp_path), f"http://127.0.0.1:{port}"
    try:
        wait_for_first_page(app, port)
        for name in (MISSING, card):
            status, said = get_page(f"{site}/home/{name}.zip")
            assert (status, f"python -m models.train {name}" in said) == (503, True), said
        assert get_page(f"{site}/home/nowhere.zip")[0] == 404
        with urllib.request.urlopen(f"{site}/home/addition-none-128-s0.zip", timeout=60) as answer:
            assert (answer.status, answer.read()[:2]) == (200, b"PK")
        found = [ask(f"{site}/answers/{id}") for id in asked]
        assert {status for status, _ in found} == {200, 503}
        assert all("python -m models.train" in told["message"] for status, told in found if status == 503)
    finally:
        app.kill()
        app.wait()


def test_a_start_as_a_space_starts_it(tmp_path):
    """The app must start without a home, with a path prefix, at most 256 files, and 690 idle connections."""
    tmp_path.chmod(0o777)
    able = (
        "--inh-caps=-all,+dac_read_search",
        "--ambient-caps=-all,+dac_read_search",
    )  # the interpreter may be in root's home folder
    user = ["setpriv", "--reuid=1000", "--regid=1000", "--clear-groups", *able] if not os.getuid() else []
    if user and subprocess.run([*user, sys.executable, "-c", ""], capture_output=True).returncode:
        pytest.skip("nobody may become another user here")
    port = free_port()
    space = {
        "SPACE_ID": "someone/course",
        "GRADIO_SERVER_NAME": "0.0.0.0",
        "GRADIO_SERVER_PORT": str(port),
        "GRADIO_ROOT_PATH": "/spaces/course",
        "TMPDIR": str(tmp_path),
    }
    lesson = LESSONS[0]
    picture = f"export/{lesson.slug}/{lesson.experiments[0].slug}/{picture_of(lesson.experiments[0])}"
    with running([*user, sys.executable, "app.py"], port, files=256, **space) as app, ExitStack() as opened:
        site = f"http://127.0.0.1:{port}"
        idle = [opened.enter_context(connected(site)) for _ in range(690)]
        assert len(idle) == 690
        for root in (site, f"{site}/spaces/course"):
            for path in ("", lesson.slug, f"{picture}.svg", "sitemap.xml"):
                began = time.monotonic()
                assert get_page(f"{root}/{path}")[0] == 200
                assert time.monotonic() - began < 30
        with urllib.request.urlopen(f"{site}/{picture}.png", timeout=120) as answer:
            assert answer.read().startswith(b"\x89PNG")
        status, told = ask(f"{site}/work/bottleneck-curve", {"values": {}})
        assert status == 202, told
        assert ask(f"{site}/work/{told['id']}/stop", {})[0] == 204
        said = ended(app)
    assert not [
        word for word in ("Traceback", "out of system resource", "Too many open files") if word in said
    ], said


def test_the_folder_of_the_line_goes_with_it():
    site = Site((TOY,), front)
    folder = Path(site.supervisor.queue.store).parent
    assert folder.is_dir()
    site.supervisor.close()
    del site
    assert not folder.exists()


@pytest.mark.parametrize(
    ("host", "port", "says"),
    [
        ("no.such.host.invalid", 0, "Cannot listen: "),
        ("192.0.2.1", 0, "192.0.2.1"),
        (None, 99999, "up to 65535"),
    ],
)
def test_only_a_taken_port_is_called_taken(host, port, says):
    with pytest.raises(CannotListen, match=says) as caught:
        bind_sockets(host, port)
    assert "taken" not in str(caught.value)
