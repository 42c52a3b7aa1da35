"""Read and validate JSON request bodies for all routes. Answer invalid ones with 4xx and a message."""

from collections.abc import Mapping
from typing import Any, TypeVar
from urllib.parse import urlsplit

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.datastructures import Headers
from starlette.requests import Request

from lessons.kit.web.request_guard import HTTPError


class RequestBody(BaseModel):
    """Base class of request schemas: strict types, unknown fields are ignored."""

    model_config = ConfigDict(strict=True, extra="ignore")


Schema = TypeVar("Schema", bound=RequestBody)


def parse_json(body: bytes) -> dict[str, Any]:
    """Parse a JSON object. NaN, infinite numbers, lone surrogates and deep nesting are refused."""
    try:
        parsed = orjson.loads(body)
    except orjson.JSONDecodeError:
        parsed = None
    if not isinstance(parsed, Mapping):
        raise HTTPError(
            400, "Please send a JSON object: text in whole characters, and numbers that are finite."
        )
    return dict(parsed)


async def read_json(request: Request, schema: type[Schema], changes: bool = False) -> Schema:
    """Return the validated JSON body. If the route changes data, refuse requests from other origins."""
    # an HTML form on another site cannot send this content type
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise HTTPError(415, "Please send a JSON object, as application/json.")
    if changes and not is_same_origin(request.headers):
        raise HTTPError(403, "Please ask from a page of this site.")
    try:
        return schema.model_validate(parse_json(await request.body()))
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in wrong["loc"])[:40]
        raise HTTPError(400, f"Please send “{where}” as the page does: {wrong['msg']}.") from error


def is_same_origin(headers: Headers) -> bool:
    """Whether the request comes from a page of this site or not from a browser."""
    if site := headers.get("sec-fetch-site"):
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc in (headers.get("host"), headers.get("x-forwarded-host"))
