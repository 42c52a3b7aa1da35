"""Short stories, songs and chants: training texts of the language models (`recurrence`, `decoding`).

A grammar writes the stories. Words in capitals are symbols. Each is replaced by one of its choices, earlier
choices more often, until only lower-case words are left. Some symbols are fixed for a whole document:
the topic limits what can appear, and the hero, the friends and the object of the story do not change.

A tag on a word marks what a reader must remember: `<kind` is a cue, `>kind` can be predicted from its cue,
and `@kind` is both, predicted from its last mention. The tags become the document's dependencies.
"""

import random
import re
from collections.abc import Mapping
from functools import cache
from itertools import accumulate

from models.tasks.corpus import Corpus, Dependency, Document
from models.tasks.story_words import BOYS, COLOURS, GIRLS, OBJECTS, TOPICS
from models.vocabulary import Vocabulary

Symbols = Mapping[str, tuple[str, ...]]
TAG = re.compile("[<>@]")

GRAMMAR: Symbols = {
    # The frame of a story: the hero and the object, which both return at the end.
    "OPENING": (
        "ONCE , HERO@name WENT to the PLACE HOW .",
        "HERO@name DEALT WHERE .",
        "ONCE , HERO@name and A-BEAST PASSED the PLACE .",
        "HERO@name lived WHERE with HER KIN .",
        "ONCE , a MOOD CHILD called HERO@name WENT to the PLACE .",
        "it was WEATHER when HERO@name DEALT .",
        "WHERE lived a MOOD CHILD called HERO@name .",
    ),
    "WISH": (
        "SHE wanted a COLOUR@colour OBJECT@object more than anything .",
        "SHE was looking for a COLOUR@colour OBJECT@object .",
        "SHE had lost a COLOUR@colour OBJECT@object WHERE .",
        "HER KIN needed a COLOUR@colour OBJECT@object , but SCENE .",
        "SHE often dreamed of a COLOUR@colour OBJECT@object and A-THING .",
    ),
    "MOVE": (
        *(
            "RECALL",
            "ACT .",
            "RECALL",
            "TALK",
            "RECALL",
            "SCENE .",
            "RECALL",
            "MEETING .",
            "FAR .",
            "CLAUSES .",
            "ACT .",
        ),
        *("LEAD ACT .", "FEELING ."),
    ),
    "RECALL": (
        "poor HERO@name had no COLOUR@colour OBJECT@object .",
        "but where was the COLOUR@colour OBJECT@object ?",
        "FRIEND said : “<mark dear HERO@name , SAYING ”>mark",
        "SHE thought of the COLOUR@colour OBJECT@object day and night .",
        "poor HERO@name was SORRY .",
        "nobody had seen the COLOUR@colour OBJECT@object WHERE .",
        "SHE looked everywhere for the COLOUR@colour OBJECT@object .",
        "“<mark dear HERO@name , where is the COLOUR@colour OBJECT@object ? ”>mark said A-PERSON .",
        "FRIEND had a COLOUR2 OBJECT2 , but not the COLOUR@colour OBJECT@object .",
    ),
    "SOLVED": (
        "at last SHE GOT the COLOUR@colour OBJECT@object WHERE .",
        "at last SHE GOT the COLOUR@colour OBJECT@object again .",
        "at last FRIEND gave HIM the COLOUR@colour OBJECT@object .",
        "at last A-PERSON brought the COLOUR@colour OBJECT@object and A-THING .",
    ),
    "ENDING": (
        "and so HERO@name WENT home HOW .",
        "that night HERO@name was MOOD .",
        "and so HERO@name DEALT HOW .",
        "that night HERO@name told A-PERSON everything .",
        "and so HERO@name and FRIEND WENT to the PLACE .",
    ),
    # Events in the middle of the story.
    "ACT": (
        "SHE DEALT",
        "SHE DEALT HOW",
        "SHE WENT to the PLACE HOW",
        "SHE DEALT and DEALT",
        "SHE looked at A-BEAST WHERE",
        "SHE PASSED the PLACE and DEALT",
        "SHE asked A-PERSON for A-THING",
        "SHE sat down WHERE and DEALT HOW",
    ),
    "SCENE": (
        "the THINGS were LOOK",
        "the OWNS were SORT",
        "the THING was LOOK",
        "A-BEAST CRIED WHERE",
        "A-PERSON DEALT",
        "there were NUMBER LOOK THINGS WHERE",
        "A-BEAST CRIED at night",
        "it was WEATHER",
        "nobody DEALT",
        "A-PERSON WENT to the PLACE HOW",
    ),
    "CLAUSES": (
        "when SCENE , ACT",
        "ACT because SCENE",
        "ACT , but SCENE",
        "while SCENE , FRIEND DEALT",
        "although SCENE , ACT",
        "ACT until SCENE",
    ),
    "MEETING": (
        "LEAD SHE met FRIEND , who DEALT",
        "FRIEND was there too , with a COLOUR2 OBJECT2",
        "FRIEND and A-PERSON DEALT",
        "OTHER showed HIM a COLOUR2 OBJECT2",
        "LEAD SHE saw FRIEND WHERE",
        "OTHER and FRIEND looked at A-BEAST",
    ),
    "FEELING": ("SHE was MOOD", "SHE was MOOD but MOOD", "FRIEND was MOOD", "SHE felt as MOOD as a BEAST"),
    # A subject, many words in between, and its verb, which agrees in number: one was, many were.
    "FAR": (
        "the THINGS<number THAT were>number LOOK",
        "the THING<number THAT was>number LOOK",
        "the PERSON<number WHO was>number MOOD",
        "the PERSONS<number WHO were>number MOOD",
    ),
    "THAT": (
        "that A-PERSON DID",
        "WHERE",
        "that the PERSONS from the PLACE DID",
        "that FRIEND DID when A-BEAST CRIED",
        "that A-PERSON with the THINGS DID WHERE",
        "that the PERSONS who met FRIEND WHERE DID for HER KIN",
        "that SHE DID because A-PERSON with the LOOK THINGS needed NUMBER of them",
    ),
    "WHO": (
        "who DEALT",
        "with A-THING",
        "who WENT to the PLACE with A-BEAST",
        "who DEALT for the PERSONS WHERE",
        "who PASSED the PLACE when OTHER DEALT",
        "who had a BEAST and who often DID the THINGS of the PERSONS from the PLACE",
    ),
    # Every opening mark needs the matching closing mark: quotes for speech, brackets for thoughts and asides.
    "TALK": (
        "SHE said : “<mark WORDS ”>mark",
        "SHE thought : (<mark WORDS )>mark",
        "FRIEND answered : “<mark WORDS ”>mark",
        "“<mark WORDS ”>mark said A-PERSON .",
        "(<mark WORDS )>mark",
        "A-PERSON smiled and said : “<mark SAYING (<mark WORDS )>mark SAYING ”>mark",
        "(<mark SAYING “<mark WORDS ”>mark SAYING )>mark",
    ),
    "WORDS": ("SAYING", "SAYING SAYING", "SAYING SAYING SAYING"),
    "SAYING": (
        "i don't know .",
        "the THINGS are LOOK .",
        "you never DEALT .",
        "A-PERSON DID my LOOK THING .",
        "i DEALT HOW .",
        "where is my LOOK THING ?",
        "we DEALT WHERE .",
        "come with me to the PLACE .",
        "this THING is LOOK .",
        "look at the LOOK THINGS .",
        "i want to go home .",
        "do you like LOOK THINGS ?",
        "what do you want ?",
        "i can't see A-BEAST .",
        "my KIN is MOOD .",
        "who are you ?",
        "i have never seen such LOOK THINGS .",
        "wait for me WHERE .",
        "i am MOOD .",
        "don't be afraid of A-PERSON .",
        "nobody can help us .",
        "that is not true .",
        "we have NUMBER LOOK THINGS .",
        "why are the PERSONS so MOOD ?",
        "everything will be fine .",
        "i love you .",
    ),
    # Phrases and words shared by all topics.
    "SHE": ("PRONOUN", "PRONOUN", "PRONOUN", "PRONOUN", "the CHILD", "HERO<name"),
    "A-THING": (
        *("the THING", "a LOOK THING", "the LOOK THINGS", "NUMBER LOOK THINGS", "some THINGS"),
        *("this LOOK THING", "every THING"),
    ),
    "A-OWN": (
        "the OWN",
        "a SORT OWN",
        "the SORT OWNS",
        "NUMBER SORT OWNS",
        "some OWNS",
        "this SORT OWN",
        "every OWN",
    ),
    "DEALT": ("DID A-THING", "WORKED A-OWN"),
    "A-PERSON": (
        *(
            "the PERSON",
            "a MOOD PERSON",
            "the PERSONS",
            "the MOOD PERSON",
            "NUMBER PERSONS",
            "some MOOD PERSONS",
            "another PERSON",
        ),
    ),
    "A-BEAST": ("the BEASTS", "a MOOD BEAST", "the MOOD BEAST", "NUMBER BEASTS", "some MOOD BEASTS"),
    "WHERE": tuple(
        f"{preposition} the PLACE" for preposition in "near behind beside beyond before around".split()
    ),
    "HOW": (
        *"slowly again alone quickly quietly twice often carefully gladly secretly proudly".split(),
        *(
            "with FRIEND",
            "like a BEAST",
            "at night",
            "without HER KIN",
            "for NUMBER days",
            "in WEATHER weather",
        ),
    ),
    "LEAD": (*"then soon later suddenly today luckily sadly finally now once".split(), "after a while"),
    "ONCE": ("one day", "one morning", "long ago", "one evening", "last summer"),
    "WENT": tuple("went walked hurried came ran rode returned".split()),
    "PASSED": tuple(f"{went} past" for went in "went walked hurried ran rode".split()),
    "GOT": tuple("found saw took got".split()),
    "KIN": tuple("mother father sister brother uncle grandmother".split()),
    "NUMBER": tuple("two three many four seven ten five twelve".split()),
    "WEATHER": tuple("dark warm windy sunny quiet foggy rainy".split()),
    "MOOD": tuple(
        "happy tired sad hungry brave angry shy proud calm lonely wise lazy polite curious rich young clever"
        " kind thirsty nervous cheerful sleepy".split()
    ),
    "SORRY": tuple("sad tired hungry lonely".split()),
}

