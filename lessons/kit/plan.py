"""A lecturer's plan of a lesson, in plan.md beside it: for each experiment its minutes of 50 and of 90, and what to say.

## steer: 10 | 15
Tempting: it stays the same, since only one step was moved.
Next: drag the bar, read both lines.
Careful: the bars are small on a phone.
"""

import re
from dataclasses import dataclass
from pathlib import Path

HEAD = re.compile(r"## ([a-z0-9-]+): (\d+) \| (\d+)")
PARTS = ("Tempting", "Next", "Careful")


@dataclass(frozen=True)
class Step:
    slug: str  # of the experiment
    short: int  # minutes of 50
    long: int  # minutes of 90
    parts: dict[str, str]


def read_plan(path: Path) -> list[Step]:
    """None where a lesson has no plan yet."""
    steps: list[Step] = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        if head := HEAD.fullmatch(line):
            steps.append(Step(head[1], int(head[2]), int(head[3]), {}))
        elif line.strip():
            name, _, words = line.partition(": ")
            if not steps or name not in PARTS or not words:
                raise ValueError(
                    f"{path}: “{line[:40]}” should be “## experiment: 10 | 15”, or begin with"
                    f" {', '.join(PARTS)}."
                )
            steps[-1].parts[name] = words[0].upper() + words[1:]
    return steps
