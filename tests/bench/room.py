"""A full classroom: how long a move of the lecturer takes to reach all members.

`python -m tests.bench.room [members]`
"""

import asyncio
import json
import os
import sys
import tempfile
from statistics import median, quantiles
from time import perf_counter

import httpx

from tests.bench import serve

MEMBERS, MOVES, PAUSE_SECONDS = 200, 20, 1.0  # the pause is between two moves of the lecturer


async def run_member(
    port: int, code: str, token: str, received: dict[str, list[float]], errors: list[str]
) -> None:
    """Poll like assets/js/room.js, on a bare socket so that 200 clients cost less than the server."""
    reader, writer = await asyncio.open_connection(serve.HOST, port)
    seen, last = 0, ""
    while last != f"scale={MOVES}":
        headers = f"Host: {serve.HOST}:{port}\r\nAuthorization: Bearer {token}\r\n\r\n"
        writer.write(f"GET /room/{code}/state?v={seen}&at=toy/sizes HTTP/1.1\r\n{headers}".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        body = await reader.readexactly(int(head.split("content-length: ")[1].split("\r\n")[0]))
        if " 200 " not in head.split("\r\n")[0]:
            errors.append(body.decode())
            return
        state = json.loads(body)
        seen, query = state["v"], (state["lead"] or {}).get("query", "")
        if query and query != last:
            last = query
            received.setdefault(query, []).append(perf_counter())
    writer.close()


async def run_lecture(port: int, members: int) -> None:
    async with httpx.AsyncClient(base_url=f"http://{serve.HOST}:{port}", timeout=60) as client:
        room = (await client.post("/room", json={})).json()
        received: dict[str, list[float]] = {}
        errors: list[str] = []
        joined = []
        for _ in range(members):
            client.cookies.clear()  # each member has a browser of their own
            joined.append((await client.post(f"/room/{room['code']}/join", json={})).json()["member"])
        assert len(set(joined)) == members
        crowd = [
            asyncio.create_task(run_member(port, room["code"], token, received, errors)) for token in joined
        ]
        await asyncio.sleep(5)
        lead = {"headers": {"Authorization": f"Bearer {room['secret']}"}}
        sent = {}
        for move in range(1, MOVES + 1):
            query = f"scale={move}"
            sent[query] = perf_counter()
            place = {"way": "show", "lesson": "toy", "query": query, "by": "bench"}
            (await client.post(f"/room/{room['code']}/lead", json=place, **lead)).raise_for_status()
            await asyncio.sleep(PAUSE_SECONDS)
        await asyncio.wait_for(asyncio.gather(*crowd), 60)
    waits = [when - sent[query] for query, times in received.items() for when in times]
    print(f"| {members} members, {MOVES} moves | {len(waits)} received | {len(errors)} errors |")
    print(f"| move received after (p50, p95) | {median(waits):.2f} s | {quantiles(waits, n=20)[-1]:.2f} s |")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        serve.ENVIRONMENT["SEQ2SEE_STORE"] = os.path.join(folder, "store")
        with serve.run_server("tests.toy", "2") as port:
            asyncio.run(run_lecture(port, int(sys.argv[1]) if len(sys.argv) > 1 else MEMBERS))


if __name__ == "__main__":
    main()
