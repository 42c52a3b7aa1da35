"""Noun phrases (determiners, adjectives, coordination, pronouns) and the state of a sentence draft."""

import random
from typing import NamedTuple

from models.tasks.translation import lexicon as lex
from models.tasks.translation.draft import BaseDraft
from models.tasks.translation.lexicon import ADJECTIVES, NOUNS, PEOPLE, SENSES, Adjective, Agreement, Noun
from models.tasks.translation.phrase import NOTHING, Phrase, arrange, join, leaf


class Nominal(NamedTuple):
    """A possible subject or object, with the features that other words depend on."""

    phrase: Phrase
    agreement: Agreement
    pronoun: str  # the English pronoun that can replace it
    kind: str
    traits: tuple[str, ...] = ()  # English adjectives already used for it
    definite: bool = True


class Deed(NamedTuple):
    """An action that a later reason must explain: who does, or does not do, what to whom."""

    verb: str
    denied: bool
    subject: Nominal
    object: Nominal | None = None


class Draft(BaseDraft):
    """A sentence of the small world, with what later clauses must know about earlier ones."""

    def __init__(self, rng: random.Random, room: int):
        super().__init__(rng, room)
        self.mentions: list[Nominal] = []  # all possible antecedents of a pronoun
        self.salient: list[Nominal] = []  # subject and object of the previous clause
        self.described: set[str] = set()  # adjectives after `is` and `was`
        self.last = True  # whether no clause follows
        self.mortal = False  # whether somebody may die, because no later clause needs that person
        self.dated = False  # whether the sentence already contains a time
        self.eventful = False  # whether the clause must describe an event, not a state
        self.placed = False  # whether the last clause contains a place
        self.settled = False  # whether the last clause is a general truth, without place and time
        self.habitual = False  # whether the last clause contains a frequency
        self.ongoing = False  # whether the last clause describes an ongoing action
        self.punctual = False  # whether the clause describes something that takes only a moment
        self.only: frozenset[str] = frozenset()  # if not empty, the verbs that can follow logically
        self.deed: Deed | None = None  # the action in the last clause
        self.me = ""  # gender of the speaker `i`, once it is known

    def may(self, verb: str) -> bool:
        """Whether this verb is new to the sentence and makes sense in it; if so, mark it as used."""
        if verb in self.verbs or (self.only and verb not in self.only):
            return False
        self.verbs.add(verb)
        return True

    def speaker(self, gender: str = "m") -> Nominal:
        """Build the subject `i`, masculine unless the sentence has already fixed the gender."""
        self.me = self.me or gender
        return subject_pronoun("i", self.me, "adult")

    def gender_of(self, pronoun: str) -> str | None:
        """The gender of all possible antecedents of `it` or `they`, or None if the genders differ."""
        genders = {mention.agreement.gender for mention in self.mentions if mention.pronoun == pronoun}
        if not genders and pronoun == "they":
            return "m"  # masculine without an antecedent: ils
        return genders.pop() if len(genders) == 1 else None


# ---- determiners ----


def determiner(name: str, agreement: Agreement, adjective_first: bool, negated: bool) -> Phrase:
    """Build the determiner called `name`. `bare` is none; `all` is none in English, le, la, les in French."""
    if name in ("the", "all"):
        return leaf("the" if name == "the" else "", agreement.choose("le", "la", "les"))
    if name in ("a", "bare"):  # de petites filles, but des filles; pas de filles
        indefinite = agreement.choose("un", "une", "de" if adjective_first else "des")
        return leaf("a" if name == "a" else "", "de" if negated else indefinite)
    if name == "some":
        return leaf("some", agreement.choose("de le", "de la", "des"))
    if name == "this":
        return leaf("these" if agreement.plural else "this", agreement.choose("ce", "cette", "ces"))
    if name in lex.POSSESSIVES:
        return leaf(name, agreement.choose(*lex.POSSESSIVES[name]))
    number, _, hundred = name.partition(" ")
    return join(leaf(number, lex.NUMBERS[number]), leaf("hundred", "cents") if hundred else NOTHING)


OWN = ("my", "our", "your", "his", "her", "their")
NUMBERS = tuple(lex.NUMBERS)
INDEFINITE = ("a", "bare", "some", *NUMBERS)
ROUND = tuple(f"{number} hundred" for number in NUMBERS)


