"""The guess and the exercise of experiment `sizes`, with computed answers."""

from lessons.kit.exercises import guess, number
from lessons.scores.score_functions import SCORE_NAMES
from lessons.scores.sizes.compute import compute

OPTIONS = ("all five scores", "the three scores with matrices", "only the additive score", "none")
SMALL = (4, 3, 2)  # small d₁, d₂, d₃
TRY_IT = f"Set d₁ to {SMALL[0]} and d₂ to {SMALL[1]} and see."


def defined_scores() -> str:
    counts = dict(zip(SCORE_NAMES, compute(*SMALL).parameters, strict=True))
    defined = tuple(name for name, count in counts.items() if count is not None)
    with_matrices = ("bilinear", "scaled bilinear", "additive")
    return dict(zip((SCORE_NAMES, with_matrices, ("additive",), ()), OPTIONS, strict=True))[defined]


which_survive = guess(
    "which-survive",
    f"Each key has {SMALL[0]} numbers, the query has {SMALL[1]}. Which scores can still be computed?",
    {
        OPTIONS[0]: (
            "Dot and scaled dot multiply the numbers of s and h in pairs, and the last number of the key has"
            f" no partner. {TRY_IT}"
        ),
        OPTIONS[1]: (
            "W maps a key to the size of the query, and W₁ and W₂ map both to d₃. Dot has no matrix."
            f" {TRY_IT}"
        ),
        OPTIONS[2]: (
            "The additive score maps both vectors to size d₃. But the bilinear scores work too: W can have"
            f" {SMALL[1]} rows and {SMALL[0]} columns, because a matrix need not be square. {TRY_IT}"
        ),
        OPTIONS[3]: (
            f"A matrix need not be square: the rows of W fit the query, and the columns fit the key. {TRY_IT}"
        ),
    },
    defined_scores,
    "In which formulas does a matrix stand between s and h, and must that matrix be square?",
)


def additive_parameters() -> float:
    return compute(128, 64, 32).parameters[SCORE_NAMES.index("additive")] or 0


EXERCISES = (
    number(
        "count",
        "Keys have size d₁ = 128, the query has size d₂ = 64, and d₃ = 32: how many parameters does the"
        " additive score have?",
        additive_parameters,
        "W₁ is d₃ × d₁, W₂ is d₃ × d₂, and vₐ has d₃ numbers.",
        "The number is d₃ · (d₁ + d₂ + 1). It does not depend on the length of the sentence.",
    ),
)
