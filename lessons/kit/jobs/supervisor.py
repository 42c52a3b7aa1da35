"""The worker processes, a child of the web server: started once, restarted when lost, ended with it."""

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
RESTART_SECONDS = 1.0  # until lost processes are started again
CLEANUP_SECONDS = 60.0  # between two removals of expired data
# Windows: no Ctrl-C, low priority; elsewhere a new session and os.nice do this
CREATION_FLAGS = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(
    subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0
)


class Supervisor:
    """Runs `python -m lessons.kit.web.jobs MODULE FRONT`: module with the lessons, module with the pages."""

    def __init__(self, queue: JobQueue, module: str, front: str):
        self.queue, self.is_closed, self.lock = queue, False, threading.Lock()
        options = {"--store": queue.store, "--workers": queue.workers, "--parent": os.getpid()}
        arguments = [str(part) for option in options.items() for part in option]
        self.command = [sys.executable, "-m", "lessons.kit.web.jobs", module, front, *arguments]
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the processes with the first job or the first page; later calls do nothing."""
        with self.lock:
            if self.process is None:
                self.process = self.spawn()
                atexit.register(self.close)
                threading.Thread(target=self.restart_when_lost, daemon=True).start()
                threading.Thread(target=self.clean_up, daemon=True).start()

    def spawn(self) -> subprocess.Popen[bytes]:
        """Start the processes in a new session: Ctrl-C reaches only the parent, which ends them."""
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
        """Remove expired jobs and artifacts, also when there are no requests."""
        while not self.is_closed:
            time.sleep(CLEANUP_SECONDS)
            with suppress(*STORE_ERRORS):
                self.queue.remove_expired()
                artifacts.remove_expired(self.queue)
                self.queue.compact()

    def close(self) -> None:
        """End the processes at once. A page notices that its job was lost (HEARTBEAT_SECONDS)."""
        self.is_closed = True
        self.kill()
        if self.process:
            self.process.wait()

    def kill(self) -> None:
        """Kill the whole session. Without sessions (Windows) the children end by themselves."""
        if self.process and hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        elif self.process:
            self.process.kill()
