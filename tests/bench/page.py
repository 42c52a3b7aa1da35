"""Budgets of the page, against the least that Gradio itself costs on the same machine at the same time."""

import json
import os
import random
import sys
from collections.abc import Callable, Iterator
from functools import partial
from http.client import HTTPConnection
from itertools import count, islice
from statistics import median
from threading import Thread
from time import perf_counter
from typing import Any

from playwright.sync_api import Browser, Locator, Page

from lessons.kit.contract import Choice, Control, Edits, Experiment, Handles, Lesson, Slider, Step, Toggle
from tests.bench import payload
from tests.bench.clock import Row
from tests.bench.serve import HOST, PATIENCE, command, free_port, lessons_of, process, served, until_first_page
from tests.chromium import chromium

SCREEN = {"width": 1280, "height": 800}
MOVES, WARM, BACK = 8, 2, 4
CLIENTS, SECONDS = 20, 1.0
SOME = 3  # every third experiment is enough for a median over many
HEADERS = {"Content-Type": "application/json", "x-gradio-user": "app"}  # as Gradio's page sends an unqueued event


def rows(module: str) -> Iterator[Row]:
    lessons = lessons_of(module)
    yield starting(module)
    if not lessons:
        return print("    no lessons yet: nothing to open, move or ask", flush=True)
    yield from payload.rows(lessons)
    with served("echo") as echo, served(module) as course, served(module, "fresh") as fresh:
        yield from asking(lessons, echo, course, fresh)
        with chromium() as browser:
            yield from moving(lessons, browser, echo, fresh)
            with served("bare") as bare:
                yield from opening(lessons, browser, bare, course)
                yield from playing(lessons, browser, fresh)
                yield from dragging(lessons, browser, echo, fresh)
                turning(lessons, browser, bare, course)


def experiments(lessons: tuple[Lesson, ...]) -> list[tuple[str, Experiment]]:
    return [(f"{lesson.slug}-{experiment.slug}", experiment) for lesson in lessons for experiment in lesson.experiments]


# ---- start to first page ----


def starting(module: str, rounds: int = 3) -> Row:
    """From nothing until GET / answers. The CPU time is told too: other work on the machine does not add to it."""

    def start(what: str) -> tuple[float, float]:
        port, used = free_port(), children()
        app = [sys.executable, "app.py", "--port", str(port), "--host", HOST]
        began = perf_counter()
        with process(app if what == "lessons" else command(what, port)) as running:
            until_first_page(running, port)
            taken = perf_counter() - began
        return taken, children() - used

    bare, ours = taking_turns(lambda: start("bare"), lambda: start(module), rounds)
    told = "; ".join(f"{name} {taken:.2f} s, CPU {used:.2f} s" for name, (taken, used) in (("bare", bare), (module, ours)))
    print(f"    {told}", flush=True)
    return Row("start to first page, against a bare Gradio + torch page", ours[0] / bare[0], 1.15, "×")


def children() -> float:
    """CPU seconds of all processes started here that have ended."""
    return os.times().children_user + os.times().children_system


def taking_turns(bare: Callable[[], Any], ours: Callable[[], Any], rounds: int = 3) -> tuple[Any, Any]:
    """The best round of each."""
    taken = [(bare(), ours()) for _ in range(rounds)]
    return min(one for one, _ in taken), min(other for _, other in taken)


# ---- a slider moves, a picture changes ----

# From the input event until the new picture is in the page and laid out. The link of a stage is another for every state.
WATCH = """([slider, stage]) => {
  const link = () => document.querySelector(stage).dataset.link;
  let began, before = link();
  window.taken = [];
  document.addEventListener("input", (event) => { if (event.target.matches(slider)) began = performance.now(); }, true);
  new MutationObserver(() => {
    if (link() === before) return;
    before = link();
    document.querySelector(stage).getBoundingClientRect();
    taken.push(performance.now() - began);
  }).observe(document.querySelector(stage).closest("[id$=-stage]"), { subtree: true, childList: true, attributes: true });
}"""


