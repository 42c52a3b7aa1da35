"""Read a lecturer's plan (plan.md): minutes per experiment in lectures of 50 and 90 minutes, and notes.

## steer: 10 | 15
Tempting: it stays the same, since only one step was moved.
Next: drag the bar, read both lines.
Careful: the bars are small on a phone.
"""

import re
from dataclasses import dataclass
from pathlib import Path

STEP_HEADING = re.compile(r"## ([a-z0-9_-]+): (\d+) \| (\d+)")
PARTS = ("Tempting", "Next", "Careful")


@dataclass(frozen=True)
class PlanStep:
    slug: str  # the experiment
    minutes_of_50: int
    minutes_of_90: int
    parts: dict[str, str]


def read_plan(path: Path) -> list[PlanStep]:
    """Read the steps of a plan; an empty list if the lesson has no plan."""
    steps: list[PlanStep] = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        if head := STEP_HEADING.fullmatch(line):
            steps.append(PlanStep(head[1], int(head[2]), int(head[3]), {}))
        elif line.strip():
            name, _, words = line.partition(": ")
            if not steps or name not in PARTS or not words:
                raise ValueError(
                    f"{path}: “{line[:40]}” should be “## experiment: 10 | 15”, or begin with"
                    f" {', '.join(PARTS)}."
                )
            steps[-1].parts[name] = words[0].upper() + words[1:]
    return steps
