"""Everyday sentences that contain a word with two senses (lesson `qkv`, `bank` and `blank`).

A sentence is put together from the phrases of assets/lexicon/sense_phrases.tsv: what people do with the
ambiguous thing, what it does, how it is, what stands beside it. The words that decide its sense may stand
before it, after it, on both sides or nowhere, and they are not marked. The sentences make the models know
everyday words; accuracy and perplexity are measured on the sentences of `bank` and `blank`, whose cues are
known. The ambiguous word itself is always in the singular, because typed plurals are read so.
"""

import random
import re
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from models.tasks.everyday import english
from models.tasks.everyday.tables import rows
from models.tasks.everyday.vocabulary import UNKNOWN

MAX_TOKENS = 24
GAP = "_"  # the ambiguous word, in a phrase
ANY_WORD, ANY_SENSE = "*", "-"  # in the table
HIDDEN_SHARE = 0.2  # fraction of sentences in which one or two words become <unk>
FUNCTION_WORDS = frozenset(
    """
    the a an this that these those my your his her our their its some any no every each
    i you he she it we they me him us them there here
    in on at to of with for from by after before about into as than off out up down over
    will can could must should would may might do does did not is are was were am be been has have had
    and but or because when while if so until that who how what which where why , . ? !
    """.split()
)
IRREGULAR = {  # base → past, participle; beside english_irregular.tsv
    "swing": ("swung", "swung"),
    "blow": ("blew", "blown"),
    "strike": ("struck", "struck"),
    "spread": ("spread", "spread"),
    "dig": ("dug", "dug"),
    "freeze": ("froze", "frozen"),
    "light": ("lit", "lit"),
    "tear": ("tore", "torn"),
    "split": ("split", "split"),
    "bend": ("bent", "bent"),
    "lie": ("lay", "lain"),
    "lay": ("laid", "laid"),
    "slide": ("slid", "slid"),
    "beat": ("beat", "beaten"),
    "shake": ("shook", "shaken"),
    "stick": ("stuck", "stuck"),
    "wind": ("wound", "wound"),
    "flee": ("fled", "fled"),
    "set": ("set", "set"),
    "let": ("let", "let"),
    "control": ("controlled", "controlled"),
}
DOUBLED_CONSONANT = frozenset("dig split let pat plug rob rub snap wrap".split())
OWN_SLOTS = ("people", "things", "deeds", "uses", "does", "traits", "kinds", "places", "free")
GENERAL_SLOTS = (
    "men women many me objects past present future any places traits adjectives degrees openers".split()
)
GENERIC_WORDS = 7  # a word in the phrases of this many ambiguous words tells no sense
VERB_SLOTS = ("uses", "does", "deeds")  # their phrases begin with a verb
FORMS = ("base", "third", "past", "participle", "ing")
STATES = frozenset(
    "be have know like love hate want need own trust belong cost see hear owe smell mean contain".split()
)
MODALS = (
    "can",
    "could",
    "will",
    "would",
    "must",
    "should",
    "may",
    "might",
    "can not",
    "will not",
    "could not",
)
WISHES = (
    ("want to", "wants to", "wanted to"),
    ("have to", "has to", "had to"),
    ("need to", "needs to", "needed to"),
    ("like to", "likes to", "liked to"),
    ("try to", "tries to", "tried to"),
    ("are going to", "is going to", "were going to"),
    ("would like to", "would like to", "used to"),
    ("do not want to", "does not want to", "did not want to"),
)
TENSES = {
    "past": 34,
    "present": 25,
    "was doing": 5,
    "is doing": 8,
    "perfect": 4,
    "modal": 9,
    "wish": 9,
    "not": 7,
}
ASKED = ("did", "can", "will", "could", "why did", "when did", "where did", "how did", "would", "should")
DETERMINERS = {
    "the": 50,
    "a": 22,
    "my": 6,
    "his": 5,
    "her": 4,
    "our": 4,
    "their": 3,
    "this": 4,
    "that": 3,
    "your": 3,
    "another": 1,
    "one": 1,
    "every": 1,
    "no": 1,
    "its": 1,
}
PLURAL_DETERMINERS = (
    "",
    "",
    "the",
    "two",
    "many",
    "some",
    "these",
    "three",
    "all",
    "most",
    "a lot of",
    "our",
)
AN_BEFORE = re.compile(r"(?!(?:us|univ|euro|one))[aeiou]|hour|honest")


