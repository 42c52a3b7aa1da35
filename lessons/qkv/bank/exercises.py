"""Guess and exercise for experiment `bank`. All answers are computed."""

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.example_sentences import AMBIGUOUS_BANK
from lessons.kit.exercises import guess, nearest_option
from lessons.qkv.bank.compute import compute

LAST_WORD = 99  # larger than the number of words after the ambiguous word in any sentence
EXPLANATIONS = {
    "0.00": "The model has no reason to rule the river out: the sentence may still end with a river.",
    "0.50": "At “bank” the river has not come yet, and because of the mask no later word can reach “bank”.",
    "1.00": "The two-sided model gets there. The left-to-right model would have to look ahead from “bank”.",
}

GUESS = guess(
    "at-bank",
    "At the start: “I arrived at the bank after crossing the river.” How probable is the sense “river” for"
    " the left-to-right model?",
    EXPLANATIONS,
    lambda: nearest_option(EXPLANATIONS, compute(AMBIGUOUS_BANK, 5).now[0, 1]),
    "Cover everything after “bank” with a hand. How probable is a river now?",
    covers=("left_to_right", "senses", "curve", "gaze"),
)


def check_undecided(_: None, state: State) -> Verdict:
    run = compute(**{**state, "t": LAST_WORD})
    if len(run.words) < run.position + 3:
        return Verdict(False, f"Write at least two words after “{run.word}”.")
    probabilities = run.unfolding[1, -1]
    likelier = probabilities.max()
    if likelier < 0.7:
        return Verdict(
            True,
            f"Yes: after “{run.words[-1]}” the likelier sense has only {likelier:.2f}. No word has settled"
            " the sense yet.",
        )
    sense = run.senses[int(probabilities.argmax())]
    return Verdict(
        False, f"The model gives {sense} {likelier:.2f}. Which word settles the sense? Stop before that word."
    )


EXERCISES = (
    Exercise(
        "undecided",
        "In “Bank”, write at least two words after the ambiguous word and keep even the two-sided model"
        " undecided (below 0.7).",
        check_undecided,
        "Leave out the disambiguating word: stop the sentence before it.",
        experiment="bank",
    ),
)
