"""A class on one machine, by plain HTTP: learners who open lessons and move controls, think a second, and move again.

`python -m tests.bench --class`. Every figure is compared with an echo under the same load, or with one learner alone.
The learners run on the same machine and take their share of its cores. Loopback only; bounded in number and in time.
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
from tests.bench.client import Call, Client, echoes, moves, places
from tests.bench.clock import Row
from tests.bench.serve import HOST, PATIENCE, command, free_port, lessons_of, process, served

WORKERS = 2
MOST = {"learners": 200, "seconds": 900, "sessions": 5000}
JSON = {"Content-Type": "application/json"}
Play = Callable[[int], Iterator[Call]]


def rows(module: str, learners: int, seconds: float, sessions: int) -> Iterator[Row]:
    learners, seconds = min(learners, MOST["learners"]), min(seconds, MOST["seconds"])
    lessons, workers = lessons_of(module), str(WORKERS)
    slugs = [lesson.slug for lesson in lessons]
    yield cold(module, slugs, learners)
    with served("echo") as echo, served(module, workers) as course:
        play = partial(wandering, lessons)
        yield from warm(play, echo, course, learners, seconds)
        yield at_once(course, slugs, learners)
        yield beside_jobs(play, lessons, course, learners, seconds)
        yield abandoned(play, course)
        yield from memory(play, module, slugs, min(sessions, MOST["sessions"]))
    with served(module, "fresh") as alone, served(module, "fresh", workers) as several:
        yield saturated(play, alone, several, learners, seconds)


# ---- what learners do ----


def wandering(lessons: tuple[Lesson, ...], learner: int, visit: int = 8) -> Iterator[Call]:
    """From experiment to experiment, a few moves in each."""
    chance = random.Random(learner)
    while True:
        yield from islice(moves(chance.choice(places(lessons)), learner, chance.random()), visit)


@dataclass
class Seen:
    """Seconds that each answer took, and what went wrong."""

    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

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
            f"{len(self.seconds)} answers, {times}, {len(self.wrong)}"
            f" wrong{(self.wrong and f': {self.wrong[0][:120]}') or ''}"
        )


class Learner:
    """A client that notes how long each answer took."""

    def __init__(self, port: int, name: str, seen: Seen):
        self.client, self.seen = Client(port, name), seen

    def ask(self, call: Call) -> None:
        began = perf_counter()
        try:
            self.client.ask(call)
            self.seen.seconds.append(perf_counter() - began)
        except (OSError, HTTPException, ValueError) as error:
            self.seen.wrong.append(repr(error))
            self.client.close()

    def open(self, slug: str) -> None:
        self.ask(Call("GET", f"/{slug}"))


def together(count: int, act: Callable[[int], None]) -> float:
    """Seconds until all have done it, from the moment in which all begin."""
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


def crowd(port: int, play: Play, learners: int, seconds: float, think: float) -> Seen:
    """All of them move for so long, with a second of thought in between, more or less."""
    seen = Seen()

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

    together(learners, learn)
    return seen


# ---- the table ----


def cold(module: str, slugs: list[str], learners: int) -> Row:
    """From the start of the process: how long until everybody has a page, and until one has who is alone."""

    def wait(count: int) -> float:
        port = free_port()
        with process(command(module, port, str(WORKERS))):
            return together(count, lambda number: first_page(port, slugs[number % len(slugs)]))

    alone, all_of_them = wait(1), wait(learners)
    print(f"    cold: one page after {alone:.1f} s, {learners} pages after {all_of_them:.1f} s", flush=True)
    return Row(
        f"{learners} open a cold server: the last page, against one alone", all_of_them / alone, 3, "×"
    )


def warm(play: Play, echo: int, course: int, learners: int, seconds: float) -> Iterator[Row]:
    crowd(
        course, lambda learner: play(1000 + learner), learners, min(seconds, 5), 1
    )  # others have been here before
    repeated = crowd(echo, echoes, learners, seconds, 1)
    drawn = crowd(course, play, learners, seconds, 1)
    print(f"    {learners} learners, 1 s of thought: {drawn}\n    the echo: {repeated}", flush=True)
    yield Row(f"{learners} learners: answers that went wrong", len(drawn.wrong), 0, "")
    yield Row(
        f"{learners} learners: p50 against an echo",
        median(drawn.seconds) / median(repeated.seconds),
        0.5,
        "×",
    )
    yield Row(f"{learners} learners: p95 against an echo", drawn.p95 / repeated.p95, 2, "×")


def at_once(course: int, slugs: list[str], learners: int) -> Row:
    seen = Seen()
    for _ in range(2):  # the second time every worker has made every page
        seen.seconds.clear()
        taken = together(
            learners, lambda number: Learner(course, f"at{number}", seen).open(slugs[number % len(slugs)])
        )
    if seen.wrong:
        raise RuntimeError(seen.wrong[0])
    return Row(f"{learners} open a warm server at once: the last page", taken, 1.5, "s")


def beside_jobs(
    play: Play, lessons: tuple[Lesson, ...], course: int, learners: int, seconds: float, jobs: int = 2
) -> Row:
    """Long work has processes of its own, at low priority: what does it cost those who move controls meanwhile?"""
    [stage, *_] = [place.id for place in places(lessons) if place.experiment.job]
    alone = crowd(course, lambda learner: play(3000 + learner), learners, seconds, 1)
    visitors = [Visitor(course, stage, f"visitor{number}") for number in range(jobs)]
    over = Event()
    watching = [Thread(target=visitor.work_until, args=(over,)) for visitor in visitors]
    for thread in watching:
        thread.start()
    try:
        while not all(visitor.running for visitor in visitors):
            sleep(0.1)
            if not all(thread.is_alive() for thread in watching):
                raise RuntimeError(f"{stage} does not run")
        beside = crowd(course, lambda learner: play(4000 + learner), learners, seconds, 1)
    finally:
        over.set()
        for thread in watching:
            thread.join()
    print(f"    without long work: {alone}\n    beside {jobs} orders of {stage}: {beside}", flush=True)
    return Row(
        f"{learners} learners beside {jobs} running jobs: p95 against without",
        beside.p95 / alone.p95,
        1.5,
        "×",
    )


class Visitor:
    """Orders long work, asks how far it is as the page does, and orders it again when it is done."""

    def __init__(self, port: int, stage: str, name: str):
        self.port, self.stage, self.name, self.running = port, stage, name, False

    def ask(self, method: str, path: str, body: str | None = None) -> dict:
        connection = HTTPConnection(HOST, self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, JSON)
            return json.loads(connection.getresponse().read() or b"{}")
        finally:
            connection.close()

    def work_until(self, over: Event) -> None:
        began = perf_counter()
        while not over.is_set() and (self.running or perf_counter() - began < PATIENCE):
            id = self.ask("POST", f"/work/{self.stage}", json.dumps({"visitor": self.name, "values": {}}))[
                "id"
            ]
            while not over.is_set():
                told = self.ask("GET", f"/work/{id}/progress?seen=999")
                self.running = self.running or told.get("state") == "runs"
                if told.get("state") not in ("waits", "runs"):
                    break
                over.wait(0.3)
            self.ask("POST", f"/work/{id}/stop", "{}")


def long_lesson(module: str, learners: int = 100, seconds: float = 600) -> Iterator[Row]:
    """A double lesson: does anything go wrong, grow or slow down?"""
    learners, seconds = min(learners, MOST["learners"]), min(seconds, MOST["seconds"])
    lessons = lessons_of(module)
    port = free_port()
    with process(command(module, port, str(WORKERS))) as running:
        first_page(port, "")
        play = partial(wandering, lessons)
        tenth, sizes = seconds / 10, []
        parts = []
        for part in range(10):
            parts.append(
                crowd(port, lambda learner, part=part: play(1000 * part + learner), learners, tenth, 1)
            )
            sizes.append(max(map(resident, workers_of(running.pid))))
            print(f"    {(part + 1) * tenth:4.0f} s: {parts[-1]}, {sizes[-1]:.0f} MB", flush=True)
    lasting = f"{learners} learners for {seconds / 60:.0f} minutes"
    yield Row(f"{lasting}: answers that went wrong", sum(len(part.wrong) for part in parts), 0, "")
    yield Row(f"{lasting}: p95 at the end against the second tenth", parts[-1].p95 / parts[1].p95, 1.5, "×")
    yield Row(f"{lasting}: memory of a worker", max(sizes), 700, "MB")
    yield Row(f"{lasting}: memory at the end against the middle", sizes[-1] / sizes[4], 1.1, "×")


def abandoned(play: Play, course: int, count: int = 30) -> Row:
    """Requests whose clients hang up, and a learner who comes right after."""
    for number in range(count):
        client = Client(course, f"gone{number}")
        client.send(next(play(1000 + number)))
        client.close()
    seen = Seen()
    Learner(course, "next", seen).ask(next(play(2000)))
    if seen.wrong:
        raise RuntimeError(seen.wrong[0])
    return Row(f"after {count} abandoned requests: the next learner's answer", seen.seconds[0], 1, "s")


def memory(play: Play, module: str, slugs: list[str], sessions: int) -> Iterator[Row]:
    """Each session opens a page and moves a control once. Read is the largest worker, after three quarters and at the end."""
    port = free_port()
    with process(command(module, port, str(WORKERS))) as running:
        first_page(port, "")
        seen = Seen()

        def visit(begin: int, end: int, number: int) -> None:
            for session in range(begin + number, end, 4):
                learner = Learner(port, f"session{session}", seen)
                learner.open(slugs[session % len(slugs)])
                learner.ask(next(play(session)))
                learner.client.close()

        sizes = []
        for begin, end in ((0, 3 * sessions // 4), (3 * sessions // 4, sessions)):
            together(4, partial(visit, begin, end))
            sizes.append(max(map(resident, workers_of(running.pid))))
        if seen.wrong:
            raise RuntimeError(seen.wrong[0])
    yield Row(f"memory of a worker after {sessions} sessions", sizes[-1], 450, "MB")
    yield Row(
        "memory of a worker: after all sessions, against after three quarters of them",
        sizes[-1] / sizes[0],
        1.05,
        "×",
    )


def first_page(port: int, slug: str) -> None:
    """Asks until it is there."""
    began, seen = perf_counter(), Seen()
    while not seen.seconds:
        if perf_counter() - began > PATIENCE:
            raise RuntimeError(f"no page: {seen}")
        Learner(port, "first", seen).open(slug)
        sleep(0 if seen.seconds else 0.1)


def workers_of(parent: int) -> list[int]:
    """Those of its children that do what it does; others do long work."""
    children = [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
    return [
        pid
        for pid in children
        if Path(f"/proc/{pid}/cmdline").read_bytes() == Path(f"/proc/{parent}/cmdline").read_bytes()
    ]


def resident(pid: int) -> float:
    """Megabytes."""
    [line] = [
        line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS")
    ]
    return int(line.split()[1]) / 1024


def saturated(play: Play, alone: int, course: int, learners: int, seconds: float) -> Row:
    """No answer is kept: every event computes and draws."""
    one, several = (
        len(crowd(port, play, learners, seconds, 0).seconds) / seconds for port in (alone, course)
    )
    print(
        f"    without a thought: one worker {one:.0f} events/s, {WORKERS} workers {several:.0f}", flush=True
    )
    return Row(f"events/s of {WORKERS} workers against one", several / one, 1.4, "×", at_least=True)