@dataclass(frozen=True)
class Sentence:
    tokens: tuple[str, ...]
    position: int  # index of the ambiguous word
    word: str
    sense: str

    @property
    def label(self) -> str:
        return f"{self.word}: {self.sense}"


class Subject(NamedTuple):
    text: str
    person: str  # i, you, singular, plural
    pronoun: str


@cache
def phrases() -> Mapping[tuple[str, str, str], tuple[str, ...]]:
    """(word, sense, slot) → phrases."""
    return {
        (row["word"], row["sense"], row["slot"]): tuple(row["phrases"].split(" | "))
        for row in rows("sense_phrases")
    }


@cache
def senses() -> Mapping[str, tuple[str, ...]]:
    """The ambiguous words of the table, and their senses."""
    found: dict[str, dict[str, None]] = {}
    for word, sense, _ in phrases():
        if word != ANY_WORD and sense != ANY_SENSE:
            found.setdefault(word, {})[sense] = None
    return {word: tuple(names) for word, names in found.items()}


# ---- words ----


def inflect(verb: str, form: str) -> str:
    if form == "base":
        return verb
    if form in ("past", "participle") and verb in IRREGULAR:
        return IRREGULAR[verb][form == "participle"]
    if verb in DOUBLED_CONSONANT and form != "third":
        return f"{verb}{verb[-1]}{'ing' if form == 'ing' else 'ed'}"
    inflected: Mapping[str, Callable[[str], str]] = {
        "third": english.third,
        "past": english.past,
        "participle": english.participle,
        "ing": english.ing,
    }
    return inflected[form](verb)


@cache
def words() -> frozenset[str]:
    """Every word that a sentence may contain, except the ambiguous words."""
    table = phrases()
    found = {
        form for (_, _, slot), texts in table.items() for text in texts for form in phrase_words(text, slot)
    }
    found |= set(" ".join([*MODALS, *ASKED, *DETERMINERS, *PLURAL_DETERMINERS]).split())
    found |= set(" ".join(form for wish in WISHES for form in wish).split())
    found |= FUNCTION_WORDS | set(GLUE.split()) | {UNKNOWN}
    return frozenset(found - {GAP, *senses()})


@cache
def telling_words(word: str) -> Mapping[str, frozenset[str]]:
    """Sense → words that stand in phrases of this sense of the ambiguous word, and in no others.

    Words such as “give”, which are used with most ambiguous words, tell nothing.
    """
    found = words_by_sense(word)
    counts = Counter(form for each in senses() for form in frozenset().union(*words_by_sense(each).values()))
    other = {form for form, count in counts.items() if count >= GENERIC_WORDS}
    other |= FUNCTION_WORDS | slot_words(word, ANY_SENSE)
    other |= slot_words(ANY_WORD, ANY_SENSE, GENERAL_SLOTS)
    return {
        sense: own - other - frozenset().union(*(found[each] for each in found if each != sense))
        for sense, own in found.items()
    }


@cache
def words_by_sense(word: str) -> Mapping[str, frozenset[str]]:
    """Sense → all words of its phrases."""
    return {sense: slot_words(word, sense) for sense in senses()[word]}


def slot_words(word: str, sense: str, slots: Collection[str] = OWN_SLOTS) -> frozenset[str]:
    """All words of the phrases in these slots."""
    return frozenset(
        form
        for slot in slots
        for text in phrases().get((word, sense, slot), ())
        for form in phrase_words(text, slot)
    )


