"""The guess and the exercises of experiment `bleu`, with computed answers."""

from lessons.decoding.bleu.compute import SENTENCES, Graded, compute
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number

FIRST = next(iter(SENTENCES))
OPPOSITE = "les enfants ne jouent pas dans le jardin ."  # the negation of the reference
PARAPHRASE = SENTENCES[FIRST].references[1]
OPTIONS = ("the correct paraphrase", "the wrong sentence", "both get the same")
LE_COUNT = 5


def grade(candidate: str) -> Graded:
    return compute(FIRST, candidate, False)


def better_graded() -> str:
    wrong, right = grade(OPPOSITE).bleu, grade(PARAPHRASE).bleu
    return OPTIONS[1] if wrong > right else OPTIONS[0] if right > wrong else OPTIONS[2]


def figures() -> str:
    return (
        f"BLEU is {grade(PARAPHRASE).bleu:.0f} for the paraphrase and {grade(OPPOSITE).bleu:.0f} for"
        " the sentence"
        " with the opposite meaning."
    )


opposite = guess(
    "opposite",
    f"“{FIRST}” The only reference is “{SENTENCES[FIRST].references[0]}” Which candidate gets the"
    " higher BLEU:"
    f" “{PARAPHRASE}” (correct) or “{OPPOSITE}” (says the opposite)?",
    {
        OPTIONS[0]: lambda: f"BLEU does not read for meaning. {figures()}",
        OPTIONS[1]: lambda: (
            f"{figures()} BLEU counts shared n-grams, and “ne … pas” breaks only a few of them."
        ),
        OPTIONS[2]: lambda: f"They share different n-grams with the reference. {figures()}",
    },
    better_graded,
    "Count the pairs of neighbouring words that each candidate shares with the reference.",
    covers=("precisions", "scores", "sentences"),
)


def clipped_precision() -> float:
    return grade(" ".join(["le"] * LE_COUNT)).precisions[0]


def fools_bleu(answer: None, state: State) -> Verdict:
    run = compute(**state)
    if run.is_exact or run.bleu < 50:
        return Verdict(False, f"BLEU is {run.bleu:.0f}. Change as few n-grams of a reference as you can.")
    return Verdict(True, f"BLEU is {run.bleu:.0f}. Now ask a person whether your sentence means the same.")


EXERCISES = (
    number(
        "clipping",
        f"The reference has “le” once. The candidate is “le” {LE_COUNT} times. What is its precision"
        " of single"
        " words, with clipping? (two decimals)",
        clipped_precision,
        "A word counts as a match at most as often as a reference has it.",
        "Without clipping the precision would be 1.",
        experiment="bleu",
    ),
    Exercise(
        "fool-bleu",
        "Challenge: write a translation that is not a reference and still gets a BLEU of at least 50.",
        fools_bleu,
        "BLEU needs four words in a row that match. Which word can you change without breaking many of them?",
        experiment="bleu",
    ),
)
