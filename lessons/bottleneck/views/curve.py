"""The bottleneck itself, measured."""

import numpy as np

from lessons.bottleneck.compute.common import MEASURES
from lessons.bottleneck.compute.measured import KINDS, Curve
from lessons.bottleneck.views.parts import WIDE, compared, learned_at, line_of, reference, since, too_long
from lessons.kit.checkpoints import CONTEXT_DIMS
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import percent, seeds
from lessons.kit.pictures.table import Bar, Cell, Table
from lessons.kit.pictures.tokens import TokenLine, Tokens

HALF = WIDE // 2


def curves(run: Curve) -> Curves:
    """The chosen size bold, the other sizes dashed, attention, and what is fresh."""
    lines = [
        Line(named(run, code), run.lengths, run.one_vector[code].mean, "context", dashed=True)
        for code in CONTEXT_DIMS
        if code != run.code
    ]
    lines.append(
        line_of(
            f"{named(run, run.code)}, chosen", run.lengths, run.one_vector[run.code], "context", points=True
        )
    )
    lines.append(line_of(named(run, KINDS[1]), run.lengths, run.attention, "weight", points=True))
    if run.fresh is not None:
        table = getattr(run.fresh, MEASURES[run.measure])
        lines += [
            Line(f"{name}, now", run.lengths, line, "target", dashed=True, points=True)
            for name, line in zip((f"k = {run.code}", KINDS[1]), table, strict=True)
        ]
    return Curves(
        tuple(lines),
        x_title="source words",
        y_title=run.measure,
        x_range=(3, 40),
        y_range=(0, 1),
        shaded=((run.trained[1] + 0.5, 40, "longer than trained"),),
        wide=HALF,
        tall=300,
        title=f"By length, after {run.had[run.code]:,} steps ({seeds(trainings(run))})",
    )


def named(run: Curve, name: str) -> str:
    """A size or attention; with its steps, if they are others than those of the size that was chosen."""
    words = f"k = {name}" if name in CONTEXT_DIMS else name
    return words if run.had[name] == run.had[run.code] else f"{words}, {run.had[name]:,}"


def trainings(run: Curve) -> int:
    """Of the size that was chosen, after the steps that were chosen."""
    return int(run.one_vector[run.code].seeds.max())


def budgets(run: Curve) -> Curves:
    """The same models against the steps they were trained for."""
    x = run.budgets
    lines = [
        Line(f"k = {code}", x, run.by_steps[code].mean, "context", dashed=True)
        for code in CONTEXT_DIMS
        if code != run.code
    ]
    lines.append(line_of(f"k = {run.code}, chosen", x, run.by_steps[run.code], "context", points=True))
    lines.append(line_of("attention", x, run.attention_by_steps, "weight", points=True))
    return Curves(
        tuple(lines),
        x_title="training steps",
        y_title=run.measure,
        x_range=(float(x[0]), float(x[-1])),
        y_range=(0, 1),
        log_x=True,
        current=run.had[run.code],
        wide=HALF,
        tall=300,
        title=f"By training, natural lengths ({by_budget(run)})",
    )


def by_budget(run: Curve) -> str:
    """How many seeds the chosen size has, and from which budget on there are fewer: the longest trainings are the fewest."""
    counts = {
        int(steps): int(count)
        for steps, count in zip(run.budgets, run.by_steps[run.code].seeds, strict=True)
        if count
    }
    most = max(counts.values())
    fewer = [steps for steps, count in counts.items() if count < most]
    return f"{seeds(most)}, {counts[fewer[0]]} from {fewer[0]:,} on" if fewer else seeds(most)


def reading(run: Curve) -> str:
    band, had, attention = run.one_vector[run.code], run.had[run.code], KINDS[1]
    shortest, longest = ("{}–{} words".format(*run.buckets[n]) for n in (0, run.last))
    said = (
        f"After **{had:,}** steps ({seeds(trainings(run))}) a context vector of size **{run.code}** gets"
        f" **{band.mean[0]:.2f}** "
    )
    said += f"({run.measure}) on {shortest} and **{band.mean[run.last]:.2f}** on {longest}. Attention"
    said += f" after {run.had[attention]:,} steps" if run.had[attention] != had else ""
    said += f" gets **{run.attention.mean[0]:.2f}** and **{run.attention.mean[run.last]:.2f}**, "
    said += f"with **{percent(run.parameters[attention] / run.parameters[run.code] - 1)}** more parameters. "
    if run.fresh is not None:
        table, count = getattr(run.fresh, MEASURES[run.measure]), int(run.fresh.counts.sum())
        seen = run.fresh.counts > 0
        means = [np.average(line[seen], weights=run.fresh.counts[seen]) for line in table]
        said += (
            f"Measured just now on **{count}** unseen sentences (seed {run.fresh.seed}), one seed of each,"
            " fully trained: "
        )
        return (
            said + f"k = {run.code} gets **{means[0]:.2f}** and attention **{means[1]:.2f}**." + too_long(run)
        )
    first, caught, line = int(run.budgets[0]), run.caught_up, run.by_steps[run.code]
    reached = int(run.budgets[line.seeds > 0][-1]) if caught is None else caught
    count = int(line.seeds[list(run.budgets).index(reached)])
    said += f"What attention gets after {first:,} steps, over natural lengths, this c "
    said += f"{'does not reach in' if caught is None else 'gets after'} **{reached:,}** ({seeds(count)})."
    return said + too_long(run)


