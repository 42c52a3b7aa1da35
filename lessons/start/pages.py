"""The map of the course, the table of notations and the glossary, as HTML. Styled by assets/css/start.css."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from html import escape

from lessons.kit.pictures.base import element
from lessons.start import ROAD, Stop
from lessons.start.pictograms import pictogram
from lessons.start.words import EXAMPLES, GLOSSARY, ROLES, ROSETTA, TIMELINE, Example, Moment

Answer = Callable[[str, str], tuple[Sequence[str], Sequence[str]]]  # (model, text) → tokens read, tokens written

STOPS = {stop.slug: stop for stop in ROAD}
ROLE_OF = {symbol: role for role, symbols in ROLES.items() for symbol in symbols}
INDEX = r"_(?:\{[^}]+\}|[0-9A-Za-z]+′?)"  # _ti, _T′, _{t−1}
SYMBOL = re.compile(rf"(?<!\w)([{''.join(ROLE_OF)}])(?:{INDEX})?(?![A-Za-z_])")


def map_page(available: Mapping[str, int], answer: Answer) -> str:
    """The road, its history, its uses. `available`: the lessons that exist, and how many things there are to do in each."""
    return (
        '<div class="road-page">'
        f"{opening(available)}"
        f'<ol class="road-stops">{"".join(stop_card(stop, available) for stop in ROAD)}</ol>'
        f"{history(available)}{uses(available, answer)}</div>"
    )


# ---- the road ----


def opening(available: Mapping[str, int]) -> str:
    first = next((stop for stop in ROAD if stop.slug in available), None)
    start = f'<a class="road-start" href="{first.slug}">Start with lesson {first.number}</a>' if first else ""
    return (
        '<header class="road-opening"><div><p class="road-kicker">Course map</p>'
        "<h2>How does a machine turn one sequence into another?</h2>"
        f"<p>{len(ROAD)} stops, one question each. Move something inside a small, real model, and see what it does.</p></div>"
        f"{start}</header>"
    )


def stop_card(stop: Stop, available: Mapping[str, int]) -> str:
    todo = available.get(stop.slug)
    progress = (
        '<span class="road-soon">soon</span>'
        if todo is None
        else f'<span class="progress" data-progress="{stop.slug}" data-total="{todo}">{todo} things to do</span>'
    )
    return (
        f'<li class="road-stop{"" if todo is not None else " road-closed"}"><span class="road-number">{stop.number}</span>'
        f'{pictogram(stop.slug)}<div class="road-words"><h3>{to_lesson(stop, escape(stop.title), available)}</h3>'
        f'<p class="road-question">{escape(stop.question)}</p><p class="road-line">{escape(stop.one_line)}</p>{progress}</div></li>'
    )


def to_lesson(stop: Stop, words: str, available: Collection[str]) -> str:
    """A link if the lesson is there; relative, since the app may live under a path of its own."""
    return f'<a href="{stop.slug}">{words}</a>' if stop.slug in available else words


def lesson(slug: str, available: Collection[str]) -> str:
    return to_lesson(STOPS[slug], f"lesson {STOPS[slug].number}", available)


# ---- where it comes from, and what it is for ----


def history(available: Collection[str]) -> str:
    return (
        "<section><h3>Where the ideas come from</h3>"
        f'<ol class="timeline-list">{"".join(moment_item(moment, available) for moment in TIMELINE)}</ol></section>'
    )


def moment_item(moment: Moment, available: Collection[str]) -> str:
    return (
        f'<li class="timeline-item"><span class="timeline-year">{escape(moment.year)}</span><div>'
        f'<p class="timeline-what"><strong>{escape(moment.what)}</strong> <span>{lesson(moment.stop, available)}</span></p>'
        f"<p>{escape(moment.why)}</p><cite>{escape(moment.source)}</cite></div></li>"
    )


def uses(available: Collection[str], answer: Answer) -> str:
    place = lesson("bottleneck", available)
    run = f"you can run it in {place}" if "bottleneck" in available else f"{place} will let you run it"
    return (
        '<section class="task-section"><h3>Many tasks, one shape: a sequence in, a sequence out</h3>'
        f"<p>Where it says live, one of this course’s models wrote the output when this page was made; {run}. "
        "The others were written by hand, to show the shape.</p>"
        f'<ul class="task-list">{"".join(example_item(example, answer) for example in EXAMPLES)}</ul></section>'
    )


def example_item(example: Example, answer: Answer) -> str:
    if example.model:
        source, target = answer(example.model, example.source)
        mark = '<span class="task-mark task-live">live</span>'
    else:
        source, target = example.source.split(), example.target.split()
        mark = '<span class="task-mark">example</span>'
    return (
        f'<li class="task-item"><p class="task-name"><strong>{escape(example.task)}</strong> {mark}</p>'
        f'{tokens(source, "task-source")}<span class="task-arrow" role="img" aria-label="becomes">↓</span>'
        f"{tokens(target, 'task-target')}</li>"
    )


def tokens(words: Sequence[str], kind: str) -> str:
    return f'<p class="{kind}">{" ".join(element("span", escape(word.replace(" ", "␣"))) for word in words)}</p>'


# ---- reachable from every lesson ----


def rosetta() -> str:
    """How this course writes it, and how others do."""
    rows = "".join(
        f'<tr><th scope="row">{formulas(here, coloured=True)}</th><td>{formulas(elsewhere)}</td>'
        f"<td>{formulas(meaning, coloured=True)}</td></tr>"
        for here, elsewhere, meaning in ROSETTA
    )
    return (
        '<table class="rosetta-table"><thead><tr><th scope="col">in the app</th><th scope="col">also written</th>'
        f'<th scope="col">meaning</th></tr></thead><tbody>{rows}</tbody></table>'
    )


def glossary(available: Collection[str] = ()) -> str:
    """The words of the course, from A to Z; links lead to the lessons that are there."""
    items = "".join(
        f"<div><dt>{escape(term)}</dt><dd>{formulas(sentence)} <span>{lesson(slug, available)}</span></dd></div>"
        for term, (slug, sentence) in sorted(GLOSSARY.items(), key=lambda item: item[0].lower())
    )
    return f'<dl class="glossary-list">{items}</dl>'


def formulas(text: str, coloured: bool = False) -> str:
    """Escaped; what stands in backticks is mathematics, with _ and ^ as indices, and symbols in the colour of their role."""
    plain = escape(text).split("`")
    return "".join(element("code", formula(part, coloured)) if k % 2 else part for k, part in enumerate(plain))


def formula(text: str, coloured: bool) -> str:
    if coloured:
        text = SYMBOL.sub(lambda m: f'<span class="rosetta-{ROLE_OF[m[1]]}">{m[0]}</span>', text)
    text = re.sub(INDEX, lambda m: f"<sub>{m[0].strip('_{}')}</sub>", text)
    return re.sub(r"\^(\w)", r"<sup>\1</sup>", text)
