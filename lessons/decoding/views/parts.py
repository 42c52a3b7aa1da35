"""What several pictures of this lesson share."""

import math

from lessons.pictures.tokens import TokenLine

Words = tuple[str, ...]
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def compact(value: float) -> str:
    """0.13 or 12, and 4.0 · 10⁻⁷ where decimals say nothing."""
    if value == 0 or 0.005 <= value < 1000:
        return f"{value:.2f}" if value < 10 else f"{value:.0f}"
    return power_of_ten(math.log(value)) if value < 1 else f"{value:,.0f}"


def power_of_ten(log: float) -> str:
    """exp(log), however small."""
    if log > math.log(0.005):
        return f"{math.exp(log):.2f}"
    tens = log / math.log(10)
    power = math.floor(tens)
    return f"{10 ** (tens - power):.1f} · 10" + str(power).translate(SUPERSCRIPTS)


def told(label: str, sentences: Words, end: str = "") -> TokenLine:
    """A text, sentence by sentence; one that was said before is marked."""
    before: set[str] = set()
    again, notes = [], []
    for place, sentence in enumerate(sentences):
        again += [place] if sentence in before else []
        notes.append(f"{sentence} (said before)" if sentence in before else sentence)
        before.add(sentence)
    words = (*sentences, end) if end else sentences
    return TokenLine(label, words, notes=(*notes, end) if end else tuple(notes), changed=frozenset(again))


def counted(number: int, thing: str) -> str:
    return f"**{number}** {thing}{'' if number == 1 else 's'}"
