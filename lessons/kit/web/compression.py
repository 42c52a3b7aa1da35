"""Response bodies: compressed as the browser accepts it, with an ETag by which it knows that nothing changed."""

import gzip
import hashlib

import brotli  # type: ignore[import-untyped]
from starlette.datastructures import Headers
from starlette.responses import Response

IMMUTABLE = "public, max-age=31536000, immutable"  # for addresses that carry a version


def encoding(headers: Headers) -> str:
    """The best encoding that this browser accepts. Over plain http it accepts no brotli."""
    accepted = headers.get("accept-encoding", "")
    return "br" if "br" in accepted else "gzip" if "gzip" in accepted else ""


def compress(body: bytes, encoding: str, quality: int = 4) -> bytes:
    if encoding == "br":
        return brotli.compress(body, brotli.MODE_TEXT, quality)
    return gzip.compress(body, quality, mtime=0) if encoding else body


def respond(body: bytes, headers: Headers, media_type: str, encoding: str = "", **more: str) -> Response:
    """The response; 304 if the browser has this body already."""
    tag = f'"{hashlib.blake2b(body, digest_size=8).hexdigest()}"'
    given = {name.replace("_", "-").title(): value for name, value in more.items()}
    own = {"Etag": tag, "Vary": "Accept-Encoding"} | given
    if headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=own)
    return Response(
        body, media_type=media_type, headers=own | ({"Content-Encoding": encoding} if encoding else {})
    )
