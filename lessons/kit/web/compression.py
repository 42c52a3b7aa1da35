"""Compress response bodies with an encoding the browser accepts; answer 304 if it has the body."""

import gzip
import hashlib

import brotli  # type: ignore[import-untyped]
from starlette.datastructures import Headers
from starlette.responses import Response

IMMUTABLE = "public, max-age=31536000, immutable"  # Cache-Control for URLs that contain a version
ONE_HOUR = "public, max-age=3600"


def accepted_encoding(headers: Headers) -> str:
    """The best encoding that this browser accepts. Over plain HTTP browsers do not accept brotli."""
    accepted = headers.get("accept-encoding", "")
    return "br" if "br" in accepted else "gzip" if "gzip" in accepted else ""


def compress(body: bytes, encoding: str, quality: int = 4) -> bytes:
    if encoding == "br":
        return brotli.compress(body, brotli.MODE_TEXT, quality)
    return gzip.compress(body, quality, mtime=0) if encoding else body


def respond(
    body: bytes, request_headers: Headers, media_type: str, encoding: str = "", **headers: str
) -> Response:
    """Respond with the body, an ETag and these headers (cache_control → Cache-Control), or with 304."""
    etag = f'"{hashlib.blake2b(body, digest_size=8).hexdigest()}"'
    named = {name.replace("_", "-").title(): value for name, value in headers.items()}
    sent = {"Etag": etag, "Vary": "Accept-Encoding"} | named
    if request_headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=sent)
    return Response(
        body, media_type=media_type, headers=sent | ({"Content-Encoding": encoding} if encoding else {})
    )