def _choose_determiner(
    draft: Draft, noun: Noun, plural: bool, definite: bool, negated: bool, subject: bool
) -> str:
    x = draft.rng.random()
    own = noun.english in lex.OWNABLE
    if noun.english == "queen":
        return "the"
    if x < 0.22 and own:
        return draft.pick(OWN)
    if x < 0.32 and noun.kind not in ("mass", "game"):
        return "this"
    if definite or x < 0.52:
        return "the"
    if noun.kind == "mass":
        return "the" if negated else "some"
    if not plural:
        return "a"
    if (x < 0.85 or negated) and not subject:
        return "bare"
    return "the" if negated else draft.pick(NUMBERS) if x < 0.95 else draft.pick(ROUND)


# ---- nouns with their adjectives ----


def suits(name: str, kind: str) -> Adjective:
    """Choose the right adjective: `light` is léger, but lumineux for things that contain rooms."""
    if name == "light":
        return lex.BRIGHT if kind in ("building", "house", "room") else lex.LIGHT
    return ADJECTIVES[name]


ADJECTIVES_FOR = {
    kind: tuple(tuple(suits(name, kind) for name in names.split()) for names in pair)
    for kind, pair in lex.SUITS.items()
}
SAID_OF = {kind: tuple(suits(name, kind) for name in names.split()) for kind, names in lex.SAID_OF.items()}
TOPIC_INNER = (ADJECTIVES["economic"], ADJECTIVES["agricultural"])
TOPIC_OUTER = (ADJECTIVES["european"], ADJECTIVES["french"])


def _choose_adjectives(draft: Draft, kind: str) -> list[Adjective]:
    """Choose adjectives in English order: a small french girl, a tired young girl, an important new law."""
    before, after = ADJECTIVES_FOR[kind]
    if kind == "topic":
        chosen = [draft.pick(TOPIC_OUTER)] if draft.afford(1, 0.8) else []
        return [*chosen, draft.pick(TOPIC_INNER)] if draft.afford(1, 0.8) else chosen
    chosen = []
    if before and draft.afford(1, 0.35):
        chosen.append(draft.pick(before))
    if after and draft.afford(1, 0.2):
        chosen.append(draft.pick(after))
    if chosen and chosen[-1].english in lex.SAID_FIRST:
        chosen.reverse()
    return chosen


def noun_phrase(
    draft: Draft,
    noun: Noun,
    name: str,
    plural: bool = False,
    negated: bool = False,
    adjectives: list[Adjective] | None = None,
    after: Phrase = NOTHING,
) -> Nominal:
    """Build a noun phrase from a determiner called `name`, adjectives, noun and `after`, in both orders."""
    agreement = Agreement(noun.gender, plural)
    if adjectives is None:
        adjectives = _choose_adjectives(draft, noun.kind)
    noun_leaf = leaf(noun.english_plural, noun.french_plural) if plural else leaf(noun.english, noun.french)
    following = noun_leaf.french[0].text
    leaves = [leaf(adjective.english, adjective.french(agreement, following)) for adjective in adjectives]
    first = [part for part, adjective in zip(leaves, adjectives, strict=True) if adjective.place == "before"]
    last = [part for part, adjective in zip(leaves, adjectives, strict=True) if adjective.place == "after"]
    det = determiner(name, agreement, bool(first), negated)
    # european economic area: zone économique européenne
    phrase = arrange([det, *leaves, noun_leaf, after], [det, *first, noun_leaf, *reversed(last), after])
    traits = tuple([adjective.english for adjective in adjectives])
    nominal = Nominal(
        phrase, agreement, "they" if plural else noun.pronoun, noun.kind, traits, name not in INDEFINITE
    )
    draft.mentions.append(nominal)
    return nominal


# Without these repeats, feminine plurals and light bags would be rare.
OFTEN = ("woman", "nurse", "girl", "letter", "law", "car", "box", "bag", "bag", "bag")
BY_KIND = {
    kind: tuple(
        noun for noun in NOUNS.values() if noun.kind == kind for _ in range(1 + OFTEN.count(noun.english))
    )
    for kind in lex.SUITS
}
BY_KIND |= {
    "game": (SENSES["match"],),
    "tool": (SENSES["allumette"],),
    "institution": (SENSES["banque"],),
}


def any_noun(draft: Draft, kinds: tuple[str, ...]) -> Noun:
    for _ in range(4):
        noun = draft.pick(BY_KIND[draft.pick(kinds)])
        if noun.english not in draft.nouns:
            break
    draft.nouns.add(noun.english)
    return noun


COORDINATED = (*PEOPLE, "animal", "food", "book", "letter", "document", "thing")


