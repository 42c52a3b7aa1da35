"""A child process that draws PNG and PDF files, so that matplotlib takes no memory in the web worker.

It starts with the first call and ends after an idle minute or after many calls. It imports pictures, but no
lesson, torch or gradio (lessons/kit/pictures/call_server.py). Only this worker holds the ends of its pipes,
so nobody else can send it a pickle.
"""

import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from lessons.kit import pictures
from lessons.kit.web.renderer import RenderError

P = ParamSpec("P")
T = TypeVar("T")

IDLE_SECONDS = 60.0
MAX_SECONDS = 60.0  # time limit of one call, including the start of the process
MAX_CALLS = 500  # per process; bounds what matplotlib may leak
ATTEMPTS = 2
PROGRAM = Path(pictures.__path__[0]) / "call_server.py"
TOO_SLOW = "Drawing this picture takes too long. SVG and CSV work."
KEEPS_ENDING = "This picture cannot be drawn as PNG or PDF now. SVG and CSV work."


class ExportProcess:
    """Calls functions in a child process, one at a time. Replaces the child if it was killed or hangs."""

    def __init__(
        self, idle_seconds: float = IDLE_SECONDS, max_seconds: float = MAX_SECONDS, max_calls: int = MAX_CALLS
    ):
        self.idle_seconds, self.max_seconds, self.max_calls = idle_seconds, max_seconds, max_calls
        self.child: subprocess.Popen[bytes] | None = None
        self.calls, self.last_used = 0, 0.0  # number of calls of this child; time at which the last one ended
        self.lock = threading.Lock()

    def __call__(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function of a module. Raises what it raises; RenderError if there is no answer."""
        # pickled twice: the outer pickle tells the child where the call ends
        call = pickle.dumps(pickle.dumps((function, args, kwargs)))
        with self.lock:
            answer = self.ask(call)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def ask(self, call: bytes) -> Any:
        """Send a call and wait for its answer, twice if the child dies. The caller holds the lock."""
        for _ in range(ATTEMPTS):
            is_late = threading.Event()
            try:
                return self.ask_child(self.child or self.start(), call, is_late)
            except (OSError, EOFError, pickle.UnpicklingError):  # the child did not start, or was killed
                self.end()
            if is_late.is_set():
                raise RenderError(TOO_SLOW)
        raise RenderError(KEEPS_ENDING)

    def ask_child(self, child: "subprocess.Popen[bytes]", call: bytes, is_late: threading.Event) -> Any:
        assert child.stdin
        assert child.stdout

        def stop() -> None:
            is_late.set()
            child.kill()

        timer = threading.Timer(self.max_seconds, stop)
        timer.daemon = True
        timer.start()
        try:
            child.stdin.write(call)
            child.stdin.flush()
            answer = pickle.load(child.stdout)
        finally:
            timer.cancel()
        self.calls, self.last_used = self.calls + 1, time.monotonic()
        if self.calls >= self.max_calls:
            self.end()
        return answer

    def start(self) -> "subprocess.Popen[bytes]":
        command = [sys.executable, str(PROGRAM), *sys.path]
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.child, self.calls, self.last_used = child, 0, time.monotonic()
        threading.Thread(target=self.end_when_idle, args=(child,), daemon=True).start()
        return child

    def end_when_idle(self, child: "subprocess.Popen[bytes]") -> None:
        while child is self.child:
            time.sleep(self.idle_seconds / 4)
            with self.lock:  # calls hold the lock, so no call is running now
                if child is self.child and time.monotonic() - self.last_used >= self.idle_seconds:
                    self.end()

    def end(self) -> None:
        """End the child, if there is one. The caller holds the lock."""
        child, self.child = self.child, None
        if child:
            child.kill()  # safe, because the child has no state to save
            child.communicate()  # closes the pipes and waits for the exit


EXPORT_PROCESS = ExportProcess()
