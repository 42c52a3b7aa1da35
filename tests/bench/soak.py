"""Memory of one worker under a long load of constantly new states: `python -m tests.bench --soak`.

Clients request drawings, pages, exports in all formats and previews, and upload sentence pairs.
"""

import json
import random
import zlib
from collections import Counter
from collections.abc import Iterator
from http.client import HTTPException
from threading import Event, Thread
from time import perf_counter, sleep
from typing import Any
from urllib.parse import quote

import brotli  # type: ignore[import-untyped]

from lessons.kit import link
from lessons.kit.contract import Choice, Control, Lesson, Matrix, PairFile, Slider, Text, Toggle
from lessons.kit.web.export import MEDIA_TYPES
from lessons.kit.web.renderer import SORRY
from tests.bench.client import Call, Client, Place, all_places
from tests.bench.clock import Row
from tests.bench.crowd import resident_megabytes
from tests.bench.serve import command, free_port, load_lessons, run_process, wait_for_first_page

CLIENTS = 4
PAUSE_SECONDS = 0.05  # pause of each client between two requests
MAX_SECONDS = 7200
MB = 1 << 20
ALLOWED_ERRORS = (
    400,
    404,
)  # exports: a state that the experiment refuses, or a view that contains only text
KINDS = {"drawing": 45, "page": 25, "export": 20, "preview": 5, "own pairs": 5}  # percentage of requests


