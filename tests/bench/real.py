"""Lesson 9 on the real weights: one learner, then a class that types: `python -m tests.bench --real`."""

import random
from collections.abc import Iterator
from http.client import HTTPException
from itertools import islice
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, sleep

from tests.bench.client import Call, Client, Place, all_places
from tests.bench.clock import Row
from tests.bench.crowd import WORKERS, run_together
from tests.bench.serve import command, free_port, load_lessons, run_process, wait_for_first_page

WORDS = "the a cat river bank old she said that it was near house of time and never again child money".split()
TYPED_WORDS = 31  # 32 pieces with the first one
ALONE = 20  # texts of the learner who is alone
THOUGHT_SECONDS = 10.0  # between two texts of one learner
RETRY_SECONDS = 1.0  # what the page waits after "busy"
MB = 1 << 10  # kilobytes


def rows(module: str, learners: int, seconds: float) -> Iterator[Row]:
    lessons, port = load_lessons(module), free_port()
    [place] = [place for place in all_places(lessons) if place.id == "real-next"]
    with run_process(command(module, port, str(WORKERS))) as running:
        wait_for_first_page(running, port)
        texts = random_texts(random.Random(0))
        alone = Client(port, "alone")
        taken = [ask_patiently(alone, draw_text(place, text))[0] for text in islice(texts, ALONE)]
        yield Row(f"a new text of {TYPED_WORDS + 1} pieces, alone: p50", 1000 * median(taken), 500, "ms")
        seen: list[float] = []
        waits: list[int] = []

        def learn(number: int) -> None:
            chance, client = random.Random(1 + number), Client(port, f"learner{number}")
            until = perf_counter() + seconds
            sleep(THOUGHT_SECONDS * chance.random())
            for text in random_texts(chance):
                if perf_counter() > until:
                    break
                took, retries = ask_patiently(client, draw_text(place, text))
                seen.append(took)
                waits.append(retries)
                sleep(THOUGHT_SECONDS * (0.5 + chance.random()))

        run_together(learners, learn)
        p95 = quantiles(seen, n=20)[-1]
        print(
            f"    {learners} learners, a new text every {THOUGHT_SECONDS:.0f} s: {len(seen)} answers,"
            f" p50 {1000 * median(seen):.0f} ms, p95 {1000 * p95:.0f} ms, told to wait {sum(waits)} times",
            flush=True,
        )
        yield Row(f"{learners} learners of the real model: answers that were refused", sum(waits), 0, "")
        sizes = [memory_megabytes(pid) for pid in family(running.pid)]
        shared = sum(proportional for _, proportional in sizes)
        print(f"    memory of all processes, shared pages counted once: {shared:.0f} MB", flush=True)
        yield Row("memory of the largest worker, with the weights", max(own for own, _ in sizes), 1300, "MB")


def random_texts(chance: random.Random) -> Iterator[str]:
    while True:
        yield " ".join(chance.choices(WORDS, k=TYPED_WORDS))


def draw_text(place: Place, text: str) -> Call:
    return place.draw(place.experiment.state({"text": text}))


def ask_patiently(client: Client, call: Call) -> tuple[float, int]:
    """Ask as the page does, again after "busy". Returns seconds until the answer, and how often it waited."""
    began, retries = perf_counter(), 0
    while True:
        try:
            client.ask(call)
            return perf_counter() - began, retries
        except (OSError, HTTPException, ValueError) as error:
            if "503" not in str(error):
                raise
            client.close()
            retries += 1
            sleep(RETRY_SECONDS)


def family(pid: int) -> list[int]:
    """The process and all its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in children for each in family(int(child)))]


def memory_megabytes(pid: int) -> tuple[float, float]:
    """Resident memory of a process, and its part if shared pages are divided among their users."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    sizes = {line.split(":")[0]: int(line.split()[1]) for line in lines if line.endswith("kB")}
    return sizes["Rss"] / MB, sizes["Pss"] / MB
