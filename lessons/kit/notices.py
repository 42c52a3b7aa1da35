"""Notices beside a control: how its value was interpreted, words offered instead, and its vocabulary."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar


class Notices(dict[str, str]):
    """Notices by control."""

    def __init__(self) -> None:
        super().__init__()
        self.offers: dict[str, dict[str, tuple[str, ...]]] = {}  # control → typed word → words to replace it
        self.vocabularies: dict[str, str] = {}  # control → name of its vocabulary (known_words.py)


NOTICES: ContextVar[Notices | None] = ContextVar("notices", default=None)


def add_notice(control: str, text: str) -> None:
    """Add a notice, if `collect_notices` is active."""
    notices = NOTICES.get()
    if notices is not None:
        notices[control] = f"{notices[control]} {text}" if control in notices else text


def offer_words(control: str, offers: Mapping[str, tuple[str, ...]]) -> None:
    """Offer words that a click puts in place of typed words."""
    notices = NOTICES.get()
    if notices is not None and (found := {word: others for word, others in offers.items() if others}):
        notices.offers.setdefault(control, {}).update(found)


def name_vocabulary(control: str, name: str) -> None:
    """Name the vocabulary that the control's text is read with, so that the page can list its words."""
    notices = NOTICES.get()
    if notices is not None:
        notices.vocabularies[control] = name


@contextmanager
def collect_notices() -> Iterator[Notices]:
    """Collect the notices added inside the `with` block, by control."""
    notices = Notices()
    token = NOTICES.set(notices)
    try:
        yield notices
    finally:
        NOTICES.reset(token)
