"""`python app.py` as a person runs it: it says where it is, refuses a busy port, and ends on Ctrl-C."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[2]


def start(port: int) -> subprocess.Popen:
    command = [sys.executable, "-u", "app.py", "--host", "127.0.0.1", "--port", str(port)]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)


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
