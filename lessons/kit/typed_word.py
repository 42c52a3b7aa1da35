"""Read one typed word letter by letter, for the task `pronounce`: any word or name with letters a to z."""

import re

from lessons.kit.notices import add_notice
from models.tasks.pronounce import MAX_LETTERS, spell
from models.vocabulary import InputError


def read_spelling(text: str, control: str = "word") -> tuple[str, ...]:
    """The letters of the first typed word. Notices beside the control report what is left out."""
    words = [(word, letters) for word in text.split() if (letters := spell(word))]
    if not words:
        raise InputError("Type one English word or name with the letters a to z.", control)
    typed, letters = words[0]
    if len(words) > 1:
        add_notice(control, f"Only the first of {len(words)} words is read.")
    if re.search(r"\d", typed):
        add_notice(control, "Digits are left out.")
    if len(letters) > MAX_LETTERS:
        add_notice(control, f"Only the first {MAX_LETTERS} of {len(letters)} letters are read.")
    return tuple(letters[:MAX_LETTERS])
