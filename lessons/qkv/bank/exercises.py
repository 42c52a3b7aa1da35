"""Guess and exercise for experiment `bank`. All answers are computed."""

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.example_sentences import AMBIGUOUS_BANK
from lessons.kit.exercises import guess, nearest_option
from lessons.qkv.bank.compute import compute

LAST_WORD = 99  # larger than the number of words after the ambiguous word in any sentence
EXPLANATIONS = {
    "0.00": "The model has no reason to exclude the river: the sentence may still end with a river.",
    "0.50": "At “bank” the model has not read “river” yet, and the mask keeps later words away from “bank”.",
    "1.00": "That is the bidirectional model. The left-to-right model would have to look ahead from “bank”.",
}

GUESS = guess(
    "at-bank",
    "Two models read “I arrived at the bank after crossing the river.” Which probability does the"
    " left-to-right model give to the sense “river” of “bank”?",
    EXPLANATIONS,
    lambda: nearest_option(EXPLANATIONS, compute(AMBIGUOUS_BANK, 5).now[0, 1]),
    "Cover everything after “bank” with your hand. How probable is a river now?",
    covers=("left_to_right", "senses", "curve", "gaze"),
)


def check_undecided(_: None, state: State) -> Verdict:
    run = compute(**{**state, "t": LAST_WORD})
    if len(run.words) < run.position + 3:
        return Verdict(False, f"Not yet: write at least two words after “{run.word}”.")
    probabilities = run.unfolding[1, -1]
    likelier = probabilities.max()
    if likelier < 0.7:
        return Verdict(
            True,
            f"Yes: after “{run.words[-1]}” the likelier sense has a probability of only {likelier:.2f}. No"
            " word has decided the sense yet.",
        )
    sense = run.senses[int(probabilities.argmax())]
    return Verdict(
        False,
        f"Not yet: the model gives “{sense}” a probability of {likelier:.2f}. Which word decides the sense?"
        " Stop before that word.",
    )


EXERCISES = (
    Exercise(
        "undecided",
        "In “Bank”, write at least two words after the ambiguous word, but keep even the bidirectional model"
        " undecided: no sense may reach 0.7.",
        check_undecided,
        "Which word decides the sense? Stop the sentence before it.",
        experiment="bank",
    ),
)
