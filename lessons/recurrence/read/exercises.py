"""The guess of experiment `read`, with a computed answer."""

import numpy as np

from lessons.kit.exercises import guess
from lessons.recurrence.read.compute import compute
from lessons.recurrence.sentences import BOY_STORY

STAYS = "it stays on one side of zero"
FADES = "it fades within a few words"
SWITCHES = "it changes with every word"


def values_after_name() -> np.ndarray:
    """The values of the GRU's best she/he unit, starting at the name."""
    run = compute(BOY_STORY, "GRU", "1", "she/he", 1, 1)
    return run.h[0, run.words.index("leo") :, run.units[0] - 1]


def behaviour_after_name() -> str:
    h = values_after_name()
    if (np.sign(h) != np.sign(h[0])).sum() > len(h) / 3:
        return SWITCHES
    return STAYS if abs(h[-1]) > np.abs(h).max() / 2 else FADES


unit_after_name = guess(
    "next-word",
    "One of 128 units follows best whether “she” or “he” is meant. What does its value do from “leo” to the"
    " end of the text?",
    {
        STAYS: lambda: (
            "The unit stands for “she” until a name says otherwise, and changes its sign at “leo”. After that"
            f" its value is at least {np.abs(values_after_name()).min():.2f} from zero."
        ),
        FADES: lambda: (
            f"At the last word the unit is still {abs(values_after_name()[-1]):.2f} from zero: a gate can"
            " keep a number."
        ),
        SWITCHES: (
            "Other units do so. This unit stands for something that the words in between do not change."
        ),
    },
    behaviour_after_name,
    "When will the model need to know whom the story is about, and what must it keep until then?",
    covers=("text_coloured", "next_words"),
)
