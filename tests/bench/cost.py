"""The CPU time of one event, to which other work on the machine does not add. `python -m tests.bench --cost`.

A new state is computed and drawn; a state that others have seen comes out of the cache; a page is rendered once, then sent.
assets/deploy/10000.md estimates from these what many learners need.
"""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import mean, median
from time import process_time

import torch

from lessons.kit.contract import Lesson, Result, State, canonical
from lessons.kit.web import renderer as stages
from lessons.kit.web.renderer import Renderer
from tests.bench.client import Call, Client, moves, places, states
from tests.bench.clock import Row
from tests.bench.serve import command, free_port, lessons_of, process, until_first_page

MOVES = 12  # in each experiment
ASKED = 300  # requests of each kind


def rows(module: str) -> Iterator[Row]:
    lessons = lessons_of(module)
    torch.set_num_threads(1)
    costs = {id: cost for lesson in lessons for id, cost in fresh(lesson)}
    dearest = sorted(costs, key=lambda id: -sum(costs[id]))
    for id in dearest[:6]:
        print(f"    {id}: compute {costs[id][0]:.1f} ms, draw {costs[id][1]:.1f} ms", flush=True)
    yield Row(f"CPU of a new state, the most expensive: {dearest[0]}", sum(costs[dearest[0]]), 20, "ms")
    yield Row("CPU of a new state, mean of all experiments", mean(map(sum, costs.values())), 10, "ms")
    yield from sent(module, lessons)


class Timed(Renderer):
    """A renderer that knows how much of its last drawing was computing."""

    computing = 0.0  # seconds

    def compute(self, state: State) -> Result:
        began = process_time()
        try:
            return super().compute(state)
        finally:
            self.computing = process_time() - began


def fresh(lesson: Lesson) -> Iterator[tuple[str, tuple[float, float]]]:
    """Milliseconds to compute and to draw: for each experiment the median over a learner's moves."""
    for experiment in lesson.experiments:
        stage, times = Timed(lesson, experiment), []
        some = {canonical(state): state for state in islice(states(experiment, 1), ASKED)}  # each only once
        for state in islice(some.values(), MOVES):
            stages.PICTURES.clear()
            began = process_time()
            stage.draw(state)  # as an event does; given a result, it would draw every act
            times.append((1000 * stage.computing, 1000 * (process_time() - began - stage.computing)))
        yield stage.id, (median(compute for compute, _ in times), median(draw for _, draw in times))


def sent(module: str, lessons: tuple[Lesson, ...]) -> Iterator[Row]:
    """Of one worker, as the kernel counts it; the client is another process."""
    port = free_port()
    with process(command(module, port)) as running:
        until_first_page(running, port)
        client = Client(port, "one")
        pages = [Call("GET", f"/{lesson.slug}") for lesson in lessons]
        drawings = [next(moves(place, 1)) for place in places(lessons)]
        for call in (*pages, *drawings):
            client.ask(call)
        for what, calls in (("a drawing from the cache", drawings), ("a page from the cache", pages)):
            before = used(running.pid)
            for number in range(ASKED):
                client.ask(calls[number % len(calls)])
            yield Row(f"CPU of {what}", 1000 * (used(running.pid) - before) / ASKED, 4, "ms")


def used(pid: int) -> float:
    """Seconds of CPU."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
