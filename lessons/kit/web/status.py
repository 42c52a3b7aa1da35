"""GET /status: memory, caches, open sockets and uptime of the worker that answers, as JSON.

Only for requests from this machine that did not pass a proxy, and for requests with `Authorization: Bearer
$SEQ2SEE_STATUS_TOKEN`. All others get 404.
"""

import os
import secrets
import time
from collections import Counter
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from lessons.kit.memo import COMPUTED
from lessons.kit.web import static_files
from lessons.kit.web.cache import CACHES
from lessons.kit.web.request_guard import HTTPError

FORWARDING_HEADERS = "forwarded via x-forwarded-for x-forwarded-host x-forwarded-proto x-real-ip".split()
STARTED = time.monotonic()


def routes() -> list[Route]:
    async def status(request: Request) -> Response:
        if not (is_local(request) or has_token(request)):
            return HTTPError(404, "There is no such page.").response(request.url.path)
        return JSONResponse(report(), headers={"Cache-Control": "no-store"})

    return [Route("/status", status)]


def is_local(request: Request) -> bool:
    """Whether the request comes from this machine and not through a local proxy."""
    with suppress(ValueError):
        is_loopback = ip_address(request.client.host if request.client else "").is_loopback
        return is_loopback and not any(header in request.headers for header in FORWARDING_HEADERS)
    return False


def has_token(request: Request) -> bool:
    token = os.environ.get("SEQ2SEE_STATUS_TOKEN", "")
    given = request.headers.get("authorization", "")
    return bool(token) and secrets.compare_digest(given.encode(), f"Bearer {token}".encode())


def report() -> dict[str, Any]:
    caches = {
        name: {"bytes": cache.size, "limit_bytes": cache.max_bytes, "entries": len(cache.values)}
        for name, cache in CACHES.items()
    }
    return {
        "version": static_files.version(),
        "pid": os.getpid(),
        "uptime_seconds": round(time.monotonic() - STARTED),
        "resident_bytes": resident_bytes(),
        "open_sockets": open_sockets(),
        "caches": caches,
        "computed": bytes_per_function(),
    }


def bytes_per_function() -> dict[str, dict[str, int]]:
    """Cached bytes and entries of each memoized function, largest first."""
    total: Counter[str] = Counter()
    entries: Counter[str] = Counter()
    for (function, *_), weight in COMPUTED.entries().items():
        name = f"{function.__module__}.{function.__qualname__}"
        total[name] += weight
        entries[name] += 1
    return {name: {"bytes": weight, "entries": entries[name]} for name, weight in total.most_common()}


def resident_bytes() -> int | None:
    """Memory of this process; None if the system has no /proc."""
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return None


def open_sockets() -> int | None:
    """Sockets of this process, including listening ones; None if the system has no /proc."""
    with suppress(OSError):
        count = 0
        for descriptor in os.listdir("/proc/self/fd"):
            with suppress(OSError):  # the descriptor has been closed in the meantime
                count += os.readlink(f"/proc/self/fd/{descriptor}").startswith("socket:")
        return count
    return None
