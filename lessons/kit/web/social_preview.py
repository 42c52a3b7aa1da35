"""Previews of shared links (title, sentence, picture) and the files that search engines request."""

import json
from collections.abc import Iterable, Mapping
from functools import partial
from typing import NamedTuple
from urllib.parse import quote

from markupsafe import Markup, escape
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lessons.kit import link
from lessons.kit.contract import InputError, Lesson, State
from lessons.kit.language import keep_language, text_language, translate
from lessons.kit.pictures import palette
from lessons.kit.pictures.files import poster
from lessons.kit.templates import render
from lessons.kit.web.compression import respond
from lessons.kit.web.export import (
    ExportQueue,
    cache_control,
    cache_key,
    draw_file,
    parse_state,
    picture_not_found,
    renderers_by_address,
)
from lessons.kit.web.renderer import Renderer, RenderError

SITE_NAME = "Seq2See"
SITE_DESCRIPTION = (
    "Watch a sequence model think: small, real models, whose every quantity can be seen and changed."
)
SIZE_PX = (1200, 630)  # width and height that social networks expect
MAX_DESCRIPTION_CHARS = 300


class Preview(NamedTuple):
    title: str
    description: str
    address: str  # path from the root of the site
    picture: str = ""  # URL of the picture, if there is one


def map_preview() -> Preview:
    title = f"{SITE_NAME}: {translate('sequence models, live')}"
    return Preview(title, translate(SITE_DESCRIPTION), "")


def lesson_preview(lesson: Lesson) -> Preview:
    return Preview(f"{lesson.text.question} · {SITE_NAME}", translated_summary(lesson), lesson.slug)


def check_preview(lesson: Lesson, address: str) -> Preview:
    title = f"{lesson.text.question} · {translate('Check yourself')} · {SITE_NAME}"
    return Preview(title, translated_summary(lesson), address)


def translated_summary(lesson: Lesson) -> str:
    with text_language(lesson.text.language):
        return translate(lesson.summary)


def experiment_preview(renderer: Renderer, state: State) -> Preview:
    """The question, the reading and the picture of this state."""
    with renderer.in_its_language():
        return describe_experiment(renderer, state)


def describe_experiment(renderer: Renderer, state: State) -> Preview:
    lesson, experiment = renderer.lesson, renderer.experiment
    question = lesson.text.experiments[experiment.slug].question
    query = link.encode(experiment, state)
    values = query.partition("&")[2]
    title = f"{question} · {translate(experiment.title)} · {SITE_NAME}"
    picture = keep_language(f"preview/{lesson.slug}/{experiment.slug}.png" + (f"?{values}" if values else ""))
    guess = experiment.predict if asks_guess(renderer, state) else None
    description = translate(guess.question) if guess else reading_text(renderer, state) or question
    return Preview(title, description, f"{lesson.slug}?{query}", picture)


def asks_guess(renderer: Renderer, state: State) -> bool:
    """Whether the page asks a guess in this state, so that the preview must not show the answer."""
    return bool(renderer.experiment.predict) and state == renderer.experiment.state()


def reading_text(renderer: Renderer, state: State) -> str:
    """The reading as plain text, shortened; empty if the state cannot be drawn."""
    try:
        pieces = renderer.drawing(state).split("\n")
    except (InputError, RenderError):  # ignored here, because the page itself shows the error
        return ""
    text = Markup(next((piece for piece in pieces if "class='sentence reading'" in piece), "")).striptags()
    limit = MAX_DESCRIPTION_CHARS
    return text if len(text) <= limit else text[: limit - 1].rsplit(" ", 1)[0] + " …"


def meta_tags(preview: Preview, root: str) -> Markup:
    """The title and the Open Graph and Twitter tags of a page."""
    properties = {
        "og:type": "website",
        "og:site_name": SITE_NAME,
        "og:title": preview.title,
        "og:description": preview.description,
        "og:url": f"{root}/{keep_language(preview.address)}",
    }
    names = {
        "description": preview.description,
        "twitter:card": "summary_large_image" if preview.picture else "summary",
        "twitter:title": preview.title,
        "twitter:description": preview.description,
    }
    if preview.picture:
        image, (width, height) = f"{root}/{preview.picture}", SIZE_PX
        properties |= {"og:image": image, "og:image:width": str(width), "og:image:height": str(height)}
        properties["og:image:alt"] = preview.title
        names["twitter:image"] = image
    oembed = f"{root}/oembed?url={quote(properties['og:url'], safe='')}"
    return render(
        "kit/templates/preview.html", preview=preview, properties=properties, names=names, oembed=oembed
    )


