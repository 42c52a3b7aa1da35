"""Format numbers for pictures and readings: a true minus, few digits, and 4 · 10⁻⁷ for small ones."""

import math
from decimal import Decimal

from lessons.kit.language import local_number, translate, translate_plural

SUPERSCRIPT_DIGITS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
SUBSCRIPT_DIGITS = str.maketrans("0123456789-", "₀₁₂₃₄₅₆₇₈₉₋")


def signed(value: float, digits: int = 2) -> str:
    """Format a number with a true minus sign and thousands separators: −0.50, 12,288; – for NaN."""
    if not math.isfinite(value):
        return "–" if math.isnan(value) else "∞" if value > 0 else "−∞"
    text = f"{value:,.{digits}f}"
    return local_number(text.replace("-", "−") if text.strip("-0.") else text.replace("-", ""))


def short(value: float, digits: int = 3) -> str:
    """Format with few significant digits, for axes and tooltips; very small or large: 1.2 · 10⁻⁵."""
    if not math.isfinite(value):
        return signed(value)
    if value and not 1e-4 <= abs(value) < 1e7:
        number, _, power = f"{value:.{digits - 1}e}".partition("e")
        number = local_number(f"{float(number):.{digits}g}")
        ten = ten_to(int(power))
        return (ten if number == "1" else f"{number}\u00a0·\u00a0{ten}").replace("-", "−")
    if value == round(value) or abs(value) >= 1000:
        return signed(value, 0 if value == round(value) else max(0, digits - len(f"{abs(value):.0f}")))
    text = f"{value:.{digits}g}"
    return (
        signed(value, 0) if "e+" in text else local_number(text.replace("-", "−"))
    )  # 164 rounded to two digits is written as 164, not 1.6e+02


def scientific(value: float | Decimal, decimals: int = 0) -> str:
    """Format in scientific notation with non-breaking spaces: 4 · 10⁻⁷."""
    if not (value and math.isfinite(value)):
        return signed(float(value), 0)
    number, _, power = f"{value:.{decimals}e}".partition("e")
    return f"{local_number(number)}\u00a0·\u00a0{ten_to(int(power))}".replace("-", "−")


def small(value: float) -> str:
    """Format a difference or gradient: 0.25 or 120, but 6 · 10⁻⁸."""
    return signed(value, 2 if abs(value) < 100 else 0) if abs(value) >= 0.01 else scientific(value)


def compact(value: float | Decimal) -> str:
    """Format a probability or a ratio of probabilities: 0.13 or 12, but 4.0 · 10⁻⁷."""
    if value == 0 or 0.005 <= value < 1000:
        return local_number(f"{value:.2f}" if value < 10 else f"{value:.0f}")
    return scientific(value, 1)


def percent(share: float, digits: int = 0) -> str:
    """Format a fraction as a percentage: 37%."""
    return translate("{number}%", number=local_number(f"{100 * share:.{digits}f}"))


def plural(number: int, thing: str) -> str:
    """Format a count with its noun: 1 word, 2 words."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def bold_count(number: int, thing: str) -> str:
    """Format a count with its noun, the number in bold: **1** word, **2** words."""
    return "**{}** {}".format(*plural(number, thing).split(" ", 1))


def format_rate(value: float) -> str:
    """Format a learning rate: 0.016, 0.0005."""
    return local_number(f"{value:g}")


def seed_count(count: int) -> str:
    """Format a number of seeds: one seed, 3 seeds."""
    return translate_plural("one seed", "{n} seeds", count)


def ten_to(power: int) -> str:
    """Format a power of ten: 10⁻³."""
    return "10" + str(power).translate(SUPERSCRIPT_DIGITS)


def subscript(number: int) -> str:
    """Write a number in subscript digits, as in s₃."""
    return str(number).translate(SUBSCRIPT_DIGITS)
