"""A worker process: runs one job at a time in a child process, so a job can be stopped or crash safely."""

import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from multiprocessing import Pipe
from queue import Empty, SimpleQueue
from typing import Any

try:
    import resource
except ImportError:  # Windows has no `resource` module
    resource = None  # type: ignore[assignment]

from lessons.kit.contract import InputError
from lessons.kit.jobs.queue import ABANDONED_MESSAGE, STORE_ERRORS, JobQueue, QueuedJob, UnreadableTask

log = logging.getLogger("seq2see")
MAX_SECONDS = 180.0  # maximum duration of a job
MAX_DATA_BYTES = 3 << 30  # maximum memory that a job's process may allocate
NICENESS = 5  # lower priority than web workers
LOST_MESSAGE = "The process that worked on this was lost. Please start it again."
TIMEOUT_MESSAGE = f"This took longer than {MAX_SECONDS:.0f} seconds and was ended; what was found stays."
POLL_SECONDS = 0.2  # interval between checks whether a job is still needed

Parts = Iterator[tuple[float, str]]  # yields (fraction done, drawing)
JobFunction = Callable[[dict[str, Any], tuple[str, ...]], Parts]  # (state, open acts) → parts
Message = Sequence[Any]  # ("part", fraction, drawing), ("done",) or ("failed", reason)


def can_fork() -> bool:
    """Whether jobs run in forked processes.

    Windows has no fork, and on macOS libraries that use Accelerate can crash after one.
    """
    return hasattr(os, "fork") and sys.platform != "darwin"


def serve(
    queue: JobQueue, functions: Mapping[str, JobFunction], program: Sequence[str], parent: int | None = None
) -> None:
    """Run jobs until this process is stopped or its parent exits. Huey restarts workers that were killed.

    `program`: the command that runs one job (`run_job_from_stdin`) on systems without fork.
    """
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    queue.connect(lambda job: supervise_job(queue, functions, program, job))
    logging.getLogger("huey").setLevel(logging.WARNING)
    for part in ("Worker", "Scheduler"):
        logging.getLogger(f"huey.consumer.{part}").addFilter(ThrottledLogFilter())
    consumer = queue.huey.create_consumer(
        workers=queue.workers,
        worker_type="process" if can_fork() else "thread",
        periodic=False,
        max_delay=0.2,
        health_check_interval=1,
        shutdown_timeout=1,
    )
    if can_fork():
        # runs once in each worker process
        queue.huey.on_startup()(lambda: exit_with_parent(os.getppid(), os.getpgid(0)))
    if parent:
        exit_with_parent(parent, os.getpgid(0) if hasattr(os, "getpgid") else None)
    consumer.run()


class ThrottledLogFilter(logging.Filter):
    """Log an unreachable store at most once a minute, in one line: workers poll it five times a second."""

    logged_at = -60.0

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info and record.exc_info[1]
        if isinstance(error, UnreadableTask):
            record.msg, record.args, record.exc_info = "Long work: %s", (error,), None
        if not isinstance(error, STORE_ERRORS):
            return True
        if time.monotonic() - self.logged_at < 60:
            return False
        self.logged_at = time.monotonic()
        record.msg, record.args, record.exc_info = "Long work has no store: %s", (error,), None
        return True


