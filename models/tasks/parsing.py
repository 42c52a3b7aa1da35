"""Parsing: an English sentence → its phrases in brackets.

Vinyals et al. 2015, “Grammar as a foreign language”, arXiv:1412.7449.

`(S (NP the girl ) (VP saw (NP the man ) (PP with (NP the telescope ) ) ) . )`

A grammar draws sentences, and a chart parser with the same rules finds the one tree of every sentence that
the grammar covers. What a sentence leaves open is settled by two rules:
- “with a hat” belongs to a noun and “with a telescope” to a verb; places belong to the verb, if one comes
  before them;
- everything else is attached as low as possible, to the nearest noun or verb.
"""

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from models.tasks.task import Pair, Task
from models.vocabulary import Vocabulary

LABELS = {  # label → its long form
    "S": "sentence",
    "NP": "noun phrase",
    "VP": "verb phrase",
    "PP": "prepositional phrase",
    "RC": "relative clause",
}
CLOSE = ")"
UNLIKE_TRAINING = (
    "Unlike the sentences in training: the rules of the grammar find no tree for it, so nothing says whether"
    " the output is right."
)


@dataclass(frozen=True)
class Phrase:
    label: str
    parts: "tuple[Phrase | str, ...]"


Part = Phrase | str


def phrase(label: str, *parts: Part) -> Phrase:
    return Phrase(label, parts)


# ---- words ----

NOUNS = {  # kind → singular and plural
    "person": "man men, woman women, boy boys, girl girls, child children, doctor doctors, teacher teachers,"
    " student students, farmer farmers, king kings, friend friends",
    "animal": "dog dogs, cat cats, horse horses, bird birds",
    "place": "park parks, garden gardens, house houses, school schools, forest forests, city cities,"
    " kitchen kitchens, street streets",
    "text": "letter letters, book books",
    "closed": "door doors, window windows, box boxes",
    "food": "apple apples, cake cakes, egg eggs",
    "object": "car cars, picture pictures, ball balls, table tables",
    "worn": "hat hats, coat coats, beard beards, scarf scarves",
    "lens": "telescope telescopes, camera cameras",
    "hammer": "hammer hammers, stone stones",
    "blade": "knife knives",
    "key": "key keys",
    "spoon": "spoon spoons, fork forks",
}
NAMES = ("anna", "maria", "paul", "tom")
CITIES = ("london", "paris", "rome")
TOOLS = frozenset("lens hammer blade key spoon".split())
THINGS = frozenset("text closed food object".split())
LIVING = frozenset("person animal".split())
VISIBLE = THINGS | LIVING


@dataclass(frozen=True)
class Noun:
    forms: tuple[str, str]  # singular, plural
    kind: str


@dataclass(frozen=True)
class Verb:
    base: str
    third: str
    past: str
    ing: str
    objects: frozenset[str] = frozenset()  # kinds of its possible objects; empty for an intransitive verb
    tools: str = ""  # kind of its tools: open … with the key

    @property
    def finite(self) -> tuple[str, str, str]:
        return self.base, self.third, self.past


ALL_NOUNS = [
    Noun((forms.split()[0], forms.split()[1]), kind)
    for kind, words in NOUNS.items()
    for forms in words.split(", ")
]


def verb_from(forms: str, objects: Collection[str] = (), tools: str = "") -> Verb:
    """A verb from its four forms in one text."""
    base, third, past, ing = forms.split()
    return Verb(base, third, past, ing, frozenset(objects), tools)


