"""A class over HTTP: learners who open lessons, move a control, think for a second, and move the next one.

`python -m tests.bench --class`. Every figure is compared with an echo under the same load, or with a single
learner. The learners run on the same machine and use a share of its cores.
"""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPException
from itertools import islice
from pathlib import Path
from statistics import median, quantiles
from threading import Barrier, Event, Thread
from time import perf_counter, sleep

from lessons.kit.contract import Lesson
from tests.bench.client import Call, Client, all_places, drawing_requests, echo_requests
from tests.bench.clock import Row
from tests.bench.serve import HOST, TIMEOUT_SECONDS, command, free_port, load_lessons, run_process, run_server

WORKERS = 2
LIMITS = {"learners": 200, "seconds": 900, "sessions": 5000}
JSON = {"Content-Type": "application/json"}
RequestSource = Callable[[int], Iterator[Call]]


def rows(module: str, learners: int, seconds: float, sessions: int) -> Iterator[Row]:
    learners, seconds = min(learners, LIMITS["learners"]), min(seconds, LIMITS["seconds"])
    lessons, workers = load_lessons(module), str(WORKERS)
    slugs = [lesson.slug for lesson in lessons]
    yield measure_cold_start(module, slugs, learners)
    with run_server("echo") as echo, run_server(module, workers) as course:
        play = partial(wander, lessons)
        yield from measure_warm_server(play, echo, course, learners, seconds)
        yield measure_opening(course, slugs, learners)
        yield measure_beside_jobs(play, lessons, course, learners, seconds)
        yield measure_abandoned(play, course)
        yield from measure_memory(play, module, slugs, min(sessions, LIMITS["sessions"]))
    with run_server(module, "fresh") as alone, run_server(module, "fresh", workers) as several:
        yield measure_saturation(play, alone, several, learners, seconds)


# ---- what learners do ----


def wander(lessons: tuple[Lesson, ...], learner: int, visit: int = 8) -> Iterator[Call]:
    """Requests of a learner who goes from experiment to experiment and makes a few moves in each."""
    chance = random.Random(learner)
    while True:
        yield from islice(
            drawing_requests(chance.choice(all_places(lessons)), learner, chance.random()), visit
        )


@dataclass
class Timings:
    """Seconds per answer, and the errors."""

    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def p95(self) -> float:
        return quantiles(self.seconds, n=20)[-1]

    def __str__(self) -> str:
        times = (
            f"p50 {1000 * median(self.seconds):.0f} ms, p95 {1000 * self.p95:.0f} ms"
            if len(self.seconds) > 1
            else "nothing"
        )
        return (
            f"{len(self.seconds)} answers, {times}, {len(self.errors)}"
            f" errors{(self.errors and f': {self.errors[0][:120]}') or ''}"
        )


class Learner:
    """A client that records how long each answer took."""

    def __init__(self, port: int, name: str, seen: Timings):
        self.client, self.seen = Client(port, name), seen

    def ask(self, call: Call) -> None:
        began = perf_counter()
        try:
            self.client.ask(call)
            self.seen.seconds.append(perf_counter() - began)
        except (OSError, HTTPException, ValueError) as error:
            self.seen.errors.append(repr(error))
            self.client.close()

    def open(self, slug: str) -> None:
        self.ask(Call("GET", f"/{slug}"))


