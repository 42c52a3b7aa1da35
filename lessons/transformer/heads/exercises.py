"""Guess and exercises for experiment `heads`. All answers are computed."""

import torch

from lessons.kit.contract import Exercise, State, Verdict
from lessons.kit.example_sentences import IDIOM
from lessons.kit.exercises import WHOLE_NUMBER, guess, number, one_of
from lessons.kit.pictures.numbers import percent
from lessons.transformer.heads.compute import ALIGNER_HABIT, count_habits, heads
from lessons.transformer.translator import load_transformer, read_text


def aligner_shares() -> list[float]:
    """Fraction of steps in which each aligning cross-attention head attends to the gold word."""
    return [
        habit.share for layer in count_habits()["cross"] for habit in layer if habit.says == ALIGNER_HABIT
    ]


ALIGNER_COUNTS = {
    "none": lambda: (
        f"In this model {len(aligner_shares())} of 8 heads do: see the dark diagonals. A model that learns to"
        " translate also learns this."
    ),
    "1 or 2": lambda: (
        f"In this model {len(aligner_shares())} of 8 heads do. Point at a map to read in how many steps."
    ),
    "3 or more": lambda: (
        f"In this model {len(aligner_shares())} of 8 heads do, the best in {percent(max(aligner_shares()))}"
        " of its steps. To write a word, it helps to look at the word that it translates."
    ),
}


def aligner_count() -> str:
    count = len(aligner_shares())
    return "none" if not count else "1 or 2" if count < 3 else "3 or more"


aligner = guess(
    "aligner",
    "Nobody told the 8 heads of cross-attention which English word belongs to which French word. How many of"
    " them attend to the correct word in at least half of the steps?",
    ALIGNER_COUNTS,
    aligner_count,
    "You have to write the next French word. Which English word would you look at?",
    covers=("maps", "aligners"),
)


def attention_map_count() -> float:
    run = heads(IDIOM, "cross", "1", "1")
    return sum(len(maps) * len(maps[0]) for maps in (run.encoder_self, run.decoder_self, run.cross))


def check_encoder_products(answer: str, state: State) -> Verdict:
    """Change the encoder output and check which of q, k and v change in the first cross-attention."""
    (source, _), transformer = read_text(IDIOM), load_transformer()
    output = transformer.run(source).output
    shifted = {"encoder.norm.out": lambda value, step: value + 1}
    before, after = (transformer.run(source, target=output, edits=edits).values for edits in ({}, shifted))
    paths = {"queries": "q", "keys": "k", "values": "v"}
    changed = [
        name
        for name, letter in paths.items()
        if not torch.equal(before[f"decoder.layer1.cross.{letter}"], after[f"decoder.layer1.cross.{letter}"])
    ]
    solution = " and ".join(changed)
    if answer == solution:
        return Verdict(True, f"Yes: if the encoder output changes, only {solution} change.")
    return Verdict(
        False, "Not yet. Which side makes the queries in cross-attention: the encoder or the decoder?"
    )


def check_best_aligner(_: None, state: State) -> Verdict:
    run = heads(**state)
    error = run.aer_test[run.layer - 1, run.head - 1]
    if run.kind != "cross":
        return Verdict(False, "Not yet: only cross-attention links target words to source words.")
    if error > run.aer_test.min():
        return Verdict(
            False, f"Not yet: the AER of this head is {error:.2f}, and another head has a lower AER."
        )
    return Verdict(True, f"Yes: its AER is {error:.2f}, although training used no alignment.")


EXERCISES = (
    number(
        "maps",
        "How many attention maps does this model compute for one sentence, with all kinds of attention, all"
        " layers and all heads?",
        attention_map_count,
        "In “Heads”, count the small maps of one kind of attention. How many kinds are there?",
        "There are 3 kinds of attention, 2 layers and 4 heads, and each combination has its own map.",
        WHOLE_NUMBER,
        "heads",
    ),
    Exercise(
        "cross",
        "What does cross-attention compute from the output of the encoder?",
        check_encoder_products,
        "The decoder asks the questions. What is left for the encoder?",
        one_of("Computed from the encoder", ("queries", "queries and keys", "keys and values", "values")),
    ),
    Exercise(
        "best-aligner",
        "In “Heads”, choose the head with the lowest alignment error rate on the test set.",
        check_best_aligner,
        "Open “How well does each head align the words?” in “Heads”. Which bar is shortest?",
        experiment="heads",
    ),
)
