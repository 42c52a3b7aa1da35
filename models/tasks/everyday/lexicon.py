"""Words of the everyday world, read from the tables on first use."""

from bisect import bisect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate
from random import Random

from models.tasks.everyday import conjugation, english
from models.tasks.everyday.tables import rows, word_group
from models.tasks.translation.lexicon import Agreement
from models.tasks.translation.phrase import starts_with_vowel

PERSON = ("adult", "child", "family", "profession", "person_name")
OBJECT = ("thing", "clothing", "furniture", "tool", "device", "vehicle", "instrument")
GROUPS = {
    "person": PERSON,
    "living": (*PERSON, "animal", "pet"),
    "object": OBJECT,
    "place": ("building", "shop", "room", "outdoor"),
    "any": (*OBJECT, "building", "text", "media", "idea", "event"),
}
MASS_KINDS = frozenset("food_mass drink material subject language feeling_noun".split())
MASS_NOUNS = word_group("mass_nouns")


@dataclass(frozen=True, slots=True, eq=False)
class Noun:
    english: str
    english_plural: str  # empty if there is no plural
    french: str
    french_plural: str
    gender: str
    kind: str
    field: str
    frequency: int
    sex: str = ""
    number: str = ""  # plural in `both` languages, in `french` or in `english` only
    sense: str = ""
    places: tuple[tuple[str, str], ...] = ()  # English → French prepositions: in: dans, at: à, to: à
    preposition: str = ""  # French preposition before a town or country

    @property
    def is_mass(self) -> bool:
        return self.kind in MASS_KINDS or self.english in MASS_NOUNS

    @property
    def is_person(self) -> bool:
        return self.kind in PERSON

    @property
    def pronoun(self) -> str:
        if self.number in ("both", "english"):
            return "they"
        return {"m": "he", "f": "she"}[self.gender] if self.is_person else "it"


@dataclass(frozen=True, slots=True, eq=False)
class Adjective:
    english: str
    comparative: str  # empty if there is no comparative
    superlative: str
    forms: tuple[str, str, str, str]  # m, f, masculine plural, feminine plural
    vowel: str
    before: bool
    kinds: frozenset[str]
    nouns: frozenset[str]
    lasting: str  # yes, no (a temporary state), attribute (only before a noun)
    opposite: str
    frequency: int

    def french(self, agreement: Agreement, following: str = "") -> str:
        if self.vowel and not agreement.plural and agreement.gender == "m" and starts_with_vowel(following):
            return self.vowel
        return self.forms[2 * agreement.plural + (agreement.gender == "f")]


@dataclass(frozen=True, slots=True, eq=False)
class Adverb:
    english: str
    french: str
    role: str
    frequency: int


FRAMES = {  # what follows the verb, for each value of the column `frame` of verbs.tsv
    "i": "nothing",
    "t": "an object",
    "v": "an object without an article: play football",
    "g": "a thing and a recipient: give",
    "d": "a destination: go",
    "a": "a place of arrival, or nothing",
    "l": "a place: live, work",
    "s": "a seat: sit",
    "p": "a thing and where it is put",
    "c": "a price: cost",
    "h": "an hour: the shop opens",
    "q": "a quality: feel, smell",
}


