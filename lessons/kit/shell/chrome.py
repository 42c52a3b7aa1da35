"""What surrounds an experiment, as HTML: header, heading, foot. Static; assets/js/page.js makes it move."""

import inspect
from html import escape
from typing import Any

from lessons.kit.contract import Experiment, Lesson

FORMATS = "svg png pdf csv"
CLEAR = '<p class="clear-progress"><button type="button" class="clear" data-action="clear">clear my progress</button></p>'


def heading(kicker: str, question: str) -> str:
    return f'<p class="kicker">{escape(kicker)}</p><h1 class="question">{escape(question)}</h1>'


def header(device: str, rosetta: str, glossary: str) -> str:
    """Name, progress, notation, glossary, device, theme, present; the panels that two of them open."""
    return (
        '<div class="header"><a class="name" href="./">Seq<b>2</b>See</a><span class="tagline">watch a sequence model think</span>'
        f'<span class="tools"><span class="device" title="where the models run">{escape(device)}</span>'
        '<span class="progress" data-progress="*"></span>'
        '<button type="button" data-action="open" data-dialog="rosetta">notation</button>'
        '<button type="button" data-action="open" data-dialog="glossary">glossary</button>'
        '<button type="button" data-action="theme" aria-label="switch between light and dark">◐</button>'
        '<button type="button" data-action="present" aria-pressed="false">present</button></span></div>'
        + dialog("rosetta", "Notation: one symbol, one meaning", rosetta)
        + dialog("glossary", "Glossary", glossary)
    )


def bar(lessons: tuple[Lesson, ...], here: Lesson | None) -> str:
    """The lessons as tabs. Relative addresses: the app may live under a path."""
    stops = [("./", "Map", here is None), *((one.slug, f"{n} {one.short}", one is here) for n, one in enumerate(lessons, start=1))]
    here_now = {True: ' aria-current="page"', False: ""}
    links = "".join(f'<a href="{address}"{here_now[current]}>{escape(name)}</a>' for address, name, current in stops)
    return f'<nav class="bar" aria-label="lessons">{links}</nav>'


def dialog(name: str, title: str, inner: str) -> str:
    return (
        f'<dialog class="dialog" data-name="{name}" aria-label="{escape(title)}"><div class="dialog-head"><h2>{escape(title)}</h2>'
        f'<button type="button" data-action="close" aria-label="close">×</button></div>{inner}</dialog>'
    )


def foot(lesson: Lesson, experiment: Experiment) -> str:
    """Quiet tools: link, the pictures in every format, numbers, code, reset; then previous and next."""
    address = f"export/{lesson.slug}/{experiment.slug}/"
    return (
        f'<div class="foot-tools" data-for="{lesson.slug}-{experiment.slug}">'
        '<button type="button" data-action="link">copy link</button>'
        f'<details class="saves"><summary>pictures</summary><ul data-export="{address}" data-formats="{FORMATS}"></ul></details>'
        '<details class="numbers"><summary>numbers</summary>'
        '<div class="tables" tabindex="0" role="group" aria-label="numbers"></div></details>'
        f'<details class="code" data-code="code/{lesson.slug}/{experiment.slug}"><summary>code</summary><div></div></details>'
        '<button type="button" data-action="reset">reset</button>'
        '<span class="steps"><button type="button" data-action="go" data-by="-1">← previous</button>'
        '<button type="button" data-action="go" data-by="1">next →</button></span></div>'
    )


def source(experiment: Experiment) -> str:
    """The code that computed it, read from its module."""
    return "".join(
        f'<p class="where">{escape(where(part))}</p><pre tabindex="0"><code>{escape(inspect.getsource(part))}</code></pre>'
        for part in (experiment.compute, *experiment.code)
    )


def where(part: Any) -> str:
    part = inspect.unwrap(part)
    return f"{part.__module__.replace('.', '/')}.py · {part.__qualname__}"