def site_root(scheme: str, headers: Headers | Mapping[str, str], path: str = "") -> str:
    """URL of the site as the visitor sees it, even behind a proxy."""
    host = headers.get("x-forwarded-host") or headers.get("host") or ""
    scheme = scheme if scheme in ("http", "https") else "http"
    return f"{scheme}://{quote(host.split(',')[0].strip(), safe=':.-[]')}{quote(path.rstrip('/'), safe='/%')}"


# ---- routes ----


def routes(renderers: Iterable[Renderer], queue: ExportQueue, root: str = "") -> list[Route]:
    by_address = renderers_by_address(renderers)

    async def picture(request: Request) -> Response:
        renderer = by_address.get((request.path_params["lesson"], request.path_params["experiment"]))
        if renderer is None:
            raise picture_not_found()
        state = parse_state(renderer, dict(request.query_params))
        key = cache_key(renderer, state, "poster")
        body = await queue(request, key, partial(render_poster, renderer, state))
        return respond(body, request.headers, "image/png", cache_control=cache_control(renderer, state))

    def text_route(path: str, body: str, media_type: str, **headers: str) -> Route:
        async def endpoint(request: Request) -> Response:
            here = escape(site_root(request.url.scheme, request.headers, root))
            return Response(body.replace("{root}", here), media_type=media_type, headers=headers)

        return Route(path, endpoint, methods=["GET", "HEAD"])

    addresses = ["", *(f"{lesson}?experiment={experiment}" for lesson, experiment in by_address)]
    urls = "".join(f"<url><loc>{{root}}/{escape(address)}</loc></url>" for address in addresses)
    sitemap = (
        '<?xml version="1.0" encoding="UTF-8"?>'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
    )
    blocked = "".join(f"Disallow: /{path}/\n" for path in ("gradio_api", "export", "home"))
    robots = f"User-agent: *\n{blocked}Sitemap: {{root}}/sitemap.xml\n"
    manifest = {
        "name": SITE_NAME,
        "short_name": SITE_NAME,
        "description": SITE_DESCRIPTION,
        "start_url": "./",
        "display": "browser",
        "icons": [{"src": "favicon.svg", "sizes": "any", "type": "image/svg+xml"}],
        "background_color": palette.ROLES["paper"][0],
        "theme_color": palette.ROLES["weight"][0],
    }
    one_day = {"Cache-Control": "public, max-age=86400"}
    return [
        Route("/preview/{lesson}/{experiment}.png", picture, methods=["GET", "HEAD"]),
        text_route("/robots.txt", robots, "text/plain"),
        text_route("/sitemap.xml", sitemap, "application/xml"),
        text_route("/favicon.svg", favicon(), "image/svg+xml", **one_day),
        text_route("/site.webmanifest", json.dumps(manifest), "application/manifest+json", **one_day),
    ]


def render_poster(renderer: Renderer, state: State) -> bytes:
    """Render the experiment's question and main picture as a PNG."""
    with renderer.in_its_language():
        return draw_poster(renderer, state)


def draw_poster(renderer: Renderer, state: State) -> bytes:
    lesson, experiment = renderer.lesson, renderer.experiment
    pictures = renderer.pictures(state)
    covered = {id.removeprefix(f"{renderer.id}-") for id in renderer.covers if asks_guess(renderer, state)}
    shown = [view.__name__ for view in experiment.views if view.__name__ not in covered]
    main = next((pictures[name] for name in shown if name in pictures), None)
    question = lesson.text.experiments[experiment.slug].question
    source = f"{SITE_NAME} · {translate(lesson.title)} · {translate(experiment.title)}"
    return draw_file(poster, SIZE_PX, question, source, main)


def favicon() -> str:
    """Draw the favicon: two states joined by a line."""
    source, target, weight = (palette.ROLES[role][0] for role in ("source", "target", "weight"))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
        f'<path d="M8 24L24 8" stroke="{weight}" stroke-width="5" stroke-linecap="round"/>'
        f'<circle cx="8" cy="24" r="6" fill="{source}"/><circle cx="24" cy="8" r="6" fill="{target}"/></svg>'
    )
