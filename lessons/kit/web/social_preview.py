"""What a link looks like where it is shared: a title, a sentence and a picture of its own. And what search engines ask for."""

import io
import json
from collections.abc import Iterable, Mapping
from functools import partial
from typing import NamedTuple
from urllib.parse import quote

import numpy as np
from markupsafe import Markup, escape
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lessons.kit import link
from lessons.kit.contract import InputError, Lesson, State
from lessons.kit.pictures import mpl, palette
from lessons.kit.pictures.base import Picture
from lessons.kit.templates import render
from lessons.kit.web.compression import respond
from lessons.kit.web.export import ExportQueue, asked, by_address, freshness, key_of, no_picture
from lessons.kit.web.renderer import Renderer, RenderError
from lessons.kit.web.request_guard import HTTPError

NAME = "Seq2See"
ABOUT = "Watch a sequence model think: small, real models, whose every quantity can be seen and changed."
SIZE = (1200, 630)  # as the sites want it that show links
LONGEST = 300  # characters of a description


class Preview(NamedTuple):
    title: str
    description: str
    address: str  # where this is, from the root of the site
    picture: str = ""  # and its picture


def of_map() -> Preview:
    return Preview(f"{NAME}: sequence models, live", ABOUT, "")


def of_lesson(lesson: Lesson) -> Preview:
    return Preview(f"{lesson.words.question} · {NAME}", lesson.line, lesson.slug)


def of_check(lesson: Lesson, address: str) -> Preview:
    return Preview(f"{lesson.words.question} · Check yourself · {NAME}", lesson.line, address)


def of_experiment(stage: Renderer, state: State) -> Preview:
    """By its state: the question, what the reading says now, and the picture."""
    question = stage.lesson.words.sections[stage.experiment.slug].question
    asked = link.encode(stage.experiment, state)
    title = f"{question} · {stage.experiment.title} · {NAME}"
    own = asked.partition("&")[2]
    picture = f"preview/{stage.lesson.slug}/{stage.experiment.slug}.png" + (f"?{own}" if own else "")
    return Preview(title, told(stage, state) or question, f"{stage.lesson.slug}?{asked}", picture)


def told(stage: Renderer, state: State) -> str:
    """The reading as plain words, from what the page shows; none where there is none."""
    try:
        pieces = stage.drawing(state).split("\n")
    except (InputError, RenderError):  # the page itself says so
        return ""
    words = Markup(next((piece for piece in pieces if "class='said reading'" in piece), "")).striptags()
    return words if len(words) <= LONGEST else words[: LONGEST - 1].rsplit(" ", 1)[0] + " …"


def tags(preview: Preview, root: str) -> Markup:
    """The title, and the tags that sites read which show links."""
    properties = {
        "og:type": "website",
        "og:site_name": NAME,
        "og:title": preview.title,
        "og:description": preview.description,
        "og:url": f"{root}/{preview.address}",
    }
    names = {
        "description": preview.description,
        "twitter:card": "summary_large_image" if preview.picture else "summary",
        "twitter:title": preview.title,
        "twitter:description": preview.description,
    }
    if preview.picture:
        image = f"{root}/{preview.picture}"
        properties |= {"og:image": image, "og:image:width": str(SIZE[0]), "og:image:height": str(SIZE[1])}
        properties["og:image:alt"] = preview.title
        names["twitter:image"] = image
    return render("kit/templates/preview.html", preview=preview, properties=properties, names=names)


def root_of(scheme: str, headers: Headers | Mapping[str, str], path: str = "") -> str:
    """Where the visitor sees the site, also behind a proxy: uvicorn has the scheme from one that is trusted."""
    host = headers.get("x-forwarded-host") or headers.get("host") or ""
    known = scheme if scheme in ("http", "https") else "http"
    return f"{known}://{quote(host.split(',')[0].strip(), safe=':.-[]')}{quote(path.rstrip('/'), safe='/%')}"


# ---- addresses of their own ----


