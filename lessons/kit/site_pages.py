"""What stands around the lessons: the map, the notation, the glossary. The app hands the module `lessons.start` over as this."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from markupsafe import Markup

from lessons.kit.contract import Lesson


class SitePages(Protocol):
    __name__: str  # of the module: a work process loads it by itself

    def map_page(self, lessons: Sequence[Lesson], todo: Mapping[str, int]) -> Markup:
        """The first page. `todo`: how many things there are to do in each lesson, by slug."""

    def rosetta(self) -> Markup:
        """How this course writes it, and how others do."""

    def glossary(self, lessons: Sequence[Lesson]) -> Markup:
        """The words of the course that these lessons use."""

    def terms(self, lessons: Sequence[Lesson], here: Lesson) -> tuple[str, ...]:
        """Those of them that may be linked on the page of a lesson (`kit.glossary.link_terms`)."""