def any_nominal(
    draft: Draft,
    kinds: tuple[str, ...],
    definite: bool = False,
    negated: bool = False,
    coordinate: bool = True,
    subject: bool = False,
) -> Nominal:
    """Draw a noun phrase of these kinds: a name, a friend with a name, a noun, or two joined by `and`."""
    noun = any_noun(draft, kinds)
    if coordinate and not negated and noun.kind in COORDINATED and draft.afford(3, 0.15):
        other = any_noun(draft, PEOPLE if noun.kind in PEOPLE else (noun.kind,))
        if other is not noun:
            return coordination(draft, noun, other)
    if noun.english in lex.OWNABLE and noun.kind not in PEOPLE and draft.afford(3, 0.3):
        owned = noun_phrase(draft, noun, "the", noun.english_plural != "-" and draft.chance(0.4))
        return with_owner(owned, any_nominal(draft, ("adult", "child"), True, coordinate=False))
    return about_noun(draft, noun, definite, negated, subject)


def about_noun(
    draft: Draft, noun: Noun, definite: bool, negated: bool = False, subject: bool = False
) -> Nominal:
    if noun.kind == "name":
        return friend(draft, noun) if draft.afford(2, 0.35) else named(draft, noun)
    plural = noun.english_plural != "-" and draft.chance(0.55 if noun.gender == "f" else 0.4)
    name = _choose_determiner(draft, noun, plural, definite, negated, subject)
    return noun_phrase(draft, noun, name, plural, negated)


def named(draft: Draft, noun: Noun) -> Nominal:
    nominal = Nominal(leaf(noun.english, noun.french), Agreement(noun.gender), noun.pronoun, "name")
    draft.mentions.append(nominal)
    return nominal


def friend(draft: Draft, noun: Noun) -> Nominal:
    """Build a phrase such as: my friend marie: mon amie marie. The name decides between ami and amie."""
    draft.nouns.add("friend")
    head = NOUNS["friend"] if noun.gender == "m" else SENSES["amie"]
    return noun_phrase(draft, head, draft.pick(OWN), adjectives=[], after=leaf(noun.english, noun.french))


def coordination(draft: Draft, one: Noun, other: Noun) -> Nominal:
    """Join two nouns by `and`: plural, and feminine only if both are. A later pronoun refers to both."""
    left, right = about_noun(draft, one, True), about_noun(draft, other, True)
    gender = "f" if one.gender == other.gender == "f" else "m"
    both = Nominal(
        join(left.phrase, leaf("and", "et"), right.phrase),
        Agreement(gender, True),
        "they",
        one.kind,
        left.traits,
    )
    draft.mentions[-2:] = [both]
    return both


# ---- pronouns ----


def subject_pronoun(pronoun: str, gender: str, kind: str) -> Nominal:
    person = {"i": 1, "we": 1, "you": 2}.get(pronoun, 3)
    plural = pronoun in ("we", "they")
    spoken = leaf(pronoun, lex.french_subject(pronoun, gender, plural))
    return Nominal(spoken, Agreement(gender, plural, person), pronoun, kind)


def pronoun_subject(draft: Draft, pronouns: tuple[str, ...]) -> Nominal:
    """Draw a pronoun for somebody not named yet: not `they` if it could refer to an earlier noun."""
    pronoun = draft.pick(pronouns)
    if pronoun == "they" and any(mention.pronoun == "they" for mention in draft.mentions):
        pronoun = "he"
    if pronoun == "i":
        return draft.speaker()
    nominal = subject_pronoun(pronoun, "f" if pronoun == "she" else "m", "adult")
    if pronoun == "they":
        draft.mentions.append(nominal)
    return nominal


class Clitic(NamedTuple):
    """An object pronoun: it follows the verb in English but precedes it in French."""

    phrase: Phrase
    agreement: Agreement | None  # what the participle agrees with; None for a dative


def clitic(pronoun: str, gender: str, dative: bool = False) -> Clitic:
    english, direct, indirect = lex.PRONOUNS[pronoun]
    direct = direct or ("le" if gender == "m" else "la")
    agreement = None if dative else Agreement(gender, pronoun in ("we", "they"))
    return Clitic(leaf(english, indirect if dative else direct), agreement)


def with_topic(head: Nominal, topic: Nominal) -> Nominal:
    """Build the agreement on the european economic area: l'accord sur la zone économique européenne."""
    return head._replace(
        phrase=join(head.phrase, leaf("on", "sur"), topic.phrase), traits=head.traits + topic.traits
    )


def with_owner(head: Nominal, owner: Nominal) -> Nominal:
    """Add an owner: the house of the minister: la maison du ministre."""
    return head._replace(phrase=join(head.phrase, leaf("of", "de"), owner.phrase))
