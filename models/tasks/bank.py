"""Sentences about words with two senses, in which one other word decides the sense (lesson `qkv`).

Every sentence is `before` + ambiguous word + `after`, where `after` contains one gap for the cue. The cue can
also come first: “near the dog , i noticed the bark”. Both senses use the same surrounding words, so only the
cue reveals the sense. Half of the time it comes too late for a unidirectional encoder.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from models.tasks import sense_sentences
from models.tasks.task import SPLITS
from models.vocabulary import Vocabulary

BLANK = "___"  # stands for a word left out, in lesson `qkv`, experiment `blank`


@dataclass(frozen=True)
class Example:
    tokens: tuple[str, ...]
    position: int  # index of the ambiguous word
    word: str
    sense: str
    cue: int | None  # index of the word that decides the sense; None if the sentence stops before it

    @property
    def label(self) -> str:
        return f"{self.word}: {self.sense}"


@dataclass(frozen=True)
class Scene:
    """A scene: phrases about one ambiguous word. Each phrase in `after` fits every cue of either sense."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    cues: Mapping[str, tuple[str, ...]]  # sense → the words that decide it
    ahead: tuple[str, ...] = ()  # sentence openings that contain the cue

    def settings(self, sense: str, split: str, ahead: bool) -> list[tuple[str, str]]:
        """Pairs (words around the cue, cue) of one split. Test and validation get a sixth each."""
        return [
            (around, cue)
            for a, around in enumerate(self.ahead if ahead else self.after)
            for c, cue in enumerate(self.cues[sense])
            if {0: "test", 1: "validation"}.get((a + c) % 6, "train") == split
        ]


@dataclass(frozen=True)
class Bank:
    """All scenes for all ambiguous words."""

    scenes: Mapping[str, tuple[Scene, ...]]  # ambiguous word → its scenes
    max_words: int = 24  # maximum number of words that a learner may type

    @cached_property
    def senses(self) -> dict[str, tuple[str, ...]]:
        """Map each ambiguous word to its senses."""
        return {word: tuple(scenes[0].cues) for word, scenes in self.scenes.items()}

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Every sense of every word, in the classifier's order: “bank: money”, “bank: river”, …"""
        return tuple(f"{word}: {sense}" for word, senses in self.senses.items() for sense in senses)

    def cues_of(self, word: str, sense: str) -> tuple[str, ...]:
        """Words that reveal this sense, scene by scene, the most common first."""
        return tuple(cue for scene in self.scenes[word] for cue in scene.cues[sense])

    @cached_property
    def vocabulary(self) -> Vocabulary:
        words = {
            token for split in SPLITS for example in self.iterate_examples(split) for token in example.tokens
        }
        return Vocabulary.of({*words, *sense_sentences.words(), BLANK})

    @cached_property
    def answers(self) -> tuple[str, ...]:
        """All outputs of a model, in order: senses of ambiguous words, then words that can fill a blank."""
        return self.labels + self.vocabulary.words

    def iterate_examples(self, split: str) -> Iterator[Example]:
        """Yield each sentence of a split once. Before the cue appears, all senses are equally frequent."""
        for word, scenes in self.scenes.items():
            for scene in scenes:
                for before in scene.before:
                    for sense in scene.cues:
                        for ahead in (False, True):
                            for around, cue in scene.settings(sense, split, ahead):
                                yield _example(before, word, around, cue, sense, ahead)

    def examples(self, split: str, count: int, seed: int = 0, unfinished: float = 0.0) -> list[Example]:
        """Draw `count` sentences, balanced over words and senses; the same seed gives the same sentences.

        Sentences may repeat. They come in twins: the same beginning for each sense. A fraction `unfinished`
        of the twins stops before the cue. A model trained on them learns to stay undecided until the cue.
        """
        if split not in SPLITS:
            raise ValueError(f"split is one of {SPLITS}, not {split!r}")
        rng = random.Random(f"bank {split} {seed}")
        words = list(self.scenes)
        found: list[Example] = []
        while len(found) < count:
            for word in rng.sample(words, len(words)):
                scene = rng.choice(self.scenes[word])
                before = rng.choice(scene.before)
                stopped = rng.random() < unfinished
                ahead = (
                    bool(scene.ahead) and not stopped and rng.random() < 2 / 3
                )  # only half of the scenes can begin with their cue
                twins = [
                    _example(before, word, *rng.choice(scene.settings(sense, split, ahead)), sense, ahead)
                    for sense in scene.cues
                ]
                found += _stopped(twins, rng) if stopped else twins
        return found[:count]