def exit_with_parent(parent: int, group: int | None = None) -> None:
    """Kill this process, or its whole group, when its parent exits."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os.kill(-group if group else os.getpid(), signal.SIGKILL)

    threading.Thread(target=watch if can_fork() else exit_when_input_ends, daemon=True).start()


def exit_when_input_ends() -> None:
    """Exit when the parent closes its end of stdin: Windows does not report that a parent has exited."""
    while os.read(0, 4096):  # not sys.stdin: its lock would block the interpreter's exit
        pass
    os._exit(1)


class ForkedChild:
    """Run a job in a fork of this process.

    `multiprocessing` is not used because its daemon processes cannot start children.
    """

    def __init__(self, function: JobFunction, job: QueuedJob):
        self.messages, send = Pipe(duplex=False)
        parent, self.process = os.getpid(), os.fork()
        if not self.process:
            try:
                exit_with_parent(parent)
                run_job(send.send, function, job)
            finally:
                os._exit(0)
        send.close()

    def receive(self) -> Message | None:
        """Return the next message, or None after POLL_SECONDS. Raise EOFError if the child has exited."""
        return self.messages.recv() if self.messages.poll(POLL_SECONDS) else None

    def end(self) -> None:
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)


class ProgramChild:
    """Run a job in a new interpreter.

    The job is sent to stdin as one line of JSON; messages are read from stdout as lines of JSON.
    """

    def __init__(self, program: Sequence[str], job: QueuedJob):
        pipes: dict[str, Any] = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "text": True,
            "encoding": "utf-8",
        }
        self.process = subprocess.Popen(program, **pipes)
        self.messages: SimpleQueue[Message | None] = SimpleQueue()
        threading.Thread(target=self.listen, daemon=True).start()
        with suppress(OSError):  # the child has already exited: `receive` raises EOFError
            self.process.stdin.write(json.dumps(job) + "\n")  # type: ignore[union-attr]
            self.process.stdin.flush()  # type: ignore[union-attr]

    def listen(self) -> None:
        try:
            for line in self.process.stdout:  # type: ignore[union-attr]
                self.messages.put(json.loads(line))
        finally:
            self.messages.put(None)

    def receive(self) -> Message | None:
        try:
            message = self.messages.get(timeout=POLL_SECONDS)
        except Empty:
            return None
        if message is None:
            raise EOFError
        return message

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        with suppress(OSError):
            self.process.stdin.close()  # type: ignore[union-attr]


def run_job_from_stdin(functions: Mapping[str, JobFunction]) -> None:
    """Read a job from stdin, run it and print its messages. A ProgramChild starts this program."""
    job = QueuedJob(*json.loads(sys.stdin.readline()))
    threading.Thread(target=exit_when_input_ends, daemon=True).start()
    out, sys.stdout = sys.stdout, sys.stderr  # output printed by libraries must not be read as messages
    run_job(lambda message: print(json.dumps(message), file=out, flush=True), functions[job.name], job)


def supervise_job(
    queue: JobQueue, functions: Mapping[str, JobFunction], program: Sequence[str], job: QueuedJob
) -> None:
    """Run a job in a child process, store its messages, and kill the child if the job is not needed."""
    if not queue.is_wanted(job.id) or job.name not in functions:
        return mark_stopped(queue, job)
    child = ForkedChild(functions[job.name], job) if can_fork() else ProgramChild(program, job)
    began, fraction = time.monotonic(), 0.0
    try:
        queue.record_start(job.id)
        queue.set_status(job.id, "runs")
        while True:
            if message := child.receive():
                kind, *content = message
                if kind != "part":
                    return queue.set_status(job.id, kind, fraction, *content)
                fraction, drawing = content
                queue.set_status(job.id, "runs", fraction, stage=drawing)
            else:
                queue.set_status(job.id, "runs", fraction)  # a heartbeat: the job is still running
            if not queue.is_wanted(job.id):
                return mark_stopped(queue, job, fraction)
            if time.monotonic() - began > MAX_SECONDS:
                return queue.set_status(job.id, "failed", fraction, TIMEOUT_MESSAGE)
    except EOFError:
        queue.set_status(job.id, "failed", fraction, LOST_MESSAGE)
    finally:
        child.end()
        queue.record_duration(time.monotonic() - began)


def mark_stopped(queue: JobQueue, job: QueuedJob, fraction: float = 0.0) -> None:
    queue.set_status(job.id, "stopped", fraction, "" if queue.was_stopped(job.id) else ABANDONED_MESSAGE)


def run_job(send: Callable[[Message], None], function: JobFunction, job: QueuedJob) -> None:
    """Run a job in the child process: send each part, then whether the job succeeded."""
    if resource:
        with suppress(ValueError, OSError):  # fails if a lower limit is set already
            resource.setrlimit(resource.RLIMIT_DATA, (MAX_DATA_BYTES, MAX_DATA_BYTES))
    try:
        for fraction, drawing in function(job.state, job.acts):
            send(("part", fraction, drawing))
        send(("done",))
    except InputError as error:
        send(("failed", str(error)))
    except Exception:
        log.exception("job %s", job.name)
        send(("failed", "Something went wrong on our side. Please try another setting."))