class Hand:
    """Moves one slider by the arrow keys, up to its end and back again: the first of these controls that is in view."""

    def __init__(self, page: Page, address: str, id: str, *controls: str):
        stage = f"#{id}-stage .stage"
        page.goto(address)
        page.locator(stage).wait_for()
        page.wait_for_load_state("networkidle")
        covers = page.locator(stage).get_by_role("button", name="show me")
        if covers.count():  # a slider beside a covered picture is covered, too
            covers.first.click()
        fields = {
            control: f"#{id}-{control}-field, #{id}-{control} input[type=range]" for control in controls
        }  # the echo is Gradio’s
        page.wait_for_function("fields => fields.some((one) => document.querySelector(one)?.offsetParent)", arg=[*fields.values()])
        self.control = next(control for control, field in fields.items() if page.locator(field).is_visible())
        slider = fields[self.control]
        page.evaluate(WATCH, [slider, stage])
        self.page, self.slider, self.key = page, page.locator(slider), "ArrowRight"
        self.stage, self.seen = page.locator(stage), set[str | None]()
        self.seen.add(self.stage.get_attribute("data-link"))

    def move(self) -> tuple[float, bool]:
        """Milliseconds until the picture changed, and whether it is one that was there before."""
        self.page.bring_to_front()  # a page behind another one is drawn less often
        low, now, high = self.slider.evaluate("e => [+e.min, +e.value, +e.max]")
        if now in (low, high):
            self.key = "ArrowRight" if now == low else "ArrowLeft"
        done = self.page.evaluate("taken.length")
        self.slider.press(self.key)
        self.page.wait_for_function("done => taken.length > done", arg=done)
        link, known = self.stage.get_attribute("data-link"), len(self.seen)
        self.seen.add(link)
        return self.page.evaluate("taken.at(-1)"), len(self.seen) == known


def moving(lessons: tuple[Lesson, ...], browser: Browser, echo: int, course: int) -> Iterator[Row]:
    """For each experiment its longest slider, taking turns with the echo: up, and back to where it was."""
    new, known = {}, []
    context = browser.new_context(viewport=SCREEN)
    for id, experiment in experiments(lessons):
        if not sliders(experiment):
            continue
        longest = sorted(sliders(experiment), key=lambda slider: (slider.low - slider.high) / slider.step)
        address = f"http://{HOST}:{course}/{id.removesuffix('-' + experiment.slug)}?experiment={experiment.slug}"
        with context.new_page() as ours, context.new_page() as theirs:
            hands = (
                Hand(theirs, f"http://{HOST}:{echo}/", "echo", "value"),
                Hand(ours, address, id, *(slider.name for slider in longest)),
            )
            taken = [[hand.move() for hand in hands] for _ in range(WARM + MOVES)][WARM:]
            hands[1].key = "ArrowLeft" if hands[1].key == "ArrowRight" else "ArrowRight"
            taken += [[hand.move() for hand in hands] for _ in range(BACK)]
        repeated = median(theirs for (theirs, _), _ in taken)
        drawn, again = ([ours for _, (ours, seen) in taken if seen is before] for before in (False, True))
        told = f"{median(drawn):.0f} ms" if drawn else "no new states"
        print(f"    {id}, {hands[1].control}: {told}, seen before {median(again):.0f} ms, echo {repeated:.0f} ms", flush=True)
        if drawn:
            new[id] = median(drawn) / repeated
        known.append(median(again) / repeated)
    context.close()
    worst = max(new, key=new.__getitem__)
    yield Row(f"slider move to changed picture, median of {len(new)} experiments, against an echo", median(new.values()), 1.2, "×")
    yield Row(f"slider move to changed picture, the slowest experiment ({worst})", new[worst], 2, "×")
    yield Row("slider move to a state seen before, median", median(known), 0.5, "×")


