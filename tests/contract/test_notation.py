"""One symbol, one meaning: every symbol in the course's equations is in the notation panel exactly once."""

import re
from collections import Counter
from unicodedata import normalize

import pytest

from lessons import LESSONS
from lessons.kit.contract import Lesson
from lessons.start.words import ROSETTA

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "Delta": "Δ", "varepsilon": "ε",
    "eta": "η", "theta": "θ",
    "kappa": "κ",
    "lambda": "λ", "mu": "μ", "pi": "π", "Pi": "Π", "rho": "ρ", "sigma": "σ", "tau": "τ", "circ": "∘",
    "ell": "ℓ",
}  # fmt: skip
NO_QUANTITIES = {"O", "π"}  # letters that are no quantities: O(n) and π
ONLY_INDEXED = set("bfgorz")  # gates, candidates, biases: without an index these letters mean something else
ONLY_IN = {
    "W": {"scores", "transformer"},
    "L": {"training"},
}  # letter without an index → the only lessons that use it: W, matrix of a score; L, total loss
# characters of an index; a subscript with any other character is part of the symbol
PLACES = set("tijkwT0123456789+-−,<()' Π")
POSITIONS = "\ue000"  # replaces PE, so that every symbol is one character
LETTER = rf"[A-Za-zα-ωΔΠ∘ℓ{POSITIONS}]"
Symbol = tuple[str, str]  # a letter, and its subscript: "" for none, "which one" for an index


def symbol(letter: str, below: str | None) -> Symbol:
    return letter, "" if below is None else "which one" if set(below) <= PLACES else below


def in_tex(tex: str) -> set[Symbol]:
    """Quantities in an equation, without words, colours, functions, marks and brackets."""
    tex = re.sub(
        r"\\(?:src|tgt|att|ctx)\b|\\(?:mathbb|mathcal)(?:\{\w\}| \w)|\\(?:begin|end)\{\w+\}|\^\{\*\}", "", tex
    )
    tex = re.sub(r"\\(?:text|operatorname|mathrm)\{[^{}]*\}", "", tex).replace("PE", POSITIONS)
    tex = tex.replace(r"\sum", "·")  # the subscript of a sum is not an index of the symbol before it
    tex = re.sub(r"\\([A-Za-z]+|.)", lambda command: GREEK.get(command[1], " "), tex)
    while (simpler := re.sub(r"(?<!_)\{([^{}]*)\}", r" \1 ", tex)) != tex:
        tex = simpler
    found = re.findall(rf"({LETTER})(?:'*\s*_(\{{[^{{}}]*\}}|\w))?", tex)
    return {symbol(letter, below.strip("{}") if below else None) for letter, below in found}


def in_panel(cell: str) -> set[Symbol]:
    """Quantities in a table cell: the text between backticks."""
    marked = " ".join(cell.split("`")[1::2]).replace("PE", POSITIONS)
    plain = re.sub(r"[\u0300-\u036f]", "", normalize("NFD", marked))
    return {symbol(letter, below or None) for letter, below in re.findall(rf"({LETTER})(?:_(\w+))?", plain)}


def known() -> Counter[Symbol]:
    """Number of table rows that contain each symbol."""
    return Counter(each for here, _, _ in ROSETTA for each in in_panel(here))


@pytest.mark.parametrize(
    ("tex", "symbols"),
    [
        (
            r"\ctx{\tilde c_t} = \sum_i \alpha_{ti}\,h_{\Pi(i)}",
            {"c which one", "i", "α which one", "h which one"},
        ),
        (r"\underset{m\times d}{W_{xh}}\;x_{t-1}", {"m", "d", "W xh", "x which one"}),
        (
            r"\text{out} = [A^{(1)} ; A^{(n_{head})}]\,W_O, \quad y^{*}_t",
            {"A", "n head", "W O", "y which one"},
        ),
        (r"c = h_{T,k} + \tfrac{1}{n}\sum_{i=1}^{n} x_i", {"c", "h which one", "n", "i", "x which one"}),
        (r"X + PE_{t,2j} \in \mathbb R^{T\times d}", {"X", f"{POSITIONS} which one", "T", "d"}),
    ],
)
def test_the_symbols_of_an_equation(tex, symbols):
    found = {" ".join(filter(None, each)) for each in in_tex(tex)}
    assert found == symbols


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_every_symbol_of_an_equation_is_in_the_panel(lesson: Lesson):
    """A symbol is in the panel with its index, or without if the bare letter means the same."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in lesson.folder.rglob("text.md"))
    panel = known()
    missing = {}
    for tex in re.findall(r"\$\$?(.+?)\$\$?", text):
        for letter, below in in_tex(tex):
            other = {"": "which one", "which one": ""}.get(below) if letter not in ONLY_INDEXED else None
            allowed = ONLY_IN.get(letter, {lesson.slug})
            assert below or lesson.slug in allowed, f"{letter} alone is only for {allowed}: {tex}"
            if letter not in NO_QUANTITIES and (letter, below) not in panel and (letter, other) not in panel:
                missing[letter, below] = tex
    assert not missing, f"use other letters, or add rows to ROSETTA in lessons/start/words.py: {missing}"
    letters = set(re.findall(r"[α-ωΔΠ]", re.sub(r"\$.+?\$", "", text)))
    assert letters <= {letter for letter, _ in panel}


def test_no_symbol_is_in_the_panel_twice():
    assert [each for each, rows in known().items() if rows > 1] == []
