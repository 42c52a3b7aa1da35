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
        f"Here {len(aligner_shares())} of 8 do: see the dark diagonals. A model that learns to translate"
        " learns this too."
    ),
    "1 or 2": lambda: f"Here {len(aligner_shares())} of 8 do. Point at a map to read in how many steps.",
    "3 or more": lambda: (
        f"{len(aligner_shares())} of 8, the best in {percent(max(aligner_shares()))} of its steps. To write a"
        " word, it helps to look at the word that it translates."
    ),
}


def aligner_count() -> str:
    count = len(aligner_shares())
    return "none" if not count else "1 or 2" if count < 3 else "3 or more"


aligner = guess(
    "aligner",
    "The 8 heads of cross-attention were never shown which word belongs to which. How many attend to the"
    " right word at least half the time?",
    ALIGNER_COUNTS,
    aligner_count,
    "You have to write the next French word. Which English word would you look at? Would eight people do the"
    " same?",
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
        return Verdict(True, f"Yes: with another encoder output, {solution} change and nothing else.")
    return Verdict(
        False, "Not yet. In cross-attention, which side makes the queries and which side is attended to?"
    )


def check_best_aligner(_: None, state: State) -> Verdict:
    run = heads(**state)
    error = run.aer_test[run.layer - 1, run.head - 1]
    if run.kind != "cross":
        return Verdict(False, "Only cross-attention goes from target to source.")
    if error > run.aer_test.min():
        return Verdict(False, f"The AER of this head is {error:.2f}; another head has a lower one.")
    return Verdict(True, f"Yes: its AER is {error:.2f}, although no alignment was used in training.")


EXERCISES = (
    number(
        "maps",
        "How many attention maps does this model compute for one sentence? (kinds × layers × heads)",
        attention_map_count,
        "In “Heads”, count the small maps of one kind of attention.",
        "Every kind of attention has its own map in each layer and head.",
        WHOLE_NUMBER,
        "heads",
    ),
    Exercise(
        "cross",
        "What does cross-attention compute from the encoder’s output?",
        check_encoder_products,
        "The decoder makes the queries; the source is attended to.",
        one_of("From the encoder", ("queries", "queries and keys", "keys and values", "values")),
    ),
    Exercise(
        "best-aligner",
        "In “Heads”, choose the head with the lowest alignment error rate on the test set.",
        check_best_aligner,
        "The closer look in “Heads” shows the error rate of every cross-attention head: lower is better.",
        experiment="heads",
    ),
)
