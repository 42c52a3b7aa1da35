"""Slow down clients that guess room codes, per network and in total."""

import asyncio
import ipaddress
import time
from collections import Counter, defaultdict

WINDOW_SECONDS = 60.0
MAX_NETWORK_MISSES = 30  # wrong codes per window from one network; allows for typing errors of a class
MAX_TOTAL_MISSES = 600  # wrong codes per window from all networks
NETWORK_DELAY_SECONDS = 0.25  # per look-up from a network above its limit; its look-ups share one queue
TOTAL_DELAY_SECONDS = 0.02
MAX_NETWORK_WAITING = 40  # look-ups waiting in one network's queue


class TooManyWaiting(Exception):
    """The queue of delayed look-ups is full."""


class CodeLimiter:
    """Count wrong room codes in one process. Above the limit, look-ups wait in a queue."""

    def __init__(self) -> None:
        self.window, self.misses = 0, Counter[str]()
        self.queues: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.waiting = Counter[str]()

    async def wait(self, client: str) -> None:
        """Delay this client if necessary. Call this before looking up a code."""
        self.start_new_window()
        network = network_of(client)
        if self.misses[network] > MAX_NETWORK_MISSES:
            await self.delay_in_queue(network, NETWORK_DELAY_SECONDS, MAX_NETWORK_WAITING)
        elif self.misses.total() > MAX_TOTAL_MISSES:
            await self.delay_in_queue("all", TOTAL_DELAY_SECONDS, 10 * MAX_NETWORK_WAITING)

    async def delay_in_queue(self, name: str, seconds: float, max_waiting: int) -> None:
        if self.waiting[name] >= max_waiting:
            raise TooManyWaiting
        self.waiting[name] += 1
        try:
            async with self.queues[name]:
                await asyncio.sleep(seconds)
        finally:
            self.waiting[name] -= 1

    def count_miss(self, client: str) -> None:
        self.start_new_window()
        self.misses[network_of(client)] += 1

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
