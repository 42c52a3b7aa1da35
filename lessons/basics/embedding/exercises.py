"""The guess and the exercises of experiment `embedding`, with computed answers."""

import numpy as np

from lessons.basics.embedding.compute import cosines, nearest, table
from lessons.basics.embedding.compute import embedding as embed
from lessons.kit.checkpoints import STORIES
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number
from lessons.kit.pictures.numbers import percent, signed

COLOUR = "red"


def cosine_with(word: str) -> float:
    here, there = STORIES.vocabulary.ids((COLOUR, word))
    return float(cosines(table()[here], table()[[there]])[0])


def nearest_words() -> str:
    ids = nearest(table()[STORIES.vocabulary.index[COLOUR]], STORIES.vocabulary.index[COLOUR])[:3]
    return ", ".join(STORIES.vocabulary.tokens(ids))


near_red = guess(
    "near-red",
    "The model has read stories to predict the next word. Which word’s row is nearest to the row of"
    f" “{COLOUR}”?",
    {
        "blue": lambda: (
            f"“blue” and “{COLOUR}” stand in the same places of a sentence, so similar rows serve both: their"
            f" cosine is {signed(cosine_with('blue'))}."
        ),
        "ring": lambda: (
            f"“ring” often follows “{COLOUR}”, but it does not stand in its place. Their cosine is"
            f" {signed(cosine_with('ring'))}. The nearest rows are {nearest_words()}."
        ),
        "read": lambda: (
            "The model sees word numbers and no letters, so a similar spelling does not count: the cosine"
            f" with “read” is {signed(cosine_with('read'))}. The nearest rows are {nearest_words()}."
        ),
    },
    lambda: max(("blue", "ring", "read"), key=cosine_with),
    "In which sentences could you replace the word without making the sentence strange?",
    covers=("neighbours", "plane"),
)


def parameters() -> float:
    return float(table().size)


def by_hand() -> float:
    return float(cosines(np.array([3.0, 4.0]), np.array([[4.0, 3.0]]))[0])


def change_the_nearest(_: None, state: State) -> Verdict:
    """Check that the row moved less than half of the way and that its nearest word changed."""
    run = embed(**state)
    if not 0 < run.share < 0.5:
        return Verdict(False, "Move the row, but less than half of the way.")
    if run.neighbours[0] == run.original_neighbour:
        return Verdict(
            False,
            f"The nearest word is still “{run.neighbours[0]}”. Move on, or choose another word to move"
            " towards.",
        )
    return Verdict(
        True,
        f"Yes: at {percent(run.share)} of the way “{run.neighbours[0]}” is nearest, no longer"
        f" “{run.original_neighbour}”.",
    )


EXERCISES = (
    number(
        "cosine",
        "Two rows are (3, 4) and (4, 3). What is their cosine? (two decimals)",
        by_hand,
        "The dot product is 3 · 4 + 4 · 3. Both rows have length 5.",
        "24 divided by 5 · 5.",
    ),
    number(
        "table-size",
        "How many parameters does the embedding table of our story model have?",
        parameters,
        "The table has one row per word. Both sizes stand in the reading.",
        lambda: f"{table().shape[0]} rows of {table().shape[1]} numbers.",
        within=0.5,
    ),
    Exercise(
        "change-the-nearest",
        "In “Embedding”, change the nearest word by moving the row less than half of the way.",
        change_the_nearest,
        "Which word is far from “red”? A row with large numbers pulls more.",
        experiment="embedding",
    ),
)
