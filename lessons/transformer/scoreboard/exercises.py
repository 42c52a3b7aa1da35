"""Guess for experiment `scoreboard`. Its answer is computed."""

from lessons.kit.exercises import guess
from lessons.kit.pictures.numbers import percent
from lessons.transformer.scoreboard.compute import Row, scoreboard
from lessons.transformer.scoreboard.views import format_count_range


def rows_compared() -> tuple[list[Row], list[Row]]:
    """Rows of the Transformer and of recurrent models with attention (excluding fixed, uniform weights)."""
    rows = scoreboard("lesson").rows
    return [row for row in rows if row.lesson == "transformer"], [row for row in rows if row.attends]


def exact_match_beyond() -> tuple[list[float], list[float]]:
    """Exact match of every seed of both sides, on the first group of lengths beyond training."""
    group = scoreboard("lesson").beyond
    transformers, recurrent = (
        [figure for row in rows for figure in row.at_length(group)] for rows in rows_compared()
    )
    return transformers, recurrent


def better_beyond() -> str | None:
    """The better side, if all of its seeds are better than all of the other's; else None."""
    transformers, recurrent = exact_match_beyond()
    transformer_wins, recurrent_wins, neither = OPTIONS
    if max(*transformers, *recurrent) < 0.05:
        return neither
    if min(transformers) > max(recurrent):
        return transformer_wins
    return recurrent_wins if max(transformers) < min(recurrent) else None


def describe_figures() -> str:
    transformers, recurrent = (
        f"{percent(min(seeds))} to {percent(max(seeds))}" for seeds in exact_match_beyond()
    )
    return (
        f"the seeds of the Transformer get {transformers} right, and those of recurrent models with attention"
        f" {recurrent}"
    )


def describe_budgets() -> str:
    """Describe the steps and parameters of both sides, because the comparison is not fair."""
    return ". ".join(
        f"{name} {format_count_range([row.parameters for row in rows])} parameters and"
        f" {format_count_range([row.steps for row in rows])} training steps"
        for name, rows in zip(("The Transformer has", "The others have"), rows_compared(), strict=True)
    )


OPTIONS = {
    "the Transformer": lambda: (
        f"It is good up to the dashed line. Beyond this line, {describe_figures()}. The Transformer never saw"
        " such positions in training."
    ),
    "recurrent models with attention": lambda: (
        f"Beyond the dashed line, {describe_figures()}. A recurrent step is the same at every position."
        f" The models are not equal. {describe_budgets()}."
    ),
    "neither; both fail": lambda: f"Look to the right of the dashed line: {describe_figures()}.",
}

beyond = guess(
    "beyond",
    "Which models of “Small world” are better at sentences that are a little longer than any in training?",
    OPTIONS,
    better_beyond,
    "How does each model know that a word is at position 21, if no sentence in training was that long?",
    covers=("results",),
)
