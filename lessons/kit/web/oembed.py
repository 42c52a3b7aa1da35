"""oEmbed (oembed.com): platforms that get a link to this site ask how to embed the page.

GET /oembed?url=<address of a page>&maxwidth=<px>&maxheight=<px>
"""

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from lessons.kit import link
from lessons.kit.contract import Lesson
from lessons.kit.web.compression import ONE_HOUR
from lessons.kit.web.export import renderers_by_address
from lessons.kit.web.layout import CHECK
from lessons.kit.web.renderer import Renderer
from lessons.kit.web.request_guard import HTTPError
from lessons.kit.web.social_preview import SITE_NAME, SIZE_PX, site_root

DEFAULT_PX = {"maxwidth": 1000, "maxheight": 720}  # size of an embedded experiment
MIN_PX = 200


def routes(renderers: Iterable[Renderer], lessons: Sequence[Lesson], root: str) -> list[Route]:
    by_address = renderers_by_address(renderers)
    by_slug = {lesson.slug: lesson for lesson in lessons}

    def find_page(address: str, here: str) -> tuple[Lesson | None, str] | None:
        """The lesson and the query of a page of this site; (None, "") for the map, None for other pages."""
        try:
            parts, site = urlsplit(address), urlsplit(here)
        except ValueError:
            return None
        path = parts.path.removeprefix(site.path).strip("/")
        if parts.netloc != site.netloc or not parts.path.startswith(site.path):
            return None
        if not path:
            return None, ""
        if path not in by_slug:
            return None
        lesson, query = by_slug[path], dict(parse_qsl(parts.query))
        slug = query.get("experiment", "")
        if slug == CHECK:
            return lesson, f"experiment={CHECK}"
        renderer = by_address.get((path, slug)) or by_address[path, lesson.experiments[0].slug]
        state, acts, _ = link.decode(renderer.experiment, query)
        return lesson, link.encode(renderer.experiment, state, acts)

    async def oembed(request: Request) -> Response:
        if request.query_params.get("format", "json") != "json":
            raise HTTPError(501, "Only JSON is offered: leave “format” out.")
        here = site_root(request.url.scheme, request.headers, root)
        found = find_page(request.query_params.get("url", ""), here)
        if found is None:
            raise HTTPError(404, "“url” should be the address of a lesson or an experiment of this site.")
        lesson, query = found
        size = [limited(request.query_params.get(name, ""), most) for name, most in DEFAULT_PX.items()]
        content = rich(lesson, query, here, *size) if lesson else {"type": "link", "title": SITE_NAME}
        common = {"version": "1.0", "provider_name": SITE_NAME, "provider_url": f"{here}/"}
        return JSONResponse(common | content, headers={"Cache-Control": ONE_HOUR})

    return [Route("/oembed", oembed)]


def rich(lesson: Lesson, query: str, here: str, width: int, height: int) -> dict[str, Any]:
    """The oEmbed answer of type “rich”: the page in an iframe."""
    slug = dict(parse_qsl(query))["experiment"]
    texts = lesson.text.experiments
    title = texts[slug].question if slug in texts else lesson.text.question
    frame = Markup('<iframe src="{}" title="{}" width="{}" height="{}" loading="lazy"></iframe>')
    content = {
        "type": "rich",
        "title": title,
        "width": width,
        "height": height,
        "html": str(frame.format(f"{here}/{lesson.slug}?{query}&embed=1", title, width, height)),
    }
    if slug in texts:
        values = query.partition("&")[2]
        picture = f"{here}/preview/{lesson.slug}/{slug}.png" + (f"?{values}" if values else "")
        content |= {"thumbnail_url": picture, "thumbnail_width": SIZE_PX[0], "thumbnail_height": SIZE_PX[1]}
    return content


def limited(asked: str, most: int) -> int:
    """Limit a width or height to the platform's maximum, but not below a usable size."""
    is_number = asked.isascii() and asked.isdigit() and len(asked) < 6
    return max(MIN_PX, min(int(asked), most)) if is_number else most
