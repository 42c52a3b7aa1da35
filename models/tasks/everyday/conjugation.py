"""French conjugation: three regular groups with spelling changes, and a table of irregular verbs.

A verb has five forms per tense, because the course always translates you as vous: je, vous, il, nous, ils.
"""

import re
from functools import cache

from models.tasks.everyday.tables import rows
from models.tasks.translation.lexicon import IMPERFECT, WHO

Who = tuple[int, bool]  # person, and whether it is plural
FUTURE = dict(zip(WHO, "ai ez a ons ont".split(), strict=True))
VOWELS = "aâeéèêiîoôuûy"


@cache
def _irregular() -> dict[str, dict[str, str]]:
    return {row["ending"]: row for row in rows("french_irregular")}


@cache
def _model(infinitive: str) -> tuple[str, dict[str, str]] | None:
    """Find the prefix and table row of an irregular verb: revenir is re + venir. None for a regular verb."""
    for start in range(len(infinitive)):
        row = _irregular().get(infinitive[start:])
        if row:
            return infinitive[:start], row
    return None


def _stressed(stem: str) -> str:
    """The stem of an -er verb before a silent ending: achèt-, jett-, appell-, préfèr-, nettoi-."""
    if stem in ("jet", "appel", "rappel"):
        return stem + stem[-1]
    if stem.endswith("y"):
        return stem[:-1] + "i"
    return re.sub(r"[eé]([bcdfgjlmnprstvz]|[cgt][rl])$", r"è\1", stem)


def _before_o(stem: str) -> str:
    """Spell a stem before an ending in o: mangeons, commençons."""
    return stem + "e" if stem.endswith("g") else stem[:-1] + "ç" if stem.endswith("c") else stem


@cache
def present(infinitive: str) -> dict[Who, str]:
    found = _model(infinitive)
    if found:
        prefix, row = found
        forms = [prefix + row[person] for person in ("je", "vous", "il", "nous", "ils")]
    elif infinitive.endswith("er"):
        stem = infinitive[:-2]
        quiet = _stressed(stem)
        forms = [quiet + "e", stem + "ez", quiet + "e", _before_o(stem) + "ons", quiet + "ent"]
    elif infinitive.endswith("ir"):
        forms = [infinitive[:-1] + ending for ending in ("s", "ssez", "t", "ssons", "ssent")]
    else:
        forms = [infinitive[:-2] + ending for ending in ("s", "ez", "", "ons", "ent")]
    return dict(zip(WHO, forms, strict=True))


@cache
def imperfect(infinitive: str) -> dict[Who, str]:
    """Build the imperfect from the nous form: buvons, buvait. Before i: mangions, commencions."""
    found = _model(infinitive)
    if infinitive == "être":
        stem = "ét"
    elif found and found[1]["nous"] == "-":  # impersonal verbs: il pleuvait, il fallait
        stem = infinitive[:-3]
    else:
        stem = present(infinitive)[1, True].removesuffix("ons")
    soft = infinitive[:-2] if infinitive.endswith("er") else stem
    return {who: (soft if ending.startswith("i") else stem) + ending for who, ending in IMPERFECT.items()}


@cache
def future_stem(infinitive: str) -> str:
    found = _model(infinitive)
    if found:
        return found[0] + found[1]["future"]
    if infinitive.endswith("er"):
        stem = infinitive[:-2]
        changes = (
            stem in ("jet", "appel", "rappel")
            or stem.endswith("y")
            or re.search(r"e[bcdfgjlmnprstvz]$", stem)
        )
        return (_stressed(stem) if changes else stem) + "er"
    return infinitive.removesuffix("e")


@cache
def future(infinitive: str) -> dict[Who, str]:
    return {who: future_stem(infinitive) + ending for who, ending in FUTURE.items()}


@cache
def conditional(infinitive: str) -> dict[Who, str]:
    return {who: future_stem(infinitive) + ending for who, ending in IMPERFECT.items()}


@cache
def participle(infinitive: str) -> str:
    found = _model(infinitive)
    if found:
        return found[0] + found[1]["participle"]
    return infinitive[:-2] + {"er": "é", "ir": "i", "re": "u"}[infinitive[-2:]]


def agreeing(participle: str, gender: str, plural: bool) -> str:
    """Make a participle agree in gender and number: vu, vue, vus, vues; mis, mise, mis, mises; dû, due."""
    stem = "du" if participle == "dû" and (gender == "f" or plural) else participle
    feminine = stem + "e" * (gender == "f")
    return feminine if not plural or feminine.endswith("s") else feminine + "s"
