"""Supervise the worker processes: start them once, restart them if they die, stop them with the server."""

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
RESTART_SECONDS = 1.0  # pause before dead processes are restarted
CLEANUP_SECONDS = 60.0  # interval between removals of expired data
# on Windows: ignore Ctrl-C and run at low priority; elsewhere a new session and os.nice do this
CREATION_FLAGS = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(
    subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0
)


class Supervisor:
    """Keep job processes running: `python -m lessons.kit.web.jobs MODULE FRONT` (lessons, other pages)."""

    def __init__(self, queue: JobQueue, module: str, front: str):
        self.queue, self.is_closed, self.lock = queue, False, threading.Lock()
        options = {"--store": queue.store, "--workers": queue.workers, "--parent": os.getpid()}
        arguments = [str(part) for option in options.items() for part in option]
        self.command = [sys.executable, "-m", "lessons.kit.web.jobs", module, front, *arguments]
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the processes. Called for the first job or the first page; later calls do nothing."""
        with self.lock:
            if self.process is None:
                self.process = self.spawn()
                atexit.register(self.close)
                threading.Thread(target=self.restart_when_lost, daemon=True).start()
                threading.Thread(target=self.clean_up, daemon=True).start()

    def spawn(self) -> subprocess.Popen[bytes]:
        """Start the processes in a new session: Ctrl-C reaches only the parent, which then stops them."""
        return subprocess.Popen(
            self.command,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            start_new_session=True,
            creationflags=CREATION_FLAGS,
        )

    def restart_when_lost(self) -> None:
        while self.process and not self.is_closed:
            self.process.wait()
            self.kill()
            time.sleep(RESTART_SECONDS)
            if not self.is_closed:
                self.process = self.spawn()

    def clean_up(self) -> None:
        """Remove expired jobs and artifacts regularly, even without requests."""
        while not self.is_closed:
            time.sleep(CLEANUP_SECONDS)
            with suppress(*STORE_ERRORS):
                self.queue.remove_expired()
                artifacts.remove_expired(self.queue)
                self.queue.compact()

    def close(self) -> None:
        """Kill the processes at once. After HEARTBEAT_SECONDS, pages report that their job was lost."""
        self.is_closed = True
        self.kill()
        if self.process:
            self.process.wait()

    def kill(self) -> None:
        """Kill the whole session. On Windows, which has no sessions, the children exit by themselves."""
        if self.process and hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        elif self.process:
            self.process.kill()
