"""Write the course as files that need no server: `python -m assets.deploy.static OUT --live URL`.

The files open from a disk, a file share or GitHub Pages. The pages are the server's, with the addresses of
files. Drawings, answers and code are in data/, as scripts, because a page opened from a disk must not fetch;
assets/js/static_copy.js reads them.
"""

import argparse
import base64
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from lessons import LESSONS, start
from lessons.kit import link
from lessons.kit.contract import (
    Choice,
    Experiment,
    InputError,
    Lesson,
    Number,
    Result,
    Slider,
    State,
    Text,
    Toggle,
    state_key,
)
from lessons.kit.site_pages import SitePages
from lessons.kit.web import static_files
from lessons.kit.web.cache import ANSWERS
from lessons.kit.web.gradio_api import katex_address, katex_files
from lessons.kit.web.layout import CHECK, START, Frame
from lessons.kit.web.questions import Question, answers_of, collect_questions
from lessons.kit.web.renderer import Renderer, RenderError
from lessons.kit.web.server import Site

MAX_SLIDER_VALUES = 21
ORIGIN = "http://127.0.0.1/"
PAGES = ("notation", "glossary", "about", "accessibility")
LOCAL_FOLDERS = ("static", "katex", "favicon.svg")
ADDRESS = re.compile(r"""(?<![\w-])(href|action|data-export)=(["'])([^"'#:?]*)(\?[^"'#]*)?(#[^"']*)?\2""")
EXPERIMENT = re.compile(r"\bexperiment=([\w-]+)")
SERVER_TAGS = re.compile(
    r'<link rel="(?:manifest|alternate)"[^>]*>|<script type="speculationrules">.*?</script>', re.DOTALL
)
CHALLENGE = re.compile(
    r'<a class="chip" href="([^"]*)" data-tab="[^"]*">go there</a>'
    r'<button[^>]*data-part="settings">[^<]*</button>'
)
TEACH = re.compile(r'<button[^>]*data-action="teach">[^<]*</button>')
KATEX_EXPORT = re.compile(rb"export\s*\{\s*([\w$]+) as default\s*\};?\s*$")


class CompleteRenderer(Renderer):
    """Renderer that draws each state with all closer looks, which the script opens and closes."""

    last: tuple[str, Result | None] = ("", None)  # the last state and its result

    def drawing(self, values: State, acts: Any = (), is_narrow: bool = False) -> str:
        state = self.experiment.state(values)

        def make() -> str:
            every_act = tuple(act.slug for act in self.experiment.acts)
            about, rest = self.draw(state, every_act, is_narrow=is_narrow).split("\n", 1)
            closed = json.loads(about) | {"link": link.encode(self.experiment, state), "open": []}
            if is_narrow:  # computing the state adds notices
                return "\n".join([self.drawing(state).partition("\n")[0], rest])
            return f"{to_json(closed)}\n{rest}"

        return ANSWERS(("complete", self, state_key(state), is_narrow), make)

    def compute(self, state: State) -> Result:
        """Compute once for the wide and the narrow drawing of a state."""
        key, last = state_key(state), self.last
        if last[0] != key or last[1] is None:
            last = self.last = key, super().compute(state)
        assert last[1] is not None
        return last[1]


class StaticSite(Site):
    """The site whose pages are written. `live`: URL of a server that can draw every state."""

    def __init__(self, lessons: Sequence[Lesson], texts: SitePages, live: str):
        super().__init__(lessons, texts)
        self.live = f"{live.rstrip('/')}/"
        self.renderers = {
            slug: [CompleteRenderer(one.lesson, one.experiment, one.terms) for one in group]
            for slug, group in self.renderers.items()
        }

    def make_supervisor(self, module: str) -> None:
        """Return None, because a static site has no jobs."""

    def frame(self) -> Frame:
        frame = super().frame()
        katex = {kind: katex_address(kind) for kind in ("js", "css")}
        return frame._replace(config={**frame.config, "live": self.live, "katex": katex})


