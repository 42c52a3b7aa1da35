"""What was read from a learner's pairs, and the training run on them."""

from lessons.kit.pictures.numbers import plural
from lessons.kit.pictures.table import Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.training import run_views
from lessons.training.own.compute import OwnPairsResult
from lessons.training.pair_file import Report, Side


def text_report(run: OwnPairsResult) -> Report:
    assert run.report
    return run.report


def report(run: OwnPairsResult) -> Table:
    """Table of how many pairs were read and how many lines were skipped."""
    text = text_report(run)
    rows = [
        ("pairs", f"{text.pairs:,}", f"of {plural(text.lines, 'line')}, separated by a {text.separator}"),
        ("held out", f"{text.held:,}", "to measure on; never trained on"),
        (f"{text.unit}, left", f"{text.left.known:,}", describe_lengths(text.left)),
        (f"{text.unit}, right", f"{text.right.known:,}", describe_lengths(text.right)),
    ]
    if text.torn:
        rows.append(("one left, several right", f"{text.torn:,}", "they cannot all be right"))
    rows += [
        (f"skipped: {each.why}", f"{each.lines:,}", f"line {each.line:,}{' first' * (each.lines > 1)}")
        for each in text.skipped
    ]
    title = "What was read of your pairs" if run.brought else "What was read of the sample"
    return Table(("read", "number", ""), tuple(rows), wide=480, tall=164, title=title)


def describe_lengths(side: Side) -> str:
    if side.shortest == side.longest:
        return f"different; {side.longest} per line"
    return f"different; {side.shortest} to {side.longest} per line, median {side.middle}"


def tries(run: OwnPairsResult) -> Tokens:
    """Before training, the first pairs of the text; afterwards, outputs for unseen sources."""
    if run.run:
        return run_views.tries(run)
    lines = tuple(
        TokenLine(str(n), (left, "→", right))
        for n, (left, right) in enumerate(text_report(run).first[:4], start=1)
    )
    return Tokens(lines, key="word", wide=560, tall=90, title="The first rows of the text")


def reading(run: OwnPairsResult) -> str:
    if run.run:
        return run_views.reading(run)
    text = text_report(run)
    skipped = sum(each.lines for each in text.skipped)
    rest = plural(skipped, "line") if skipped else "no line"
    return (
        f"We read **{text.pairs:,}** pairs and skipped {rest}. The model has **{run.parameters:,}** untrained"
        f" weights and a loss of about **{run.first_loss:.2f}** nats. Press “train”."
    )


def skipped(run: OwnPairsResult) -> Table:
    """Table of what to do about each kind of skipped line."""
    rows = tuple(
        (each.why, f"{each.lines:,}", f"{each.line:,}", each.do) for each in text_report(run).skipped
    )
    headings = ("skipped", "lines", "first", "what to do")
    return Table(headings, rows or (("nothing", "0", "–", "–"),), wide=700, title="What was skipped")


def first(run: OwnPairsResult) -> Table:
    rows = tuple((str(n), left, right) for n, (left, right) in enumerate(text_report(run).first, start=1))
    return Table(("pair", "left", "right"), rows, wide=700, title="The first rows of the text")
