"""Guess and exercise for experiment `lm`. All answers are computed."""

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess
from lessons.kit.pictures.tokens import quote
from lessons.transformer.lm.compute import KEEP, SWITCH_OFF, StoryRun, lm
from lessons.transformer.lm.stories import COLOUR

REMAINDERS = ("nearly all of it", "about half of it", "next to nothing")


def run_without_head() -> StoryRun:
    return lm(COLOUR, "layer 2, head 1", SWITCH_OFF)


def describe_fall() -> str:
    return "P falls from {:.2f} to {:.2f}".format(*run_without_head().chance)


def remaining_probability() -> str:
    before, after = run_without_head().chance
    return REMAINDERS[0] if after > 0.8 * before else REMAINDERS[1] if after > 0.2 * before else REMAINDERS[2]


one_head_less = guess(
    "one-head-less",
    "A white box was lost 34 words ago. Layer 2, head 1 attends to “white”, and P of “white” is high. You"
    " switch that head off. How much of P is left?",
    {
        REMAINDERS[0]: lambda: (
            f"{describe_fall()}. See the bars: how much weight do other heads put on “white”?"
        ),
        REMAINDERS[1]: lambda: f"{describe_fall()}. Another head attends to “white” too; see how much.",
        REMAINDERS[2]: lambda: f"{describe_fall()}. Open “Which heads does it need?”.",
    },
    remaining_probability,
    "The model has eight heads. How many of the others would have to attend to “white” to replace this one?",
    covers=("on_cue", "every_head"),
)


def check_other_word(_: None, state: State) -> Verdict:
    run = lm(**state)
    best = run.next_words[int(run.next_probabilities[1].argmax())]
    if state["text"] == COLOUR:
        return Verdict(False, "Take another story: one of the suggestions, or your own.")
    if run.do == KEEP:
        return Verdict(False, "No head is changed yet. Which one attends to the outlined word?")
    if best == run.due:
        return Verdict(
            False,
            f"{quote(run.due)} is still the likeliest. Open “Which heads does it need?”: which one is missed"
            " most?",
        )
    return Verdict(
        True,
        f"Yes: now the model writes {quote(best)} instead of {quote(run.due)}. You changed one head of"
        f" {run.on_cue.size}.",
    )


EXERCISES = (
    Exercise(
        "another-word",
        "In “Telling stories”, take any story but the first and make the model write another word by changing"
        " one head.",
        check_other_word,
        "Find the head that puts most weight on the outlined word and let it look anywhere else.",
        experiment="lm",
    ),
)
