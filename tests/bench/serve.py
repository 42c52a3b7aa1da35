"""Servers to measure, each in its own process, so that browser and clients do not wait for the same interpreter lock.

`python -m tests.bench.serve echo 7999`    Gradio's slider and a text that repeats its value: the least that an event costs
`python -m tests.bench.serve bare 7999`    torch and a Gradio page with one line of Markdown: the least that a start costs
`python -m tests.bench.serve lessons 7999` the lessons of a module (LESSONS or LESSON), as `app.py` serves them
`python -m tests.bench.serve lessons 7999 fresh` without a cache of answers: every drawing is computed
`python -m tests.bench.serve lessons 7999 2` with two workers
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
PATIENCE = 120  # seconds until a server that does not answer is given up
# Our modules may be compiled once, as those of the libraries are: what is measured is the second start of an installation.
SERVING = {"GRADIO_ANALYTICS_ENABLED": "False", "OPENBLAS_NUM_THREADS": "1"}  # the latter as app.py has it
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | SERVING


def lessons_of(module: str) -> tuple:
    found = import_module(module)
    return found.LESSONS if hasattr(found, "LESSONS") else (found.LESSON,)


def echo(port: int) -> None:
    import gradio as gr

    with gr.Blocks(analytics_enabled=False) as app:
        slider = gr.Slider(0, 1000, 0, step=1, elem_id="echo-value")
        stage = gr.HTML(repeat(0), elem_id="echo-stage")
        slider.input(repeat, slider, stage, queue=False, show_progress="hidden", trigger_mode="always_last")
    app.launch(server_name=HOST, server_port=port, ssr_mode=False, quiet=True)


def repeat(value: float) -> str:
    return f'<div class="stage" data-link="{value}">{value}</div>'


def bare(port: int) -> None:
    import gradio as gr
    import torch

    with gr.Blocks(analytics_enabled=False) as app:
        gr.Markdown(f"torch {torch.__version__}", elem_id="bare")
    app.launch(server_name=HOST, server_port=port, ssr_mode=False, quiet=True)


def course(module: str, port: int, fresh: bool, workers: int) -> None:
    import torch

    from lessons import start
    from lessons.kit.web import cache
    from lessons.kit.web.server import Site

    torch.set_num_threads(1)
    if fresh:
        cache.ANSWERS.room = 0
    Site(lessons_of(module), start, module=module).serve(HOST, port, workers)


def command(what: str, port: int, *more: str) -> list[str]:
    return [sys.executable, "-m", "tests.bench.serve", what, str(port), *more]


@contextmanager
def process(arguments: list[str]) -> Iterator[subprocess.Popen]:
    """Runs while the block does."""
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
def served(what: str, *more: str) -> Iterator[int]:
    """The port of a server that answers."""
    port = free_port()
    with process(command(what, port, *more)) as running:
        until_first_page(running, port)
        yield port


def until_first_page(running: subprocess.Popen, port: int) -> None:
    began = perf_counter()
    while not answers(port):
        if running.poll() is not None or perf_counter() - began > PATIENCE:
            raise RuntimeError(f"{' '.join(running.args)} does not answer (exit code {running.returncode})")
        sleep(0.02)


def answers(port: int) -> bool:
    connection = HTTPConnection(HOST, port, timeout=PATIENCE)
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


def main(what: str, port: int, *more: str) -> None:
    own = {"echo": echo, "bare": bare}
    (
        own[what](port)
        if what in own
        else course(what, port, "fresh" in more, next((int(word) for word in more if word.isdigit()), 1))
    )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
