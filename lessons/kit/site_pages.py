"""Interface of the pages around the lessons: map, table of notations, glossary.

The module `lessons.start` implements this protocol.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from markupsafe import Markup

from lessons.kit.contract import Lesson


class SitePages(Protocol):
    __name__: str  # name of the module, which worker processes import

    def map_page(self, lessons: Sequence[Lesson], todo: Mapping[str, int]) -> Markup:
        """The start page with the map. `todo`: number of tasks per lesson, by slug."""

    def rosetta(self) -> Markup:
        """A table of notations: this course, other courses, PyTorch."""

    def glossary(self, lessons: Sequence[Lesson]) -> Markup:
        """The glossary of the terms that these lessons use."""

    def terms(self, lessons: Sequence[Lesson], here: Lesson) -> tuple[str, ...]:
        """Terms to link on the page of a lesson (`kit.glossary.link_terms`)."""
