"""Convert Markdown to HTML. Equations stay TeX, in elements that the page's script renders with KaTeX."""

import re
from functools import lru_cache
from html import escape

from markdown_it import MarkdownIt

from lessons.kit.pictures.palette import EQUATION_ROLES, LIGHT

EQUATION = re.compile(r"\$\$(?P<display>.+?)\$\$|\$(?P<inline>[^$\n]+?)\$", re.DOTALL)
PARSER = MarkdownIt("commonmark", {"html": False}).enable("table")


@lru_cache(maxsize=1024)
def render_markdown(text: str) -> str:
    """Convert Markdown to HTML. Equations are replaced by placeholders while the Markdown is parsed."""
    equations: list[str] = []

    def replace_equation(found: re.Match[str]) -> str:
        tex, is_display = (found["display"], True) if found["display"] else (found["inline"], False)
        equations.append(equation_html(tex.strip(), is_display))
        return f"\ue000{len(equations) - 1}\ue001"

    html = PARSER.render(EQUATION.sub(replace_equation, text))
    return (
        re.sub("\ue000(\\d+)\ue001", lambda found: equations[int(found[1])], html).replace("\n", " ").strip()
    )


def equation_html(tex: str, is_display: bool) -> str:
    return f'<span class="{"tex display" if is_display else "tex"}">{escape(tex)}</span>'


def color_equations(text: str) -> str:
    """Replace the macros of equations, such as \\src, by colours, for pages without our style sheet."""
    for macro, role in EQUATION_ROLES.items():
        text = text.replace(f"\\{macro}{{", f"\\textcolor{{{LIGHT[role]}}}{{")
    return text
