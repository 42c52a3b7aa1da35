"""`python app.py` on the command line: it prints its address, refuses a busy port, and stops on Ctrl-C."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from gradio_client import Client

from lessons import LESSONS
from lessons.kit.contract import Experiment
from tests.api.test_jobs import ask, until
from tests.bench.crowd import workers_of
from tests.bench.serve import command, run_process, wait_for_first_page

ROOT = Path(__file__).parents[2]


def start(port: int, cwd: Path = ROOT, *more: str) -> subprocess.Popen:
    command = [sys.executable, "-u", "app.py", "--host", "127.0.0.1", "--port", str(port), *more]
    return subprocess.Popen(
        command,
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.default_int_handler
        ),  # the tests may run where Ctrl-C is ignored
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_it_serves_and_ends_on_ctrl_c():
    port = free_port()
    app = start(port)
    try:
        assert any(f"127.0.0.1:{port}" in line for line in iter(app.stdout.readline, ""))
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/recurrence") as page:
            assert page.status == 200
        app.send_signal(signal.SIGINT)
        said, _ = app.communicate(timeout=30)
        assert "Traceback" not in said
        assert app.returncode == 0, said
    finally:
        app.kill()


def test_a_busy_port_is_a_clear_message():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        app = start(taken.getsockname()[1])
        said, _ = app.communicate(timeout=120)
    assert app.returncode == 1
    assert "--port" in said
    assert "Traceback" not in said


def wait_until(true: Callable[[], object]) -> None:
    for _ in range(600):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("never")


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_several_workers_serve_as_one():
    """Both workers must answer, gradio_client must work, a killed worker is restarted, Ctrl-C stops all."""
    port = free_port()
    app, site = start(port, ROOT, "--workers", "2"), f"http://127.0.0.1:{port}"
    try:
        assert any(f"127.0.0.1:{port}" in line for line in iter(app.stdout.readline, ""))
        wait_until(lambda: len(workers_of(app.pid)) == 2)
        before = workers_of(app.pid)
        slug = LESSONS[0].slug
        assert {get_page(f"{site}/{slug}") for _ in range(8)} == {get_page(f"{site}/{slug}")}
        name = f"/{slug}_{LESSONS[0].experiments[0].slug}"
        found = [
            Client(site, verbose=False, httpx_kwargs={"timeout": 60}).predict(api_name=name) for _ in range(4)
        ]
        assert len({each.pop("reading") for each in found}) == 1
        assert found == [json.loads(json.dumps(LESSONS[0].experiments[0].run().numbers()))] * 4
        for worker in before:
            os.kill(worker, signal.SIGKILL)
            wait_until(lambda gone=worker: len(workers_of(app.pid)) == 2 and gone not in workers_of(app.pid))
            assert get_page(f"{site}/{slug}")[0] == 200
        second = start(port, ROOT, "--workers", "2")
        said, _ = second.communicate(timeout=120)
        assert (second.returncode, "--port" in said) == (1, True)
        now = workers_of(app.pid)
        app.send_signal(signal.SIGINT)
        said, _ = app.communicate(timeout=30)
        assert "Traceback" not in said
        assert app.returncode == 0, said
        assert not [pid for pid in now if Path(f"/proc/{pid}").exists()]
    finally:
        app.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_no_worker_outlives_its_parent():
    port = free_port()
    with run_process(command("tests.toy", port, "2")) as app:
        wait_for_first_page(app, port)
        wait_until(lambda: len(workers_of(app.pid)) == 2)
        workers = workers_of(app.pid)
        app.kill()
    wait_until(lambda: not [pid for pid in workers if Path(f"/proc/{pid}").exists()])


MISSING = "stories-gru-1"


def copy_without(model: str, folder: Path) -> None:
    """Copy the project, as links, without the weights of one model."""
    shutil.copy(
        ROOT / "app.py", folder
    )  # through a link Python would import modules from the original folder
    for name in ("lessons", "models"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "assets" / "checkpoints").mkdir(parents=True)
    for path in (ROOT / "assets").iterdir():
        if path.name != "checkpoints":
            (folder / "assets" / path.name).symlink_to(path)
    for path in (ROOT / "assets" / "checkpoints").iterdir():
        if path.name != f"{model}.safetensors":
            (folder / "assets" / "checkpoints" / path.name).symlink_to(path)


def get_page(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address, timeout=120) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def picture_of(experiment: Experiment) -> str:
    return next(view.__name__ for view in experiment.views if view.__name__ != "reading")


def test_without_a_checkpoint_the_rest_of_the_course_stands(tmp_path):
    """Experiments without their checkpoint must say so and how to fix it; all others must work."""
    copy_without(MISSING, tmp_path)
    port = free_port()
    app, site = start(port, tmp_path), f"http://127.0.0.1:{port}"
    try:
        assert any(f"127.0.0.1:{port}" in line for line in iter(app.stdout.readline, ""))
        addresses = [
            (lesson.slug, experiment.slug) for lesson in LESSONS for experiment in lesson.experiments
        ]
        pages = {
            (lesson, experiment): get_page(f"{site}/{lesson}?experiment={experiment}")
            for lesson, experiment in addresses
        }
        assert {status for status, _ in pages.values()} == {200}
        mend = f"python -m models.train {MISSING}"
        needing = [lesson for (lesson, _), (_, page) in pages.items() if mend in page]
        assert set(needing) == {"recurrence", "transformer", "decoding"}
        exports = {
            get_page(f"{site}/export/recurrence/{e.slug}/{picture_of(e)}.svg") for e in LESSONS[1].experiments
        }
        assert {status for status, _ in exports} == {200, 503}
        assert {mend in said for status, said in exports if status == 503} == {True}
        assert get_page(f"{site}/")[0] == 200
        app.send_signal(signal.SIGINT)
        said, _ = app.communicate(timeout=60)
        assert app.returncode == 0, said
        # one traceback per experiment that needs the checkpoint, on its page or in an export
        assert 1 <= said.count("Traceback") <= 2 * len(needing), said
    finally:
        app.kill()


WINDOWS = """
import os, sys
for module in ("resource", "fcntl", "pwd", "grp"):
    sys.modules[module] = None  # an ImportError
