"""Caches bounded by bytes. Each gives up first what was asked for least recently.

`@memoize` replaces `functools.lru_cache` where the arguments are what a visitor types or moves: all such functions share COMPUTED.
Functions whose arguments come from a small fixed set (checkpoints, vocabularies) keep `functools.cache`.
"""

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import is_dataclass
from functools import wraps
from types import MappingProxyType
from typing import Any, ParamSpec, Protocol, TypeVar, cast

import numpy as np
from torch import Tensor, nn

from lessons.kit import malloc

Key = tuple[Any, ...]
P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

COMPUTED_BYTES = 16 << 20
TRIM_BYTES = 8 << 20  # that a cache has given up before free memory is returned to the system
MISSING = object()
PLAIN = (str, int, float, bytes, type(None))
ENTRY_BYTES = 400  # what a cache itself needs for one entry: its tables, the key's tuple
TENSOR_BYTES = 600  # of one tensor beside its numbers


def shallow_bytes(key: Key, value: Any) -> int:
    """Bytes of an entry whose value is text or bytes."""
    return ENTRY_BYTES + sum(map(sys.getsizeof, (*key, value)))


def deep_bytes(*values: Any) -> int:
    """Bytes that values hold, each object counted once. Looks into containers, dataclasses, tensors, arrays and models."""
    total, seen, left = 0, set(), list(values)
    while left:
        value = left.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        total += sys.getsizeof(value)
        if isinstance(value, PLAIN):
            continue
        if isinstance(value, (tuple, list, set, frozenset)):
            left += value
        elif isinstance(value, (dict, MappingProxyType)):
            left += value.keys()
            left += value.values()
        elif isinstance(value, Tensor):
            storage = value.untyped_storage()
            total += TENSOR_BYTES + (storage.nbytes() if storage.data_ptr() not in seen else 0)
            seen.add(storage.data_ptr())
        elif isinstance(value, np.ndarray):
            left += [] if value.base is None else [value.base]
        elif isinstance(value, nn.Module):
            left += [*value.parameters(), *value.buffers()]
        elif is_dataclass(value) and not isinstance(value, type):
            left += [getattr(value, name) for name in value.__dataclass_fields__]
    return total


class ByteLRU:
    """Values by key, up to `room` bytes. Asked for by many at once, a value is computed once and the others wait for it."""

    def __init__(self, room: int, weigh: Callable[[Key, Any], int] = shallow_bytes):
        self.room, self.weigh, self.size, self.makings, self.dropped = room, weigh, 0, 0, 0
        self.things: OrderedDict[Key, Any] = OrderedDict()
        self.weights: dict[Key, int] = {}
        self.under_way: dict[Key, Future] = {}
        self.lock = threading.Lock()

    def __call__(self, key: Key, make: Callable[[], Any]) -> Any:
        with self.lock:
            found = self.things.get(key, MISSING)
            if found is not MISSING:
                self.things.move_to_end(key)
                return found
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
        """A value that alone is larger than the cache is not kept, and drives out nothing."""
        weight = self.weigh(key, made)
        with self.lock:
            self.drop(key)
            if weight > self.room:
                return
            self.things[key], self.weights[key] = made, weight
            self.size += weight
            while self.size > self.room:
                self.drop(next(iter(self.things)))
            is_enough = self.dropped > TRIM_BYTES
            self.dropped = 0 if is_enough else self.dropped
        if is_enough:
            malloc.trim()

    def drop(self, key: Key) -> None:
        """Only with the lock held."""
        if key in self.things:
            del self.things[key]
            weight = self.weights.pop(key)
            self.size -= weight
            self.dropped += weight

    def clear(self, where: Callable[[Key], bool] | None = None) -> None:
        """Forget everything, or the entries with such keys."""
        with self.lock:
            for key in [key for key in self.things if where is None or where(key)]:
                self.drop(key)
            self.makings = 0 if where is None else self.makings

    def entries(self) -> dict[Key, int]:
        """The bytes of each entry."""
        with self.lock:
            return dict(self.weights)


# ---- functions ----


class Memoized(Protocol[P, T_co]):
    """A function that remembers what it returned."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T_co: ...

    def cache_clear(self) -> None: ...


def memoize(function: Callable[P, T]) -> Memoized[P, T]:
    """Remember what a pure function returns, as `functools.lru_cache` does, within the bytes of COMPUTED."""

    @wraps(function)
    def memoized(*args: P.args, **kwargs: P.kwargs) -> T:
        return COMPUTED((function, args, *kwargs.items()), lambda: function(*args, **kwargs))

    found = cast(Memoized[P, T], memoized)
    found.cache_clear = lambda: COMPUTED.clear(lambda key: key[0] is function)  # type: ignore[method-assign]
    return found


def call_bytes(key: Key, value: Any) -> int:
    """Bytes of a remembered call: its arguments and what it returned."""
    return ENTRY_BYTES + deep_bytes(*key[1:], value)


COMPUTED = ByteLRU(COMPUTED_BYTES, call_bytes)
