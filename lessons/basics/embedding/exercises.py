"""The guess and the exercises of experiment `embedding`, with computed answers."""

import numpy as np

from lessons.basics.embedding.compute import cosines, nearest, table
from lessons.basics.embedding.compute import embedding as embed
from lessons.kit.checkpoints import STORIES
from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.exercises import guess, number
from lessons.kit.pictures.numbers import percent, signed
from lessons.kit.pictures.phrases import join_with_and

COLOUR = "red"


def cosine_with(word: str) -> float:
    here, there = STORIES.vocabulary.ids((COLOUR, word))
    return float(cosines(table()[here], table()[[there]])[0])


def nearest_words() -> str:
    ids = nearest(table()[STORIES.vocabulary.index[COLOUR]], STORIES.vocabulary.index[COLOUR])[:3]
    return join_with_and(STORIES.vocabulary.tokens(ids))


near_red = guess(
    "near-red",
    "The model has learned to predict the next word of stories. Which word has the row that is nearest to the"
    f" row of “{COLOUR}”?",
    {
        "blue": lambda: (
            f"“blue” and “{COLOUR}” can stand in the same place of a sentence, so similar rows are useful."
            f" Their cosine is {signed(cosine_with('blue'))}."
        ),
        "ring": lambda: (
            f"“ring” often follows “{COLOUR}”, but it cannot replace “{COLOUR}”. Their cosine is"
            f" {signed(cosine_with('ring'))}. The nearest words are {nearest_words()}."
        ),
        "read": lambda: (
            "The model sees the numbers of words, not their letters, so a similar spelling does not matter."
            " The"
            f" cosine with “read” is {signed(cosine_with('read'))}. The nearest words are {nearest_words()}."
        ),
    },
    lambda: max(("blue", "ring", "read"), key=cosine_with),
    "Which of these words could replace “red” in a sentence?",
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
        return Verdict(False, "Not yet: move the row by less than half of the distance.")
    if run.neighbours[0] == run.original_neighbour:
        return Verdict(
            False,
            f"Not yet: the nearest word is still “{run.neighbours[0]}”. Move the row further, or towards"
            " another word.",
        )
    return Verdict(
        True,
        f"Yes: after {percent(run.share)} of the distance the nearest word is “{run.neighbours[0]}” instead"
        f" of"
        f" “{run.original_neighbour}”.",
    )


EXERCISES = (
    number(
        "cosine",
        "Two rows are (3, 4) and (4, 3). What is their cosine? Give two decimals.",
        by_hand,
        "The dot product is 3 · 4 + 4 · 3. Both rows have length 5.",
        "The cosine is 24 divided by 5 · 5.",
    ),
    number(
        "table-size",
        "How many parameters does the embedding table of our story model have?",
        parameters,
        "The table has one row per word. The text below the pictures in “Embedding” gives both sizes.",
        lambda: f"The table has {table().shape[0]} rows of {table().shape[1]} numbers.",
        within=0.5,
    ),
    Exercise(
        "change-the-nearest",
        "In “Embedding”, change the nearest word by moving the row less than half of the distance.",
        change_the_nearest,
        "A target with large numbers moves the row further. Which words could have large numbers?",
        experiment="embedding",
    ),
)
