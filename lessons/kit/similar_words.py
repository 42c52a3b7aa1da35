"""Known words of the same kind as an unknown word, to offer or to use in its place.

An unknown word has no meaning for a model. What can be told is its part of speech and form (from the lexicon
of the everyday task if the word is there, else from its ending and its neighbours), its kind and field (from
the lexicon, else from the other words of the sentence), and whether it is one letter away from a known word.
"""

import difflib
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

from models.tasks.everyday.lexicon import GROUPS, lexicon
from models.tasks.everyday.tables import rows, word_group

OFFERED = 3  # number of words offered for an unknown word
MIN_OFFERED_LIKENESS = 0.7  # a word that has nothing but its part of speech in common has less
MIN_TYPO_LETTERS = 4  # a shorter word is one letter away from too many others
MAX_TYPO_LETTERS = 24
VERB_FORMS = ("base", "third", "past", "participle", "ing")
FUNCTION_WORDS = {  # words that can replace each other in a sentence
    "article": "the a an this that these those some any another each every no",
    "possessive": "my your his her its our their",
    "subject": "i you he she it we they someone somebody everybody everyone nobody",
    "object": "me him them us you her it",
    "possessive pronoun": "mine yours hers ours theirs",
    "preposition": (
        "in on at to of with for from by after before about near behind between under over into without"
        " during around through until towards against up down off out across"
    ),
    "modal": "will can must would could should may might shall",
    "be": "is are was were am be been being",
    "do": "does do did done doing",
    "have": "has have had having",
    "conjunction": "and but or because when if while as since although so that than",
    "question": "what who where when why how which whose",
    "number": (
        "two three four five six seven eight nine ten one eleven twelve thirteen fourteen fifteen twenty"
        " thirty forty fifty sixty hundred thousand"
    ),
    "quantity": "many much some several few all most more enough",
    "mark": ". ! ?",
}
BEFORE_NOUNS = frozenset("article possessive quantity number preposition".split())
ADJECTIVE_ENDINGS = ("ic", "ous", "ful", "less", "ive", "able", "ible", "ish")
DEGREES = frozenset("very too so really quite".split())
TO_PLACES = frozenset("in to from".split())


@dataclass(frozen=True)
class Use:
    """One use of a word form. Empty: not known."""

    part: str  # noun, name, verb, adjective, adverb, digits, or a key of FUNCTION_WORDS
    form: str = ""  # plural, past, comparative, …
    kind: str = ""  # what a noun names, what follows a verb, what an adverb tells
    field: str = ""  # family, house, food, …
    trait: str = ""  # sex of a person; whether an adjective is positive or negative
    frequency: int = 1


@cache
def lexicon_uses() -> dict[str, tuple[Use, ...]]:
    """All uses of every word form in the lexicon."""
    found: dict[str, dict[Use, None]] = {}

    def add(form: str, use: Use) -> None:
        if form and " " not in form:
            found.setdefault(form, {})[use] = None

    for part, words in FUNCTION_WORDS.items():
        for place, word in enumerate(words.split()):
            add(word, Use(part, frequency=-place))
    tables = lexicon()
    for noun in tables.nouns:
        form = "plural" if noun.number in ("both", "english") else ""
        sex = noun.gender if noun.is_person else ""
        add(noun.english, Use("noun", form, noun.kind, noun.field, sex, noun.frequency))
        add(noun.english_plural, Use("noun", "plural", noun.kind, noun.field, sex, noun.frequency))
    for name in tables.names:
        add(name.english, Use("name", "", name.kind, "people", name.sex, name.frequency))
    for verb in tables.verbs:
        for form in VERB_FORMS:
            add(verb.english_form(form), Use("verb", form, verb.frame, verb.field, "", verb.weight))
    fields = {row["english"]: row["field"] for row in rows("adjectives")}
    for adjective in tables.adjectives:
        kinds = " ".join(sorted(adjective.kinds))
        groups = (
            name for name in ("positive", "negative") if adjective.english in word_group(f"{name}_adjectives")
        )
        about = kinds, fields[adjective.english], next(groups, ""), adjective.frequency
        add(adjective.english, Use("adjective", "", *about))
        for form in ("comparative", "superlative"):
            add(getattr(adjective, form), Use("adjective", form, *about))
    for adverb in tables.adverbs:
        add(adverb.english, Use("adverb", "", adverb.role, "", "", adverb.frequency))
    return {form: tuple(uses) for form, uses in found.items()}


def guess_use(words: Sequence[str], i: int, names: Collection[str] = ()) -> Use:
    """The likeliest use of a word by spelling and neighbours; `names` were typed with a capital letter."""
    word, last = words[i], words[i - 1] if i else ""
    before, after = parts_at(words, i - 1), parts_at(words, i + 1)
    before = parts_at(words, i - 2) if before == {"adverb"} else before
    if word.isdecimal():
        return Use("digits", "year" if len(word) == 4 else "")
    if word in names:
        return Use("name", "", "city" if last in TO_PLACES else "person_name")
    if word.endswith("ly"):
        return Use("adverb", "", "manner")
    if "be" in before and word.endswith(("ing", "ed")):
        return Use("verb", "ing" if word.endswith("ing") else "participle")
    if "be" in before or last in DEGREES or word.endswith(ADJECTIVE_ENDINGS):
        return Use("adjective")
    if (
        before & {"subject", "modal", "do"}
        or last in ("to", "not")
        or (before & {"name"} and word[-1] in "sd")
    ):
        ends_in_s = word.endswith("s") and last not in ("i", "you", "we", "they")
        return Use("verb", "past" if word.endswith("ed") else "third" if ends_in_s else "base")
    if "noun" in after:
        return Use("adjective")
    is_plural = word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return Use("noun", "plural" if is_plural else "")