def sliders(experiment: Experiment) -> list[Slider]:
    """Those of the main act: what stands in a closed act cannot be moved."""
    inside = str([act.layout for act in experiment.acts])
    return [control for control in experiment.controls if isinstance(control, Slider) and f"'{control.name}'" not in inside]


# ---- many clients ----


def asking(lessons: tuple[Lesson, ...], echo: int, course: int, fresh: int) -> Iterator[Row]:
    """Events a second, as the page sends them, while a class is in one experiment, then in the next."""
    functions, anew, seen = drawing_events(lessons, course), [], []
    rate(echo, echoes)  # warm up
    for id, experiment in experiments(lessons)[::SOME]:
        play, others = partial(moves, experiment, functions[id]), partial(moves, experiment, functions[id], CLIENTS)
        for port in (course, fresh):
            rate(port, others)  # have been here before
        repeated, drawn, computed = rate(echo, echoes), rate(course, play), rate(fresh, play)
        print(f"    {id}: {drawn:.0f} events/s, with no answer kept {computed:.0f}, echo {repeated:.0f}", flush=True)
        seen.append(drawn / repeated)
        anew.append(computed / repeated)
    for what, ratios, budget in (("no answer kept", anew, 0.6), ("states others have seen", seen, 0.8)):
        told = f"events/s with {CLIENTS} clients, {what}, median of {len(ratios)} experiments, against an echo"
        yield Row(told, median(ratios), budget, "×", at_least=True)


def echoes(_: int) -> Iterator[dict]:
    return ({"data": [value % 1000], "fn_index": 0} for value in count())


def moves(experiment: Experiment, function: int, *learner: int) -> Iterator[dict]:
    """What one learner does: from the defaults, this or that control goes to its end and back, step by step."""
    chance = random.Random(str(learner))
    while True:
        control = chance.choice([control for control in experiment.controls if places(control)] or [None])
        way = places(control)
        at = way.index(control.default) if control else 0
        for place in [*way[at:], *way[::-1], *way[:at]] if chance.random() < 0.5 else [*way[at::-1], *way, *way[:at:-1]]:
            yield {"data": [*experiment.state({control.name: place}).values(), []], "fn_index": function}
        if not way:
            yield {"data": [*experiment.state().values(), []], "fn_index": function}


def places(control: Control | None) -> list[Any]:
    """Where a control can go by arrow keys."""
    match control:
        case Slider():
            many = round((control.high - control.low) / control.step)
            return [control.check(control.low + i * control.step) for i in range(many + 1)]
        case Choice():
            return list(control.options)
        case Toggle():
            return [False, True]
    return []


def drawing_events(lessons: tuple[Lesson, ...], port: int) -> dict[str, int]:
    """Experiment → the number of the event that takes its controls and draws its stage."""
    connection = HTTPConnection(HOST, port)
    connection.request("GET", "/config")
    config = json.load(connection.getresponse())
    connection.close()
    names = {component["id"]: component["props"].get("elem_id") for component in config["components"]}
    events = {
        (*map(names.get, event["inputs"]), *map(names.get, event["outputs"][:1])): event["id"] for event in config["dependencies"]
    }
    return {
        id: events[*(f"{id}-{control.name}" for control in experiment.controls), f"{id}-acts", f"{id}-stage"]
        for id, experiment in experiments(lessons)
    }