def rows(module: str, seconds: float) -> Iterator[Row]:
    seconds = min(seconds, MAX_SECONDS)
    lessons, port = load_lessons(module), free_port()
    with run_process(command(module, port)) as running:
        wait_for_first_page(running, port)
        visitors = [SoakClient(port, lessons, number) for number in range(CLIENTS)]
        over = Event()
        threads = [Thread(target=visitor.work_until, args=(over,), daemon=True) for visitor in visitors]
        for thread in threads:
            thread.start()
        sizes, every, began = [], min(60.0, seconds / 6), perf_counter()
        try:
            while len(sizes) * every < seconds:
                sleep(max(0, began + (len(sizes) + 1) * every - perf_counter()))
                sizes.append(resident_megabytes(running.pid))
                asked = sum((visitor.asked for visitor in visitors), Counter())
                print(
                    f"    {len(sizes) * every:5.0f} s: {sizes[-1]:4.0f} MB after {asked.total():6,} requests",
                    flush=True,
                )
        finally:
            over.set()
            for thread in threads:
                thread.join()
        report = json.loads(Client(port, "owner").ask(Call("GET", "/status")))
    caches = (
        f"{name} {found['bytes'] / MB:.0f} MB in {found['entries']:,}"
        for name, found in report["caches"].items()
    )
    print(f"    requests: {dict(asked)}\n    caches: {', '.join(caches)}", flush=True)
    wrong = [words for visitor in visitors for words in visitor.wrong]
    for words in wrong[:5]:
        print(f"    wrong: {words}", flush=True)
    lasting = f"{seconds / 60:.0f} minutes of new states"
    yield Row(f"{lasting}: answers that went wrong", len(wrong), 0, "")
    yield Row(f"{lasting}: memory at the end", sizes[-1], 600, "MB")
    yield Row(
        f"{lasting}: memory at the end, against after a third",
        sizes[-1] / sizes[(len(sizes) + 2) // 3 - 1],
        1.05,
        "×",
    )


class SoakClient:
    """Requests one new state after another, and records errors."""

    def __init__(self, port: int, lessons: tuple[Lesson, ...], number: int):
        self.client, self.asked, self.wrong = Client(port, f"visitor{number}"), Counter[str](), list[str]()
        self.chance, self.places = random.Random(number), all_places(lessons)
        self.own = [
            place for place in self.places if any(isinstance(c, PairFile) for c in place.experiment.controls)
        ]

    def work_until(self, over: Event) -> None:
        while not over.wait(PAUSE_SECONDS * 2 * self.chance.random()):
            [kind] = self.chance.choices([*KINDS], [*KINDS.values()])
            call = self.own_pairs() if kind == "own pairs" and self.own else self.call(kind)
            self.asked[kind] += 1
            try:
                self.ask(call, ALLOWED_ERRORS if kind in ("export", "preview") else ())
            except (OSError, HTTPException, ValueError) as error:
                self.wrong.append(f"{call.path[:200]}: {error!r}"[:400])
                self.client.close()
        self.client.close()

    def ask(self, call: Call, allowed: tuple[int, ...]) -> None:
        """Send a request. Raises ValueError for a server error; a refused state is a valid answer."""
        self.client.send(call)
        answer = self.client.connection.getresponse()
        body = answer.read()
        if answer.status != 200 and answer.status not in allowed:
            raise ValueError(f"{answer.status} {body[:200]!r}")
        if SORRY in decode_answer(body, answer.getheader("Content-Encoding")):
            raise ValueError(SORRY)

    def call(self, kind: str) -> Call:
        place = self.chance.choice(self.places)
        state, acts = (
            self.state(place),
            [act.slug for act in place.experiment.acts if self.chance.random() < 0.3],
        )
        lesson, slug, own = place.lesson, place.experiment.slug, link.encode(place.experiment, state)
        match kind:
            case "page":
                return Call("GET", f"/{lesson}?{link.encode(place.experiment, state, acts)}&guess=0")
            case "export":
                view, format = (
                    self.chance.choice(place.experiment.all_views),
                    self.chance.choice([*MEDIA_TYPES]),
                )
                return Call("GET", f"/export/{lesson}/{slug}/{quote(view.__name__)}.{format}?{own}")
            case "preview":
                return Call("GET", f"/preview/{lesson}/{slug}.png?{own}")
        narrow = "&narrow=1" * (self.chance.random() < 0.3)
        return Call("GET", f"/draw/{lesson}/{slug}?{link.encode(place.experiment, state, acts)}{narrow}")

    def own_pairs(self) -> Call:
        """A file of sentence pairs that no other client sends."""
        place = self.chance.choice(self.own)
        [control] = [control for control in place.experiment.controls if isinstance(control, PairFile)]
        numbers = self.chance.sample(range(10**6), self.chance.randint(20, 400))
        text = "".join(f"word {number}\t{number} mot\n" for number in numbers)
        values = place.experiment.state() | {control.name: text}
        return Call("POST", f"/draw/{place.lesson}/{place.experiment.slug}", json.dumps({"values": values}))

    def state(self, place: Place) -> dict[str, Any]:
        """A default or preset state with some controls moved."""
        experiment = place.experiment
        base = self.chance.choice([{}, *(preset.state for preset in experiment.presets)])
        moved = self.chance.sample(experiment.controls, self.chance.randint(0, len(experiment.controls)))
        return experiment.state(
            dict(base) | {name: value for control in moved for name, value in self.value(control)}
        )

    def value(self, control: Control) -> Iterator[tuple[str, Any]]:
        """A random value of a control; None if only a picture or a job can set it."""
        match control:
            case Slider():
                steps = round((control.high - control.low) / control.step)
                yield control.name, control.check(control.low + self.chance.randint(0, steps) * control.step)
            case Choice():
                yield control.name, self.chance.choice(control.options)
            case Toggle():
                yield control.name, self.chance.random() < 0.5
            case Text():
                yield (
                    control.name,
                    self.text([words for words in (control.default, *control.suggestions) if words]),
                )
            case Matrix():
                yield control.name, tuple(tuple(self.number(control) for _ in row) for row in control.default)

    def text(self, known: list[str]) -> str:
        """One of the suggestions, half of the time with two words swapped."""
        words = self.chance.choice(known or [""]).split()
        if len(words) > 2 and self.chance.random() < 0.5:
            i, j = self.chance.sample(range(len(words) - 1), 2)  # keep the final punctuation mark
            words[i], words[j] = words[j], words[i]
        return " ".join(words)

    def number(self, control: Matrix) -> float:
        return round(control.low + self.chance.random() * (control.high - control.low), 1)


def decode_answer(body: bytes, encoding: str | None) -> str:
    """Decompress and decode an answer."""
    plain = (
        brotli.decompress(body)
        if encoding == "br"
        else zlib.decompress(body, 47)
        if encoding == "gzip"
        else body
    )
    return plain.decode("utf-8", "replace")
