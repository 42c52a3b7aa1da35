"""What was made of a value before it was used, said beside its control. A remark is for whoever listens; nobody need."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

NOTICES: ContextVar[dict[str, str] | None] = ContextVar("heard", default=None)


def add_notice(control: str, words: str) -> None:
    heard = NOTICES.get()
    if heard is not None:
        heard[control] = f"{heard[control]} {words}" if control in heard else words


@contextmanager
def collect_notices() -> Iterator[dict[str, str]]:
    """All that is remarked in here, by control."""
    heard: dict[str, str] = {}
    before = NOTICES.set(heard)
    try:
        yield heard
    finally:
        NOTICES.reset(before)