SONG_LINES = ("SAYING", "SAYING", "SAYING", "SCENE .", "ACT .", "FEELING .")
CHOICES = {  # the words a model must choose from at the target of each kind of dependency
    "name": GIRLS + BOYS,
    "colour": COLOURS,
    "object": OBJECTS,
    "number": ("was", "were"),
    "mark": ("”", ")"),
}
PHRASES = (
    "i don't know .",
    "i want to go home .",
    "the boats were wet .",
    "my brave lamp sold seven swords .",
)


@cache
def cumulative_weights(count: int) -> list[float]:
    """Cumulative weights 1/(rank + 6): the first choices are common, the last ones rare."""
    return list(accumulate(1 / (rank + 6) for rank in range(count)))


def expand(text: str, symbols: Symbols, rng: random.Random) -> list[str]:
    """Replace every symbol by one of its choices until only plain words are left. Words keep their tags."""
    words = []
    for word in text.split():
        symbol = TAG.split(word)[0]
        if symbol in symbols:
            choices = symbols[symbol]
            chosen = rng.choices(choices, cum_weights=cumulative_weights(len(choices)))[0]
            words += expand(chosen + word[len(symbol) :], symbols, rng)
        else:
            words.append(word)
    return words


def cast_story(rng: random.Random) -> Symbols:
    """The grammar with the symbols fixed for one document: topic, people and the object of the story."""
    girl = rng.random() < 0.5
    hero = rng.choice(GIRLS if girl else BOYS)
    friend, other = rng.sample([name for name in GIRLS + BOYS if name != hero], 2)
    colour, *colours = rng.sample(COLOURS, 4)
    wanted, *objects = rng.sample(OBJECTS, 4)
    pronoun, her, him, child = ("she", "her", "her", "girl") if girl else ("he", "his", "him", "boy")
    fixed = {"HERO": hero, "FRIEND": friend, "OTHER": other, "COLOUR": colour, "OBJECT": wanted}
    fixed |= {"PRONOUN": pronoun, "HER": her, "HIM": him, "CHILD": child}
    return {
        **GRAMMAR,
        **TOPICS[rng.choice(sorted(TOPICS))],
        **{symbol: (word,) for symbol, word in fixed.items()},
        "COLOUR2": tuple(colours),  # distractors: colours and objects of other people
        "OBJECT2": tuple(objects),
    }


