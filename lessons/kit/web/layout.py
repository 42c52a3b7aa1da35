"""Render a page as complete HTML: header, tabs, an experiment in the state of the link, footer.

The page and its links work without JavaScript; assets/js makes it interactive. Every tab of a lesson has
its own URL: the script loads that page and extracts the experiment.
"""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from markupsafe import Markup

from lessons.kit import link
from lessons.kit.contract import (
    Exercise,
    Experiment,
    InputError,
    Lesson,
    State,
    lesson_numbers,
    lesson_text,
)
from lessons.kit.language import (
    ENGLISH,
    LANGUAGES,
    PAGE_LANGUAGE,
    keep_language,
    script_config,
    text_language,
    translate,
)
from lessons.kit.markdown import render_markdown
from lessons.kit.templates import render
from lessons.kit.web import static_files, widgets
from lessons.kit.web.renderer import Renderer, RenderError, bold_html, layout_values, parse_drawing

CHECK = "check"  # slug of the tab "Check yourself"
START = "welcome"  # slug of the page before the first experiment
FORMATS = "svg png pdf csv"
PLATFORMS = {  # platform → where to paste its embedding code (assets/js/embed_texts.js)
    "web page": "Copies HTML. The frame grows with its content.",
    "Moodle": "Copies HTML for the source view of Moodle’s editor.",
    "Quarto": "Copies a raw block for a .qmd file.",
    "reveal.js": "Copies a slide with this experiment as its background.",
    "Jupyter Book": "Copies a directive for a MyST Markdown file.",
}
HIDEABLE = ("controls", "answers", "acts")  # parts a lecturer can hide: ?hide=controls.answers


class Frame(NamedTuple):
    """Values that all pages share."""

    lessons: Sequence[Lesson]
    style: str  # URL of the style sheet
    script: str  # URL of the script
    config: dict[str, Any]  # configuration of the script


def render_page(
    frame: Frame,
    preview: Markup,
    here: Lesson | None,
    content: Markup,
    query: Mapping[str, str],
    skip: str = "",
    state: str = "",
) -> Markup:
    """Render a whole page.

    `here`: None on the map; `preview`: tags for <head>; `skip`: id of the guess; `state`: what the page
    shows, as a query, for links to other languages.
    """
    return render(
        "kit/templates/page.html",
        frame=frame,
        config=to_json(frame.config | script_config(here.text.language if here else PAGE_LANGUAGE.get())),
        languages=other_languages(here, state),
        preview=preview,
        here=here,
        numbers=lesson_numbers(frame.lessons),
        content=content,
        skip=skip,
        classes=" ".join(body_classes(query)),
        before_paint=static_files.before_paint(),
        speculation_rules=static_files.SPECULATION_RULES,
    )