VERBS = [
    *(
        verb_from(forms)
        for forms in (
            "sleep sleeps slept sleeping",
            "laugh laughs laughed laughing",
            "sing sings sang singing",
            "dance dances danced dancing",
            "run runs ran running",
            "wait waits waited waiting",
            "work works worked working",
            "smile smiles smiled smiling",
        )
    ),
    *(
        verb_from(forms, objects, tools)
        for forms, objects, tools in (
            ("see sees saw seeing", VISIBLE, "lens"),
            ("watch watches watched watching", LIVING, "lens"),
            ("open opens opened opening", {"closed", "text"}, "key"),
            ("break breaks broke breaking", {"closed", "food"}, "hammer"),
            ("cut cuts cut cutting", {"food"}, "blade"),
            ("eat eats ate eating", {"food"}, "spoon"),
            ("read reads read reading", {"text"}, ""),
            ("write writes wrote writing", {"text"}, ""),
            ("love loves loved loving", LIVING, ""),
            ("know knows knew knowing", LIVING, ""),
            ("help helps helped helping", LIVING, ""),
            ("follow follows followed following", LIVING, ""),
            ("chase chases chased chasing", LIVING, ""),
            ("hear hears heard hearing", LIVING, ""),
            ("find finds found finding", VISIBLE, ""),
            ("like likes liked liking", VISIBLE, ""),
            ("buy buys bought buying", THINGS, ""),
            ("carry carries carried carrying", THINGS, ""),
        )
    ),
]
ADJECTIVES = tuple("big small old young black white happy sad tired beautiful".split())
DETERMINERS = tuple("the a an my your his her our their this every".split())
PLURAL_DETERMINERS = tuple("the my your his her our their two three".split())
SUBJECT_PRONOUNS = {"i": "i", "you": "plural", "he": "singular", "she": "singular", "it": "singular"} | {
    "we": "plural",
    "they": "plural",
}
OBJECT_PRONOUNS = tuple("me you him her it us them".split())
BE = frozenset("am is are was were".split())
HELPERS = frozenset("can will must should do does did".split())  # words before the base form of a verb
PREPOSITIONS = ("with", "of", "from", "in", "near")
RELATIVE = ("that", "who")
CONJUNCTIONS = ("and", "or")  # words that join two phrases
CLAUSE_CONJUNCTIONS = ("and", "but")

BY_KIND = {kind: [noun for noun in ALL_NOUNS if noun.kind == kind] for kind in NOUNS}
NOUN_KINDS = {form: noun.kind for noun in ALL_NOUNS for form in noun.forms}
INTRANSITIVE = frozenset(form for verb in VERBS if not verb.objects for form in verb.finite)
TRANSITIVE = frozenset(form for verb in VERBS if verb.objects for form in verb.finite)
INTRANSITIVE_ING = frozenset(verb.ing for verb in VERBS if not verb.objects)
TRANSITIVE_ING = frozenset(verb.ing for verb in VERBS if verb.objects)
PRONOUNS = frozenset((*SUBJECT_PRONOUNS, *OBJECT_PRONOUNS))
ALL_DETERMINERS = frozenset((*DETERMINERS, *PLURAL_DETERMINERS))
SOURCE_WORDS = frozenset(
    (
        *NOUN_KINDS,
        *INTRANSITIVE,
        *TRANSITIVE,
        *INTRANSITIVE_ING,
        *TRANSITIVE_ING,
        *NAMES,
        *CITIES,
        *ADJECTIVES,
        *ALL_DETERMINERS,
        *PRONOUNS,
        *BE,
        *HELPERS,
        *PREPOSITIONS,
        *RELATIVE,
        *CONJUNCTIONS,
        *CLAUSE_CONJUNCTIONS,
        "not",
        ".",
    )
)


def belongs_to_noun(preposition: str, noun: str) -> bool:
    """Whether this prepositional phrase belongs to the noun even if a verb comes before the noun."""
    if preposition == "with":
        return NOUN_KINDS.get(noun, "") not in TOOLS
    return preposition in ("of", "from")


# ---- drawing sentences ----


@dataclass(frozen=True)
class Subject:
    phrase: Phrase
    number: str  # singular, plural, or i


