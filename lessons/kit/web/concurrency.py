"""How much may be under way at once. Beyond it the answer is a quick “busy”, and the page asks again."""

from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from lessons.kit.web.request_guard import HTTPError

EACH, ALL = (
    8,
    160,
)  # requests in flight: of one visitor, and of all, in one worker: what it answers within about two seconds


class ConcurrencyLimit:
    def __init__(self, each: int = EACH, everyone: int = ALL):
        self.each, self.everyone, self.inside = each, everyone, Counter[Hashable]()

    @contextmanager
    def __call__(self, visitor: Hashable) -> Iterator[None]:
        if self.inside[visitor] >= self.each or self.inside.total() >= self.everyone:
            raise HTTPError(503, "Busy just now; please try again in a second.", retry_after="1")
        self.inside[visitor] += 1
        try:
            yield
        finally:
            self.inside[visitor] -= 1
            if not self.inside[visitor]:
                del self.inside[visitor]  # nothing grows
