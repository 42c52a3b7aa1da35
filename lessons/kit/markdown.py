"""Markdown to HTML. Equations stay TeX, in an element that the page's script hands to KaTeX."""

import re
from functools import lru_cache
from html import escape

from markdown_it import MarkdownIt

MATHS = re.compile(r"\$\$(?P<display>.+?)\$\$|\$(?P<inline>[^$\n]+?)\$", re.DOTALL)
READER = MarkdownIt("commonmark", {"html": False}).enable("table")


@lru_cache(maxsize=1024)
def rendered(text: str) -> str:
    """Equations are put aside while the rest is read, so that neither meddles with the other."""
    equations: list[str] = []

    def aside(found: re.Match[str]) -> str:
        tex, display = (found["display"], True) if found["display"] else (found["inline"], False)
        equations.append(equation(tex.strip(), display))
        return f"\ue000{len(equations) - 1}\ue001"

    html = READER.render(MATHS.sub(aside, text))
    return (
        re.sub("\ue000(\\d+)\ue001", lambda found: equations[int(found[1])], html).replace("\n", " ").strip()
    )


def equation(tex: str, display: bool) -> str:
    kind = "tex display" if display else "tex"
    return f'<span class="{kind}">{escape(tex)}</span>'