class Grammar:
    """Draw sentences. `richness` scales the probability of all optional parts."""

    def __init__(self, rng: random.Random, richness: float):
        self.rng, self.richness = rng, richness

    def is_rich(self, factor: float = 1.0) -> bool:
        return self.rng.random() < factor * self.richness

    def sentence(self) -> Phrase:
        first = self.clause()
        if not self.is_rich(0.4):
            return phrase("S", *first, ".")
        joint = self.rng.choice(CLAUSE_CONJUNCTIONS)
        # after “and”, a subject of two noun phrases would be ambiguous
        second = self.clause(joint != "and")
        return phrase("S", phrase("S", *first), joint, phrase("S", *second), ".")

    def clause(self, several: bool = True) -> tuple[Phrase, Phrase]:
        """Draw the subject and the verb phrase. `several`: whether the subject may be two noun phrases."""
        subject = self.subject(several)
        tense = self.rng.choice(("past", "past", "present"))
        return subject.phrase, self.verb_phrase(subject.number, tense)

    # -- noun phrases

    def subject(self, several: bool) -> Subject:
        choice = self.rng.random()
        if choice < 0.15:
            word = self.rng.choice(tuple(SUBJECT_PRONOUNS))
            return Subject(phrase("NP", word), SUBJECT_PRONOUNS[word])
        if choice < 0.25:
            return Subject(phrase("NP", self.rng.choice(NAMES)), "singular")
        first, number, kind = self.plain(LIVING)
        if several and self.is_rich(0.2):
            return Subject(phrase("NP", first, "and", self.plain(LIVING)[0]), "plural")
        return Subject(self.modify(first, number, kind, is_subject=True), number)

    def noun_phrase(self, kinds: frozenset[str], modified: bool = True) -> Phrase:
        """Draw an object. `modified`: whether a relative clause may follow; it could absorb later words."""
        if kinds >= LIVING and self.rng.random() < 0.2:
            return phrase("NP", self.rng.choice((*OBJECT_PRONOUNS, *NAMES)))
        first, number, kind = self.plain(kinds)
        if self.is_rich(0.15):
            second, number, kind = self.plain(kinds)
            joint = self.rng.choice(CONJUNCTIONS)
            return phrase("NP", first, joint, self.modify(second, number, kind, modified=modified))
        return self.modify(first, number, kind, modified=modified)

    def plain(self, kinds: frozenset[str]) -> tuple[Phrase, str, str]:
        """Draw a determiner, an optional adjective and a noun; return them with number and kind."""
        noun = self.rng.choice(BY_KIND[self.rng.choice(sorted(kinds))])
        number = self.rng.choice(("singular", "singular", "plural"))
        words = [self.rng.choice(ADJECTIVES)] if self.is_rich(0.5) else []
        words.append(noun.forms[number == "plural"])
        if number == "plural":
            determiner = self.rng.choice(PLURAL_DETERMINERS)
        else:
            determiner = self.rng.choice(("the", "the", "the", *DETERMINERS))
            if determiner in ("a", "an"):
                determiner = "an" if words[0][0] in "aeiou" else "a"
        return phrase("NP", determiner, *words), number, noun.kind

    def modify(
        self, core: Phrase, number: str, kind: str, modified: bool = True, is_subject: bool = False
    ) -> Phrase:
        """Sometimes add a prepositional phrase or a relative clause to a noun phrase."""
        if self.is_rich(0.4) and (found := self.noun_prepositional(kind, is_subject)):
            return phrase("NP", core, found)
        if modified and self.is_rich(0.5) and kind in LIVING:
            return phrase("NP", core, self.relative_clause(number, kind))
        return core

    def noun_prepositional(self, kind: str, is_subject: bool) -> Phrase | None:
        """Draw a prepositional phrase that belongs to a noun. After a subject it may also name a place."""
        choices = []
        if kind == "person":
            choices += ["with", "from"]
        if kind in THINGS or kind == "animal":
            choices.append("of")
        if is_subject:
            choices += ["in", "near"]
        if not choices:
            return None
        preposition = self.rng.choice(choices)
        if preposition == "from" and self.rng.random() < 0.6:
            return phrase("PP", "from", phrase("NP", self.rng.choice(CITIES)))
        kinds = {"with": "worn", "of": "person"}.get(preposition, "place")
        return phrase("PP", preposition, self.plain(frozenset([kinds]))[0])

    def relative_clause(self, number: str, kind: str) -> Phrase:
        word = self.rng.choice(("that", "who") if kind == "person" else ("that",))
        if self.rng.random() < 0.5:
            return phrase("RC", word, self.verb_phrase(number, "past"))
        verb = self.rng.choice([verb for verb in VERBS if kind in verb.objects])
        who = self.rng.choice((self.plain(LIVING)[0], phrase("NP", self.rng.choice(NAMES))))
        places = [self.place_phrase()] if self.is_rich(0.2) else []
        return phrase("RC", word, who, phrase("VP", verb.past, *places))

    # -- verb phrases

    def verb_phrase(self, number: str, tense: str) -> Phrase:
        if self.is_rich(0.25):
            first = self.simple_verb_phrase(number, tense, modified=False)
            return phrase("VP", first, "and", self.simple_verb_phrase(number, tense))
        return self.simple_verb_phrase(number, tense)

    def simple_verb_phrase(self, number: str, tense: str, modified: bool = True) -> Phrase:
        choice = self.rng.random()
        if choice < 0.12:
            return self.being(number, tense)
        verb = self.rng.choice(VERBS)
        if choice < 0.24:
            negated = ["not"] if self.rng.random() < 0.3 else []
            return phrase("VP", self.be(number, tense), *negated, self.verb_with(verb.ing, verb, modified))
        if choice < 0.36:
            helper, negated = self.helper(number, tense)
            return phrase("VP", helper, *negated, self.verb_with(verb.base, verb, modified))
        present = verb.third if number == "singular" else verb.base
        return self.verb_with(verb.past if tense == "past" else present, verb, modified)

    def helper(self, number: str, tense: str) -> tuple[str, list[str]]:
        do = "did" if tense == "past" else "does" if number == "singular" else "do"
        helper = self.rng.choice(("can", "will", "must", "should", do, do, do))
        return helper, ["not"] if helper == do or self.rng.random() < 0.2 else []

    def verb_with(self, form: str, verb: Verb, modified: bool) -> Phrase:
        """Draw a verb with its object, and sometimes a tool or a place."""
        has_tool, has_place = bool(verb.tools) and self.is_rich(0.6), self.is_rich(0.3)
        follows = [self.tool(verb.tools)] if has_tool else [self.place_phrase()] if has_place else []
        objects = [self.noun_phrase(verb.objects, modified and not follows)] if verb.objects else []
        return phrase("VP", form, *objects, *follows)

    def being(self, number: str, tense: str) -> Phrase:
        rest: Part = self.rng.choice(ADJECTIVES) if self.rng.random() < 0.6 else self.place_phrase()
        return phrase("VP", self.be(number, tense), rest)

    def be(self, number: str, tense: str) -> str:
        present, past = {"singular": ("is", "was"), "plural": ("are", "were"), "i": ("am", "was")}[number]
        return past if tense == "past" else present

    def tool(self, kind: str) -> Phrase:
        return phrase("PP", "with", self.plain(frozenset([kind]))[0])

    def place_phrase(self) -> Phrase:
        if self.rng.random() < 0.15:
            return phrase("PP", "in", phrase("NP", self.rng.choice(CITIES)))
        return phrase("PP", self.rng.choice(("in", "near")), self.plain(frozenset(["place"]))[0])


