"""The guess and the exercise of experiment `align`, with computed answers."""

from lessons.attention.align.compute import compute
from lessons.kit.example_sentences import MANY_TO_ONE, REORDERING
from lessons.kit.exercises import guess, number
from lessons.kit.references import known_pairs
from models.metrics import aer, oracle_links

SHAPES = ("a line down to the right", "a line down to the left", "no line, because the weight is spread out")
REORDERED_WORDS = ("zone", "économique", "européenne")


def shape_of_rows() -> str:
    run = compute(REORDERING, "additive")
    rows = [run.weights[run.target.index(word)] for word in REORDERED_WORDS]
    if min(row.max() for row in rows) < 0.5:
        return SHAPES[2]
    first, *_, last = (row.argmax() for row in rows)
    return SHAPES[0] if last > first else SHAPES[1]


shape = guess(
    "shape",
    "The map has one row per French word. A cell is dark where the weight is large. What do the dark cells of"
    " “zone économique européenne” form?",
    {
        SHAPES[0]: (
            "Most rows go down to the right, because most words keep their order. These three words reverse"
            " theirs, as the dashed cells show."
        ),
        SHAPES[1]: (
            "The French order is “area economic european”: the largest weight of each word is one place"
            " further left than that of the word before."
        ),
        SHAPES[2]: (
            "Each of the three words translates one English word and gives it most of its weight: one dark"
            " cell per row."
        ),
    },
    shape_of_rows,
    "Read both sentences. Which English word would you look at to write the first of the three, and which for"
    " the last?",
    covers=("alignment", "on_gold"),
)


def aer_of_single_links() -> float:
    pair = known_pairs()[tuple(MANY_TO_ONE.split())]
    return aer([oracle_links(pair)], [pair.alignment])


EXERCISES = (
    number(
        "aer",
        f"“{MANY_TO_ONE}” and its translation have 8 gold links. A model links each of the 5 French words"
        " once, and all 5 links are gold. What is its AER? (two decimals)",
        aer_of_single_links,
        "AER = 1 − 2 · (links in both) / (model’s links + gold links).",
        "Every link of the model is right, but the AER is not 0, because three gold links are missing.",
        experiment="align",
    ),
)
