"""Read one typed word letter by letter, for the task `pronounce`: any word or name with letters a to z."""

import re

from lessons.kit.language import translate
from lessons.kit.notices import add_notice
from models.tasks.pronounce import MAX_LETTERS, spell
from models.vocabulary import InputError


def read_spelling(text: str, control: str = "word") -> tuple[str, ...]:
    """The letters of the first typed word. Notices beside the control report what is left out."""
    words = [(word, letters) for word in text.split() if (letters := spell(word))]
    if not words:
        raise InputError(translate("Type one English word or name with the letters a to z."), control)
    typed, letters = words[0]
    if len(words) > 1:
        add_notice(control, translate("Only the first of {n} words is read.", n=len(words)))
    if re.search(r"\d", typed):
        add_notice(control, translate("Digits are left out."))
    if len(letters) > MAX_LETTERS:
        template = "Only the first {most} of {n} letters are read."
        add_notice(control, translate(template, most=MAX_LETTERS, n=len(letters)))
    return tuple(letters[:MAX_LETTERS])