def to_json(config: Mapping[str, Any]) -> str:
    """JSON for a script element."""
    return json.dumps(config, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def other_languages(here: Lesson | None, state: str) -> list[tuple[str, str, str]]:
    """Code, name and address of this page in each other language: English, and those the lesson has."""
    found = []
    for code, name in LANGUAGES.items():
        is_there = code == ENGLISH or (here and lesson_text(here, code).language == code)
        if code != PAGE_LANGUAGE.get() and is_there:
            query = "&".join(filter(None, [state, "" if code == ENGLISH else f"lang={code}"]))
            found.append((code, name, f"{here.slug if here else './'}{query and f'?{query}'}"))
    return found


def body_classes(query: Mapping[str, str]) -> list[str]:
    """CSS classes of <body>, from the query: presentation mode, embedded page, hidden parts."""
    modes = [name for name in ("present", "embed") if query.get(name) == "1"]
    return modes + [f"hide-{part}" for part in HIDEABLE if part in query.get("hide", "").split(".")]


# ---- the content of a lesson's page ----


class Tab(NamedTuple):
    """A tab: an experiment, or "Check yourself" (without a number)."""

    slug: str
    title: str
    number: int | None
    id: str  # the browser stores progress under this id


def lesson_tabs(lesson: Lesson) -> tuple[list[Tab], list[Tab], list[Tab]]:
    """The tabs of core experiments, of further ones, and "Check yourself" if there are exercises."""
    numbered = {experiment.slug: number for number, experiment in enumerate(lesson.experiments, 1)}

    def tab(experiment: Experiment) -> Tab:
        slug = experiment.slug
        return Tab(slug, translate(experiment.title), numbered[slug], f"{lesson.slug}-{slug}")

    last = (
        [Tab(CHECK, translate("Check yourself"), None, f"{lesson.slug}-{CHECK}")] if lesson.exercises else []
    )
    return [*map(tab, lesson.core)], [*map(tab, lesson.further)], last


def render_lesson(
    lessons: Sequence[Lesson],
    lesson: Lesson,
    renderer: Renderer | None,
    query: Mapping[str, str],
    is_narrow: bool = False,
) -> Markup:
    """Render the tabs and the open experiment, or "Check yourself" if there is no renderer."""
    if renderer:
        content = render_experiment(lessons, renderer, query, is_narrow)
    else:
        content = (render_start if is_start(query) else render_check)(lessons, lesson)
    current = renderer.experiment.slug if renderer else START if is_start(query) else CHECK
    with text_language(lesson.text.language):
        core, further, last = lesson_tabs(lesson)
        tabs = {"core": core, "further": further, "last": last}
        return render("kit/templates/lesson.html", lesson=lesson, **tabs, current=current, content=content)


def render_experiment(
    lessons: Sequence[Lesson], renderer: Renderer, query: Mapping[str, str], is_narrow: bool = False
) -> Markup:
    """Render one experiment in the state of the link."""
    foot = render_foot(lessons, renderer.lesson, renderer.experiment)
    with renderer.in_its_language():
        return render_experiment_text(renderer, query, is_narrow, foot)


def render_experiment_text(
    renderer: Renderer, query: Mapping[str, str], is_narrow: bool, foot: Markup
) -> Markup:
    lesson, experiment = renderer.lesson, renderer.experiment
    state, acts, complaints = link.decode(experiment, query)
    asks = asks_first(renderer, query)
    draw = partial(renderer.drawing, is_narrow=is_narrow)
    shown_state, about, render_drawing = draw_state(draw, renderer, state, acts, complaints, asks)
    controls = widgets.render_widgets(renderer.id, experiment, shown_state, about)
    in_layouts, in_view = widgets.controls_in_layouts(experiment), widgets.controls_in_view(experiment, acts)
    guess = experiment.predict and widgets.TEMPLATE.exercise(
        experiment.predict, f"{renderer.id}-predict", True, asks, ""
    )
    return render(
        "kit/templates/experiment.html",
        lesson=lesson,
        experiment=experiment,
        id=renderer.id,
        question=lesson.text.experiments[experiment.slug].question,
        before=renderer.text["before"],
        controls=[
            (name, name in in_layouts, "" if name in in_view else widget) for name, widget in controls.items()
        ],
        presets=widgets.render_presets(lesson, experiment),
        guess=guess,
        job=experiment.job and widgets.TEMPLATE.job(experiment.job),
        drawing=render_drawing(controls),
        asks=asks,
        is_narrow=is_narrow,
        is_linked=bool(set(query) - link.RESERVED_PARAMETERS),
        foot=foot,
    )


def draw_state(
    draw: Callable[..., str],
    renderer: Renderer,
    state: State,
    acts: tuple[str, ...],
    complaints: list[str],
    asks: bool,
) -> tuple[State, dict, Callable[[Mapping[str, Markup]], Markup]]:
    """The state that is shown, the JSON of its drawing, and a function that renders it with controls.

    If the guess comes first, pieces that would reveal its answer are covered. If the state cannot be drawn,
    the default state is shown with a message.
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
    about, pieces = parse_drawing(drawing)
    for id in renderer.covers if asks else ():
        if id in pieces:
            pieces[id] = add_cover(pieces[id])
    message = Markup('<p class="message" role="status">{}</p>').format(bold_html(" ".join(complaints)))
    values = layout_values(renderer, acts) | {
        "note": message if complaints else "",
        "link": about["link"],
        "about": drawing.partition("\n")[0],
    }

    def render_drawing(controls: Mapping[str, Markup]) -> Markup:
        return render("kit/templates/drawing.html", pieces=pieces, widgets=controls, **values)

    return state, about, render_drawing


def asks_first(renderer: Renderer, query: Mapping[str, str]) -> bool:
    """Whether to show the guess first: yes, unless the link sets a control or skips the guess.

    The page's script also checks whether this browser has guessed before.
    """
    if not renderer.experiment.predict:
        return False
    return query.get("guess") == "1" or (
        query.get("guess") != "0" and not set(query) - link.RESERVED_PARAMETERS
    )


def add_cover(piece: Markup) -> Markup:
    """Put a piece behind a cover, which assets/js/covers.js removes."""
    body, slash, tail = str(piece).replace(" class='", " class='covered ", 1).rpartition("</")
    return Markup(f"{body}{render('kit/templates/cover.html')}{slash}{tail}")


def is_start(query: Mapping[str, str]) -> bool:
    return query.get("experiment") == START


def render_start(lessons: Sequence[Lesson], lesson: Lesson) -> Markup:
    """Render the start of a lesson: its lead, and questions from earlier lessons that need no experiment."""
    with text_language(lesson.text.language):
        return render_start_text(lessons, lesson)


def render_start_text(lessons: Sequence[Lesson], lesson: Lesson) -> Markup:
    questions = [
        widgets.TEMPLATE.exercise(exercise, f"{earlier.slug}-{CHECK}-{exercise.slug}", False, False, "")
        for earlier in lessons[: lessons.index(lesson)]
        if earlier.text.language == lesson.text.language
        for exercise in earlier.exercises
        if exercise.answer and not exercise.experiment
    ]
    slug, title = lesson.core[0].slug, translate(lesson.core[0].title)
    first = NavLink(translate("Begin: {title} →", title=title), f"{lesson.slug}?experiment={slug}", slug)
    return render(
        "kit/templates/welcome.html",
        lesson=lesson,
        lead=Markup(render_markdown(lesson.text.lead)),
        questions=questions,
        first=first,
        foot=render(
            "kit/templates/foot.html",
            lesson=lesson,
            experiment=None,
            previous=None,
            following=first,
            further=None,
        ),
    )


def render_check(lessons: Sequence[Lesson], lesson: Lesson) -> Markup:
    """Render the tab “Check yourself”: the exercises of a lesson."""

    foot = render_foot(lessons, lesson)

    def exercise(item: Exercise) -> Markup:
        address = keep_language(f"{lesson.slug}?experiment={item.experiment}")
        return widgets.TEMPLATE.exercise(item, f"{lesson.slug}-{CHECK}-{item.slug}", False, False, address)

    with text_language(lesson.text.language):
        return render(
            "kit/templates/check.html",
            lesson=lesson,
            exercises=[*map(exercise, lesson.exercises)],
            closing=Markup(render_markdown(lesson.text.closing)),
            foot=foot,
        )


# ---- footer: tools, previous and next ----


class NavLink(NamedTuple):
    text: str
    address: str
    tab: str = ""  # slug of the tab, if it is in this lesson


def render_foot(lessons: Sequence[Lesson], lesson: Lesson, experiment: Experiment | None = None) -> Markup:
    """Render the footer: previous, next, and an experiment's tools (link, pictures, numbers, code, reset)."""
    previous, following, further = nav_links(lessons, lesson, experiment)
    return render(
        "kit/templates/foot.html",
        lesson=lesson,
        experiment=experiment,
        formats=FORMATS,
        platforms=PLATFORMS,
        previous=previous,
        following=following,
        further=further,
    )


def nav_links(
    lessons: Sequence[Lesson], lesson: Lesson, experiment: Experiment | None
) -> tuple[NavLink | None, NavLink, NavLink | None]:
    """Links to the previous and next page, and after the last core experiment to the further ones.

    "next" leads through the core experiments to "Check yourself" and the next lesson; from a further
    experiment it leads to the next further one.
    """
    number, numbers = lessons.index(lesson), lesson_numbers(lessons)

    def to_tab(text: str, slug: str) -> NavLink:
        return NavLink(text, f"{lesson.slug}?experiment={slug}", slug)

    def to_lesson(text: str, other: Lesson) -> NavLink:
        address = f"{other.slug}?experiment={START}" if other in lessons[number:] else other.slug
        name = translate("Lesson {n}: {title}", n=numbers[other.slug], title=translate(other.short_title))
        return NavLink(text.format(name), address)

    is_last = number == len(lessons) - 1
    after = (
        NavLink(translate("Back to the map →"), "./") if is_last else to_lesson("{} →", lessons[number + 1])
    )
    if experiment is None:
        return to_tab(translate("← previous"), lesson.core[-1].slug), after, None
    before = to_lesson("← {}", lessons[number - 1]) if number > 0 else None
    route = lesson.core if experiment in lesson.core else lesson.further
    here = route.index(experiment)
    if here > 0:
        before = to_tab(translate("← previous"), route[here - 1].slug)
    elif experiment in lesson.further:
        before = to_tab(translate("← previous"), lesson.core[-1].slug)
    if here < len(route) - 1:
        return before, to_tab(translate("next →"), route[here + 1].slug), None
    first = lesson.further[0] if lesson.further and experiment in lesson.core else None
    further = (
        to_tab(translate("further: {title} →", title=translate(first.title)), first.slug) if first else None
    )
    return before, to_tab(translate("Check yourself →"), CHECK) if lesson.exercises else after, further


# ---- source code ----


def render_source(experiment: Experiment) -> Markup:
    """Render the source code of an experiment's `compute` function and of the objects in `code`."""
    parts = [
        (source_location(part), inspect.getsource(part)) for part in (experiment.compute, *experiment.code)
    ]
    return render("kit/templates/source.html", parts=parts)


def source_location(part: Any) -> str:
    part = inspect.unwrap(part)
    return f"{part.__module__.replace('.', '/')}.py · {part.__qualname__}"
