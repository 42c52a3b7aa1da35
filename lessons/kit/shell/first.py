"""What is seen at once: the asked experiment in the asked state, as plain HTML, before Gradio has started.

It is the markup that the browser will make of the stage's own text (assets/js/stage.js), put together here, at the place
where Gradio will put it. When Gradio has drawn the same, the browser takes this away (assets/js/first.js).
"""

import re
from collections.abc import Mapping

from markupsafe import Markup, escape

from lessons.kit import link
from lessons.kit.contract import InputError, Lesson
from lessons.kit.shell import script
from lessons.kit.shell.stage import Fault, Stage, said
from lessons.kit.templates import render

SLOT = re.compile(r"<i data-piece='([^']+)'></i>")
NAMED = re.compile(r" id='([^']+)'")
ID = re.compile(r""" id=["']([^"']*)["']""")
REFERRED = re.compile(r"url\(#([^)]+)\)")
COVER = "<span class='cover'>Your guess first, or <button type='button' class='quiet'>show me</button></span>"


def page(header: Markup, lesson: Lesson | None, stage: Stage | None, query: Mapping[str, str], map: Markup | None = None) -> bytes:
    """The first view of an address; of the map, if no lesson is named; of “Check yourself”, if no stage is."""
    words = lesson.words.sections[stage.experiment.slug] if lesson and stage else None
    html = render(
        "kit/templates/first.html",
        header=Markup(str(header).partition("<dialog")[0]),  # the panels come with Gradio
        lesson=lesson,
        here=stage.experiment if stage else None,
        question=words.question if words else lesson.words.question if lesson else "",
        before=stage.words["before"] if stage else "",
        stage=Markup(drawn(stage, query)) if stage else "",
        map=map or "",
        fitting=Markup(script.fitting()),
    )
    return nameless(str(html)).encode()


def nameless(html: str) -> str:
    """Without the ids that Gradio's copy will have; those that a drawing refers to stay."""
    kept = {"first-view", *REFERRED.findall(html)}
    return ID.sub(lambda id: id.group() if id.group(1) in kept else "", html)


def drawn(stage: Stage, query: Mapping[str, str]) -> str:
    """The stage, its pieces in their places; what would give the guess away is covered."""
    state, acts, complaints = link.decode(stage.experiment, query)
    try:
        _, layout, *pieces = stage.html(state, acts).split("\n")
    except (InputError, Fault) as error:
        return f"<p class='fault'>{escape(str(error))}</p>"
    covered = {*stage.covers} if asks_first(query) else set()
    found = {}
    for piece in pieces:
        name = NAMED.search(piece)
        if name:
            found[name.group(1)] = curtained(piece) if name.group(1) in covered else piece
    html = SLOT.sub(lambda slot: found.get(slot.group(1), ""), layout)
    html = re.sub(r"<div class='place' [^>]*>", "<div class='place'>", html)
    if complaints:
        html = html.replace("<div class='note'>", f"<div class='note'><p class='message'>{said(' '.join(complaints))}</p>", 1)
    return html.replace("<div class='stage'", "<div class='first-stage'", 1)


def asks_first(query: Mapping[str, str]) -> bool:
    """As the browser decides it (assets/js/covers.js), but for what only the browser remembers."""
    return query.get("guess") == "1" or (query.get("guess") != "0" and not set(query) - link.OWN)


def curtained(piece: str) -> str:
    """A picture, or words, behind a curtain."""
    opened = piece.replace(" class='", " class='covered ", 1)
    body, slash, tail = opened.rpartition("</")
    return f"{body}{COVER}{slash}{tail}"