def draw_sentence(rng: random.Random, lengths: range) -> Pair:
    least = 0.6 if lengths[0] > 12 else 0.0  # long sentences need a rich grammar
    while True:
        tree = Grammar(rng, rng.uniform(least, 1)).sentence()
        words = tuple(words_of(tree))
        if len(words) in lengths:
            return bracketed(words, tree)


def bracketed(words: tuple[str, ...], tree: Phrase) -> Pair:
    """Pair a sentence with its bracketed tree; each word is linked to itself."""
    target = tuple(write_brackets(tree))
    places = (t for t, token in enumerate(target) if not is_bracket(token))
    return Pair(words, target, frozenset((t, i) for i, t in enumerate(places)))


# ---- trees as text ----


def words_of(part: Part) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    else:
        for inner in part.parts:
            yield from words_of(inner)


def write_brackets(part: Part) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    else:
        yield f"({part.label}"
        for inner in part.parts:
            yield from write_brackets(inner)
        yield CLOSE


def is_bracket(token: str) -> bool:
    return token[0] in "()"


def read_brackets(tokens: Sequence[str]) -> tuple[tuple[Part, ...], str]:
    """The trees of a bracketed text, and an error message for its brackets (empty if they balance).

    A model can write anything: a bracket that is never closed ends with the text, one that closes nothing is
    left out.
    """
    open_phrases: list[tuple[str, list[Part]]] = [("", [])]
    surplus = 0
    for token in tokens:
        if token == CLOSE and len(open_phrases) == 1:
            surplus += 1
        elif token == CLOSE:
            label, parts = open_phrases.pop()
            open_phrases[-1][1].append(Phrase(label, tuple(parts)))
        elif is_bracket(token):
            open_phrases.append((token[1:], []))
        else:
            open_phrases[-1][1].append(token)
    unclosed = len(open_phrases) - 1
    while len(open_phrases) > 1:
        label, parts = open_phrases.pop()
        open_phrases[-1][1].append(Phrase(label, tuple(parts)))
    faults = [f"{unclosed} never closed"] * (unclosed > 0) + [f"{surplus} closed too often"] * (surplus > 0)
    return tuple(open_phrases[0][1]), ", ".join(faults)