@dataclass(frozen=True, eq=False)
class Verb:
    """One use of a verb: its English and French names, its possible subjects and objects, and its forms."""

    english: str  # `turn+on` can be split by a pronoun; `*` is the possessive of the subject
    french: str  # `s' habiller`, `avoir besoin`, `faire *s devoirs`; `fermer+à clé`: `+` marks the object
    frame: str = "i"  # name of the frame: one of FRAMES
    subject: str = "person"
    object: str = ""
    link: str = ""
    traits: frozenset[str] = frozenset()
    why: tuple[str, ...] = ()
    why_not: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    field: str = ""
    weight: int = 1

    @cached_property
    def base(self) -> str:
        return self.english.replace("+", " ").split()[0]

    @cached_property
    def rest(self) -> str:
        """The words after the English verb, such as `for` in look for, without separable particles."""
        return " ".join(self.english.split("+")[0].split()[1:])

    @cached_property
    def particle(self) -> str:
        return self.english.partition("+")[2]

    @cached_property
    def is_reflexive(self) -> bool:
        return self.french.startswith(("se ", "s' "))

    @cached_property
    def infinitive(self) -> str:
        return self.french.partition("+")[0].split()[1 if self.is_reflexive else 0]

    @cached_property
    def french_rest(self) -> str:
        return " ".join(self.french.partition("+")[0].split()[2 if self.is_reflexive else 1 :])

    @cached_property
    def after_object(self) -> str:
        """French words that follow the object: à clé in fermer la porte à clé."""
        return self.french.partition("+")[2]

    @cached_property
    def takes_etre(self) -> bool:
        return self.is_reflexive or (
            self.infinitive in ETRE_VERBS and not (self.frame == "t" and not self.link)
        )

    @cached_property
    def is_state(self) -> bool:
        return "state" in self.traits

    def english_form(self, form: str) -> str:
        return {
            "base": lambda word: word,
            "third": english.third,
            "past": english.past,
            "participle": english.participle,
            "ing": english.ing,
        }[form](self.base)

    def participle(self, agreement: Agreement | None) -> str:
        """The French past participle, with agreement if `agreement` is given."""
        form = conjugation.participle(self.infinitive)
        return conjugation.agreeing(form, agreement.gender, agreement.plural) if agreement else form


ETRE_VERBS = frozenset(
    "aller venir revenir devenir arriver partir sortir entrer rentrer rester tomber naître mourir retourner"
    " monter apparaître".split()
)


def _french_plural(word: str) -> str:
    if word.endswith(("s", "x", "z")):
        return word
    if word.endswith("al"):
        return word[:-2] + "aux"
    return word + ("x" if word.endswith(("eau", "eu")) else "s")


def _french_feminine(word: str) -> str:
    for ending, feminine in (
        ("e", "e"),
        ("eux", "euse"),
        ("if", "ive"),
        ("er", "ère"),
        ("el", "elle"),
        ("en", "enne"),
    ):
        if word.endswith(ending):
            return word.removesuffix(ending) + feminine
    return word + "e"


def _noun(row: dict[str, str]) -> Noun:
    plural = "" if row["plural"] == "-" else row["plural"] or english.add_s(row["english"])
    french_plural = (
        "" if row["french_plural"] == "-" else row["french_plural"] or _french_plural(row["french"])
    )
    places = tuple(tuple(place.split(":")) for place in row.get("place", "").split())
    return Noun(
        row["english"],
        plural if french_plural and not row["number"] else "",
        row["french"],
        french_plural or row["french"],
        row["gender"],
        row["kind"],
        row["field"],
        int(row["frequency"] or 1),
        row["sex"],
        # “police” is plural in English only: the police are
        "english" if row["english"] == "police" else row["number"],
        row["sense"],
        places,  # type: ignore[arg-type]
    )


def _name(row: dict[str, str]) -> Noun:
    gender = row.get("gender") or row.get("sex") or "m"
    return Noun(
        row["english"],
        "",
        row["french"],
        row["french"],
        gender,
        row["kind"],
        "people",
        int(row["frequency"] or 1),
        gender,
        "both" if row.get("preposition") == "aux" else "",
        preposition=row.get("preposition", ""),
    )


def _adjective(row: dict[str, str]) -> Adjective:
    m = row["french_m"]
    f = row["french_f"] or _french_feminine(m)
    graded = {
        "": ("", ""),
        "-": ("", ""),
        "er": (english.comparative(row["english"]), english.superlative(row["english"])),
        "more": (f"more {row['english']}", f"most {row['english']}"),
    }
    comparative, superlative = graded.get(row["comparative"], (row["comparative"], row["superlative"]))
    kinds = {kind for name in row["kinds"].split() for kind in GROUPS.get(name, (name,))}
    return Adjective(
        row["english"],
        comparative,
        superlative,
        (m, f, row["french_mpl"] or _french_plural(m), row["french_fpl"] or _french_plural(f)),
        row["before_vowel"],
        row["position"] == "before",
        frozenset(kinds),
        frozenset(row.get("nouns", "").split()),
        row["lasting"],
        row["opposite"],
        int(row["frequency"] or 1),
    )


