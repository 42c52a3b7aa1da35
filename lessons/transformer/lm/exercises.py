"""Guess and exercise for experiment `lm`. All answers are computed."""

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess
from lessons.kit.pictures.tokens import quote
from lessons.transformer.lm.compute import KEEP, SWITCH_OFF, StoryRun, lm
from lessons.transformer.lm.stories import COLOUR

REMAINDERS = ("nearly all of it", "about half of it", "almost nothing")


def run_without_head() -> StoryRun:
    return lm(COLOUR, "layer 2, head 1", SWITCH_OFF)


def describe_fall() -> str:
    return "P falls from {:.2f} to {:.2f}".format(*run_without_head().chance)


def remaining_probability() -> str:
    before, after = run_without_head().chance
    return REMAINDERS[0] if after > 0.8 * before else REMAINDERS[1] if after > 0.2 * before else REMAINDERS[2]


one_head_less = guess(
    "one-head-less",
    "A white box was lost 34 words ago. Head 1 of layer 2 attends to “white”, and the model gives “white” a"
    " high probability. You switch that head off. How much of the probability is left?",
    {
        REMAINDERS[0]: lambda: (
            f"{describe_fall()}. Look at the bars: how much weight do the other heads put on “white”?"
        ),
        REMAINDERS[1]: lambda: f"{describe_fall()}. Another head also attends to “white”: look how much.",
        REMAINDERS[2]: lambda: f"{describe_fall()}. Open “Which heads does this prediction need?”.",
    },
    remaining_probability,
    "The model has eight heads. How many of the others would have to attend to “white” to replace this one?",
    covers=("on_cue", "every_head"),
)


def check_other_word(_: None, state: State) -> Verdict:
    run = lm(**state)
    best = run.next_words[int(run.next_probabilities[1].argmax())]
    if state["text"] == COLOUR:
        return Verdict(False, "Not yet: choose another story, one of the suggestions or your own.")
    if run.do == KEEP:
        return Verdict(False, "Not yet: no head is changed. Which head attends to the outlined word?")
    if best == run.due:
        return Verdict(
            False,
            f"Not yet: {quote(run.due)} is still the most probable word. Open “Which heads does this"
            " prediction need?”. Which head matters most?",
        )
    return Verdict(
        True,
        f"Yes: the model now writes {quote(best)} instead of {quote(run.due)}. You changed one of"
        f" {run.on_cue.size} heads.",
    )


EXERCISES = (
    Exercise(
        "another-word",
        "In “Telling stories”, choose any story except the first. Change one head so that the model writes"
        " another word.",
        check_other_word,
        "Which head puts the largest weight on the outlined word? Switch it off or move its weights.",
        experiment="lm",
    ),
)
