"""The guess and the exercises of experiment `edit`, with computed answers."""

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess
from lessons.recurrence.edit.compute import FLIP, compute
from lessons.recurrence.sentences import GIRL_SENTENCE, STEP_AFTER_NAME


def flip_unit() -> tuple[str, str, float]:
    """The most probable final word in the original and in the edited run, and the latter's probability."""
    run = compute(GIRL_SENTENCE, "GRU", 1, FLIP, 0.0, STEP_AFTER_NAME, False)
    original, edited = (likely[-1] for likely in run.likely)
    return original, edited, float(run.probabilities[1].max())


def effect_of_flip() -> str:
    original, edited, _ = flip_unit()
    return "it stays" if original == edited else f"“{original}” becomes “{edited}”"


flipping = guess(
    "flipping",
    "From the word after “mira” on, the sign of one of 128 units is flipped. What happens to the word that"
    " the model expects at the end?",
    {
        "it stays": lambda: (
            f"At “{GIRL_SENTENCE.split()[STEP_AFTER_NAME - 2]}” the other 127 units were unchanged, but the"
            " last word of “edited” is a different word: flipping this one unit was enough."
        ),
        "“she” becomes “he”": lambda: (
            f"In the bars “{flip_unit()[1]}” now has a probability of {flip_unit()[2]:.2f}: changing one"
            " number per step was enough."
        ),
        "“she” becomes “the”": ("The bars show that the model still expects a person, but a different one."),
    },
    effect_of_flip,
    "This unit follows best whether “she” or “he” is meant. What would its opposite sign mean?",
    covers=("expected", "next_words"),
)


def check_pronoun(_: None, state: State) -> Verdict:
    original, edited = (likely[-1] for likely in compute(**state).likely)
    if original != "he":
        return Verdict(
            False,
            f"In the original run the model expects “{original}” at the end of your text. Use a story about a"
            " boy.",
        )
    if edited == "she":
        return Verdict(True, "Yes: “he” became “she”, and you changed one number per step.")
    return Verdict(
        False,
        f"The model still expects “{edited}”. Units are ranked by how well they follow she/he: which rank did"
        " you choose?",
    )


EXERCISES = (
    Exercise(
        "pronoun",
        "In “What if?”, find a text after which the model expects “he” and turn it into “she” by changing a"
        " single unit.",
        check_pronoun,
        "The first unit in the ranking follows she/he best. Change it at the name, or later.",
        experiment="edit",
    ),
)
