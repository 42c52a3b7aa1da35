"""Slow down clients that guess room codes.

A right code is answered at once, however many wrong ones its network has sent: a whole campus may share one
address. Wrong codes are answered later and later, so that whoever types them waits. Someone who does not
wait for the answers can try MAX_TOTAL_MISSES codes per minute; above that, every look-up waits its turn.
"""

import asyncio
import ipaddress
import time
from collections import Counter, defaultdict

WINDOW_SECONDS = 60.0
MAX_NETWORK_MISSES = 30  # wrong codes per window from one network; allows for typing errors of a class
MAX_TOTAL_MISSES = 600  # wrong codes per window from all networks
NETWORK_DELAY_SECONDS = 0.25  # delay per wrong code of a network above its limit; such codes share one queue
TOTAL_DELAY_SECONDS = 0.02  # delay per look-up
MAX_NETWORK_WAITING = 40  # maximum number of delayed answers in one network's queue


class TooManyWaiting(Exception):
    """The queue of delayed look-ups is full."""


class CodeLimiter:
    """Count wrong room codes in one process, and delay answers above the limits."""

    def __init__(self) -> None:
        self.window, self.misses = 0, Counter[str]()
        self.queues: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.waiting = Counter[str]()

    async def wait_before(self) -> None:
        """Delay a look-up if all networks together have sent very many wrong codes."""
        self.start_new_window()
        if self.misses.total() > MAX_TOTAL_MISSES:
            await self.delay_in_queue("all", TOTAL_DELAY_SECONDS, 10 * MAX_NETWORK_WAITING)

    async def wait_after_miss(self, client: str) -> None:
        """Count a wrong code, and delay its answer if this network has sent many."""
        self.start_new_window()
        network = network_of(client)
        self.misses[network] += 1
        if self.misses[network] > MAX_NETWORK_MISSES:
            await self.delay_in_queue(network, NETWORK_DELAY_SECONDS, MAX_NETWORK_WAITING)

    async def delay_in_queue(self, name: str, seconds: float, max_waiting: int) -> None:
        if self.waiting[name] >= max_waiting:
            raise TooManyWaiting
        self.waiting[name] += 1
        try:
            async with self.queues[name]:
                await asyncio.sleep(seconds)
        finally:
            self.waiting[name] -= 1

    def start_new_window(self) -> None:
        """Reset the counts if a new window has begun."""
        if (window := int(time.monotonic() // WINDOW_SECONDS)) != self.window:
            self.window = window
            self.misses.clear()
            for name in [name for name in self.queues if not self.waiting[name]]:
                del self.queues[name], self.waiting[name]


def network_of(client: str) -> str:
    """The network of an IP address (/24 or /56): one person may use many addresses of one network."""
    try:
        version = ipaddress.ip_address(client).version
        return str(ipaddress.ip_network((client, 24 if version == 4 else 56), strict=False))
    except ValueError:
        return client[:64]
