"""Caches bounded by bytes, which drop the least recently used values first.

`@memoize` replaces `functools.lru_cache` where visitors choose the arguments; all these functions share the
cache COMPUTED. Functions whose arguments come from a small fixed set (checkpoints, vocabularies) use
`functools.cache`.
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
TRIM_BYTES = 8 << 20  # after dropping this much, a cache returns free memory to the system
MISSING = object()
ATOMIC_TYPES = (str, int, float, bytes, type(None))
ENTRY_BYTES = 400  # overhead per entry: tables, the key's tuple
TENSOR_BYTES = 600  # overhead of one tensor


def shallow_bytes(key: Key, value: Any) -> int:
    """Bytes of an entry whose value is text or bytes."""
    return ENTRY_BYTES + sum(map(sys.getsizeof, (*key, value)))


def deep_bytes(*values: Any) -> int:
    """Bytes of values and of everything they contain; each object is counted once."""
    total, seen, left = 0, set(), list(values)
    while left:
        value = left.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        total += sys.getsizeof(value)
        if isinstance(value, ATOMIC_TYPES):
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
    """A cache of at most `max_bytes` that drops the least recently used values.

    A value that several threads request is computed once; the other threads wait.
    """

    def __init__(
        self,
        max_bytes: int,
        size_of: Callable[[Key, Any], int] = shallow_bytes,
        key_suffix: Callable[[], Key] = tuple,
    ):
        """`key_suffix`: what else the values depend on; it is added to every key."""
        self.max_bytes, self.size_of, self.key_suffix = max_bytes, size_of, key_suffix
        self.size, self.compute_count, self.dropped = 0, 0, 0
        self.values: OrderedDict[Key, Any] = OrderedDict()
        self.sizes: dict[Key, int] = {}
        self.pending: dict[Key, Future] = {}
        self.lock = threading.Lock()

    def __call__(self, key: Key, make: Callable[[], Any]) -> Any:
        key += self.key_suffix()
        with self.lock:
            found = self.values.get(key, MISSING)
            if found is not MISSING:
                self.values.move_to_end(key)
                return found
            waiting = self.pending.get(key)
            if waiting is None:
                self.compute_count += 1
                promise = self.pending[key] = Future()
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
            del self.pending[key]

    def get(self, key: Key) -> Any:
        key += self.key_suffix()
        with self.lock:
            if key in self.values:
                self.values.move_to_end(key)
                return self.values[key]
        return None

    def put(self, key: Key, made: Any) -> None:
        """Store a value and drop old ones. A value that is larger than the cache is not stored."""
        weight = self.size_of(key, made)
        with self.lock:
            self.drop(key)
            if weight > self.max_bytes:
                return
            self.values[key], self.sizes[key] = made, weight
            self.size += weight
            while self.size > self.max_bytes:
                self.drop(next(iter(self.values)))
            is_enough = self.dropped > TRIM_BYTES
            self.dropped = 0 if is_enough else self.dropped
        if is_enough:
            malloc.trim()

    def drop(self, key: Key) -> None:
        """Remove an entry; the caller holds the lock."""
        if key in self.values:
            del self.values[key]
            weight = self.sizes.pop(key)
            self.size -= weight
            self.dropped += weight

    def clear(self, where: Callable[[Key], bool] | None = None) -> None:
        """Remove all entries, or only those whose key satisfies `where`."""
        with self.lock:
            for key in [key for key in self.values if where is None or where(key)]:
                self.drop(key)
            self.compute_count = 0 if where is None else self.compute_count

    def entries(self) -> dict[Key, int]:
        """The size in bytes of each entry."""
        with self.lock:
            return dict(self.sizes)


# ---- functions ----


class Memoized(Protocol[P, T_co]):
    """A function with a cache of its results."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T_co: ...

    def cache_clear(self) -> None: ...


def memoize(function: Callable[P, T]) -> Memoized[P, T]:
    """Cache the results of a pure function, like `functools.lru_cache`, in COMPUTED."""

    @wraps(function)
    def memoized(*args: P.args, **kwargs: P.kwargs) -> T:
        return COMPUTED((function, args, *kwargs.items()), lambda: function(*args, **kwargs))

    found = cast(Memoized[P, T], memoized)
    found.cache_clear = lambda: COMPUTED.clear(lambda key: key[0] is function)  # type: ignore[method-assign]
    return found


def call_bytes(key: Key, value: Any) -> int:
    """Bytes of a cached call: its arguments and its result."""
    return ENTRY_BYTES + deep_bytes(*key[1:], value)


COMPUTED = ByteLRU(COMPUTED_BYTES, call_bytes)
