"""Terms in a text: where they are used, and their links to the glossary."""

import re
from functools import lru_cache
from html.parser import HTMLParser

from lessons.kit.templates import render

CLOSED = {
    "a",
    "button",
    "code",
    "pre",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "math",
    "svg",
    "script",
    "style",
}  # no links in there


def anchor(term: str) -> str:
    """The term in an address: `#glossary-attention-weight`."""
    return re.sub(r"\W+", "-", term.lower())


@lru_cache(maxsize=256)
def pattern(terms: tuple[str, ...]) -> re.Pattern[str]:
    """A group for each term, as a whole word, also in the plural; longer ones first, so “attention weight” is not “attention”."""
    ordered = sorted(range(len(terms)), key=lambda k: -len(terms[k]))
    either = "|".join(f"(?P<t{k}>{forms(terms[k])})" for k in ordered) or "(?!)"
    return re.compile(rf"(?<![\w-])(?:{either})(?![\w-])", re.IGNORECASE)


def forms(term: str) -> str:
    plural = {"y": "(?:y|ies)", "s": "s(?:es)?"}.get(term[-1], f"{re.escape(term[-1])}s?")
    return re.escape(term[:-1]).replace(r"\ ", r"\s+") + plural


@lru_cache(maxsize=64)
def used(text: str, terms: tuple[str, ...]) -> frozenset[str]:
    """The terms that occur in a text (Markdown is welcome)."""
    return frozenset(term for term in terms if pattern((term,)).search(text))


def link_terms(html: str, terms: tuple[str, ...], seen: set[str]) -> str:
    """The first use of each term becomes a link into the glossary. `seen` grows: hand it on to the next text of the page."""
    linker = Linker(terms, seen)
    linker.feed(html)
    linker.close()
    return "".join(linker.parts)


class Linker(HTMLParser):
    """Writes what it reads, and links in running text only: never in an equation (`kit.markdown`), a link, code or a heading."""

    def __init__(self, terms: tuple[str, ...], seen: set[str]):
        super().__init__(convert_charrefs=False)
        self.terms, self.seen, self.pattern = terms, seen, pattern(terms)
        self.parts: list[str] = []
        self.inside: list[bool] = []  # for each open element: is it closed to links

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.parts.append(self.get_starttag_text() or "")
        self.inside.append(tag in CLOSED or "tex" in (dict(attrs).get("class") or "").split())

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.parts.append(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        self.parts.append(f"</{tag}>")
        self.inside.pop()

    def handle_data(self, data: str) -> None:
        self.parts.append(data if any(self.inside) else self.pattern.sub(self.link, data))

    def link(self, found: re.Match[str]) -> str:
        term = self.terms[int((found.lastgroup or "t0")[1:])]
        if term in self.seen:
            return found[0]
        self.seen.add(term)
        return render("kit/templates/term.html", anchor=anchor(term), words=found[0])

    def handle_entityref(self, name: str) -> None:
        self.parts.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.parts.append(f"&#{name};")

    def handle_comment(self, data: str) -> None:
        self.parts.append(f"<!--{data}-->")
