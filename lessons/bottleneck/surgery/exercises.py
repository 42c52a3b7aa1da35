"""The guess and the exercises of experiment `surgery`, with computed answers."""

from lessons.bottleneck.sentences import PIECE_OF_CAKE
from lessons.bottleneck.surgery.compute import compute
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.example_sentences import PASSIVE
from lessons.kit.exercises import guess, one_of

MIN_ZEROS = 32
TOPICS = ("the house", "the match", "both")
SOURCES = ("from x, through attention", "from c alone", "from both")  # answers, in the order of TOPICS


def topic_after_transplant() -> str:
    run = compute(PASSIVE, PIECE_OF_CAKE, 1.0, 1.0, 0.0, 1, 0)
    return {run.donor: TOPICS[1], run.original: TOPICS[0]}.get(run.edited, TOPICS[2])


transplanted_topic = guess(
    "whose-words",
    "The encoder reads a sentence about the house, but c comes from a sentence about the match. What is the"
    " translation about?",
    {
        TOPICS[0]: (
            "The encoder read about the house, but the decoder does not know it. Compare the lines “edited”"
            " and"
            " “second”."
        ),
        TOPICS[1]: "The lines “edited” and “second” are the same, because the decoder has only c.",
        TOPICS[2]: (
            "For that the decoder would need a second path to the source. Compare the lines “edited” and"
            " “second”."
        ),
    },
    topic_after_transplant,
    "In “Read, then write”, how many arrows lead from the encoder to the decoder?",
    covers=("side_by_side",),
)


def check_source_of_knowledge(given: str, _: State) -> Verdict:
    """Check the answer by transplanting c in the model."""
    if given == SOURCES[TOPICS.index(topic_after_transplant())]:
        return Verdict(True, "Yes: with another c the decoder writes the other sentence, whatever it read.")
    return Verdict(
        False,
        "In “Surgery”, set “Share of the second sentence’s c” to 1: the encoder still reads the source, but"
        " does it matter?",
    )


def check_unneeded(_: None, state: State) -> Verdict:
    run = compute(**state)
    units = run.c.shape[1]
    if run.zeroed < MIN_ZEROS:
        return Verdict(
            False, f"Not yet: {run.zeroed} of {units} units are zero. Set at least {MIN_ZEROS} to zero."
        )
    if run.blend or run.noise or run.scale != 1:
        return Verdict(
            False,
            "Not yet: set “Share of the second sentence’s c” and “Size of the noise” to 0 and “Scale c by” to"
            " 1. Change only “Units set to 0”.",
        )
    if run.edited != run.original:
        return Verdict(
            False, f"Not yet: {len(run.changed)} words of the output are new. Which sentences need less of c?"
        )
    return Verdict(True, f"Yes: {run.zeroed} of {units} numbers are zero, and no word has changed.")


EXERCISES = (
    Exercise(
        "from-where",
        "Without attention, where does the decoder’s knowledge of the source come from?",
        check_source_of_knowledge,
        "In “Surgery”, set “Share of the second sentence’s c” to 1. What does the decoder write?",
        one_of("It comes", ("from c alone", "from x, through attention", "from both")),
        "surgery",
    ),
    Exercise(
        "unneeded",
        "In “Surgery”, set at least 32 units to zero without changing a word of the output. Change nothing"
        " else.",
        check_unneeded,
        "Set “Share of the second sentence’s c” to 0 first. Which sentences need the least of c?",
        experiment="surgery",
    ),
)
