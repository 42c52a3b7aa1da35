"""The work processes, as a child of the one that serves the pages: started once, started again if lost, ended with it."""

import atexit
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from lessons.kit.jobs import artifacts
from lessons.kit.jobs.queue import STORE_ERRORS, JobQueue

ROOT = Path(__file__).parents[3]
RESTART_SECONDS = 1.0  # seconds until lost processes are started again
# Windows: Ctrl-C is for the parent, and the page comes first (elsewhere: a session of its own, and os.nice)
FLAGS = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(
    subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0
)
CLEANUP_SECONDS = 60.0  # seconds between two looks for what is old


class Supervisor:
    """Runs `python -m lessons.kit.web.jobs MODULE FRONT`: the lessons, and what stands around them."""

    def __init__(self, line: JobQueue, module: str, front: str):
        own = [
            "-m",
            "lessons.kit.web.jobs",
            module,
            front,
            "--store",
            line.place,
            "--workers",
            str(line.workers),
        ]
        self.line, self.closed = line, False
        self.command, self.lock = [sys.executable, *own, "--parent", str(os.getpid())], threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """At the first order, or before the first page: whatever comes first. Later calls do nothing."""
        with self.lock:
            if self.process is None:
                self.process = self.started()
                atexit.register(self.close)
                threading.Thread(target=self.watch, daemon=True).start()
                threading.Thread(target=self.tidy, daemon=True).start()

    def started(self) -> subprocess.Popen[bytes]:
        """In a session of its own: Ctrl-C is for the parent, which says when to end."""
        return subprocess.Popen(
            self.command, cwd=ROOT, stdin=subprocess.PIPE, start_new_session=True, creationflags=FLAGS
        )

    def watch(self) -> None:
        while self.process and not self.closed:
            self.process.wait()
            self.clear()
            time.sleep(RESTART_SECONDS)
            if not self.closed:
                self.process = self.started()

    def tidy(self) -> None:
        """What long work has found and made is removed in time, also when nobody comes any more."""
        while not self.closed:
            time.sleep(CLEANUP_SECONDS)
            with suppress(*STORE_ERRORS):
                self.line.remove_expired()
                artifacts.remove_expired(self.line)
                self.line.compact()

    def close(self) -> None:
        """At once: an order that is cut off is noticed, wherever the store is."""
        self.closed = True
        self.clear()
        if self.process:
            self.process.wait()

    def clear(self) -> None:
        """Whatever is left of the session. Where there are no sessions, its children end by themselves."""
        if self.process and hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        elif self.process:
            self.process.kill()
