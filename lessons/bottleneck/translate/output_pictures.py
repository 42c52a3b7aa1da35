"""Pictures of an output: its words, the tree that its brackets mean, or what its program does."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from lessons.bottleneck.pictures import WIDTH_PX
from lessons.bottleneck.translate.phrase_trees import PhraseTrees
from lessons.kit.checkpoints import Words
from lessons.kit.pictures.table import Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from models.tasks.code import START, Executed, run_program

Lines = tuple[TokenLine, ...]
TABLE_PX, PROGRAM_PX = 320, 160  # width of the table: in all, and for each program
MAX_VALUES = 4  # values shown per variable and line of a program


def draw_words(lines: Lines, current: int | None, title: str) -> Tokens:
    return Tokens(lines, current=current, wide=WIDTH_PX, tall=40 * len(lines), title=title)


def draw_phrases(lines: Lines, current: int | None, title: str) -> PhraseTrees:
    return PhraseTrees(lines, current=current, wide=WIDTH_PX, title=title)


# ---- programs ----


def draw_program(lines: Lines, current: int | None, title: str) -> Table:
    """The programs side by side, each line with what it does when it runs. `current` is not marked."""
    start = ", ".join(f"{name} = {value}" for name, value in START.items())
    programs = [[*describe_program(line.words)] for line in lines]
    headings = [
        heading
        for line in lines
        for heading in (f"{line.label} {line.mark}".strip(), f"effect ({line.label})")
    ]
    rows = [
        (str(n), *(cell for text_and_effect in row for cell in text_and_effect))
        for n, row in enumerate(zip_longest(*programs, fillvalue=("", "")), 1)
    ]
    title = f"{title}, run with {start}"
    wide = TABLE_PX + PROGRAM_PX * len(lines)
    return Table(("line", *headings), tuple(rows), wide=wide, fill=True, title=title)


def does_the_same(one: Words, other: Words) -> bool:
    """Whether two programs print the same and end with the same values, run with START."""
    ends = []
    for tokens in (one, other):
        execution = run_program(tokens)
        printed = [step.printed for step in execution.steps if step.printed]
        ends.append(
            (printed, dict(execution.steps[-1].values) if execution.steps else START, execution.fault)
        )
    return ends[0] == ends[1]


def describe_program(tokens: Words) -> Iterator[tuple[str, str]]:
    """Each line with its effect, and the fault that stops the program, if there is one."""
    execution = run_program(tokens)
    runs: dict[int, list[tuple[Mapping[str, int], Executed]]] = {}
    before: Mapping[str, int] = START
    for step in execution.steps:
        runs.setdefault(step.line, []).append((before, step))
        before = step.values
    for number, text in enumerate(execution.lines, 1):
        yield text.replace(" ", "\u00a0"), describe_line(runs.get(number, ()))
    if execution.fault:
        yield "", execution.fault


def describe_line(runs: Sequence[tuple[Mapping[str, int], Executed]]) -> str:
    """What a line did each time it was run."""
    if not runs:
        return "is not run"
    if notes := [step.note for _, step in runs if step.note]:
        return notes[0]
    if printed := [step.printed for _, step in runs if step.printed]:
        return f"prints {', '.join(elide(printed))}"
    changes = []
    for name in START:
        values = [runs[0][0][name], *(step.values[name] for _, step in runs)]
        if len(set(values)) > 1:
            changes.append(f"{name}: {' → '.join(elide([str(value) for value in values]))}")
    return ", ".join(changes) or "changes nothing"


def elide(texts: Sequence[str]) -> list[str]:
    """Keep at most MAX_VALUES of the texts, including the last one."""
    return [*texts] if len(texts) <= MAX_VALUES else [*texts[: MAX_VALUES - 1], "…", texts[-1]]