def _verb(row: dict[str, str]) -> Verb:
    words = {name: tuple(row[name].split()) for name in ("why", "why_not", "where")}
    return Verb(
        row["english"],
        row["french"],
        row["frame"],
        row["subject"] or "person",
        row["object"],
        row["link"],
        frozenset(row["traits"].split()),
        words["why"],
        words["why_not"],
        words["where"],
        row["field"],
        int(row["weight"]),
    )


ALIASES = {
    "person_other": "person -king -queen -prince -princess -president -minister -hero -thief -enemy -soldier",
    "money_mass": "money/money",
    "city_in": "city",
    "country_name": "country/name",
    "city_name": "city/name",
    "vehicle_drive": "car car bus truck taxi",
    "house_in": "house apartment flat village city/outdoor town",
    "workplace": (
        "office hospital school factory shop restaurant bank/institution library hotel farm museum university"
        " supermarket bakery"
    ),
    "person_old": "grandmother grandfather king queen president",
    "language_the": "language/name",
    "phone_call": "message",
}


class Pool:
    """Nouns to draw from, with probability proportional to their weights."""

    __slots__ = ("nouns", "totals")

    def __init__(self, weighted: list[tuple[Noun, float]]):
        self.nouns = [noun for noun, _ in weighted]
        self.totals = list(accumulate(weight for _, weight in weighted))

    def pick(self, rng: Random) -> Noun:
        return self.nouns[bisect(self.totals, rng.random() * self.totals[-1])]


KIND_WEIGHT = 5.0  # weight of a kind, relative to a noun listed by name


