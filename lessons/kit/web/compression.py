"""Bytes on their way out: packed as the browser can unpack them, with a tag by which it knows that nothing changed."""

import gzip
import hashlib

import brotli  # type: ignore[import-untyped]
from starlette.datastructures import Headers
from starlette.responses import Response


def encoding(headers: Headers) -> str:
    """The best that this browser takes. Over plain http it takes no brotli."""
    taken = headers.get("accept-encoding", "")
    return "br" if "br" in taken else "gzip" if "gzip" in taken else ""


def packed(body: bytes, encoding: str, quality: int = 4) -> bytes:
    if encoding == "br":
        return brotli.compress(body, brotli.MODE_TEXT, quality)
    return gzip.compress(body, quality, mtime=0) if encoding else body


def sent(body: bytes, headers: Headers, media_type: str, encoding: str = "", **more: str) -> Response:
    """The answer, or that it is the one which the browser has."""
    tag = f'"{hashlib.blake2b(body, digest_size=8).hexdigest()}"'
    own = {"ETag": tag, "Vary": "Accept-Encoding"} | {name.replace("_", "-"): value for name, value in more.items()}
    if headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=own)
    return Response(body, media_type=media_type, headers=own | ({"Content-Encoding": encoding} if encoding else {}))