def phrase_words(text: str, slot: str) -> frozenset[str]:
    """All words of a phrase, with all forms of its verb."""
    found = set(re.findall(r"[^\s{}|]+", text)) - {GAP, "obj"}
    if slot in VERB_SLOTS:
        found |= {inflect(text.removeprefix("not ").split()[0], form) for form in FORMS}
    return frozenset(found)


GLUE = (
    "am is are was were been being does doing done let us please where while near next behind beside why"
    " saw looked looking wanted forgot an and there what happened who whose"
)


# ---- sentences ----


def draw_sentences(split: str, count: int, seed: int = 0) -> list[Sentence]:
    """Draw sentences, balanced over words and senses; the same seed gives the same sentences."""
    rng = random.Random(f"sense sentences {split} {seed}")
    labels = [(word, sense) for word, names in senses().items() for sense in names]
    found: list[Sentence] = []
    while len(found) < count:
        for word, sense in labels:
            sentence = write_sentence(rng, word, sense)
            while split_of(sentence) != split or len(sentence.tokens) > MAX_TOKENS:
                sentence = write_sentence(rng, word, sense)
            found.append(sentence)
    return found[:count]


def split_of(sentence: Sentence) -> str:
    """The split of a sentence: a twelfth each for test and validation. Marks and `an` make no difference."""
    text = " ".join(token for token in sentence.tokens if token.isalnum())
    return {0: "test", 1: "validation"}.get(zlib.crc32(text.encode()) % 12, "train")


def write_sentence(rng: random.Random, word: str, sense: str) -> Sentence:
    text = Writer(rng, word, sense).sentence()
    tokens = text.split()
    position = tokens.index(GAP)
    tokens = [word if token == GAP else token for token in tokens]
    for i, token in enumerate(tokens[:-1]):
        if token in ("a", "an") and tokens[i + 1] not in FUNCTION_WORDS:  # “a” may also be a letter
            tokens[i] = "an" if AN_BEFORE.match(tokens[i + 1]) else "a"
    return Sentence(tuple(tokens), position, word, sense)


def cut_off(sentence: Sentence, rng: random.Random) -> Sentence:
    """The beginning of a sentence, at least to its ambiguous word."""
    end = rng.randint(sentence.position + 1, len(sentence.tokens))
    return replace(sentence, tokens=sentence.tokens[:end])


def hide_words(sentence: Sentence, rng: random.Random) -> Sentence:
    """Replace one or two words by `<unk>` in a fraction of all sentences: learners type unknown words."""
    if rng.random() >= HIDDEN_SHARE:
        return sentence
    tokens = list(sentence.tokens)
    places = [i for i, token in enumerate(tokens) if i != sentence.position and token not in FUNCTION_WORDS]
    for i in rng.sample(places, min(len(places), rng.choice((1, 1, 2)))):
        tokens[i] = UNKNOWN
    return replace(sentence, tokens=tuple(tokens))


