"""A full room: so many members wait for news, one leads. `python -m tests.bench.room [members]` prints what it takes."""

import asyncio
import json
import os
import sys
import tempfile
from statistics import median, quantiles
from time import perf_counter

import httpx

from tests.bench import serve

MEMBERS, MOVES, PAUSE = 200, 20, 1.0  # seconds between two moves of the lecturer's hand


async def member(port: int, code: str, token: str, heard: dict[str, list[float]], faults: list[str]) -> None:
    """As assets/js/room.js does it: asks, and asks again at once. By hand, since 200 clients must not cost more than the server."""
    reader, writer = await asyncio.open_connection(serve.HOST, port)
    seen, last = 0, ""
    while last != f"scale={MOVES}":
        headers = f"Host: {serve.HOST}:{port}\r\nAuthorization: Bearer {token}\r\n\r\n"
        writer.write(f"GET /room/{code}/state?v={seen}&at=toy/sizes HTTP/1.1\r\n{headers}".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        body = await reader.readexactly(int(head.split("content-length: ")[1].split("\r\n")[0]))
        if " 200 " not in head.split("\r\n")[0]:
            faults.append(body.decode())
            return
        told = json.loads(body)
        seen, query = told["v"], (told["lead"] or {}).get("query", "")
        if query and query != last:
            last = query
            heard.setdefault(query, []).append(perf_counter())
    writer.close()


async def lecture(port: int, many: int) -> None:
    async with httpx.AsyncClient(base_url=f"http://{serve.HOST}:{port}", timeout=60) as client:
        made = (await client.post("/room", json={})).json()
        heard: dict[str, list[float]] = {}
        faults: list[str] = []
        joined = [
            (await client.post(f"/room/{made['code']}/join", json={})).json()["member"] for _ in range(many)
        ]
        crowd = [asyncio.create_task(member(port, made["code"], token, heard, faults)) for token in joined]
        await asyncio.sleep(5)
        lead = {"headers": {"Authorization": f"Bearer {made['secret']}"}}
        sent = {}
        for move in range(1, MOVES + 1):
            query = f"scale={move}"
            sent[query] = perf_counter()
            place = {"way": "show", "lesson": "toy", "query": query, "by": "bench"}
            (await client.post(f"/room/{made['code']}/lead", json=place, **lead)).raise_for_status()
            await asyncio.sleep(PAUSE)
        await asyncio.wait_for(asyncio.gather(*crowd), 60)
    waits = [when - sent[query] for query, times in heard.items() for when in times]
    print(f"| {many} members, {MOVES} moves | {len(waits)} heard | {len(faults)} faults |")
    print(
        f"| a move is heard after (p50, p95) | {median(waits):.2f} s | {quantiles(waits, n=20)[-1]:.2f} s |"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        serve.ENVIRONMENT["SEQ2SEE_STORE"] = os.path.join(folder, "store")
        with serve.served("tests.toy", "2") as port:
            asyncio.run(lecture(port, int(sys.argv[1]) if len(sys.argv) > 1 else MEMBERS))


if __name__ == "__main__":
    main()
