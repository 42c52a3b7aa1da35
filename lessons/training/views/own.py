"""What was read of a learner's own pairs; and their training, as it goes."""

from lessons.kit.pictures.numbers import plural
from lessons.kit.pictures.table import Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.training.compute.own import Own
from lessons.training.compute.reader import Report, Side
from lessons.training.views import live


def told(run: Own) -> Report:
    assert run.report
    return run.report


def report(run: Own) -> Table:
    """What was read, and what was not."""
    said = told(run)
    rows = [
        ("pairs", f"{said.pairs:,}", f"of {plural(said.lines, 'line')}, parted by a {said.separator}"),
        ("held back", f"{said.held:,}", "to measure on; never trained on"),
        (f"{said.unit}, left", f"{said.left.known:,}", lengths(said.left)),
        (f"{said.unit}, right", f"{said.right.known:,}", lengths(said.right)),
    ]
    if said.torn:
        rows.append(("one left, several right", f"{said.torn:,}", "they cannot all be right"))
    rows += [
        (f"skipped: {each.why}", f"{each.lines:,}", f"line {each.line:,}{' first' * (each.lines > 1)}")
        for each in said.skipped
    ]
    title = "What was read of your pairs" if run.brought else "What was read of the sample"
    return Table(("read", "number", ""), tuple(rows), wide=480, tall=164, title=title)


def lengths(side: Side) -> str:
    if side.shortest == side.longest:
        return f"different; {side.longest} in every line"
    return f"different; {side.shortest} to {side.longest} in a line, in half of them up to {side.middle}"


def tries(run: Own) -> Tokens:
    """Before it is trained, what it will learn from; then what it makes of new ones."""
    if run.run:
        return live.tries(run)
    lines = tuple(
        TokenLine(str(n), (left, "→", right)) for n, (left, right) in enumerate(told(run).first[:4], start=1)
    )
    return Tokens(lines, key="word", wide=560, tall=90, title="The first rows, as they came")


def reading(run: Own) -> str:
    if run.run:
        return live.reading(run)
    said = told(run)
    skipped = sum(each.lines for each in said.skipped)
    left = f", {plural(skipped, 'line')} skipped" if skipped else ", no line was skipped"
    return (
        f"**{said.pairs:,}** pairs were read{left}. Fresh weights, **{run.parameters:,}** of them, have a"
        f" loss of about **{run.first_loss:.2f}**. Press “train”."
    )


def skipped(run: Own) -> Table:
    """What to do about each kind of line that could not be used."""
    rows = tuple((each.why, f"{each.lines:,}", f"{each.line:,}", each.do) for each in told(run).skipped)
    return Table(
        ("skipped", "lines", "first", "what to do"),
        rows or (("nothing", "0", "–", "–"),),
        wide=700,
        title="What was skipped",
    )


def first(run: Own) -> Table:
    rows = tuple((str(n), left, right) for n, (left, right) in enumerate(told(run).first, start=1))
    return Table(("pair", "left", "right"), rows, wide=700, title="The first rows, as they came")
