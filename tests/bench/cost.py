"""What one event costs in CPU, which other work on the machine does not add to. `python -m tests.bench --cost`.

A fresh state is computed and drawn; a state that others have seen is found and sent; a page is made once, then sent. From these
assets/deploy/10000.md reckons what many learners take.
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
from tests.bench.clock import Row
from tests.bench.crowd import Learner, Seen
from tests.bench.page import drawing_events, experiments, moves
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
    yield Row(f"CPU of a fresh state, the dearest: {dearest[0]}", sum(costs[dearest[0]]), 20, "ms")
    yield Row("CPU of a fresh state, mean of all experiments", mean(map(sum, costs.values())), 10, "ms")
    yield from sent(module, lessons)


class Timed(Renderer):
    """Knows how much of drawing was computing."""

    computing = 0.0  # seconds

    def compute(self, state: State) -> Result:
        began = process_time()
        try:
            return super().compute(state)
        finally:
            self.computing = process_time() - began


def fresh(lesson: Lesson) -> Iterator[tuple[str, tuple[float, float]]]:
    """Milliseconds to compute and to draw, the median over moves of a learner's."""
    for experiment in lesson.experiments:
        stage, times = Timed(lesson, experiment), []
        names = [control.name for control in experiment.controls]
        states = (
            experiment.state(dict(zip(names, event["data"], strict=False))) for event in islice(moves(experiment, 0, 1), ASKED)
        )
        for state in islice({canonical(state): state for state in states}.values(), MOVES):  # each only once
            stages.PICTURES.clear()
            began = process_time()
            stage.draw(state)  # as an event does; given a result, it would draw every act
            times.append((1000 * stage.computing, 1000 * (process_time() - began - stage.computing)))
        yield stage.id, (median(compute for compute, _ in times), median(draw for _, draw in times))


def sent(module: str, lessons: tuple[Lesson, ...]) -> Iterator[Row]:
    """Of one worker, as the kernel counts it; the learner is another process."""
    port, slugs = free_port(), [lesson.slug for lesson in lessons]
    with process(command(module, port)) as running:
        until_first_page(running, port)
        functions, seen = drawing_events(lessons, port), Seen()
        learner = Learner(port, "one", seen)
        events = [next(moves(experiment, functions[id], 1)) for id, experiment in experiments(lessons)]
        for slug in slugs:
            learner.open(slug)
        for event in events:
            learner.move(event)
        for what, ask in (
            ("an answer that is kept", lambda n: learner.move(events[n % len(events)])),
            ("a page that is kept", lambda n: learner.open(slugs[n % len(slugs)])),
        ):
            before = used(running.pid)
            for number in range(ASKED):
                ask(number)
            yield Row(f"CPU of {what}", 1000 * (used(running.pid) - before) / ASKED, 4, "ms")
        if seen.wrong:
            raise RuntimeError(seen.wrong[0])


def used(pid: int) -> float:
    """Seconds of CPU."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