for name in ("fork", "forkpty", "killpg", "nice", "getpgid", "setsid", "getuid", "geteuid"):
    vars(os).pop(name, None)
"""  # used as sitecustomize.py in the app and in all its child processes


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_it_works_where_there_is_no_fork(tmp_path, monkeypatch):
    """Simulate Windows (no fork): pages load, one job finishes, another is stopped, no process remains."""
    (tmp_path / "sitecustomize.py").write_text(WINDOWS)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    port = free_port()
    app, site = start(port), f"http://127.0.0.1:{port}"
    try:
        wait_for_first_page(app, port)
        assert get_page(f"{site}/recurrence")[0] == 200
        order = {"values": {"task": "dates", "width": "16", "budget": 5}}
        first, second = (
            ask(f"{site}/work/training-live", order | {"visitor": name})[1]["id"] for name in ("one", "two")
        )
        runs = partial(
            until, site, wanted=lambda told: told["state"] == "runs" and told["parts"], patience=120
        )
        with ThreadPoolExecutor(2) as visitors:  # poll both jobs, because a job that is not polled is ended
            list(visitors.map(runs, (first, second)))
        programs = job_programs(app.pid)
        assert len(programs) == 2
        ask(f"{site}/work/{second}/stop", {})
        assert until(site, second, lambda told: told["state"] == "stopped")
        wait_until(lambda: len(job_programs(app.pid)) < 2)
        done = until(site, first, lambda told: told["state"] == "done", 120)
        assert done["share"] == 1
        third = ask(f"{site}/work/training-live", order | {"visitor": "three"})[1]["id"]
        runs(third)
        programs = job_programs(app.pid)
        app.send_signal(signal.SIGINT)
        said, _ = app.communicate(timeout=30)
        assert (app.returncode, "Traceback" in said) == (0, False), said
        wait_until(lambda: not [pid for pid in programs if Path(f"/proc/{pid}").exists()])
    finally:
        app.kill()


def job_programs(parent: int) -> list[int]:
    """Descendants of this process that run a job."""
    found = []
    for thread in Path(f"/proc/{parent}/task").iterdir():
        for child in (thread / "children").read_text().split():
            done_here = b"--order" in Path(f"/proc/{child}/cmdline").read_bytes()
            found += [int(child)] if done_here else job_programs(int(child))
    return found
