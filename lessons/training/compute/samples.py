"""Pairs to try where somebody has brought none: text in two columns, made by the grammar of the course."""

import random
from functools import cache

from models.tasks import TASKS

MANY, FEW = 1500, 40
LENGTHS = range(3, 6)
SAMPLES = ("English–French", "forty of them", "no rule", "with faults")
# as they come from spreadsheets and editors: each of another kind, after so many good lines
FAULTS = (
    (3, "a line without a tab"),
    (5, "\tonly the right side"),
    (8, ""),
    (12, " ".join(["very"] * 40) + " long .\ttrop long ."),
    (15, "=1+1\t=2+2"),
)


@cache
def sample(name: str) -> str:
    """The text of a sample, as somebody could have saved it."""
    task = TASKS["translation"]
    drawn = dict.fromkeys(
        task.pairs("train", MANY, lengths=LENGTHS)
    )  # the course's own sentences come more than once
    pairs = [(task.join(pair.source), task.join(pair.target)) for pair in drawn]
    if name == "forty of them":
        pairs = pairs[:FEW]
    if name == "no rule":
        rights = [right for _, right in pairs]
        random.Random(name).shuffle(rights)
        pairs = [(left, right) for (left, _), right in zip(pairs, rights, strict=True)]
    lines = ["\t".join(pair) for pair in pairs]
    if name == "with faults":
        lines = lines[:FEW] + lines[:FEW:10] + lines[FEW:]  # some twice
        for after, line in reversed(FAULTS):
            lines.insert(after, line)
    return "\n".join(lines) + "\n"
