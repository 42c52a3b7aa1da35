"""The guess and the exercises of experiment `bleu`, with computed answers."""

from lessons.decoding.bleu.compute import SENTENCES, Graded, compute
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number

FIRST = next(iter(SENTENCES))
OPPOSITE = "les enfants ne jouent pas dans le jardin ."  # the negation of the reference translation
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
    f"The only reference for “{FIRST}” is “{SENTENCES[FIRST].references[0]}” Which translation gets the"
    f" higher BLEU: “{PARAPHRASE}” (correct) or “{OPPOSITE}” (the opposite)?",
    {
        OPTIONS[0]: lambda: f"BLEU does not know what a sentence means. {figures()}",
        OPTIONS[1]: lambda: (
            f"{figures()} BLEU counts shared n-grams, and “ne … pas” breaks only a few of them."
        ),
        OPTIONS[2]: lambda: f"They share different n-grams with the reference. {figures()}",
    },
    better_graded,
    "How many pairs of neighbouring words does each translation share with the reference?",
    covers=("precisions", "scores", "sentences"),
)


def clipped_precision() -> float:
    return grade(" ".join(["le"] * LE_COUNT)).precisions[0]


def fools_bleu(answer: None, state: State) -> Verdict:
    run = compute(**state)
    if run.is_exact or run.bleu < 50:
        if run.is_exact:
            return Verdict(False, "Not yet: this is a reference, word for word. Change one word.")
        return Verdict(
            False, f"Not yet: BLEU is {run.bleu:.0f}. Change as few n-grams of a reference as you can."
        )
    return Verdict(
        True, f"Yes: BLEU is {run.bleu:.0f}. Now ask a person whether your sentence means the same."
    )


EXERCISES = (
    number(
        "clipping",
        f"The reference contains “le” once. Your translation is “le”, written {LE_COUNT} times. What is the"
        " precision of its single words, with clipping? Give two decimals.",
        clipped_precision,
        "A word counts as a match at most as often as it occurs in a reference. How many matches are there?",
        "Without clipping the precision would be 1.",
        experiment="bleu",
    ),
    Exercise(
        "fool-bleu",
        "In “Grading”, write a translation that is not a reference but still gets a BLEU of at least 50.",
        fools_bleu,
        "BLEU needs four matching words in a row. Which word can you change and keep most quadruples?",
        experiment="bleu",
    ),
)
