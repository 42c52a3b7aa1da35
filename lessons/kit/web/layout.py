"""A page as complete HTML: header, tabs, the asked experiment in the asked state with its controls, foot.

It reads and links without JavaScript; assets/js makes it live in place. Another tab of the lesson is the same page at another
address, of which the script takes the experiment.
"""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from markupsafe import Markup

from lessons.kit import link
from lessons.kit.contract import Experiment, InputError, Lesson, State, lesson_numbers
from lessons.kit.templates import render
from lessons.kit.web import static_files, widgets
from lessons.kit.web.renderer import Renderer, RenderError, parts, pieces_of, said

CHECK = "check"  # the address of the last tab of a lesson, "Check yourself"
FORMATS = "svg png pdf csv"
HIDEABLE = ("controls", "answers", "acts")  # what a lecturer can take out of a page: ?hide=controls.answers


class Frame(NamedTuple):
    """What every page has around its content."""

    lessons: Sequence[Lesson]
    style: str  # address of the style sheet
    script: str  # address of the script
    config: Mapping[str, Any]  # what the script needs to know


def page(
    frame: Frame,
    preview: Markup,
    here: Lesson | None,
    content: Markup,
    query: Mapping[str, str],
    skip: str = "",
) -> Markup:
    """A whole page. `here` is None on the map, `preview` the tags for sites that show links, `skip` the id of the guess."""
    return render(
        "kit/templates/page.html",
        frame=frame,
        config=json.dumps(frame.config, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
        preview=preview,
        here=here,
        numbers=lesson_numbers(frame.lessons),
        content=content,
        skip=skip,
        classes=" ".join(flags(query)),
        before_paint=static_files.before_paint(),
        speculation_rules=static_files.SPECULATION_RULES,
    )


def flags(query: Mapping[str, str]) -> list[str]:
    """Classes of the body that an address asks for: presentation, a page inside another one, parts that a lecturer took out."""
    on = [name for name in ("present", "embed") if query.get(name) == "1"]
    return on + [f"hide-{part}" for part in HIDEABLE if part in query.get("hide", "").split(".")]


# ---- the content of a lesson's page ----


class Tab(NamedTuple):
    """One experiment, or "Check yourself" (without a number)."""

    slug: str
    title: str
    number: int | None
    id: str  # under which progress is kept


def tabs(lesson: Lesson) -> tuple[list[Tab], list[Tab], list[Tab]]:
    """Core experiments, further ones, and "Check yourself" where there are exercises."""
    numbered = {experiment.slug: number for number, experiment in enumerate(lesson.experiments, 1)}

    def tab(experiment: Experiment) -> Tab:
        return Tab(
            experiment.slug, experiment.title, numbered[experiment.slug], f"{lesson.slug}-{experiment.slug}"
        )

    last = [Tab(CHECK, "Check yourself", None, f"{lesson.slug}-{CHECK}")] if lesson.exercises else []
    return [*map(tab, lesson.core)], [*map(tab, lesson.further)], last


def lesson_content(
    lessons: Sequence[Lesson],
    lesson: Lesson,
    renderer: Renderer | None,
    query: Mapping[str, str],
    is_narrow: bool = False,
) -> Markup:
    """The tabs, and the open one: an experiment, or "Check yourself" where there is no renderer. `is_narrow`: for a phone."""
    content = (
        experiment_content(lessons, renderer, query, is_narrow)
        if renderer
        else check_content(lessons, lesson)
    )
    core, further, last = tabs(lesson)
    return render(
        "kit/templates/lesson.html",
        lesson=lesson,
        core=core,
        further=further,
        last=last,
        current=renderer.experiment.slug if renderer else CHECK,
        content=content,
    )


def experiment_content(
    lessons: Sequence[Lesson], renderer: Renderer, query: Mapping[str, str], is_narrow: bool = False
) -> Markup:
    """One experiment, in the state that the link asks for."""
    lesson, experiment = renderer.lesson, renderer.experiment
    state, acts, complaints = link.decode(experiment, query)
    asks = asks_first(renderer, query)
    shown, about, stage = drawn(
        partial(renderer.drawing, is_narrow=is_narrow), renderer, state, acts, complaints, asks
    )
    controls = widgets.widgets(renderer.id, experiment, shown, about)
    placed, standing = widgets.placed(experiment), widgets.shown(experiment, acts)
    return render(
        "kit/templates/experiment.html",
        lesson=lesson,
        experiment=experiment,
        id=renderer.id,
        question=lesson.words.sections[experiment.slug].question,
        before=renderer.words["before"],
        controls=[
            (name, name in placed, "" if name in standing else widget) for name, widget in controls.items()
        ],
        presets=widgets.presets(lesson, experiment),
        guess=experiment.predict
        and widgets.TEMPLATE.exercise(experiment.predict, f"{renderer.id}-predict", True, asks, ""),
        job=experiment.job and widgets.TEMPLATE.job(experiment.job),
        stage=stage(controls),
        asks=asks,
        is_narrow=is_narrow,
        is_linked=bool(set(query) - link.OWN),
        foot=foot(lessons, lesson, experiment),
    )


def drawn(
    draw: Callable[..., str],
    renderer: Renderer,
    state: State,
    acts: tuple[str, ...],
    complaints: list[str],
    asks: bool,
) -> tuple[State, dict, Any]:
    """The state that is shown, what is said about it, and its drawing as a function of the controls that stand in it.

    What would give the guess away is covered. A state that is refused leaves the default, with a sentence that says why.
    """
    try:
        try:
            drawing = draw(state, acts)
        except InputError as error:
            state, complaints = renderer.experiment.state(), [*complaints, str(error)]
            drawing = draw(state, acts)
    except (InputError, RenderError) as error:
        broken = render("kit/templates/broken.html", id=renderer.id, message=str(error))
        return state, {}, lambda _: broken
    about, pieces = pieces_of(drawing)
    for id in renderer.covers if asks else ():
        if id in pieces:
            pieces[id] = covered(pieces[id])
    note = (
        Markup('<p class="message" role="status">{}</p>').format(said(" ".join(complaints)))
        if complaints
        else ""
    )

    def stage(controls: Mapping[str, Markup]) -> Markup:
        values = parts(renderer, acts) | {
            "note": note,
            "link": about["link"],
            "about": drawing.partition("\n")[0],
        }
        return render("kit/templates/stage.html", pieces=pieces, widgets=controls, **values)

    return state, about, stage


def asks_first(renderer: Renderer, query: Mapping[str, str]) -> bool:
    """Does the guess come first? Yes, unless the link sets something or says otherwise; a browser that has guessed knows better."""
    if not renderer.experiment.predict:
        return False
    return query.get("guess") == "1" or (query.get("guess") != "0" and not set(query) - link.OWN)


def covered(piece: Markup) -> Markup:
    """A picture, or a sentence, behind a curtain (assets/js/covers.js lifts it)."""
    body, slash, tail = str(piece).replace(" class='", " class='covered ", 1).rpartition("</")
    return Markup(f"{body}{render('kit/templates/cover.html')}{slash}{tail}")


def check_content(lessons: Sequence[Lesson], lesson: Lesson) -> Markup:
    """The tab “Check yourself”: the exercises of a lesson."""
    exercises = [
        widgets.TEMPLATE.exercise(
            item,
            f"{lesson.slug}-{CHECK}-{item.slug}",
            False,
            False,
            f"{lesson.slug}?experiment={item.experiment}",
        )
        for item in lesson.exercises
    ]
    return render("kit/templates/check.html", lesson=lesson, exercises=exercises, foot=foot(lessons, lesson))


# ---- foot: tools, and the way on ----


class Way(NamedTuple):
    words: str
    address: str
    tab: str = ""  # where it stays inside the lesson


def foot(lessons: Sequence[Lesson], lesson: Lesson, experiment: Experiment | None = None) -> Markup:
    """Quiet tools for an experiment: link, pictures, numbers, code, reset; previous and next, which “Check yourself” has too."""
    back, on, more = ways(lessons, lesson, experiment)
    return render(
        "kit/templates/foot.html",
        lesson=lesson,
        experiment=experiment,
        formats=FORMATS,
        back=back,
        on=on,
        more=more,
    )


def ways(
    lessons: Sequence[Lesson], lesson: Lesson, experiment: Experiment | None
) -> tuple[Way | None, Way, Way | None]:
    """Previous, next, and at the end of the core a way into the further experiments.

    "next" walks the core, then "Check yourself", then the next lesson; from a further experiment it walks the further ones.
    """
    number, numbers = lessons.index(lesson), lesson_numbers(lessons)

    def tab(words: str, slug: str) -> Way:
        return Way(words, f"{lesson.slug}?experiment={slug}", slug)

    def to_lesson(words: str, other: int) -> Way:
        slug = lessons[other].slug
        return Way(words.format(f"Lesson {numbers[slug]}: {lessons[other].short}"), slug)

    after = to_lesson("{} →", number + 1) if number < len(lessons) - 1 else Way("Back to the map →", "./")
    before = to_lesson("← {}", number - 1) if number > 0 else None
    check = tab("Check yourself →", CHECK) if lesson.exercises else after
    if experiment is None:
        return tab("← previous", lesson.core[-1].slug), after, None
    route = lesson.core if experiment in lesson.core else lesson.further
    here = route.index(experiment)
    if here > 0:
        before = tab("← previous", route[here - 1].slug)
    elif experiment in lesson.further:
        before = tab("← previous", lesson.core[-1].slug)
    if here < len(route) - 1:
        return before, tab("next →", route[here + 1].slug), None
    more = (
        tab(f"further: {lesson.further[0].title} →", lesson.further[0].slug)
        if lesson.further and experiment in lesson.core
        else None
    )
    return before, check, more


# ---- the code that computed it ----


def source(experiment: Experiment) -> Markup:
    """The source of what computes an experiment, read from its modules."""
    shown = [(where(part), inspect.getsource(part)) for part in (experiment.compute, *experiment.code)]
    return render("kit/templates/source.html", parts=shown)


def where(part: Any) -> str:
    part = inspect.unwrap(part)
    return f"{part.__module__.replace('.', '/')}.py · {part.__qualname__}"