class Writer:
    """Write one sentence. Every method returns words in which `_` is the ambiguous word."""

    def __init__(self, rng: random.Random, word: str, sense: str):
        self.rng, self.word, self.sense = rng, word, sense

    def sentence(self) -> str:
        """Write a whole sentence, with its final mark, if it has one."""
        forms = {
            self.about_it: 34,
            self.with_something: 7,
            self.in_its_place: 8,
            self.and_somebody: 10,
            self.used: 18,
            self.person: 5,
            self.of_a_kind: 5,
            self.somebody_first: 5,
            self.something_first: 4,
            self.done_there: 4,
            self.free: 15,
            self.without_cue: 6,
        }
        (form,) = self.rng.choices([*forms], [*forms.values()])
        text = form()
        is_question = text.endswith("?")
        text = text.removesuffix(" ?")
        if is_question:
            return text + self.rng.choice((" ?", " ?", " ?", ""))
        if self.rng.random() < 0.1:
            text = f"{self.general('openers')} {text}"
        if self.rng.random() < 0.1:
            text = f"{text} {self.general('clauses')}"
        return f"{text} {self.rng.choices(('.', '!', ''), (80, 6, 14))[0]}".replace(" , ,", " ,").strip()

    # ---- kinds of sentences ----

    def about_it(self) -> str:
        """What it does, or how it is: the bat sleeps in a cave."""
        if self.rng.random() < 0.25:
            return self.described(self.noun_phrase(), self.own("traits"))
        plural = self.rng.random() < 0.15
        subject = Subject(self.noun_phrase(plural), "plural" if plural else "singular", "it")
        return self.clause(subject, self.own("does"), may_ask=True)

    def with_something(self) -> str:
        """We saw the bank and the river."""
        links = "and|and|near|with|because of|next to|after|of|in|on|for|beside|,"
        link = self.choose(*links.split("|"))
        return f"{self.neutral_use()} {link} {self.own('things')}"

    def in_its_place(self) -> str:
        """We saw the bank of the river."""
        if self.rng.random() < 0.6:
            return f"{self.neutral_use()} {self.own('places')}"
        noun_phrase = f"{self.noun_phrase()} {self.own('places')}"
        if self.rng.random() < 0.5:
            return self.described(noun_phrase, self.general("traits"))
        return self.clause(Subject(noun_phrase, "singular", "it"), self.shared("does"))

    def and_somebody(self) -> str:
        """I went to the bank because i wanted to swim."""
        subject, deed = self.somebody(), self.own("deeds")
        other = self.typical_person() if self.rng.random() < 0.3 else self.somebody()
        start = self.clause(subject, self.put_word(self.shared("uses")), "past")
        links: list[Callable[[], str]] = [
            lambda: f"to {deed}",
            lambda: f"to {deed}",
            lambda: f"and {self.finite(subject, deed, 'past')}",
            lambda: f"because {subject.pronoun} wanted to {deed}",
            lambda: f"because {subject.pronoun} had to {deed}",
            lambda: f"where {self.clause(other, deed, 'past')}",
            lambda: f"while {self.clause(other, deed, 'was doing')}",
            lambda: f"when {self.clause(other, deed, 'past')}",
            lambda: f"before {self.ing(deed)}",
            lambda: f"after {self.ing(deed)}",
            lambda: f", but {subject.pronoun} could not {deed}",
            lambda: f"and then {self.clause(other, deed, 'past')}",
            lambda: f"and {self.own('things')}",
        ]
        return f"{start} {self.rng.choice(links)()}"

    def used(self) -> str:
        """He borrows money from the bank."""
        use = self.put_word(self.own("uses"))
        if self.rng.random() < 0.08:
            return self.command(use)
        return self.clause(self.somebody(), use, may_ask=True)

    def person(self) -> str:
        """The fisherman walks to the bank."""
        return self.clause(self.typical_person(), self.put_word(self.shared("uses")))

    def of_a_kind(self) -> str:
        """I like the river bank."""
        noun_phrase = f"{self.determiner()} {self.own('kinds')} {GAP}"
        if self.rng.random() < 0.5:
            return self.clause(self.somebody(), self.shared("uses").replace(GAP, noun_phrase))
        if self.rng.random() < 0.5:
            return self.described(noun_phrase, self.general("traits"))
        return self.clause(Subject(noun_phrase, "singular", "it"), self.shared("does"))

    def somebody_first(self) -> str:
        """After swimming , we walked to the bank."""
        subject, deed = self.somebody(), self.own("deeds")
        use = self.put_word(self.shared("uses"))
        start = self.choose(
            f"after {self.ing(deed)} ,",
            f"to {deed} ,",
            f"before {self.ing(deed)} ,",
            f"when {self.clause(self.typical_person(), deed, 'past')} ,",
            f"while {self.clause(self.somebody(), deed, 'was doing')} ,",
            f"{self.clause(subject, deed, 'past')} and",
            f"{self.clause(subject, deed, 'past')} , then",
        )
        rest = self.finite(subject, use, "past")
        return f"{start} {rest}" if start.endswith("and") else f"{start} {subject.text} {rest}"

    def something_first(self) -> str:
        """There is a river near the bank."""
        thing, near = (
            self.own("things"),
            self.choose("near", "next to", "behind", "beside", "in front of", "under"),
        )
        return self.choose(
            f"there {self.choose('is', 'was')} {thing} {near} {self.noun_phrase()}",
            f"{thing} {self.choose('is', 'was')} {near} {self.noun_phrase()}",
            f"near {thing} , {self.neutral_use()}",
            f"after seeing {thing} , {self.neutral_use()}",
            f"{self.somebody().text} {self.choose('saw', 'found', 'liked', 'remembered')} {thing} and"
            f" {self.noun_phrase()}",
            f"{thing} and {self.noun_phrase()}",
            f"because of {thing} , {self.neutral_use()}",
        )

    def done_there(self) -> str:
        """She opened an account at the bank."""
        clause = self.clause(self.somebody(), self.own("deeds"), is_timed=False)
        return f"{clause} {self.own('at')} {self.noun_phrase()} {self.time('any')}".strip()

    def free(self) -> str:
        text = self.own("free")
        is_open = not text.endswith("?") and self.rng.random() < 0.2
        return f"{text} {self.time('any')}".strip() if is_open else text

    def without_cue(self) -> str:
        """I saw the bank yesterday. Each sense is as likely as the other."""
        return self.choose(
            self.neutral_use(),
            f"{self.neutral_use()} {self.general('places')}",
            self.described(self.noun_phrase(), self.general("traits")),
            self.described(self.noun_phrase(), self.general("places")),
            self.clause(Subject(self.noun_phrase(), "singular", "it"), self.shared("does")),
            f"{self.general('clauses').removeprefix('and ').removeprefix('but ')} , {self.neutral_use()}",
        )

    # ---- parts of sentences ----

    def neutral_use(self) -> str:
        return self.clause(self.somebody(), self.put_word(self.shared("uses")), may_ask=True)

    def described(self, noun_phrase: str, trait: str) -> str:
        be = self.rng.choices(("is", "was", "will be", "looks", "can be"), (50, 36, 4, 6, 4))[0]
        degree = self.rng.choices(("", self.general("degrees")), (60, 40))[0]
        if self.rng.random() < 0.06:
            return f"{self.choose('is', 'was')} {noun_phrase} {trait} ?"
        return " ".join(f"{noun_phrase} {be} {degree} {trait}".split())

    def clause(
        self, subject: Subject, phrase: str, tense: str = "", may_ask: bool = False, is_timed: bool = True
    ) -> str:
        """A subject with its verb phrase, perhaps with a time or as a question."""
        if may_ask and self.rng.random() < 0.06 and not phrase.startswith("not "):
            return f"{self.rng.choice(ASKED)} {subject.text} {phrase} {self.time('any')} ?"
        chosen = tense or self.rng.choices([*TENSES], [*TENSES.values()])[0]
        text = f"{subject.text} {self.finite(subject, phrase, chosen)}"
        when = {
            "past": "past",
            "was doing": "past",
            "present": "present",
            "modal": "future",
            "wish": "future",
        }
        time = self.time(when.get(chosen, "any")) if is_timed and not tense else ""
        return f"{text} {time}".strip()

    def finite(self, subject: Subject, phrase: str, tense: str) -> str:
        """A verb phrase in a form that fits its subject."""
        if phrase.startswith("not "):
            phrase, tense = phrase.removeprefix("not "), "not"
        verb, _, rest = phrase.partition(" ")
        if verb in STATES and tense.endswith("doing"):
            tense = {"was doing": "past", "is doing": "present"}[tense]
        is_singular = subject.person == "singular"
        if tense == "past":
            past = inflect(verb, "past") if verb != "be" else was(subject)
            return f"{past} {rest}".strip()
        if tense == "present":
            present = inflect(verb, "third") if is_singular else verb
            return f"{am(subject) if verb == 'be' else present} {rest}".strip()
        if tense.endswith("doing"):
            be = was(subject) if tense == "was doing" else am(subject)
            return f"{be} {inflect(verb, 'ing')} {rest}".strip()
        if tense == "perfect":
            return f"{'has' if is_singular else 'have'} {inflect(verb, 'participle')} {rest}".strip()
        if tense == "modal":
            return f"{self.rng.choice(MODALS)} {phrase}"
        if tense == "wish":
            base, third, past = self.rng.choice(WISHES)
            present = third if is_singular else base
            if subject.person == "i":
                present, past = present.replace("are", "am"), past.replace("were", "was")
            past = past.replace("were", "was") if is_singular else past
            return f"{self.choose(present, past)} {phrase}"
        if verb == "be":
            return f"{self.choose(was(subject), am(subject))} not {rest}"
        return f"{self.choose('did', 'does' if is_singular else 'do')} not {phrase}"

    def ing(self, phrase: str) -> str:
        verb, _, rest = phrase.partition(" ")
        return f"{inflect(verb, 'ing')} {rest}".strip()

    def command(self, phrase: str) -> str:
        return (
            f"{self.choose('please', 'do not', 'let us', 'never', '', 'you must', 'always')} {phrase}".strip()
        )

    def noun_phrase(self, plural: bool = False) -> str:
        """The ambiguous word with its determiner and perhaps an adjective."""
        determiner = self.rng.choice(PLURAL_DETERMINERS) if plural else self.determiner()
        adjective = self.general("adjectives") if self.rng.random() < 0.12 else ""
        return " ".join(f"{determiner} {adjective} {GAP}".split())

    def determiner(self) -> str:
        return self.rng.choices([*DETERMINERS], [*DETERMINERS.values()])[0]

    def put_word(self, phrase: str) -> str:
        return phrase.replace(GAP, self.noun_phrase(self.rng.random() < 0.08))

    def somebody(self) -> Subject:
        kind = self.rng.choices(("me", "men", "women", "many"), (34, 26, 24, 16))[0]
        text = self.general(kind)
        if kind == "me":
            return Subject(text, text, text)
        if kind == "many":
            return Subject(text, "plural", "we" if text == "we" else "they")
        return Subject(text, "singular", "he" if kind == "men" else "she")

    def typical_person(self) -> Subject:
        """Somebody who tells the sense: the fisherman."""
        text = self.own("people")
        noun = text.split(" with ")[0].split(" of ")[0].split()[-1]
        if (noun.endswith("s") and noun != "boss") or noun in ("fishermen", "police", "firemen"):
            return Subject(f"{self.choose('the', 'the', 'two', 'many')} {text}", "plural", "they")
        return Subject(f"{self.choose('the', 'the', 'a')} {text}", "singular", "he")

    def time(self, kind: str) -> str:
        chance = self.rng.random()
        if chance < 0.6:
            return ""
        return self.general(kind if chance < 0.85 else "any")

    # ---- phrases ----

    def own(self, slot: str) -> str:
        """A phrase that tells the sense."""
        return self.expand(self.rng.choice(phrases()[self.word, self.sense, slot]))

    def shared(self, slot: str) -> str:
        """A phrase that fits both senses."""
        return self.expand(self.rng.choice(phrases()[self.word, ANY_SENSE, slot]))

    def general(self, slot: str) -> str:
        """A phrase that fits all words."""
        return self.expand(self.rng.choice(phrases()[ANY_WORD, ANY_SENSE, slot]))

    def expand(self, phrase: str) -> str:
        """Choose among the alternatives {a|b}, and put people in place of {who} and {obj}."""

        def fill(match: re.Match[str]) -> str:
            choice = self.rng.choice(match[1].split("|"))
            return self.general("objects") if choice in ("who", "obj") else choice

        return " ".join(re.sub(r"\{(.*?)\}", fill, phrase).split())

    def choose(self, *texts: str) -> str:
        return self.rng.choice(texts)


def am(subject: Subject) -> str:
    return {"i": "am", "singular": "is"}.get(subject.person, "are")


def was(subject: Subject) -> str:
    return "was" if subject.person in ("i", "singular") else "were"
