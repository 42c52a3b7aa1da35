"""Limit the requests in flight. Above the limit the answer is 503, and the page tries again."""

from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from lessons.kit.web.request_guard import HTTPError

MAX_PER_VISITOR = 8
MAX_TOTAL = 160  # per worker: as many requests as it answers in about two seconds


class ConcurrencyLimit:
    def __init__(self, max_per_visitor: int = MAX_PER_VISITOR, max_total: int = MAX_TOTAL):
        self.max_per_visitor, self.max_total, self.in_flight = max_per_visitor, max_total, Counter[Hashable]()

    @contextmanager
    def __call__(self, visitor: Hashable) -> Iterator[None]:
        if self.in_flight[visitor] >= self.max_per_visitor or self.in_flight.total() >= self.max_total:
            raise HTTPError(503, "Busy just now; please try again in a second.", retry_after="1")
        self.in_flight[visitor] += 1
        try:
            yield
        finally:
            self.in_flight[visitor] -= 1
            if not self.in_flight[visitor]:
                # delete the entry of an idle visitor, so that entries do not accumulate
                del self.in_flight[visitor]
