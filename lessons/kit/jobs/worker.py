"""What a work process does: one order at a time, in a child of its own, which can be stopped at once, and lost without harm."""

import json
import logging
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from multiprocessing import Pipe
from typing import Any

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

from lessons.kit.contract import InputError
from lessons.kit.jobs.queue import ABANDONED, STORE_ERRORS, JobQueue, Order, Unreadable

log = logging.getLogger("seq2see")
MAX_SECONDS = 180.0  # seconds that an order may run
MAX_DATA_BYTES = 3 << 30  # bytes of data that its process may have
NICENESS = 5  # the page comes first
LOST = "The process that worked on this was lost. Please start it again."
TOO_LONG = f"This took longer than {MAX_SECONDS:.0f} seconds and was ended; what was found stays."
POLL_SECONDS = 0.2  # seconds between two looks at whether an order is still wanted
Parts = Iterator[tuple[float, str]]  # the share done, the stage drawn
Work = Callable[[dict[str, Any], tuple[str, ...]], Parts]  # (state, open acts) → parts


Message = Sequence[Any]  # ("part", share, stage), ("done",) or ("failed", why)


def can_fork() -> bool:
    """Windows has no fork, and on macOS what has used Accelerate does not survive one. There a child is a program of its own."""
    return hasattr(os, "fork") and sys.platform != "darwin"


def serve(
    line: JobQueue, works: Mapping[str, Work], program: Sequence[str], parent: int | None = None
) -> None:
    """Takes orders until it is told to end, or its parent is gone. Huey starts a worker again that was killed.

    `program`: the command that does one order (`do_order`), where there is no fork."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    line.open(lambda order: supervise_order(line, works, program, order))
    logging.getLogger("huey").setLevel(logging.WARNING)
    for part in ("Worker", "Scheduler"):
        logging.getLogger(f"huey.consumer.{part}").addFilter(ThrottledLogFilter())
    consumer = line.huey.create_consumer(
        workers=line.workers,
        worker_type="process" if can_fork() else "thread",
        periodic=False,
        max_delay=0.2,
        health_check_interval=1,
        shutdown_timeout=1,
    )
    if can_fork():
        line.huey.on_startup()(lambda: end_with(os.getppid(), os.getpgid(0)))  # in each worker
    if parent:
        end_with(parent, os.getpgid(0) if hasattr(os, "getpgid") else None)
    consumer.run()


class ThrottledLogFilter(logging.Filter):
    """A store that is gone is asked five times a second. The log hears of it once a minute, in one line."""

    spoke = -60.0

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info and record.exc_info[1]
        if isinstance(error, Unreadable):
            record.msg, record.args, record.exc_info = "Long work: %s", (error,), None
        if not isinstance(error, STORE_ERRORS):
            return True
        if time.monotonic() - self.spoke < 60:
            return False
        self.spoke = time.monotonic()
        record.msg, record.args, record.exc_info = "Long work has no store: %s", (error,), None
        return True


def end_with(parent: int, group: int | None = None) -> None:
    """What nobody waits for must not go on: this process ends when its parent is gone, or all of its group."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os.kill(-group if group else os.getpid(), signal.SIGKILL)

    threading.Thread(target=watch if can_fork() else end_with_input, daemon=True).start()


def end_with_input() -> None:
    """The same by a pipe that the parent holds open: Windows does not say that a parent is gone."""
    while os.read(0, 4096):  # not by sys.stdin, which a thread at the end of Python could not let go
        pass
    os._exit(1)


class ForkedChild:
    """Does an order in a fork of this process. Not by `multiprocessing`, whose workers may have no children."""

    def __init__(self, work: Work, order: Order):
        self.messages, send = Pipe(duplex=False)
        parent, self.process = os.getpid(), os.fork()
        if not self.process:
            try:
                end_with(parent)
                run_order(send.send, work, order)
            finally:
                os._exit(0)
        send.close()

    def receive(self) -> Message | None:
        """What it says next; None if it says nothing for a while. EOFError: it is gone."""
        return self.messages.recv() if self.messages.poll(POLL_SECONDS) else None

    def end(self) -> None:
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)


class ProgramChild:
    """Does an order in a program of its own: the order goes in as a line of JSON, what is found comes out as lines of JSON."""

    def __init__(self, program: Sequence[str], order: Order):
        pipes: dict[str, Any] = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "text": True,
            "encoding": "utf-8",
        }
        self.process = subprocess.Popen(program, **pipes)
        self.messages: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        threading.Thread(target=self.listen, daemon=True).start()
        with suppress(OSError):  # it is gone: that is noticed
            self.process.stdin.write(json.dumps(order) + "\n")  # type: ignore[union-attr]
            self.process.stdin.flush()  # type: ignore[union-attr]

    def listen(self) -> None:
        try:
            for line in self.process.stdout:  # type: ignore[union-attr]
                self.messages.put(json.loads(line))
        finally:
            self.messages.put(None)

    def receive(self) -> Message | None:
        try:
            found = self.messages.get(timeout=POLL_SECONDS)
        except queue.Empty:
            return None
        if found is None:
            raise EOFError
        return found

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        with suppress(OSError):
            self.process.stdin.close()  # type: ignore[union-attr]


def do_order(works: Mapping[str, Work]) -> None:
    """What a ProgramChild runs."""
    order = Order(*json.loads(sys.stdin.readline()))
    threading.Thread(target=end_with_input, daemon=True).start()
    out, sys.stdout = sys.stdout, sys.stderr  # what a library prints is no message
    run_order(lambda message: print(json.dumps(message), file=out, flush=True), works[order.stage], order)


def supervise_order(line: JobQueue, works: Mapping[str, Work], program: Sequence[str], order: Order) -> None:
    """Watches over a child that does the work: passes on what it finds, and ends it when nobody wants it any more."""
    if not line.is_wanted(order.id) or order.stage not in works:
        return mark_stopped(line, order)
    child = ForkedChild(works[order.stage], order) if can_fork() else ProgramChild(program, order)
    began, share = time.monotonic(), 0.0
    try:
        line.record_start(order.id)
        line.set_status(order.id, "runs")
        while True:
            if message := child.receive():
                kind, *what = message
                if kind != "part":
                    return line.set_status(order.id, kind, share, *what)
                share, stage = what
                line.set_status(order.id, "runs", share, stage=stage)
            else:
                line.set_status(order.id, "runs", share)  # a sign of life
            if not line.is_wanted(order.id):
                return mark_stopped(line, order, share)
            if time.monotonic() - began > MAX_SECONDS:
                return line.set_status(order.id, "failed", share, TOO_LONG)
    except EOFError:
        line.set_status(order.id, "failed", share, LOST)
    finally:
        child.end()
        line.record_duration(time.monotonic() - began)


def mark_stopped(line: JobQueue, order: Order, share: float = 0.0) -> None:
    line.set_status(order.id, "stopped", share, "" if line.was_stopped(order.id) else ABANDONED)


def run_order(send: Callable[[Message], None], work: Work, order: Order) -> None:
    """In the child: part after part, then how it ended."""
    if resource:
        with suppress(ValueError, OSError):  # it may be bound more tightly already
            resource.setrlimit(resource.RLIMIT_DATA, (MAX_DATA_BYTES, MAX_DATA_BYTES))
    try:
        for share, stage in work(order.state, order.acts):
            send(("part", share, stage))
        send(("done",))
    except InputError as error:
        send(("failed", str(error)))
    except Exception:
        log.exception("long work of %s", order.stage)
        send(("failed", "Something went wrong on our side. Please try another setting."))
