"""HTTP route of the words that a model knows, by field.

GET /words/<vocabulary>   {"family": ["aunt aunts", …], …}: each word, followed by its other forms
"""

import json

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from lessons.kit.known_words import VOCABULARIES, words_by_field
from lessons.kit.language import translate
from lessons.kit.web.compression import ONE_HOUR, accepted_encoding, compress, respond


def routes() -> list[Route]:
    async def words(request: Request) -> Response:
        name = request.path_params["vocabulary"]
        if name not in VOCABULARIES:
            return JSONResponse({"message": "There is no such vocabulary."}, 404)
        found = await run_in_threadpool(words_by_field, name)
        encoding = accepted_encoding(request.headers)
        named = {translate(field): words for field, words in found.items()}
        body = compress(json.dumps(named, ensure_ascii=False, separators=(",", ":")).encode(), encoding)
        return respond(body, request.headers, "application/json", encoding, cache_control=ONE_HOUR)

    return [Route("/words/{vocabulary}", words)]
