"""Notices beside a control that say how its value was changed or interpreted."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

NOTICES: ContextVar[dict[str, str] | None] = ContextVar("notices", default=None)


def add_notice(control: str, text: str) -> None:
    """Add a notice, if `collect_notices` is active."""
    notices = NOTICES.get()
    if notices is not None:
        notices[control] = f"{notices[control]} {text}" if control in notices else text


@contextmanager
def collect_notices() -> Iterator[dict[str, str]]:
    """Collect the notices added inside the `with` block, by control."""
    notices: dict[str, str] = {}
    token = NOTICES.set(notices)
    try:
        yield notices
    finally:
        NOTICES.reset(token)
