"""Slows down clients that guess room codes, by network and in total. A correct code is delayed by a moment at most."""

import asyncio
import ipaddress
import time
from collections import Counter, defaultdict

MINUTE = 60.0
FREE = 30  # wrong codes in a minute from one block of addresses: a class that mistypes is not slowed down
FREE_IN_ALL = 600
PAUSE = 0.25  # seconds for each look-up from a block that tries codes, one after the other
PAUSE_IN_ALL = 0.02
MAX_WAITING = 40  # look-ups of one block


class TooManyWait(Exception):
    """The queue of delayed look-ups is full."""


class CodeLimiter:
    """Counts wrong room codes per network and in total, in one process. Above the free limit, look-ups wait in a queue."""

    def __init__(self) -> None:
        self.minute, self.misses = 0, Counter[str]()
        self.lanes: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.waiting = Counter[str]()

    async def wait(self, visitor: str) -> None:
        """Before a code is looked up."""
        self.turn()
        block = address_block(visitor)
        if self.misses[block] > FREE:
            await self.stand_in_line(block, PAUSE, MAX_WAITING)
        elif self.misses.total() > FREE_IN_ALL:
            await self.stand_in_line("all", PAUSE_IN_ALL, 10 * MAX_WAITING)

    async def stand_in_line(self, lane: str, pause: float, most: int) -> None:
        if self.waiting[lane] >= most:
            raise TooManyWait
        self.waiting[lane] += 1
        try:
            async with self.lanes[lane]:
                await asyncio.sleep(pause)
        finally:
            self.waiting[lane] -= 1

    def miss(self, visitor: str) -> None:
        self.turn()
        self.misses[address_block(visitor)] += 1

    def turn(self) -> None:
        """Resets the counts at the start of each minute."""
        if (minute := int(time.monotonic() // MINUTE)) != self.minute:
            self.minute = minute
            self.misses.clear()
            for lane in [lane for lane in self.lanes if not self.waiting[lane]]:
                del self.lanes[lane], self.waiting[lane]


def address_block(visitor: str) -> str:
    """The network of an IP address (/24 or /56): one person may have many addresses of it."""
    try:
        version = ipaddress.ip_address(visitor).version
        return str(ipaddress.ip_network((visitor, 24 if version == 4 else 56), strict=False))
    except ValueError:
        return visitor[:64]
