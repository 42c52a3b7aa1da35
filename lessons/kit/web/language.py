"""Middleware: the language of a request, from `lang` in its link."""

from typing import Any
from urllib.parse import parse_qs

from lessons.kit.language import ENGLISH, LANGUAGES, text_language


class LanguageOfLink:
    """ASGI middleware that answers ?lang=fr in French, and an unknown language in English."""

    def __init__(self, app: Any):
        self.app = app

    async def __call__(self, scope: dict, receive: Any, send: Any) -> None:
        language = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("lang", [ENGLISH])[0]
        with text_language(language if language in LANGUAGES else ENGLISH, is_page=True):
            await self.app(scope, receive, send)
