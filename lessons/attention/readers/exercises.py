"""The guess and the exercise of experiment `readers`, with computed answers."""

from lessons.attention.readers.compute import compute
from lessons.attention.translators import ENCODERS
from lessons.kit.example_sentences import REORDERING
from lessons.kit.exercises import WHOLE_NUMBER, guess, number
from lessons.kit.language import translate

POSITIONS = ("on “the”", "on “agreement”", "on the full stop")


def first_link() -> tuple[str, float]:
    """The source word with the largest weight at step 1 of the unidirectional model, and this weight."""
    run = compute(REORDERING, 7, "")
    weights = run.both[0].weights[0]
    return run.source[int(weights.argmax())], float(weights.max())


waits = guess(
    "waits",
    "“the agreement” becomes “l’ accord”. With a unidirectional encoder, where is the largest weight when the"
    " decoder writes “l’” (not “le”, not “la”)?",
    {
        POSITIONS[0]: (
            "h₁ has read “the” and nothing else. It cannot contain which noun follows, and the French article"
            " depends on the noun."
        ),
        POSITIONS[1]: lambda: translate(
            "“{word}” gets {weight:.2f}: h₂ is the first state that has read both words. See the left map.",
            word=first_link()[0],
            weight=first_link()[1],
        ),
        POSITIONS[2]: (
            "The last state has read the whole sentence, but an earlier state already knows enough to"
            " choose the article."
        ),
    },
    lambda: {"the": POSITIONS[0], "agreement": POSITIONS[1], ".": POSITIONS[2]}.get(first_link()[0]),
    "What must you know to choose between le, la and l’, and which state is the first to contain it?",
    covers=("one_way_map", "late"),
)


def changed_numbers() -> float:
    """Count the numbers in the bidirectional states that change if word 9 of 13 changes."""
    run = compute(REORDERING, 9, "")
    forward, backward = (run.both[1].halves > 0).sum(1)
    m = ENCODERS["bidirectional"].model.config.width
    return float((forward + backward) * m // 2)


EXERCISES = (
    number(
        "both-sides",
        "A bidirectional encoder of 64 units, half of them for each direction, reads 13 words. You change"
        " word 9. How many of its 13 · 64 numbers can change?",
        changed_numbers,
        "The forward half knows word 9 from position 9 on, the backward half up to position 9. Each half has"
        " 32 units.",
        "The forward half changes at 5 positions and the backward half at 9, with 32 numbers each.",
        WHOLE_NUMBER,
        "readers",
    ),
)
