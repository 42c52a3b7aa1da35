"""Known words of the same kind as an unknown word, to offer or to use in its place.

An unknown word has no meaning for a model. What can be told is its part of speech and form (from the lexicon
of the everyday task or assets/lexicon/near_words.tsv if the word is there, else from its ending and its
neighbours), words of similar meaning (from near_words.tsv), its kind and field (from the lexicon, else from
the other words of the sentence), and whether it is one letter away from a known word.
"""

import difflib
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain

from models.tasks.everyday import english
from models.tasks.everyday.lexicon import GROUPS, lexicon
from models.tasks.everyday.tables import rows, word_group

OFFERED = 3  # number of words offered for an unknown word
MIN_OFFERED_LIKENESS = 1.5  # words that share only the part of speech score lower
SAME_LEMMA, NEAR_MEANING, SAME_KIND, OTHER_FORM = 20.0, 8.0, 4.0, -12.0  # terms of `likeness`
LIGHT_VERBS = frozenset(("do", "have", "go"))  # verbs with little meaning are offered last
OTHER_TENSE = -1.0  # score of a past form in place of a third person: correct, but in another tense
TYPO = 30.0  # score of a known word that differs by one letter
MIN_TYPO_LETTERS = 4  # shorter words differ by one letter from too many others
MAX_TYPO_LETTERS = 24
TAKES_OBJECT = frozenset(("t", "g"))  # kinds of verbs: see a boat, give somebody a boat
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
    "have": "has had have having",
    "conjunction": "and but or because when if while as since although so that than",
    "question": "what who where when why how which whose",
    "number": (
        "two three four five six seven eight nine ten one eleven twelve thirteen fourteen fifteen twenty"
        " thirty forty fifty sixty hundred thousand"
    ),
    "quantity": "many much some several few all most more enough",
    "mark": ". ! ?",
}
# kinds of words that can replace each other
PRONOUN_LIKE = frozenset("article possessive subject object be do have".split())
NAME_FOLLOWERS = VERBS = frozenset(("verb", "be", "modal", "have", "do"))
OBJECT_BEGINNINGS = frozenset(("object", "article", "possessive"))
PERSON_ENDINGS = ("er", "ers", "or", "ors", "ist", "ists", "ian", "ians")
PLACE_NAMES = frozenset(("city", "country"))
ADJECTIVE_ENDINGS = ("ic", "ous", "ful", "less", "ive", "able", "ible", "ish")
DEGREES = frozenset("very too so really quite".split())
TO_PLACES = frozenset("in to from".split())


@dataclass(frozen=True)
class Use:
    """One use of a word form: part of speech, form and meaning. Unknown fields are empty."""

    part: str  # noun, name, verb, adjective, adverb, digits, or a key of FUNCTION_WORDS
    form: str = ""  # plural, past, comparative, …
    kind: str = ""  # what a noun names, what follows a verb, what an adverb expresses
    field: str = ""  # family, house, food, …
    trait: str = ""  # sex of a person; whether an adjective is positive or negative
    frequency: int = 1
    lemma: str = ""  # the dictionary form: go for went


@cache
def lexicon_uses() -> dict[str, tuple[Use, ...]]:
    """All uses of every word form in the lexicon and in near_words.tsv."""
    found: dict[str, dict[Use, None]] = {}
    for form, use in table_uses():
        if form and " " not in form:
            found.setdefault(form, {})[use] = None
    lemmas = {(use.part, use.lemma): use for uses in found.values() for use in uses}
    for part, group in near_groups():
        anchor = next((lemmas[part, word] for word, *_ in group if (part, word) in lemmas), Use(part))
        for word, *irregular in group:
            if (part, word) not in lemmas:
                for form, name in inflected(part, word, irregular):
                    use = replace(anchor, form=name, trait="", frequency=0, lemma=word)
                    found.setdefault(form, {})[use] = None
    return {form: tuple(uses) for form, uses in found.items()}