def parts_at(words: Sequence[str], i: int) -> set[str]:
    """The possible parts of speech of the word at this place; empty outside the sentence."""
    return {use.part for use in lexicon_uses().get(words[i], ())} if 0 <= i < len(words) else set()


def similar_words(
    words: Sequence[str],
    i: int,
    known: Collection[str],
    names: Collection[str] = (),
    min_likeness: float = -math.inf,
) -> tuple[str, ...]:
    """Up to OFFERED known words that could stand for the word at this place, the nearest first.

    First its singular, or a word that differs by one letter if the word is not in the lexicon; then words of
    the same part of speech and form, those of the same kind and field first. `names` are the words that were
    typed with a capital letter.
    """
    word = words[i]
    if not word[0].isalnum() and word not in lexicon_uses():
        return ()
    scores = same_kind_scores(words, i, known, names)
    typos = [] if word in lexicon_uses() or word in names else words_one_letter_away(word, known)
    fitting = [other for other in typos if other in scores] or typos
    singular = [word[:-1]] if word.endswith("s") and word[:-1] in known else []
    ranked = sorted(scores, key=lambda other: (-scores[other], other))
    likely = [other for other in ranked if scores[other] >= min_likeness]
    return tuple(dict.fromkeys([*singular, *fitting[:1], *likely]))[:OFFERED]


def frequent_noun(known: Collection[str]) -> str:
    """The most frequent known noun."""
    nouns = {
        word: max(use.frequency for use in uses if use.part == "noun")
        for word, uses in known_uses(frozenset(known))
        if any(use.part == "noun" for use in uses)
    }
    return max(nouns, key=lambda word: (nouns[word], word))


def same_kind_scores(
    words: Sequence[str], i: int, known: Collection[str], names: Collection[str] = ()
) -> dict[str, float]:
    """How near each known word of the same part of speech and form is."""
    guess, context = guess_use(words, i, names), fields_nearby(words, i)
    uses = lexicon_uses().get(words[i]) or (guess,)
    fitting = [use for use in uses if (use.part, use.form) == (guess.part, guess.form)]
    mine = fitting or [use for use in uses if use.part == guess.part] or uses
    scores: dict[str, float] = {}
    for other, others in known_uses(frozenset(known)):
        fits = [
            likeness(one, use, context)
            for one in mine
            for use in others
            if (one.part, one.form) == (use.part, use.form) and (one.part != "adverb" or one.kind == use.kind)
        ]
        if fits and other != words[i]:
            scores[other] = -abs(int(other) - int(words[i])) if words[i].isdecimal() else max(fits)
    return scores


def fields_nearby(words: Sequence[str], i: int) -> dict[str, float]:
    """How near the words of each field are to this place: 1 for neighbours, less for others."""
    near: dict[str, float] = {}
    for n, word in enumerate(words):
        fields = {use.field for use in lexicon_uses().get(word, ()) if use.field} if n != i else set()
        for field in fields:
            near[field] = max(near.get(field, 0), 1 / abs(n - i) / len(fields))
    return near


@cache
def known_uses(known: frozenset[str]) -> tuple[tuple[str, tuple[Use, ...]], ...]:
    """Known words with their uses."""
    digits = [word for word in sorted(known) if word.isdecimal()]
    return (
        *((word, uses) for word, uses in lexicon_uses().items() if word in known),
        *((word, (Use("digits", "year" if len(word) == 4 else ""),)) for word in digits),
    )


def likeness(one: Use, other: Use, context: Mapping[str, float]) -> float:
    """How near two uses are: kind, group of kinds, trait, field, and how common the other one is."""
    is_adjective = one.part == "adjective"  # its kinds are those of the nouns that it describes
    shared = len({*one.kind.split()} & {*other.kind.split()})
    return (
        (
            0.2 * min(shared, 10)
            if is_adjective
            else 4 * min(shared, 1) + 2 * share_group(one.kind, other.kind)
        )
        + 2 * (one.trait == other.trait != "")
        + (1.5 * (one.field == other.field) if one.field else 3 * context.get(other.field, 0))
        + 0.1 * min(other.frequency, 5)
    )


def share_group(one: str, other: str) -> bool:
    """Whether two kinds of nouns are in the same group: persons, objects, places."""
    return any(one in GROUPS[name] and other in GROUPS[name] for name in ("person", "object", "place"))


def words_one_letter_away(word: str, known: Collection[str]) -> list[str]:
    """Known words that differ by one letter, or by two neighbouring letters in the wrong order."""
    if not MIN_TYPO_LETTERS <= len(word) <= MAX_TYPO_LETTERS:
        return []
    near = [other for other in known if abs(len(other) - len(word)) <= 1 and is_one_edit_away(word, other)]
    frequency = {
        other: max((use.frequency for use in lexicon_uses().get(other, ())), default=0) for other in near
    }
    return sorted(near, key=lambda other: (other[0] != word[0], -frequency[other], other))


def is_one_edit_away(one: str, other: str) -> bool:
    start = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if start is None:
        return abs(len(one) - len(other)) == 1
    a, b = one[start:], other[start:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[1::-1] == b[:2] and a[2:] == b[2:])


def nearest_by_spelling(word: str, known: Collection[str], count: int = OFFERED) -> tuple[str, ...]:
    """Known words spelled alike, for a language without a lexicon of kinds."""
    near = words_one_letter_away(word, known)
    close = difflib.get_close_matches(word[:MAX_TYPO_LETTERS], sorted(known), n=count, cutoff=0.6)
    return tuple(dict.fromkeys(chain(near, close)))[:count]