def _example(before: str, word: str, around: str, cue: str, sense: str, ahead: bool) -> Example:
    start, setting = (*before.split(), word), tuple(around.replace("_", cue).split())
    gap = around.split().index("_")
    if ahead:
        return Example((*setting, *start, "."), len(setting) + len(start) - 1, word, sense, gap)
    return Example((*start, *setting, "."), len(start) - 1, word, sense, len(start) + gap)


def _stopped(twins: list[Example], rng: random.Random) -> list[Example]:
    """Cut a sentence off before its cue and return it once for each sense that is still possible."""
    whole = twins[rng.randrange(len(twins))]
    assert whole.cue is not None  # twins are complete sentences, so they contain their cue
    tokens = whole.tokens[: rng.randint(whole.position + 1, whole.cue)]
    return [Example(tokens, twin.position, twin.word, twin.sense, None) for twin in twins]


PEOPLE = ("i", "we", "she", "he", "they", "my friend", "the children")


def _did(*actions: str) -> tuple[str, ...]:
    """Beginnings in which the ambiguous word is the object: “we saw the”."""
    return tuple(f"{who} {action} the" for who in PEOPLE for action in actions)


# Beginnings in which the ambiguous word is the subject.
SUBJECT = ("the", "i think the", "she said that the", "they noticed that the", "my friend told me that the")

# What may stand between the ambiguous word and the cue, from nothing to seven words.
POINTED = "as soon as somebody pointed at the _"
NEAR = ("near the _", "next to the _", "that was right next to the _", POINTED)
IN = ("in the _", "that was in the _", "hidden in the _", POINTED)
ON = ("on the _", "that was on the _", "in the picture of the _", POINTED)
OF = ("of the _", "of the old _", "that came from the _", POINTED)
BECAUSE = ("because of the _", "and the _", "after seeing the _", POINTED)
AHEAD = ("near the _ ,", "after seeing the _ ,", "when somebody pointed at the _ ,", "right next to the _ ,")
CROSSING = ("after crossing the _", "beside the _", "across the _", "on the other side of the _")
WAS = ("was _", "in the story was _", "that i still remember was _", "that everybody was talking about was _")
DID = ("_", "then _", "in the story _", "that everybody was talking about _")


def _cues(**words: str) -> dict[str, tuple[str, ...]]:
    return {sense: tuple(text.split()) for sense, text in words.items()}


