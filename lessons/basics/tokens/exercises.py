"""The guess and the exercises of experiment `tokens`, with computed answers."""

import unicodedata
from collections import Counter

from lessons.basics.tokens.compute import SENTENCES, tokens
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number
from lessons.kit.pictures.numbers import plural
from models import bpe

WORDS = (" garden", " gardener", " unhappy")


def pieces_of(word: str) -> int:
    return len(bpe.load().encode(word))


def most_pieces() -> str:
    return max(WORDS, key=pieces_of).strip()


def listed() -> str:
    return " and ".join(f"“{word.strip()}” in {pieces_of(word)}" for word in WORDS[:2])


merge_pieces = guess(
    "most-pieces",
    "“garden” was frequent in the training text. After all merges, which of these words is cut into the most"
    " pieces?",
    {
        "garden": lambda: (
            "“garden” was frequent in the training text, so its letters are merged into"
            f" {pieces_of(' garden')} piece."
        ),
        "gardener": lambda: (
            f"“gardener” is rare, but it contains “garden”, so {pieces_of(' gardener')} pieces are enough."
        ),
        "unhappy": lambda: (
            "Neither “happy” nor “unhappy” was frequent in the training text, so “unhappy” is cut into"
            f" {pieces_of(' unhappy')} pieces. Compare {listed()}."
        ),
    },
    most_pieces,
    "A merge needs a frequent pair. Which of these words contain a frequent word?",
    covers=("splits",),
)

TOY = {
    b"low": 5,
    b"lower": 2,
    b"newest": 6,
    b"widest": 3,
}  # the example from Sennrich et al. 2016, without its end-of-word marker


def toy_count() -> float:
    return float(bpe.learn_merges(TOY, 1)[0].count)


def greek_bytes() -> float:
    return float(len(SENTENCES["Greek"].split()[1].encode()))


def is_spelled_with_letters(word: str) -> bool:
    """Whether a word has only letters, with their accents and vowel signs."""
    return all(unicodedata.category(character)[0] in "LM" for character in word)


def one_piece_each(_: None, state: State) -> Verdict:
    """Check that the text has at least five words and that each becomes one piece after all merges."""
    run = tokens(state["text"], 0)
    words = [word for word in run.words if is_spelled_with_letters(word)]
    if len(words) < 5:
        counted = "" if len(words) == len(run.words) else " without punctuation, numbers and signs"
        return Verdict(
            False, f"Not yet: your text has {plural(len(words), 'word')}{counted}. Use at least five."
        )
    pieces = Counter(piece.removeprefix("␣") for piece in run.final)
    if cut := next((word for word in words if word not in pieces), None):
        return Verdict(
            False, f"Not yet: “{cut}” is more than one piece. Which words were frequent in the training text?"
        )
    return Verdict(
        True, f"Yes: {len(words)} words are {len(words)} pieces. Frequent words cost one piece each."
    )


EXERCISES = (
    number(
        "first-merge",
        "A training text has “low” 5 times, “lower” 2 times, “newest” 6 times and “widest” 3 times. "
        "How often does the most frequent pair of letters occur?",
        toy_count,
        "In which words does “es” occur, and how often do these words occur?",
        "“es” occurs in “newest” and in “widest”; “st” is equally frequent.",
    ),
    number(
        "greek-bytes",
        f"“{SENTENCES['Greek'].split()[1]}” has five Greek letters, and no merge applies to it. How many"
        f" pieces"
        " does it have?",
        greek_bytes,
        "Open “Which bytes stand for a character?” with the Greek sentence. How many bytes does a letter"
        " have?",
        "A Greek letter takes two bytes in UTF-8, and without merges every byte is a piece.",
    ),
    Exercise(
        "one-piece-each",
        "In “Tokens”, type at least five words that are all a single piece after all merges.",
        one_piece_each,
        "Which short words occur in nearly every English sentence?",
        experiment="tokens",
    ),
)
