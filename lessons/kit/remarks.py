"""What was made of a value before it was used, said beside its control. A remark is for whoever listens; nobody need."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

HEARD: ContextVar[dict[str, str] | None] = ContextVar("heard", default=None)


def remark(control: str, words: str) -> None:
    heard = HEARD.get()
    if heard is not None:
        heard[control] = f"{heard[control]} {words}" if control in heard else words


@contextmanager
def listening() -> Iterator[dict[str, str]]:
    """All that is remarked in here, by control."""
    heard: dict[str, str] = {}
    before = HEARD.set(heard)
    try:
        yield heard
    finally:
        HEARD.reset(before)
