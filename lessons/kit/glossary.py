"""Find glossary terms in a text and link them."""

import re
from functools import lru_cache
from html.parser import HTMLParser

from lessons.kit.templates import render

UNLINKED_TAGS = set("a button code pre h1 h2 h3 h4 h5 h6 math svg script style".split())


def term_anchor(term: str) -> str:
    """HTML id of a term in the glossary, e.g. attention-weight."""
    return re.sub(r"\W+", "-", term.lower())


@lru_cache(maxsize=256)
def terms_pattern(terms: tuple[str, ...]) -> re.Pattern[str]:
    """Regular expression with one group per term: whole words and plurals, longer terms first."""
    ordered = sorted(range(len(terms)), key=lambda k: -len(terms[k]))
    either = "|".join(f"(?P<t{k}>{term_pattern(terms[k])})" for k in ordered) or "(?!)"
    return re.compile(rf"(?<![\w-])(?:{either})(?![\w-])", re.IGNORECASE)


def term_pattern(term: str) -> str:
    """A regular expression for a term and its plural."""
    plural = {"y": "(?:y|ies)", "s": "s(?:es)?"}.get(term[-1], f"{re.escape(term[-1])}s?")
    return re.escape(term[:-1]).replace(r"\ ", r"\s+") + plural


def find_terms(text: str, terms: tuple[str, ...]) -> frozenset[str]:
    """Find the terms that occur in a text, which may be Markdown."""
    return frozenset(term for term in terms if terms_pattern((term,)).search(text))


def link_terms(html: str, terms: tuple[str, ...], seen: set[str]) -> str:
    """Link the first use of each term to the glossary.

    Linked terms are added to `seen`, so that they are not linked again on the same page.
    """
    linker = Linker(terms, seen)
    linker.feed(html)
    linker.close()
    return "".join(linker.parts)


class Linker(HTMLParser):
    """Copy HTML and link terms in running text, but not in equations, links, code or headings."""

    def __init__(self, terms: tuple[str, ...], seen: set[str]):
        super().__init__(convert_charrefs=False)
        self.terms, self.seen, self.pattern = terms, seen, terms_pattern(terms)
        self.parts: list[str] = []
        self.unlinked: list[bool] = []  # for each open element: whether links are forbidden in it

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.parts.append(self.get_starttag_text() or "")
        self.unlinked.append(tag in UNLINKED_TAGS or "tex" in (dict(attrs).get("class") or "").split())

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.parts.append(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        self.parts.append(f"</{tag}>")
        self.unlinked.pop()

    def handle_data(self, data: str) -> None:
        self.parts.append(data if any(self.unlinked) else self.pattern.sub(self.link, data))

    def link(self, found: re.Match[str]) -> str:
        term = self.terms[int((found.lastgroup or "t0")[1:])]
        if term in self.seen:
            return found[0]
        self.seen.add(term)
        return render("kit/templates/term.html", anchor=term_anchor(term), words=found[0])

    def handle_entityref(self, name: str) -> None:
        self.parts.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.parts.append(f"&#{name};")

    def handle_comment(self, data: str) -> None:
        self.parts.append(f"<!--{data}-->")