def routes(all_stages: Iterable[Renderer], studio: ExportQueue, root: str = "") -> list[Route]:
    stages = by_address(all_stages)

    async def picture(request: Request) -> Response:
        stage = stages.get((request.path_params["lesson"], request.path_params["experiment"]))
        try:
            if stage is None:
                raise no_picture()
            state = asked(stage, dict(request.query_params))
            body = await studio(request, key_of(stage, state, "poster"), partial(poster, stage, state))
        except HTTPError as refusal:
            return refusal.response(request.url.path)
        return respond(body, request.headers, "image/png", Cache_Control=freshness(stage, state))

    def text(address: str, body: str, kind: str, **more: str) -> Route:
        async def answer(request: Request) -> Response:
            here = escape(root_of(request.url.scheme, request.headers, root))
            return Response(body.replace("{root}", here), media_type=kind, headers=more)

        return Route(address, answer, methods=["GET", "HEAD"])

    addresses = ["", *(f"{lesson}?experiment={experiment}" for lesson, experiment in stages)]
    places = "".join(f"<url><loc>{{root}}/{escape(address)}</loc></url>" for address in addresses)
    sitemap = (
        '<?xml version="1.0" encoding="UTF-8"?><urlset'
        f' xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{places}</urlset>'
    )
    robots = (
        "User-agent: *\nDisallow: /gradio_api/\nDisallow: /export/\nDisallow: /home/\nSitemap:"
        " {root}/sitemap.xml\n"
    )
    icons = [{"src": "favicon.svg", "sizes": "any", "type": "image/svg+xml"}]
    colours = {"background_color": palette.ROLES["paper"][0], "theme_color": palette.ROLES["weight"][0]}
    manifest = {
        "name": NAME,
        "short_name": NAME,
        "description": ABOUT,
        "start_url": "./",
        "display": "browser",
        "icons": icons,
    }
    kept_long = {"Cache-Control": "public, max-age=86400"}
    return [
        Route("/preview/{lesson}/{experiment}.png", picture, methods=["GET", "HEAD"]),
        text("/robots.txt", robots, "text/plain"),
        text("/sitemap.xml", sitemap, "application/xml"),
        text("/favicon.svg", favicon(), "image/svg+xml", **kept_long),
        text("/site.webmanifest", json.dumps(manifest | colours), "application/manifest+json", **kept_long),
    ]


def poster(stage: Renderer, state: State) -> bytes:
    """The main picture under its question, as a PNG of the size that is asked for."""
    pictures = stage.pictures(state)
    main = next(
        (pictures[view.__name__] for view in stage.experiment.views if view.__name__ in pictures), None
    )
    width, height = SIZE
    figure = mpl.Figure(figsize=(width / 100, height / 100), dpi=100, facecolor="white")
    mpl.FigureCanvasAgg(figure)
    question = stage.lesson.words.sections[stage.experiment.slug].question
    figure.text(
        0.04, 0.93, question, fontsize=30 if len(question) < 60 else 22, weight="bold", va="top", wrap=True
    )
    figure.text(
        0.04, 0.05, f"{NAME} · {stage.lesson.title} · {stage.experiment.title}", fontsize=16, color="#555555"
    )
    if main is not None:
        pixels = raster(main, width * 0.92, height * 0.66)
        across, up = pixels.shape[1] / width, pixels.shape[0] / height
        axes = figure.add_axes(((1 - across) / 2, 0.12 + (0.66 - up) / 2, across, up))
        axes.imshow(pixels, interpolation="none", aspect="auto")
        axes.set_axis_off()
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=100)
    return out.getvalue()


def raster(picture: Picture, width: float, height: float) -> np.ndarray:
    """The picture's own figure, as large as fits."""
    figure = picture.figure()
    canvas = mpl.FigureCanvasAgg(figure)
    across, up = figure.get_size_inches()
    figure.set_dpi(min(width / across, height / up))
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())


def favicon() -> str:
    """Two states and a line between them."""
    source, target, weight = (palette.ROLES[role][0] for role in ("source", "target", "weight"))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
        f'<path d="M8 24L24 8" stroke="{weight}" stroke-width="5" stroke-linecap="round"/>'
        f'<circle cx="8" cy="24" r="6" fill="{source}"/><circle cx="24" cy="8" r="6" fill="{target}"/></svg>'
    )
