"""Story beginnings, named after the kind of word expected next, and sentences that can be inserted."""

from lessons.kit.checkpoints import Words
from models.tasks.stories import CHOICES
from models.tasks.story_recall import GENDERED, SCENES, SPEECH, write_filler

NAME = (
    "one evening , leo and the wise dog hurried past the stall . his grandmother needed a white flute , "
    "but nobody showed some apples . poor"
)
THING = (
    "last summer , a sad boy called sam went to the island . he had lost a white box behind the beach . it"
    " was quiet . nobody had seen the white"
)
PRONOUN = (
    "near the garden lived a sad girl called mira . the wolves vanished behind the hill . nobody followed"
    " some logs . then"
)
OPEN_QUOTE = (
    "one evening , a calm girl called ella hurried to the barn . the poems were old . “ dear ella , where is"
    " the white drum ?"
)
GAP_STEP, MAX_GAP = 10, 60  # words
GAPS = tuple(range(0, MAX_GAP + 1, GAP_STEP))
SENTENCE_ENDS = (".", "?")
CUE_WORDS = GENDERED.union(CHOICES["name"], CHOICES["colour"], CHOICES["object"])


def insertion_point(words: Words) -> int:
    """Where sentences can be inserted: before the last, unfinished sentence; 0 if there is only one."""
    return max((i + 1 for i, word in enumerate(words) if word in SENTENCE_ENDS), default=0)


def inserted_words(gap: int, kind: str | None) -> Words:
    """Sentences of `gap` words that mention no hero, colour or thing; direct speech if a mark is expected.

    A longer gap begins like a shorter one.
    """
    sentences = SPEECH if kind == "mark" else SCENES
    return tuple(
        word for seed in range(gap // GAP_STEP) for word in write_filler(GAP_STEP, CUE_WORDS, seed, sentences)
    )
