"""What a work process does: one order at a time, in a child of its own, which can be stopped at once, and lost without harm."""

import logging
import os
import resource
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

from lessons.kit.contract import InputError
from lessons.kit.work.line import NO_STORE, NOBODY, Line, Order, Unreadable

log = logging.getLogger("seq2see")
LONGEST = 180.0  # seconds that an order may run
LARGEST = 3 << 30  # bytes of data that its process may have
NICE = 5  # the page comes first
LOST = "The process that worked on this was lost. Please start it again."
TOO_LONG = f"This took longer than {LONGEST:.0f} seconds and was ended; what was found stays."
Parts = Iterator[tuple[float, str]]  # the share done, the stage drawn
Work = Callable[[dict[str, Any], tuple[str, ...]], Parts]  # (state, open acts) → parts


def serve(line: Line, works: Mapping[str, Work], parent: int | None = None) -> None:
    """Takes orders until it is told to end, or its parent is gone. Huey starts a worker again that was killed."""
    os.nice(NICE)
    line.open(lambda order: fulfil(line, works, order))
    logging.getLogger("huey").setLevel(logging.WARNING)
    logging.getLogger("huey.consumer.Worker").addFilter(Seldom())
    consumer = line.huey.create_consumer(
        workers=line.workers, worker_type="process", periodic=False, max_delay=0.2, health_check_interval=1, shutdown_timeout=1
    )
    line.huey.on_startup()(lambda: end_with(os.getppid(), os.getpgid(0)))  # in each worker
    if parent:
        end_with(parent, os.getpgid(0))
    consumer.run()


class Seldom(logging.Filter):
    """A store that is gone is asked five times a second. The log hears of it once a minute, in one line."""

    spoke = -60.0

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info and record.exc_info[1]
        if isinstance(error, Unreadable):
            record.msg, record.args, record.exc_info = "Long work: %s", (error,), None
        if not isinstance(error, NO_STORE):
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

    threading.Thread(target=watch, daemon=True).start()


def forked(do: Callable[..., None], *given: Any) -> int:
    """A child that does this and ends; also with its parent. Not by `multiprocessing`, whose workers may have no children."""
    parent, child = os.getpid(), os.fork()
    if child:
        return child
    try:
        end_with(parent)
        do(*given)
    finally:
        os._exit(0)


def ended(child: int) -> None:
    with suppress(ProcessLookupError, ChildProcessError):
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def fulfil(line: Line, works: Mapping[str, Work], order: Order) -> None:
    """Watches over a child that does the work: passes on what it finds, and ends it when nobody wants it any more."""
    if not line.wanted(order.id) or order.stage not in works:
        return unwanted(line, order)
    receive, send = Pipe(duplex=False)
    child = forked(labour, send, works[order.stage], order)
    send.close()
    began, share = time.monotonic(), 0.0
    line.began(order.id)
    line.tell(order.id, "runs")
    try:
        while True:
            if receive.poll(0.2):
                kind, *what = receive.recv()
                if kind != "part":
                    return line.tell(order.id, kind, share, *what)
                share, stage = what
                line.tell(order.id, "runs", share, stage=stage)
            else:
                line.tell(order.id, "runs", share)  # a sign of life
            if not line.wanted(order.id):
                return unwanted(line, order, share)
            if time.monotonic() - began > LONGEST:
                return line.tell(order.id, "failed", share, TOO_LONG)
    except EOFError:
        line.tell(order.id, "failed", share, LOST)
    finally:
        ended(child)
        line.took(time.monotonic() - began)


def unwanted(line: Line, order: Order, share: float = 0.0) -> None:
    line.tell(order.id, "stopped", share, "" if line.stopped(order.id) else NOBODY)


def labour(send: Connection, work: Work, order: Order) -> None:
    """In the child: part after part, then how it ended."""
    resource.setrlimit(resource.RLIMIT_DATA, (LARGEST, LARGEST))
    try:
        for share, stage in work(order.state, order.acts):
            send.send(("part", share, stage))
        send.send(("done",))
    except InputError as error:
        send.send(("failed", str(error)))
    except Exception:
        log.exception("long work of %s", order.stage)
        send.send(("failed", "Something went wrong on our side. Please try another setting."))