# ---- finding the tree of a sentence ----

Ends = dict[int, Part]  # end of a phrase → its tree
Find = Callable[[], Iterator[tuple[int, Part]]]  # yields (end, tree) of each phrase found


class Chart:
    """A parse chart: all phrases by first word. Of two trees for the same words, the first found is kept."""

    def __init__(self, words: Sequence[str]):
        self.words = words
        self.found: dict[tuple[str, int, bool], Ends] = {}

    def word(self, i: int) -> str:
        return self.words[i] if i < len(self.words) else ""

    def sentence(self) -> Phrase | None:
        """The tree of the whole sentence; None if the grammar does not cover it."""
        end = len(self.words) - 1
        if end < 0 or self.words[end] != ".":
            return None
        for clauses in self.clauses(0, end):
            if len(clauses) == 1:
                return phrase("S", *clauses[0].parts, ".")
            joined: list[Part] = [clauses[0]]
            at = sum(1 for _ in words_of(clauses[0]))
            for clause in clauses[1:]:
                joined += [self.words[at], clause]
                at += 1 + sum(1 for _ in words_of(clause))
            return phrase("S", *joined, ".")
        return None

    def clauses(self, start: int, end: int) -> Iterator[tuple[Phrase, ...]]:
        """Ways to read the words from start to end as clauses with conjunctions between them."""
        for middle, subject in self.noun_phrases(start, True).items():
            for stop, predicate in self.verb_phrases(middle).items():
                clause = phrase("S", subject, predicate)
                if stop == end:
                    yield (clause,)
                elif self.word(stop) in CLAUSE_CONJUNCTIONS:
                    for others in self.clauses(stop + 1, end):
                        yield (clause, *others)

    def remember(self, kind: str, start: int, free: bool, find: Find) -> Ends:
        """The first phrase found for each end position, longest first. Results are cached."""
        key = kind, start, free
        if key not in self.found:
            self.found[key] = {}
            ends: Ends = {}
            for end, part in find():
                ends.setdefault(end, part)
            self.found[key] = dict(sorted(ends.items(), reverse=True))
        return self.found[key]

    def noun_phrases(self, i: int, free: bool) -> Ends:
        """Noun phrases from word i. `free`: no verb precedes, so prepositional phrases attach to the noun."""

        def find() -> Iterator[tuple[int, Part]]:
            yield from self.modified_nouns(i, free).items()
            for end, part in self.modified_nouns(i, free).items():
                if self.word(end) in CONJUNCTIONS:
                    for stop, other in self.noun_phrases(end + 1, free).items():
                        yield stop, phrase("NP", part, self.words[end], other)

        return self.remember("NP", i, free, find)

    def modified_nouns(self, i: int, free: bool) -> Ends:
        def find() -> Iterator[tuple[int, Part]]:
            end, core = self.core(i)
            if core is None:
                return
            for after, prepositional in self.prepositional(end, free).items():
                for stop, clause in self.relative_clauses(after).items():
                    yield stop, phrase("NP", core, prepositional, clause)
                yield after, phrase("NP", core, prepositional)
            for stop, clause in self.relative_clauses(end).items():
                yield stop, phrase("NP", core, clause)
            yield end, core

        return self.remember("modified", i, free, find)

    def core(self, i: int) -> tuple[int, Phrase | None]:
        """A determiner with adjectives and a noun, or a name or a pronoun; returned with its end position."""
        j = i + (self.word(i) in ALL_DETERMINERS)
        while self.word(j) in ADJECTIVES:
            j += 1
        if self.word(j) in NOUN_KINDS:
            return j + 1, phrase("NP", *self.words[i : j + 1])
        if self.word(i) in PRONOUNS or self.word(i) in NAMES or self.word(i) in CITIES:
            return i + 1, phrase("NP", self.words[i])
        return i, None

    def prepositional(self, i: int, free: bool, after_verb: bool = False) -> Ends:
        """Prepositional phrases of the preceding noun, or of a verb if `after_verb`."""

        def find() -> Iterator[tuple[int, Part]]:
            if self.word(i) not in PREPOSITIONS:
                return
            to_noun = belongs_to_noun(self.words[i], self.words[self.core(i + 1)[0] - 1])
            if after_verb or free or to_noun:
                for end, part in self.noun_phrases(i + 1, free and not after_verb).items():
                    yield end, phrase("PP", self.words[i], part)

        return self.remember(f"PP{after_verb}", i, free, find)

    def relative_clauses(self, i: int) -> Ends:
        def find() -> Iterator[tuple[int, Part]]:
            if self.word(i) not in RELATIVE:
                return
            for end, part in self.verb_phrases(i + 1).items():
                yield end, phrase("RC", self.words[i], part)
            for middle, subject in self.noun_phrases(i + 1, True).items():
                if self.word(middle) in TRANSITIVE:
                    for end, others in self.adjuncts(middle + 1, False):
                        yield (
                            end,
                            phrase("RC", self.words[i], subject, phrase("VP", self.words[middle], *others)),
                        )

        return self.remember("RC", i, False, find)

    def verb_phrases(self, i: int) -> Ends:
        def find() -> Iterator[tuple[int, Part]]:
            yield from self.simple_verb_phrases(i).items()
            for end, part in self.simple_verb_phrases(i).items():
                if self.word(end) == "and":
                    for stop, other in self.verb_phrases(end + 1).items():
                        yield stop, phrase("VP", part, "and", other)

        return self.remember("VP", i, False, find)

    def simple_verb_phrases(self, i: int) -> Ends:
        def find() -> Iterator[tuple[int, Part]]:
            word = self.word(i)
            if word in BE or word in HELPERS:
                j = i + 1 + (self.word(i + 1) == "not")
                start = self.words[i:j]
                if word in BE and self.word(j) in ADJECTIVES:
                    yield j + 1, phrase("VP", *start, self.words[j])
                if word in BE:
                    for end, others in self.adjuncts(j, True):
                        if others:
                            yield end, phrase("VP", *start, *others)
                    for end, part in self.noun_phrases(j, False).items():
                        yield end, phrase("VP", *start, part)
                for end, part in self.simple_verb_phrases(j).items():
                    yield end, phrase("VP", *start, part)
            if word in INTRANSITIVE or word in INTRANSITIVE_ING:
                for end, others in self.adjuncts(i + 1, True):
                    yield end, phrase("VP", word, *others)
            if word in TRANSITIVE or word in TRANSITIVE_ING:
                for middle, part in self.noun_phrases(i + 1, False).items():
                    for end, others in self.adjuncts(middle, False):
                        yield end, phrase("VP", word, part, *others)

        return self.remember("simple VP", i, False, find)

    def adjuncts(self, i: int, after_verb: bool) -> Iterator[tuple[int, tuple[Part, ...]]]:
        """Prepositional phrases of a verb, longest first. Directly after the verb every kind is allowed."""
        if self.word(i) in PREPOSITIONS:
            to_noun = belongs_to_noun(self.words[i], self.words[self.core(i + 1)[0] - 1])
            if after_verb or not to_noun:
                for end, part in self.prepositional(i, False, True).items():
                    for stop, others in self.adjuncts(end, False):
                        yield stop, (part, *others)
        yield i, ()


def find_tree(words: Sequence[str]) -> Phrase | None:
    return Chart(words).sentence()


def answer(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """The brackets of a sentence; None if the grammar does not cover it."""
    tree = find_tree(words)
    return tuple(write_brackets(tree)) if tree else None


def describe_unseen_sentence(words: tuple[str, ...]) -> str:
    return "" if find_tree(words) else UNLIKE_TRAINING


PARSING = Task(
    "parsing",
    Vocabulary.of(SOURCE_WORDS),
    Vocabulary.of((*SOURCE_WORDS, *(f"({label}" for label in LABELS), CLOSE)),
    draw_sentence,
    lengths=range(3, 21),
    answer=answer,
    max_typed=40,
    unseen=describe_unseen_sentence,
)