BANK = Bank(
    {
        "bank": (
            Scene(
                _did("arrived at", "walked to", "waited at"),
                CROSSING,
                _cues(
                    money="street road square avenue highway market",
                    river="river stream creek lake canal pond",
                ),
                (
                    "after crossing the _ ,",
                    "beside the _ ,",
                    "across the _ ,",
                    "on the other side of the _ ,",
                ),
            ),
            Scene(
                SUBJECT,
                WAS,
                _cues(
                    money="bankrupt profitable honest modern generous closed",
                    river="muddy grassy sandy steep slippery flooded",
                ),
            ),
        ),
        "bark": (
            Scene(
                _did("noticed", "remembered", "recognised"),
                OF,
                _cues(tree="tree oak birch pine willow maple", dog="dog puppy hound poodle terrier wolf"),
                AHEAD,
            ),
            Scene(
                SUBJECT,
                WAS,
                _cues(
                    tree="smooth thick peeling wet mossy brown",
                    dog="loud angry fierce deafening hoarse shrill",
                ),
            ),
        ),
        "bat": (
            Scene(
                _did("saw", "noticed", "looked at"),
                NEAR,
                _cues(
                    animal="cave owl moth hawk nest beetle",
                    sport="ball glove helmet umpire scoreboard player",
                ),
                AHEAD,
            ),
            Scene(
                SUBJECT,
                DID,
                _cues(
                    animal="flew slept squeaked landed woke fled",
                    sport="broke cracked snapped splintered rotted split",
                ),
            ),
        ),
        "crane": (
            Scene(
                _did("saw", "noticed", "looked at"),
                NEAR,
                _cues(
                    bird="nest heron swan duck pond marsh",
                    machine="truck bulldozer skyscraper factory warehouse scaffold",
                ),
                AHEAD,
            ),
            Scene(
                SUBJECT,
                DID,
                _cues(
                    bird="flew slept landed woke fled nested",
                    machine="rusted stalled overheated creaked beeped exploded",
                ),
            ),
        ),
        "letter": (
            Scene(
                _did("noticed", "found", "recognised"),
                IN,
                _cues(
                    post="envelope mailbox parcel drawer bag folder",
                    alphabet="word crossword password name sentence title",
                ),
                AHEAD,
            ),
            Scene(
                SUBJECT,
                WAS,
                _cues(
                    post="stamped folded unopened posted sealed delivered",
                    alphabet="silent capitalised doubled mispronounced italic lower-case",
                ),
            ),
        ),
        "match": (
            Scene(
                _did("remembered", "talked about", "thought of"),
                BECAUSE,
                _cues(
                    game="stadium referee goalkeeper team coach trophy",
                    fire="candle fireplace cigarette stove lantern campfire",
                ),
                AHEAD,
            ),
            Scene(
                SUBJECT,
                WAS,
                _cues(
                    game="cancelled postponed televised thrilling unfair tied",
                    fire="wet damp burnt wooden scorched lit",
                ),
            ),
        ),
        "mouse": (
            Scene(
                _did("saw", "noticed", "looked at"),
                NEAR,
                _cues(
                    animal="cheese cat trap hole owl barn",
                    computer="keyboard screen printer laptop monitor cable",
                ),
                AHEAD,
            ),
            Scene(
                SUBJECT,
                WAS,
                _cues(
                    animal="hungry asleep frightened furry alive pregnant",
                    computer="wireless unplugged faulty electronic disconnected rechargeable",
                ),
            ),
        ),
        "pitcher": (
            Scene(
                _did("saw", "noticed", "looked at"),
                NEAR,
                _cues(
                    player="catcher coach umpire scoreboard stadium team",
                    jug="cup plate bowl teapot sink tray",
                ),
                AHEAD,
            ),
            Scene(
                SUBJECT,
                WAS,
                _cues(
                    player="injured nervous angry proud retired asleep",
                    jug="empty full chipped ceramic shattered washed",
                ),
            ),
        ),
        "seal": (
            Scene(
                _did("saw", "noticed", "recognised"),
                ON,
                _cues(
                    animal="beach rock ice iceberg shore island",
                    wax="envelope document parcel scroll contract certificate",
                ),
                AHEAD,
            ),
            Scene(
                SUBJECT,
                DID,
                _cues(
                    animal="swam slept yawned woke fled dived",
                    wax="melted cracked broke crumbled softened hardened",
                ),
            ),
        ),
        "spring": (
            Scene(
                _did("found", "noticed", "looked for"),
                IN,
                _cues(
                    water="forest valley mountains desert canyon meadow",
                    metal="mattress clock toy engine sofa lock",
                ),
                AHEAD,
            ),
            Scene(
                SUBJECT,
                WAS,
                _cues(
                    water="muddy drinkable refreshing salty polluted sparkling",
                    metal="rusty coiled stretched bent squeaky elastic",
                ),
            ),
        ),
    }
)
