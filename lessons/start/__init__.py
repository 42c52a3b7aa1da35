"""The course map, and the words that every lesson shares. It names no lesson that it is not given: see `lessons.kit.site_pages`."""

from lessons.start.pages import glossary, map_page, rosetta, terms

__all__ = ["glossary", "map_page", "rosetta", "terms"]
