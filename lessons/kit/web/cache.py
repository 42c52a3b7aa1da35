"""A cache bounded by bytes: what was asked for least recently goes first."""

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

Key = tuple[Any, ...]


class ByteLRU:
    """Values by key, up to `room` bytes. Asked for by many at once, a value is computed once and the others wait for it."""

    def __init__(self, room: int):
        self.room, self.size, self.makings = room, 0, 0
        self.things: OrderedDict[Key, Any] = OrderedDict()
        self.under_way: dict[Key, Future] = {}
        self.lock = threading.Lock()

    def __call__(self, key: Key, make: Callable[[], Any]) -> Any:
        with self.lock:
            if key in self.things:
                self.things.move_to_end(key)
                return self.things[key]
            waiting = self.under_way.get(key)
            if waiting is None:
                self.makings += 1
                promise = self.under_way[key] = Future()
        if waiting:
            return waiting.result()
        try:
            made = make()
            self.put(key, made)
            promise.set_result(made)
            return made
        except BaseException as error:
            promise.set_exception(error)
            raise
        finally:
            del self.under_way[key]

    def get(self, key: Key) -> Any:
        with self.lock:
            if key in self.things:
                self.things.move_to_end(key)
                return self.things[key]
        return None

    def put(self, key: Key, made: Any) -> None:
        with self.lock:
            self.size += weight(key, made) - (weight(key, self.things.pop(key)) if key in self.things else 0)
            self.things[key] = made
            while self.size > self.room:
                self.size -= weight(*self.things.popitem(last=False))

    def clear(self) -> None:
        with self.lock:
            self.things.clear()
            self.size = self.makings = 0


def weight(key: Key, made: Any) -> int:
    return sum(map(sys.getsizeof, (*key, made)))


# Everything that is sent, as it is sent: drawings, pages, exports. A class looks at the same few states.
ANSWERS = ByteLRU(128 << 20)
