"""Sample texts of pairs for learners without a file, made by the grammar of the course."""

import random
from functools import cache

from models.tasks import TASKS

PAIRS, FEW_PAIRS = 1500, 40
LENGTHS = range(3, 6)
SAMPLES = ("English–French", "forty of them", "no rule", "with faults")
# faulty lines as spreadsheets and editors make them, each after so many good lines
FAULTS = (
    (3, "a line without a tab"),
    (5, "\tonly the right side"),
    (8, ""),
    (12, " ".join(["very"] * 40) + " long .\ttrop long ."),
    (15, "=1+1\t=2+2"),
)


@cache
def sample_text(name: str) -> str:
    """The text of a sample, as a learner could have saved it."""
    task = TASKS["translation"]
    different = dict.fromkeys(task.pairs("train", PAIRS, lengths=LENGTHS))
    pairs = [(task.join(pair.source), task.join(pair.target)) for pair in different]
    if name == "forty of them":
        pairs = pairs[:FEW_PAIRS]
    if name == "no rule":
        rights = [right for _, right in pairs]
        random.Random(name).shuffle(rights)
        pairs = [(left, right) for (left, _), right in zip(pairs, rights, strict=True)]
    lines = ["\t".join(pair) for pair in pairs]
    if name == "with faults":
        lines = lines[:FEW_PAIRS] + lines[:FEW_PAIRS:10] + lines[FEW_PAIRS:]  # some lines twice
        for after, line in reversed(FAULTS):
            lines.insert(after, line)
    return "\n".join(lines) + "\n"