def rate(port: int, play: Callable[[int], Iterator[dict]], seconds: float = SECONDS) -> float:
    """Answers a second while all clients ask, each again as soon as it has its answer."""
    prepared = [list(islice(play(client), int(100 * seconds) + 1)) for client in range(CLIENTS)]
    answered, wrong = [], []
    began = perf_counter()

    def client(number: int) -> None:
        connection = HTTPConnection(HOST, port, timeout=PATIENCE)
        for event in prepared[number]:
            body = json.dumps(event | {"session_hash": f"client{number}"})
            connection.request("POST", "/gradio_api/run/predict", body, HEADERS)
            answer = connection.getresponse()
            text = answer.read()
            (answered if answer.status == 200 and b"complaint" not in text else wrong).append(text)
            if wrong or perf_counter() - began > seconds:
                break
        connection.close()

    clients = [Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    for one in clients:
        one.start()
    for one in clients:
        one.join()
    if wrong:
        raise RuntimeError(f"event {prepared[0][0]}: {wrong[0][:300]!r}")
    return len(answered) / (perf_counter() - began)


# ---- opening a lesson ----

# Milliseconds from the navigation until something can be seen there; of what a hand moves, until a hand would reach it: our script
# builds it and makes it move in one go, so it is never there without.
LOOK = """(what) => new Promise((found) => {
  const there = (one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return width && (!one.closest(".widget") || one.contains(document.elementFromPoint(x + width / 2, y + height / 2)));
  };
  const look = () => {
    if ([...document.querySelectorAll(what)].some(there)) found(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})"""


def opening(lessons: tuple[Lesson, ...], browser: Browser, bare: int, course: int) -> Iterator[Row]:
    """Until there is a picture, and until there is a control to move. Nothing kept by the browser."""

    def seen(address: str, what: str) -> float:
        with browser.new_context(viewport=SCREEN) as context, context.new_page() as page:
            page.goto(address, wait_until="commit")
            return page.evaluate(LOOK, what)

    ratios: dict[str, list[float]] = {"picture": [], "control": []}
    for lesson in lessons:
        id = f"{lesson.slug}-{lesson.experiments[0].slug}"
        wanted = {
            "picture": f"#first-view .picture, #{id}-stage .picture",
            "control": f"#{id} :is(.widget input, .widget textarea, .widget select)",
        }
        for what, selector in wanted.items():
            theirs, ours = taking_turns(
                partial(seen, f"http://{HOST}:{bare}/", "#bare"), partial(seen, f"http://{HOST}:{course}/{lesson.slug}", selector)
            )
            print(f"    {lesson.slug}, {what}: {ours:.0f} ms, bare {theirs:.0f} ms", flush=True)
            ratios[what].append(ours / theirs)
    yield Row(
        "opening a lesson to its first picture, median, against a bare page's first text", median(ratios["picture"]), 0.6, "×"
    )
    yield Row("opening a lesson until a control can be moved, median, against the same", median(ratios["control"]), 1.5, "×")


def turning(lessons: tuple[Lesson, ...], browser: Browser, bare: int, course: int) -> None:
    """From lesson to lesson by the bar, and the bare page opened again, by a browser that has been here. Told, not judged."""
    told: dict[str, list[float]] = {"picture": [], "control": [], "bare": []}
    with browser.new_context(viewport=SCREEN) as context, context.new_page() as page, context.new_page() as other:
        other.goto(f"http://{HOST}:{bare}/")
        page.goto(f"http://{HOST}:{course}/{lessons[-1].slug}")
        for lesson in lessons:
            page.bring_to_front()
            page.wait_for_function("!document.getElementById('first-view')")
            with page.expect_navigation(wait_until="commit"):
                page.locator(f".bar a[href='{lesson.slug}']").click()
            told["picture"].append(page.evaluate(LOOK, ".picture"))
            told["control"].append(page.evaluate(LOOK, ".widget :is(input, textarea, select)"))
            other.bring_to_front()
            other.reload(wait_until="commit")
            told["bare"].append(other.evaluate(LOOK, "#bare"))
    middle = {what: median(taken) for what, taken in told.items()}
    print(
        f"    from lesson to lesson: picture {middle['picture']:.0f} ms, control {middle['control']:.0f} ms; "
        f"the bare page again: {middle['bare']:.0f} ms",
        flush=True,
    )


# ---- steps ----


def playing(lessons: tuple[Lesson, ...], browser: Browser, course: int) -> Iterator[Row]:
    """The arrow key held down on a step control that has some way to go: pictures a second."""
    rates = {}
    for id, experiment in experiments(lessons):
        steps = [control for control in experiment.controls if isinstance(control, Step)]
        if not steps:
            continue
        with browser.new_context(viewport=SCREEN) as context, context.new_page() as page:
            page.goto(f"http://{HOST}:{course}/{id.removesuffix('-' + experiment.slug)}?experiment={experiment.slug}")
            slider = page.locator(f"#{id}-{steps[0].name} input[type=range]")
            slider.wait_for(state="attached")
            page.wait_for_load_state("networkidle")
            if not slider.is_visible():
                continue
            page.evaluate(COUNT, f"#{id}-stage")
            slider.press("Home")
            page.wait_for_timeout(500)
            low, high = slider.evaluate("e => [+e.min, +e.max]")
            if high - low < 6:
                continue
            page.evaluate("answers = 0")
            began = perf_counter()
            while slider.evaluate("e => +e.value < +e.max") and perf_counter() - began < 2:
                page.keyboard.press("ArrowRight")
            before = -1
            while page.evaluate("answers") != before:
                before = page.evaluate("answers")
                page.wait_for_timeout(40)
            rates[id] = before / (perf_counter() - began - 0.04)
        print(f"    {id}: {rates[id]:.1f} steps/s", flush=True)
    if rates:
        yield Row(
            f"steps a second while a key is held, median of {len(rates)} experiments",
            median(rates.values()),
            12,
            "/s",
            at_least=True,
        )


# ---- a hand on a mark ----

# Counts the answers that reached the picture: its link is another each time.
COUNT = """(stage) => {
  const link = () => document.querySelector(`${stage} .stage`)?.dataset.link;
  let before = link();
  window.answers = 0;
  new MutationObserver(() => { if (link() !== before) { before = link(); answers += 1; } })
    .observe(document.querySelector(stage), { subtree: true, childList: true, attributeFilter: ["data-link"] });
}"""


def dragging(lessons: tuple[Lesson, ...], browser: Browser, echo: int, course: int) -> Iterator[Row]:
    """Every experiment with marks to drag: to and fro with the second of them, as fast as the browser takes it."""
    with browser.new_context(viewport=SCREEN) as context, context.new_page() as page:
        page.goto(f"http://{HOST}:{echo}/")
        repeated, moves = dragged(page, page.locator("#echo-value input[type=range]"), "#echo-stage")
    print(f"    echo: {repeated:.1f} answers/s for {moves:.0f} moves/s", flush=True)
    rates = {}
    for id, experiment in experiments(lessons):
        if not any(isinstance(control, Handles | Edits) for control in experiment.controls):
            continue
        with browser.new_context(viewport=SCREEN) as context, context.new_page() as page:
            page.goto(f"http://{HOST}:{course}/{id.removesuffix('-' + experiment.slug)}?experiment={experiment.slug}")
            knobs = page.locator(f"#{id}-stage .knob")
            knobs.first.wait_for()
            rates[id], moves = dragged(page, knobs.nth(min(1, knobs.count() - 1)), f"#{id}-stage")
        print(f"    {id}: {rates[id]:.1f} pictures/s for {moves:.0f} moves/s", flush=True)
    if rates:
        slowest = min(rates.values()) / repeated
        yield Row("pictures while a mark is dragged, the slowest experiment, against an echo", slowest, 0.6, "×", at_least=True)


def dragged(page: Page, mark: Locator, stage: str, seconds: float = 3) -> tuple[float, float]:
    """Pictures a second, and moves a second."""
    mark.wait_for()
    page.wait_for_load_state("networkidle")
    page.evaluate(COUNT, stage)
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    assert box
    x, y = box["x"] + min(box["width"] / 2, 100), box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    began, moves = perf_counter(), 0
    for moves in count(1):
        away = abs(moves % 20 - 10) - 10
        page.mouse.move(x - 15 * away, y + 5 * away)
        if perf_counter() - began > seconds:
            break
    page.mouse.up()
    taken = perf_counter() - began
    return page.evaluate("answers") / taken, moves / taken
