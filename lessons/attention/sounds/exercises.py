"""The guess and the exercises of experiment `sounds`, with computed answers."""

from itertools import pairwise

from lessons.attention.sounds.compute import OPENING_STEP, OPENING_WORD, Pronounced, compute
from lessons.attention.translators import without_eos
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess
from lessons.kit.language import translate

LETTERS = ("mostly to o", "to o, u, g and h alike", "mostly to g and h")
VOWEL = 1  # the step of the vowel of “thought”, from 0
CLEAR_SHARE = 0.6  # fraction of the weight that counts as clear attention


def vowel_weights() -> dict[str, float]:
    run = compute(OPENING_WORD, OPENING_STEP, ())
    return dict(zip("ough", run.plain_weights[VOWEL, OPENING_WORD.index("ough") :].tolist(), strict=False))


def answer() -> str:
    weights = vowel_weights()
    if weights["o"] > CLEAR_SHARE:
        return LETTERS[0]
    return LETTERS[2] if weights["g"] + weights["h"] > CLEAR_SHARE else LETTERS[1]


def figures() -> str:
    weights = vowel_weights()
    rest = sum(weights.values()) - weights["o"]
    template = "o has a weight of {o:.2f}; u, g and h together have {rest:.2f}."
    return translate(template, o=weights["o"], rest=rest)


which_letters = guess(
    "which-letters",
    f"“{OPENING_WORD}” has seven letters and three sounds: TH, AO (as in door) and T. To which letters"
    " does the vowel AO attend?",
    {
        LETTERS[0]: lambda: translate(
            "{figures} But the state of o is not the letter alone: the encoder reads in both directions,"
            " so this state can also contain u, g and h.",
            figures=figures(),
        ),
        LETTERS[1]: lambda: translate(
            "{figures} The four letters spell this sound together. The state of o can contain them all,"
            " because the encoder reads in both directions.",
            figures=figures(),
        ),
        LETTERS[2]: lambda: translate(
            "{figures} Without g and h the vowel would be another one. The state of o can contain them,"
            " because the encoder reads in both directions.",
            figures=figures(),
        ),
    },
    answer,
    "What does the state of a letter contain, when the encoder has read the word in both directions?",
    covers=("alignment", "outputs"),
)


def name_outputs(run: Pronounced) -> str:
    original, edited = (" ".join(without_eos(each)) for each in (run.plain, run.yours))
    template = "The model writes “{original}”, and with your weights “{edited}”."
    return translate(template, original=original, edited=edited)


def check_spoken(_: None, state: State) -> Verdict:
    run = compute(**state)
    if len(run.edited) != 1:
        message = "Set the weights of one step; {n} steps are set now."
        return Verdict(False, translate(message, n=len(run.edited)))
    silent = compute(**{**state, "weights": ()}).silent
    if int(run.your_weights[run.edited[0] - 1].argmax()) not in silent:
        return Verdict(
            False,
            translate(
                "In your step the largest weight is not on a silent letter: choose one that has the largest"
                " weight of no sound."
            ),
        )
    if run.lost or len(run.new) != 1:
        message = "{outputs} Add one sound and lose none."
        return Verdict(False, translate(message, outputs=name_outputs(run)))
    return Verdict(True, translate("Yes. {why}", why=name_outputs(run)))


def check_two_sounds(_: None, state: State) -> Verdict:
    run = compute(state["word"], 1, ())
    best = run.strongest[: len(without_eos(run.plain))].tolist()
    letters = [run.source[i] for i, j in pairwise(best) if i == j]
    others = [letter for letter in letters if letter != "x"]
    if others:
        message = "Yes: two sounds in a row have their largest weight on {letter}."
        return Verdict(True, translate(message, letter=others[0]))
    if letters:
        return Verdict(False, translate("x does it here. Which other letter can be two sounds?"))
    return Verdict(False, translate("Here no letter has the largest weight of two sounds in a row."))


EXERCISES = (
    Exercise(
        "spoken",
        "In “Letters and sounds”, choose a word with a silent letter and make the model speak it: change the"
        " weights of one step so that one sound is added and none is lost.",
        check_spoken,
        "Which sound would the silent letter make, and between which two sounds would it stand?",
        experiment="sounds",
    ),
    Exercise(
        "two-sounds",
        "In “Letters and sounds”, type a word in which one letter has the largest weight of two sounds in a"
        " row. The letter must not be x.",
        check_two_sounds,
        "Say “cube” slowly. What do you say between C and B?",
        experiment="sounds",
    ),
)
