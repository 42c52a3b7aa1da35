"""A machine that is full, read-only, or without its store: the lessons stand, and what cannot be done is said calmly."""

import logging
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from gradio_client import Client

from lessons import LESSONS, start
from lessons.kit.web.jobs import NOWHERE
from lessons.kit.web.server import Site
from lessons.kit.web.workers import CannotListen, in_thread, listening
from lessons.kit.work.labour import Seldom
from tests.api.test_command import ROOT, free_port, picture_of, read
from tests.api.test_work import ask
from tests.bench.serve import command, until_first_page
from tests.toy import LESSON as TOY

FULL, ROOMY = (0, resource.RLIM_INFINITY), (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
READ_ONLY = """
mount --rbind / {0} && mount -o remount,bind,ro {0} && exec chroot {0} sh -c 'cd {1} && exec "$@"' sh "$@"
"""  # in a mount namespace of its own


@contextmanager
def running(arguments: list[str], port: int, full: bool = False) -> Iterator[subprocess.Popen]:
    """`full`: not one byte can be written to a file, by it and its children, as root too; folders and empty files can be made."""
    app = subprocess.Popen(
        arguments,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"TMPDIR": "/nowhere"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, FULL) if full else None,
    )
    try:
        until_first_page(app, port)
        yield app
    finally:
        app.terminate()
        app.wait(20)


def ended(app: subprocess.Popen) -> str:
    """What it said until it was told to end."""
    app.send_signal(signal.SIGTERM)
    said, _ = app.communicate(timeout=30)
    assert app.returncode == 0, said
    return said


def test_without_any_checkpoint_the_course_is_there(tmp_path):
    """What needs a model says so when it is asked for; nothing may read a card before."""
    for folder in ("lessons", "models"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "assets", tmp_path / "assets", ignore=shutil.ignore_patterns("checkpoints"))
    made = subprocess.run(
        [sys.executable, "-c", "import lessons; print(len(lessons.LESSONS))"], cwd=tmp_path, capture_output=True, text=True
    )
    assert made.stdout.split() == [str(len(LESSONS))], made.stderr[-400:]


def test_a_full_disk_costs_the_long_work_and_nothing_else():
    port = free_port()
    with running(command("tests.toy", port), port, full=True) as app:
        site = f"http://127.0.0.1:{port}"
        assert {read(f"{site}/{path}")[0] for path in ("", "toy", "export/toy/sizes/lengths.svg")} == {200}
        assert read(f"{site}/draw/toy/again?scale=0.5")[0] == 200
        assert Client(site, verbose=False).predict(scale=0.5, api_name="/toy_again")["reading"]
        assert ask(f"{site}/work/toy-again", {"values": {}}) == (503, {"message": NOWHERE})
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
        assert ask(f"{site}/work/{told['id']}/progress") == (503, {"message": NOWHERE})
        assert ask(f"{site}/work/toy-again", {"visitor": "late", "values": {}}) == (503, {"message": NOWHERE})
        assert ask(f"{site}/work/{told['id']}/stop", {})[0] == 204
        assert read(f"{site}/toy")[0] == 200
        resource.prlimit(app.pid, resource.RLIMIT_FSIZE, ROOMY)
        assert ask(f"{site}/work/toy-again", {"visitor": "late", "values": {}})[0] == 202
        assert "Traceback" not in ended(app)


def test_a_machine_where_nothing_can_be_written(tmp_path):
    """Not even the temporary folder."""
    alone = ["unshare", "--mount", *(["--map-root-user"] if os.getuid() else [])]
    mounted = [*alone, "sh", "-c", READ_ONLY.format(tmp_path, ROOT), "sh"]
    if sys.platform != "linux" or subprocess.run([*mounted, "true"], capture_output=True).returncode:
        pytest.skip("nobody may mount here")
    port, lesson = free_port(), LESSONS[0]
    with running([*mounted, sys.executable, "app.py", "--port", str(port), "--workers", "2"], port) as app:
        site = f"http://127.0.0.1:{port}"
        assert {read(f"{site}/{lesson.slug}")[0] for lesson in LESSONS} == {200}
        picture = f"{site}/export/{lesson.slug}/{lesson.experiments[0].slug}/{picture_of(lesson.experiments[0])}"
        assert [read(f"{picture}.{kind}")[0] for kind in ("svg", "csv", "png")] == [200, 200, 503]
        assert "SVG and CSV work" in read(f"{picture}.pdf")[1]
        assert ask(f"{site}/work/bottleneck-curve", {"values": {}}) == (503, {"message": NOWHERE})
        said = ended(app)
    assert "There will be no long work" in said
    assert not [word for word in ("Traceback", "--port", "taken") if word in said], said


def test_without_redis_long_work_waits_for_it(monkeypatch):
    monkeypatch.setenv("SEQ2SEE_STORE", f"redis://127.0.0.1:{free_port()}")
    site = Site((TOY,), start)
    monkeypatch.setattr(site.firm, "start", lambda: None)  # nobody works
    with in_thread(site.asgi()) as address:
        assert ask(f"{address}/work/toy-again", {"values": {}}) == (503, {"message": NOWHERE})
        assert ask(f"{address}/work/{'0' * 32}/progress") == (503, {"message": NOWHERE})
        assert read(f"{address}/toy")[0] == 200


def test_a_store_that_is_gone_is_mentioned_once_a_minute(monkeypatch):
    def record(error: Exception) -> logging.LogRecord:
        return logging.LogRecord("huey", logging.ERROR, "", 0, "Error reading from queue", (), (type(error), error, None))

    seldom, first = Seldom(), record(OSError("no space"))
    assert seldom.filter(first)
    assert (first.getMessage(), first.exc_info) == ("Long work has no store: no space", None)
    assert not seldom.filter(record(OSError("no space")))
    assert seldom.filter(record(ValueError("a defect")))
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 61)
    assert seldom.filter(record(OSError("no space")))


def test_the_folder_of_the_line_goes_with_it():
    site = Site((TOY,), start)
    folder = Path(site.firm.line.place).parent
    assert folder.is_dir()
    site.firm.close()
    del site
    assert not folder.exists()


@pytest.mark.parametrize(
    ("host", "port", "says"),
    [("no.such.host.invalid", 0, "Cannot listen: "), ("192.0.2.1", 0, "192.0.2.1"), (None, 99999, "up to 65535")],
)
def test_only_a_taken_port_is_called_taken(host, port, says):
    with pytest.raises(CannotListen, match=says) as caught:
        listening(host, port)
    assert "taken" not in str(caught.value)
