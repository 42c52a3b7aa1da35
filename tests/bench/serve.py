"""Servers to measure, each in its own process, so that clients do not wait for its interpreter lock.

python -m tests.bench.serve echo 7999           a Gradio slider and a text with its value: the cheapest event
python -m tests.bench.serve bare 7999           torch and a Gradio page with one line: the fastest start
python -m tests.bench.serve lessons 7999        the lessons of a module, as app.py serves them
python -m tests.bench.serve lessons 7999 fresh  without a cache of answers: every drawing is computed
python -m tests.bench.serve lessons 7999 2      with two workers
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from importlib import import_module
from pathlib import Path
from socket import socket
from time import perf_counter, sleep

ROOT = Path(__file__).parents[2]
HOST = "127.0.0.1"
TIMEOUT_SECONDS = 120  # maximum time until the first page
# Let Python write bytecode, because the second start of an installation is measured.
SERVER_VARIABLES = {
    "GRADIO_ANALYTICS_ENABLED": "False",
    "OPENBLAS_NUM_THREADS": "1",
}  # the same thread settings as in app.py
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | SERVER_VARIABLES


def load_lessons(module: str) -> tuple:
    loaded = import_module(module)
    return loaded.LESSONS if hasattr(loaded, "LESSONS") else (loaded.LESSON,)


def serve_echo(port: int) -> None:
    import gradio as gr

    with gr.Blocks(analytics_enabled=False) as app:
        slider = gr.Slider(0, 1000, 0, step=1, elem_id="echo-value")
        drawing = gr.HTML(repeat(0), elem_id="echo-stage")
        slider.input(repeat, slider, drawing, queue=False, show_progress="hidden", trigger_mode="always_last")
    app.launch(server_name=HOST, server_port=port, ssr_mode=False, quiet=True)


def repeat(value: float) -> str:
    return f'<div class="drawing" data-link="{value}">{value}</div>'


def serve_bare(port: int) -> None:
    import gradio as gr
    import torch

    with gr.Blocks(analytics_enabled=False) as app:
        gr.Markdown(f"torch {torch.__version__}", elem_id="bare")
    app.launch(server_name=HOST, server_port=port, ssr_mode=False, quiet=True)


def serve_course(module: str, port: int, fresh: bool, workers: int) -> None:
    import torch

    from lessons import start
    from lessons.kit.web import cache
    from lessons.kit.web.server import Site

    torch.set_num_threads(1)
    if fresh:
        cache.ANSWERS.max_bytes = 0
    Site(load_lessons(module), start, module=module).serve(HOST, port, workers)


def command(server: str, port: int, *options: str) -> list[str]:
    return [sys.executable, "-m", "tests.bench.serve", server, str(port), *options]


@contextmanager
def run_process(arguments: list[str]) -> Iterator[subprocess.Popen]:
    """Run a process for the duration of the block."""
    quiet = {"stdout": subprocess.DEVNULL, "env": ENVIRONMENT}
    running = subprocess.Popen(arguments, cwd=ROOT, **quiet)
    try:
        yield running
    finally:
        running.terminate()
        try:
            running.wait(10)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()


@contextmanager
def run_server(server: str, *options: str) -> Iterator[int]:
    """Run a server for the duration of the block; yield its port once it answers."""
    port = free_port()
    with run_process(command(server, port, *options)) as running:
        wait_for_first_page(running, port)
        yield port


def wait_for_first_page(running: subprocess.Popen, port: int) -> None:
    began = perf_counter()
    while not is_answering(port):
        if running.poll() is not None or perf_counter() - began > TIMEOUT_SECONDS:
            raise RuntimeError(f"{' '.join(running.args)} does not answer (exit code {running.returncode})")
        sleep(0.02)


def is_answering(port: int) -> bool:
    connection = HTTPConnection(HOST, port, timeout=TIMEOUT_SECONDS)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def free_port() -> int:
    with socket() as found:
        found.bind((HOST, 0))
        return found.getsockname()[1]


def main(server: str, port: int, *options: str) -> None:
    named = {"echo": serve_echo, "bare": serve_bare}
    if server in named:
        return named[server](port)
    workers = next((int(option) for option in options if option.isdigit()), 1)
    serve_course(server, port, "fresh" in options, workers)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
