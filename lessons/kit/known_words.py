"""The words that a model knows, by field: family, house, food, … For the list beside a text field."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache

from models.tasks import CORPORA, TASKS
from models.tasks.bank import BANK, BLANK
from models.tasks.everyday.lexicon import lexicon
from models.tasks.everyday.tables import rows
from models.vocabulary import SPECIAL, Vocabulary

VOCABULARIES: Mapping[str, Callable[[], Vocabulary]] = {
    "everyday": lambda: TASKS["everyday"].source,
    "translation": lambda: TASKS["translation"].source,
    "stories": lambda: CORPORA["stories"].vocabulary,
    "bank": lambda: BANK.vocabulary,
    "parsing": lambda: TASKS["parsing"].source,
    "code": lambda: TASKS["code"].source,
    "summaries": lambda: TASKS["summaries"].source,
    "answers": lambda: TASKS["answers"].source,
}
VERB_FORMS = ("base", "third", "past", "participle", "ing")
NAME_FIELDS = {"person_name": "names"}  # kind of name → field; other names are places
NUMBERS, OTHER = "numbers", "other words"
HIDDEN = frozenset((*SPECIAL, "<unk>", BLANK))


@cache
def words_by_field(name: str) -> dict[str, tuple[str, ...]]:
    """Known words of a vocabulary by field, each followed by its other known forms (go goes went)."""
    known = {word for word in VOCABULARIES[name]().words if word not in HIDDEN and word[0].isalnum()}
    found: dict[str, dict[str, dict[str, None]]] = {}  # field → word → its forms
    for field, forms in lexicon_entries():
        if shown := [form for form in forms if form in known]:
            found.setdefault(field, {}).setdefault(shown[0], {}).update(dict.fromkeys(shown))
    listed = {form for entries in found.values() for forms in entries.values() for form in forms}
    numbers = sorted((word for word in known - listed if word.isdecimal()), key=int)
    groups = {
        field: tuple(" ".join(forms) for _, forms in sorted(entries.items()))
        for field, entries in sorted(found.items())
    } | {NUMBERS: tuple(numbers), OTHER: tuple(sorted(known - listed - {*numbers}))}
    return {field: words for field, words in groups.items() if words}


def lexicon_entries() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Fields and forms of the words in the lexicon."""
    tables = lexicon()
    for noun in tables.nouns:
        yield noun.field, (noun.english, noun.english_plural)
    for name in tables.names:
        yield NAME_FIELDS.get(name.kind, "places"), (name.english,)
    for verb in tables.verbs:
        yield verb.field or OTHER, tuple(verb.english_form(form) for form in VERB_FORMS)
    for row, adjective in zip(rows("adjectives"), tables.adjectives, strict=True):
        yield row["field"], (adjective.english, adjective.comparative, adjective.superlative)
    for row in rows("adverbs"):
        yield row["field"], (row["english"],)