def table_uses() -> Iterator[tuple[str, Use]]:
    """Forms and uses of function words and of the words in the lexicon."""
    for part, words in FUNCTION_WORDS.items():
        for place, word in enumerate(words.split()):
            yield word, Use(part, frequency=-place, lemma=word)
    tables = lexicon()
    for noun in tables.nouns:
        form = "plural" if noun.number in ("both", "english") else ""
        sex = noun.gender if noun.is_person else ""
        use = Use("noun", form, noun.kind, noun.field, sex, noun.frequency, noun.english)
        yield noun.english, use
        yield noun.english_plural, replace(use, form="plural")
    for name in tables.names:
        yield name.english, Use("name", "", name.kind, "people", name.sex, name.frequency, name.english)
    for verb in tables.verbs:
        lemma = verb.english_form("base")
        for form in VERB_FORMS:
            use = Use("verb", form, verb.frame, verb.field, "", verb.weight, lemma)
            yield verb.english_form(form), use
    fields = {row["english"]: row["field"] for row in rows("adjectives")}
    for adjective in tables.adjectives:
        word, kinds = adjective.english, " ".join(sorted(adjective.kinds))
        groups = (name for name in ("positive", "negative") if word in word_group(f"{name}_adjectives"))
        use = Use("adjective", "", kinds, fields[word], next(groups, ""), adjective.frequency, word)
        yield word, use
        for form in ("comparative", "superlative"):
            yield getattr(adjective, form), replace(use, form=form)
    for adverb in tables.adverbs:
        yield adverb.english, Use("adverb", "", adverb.role, "", "", adverb.frequency, adverb.english)


@cache
def near_groups() -> tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]:
    """Rows of near_words.tsv: part of speech, and words of similar meaning with their irregular forms."""
    return tuple(
        (row["part"], tuple(tuple(word.split("/")) for word in row["words"].split()))
        for row in rows("near_words")
    )


