"""Check which facts a sentence on the page states, but not its wording.

`assert_says(reading, 0.37, "forget gate", ("falls", "lower"))` passes if the text contains the number 0.37,
rounded as on the page (0.4, 0.37, 37%), the term, and one of the two words. Markup, letter case and kinds of
spaces do not matter.
"""

import math
import re

NUMBER = re.compile(r"(?<![\w.])([−-]?\d[\d,]*(?:\.\d+)?)(?: ?[×·] ?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?( ?%)?")
SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")

Fact = str | int | float | tuple[str | int | float, ...]


def plain(text: str) -> str:
    """Return the text as read: no markup, plain spaces, lower case."""
    text = re.sub(r"<[^>]+>|[*_`“”„]", "", text).replace("’", "'")
    return re.sub(
        r"[\s\u00a0\u202f\u2011]+", lambda found: "-" if "\u2011" in found[0] else " ", text
    ).lower()


def numbers(text: str) -> list[tuple[float, float]]:
    """Every number in the text with its rounding error: half a unit of its last digit."""
    found = []
    for digits, power, percent in NUMBER.findall(plain(text)):
        value = float(digits.replace(",", "").replace("−", "-"))
        places = len(digits.partition(".")[2])
        scale = 10.0 ** int(power.translate(SUPERSCRIPTS) or 0) / (100 if percent else 1)
        found.append((value * scale, 0.5 * 10.0**-places * scale))
    return found


def says(text: str, fact: Fact) -> bool:
    """Check whether the text contains a fact: a number (possibly rounded), a phrase, or one of several."""
    if isinstance(fact, tuple):
        return any(says(text, one) for one in fact)
    if isinstance(fact, str):
        return re.search(rf"(?<!\w){re.escape(plain(fact))}(?!\w)", plain(text)) is not None
    coarse = abs(fact) / 4  # rounding must not be too coarse: “1 layer” does not state 0.75
    return any(
        math.isclose(value, fact, abs_tol=half * 1.0001 if half <= coarse else 0)
        for value, half in numbers(text)
    )


def assert_says(text: str, *facts: Fact) -> None:
    missing = [fact for fact in facts if not says(text, fact)]
    assert not missing, f"not in the text: {missing}\n{text}"
