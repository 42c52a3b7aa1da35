"""The course map, the glossary and the table of notations: an implementation of `lessons.kit.site_pages`."""

from lessons.start.pages import glossary, map_page, rosetta, terms

__all__ = ["glossary", "map_page", "rosetta", "terms"]