def write_site(out: Path, lessons: Sequence[Lesson], live: str) -> None:
    """Write the pages and data of these lessons into a folder."""
    site = StaticSite(lessons, start, live)
    client = TestClient(site.asgi(), base_url=ORIGIN, headers={"Accept-Encoding": ""})
    writer = Writer(out, site, client)
    writer.write_shared()
    questions = collect_questions(lessons)
    for lesson in lessons:
        writer.write_page(f"{lesson.slug}?experiment={START}", f"{lesson.slug}-{START}")
        for number, renderer in enumerate(site.renderers[lesson.slug]):
            writer.write_experiment(renderer, questions, is_first=number == 0)
        if lesson.exercises:
            writer.write_page(f"{lesson.slug}?experiment={CHECK}", f"{lesson.slug}-{CHECK}")
            ids = [f"{lesson.slug}-{CHECK}-{exercise.slug}" for exercise in lesson.exercises]
            content = {id: question_content(questions[id]) for id in ids}
            writer.write_data(f"{lesson.slug}-{CHECK}", {"questions": content})


class Writer:
    """Write pages and data of a site into a folder."""

    def __init__(self, out: Path, site: StaticSite, client: TestClient):
        self.out, self.site, self.client = out, site, client
        self.slugs = [lesson.slug for lesson in site.lessons]

    def get(self, address: str) -> str:
        answer = self.client.get(address)
        assert answer.status_code == 200, f"{address}: {answer.status_code} {answer.text[:200]}"
        return answer.text

    def write(self, name: str, body: str | bytes) -> None:
        path = self.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body.encode() if isinstance(body, str) else body)

    def write_page(self, address: str, name: str) -> str:
        """Write a page of the server as a file; return its HTML."""
        live = f'<a href="{self.site.live}">live course</a>'
        html = TEACH.sub(live, SERVER_TAGS.sub("", self.get(address))).replace(ORIGIN, self.site.live)
        html = self.localize(CHALLENGE.sub(self.challenge_link, html))
        self.write(f"{name}.html", html)
        return html

    def write_data(self, name: str, content: Any) -> None:
        """Write a script with compressed JSON."""
        packed = base64.b64encode(zlib.compress(to_json(content).encode(), 9)).decode()
        self.write(f"data/{name}.js", f'seq2see["{name}"]="{packed}"\n')

    def write_shared(self) -> None:
        """Write the map, the dialogs, the script, the style sheet and KaTeX."""
        for name, body in static_files.static_bodies().items():
            self.write(name, body)
        for name, read in katex_files().items():
            self.write(f"katex/{name}", classic_script(read()) if name.endswith(".js") else read())
        self.write("favicon.svg", self.get("favicon.svg"))
        self.write_page("", "index")
        for page in PAGES:
            self.write_data(page, self.write_page(page, page))
        self.write_data("outline", json.loads(self.get("outline")))

    def write_experiment(self, renderer: Renderer, questions: dict[str, Question], is_first: bool) -> None:
        lesson, experiment = renderer.lesson, renderer.experiment
        acts = ".".join(act.slug for act in experiment.acts)
        html = self.write_page(f"{lesson.slug}?experiment={experiment.slug}&acts={acts}", renderer.id)
        if is_first:
            self.write(f"{lesson.slug}.html", html)
        lines: dict[str, int] = {}  # line of a drawing → its index; most lines are in several drawings
        drawings = {}
        for state in shown_states(renderer):
            for narrow in ("", " narrow"):
                with suppress(InputError, RenderError):  # an option that another control excludes
                    drawing = self.localize(renderer.drawing(state, is_narrow=bool(narrow))).split("\n")
                    numbers = [lines.setdefault(line, len(lines)) for line in drawing]
                    drawings[settings_text(experiment, state) + narrow] = numbers
        id = f"{renderer.id}-predict"
        content = {
            "lines": list(lines),
            "drawings": drawings,
            "code": self.get(f"code/{lesson.slug}/{experiment.slug}"),
            "questions": {id: question_content(questions[id])} if id in questions else {},
        }
        self.write_data(renderer.id, content)

    def localize(self, html: str) -> str:
        """Rewrite addresses in HTML to files; pages that need a server link to the live course."""
        return ADDRESS.sub(self.file_address, html)

    def file_address(self, found: re.Match[str]) -> str:
        name, quote, path, query, anchor = (found[group] or "" for group in range(1, 6))
        query = query.replace("&amp;", "&")
        if path.startswith(LOCAL_FOLDERS) or path.endswith(".html") or not (path or query):
            return found[0]
        if path == "./":
            path = "index.html"
        elif path in self.slugs:
            slug = EXPERIMENT.search(query)
            path = f"{path}-{slug[1]}.html" if slug else f"{path}.html"
        elif path in PAGES:
            path = f"{path}.html"
        else:
            path = self.site.live + path
        return f"{name}={quote}{path}{query.replace('&', '&amp;')}{anchor}{quote}"

    def challenge_link(self, found: re.Match[str]) -> str:
        """Link a challenge to the live course, because its settings need a model."""
        return f'<a class="chip" href="{self.site.live}{found[1]}">solve it in the live course</a>'