def outputs(run: Curve) -> Tokens:
    names = (f"k = {run.code}", KINDS[1])
    lines = [
        TokenLine(name, words, changed=frozenset(changed), right=right)
        for name, words, changed, right in zip(names, run.outputs, run.changed, run.right, strict=True)
    ]
    title = "One sentence through both, after {:,} and {:,} steps; {}".format(*run.full, compared(run.truth))
    return Tokens((reference(run.truth, run.teacher), *lines), wide=WIDE, title=title)


def table(run: Curve) -> Heatmap:
    rows = [(named(run, code), run.one_vector[code].mean) for code in CONTEXT_DIMS] + [
        (named(run, KINDS[1]), run.attention.mean)
    ]
    return Heatmap(
        np.stack([line for _, line in rows]),
        tuple(name for name, _ in rows),
        tuple(f"{low}–{high}" for low, high in run.buckets),
        keys=("model", "length"),
        row_title="numbers in c",
        column_title="source words",
        current_row=CONTEXT_DIMS.index(run.code),
        wide=500,
        title=f"All sizes: {run.measure} after {run.had[run.code]:,} steps, mean over seeds",
    )


def best_size(run: Curve) -> str:
    """Whether the largest c is also the best, over sentences of natural length and as many steps as were chosen."""
    shares = {code: run.by_steps[code].mean[list(run.budgets).index(run.had[code])] for code in CONTEXT_DIMS}
    best, largest = max(shares, key=lambda code: shares[code]), CONTEXT_DIMS[-1]
    said = f"Over natural lengths k = {best} gets the most, **{shares[best]:.2f}** ({run.measure})"
    return said + (
        f", and the largest, k = {largest}, gets **{shares[largest]:.2f}**." if best != largest else "."
    )


def learning(run: Curve) -> Curves:
    """Loss of both trainings, on what they learn from and on what they do not."""
    lines = []
    for (kind, one), role in zip(run.learning.items(), ("context", "weight"), strict=True):
        lines.append(Line(kind, one.steps / 1000, one.loss, role, dashed=True))
        lines.append(Line(f"{kind}, validation", one.steps / 1000, one.validation, role, points=True))
    top = max(float(line.y.max()) for line in lines)
    return Curves(
        tuple(lines),
        x_title="training steps, in thousands",
        y_title="loss, nats a word",
        x_range=(0, float(max(one.steps[-1] for one in run.learning.values())) / 1000),
        y_range=(0, float(np.ceil(top))),
        wide=700,
        title=(
            f"Learning, k = {run.code}: the loss on training sentences (dashed) and on validation sentences"
        ),
    )


def still(run: Curve) -> str:
    said = [f"{kind} {since(one)} (**{one.validation.min():.3f}**)" for kind, one in run.learning.items()]
    told = f"On validation sentences {', '.join(said)}, before the last way down. "
    return told + learned_at(run.rates)


def paper_and_ours(run: Curve) -> Table:
    theirs = [dict(zip(paper.names, paper.paper, strict=True)) for paper in run.papers]
    ours = {
        name: figure for paper in run.papers for name, figure in zip(paper.names, paper.ours, strict=True)
    }
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            name,
            *(f"{figures[name]:.2f}" if name in figures else "–" for figures in theirs),
            Bar(f"{figure:.1f}", figure, 100),
        )
        for name, figure in ours.items()
    )
    return Table(
        ("", *(paper.source for paper in run.papers), "ours"),
        rows,
        key="model",
        title="BLEU: papers and ours",
    )


def orders(run: Curve) -> str:
    said = []
    for paper in run.papers:
        verdict = "same order" if paper.same_order else "not the same order"
        said.append(f"{paper.source}: {paper.setting}: **{verdict}**.")
    return " ".join(said) + " Ours is the mean over lengths, on our own small language: only orders compare."