class Lexicon:
    """All tables, indexed for the grammar."""

    def __init__(self) -> None:
        self.nouns = tuple(_noun(row) for row in rows("nouns"))
        self.names = tuple(_name(row) for row in rows("names"))
        self.adjectives = tuple(_adjective(row) for row in rows("adjectives"))
        self.verbs = tuple(_verb(row) for row in rows("verbs"))
        self.adverbs = tuple(
            Adverb(row["english"], row["french"], row["class"], int(row["frequency"] or 1))
            for row in rows("adverbs")
        )
        self._by_name: dict[str, list[Noun]] = {}
        self._by_kind: dict[str, list[Noun]] = {}
        firsts: dict[tuple[str, str, str], Noun] = {}
        for noun in (*self.nouns, *self.names):
            firsts.setdefault((noun.english, noun.kind, noun.sense), noun)
        self._usual = {
            id(noun) for noun in firsts.values()
        }  # ids of the default nouns: ami, not amie, if the sex is unknown
        for noun in (*self.nouns, *self.names):
            self._by_name.setdefault(noun.english.replace(" ", "_"), []).append(noun)
            self._by_kind.setdefault(noun.kind, []).append(noun)
        self.pool = cache(self._pool)
        self._selected: dict[object, list[Verb]] = {}
        self.adjectives_for = cache(self._adjectives_for)

    def named(self, name: str) -> list[Noun]:
        """Nouns with this English name; `glass/material` selects a sense or kind. For friend: only ami."""
        name, _, sense = name.partition("/")
        found = [noun for noun in self._by_name.get(name, ()) if id(noun) in self._usual]
        if sense:
            return [noun for noun in found if sense in (noun.sense, noun.kind)]
        return found[:1]

    def noun(self, name: str) -> Noun:
        return self.named(name)[0]

    def of_sex(self, noun: Noun, sex: str) -> Noun:
        """The noun for a person of known sex, if French has one: amie for ami."""
        same = (
            other
            for other in self._by_name[noun.english.replace(" ", "_")]
            if other.kind == noun.kind and other.sex == sex
        )
        return next(same, noun)

    def is_usual(self, noun: Noun) -> bool:
        return id(noun) in self._usual

    def _pool(self, spec: str) -> Pool:
        weighted: list[tuple[Noun, float]] = []
        for token in " ".join(ALIASES.get(token, token) for token in spec.split()).split():
            if token.startswith("-"):
                banned = self.named(token[1:])
                weighted = [(noun, weight) for noun, weight in weighted if noun not in banned]
                continue
            token = token.removesuffix("/name")
            if token not in self._by_kind and token not in GROUPS:
                weighted += [(noun, noun.frequency) for noun in self.named(token)]
                continue
            for kind in GROUPS.get(token, (token,)):
                nouns = [
                    noun
                    for noun in self._by_kind.get(kind, ())
                    if id(noun) in self._usual and noun.sense not in SPECIAL_SENSES
                ]
                total = sum(noun.frequency for noun in nouns)
                weighted += [
                    (noun, KIND_WEIGHT * noun.frequency / total * (0.1 if noun.english in VAGUE_NOUNS else 1))
                    for noun in nouns
                ]
        return Pool(weighted)

    def _adjectives_for(self, noun: Noun) -> tuple[Adjective, ...]:
        return tuple(
            adjective
            for adjective in self.adjectives
            if noun.kind in adjective.kinds or noun.english in adjective.nouns
            for _ in range(adjective.frequency)
        )

    @cached_property
    def verbs_of(self) -> dict[str, tuple[Verb, ...]]:
        """Verbs by the kind or name of their subject, each repeated according to its weight."""
        table: dict[str, list[Verb]] = {}
        for verb in self.verbs:
            for token in verb.subject.split():
                for kind in GROUPS.get(token, (token,)):
                    table.setdefault(kind, []).extend([verb] * verb.weight)
        return {kind: tuple(verbs) for kind, verbs in table.items()}

    @cached_property
    def by_pronouns(self) -> tuple[Verb, ...]:
        """Verbs whose subject may be a pronoun such as i, you or they: the verbs of adults and students."""
        return self.verbs_of["adult"] + self.verbs_of["student"]

    @cache  # noqa: B019
    def done_by(self, noun: Noun) -> tuple[Verb, ...]:
        own = self.verbs_of.get(noun.english.replace(" ", "_"), ())
        return own if noun.english == "baby" else self.verbs_of.get(noun.kind, ()) + own * 3

    @cached_property
    def openers(self) -> tuple[Adverb, ...]:
        """Adverbs that can open a sentence: suddenly, however, yes."""
        return tuple(adverb for adverb in self.adverbs if adverb.english in OPENING_ADVERBS)

    @cache  # noqa: B019  there is one lexicon
    def verb(self, name: str, frame: str = "") -> Verb:
        """The first verb with this English name, and with this frame if given."""
        return next(verb for verb in self.verbs if verb.english == name and frame in ("", verb.frame))

    @cache  # noqa: B019  there is one lexicon
    def adjective(self, name: str) -> Adjective:
        return next(adjective for adjective in self.adjectives if adjective.english == name)

    @cache  # noqa: B019  there is one lexicon
    def transitive(self, names: str) -> list[Verb]:
        """Transitive verbs that people do, by their first words, each repeated according to its weight."""
        wanted = frozenset(names.split())
        return [
            verb
            for verb in self.verbs
            if verb.frame == "t" and not verb.link and verb.base in wanted and "person" in verb.subject
            for _ in range(verb.weight)
        ]

    @cache  # noqa: B019  there is one lexicon
    def transitive_of_adults(self, names: str) -> tuple[Verb, ...]:
        wanted = frozenset(names.split())
        adults = self.verbs_of["adult"]
        return tuple(verb for verb in adults if verb.frame == "t" and not verb.link and verb.base in wanted)

    def select(self, key: object, wanted: Callable[[Verb], bool]) -> list[Verb]:
        """Verbs that satisfy `wanted`, each repeated according to its weight; cached by `key`."""
        if key not in self._selected:
            self._selected[key] = [verb for verb in self.verbs if wanted(verb) for _ in range(verb.weight)]
        return self._selected[key]

    @cache  # noqa: B019  there is one lexicon
    def adverbs_of(self, role: str) -> tuple[Adverb, ...]:
        return tuple(
            adverb for adverb in self.adverbs if adverb.role == role for _ in range(adverb.frequency)
        )


SPECIAL_SENSES = frozenset(
    "fire coil water river".split()
)  # drawn only if the sentence makes the sense clear
OPENING_ADVERBS = word_group("opening_adverbs")
VAGUE_NOUNS = word_group("vague_nouns")


@cache
def lexicon() -> Lexicon:
    return Lexicon()