def resolve_tags(kind: str, words: list[str]) -> Document:
    """Remove the tags, turn them into dependencies, and write “an” before a vowel."""
    tokens: list[str] = []
    dependencies: list[Dependency] = []
    opened: dict[str, list[int]] = {}  # by kind, the positions of cues that still wait for their target
    for place, word in enumerate(words):
        token, *tags = TAG.split(word)
        for tag in tags:
            waiting = opened.setdefault(tag, [])
            if "<" not in word and waiting:
                dependencies.append(Dependency(tag, waiting.pop(), place))
            if ">" not in word:
                waiting.append(place)
        if tokens and tokens[-1] == "a" and token[0] in "aeiou":
            tokens[-1] = "an"
        tokens.append(token)
    return Document(kind, tuple(tokens), tuple(dependencies))


def story(rng: random.Random) -> Document:
    """Write a story: someone wants something, events follow, and the object and name return at the end."""
    symbols = cast_story(rng)
    words = expand("OPENING WISH", symbols, rng)
    for _ in range(rng.randint(2, 8)):
        if sum(word in (".", "?") for word in words) < 9:
            words += expand("MOVE", symbols, rng)
    return resolve_tags("story", words + expand("SOLVED ENDING", symbols, rng))


def song(rng: random.Random) -> Document:
    """Write a song with repeated lines. Repeats get likelier as it grows; half repeat the last line."""
    symbols = cast_story(rng)
    most = rng.choice((30, 60, 100, 150, 200))  # maximum number of words
    lines = [expand("OPENING", symbols, rng)] if rng.random() < 0.5 else []
    while True:
        if rng.random() < 0.85 * len(lines) / (len(lines) + 3):
            line = lines[-1] if rng.random() < 0.5 else rng.choice(lines)
        else:
            line = expand(rng.choice(SONG_LINES), symbols, rng)
        if sum(map(len, lines)) + len(line) > most:
            return resolve_tags("song", [TAG.split(word)[0] for line in lines for word in line])
        lines.append(line)


