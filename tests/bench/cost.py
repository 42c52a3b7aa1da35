"""Measure the CPU time of one event, unaffected by other work on the machine: `python -m tests.bench --cost`.

assets/deploy/10000.md uses it to estimate what many learners need.
"""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import mean, median
from time import process_time

import torch

from lessons.kit.contract import Lesson, Result, State, state_key
from lessons.kit.web.cache import PICTURES
from lessons.kit.web.renderer import Renderer
from tests.bench.client import Call, Client, all_places, drawing_requests, learner_states
from tests.bench.clock import Row
from tests.bench.serve import command, free_port, load_lessons, run_process, wait_for_first_page

STATES_PER_EXPERIMENT = 12
REQUESTS_PER_KIND = 300


def rows(module: str) -> Iterator[Row]:
    lessons = load_lessons(module)
    torch.set_num_threads(1)
    costs = {id: cost for lesson in lessons for id, cost in measure_new_states(lesson)}
    most_expensive = sorted(costs, key=lambda id: -sum(costs[id]))
    for id in most_expensive[:6]:
        print(f"    {id}: compute {costs[id][0]:.1f} ms, draw {costs[id][1]:.1f} ms", flush=True)
    yield Row(
        f"CPU of a new state, the most expensive: {most_expensive[0]}",
        sum(costs[most_expensive[0]]),
        20,
        "ms",
    )
    yield Row("CPU of a new state, mean of all experiments", mean(map(sum, costs.values())), 10, "ms")
    yield from measure_cached(module, lessons)


class TimedRenderer(Renderer):
    """A renderer that measures the compute part of its last drawing."""

    compute_seconds = 0.0

    def compute(self, state: State) -> Result:
        began = process_time()
        try:
            return super().compute(state)
        finally:
            self.compute_seconds = process_time() - began


def measure_new_states(lesson: Lesson) -> Iterator[tuple[str, tuple[float, float]]]:
    """Milliseconds to compute and to draw: for each experiment the median over a learner's moves."""
    for experiment in lesson.experiments:
        renderer, times = TimedRenderer(lesson, experiment), []
        distinct = {
            state_key(state): state for state in islice(learner_states(experiment, 1), REQUESTS_PER_KIND)
        }
        for state in islice(distinct.values(), STATES_PER_EXPERIMENT):
            PICTURES.clear()
            began = process_time()
            renderer.draw(state)  # as an event does; passing a result would also draw all closer looks
            times.append(
                (1000 * renderer.compute_seconds, 1000 * (process_time() - began - renderer.compute_seconds))
            )
        yield renderer.id, (median(compute for compute, _ in times), median(draw for _, draw in times))


def measure_cached(module: str, lessons: tuple[Lesson, ...]) -> Iterator[Row]:
    """CPU time of one worker per cached answer, as counted by the kernel."""
    port = free_port()
    with run_process(command(module, port)) as running:
        wait_for_first_page(running, port)
        client = Client(port, "one")
        pages = [Call("GET", f"/{lesson.slug}") for lesson in lessons]
        drawings = [next(drawing_requests(place, 1)) for place in all_places(lessons)]
        for call in (*pages, *drawings):
            client.ask(call)
        for what, calls in (("a drawing from the cache", drawings), ("a page from the cache", pages)):
            before = cpu_seconds(running.pid)
            for number in range(REQUESTS_PER_KIND):
                client.ask(calls[number % len(calls)])
            yield Row(
                f"CPU of {what}", 1000 * (cpu_seconds(running.pid) - before) / REQUESTS_PER_KIND, 4, "ms"
            )


def cpu_seconds(pid: int) -> float:
    """CPU time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