def shown_states(renderer: Renderer) -> Iterator[State]:
    """The drawn states: default, presets, and one change away (options, switches, sliders, examples)."""
    experiment, default = renderer.experiment, renderer.experiment.state()
    limits = json.loads(renderer.drawing({}).partition("\n")[0])["limits"]
    states = [default, *(experiment.state(preset.state) for preset in experiment.presets)]
    for control in experiment.controls:
        limit = limits.get(control.name)
        values: Sequence[Any] = ()
        match control:
            case Choice():
                values = control.options
            case Toggle():
                values = (False, True)
            case Slider():
                values = slider_values(control, limit or control.high)
            case Text():
                values = limit if isinstance(limit, list) else control.suggestions
        states += [{**default, control.name: value} for value in values]
    written = set()
    for state in states:
        with suppress(InputError):
            checked = experiment.state(state)
            if state_key(checked) not in written and not experiment.is_private(checked):
                written.add(state_key(checked))
                yield checked


def slider_values(slider: Slider, last: float) -> list[float]:
    """The values of a slider, if they are few; a Step has one per word."""
    count = round((last - slider.low) / slider.step) + 1
    return [slider.low + place * slider.step for place in range(count)] if count <= MAX_SLIDER_VALUES else []


def settings_text(experiment: Experiment, state: State) -> str:
    """The name of a state in static_copy.js: the controls that are not at their default."""
    changed = [one for one in experiment.controls if state[one.name] != one.check(one.default)]
    return "&".join(f"{control.name}={control.write(state[control.name])}" for control in changed)


def question_content(question: Question) -> dict[str, Any]:
    """All answers of a question with their verdicts; for a number also its value and tolerance."""
    exercise, state = question.exercise, question.default_state
    if exercise.answer is None or (isinstance(exercise.answer, Number) and not exercise.tolerance):
        return {"answers": []}  # the answer depends on settings
    answers = answers_of(question)
    content: dict[str, Any] = {
        "answers": [
            {"option": option, "ok": verdict.ok, "message": verdict.message} for option, verdict in answers
        ]
    }
    if isinstance(exercise.answer, Number):
        value, tolerance = exercise.answer.check(answers[0][0]), exercise.tolerance
        unlike = exercise.check(value + 2 * tolerance + 1, state).message
        content |= {"number": value, "tolerance": tolerance, "unlike": unlike}
    return content


def classic_script(module: bytes) -> bytes:
    """KaTeX's module as a script that sets `katex`: a page opened from a disk must not import modules."""
    script, count = KATEX_EXPORT.subn(rb"globalThis.katex=\1", module)
    assert count == 1, "KaTeX's module does not end with its export"
    return b"(()=>{" + script + b"})()"


def to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the course as files that need no server.")
    parser.add_argument("out", type=Path, help="folder to write to")
    parser.add_argument(
        "--live", required=True, metavar="URL", help="a server that draws what the files cannot"
    )
    parser.add_argument(
        "--lesson", action="append", choices=[one.slug for one in LESSONS], help="only this lesson"
    )
    args = parser.parse_args()
    lessons = [lesson for lesson in LESSONS if not args.lesson or lesson.slug in args.lesson]
    write_site(args.out, lessons, args.live)
    sizes = [path.stat().st_size for path in args.out.rglob("*") if path.is_file()]
    print(f"{len(sizes)} files, {sum(sizes) / 1e6:.1f} MB: {args.out}/index.html")


if __name__ == "__main__":
    main()
