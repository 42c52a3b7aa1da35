"""English forms of verbs, nouns and adjectives: spelling rules and a table of irregular verbs."""

from functools import cache

from models.tasks.everyday.tables import rows

DOUBLED_CONSONANT = frozenset(
    """
    admit beg begin chat chop cut drag drop forget get grab grin grip hit hop hug hum jog knit nap nod plan
    prefer put rob run scrub set shop sip sit skip slap slip sob spot stab step stir stop swim travel trip win
    """.split()
)
VOWELS = "aeiou"


@cache
def _irregular() -> dict[str, tuple[str, str]]:
    return {row["base"]: (row["past"], row["participle"]) for row in rows("english_irregular")}


def _ends_in_consonant_y(word: str) -> bool:
    return len(word) > 1 and word[-1] == "y" and word[-2] not in VOWELS


def add_s(word: str) -> str:
    """Add -s for the plural of a noun or the third person of a verb: boxes, cities, goes, reads."""
    if _ends_in_consonant_y(word):
        return word[:-1] + "ies"
    return word + (
        "es" if word.endswith(("s", "x", "z", "ch", "sh", "go", "do", "hero", "tomato", "potato")) else "s"
    )


def third(word: str) -> str:
    return {"have": "has", "be": "is"}.get(word) or add_s(word)


def ing(word: str) -> str:
    if word in DOUBLED_CONSONANT:
        return word + word[-1] + "ing"
    if word.endswith("ie"):
        return word[:-2] + "ying"
    return (word[:-1] if word.endswith("e") and not word.endswith(("ee", "be")) else word) + "ing"


def _regular_past(word: str) -> str:
    if _ends_in_consonant_y(word):
        return word[:-1] + "ied"
    if word in DOUBLED_CONSONANT:
        return word + word[-1] + "ed"
    return word + ("d" if word.endswith("e") else "ed")


def past(word: str) -> str:
    return _irregular()[word][0] if word in _irregular() else _regular_past(word)


def participle(word: str) -> str:
    return _irregular()[word][1] if word in _irregular() else _regular_past(word)


def _graded(word: str, ending: str) -> str:
    if _ends_in_consonant_y(word):
        return word[:-1] + "i" + ending
    if word.endswith("e"):
        return word + ending[1:]
    if (
        len(word) > 2
        and word[-1] in "bdgmnpt"
        and word[-2] in VOWELS
        and word[-3] not in VOWELS
        and len(word) < 5
    ):
        return word + word[-1] + ending
    return word + ending


def comparative(word: str) -> str:
    """Form the English comparative by spelling rules: bigger, happier, nicer."""
    return _graded(word, "er")


def superlative(word: str) -> str:
    return _graded(word, "est")