@cache
def near_lemmas() -> dict[tuple[str, str], dict[str, float]]:
    """Similar lemmas in near_words.tsv: (part of speech, lemma) → similar lemma → similarity."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    for part, group in near_groups():
        for i, (word, *_) in enumerate(group):
            near = found.setdefault((part, word), {})
            for n, (other, *_) in enumerate(group):
                near[other] = max(near.get(other, 0), NEAR_MEANING - 0.15 * min(abs(n - i), 10) - 0.05 * n)
    return found


def inflected(part: str, word: str, irregular: Sequence[str]) -> Iterator[tuple[str, str]]:
    """All inflected forms of a word, each with the name of the form."""
    yield word, "base" if part == "verb" else ""
    if part == "noun":
        yield irregular[0] if irregular else english.add_s(word), "plural"
    elif part == "verb":
        past, participle = irregular or (english.past(word), english.participle(word))
        forms = english.third(word), past, participle, english.ing(word)
        yield from zip(forms, VERB_FORMS[1:], strict=True)
    elif part == "adjective":
        yield english.comparative(word), "comparative"
        yield english.superlative(word), "superlative"


def guess_use(words: Sequence[str], i: int, names: Collection[str] = ()) -> Use:
    """The likeliest use of a word by spelling and neighbours; `names` were typed with a capital letter."""
    word, last = words[i], words[i - 1] if i else ""
    before, after = parts_at(words, i - 1), parts_at(words, i + 1)
    before = parts_at(words, i - 2) if before == {"adverb"} else before
    if word[0].isdecimal():  # digits: also a time such as 6:15, or 90s
        return Use("digits", "year" if len(word) == 4 and word.isdecimal() else "")
    if word in names and "article" not in before:  # a name, except after an article: a tesla
        return Use("name", "", "city" if last in TO_PLACES else "person_name")
    if not i and (after & NAME_FOLLOWERS or words[1:2] in (["and"], ["'s"])) and not word.endswith("s"):
        return Use("name", "", "person_name")
    if word.endswith("ly"):
        return Use("adverb", "", "manner")
    if before & {"be", "have"} and word.endswith(("ing", "ed")):
        return Use("verb", "ing" if word.endswith("ing") else "participle")
    is_plural = word.endswith("s") and not word.endswith(("ss", "us", "is"))
    if not i and after & OBJECT_BEGINNINGS:
        return Use("verb", "base")
    if "be" in before or last in DEGREES:
        return Use("adjective")
    if (
        before & {"subject", "modal", "do"}
        or (last in ("to", "not") and not is_plural)
        or (before & {"noun", "name"} and after & OBJECT_BEGINNINGS)
        or (before & {"name"} and word[-1] in "sd")
        or (before & {"noun"} and word.endswith("ed"))
    ):
        ends_in_s = word.endswith("s") and last not in ("i", "you", "we", "they")
        return Use("verb", "past" if word.endswith("ed") else "third" if ends_in_s else "base")
    if word.endswith(ADJECTIVE_ENDINGS):
        return Use("adjective")
    if "noun" in after:
        return Use("adjective")
    is_person = word.endswith(PERSON_ENDINGS) and after & NAME_FOLLOWERS
    return Use("noun", "plural" if is_plural else "", "profession" if is_person else "")


def parts_at(words: Sequence[str], i: int) -> set[str]:
    """The possible parts of speech of the word at this position; empty outside the sentence."""
    return {use.part for use in lexicon_uses().get(words[i], ())} if 0 <= i < len(words) else set()


def similar_words(
    words: Sequence[str],
    i: int,
    known: Collection[str],
    names: Collection[str] = (),
    min_likeness: float = -math.inf,
) -> tuple[str, ...]:
    """Up to OFFERED known words that could replace the word at this position, most similar first.

    First another form of the same word, or a word that differs by one letter if the word is not in the
    lexicon; then words of the same part of speech and form, those of similar meaning, kind and field first.
    `names` are the words that were typed with a capital letter.
    """
    scores = word_likeness(words, i, known, names)
    ranked = sorted(scores, key=lambda other: (-scores[other], other))
    return tuple(other for other in ranked if scores[other] >= min_likeness)[:OFFERED]


def word_likeness(
    words: Sequence[str], i: int, known: Collection[str], names: Collection[str] = ()
) -> dict[str, float]:
    """Similarity of known words to the word at this position; only words that fit there."""
    word = words[i]
    if not word[0].isalnum() and word not in lexicon_uses():
        return {}
    scores = same_kind_scores(words, i, known, names)
    typos = [] if word in lexicon_uses() or word in names else words_one_letter_away(word, known)
    before = parts_at(words, i - 1)
    if before <= {"adjective"}:  # an adjective or a word outside the lexicon
        before = parts_at(words, i - 2)
    is_noun = before & {"article", "possessive"}  # his wand, a magic wand: not a mistyped “want”
    fitting = [other for other in typos if other in scores] or ([] if is_noun else typos)
    is_plural = len(word) >= MIN_TYPO_LETTERS and word.endswith("s")
    singular = [word[:-1]] if is_plural and word[:-1] in known else []
    return scores | dict.fromkeys([*fitting[:1], *singular], TYPO)


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
    """Similarity of each known word of the same part of speech whose form or meaning fits."""
    word, context = words[i], fields_nearby(words, i)
    uses = uses_at(words, i, names)
    if uses[0].part == "have" and not any(form in known for form in FUNCTION_WORDS["have"].split()):
        uses = tuple(use for use in lexicon_uses()[word] if use.part == "verb")
    if {one.kind for one in uses} <= PLACE_NAMES and not has_place_names(frozenset(known)):
        uses = (Use("noun", kind="outdoor", field="town"),)
    is_base = requires_base_form(words, i)
    scores: dict[str, float] = {}
    other_forms: dict[str, float] = {}  # words in another form are used only if no word has the same form
    for other, others in known_uses(frozenset(known)):
        if other == word:
            continue
        if number := re.match(r"\d+", word):
            if other.isdecimal():
                scores[other] = NEAR_MEANING - abs(int(other) - int(number[0]))
            continue
        for one in uses:
            for use in others:
                if one.part != use.part or not can_replace(one, use):
                    continue
                value = likeness(one, use, context)
                if one.form == use.form or (one.form, use.form) == ("third", "past"):
                    value += OTHER_TENSE * (one.form != use.form)
                    scores[other] = max(scores.get(other, -math.inf), value)
                    continue
                is_fixed = one.part == "verb" and (is_base or one.form == "ing")
                is_similar = value >= NEAR_MEANING / 2 + SAME_KIND
                table = scores if is_similar and not is_fixed else other_forms
                table[other] = max(table.get(other, -math.inf), value + OTHER_FORM)
    return scores or other_forms


def requires_base_form(words: Sequence[str], i: int) -> bool:
    """Whether a verb at this position must be a base form: can sell, do not sell, can you sell, to sell."""
    i -= 1
    while i > 0 and (words[i] == "not" or parts_at(words, i) == {"adverb"}):
        i -= 1
    if i > 0 and parts_at(words, i) & {"subject"}:
        i -= 1
    return i >= 0 and (words[i] == "to" or bool(parts_at(words, i) & {"modal", "do"}))


def is_only_verb(words: Sequence[str], i: int) -> bool:
    """Whether the word follows a noun or a name and no other word of the sentence can be a verb."""
    others = (parts_at(words, n) & VERBS for n in range(len(words)) if n != i)
    return bool(parts_at(words, i) & {"verb"} and parts_at(words, i - 1) & {"noun", "name"}) and not any(
        others
    )


def can_replace(one: Use, other: Use) -> bool:
    """Whether a use can stand for another one of the same part of speech."""
    if one.part == "adverb":
        return share_role(one, other)
    if one.part == "verb":
        return other.lemma != "be" or one.lemma == "be"
    return one.part != "name" or (one.kind in PLACE_NAMES) == (other.kind in PLACE_NAMES)


@cache
def has_place_names(known: frozenset[str]) -> bool:
    return any(use.kind in PLACE_NAMES for _, uses in known_uses(known) for use in uses)


def uses_at(words: Sequence[str], i: int, names: Collection[str] = ()) -> tuple[Use, ...]:
    """The uses of the word at this position that fit its neighbours best."""
    guess = guess_use(words, i, names)
    uses = lexicon_uses().get(words[i]) or (guess,)
    before = parts_at(words, i - 1) | parts_at(words, i - 2)
    function = tuple(use for use in uses if use.part in FUNCTION_WORDS)
    if function and not parts_at(words, i - 1) & {"article", "possessive"}:
        conjunction = tuple(use for use in function if use.part == "conjunction")
        return (i and words[i - 1] == "," and conjunction) or function
    is_described = "be" in before | parts_at(words, 0)  # the book is …; is the book …?
    if is_described and any(use.part == "adjective" for use in uses):
        return tuple(use for use in uses if use.part == "adjective")
    if is_only_verb(words, i):  # so the word is not a noun: bats fly at night
        return tuple(use for use in uses if use.part == "verb")
    form = "participle" if before & {"be", "have"} else "past"
    fitting = [use for use in uses if (use.part, use.form) == (guess.part, guess.form)]
    fitting = fitting or [use for use in uses if use.part == guess.part] or [*uses]
    return tuple(use for use in fitting if use.part == "verb" and use.form == form) or tuple(fitting)


def share_role(one: Use, other: Use) -> bool:
    """Whether two adverbs answer the same question (how, when, where …) or have similar meanings."""
    return one.kind == other.kind or other.lemma in near_lemmas().get((one.part, one.lemma), {})


def fields_nearby(words: Sequence[str], i: int) -> dict[str, float]:
    """Weight of each topic field by the distance of its words from position i: 1 for neighbours."""
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
    """Similarity score of two uses, from meaning, kind, group of kinds, trait, field and word frequency."""
    if one.lemma and one.lemma == other.lemma:
        return SAME_LEMMA
    is_adjective = one.part == "adjective"  # the kind of an adjective is that of the nouns it describes
    shared = len({*one.kind.split()} & {*other.kind.split()})
    return (
        near_lemmas().get((one.part, one.lemma), {}).get(other.lemma, 0)
        + SAME_KIND * (one.part in PRONOUN_LIKE)
        + (
            0.2 * min(shared, 10)
            if is_adjective
            else SAME_KIND * min(shared, 1) + 2 * share_group(one.kind, other.kind)
        )
        + 2 * (one.trait == other.trait != "")
        + (1.5 * (one.field == other.field) if one.field else 3 * context.get(other.field, 0))
        + 0.1 * min(other.frequency, 5)
        - (other.lemma in LIGHT_VERBS)
    )


def share_group(one: str, other: str) -> bool:
    """Whether two kinds are in the same group: persons, objects, places, verbs with an object."""
    groups = (*(GROUPS[name] for name in ("person", "object", "place")), TAKES_OBJECT)
    return any(one in group and other in group for group in groups)


def words_one_letter_away(word: str, known: Collection[str]) -> list[str]:
    """Known words that differ by one letter, or by two neighbouring letters in the wrong order.

    The first letter must be the same: few people mistype it.
    """
    if not MIN_TYPO_LETTERS <= len(word) <= MAX_TYPO_LETTERS:
        return []
    near = [
        other
        for other in known
        if abs(len(other) - len(word)) <= 1 and other[:1] == word[0] and is_one_edit_away(word, other)
    ]
    frequency = {
        other: max((use.frequency for use in lexicon_uses().get(other, ())), default=0) for other in near
    }
    return sorted(near, key=lambda other: (-frequency[other], other))


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