def chant(rng: random.Random) -> Document:
    """Repeat a random phrase many times. Only copying predicts it, so the model can learn to copy."""
    words = ["chant", ":"]
    while True:
        phrase = rng.choices(PLAIN, k=rng.randint(3, 6)) + rng.choice(([], ["."], [","]))
        rounds = 2
        while rounds < 30 and rng.random() < 0.85:
            rounds += 1
        words += phrase * min(rounds, (200 - len(words)) // len(phrase))
        if len(words) > 150 or rng.random() < 0.4:
            return Document("chant", tuple(words))


def draw(rng: random.Random) -> Document:
    return rng.choices((story, song, chant), weights=(68, 30, 2))[0](rng)


def known_words() -> list[str]:
    """Every word the grammar can write."""
    texts = [
        text for symbols in (GRAMMAR, *TOPICS.values()) for choices in symbols.values() for text in choices
    ]
    words = {TAG.split(word)[0] for text in texts for word in text.split()}
    words |= {
        *GIRLS,
        *BOYS,
        *COLOURS,
        *OBJECTS,
        "she",
        "he",
        "her",
        "his",
        "him",
        "girl",
        "boy",
        "an",
        "chant",
    }
    return sorted(word for word in words if word == word.lower())


PLAIN = tuple(word for word in known_words() if word[0].isalpha())  # known words, without punctuation
STORIES = Corpus("stories", Vocabulary.of(known_words()), draw, CHOICES, PHRASES)
