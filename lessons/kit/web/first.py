"""What is seen at once: the asked experiment in the asked state, as plain HTML, before Gradio has started.

It is the markup that the browser would make of the stage's own text (assets/js/stage.js), put together here. It is not a likeness:
our own script makes it move, and when Gradio has built the rest of the page, it moves in there (assets/js/first.js).
"""

import json
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from markupsafe import Markup, escape

from lessons.kit import link
from lessons.kit.contract import InputError, Lesson, plain
from lessons.kit.web import components, script
from lessons.kit.web.page import CHECK
from lessons.kit.web.renderer import RenderError, Renderer, said
from lessons.kit.templates import render

SLOT = re.compile(r"<i data-piece='([^']+)'></i>")
PLACE = re.compile(r"<div class='place' data-control='([^']+)'>")
NAMED = re.compile(r" id='([^']+)'")
ID = re.compile(r""" id=["']([^"']*)["']""")
REFERRED = re.compile(r"url\(#([^)]+)\)")
COVER = "<span class='cover'>Your guess first, or <button type='button' class='quiet'>show me</button></span>"


def page(header: Markup, lesson: Lesson | None, stage: Renderer | None, query: Mapping[str, str], map: Markup | None = None) -> bytes:
    """The first view of an address; of the map, if no lesson is named; of “Check yourself”, if no stage is."""
    words = lesson.words.sections[stage.experiment.slug] if lesson and stage else None
    html = render(
        "kit/templates/first.html",
        header=nameless(str(header).partition("<dialog")[0]),  # the panels come with Gradio
        lesson=lesson,
        id=stage.id if stage else f"{lesson.slug}-{CHECK}" if lesson else "",
        here=stage.experiment if stage else None,
        placed=components.placed(stage.experiment) if stage else (),
        question=words.question if words else lesson.words.question if lesson else "",
        before=stage.words["before"] if stage else "",
        stage=Markup(drawn(stage, query)) if stage else "",
        map=nameless(str(map or "")),
        fitting=Markup(script.fitting()),
    )
    return str(html).encode()


def nameless(html: str) -> Markup:
    """Of what Gradio has a copy: without its ids. Those that a drawing refers to stay."""
    kept = REFERRED.findall(html)
    return Markup(ID.sub(lambda id: id.group() if id.group(1) in kept else "", html))


def drawn(stage: Renderer, query: Mapping[str, str]) -> str:
    """The stage, its pieces in their places, and what the controls are set to; what would give the guess away is covered."""
    state, acts, complaints = link.decode(stage.experiment, query)
    try:
        try:
            about, layout, *pieces = stage.html(state, acts).split("\n")
        except InputError as error:
            state, complaints = stage.experiment.state(), [*complaints, str(error)]
            about, layout, *pieces = stage.html(state, acts).split("\n")
    except (InputError, RenderError) as error:
        note = f"<div class='note'><p class='message'>{escape(str(error))}</p></div>"
        return f"<div class='stage' data-experiment='{stage.id}'{known(stage, state, acts)}>{note}</div>"
    covered = {*stage.covers} if asks_first(query) else set()
    found = {}
    for piece in pieces:
        name = NAMED.search(piece)
        if name:
            found[name.group(1)] = curtained(piece) if name.group(1) in covered else piece
    html = SLOT.sub(lambda slot: found.get(slot.group(1), ""), PLACE.sub(roomy(stage, json.loads(about).get("idle", ())), layout))
    if complaints:
        html = html.replace("<div class='note'>", f"<div class='note'><p class='message'>{said(' '.join(complaints))}</p>", 1)
    return html.replace("<div class='stage'", f"<div class='stage'{known(stage, state, acts, about)}", 1)


def roomy(stage: Renderer, idle: Collection[str]) -> Callable[[re.Match[str]], str]:
    """The places of controls say what will be there: they keep room for it (assets/css/first.css)."""
    kinds = {f"{stage.id}-{c.name}": components.kind(c) + " idle" * (c.name in idle) for c in stage.experiment.controls}
    return lambda place: f"<div class='place' data-kind='{kinds[place[1]]}' data-control='{place[1]}'>"


def known(stage: Renderer, state: Mapping[str, Any], acts: tuple[str, ...], about: str = "") -> str:
    """What the script must know of a stage that it did not draw itself."""
    values = {f"{stage.id}-{name}": plain(value) for name, value in state.items()} | {f"{stage.id}-acts": acts}
    return f" data-values='{escape(json.dumps(values, ensure_ascii=False))}' data-about='{escape(about)}'"


def asks_first(query: Mapping[str, str]) -> bool:
    """As the browser decides it (assets/js/covers.js), but for what only the browser remembers."""
    return query.get("guess") == "1" or (query.get("guess") != "0" and not set(query) - link.OWN)


def curtained(piece: str) -> str:
    """A picture, or words, behind a curtain."""
    opened = piece.replace(" class='", " class='covered ", 1)
    body, slash, tail = opened.rpartition("</")
    return f"{body}{COVER}{slash}{tail}"