def run_together(count: int, act: Callable[[int], None]) -> float:
    """Run a function in this number of threads that start together; return the seconds until all are done."""
    ready = Barrier(count + 1)

    def one(number: int) -> None:
        ready.wait()
        act(number)

    threads = [Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    ready.wait()
    began = perf_counter()
    for thread in threads:
        thread.join()
    return perf_counter() - began


def run_learners(port: int, play: RequestSource, learners: int, seconds: float, think: float) -> Timings:
    """Let learners move controls for this number of seconds, with pauses of about `think` seconds."""
    seen = Timings()

    def learn(number: int) -> None:
        learner, chance = Learner(port, f"learner{number}", seen), random.Random(number)
        until = perf_counter() + seconds
        sleep(think * chance.random())
        for call in play(number):
            if perf_counter() > until:
                break
            learner.ask(call)
            sleep(think * (0.5 + chance.random()))
        learner.client.close()

    run_together(learners, learn)
    return seen


# ---- rows of the table ----


def measure_cold_start(module: str, slugs: list[str], learners: int) -> Row:
    """Time from process start until the last of many learners has a page, against a single learner."""

    def wait(count: int) -> float:
        port = free_port()
        with run_process(command(module, port, str(WORKERS))):
            return run_together(count, lambda number: first_page(port, slugs[number % len(slugs)]))

    alone, all_of_them = wait(1), wait(learners)
    print(f"    cold: one page after {alone:.1f} s, {learners} pages after {all_of_them:.1f} s", flush=True)
    return Row(
        f"{learners} open a cold server: the last page, against one alone", all_of_them / alone, 3, "×"
    )


def measure_warm_server(
    play: RequestSource, echo: int, course: int, learners: int, seconds: float
) -> Iterator[Row]:
    run_learners(
        course, lambda learner: play(1000 + learner), learners, min(seconds, 5), 1
    )  # fill the caches
    repeated = run_learners(echo, echo_requests, learners, seconds, 1)
    drawn = run_learners(course, play, learners, seconds, 1)
    print(f"    {learners} learners, 1 s of thought: {drawn}\n    the echo: {repeated}", flush=True)
    yield Row(f"{learners} learners: answers that went wrong", len(drawn.errors), 0, "")
    yield Row(
        f"{learners} learners: p50 against an echo",
        median(drawn.seconds) / median(repeated.seconds),
        0.5,
        "×",
    )
    yield Row(f"{learners} learners: p95 against an echo", drawn.p95 / repeated.p95, 2, "×")


def measure_opening(course: int, slugs: list[str], learners: int) -> Row:
    seen = Timings()
    for _ in range(2):  # in the second round every worker has rendered every page
        seen.seconds.clear()
        taken = run_together(
            learners, lambda number: Learner(course, f"at{number}", seen).open(slugs[number % len(slugs)])
        )
    if seen.errors:
        raise RuntimeError(seen.errors[0])
    return Row(f"{learners} open a warm server at once: the last page", taken, 1.5, "s")


def measure_beside_jobs(
    play: RequestSource,
    lessons: tuple[Lesson, ...],
    course: int,
    learners: int,
    seconds: float,
    jobs: int = 2,
) -> Row:
    """Measure how much running jobs (separate low-priority processes) slow down learners."""
    [job, *_] = [place.id for place in all_places(lessons) if place.experiment.job]
    alone = run_learners(course, lambda learner: play(3000 + learner), learners, seconds, 1)
    visitors = [JobVisitor(course, job, f"visitor{number}") for number in range(jobs)]
    over = Event()
    watching = [Thread(target=visitor.work_until, args=(over,)) for visitor in visitors]
    for thread in watching:
        thread.start()
    try:
        while not all(visitor.running for visitor in visitors):
            sleep(0.1)
            if not all(thread.is_alive() for thread in watching):
                raise RuntimeError(f"{job} does not run")
        beside = run_learners(course, lambda learner: play(4000 + learner), learners, seconds, 1)
    finally:
        over.set()
        for thread in watching:
            thread.join()
    print(f"    without long work: {alone}\n    beside {jobs} orders of {job}: {beside}", flush=True)
    return Row(
        f"{learners} learners beside {jobs} running jobs: p95 against without",
        beside.p95 / alone.p95,
        1.5,
        "×",
    )


class JobVisitor:
    """Starts a job, polls its progress as the page does, and starts it again when it is done."""

    def __init__(self, port: int, job: str, name: str):
        self.port, self.job, self.name, self.running = port, job, name, False

    def ask(self, method: str, path: str, body: str | None = None) -> dict:
        connection = HTTPConnection(HOST, self.port, timeout=TIMEOUT_SECONDS)
        try:
            connection.request(method, path, body, JSON)
            return json.loads(connection.getresponse().read() or b"{}")
        finally:
            connection.close()

    def work_until(self, over: Event) -> None:
        began = perf_counter()
        while not over.is_set() and (self.running or perf_counter() - began < TIMEOUT_SECONDS):
            id = self.ask("POST", f"/work/{self.job}", json.dumps({"visitor": self.name, "values": {}}))["id"]
            while not over.is_set():
                progress = self.ask("GET", f"/work/{id}/progress?seen=999")
                self.running = self.running or progress.get("state") == "runs"
                if progress.get("state") not in ("waits", "runs"):
                    break
                over.wait(0.3)
            self.ask("POST", f"/work/{id}/stop", "{}")


def measure_long_lesson(module: str, learners: int = 100, seconds: float = 600) -> Iterator[Row]:
    """Errors, memory and times during a long lesson."""
    learners, seconds = min(learners, LIMITS["learners"]), min(seconds, LIMITS["seconds"])
    lessons = load_lessons(module)
    port = free_port()
    with run_process(command(module, port, str(WORKERS))) as running:
        first_page(port, "")
        play = partial(wander, lessons)
        tenth, sizes = seconds / 10, []
        parts = []
        for part in range(10):
            parts.append(
                run_learners(port, lambda learner, part=part: play(1000 * part + learner), learners, tenth, 1)
            )
            sizes.append(max(map(resident_megabytes, workers_of(running.pid))))
            print(f"    {(part + 1) * tenth:4.0f} s: {parts[-1]}, {sizes[-1]:.0f} MB", flush=True)
    lasting = f"{learners} learners for {seconds / 60:.0f} minutes"
    yield Row(f"{lasting}: answers that went wrong", sum(len(part.errors) for part in parts), 0, "")
    yield Row(f"{lasting}: p95 at the end against the second tenth", parts[-1].p95 / parts[1].p95, 1.5, "×")
    yield Row(f"{lasting}: memory of a worker", max(sizes), 700, "MB")
    yield Row(f"{lasting}: memory at the end against the middle", sizes[-1] / sizes[4], 1.1, "×")


def measure_abandoned(play: RequestSource, course: int, count: int = 30) -> Row:
    """Time of a learner's answer right after other clients have sent requests and disconnected."""
    for number in range(count):
        client = Client(course, f"gone{number}")
        client.send(next(play(1000 + number)))
        client.close()
    seen = Timings()
    Learner(course, "next", seen).ask(next(play(2000)))
    if seen.errors:
        raise RuntimeError(seen.errors[0])
    return Row(f"after {count} abandoned requests: the next learner's answer", seen.seconds[0], 1, "s")


def measure_memory(play: RequestSource, module: str, slugs: list[str], sessions: int) -> Iterator[Row]:
    """Memory of the largest worker, after three quarters of the sessions and at the end.

    Each session opens a page and moves a control once.
    """
    port = free_port()
    with run_process(command(module, port, str(WORKERS))) as running:
        first_page(port, "")
        seen = Timings()

        def visit(begin: int, end: int, number: int) -> None:
            for session in range(begin + number, end, 4):
                learner = Learner(port, f"session{session}", seen)
                learner.open(slugs[session % len(slugs)])
                learner.ask(next(play(session)))
                learner.client.close()

        sizes = []
        for begin, end in ((0, 3 * sessions // 4), (3 * sessions // 4, sessions)):
            run_together(4, partial(visit, begin, end))
            sizes.append(max(map(resident_megabytes, workers_of(running.pid))))
        if seen.errors:
            raise RuntimeError(seen.errors[0])
    yield Row(f"memory of a worker after {sessions} sessions", sizes[-1], 450, "MB")
    yield Row(
        "memory of a worker: after all sessions, against after three quarters of them",
        sizes[-1] / sizes[0],
        1.05,
        "×",
    )


def first_page(port: int, slug: str) -> None:
    """Request a page until the server answers."""
    began, seen = perf_counter(), Timings()
    while not seen.seconds:
        if perf_counter() - began > TIMEOUT_SECONDS:
            raise RuntimeError(f"no page: {seen}")
        Learner(port, "first", seen).open(slug)
        sleep(0 if seen.seconds else 0.1)


def workers_of(parent: int) -> list[int]:
    """The web workers among a process's children; the other children run jobs."""
    children = [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
    return [
        pid
        for pid in children
        if Path(f"/proc/{pid}/cmdline").read_bytes() == Path(f"/proc/{parent}/cmdline").read_bytes()
    ]


def resident_megabytes(pid: int) -> float:
    [line] = [
        line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS")
    ]
    return int(line.split()[1]) / 1024


def measure_saturation(play: RequestSource, alone: int, course: int, learners: int, seconds: float) -> Row:
    """Throughput without a cache, where every event computes and draws."""
    one, several = (
        len(run_learners(port, play, learners, seconds, 0).seconds) / seconds for port in (alone, course)
    )
    print(
        f"    without a thought: one worker {one:.0f} events/s, {WORKERS} workers {several:.0f}", flush=True
    )
    return Row(f"events/s of {WORKERS} workers against one", several / one, 1.4, "×", at_least=True)
