"""Scores by length and by training time, one sentence through both models, learning curves, and papers."""

from collections.abc import Mapping

import numpy as np

from lessons.bottleneck.curve.compute import ATTENTION, Curve, Remeasurement
from lessons.bottleneck.curve.real_words import COMPARED_K
from lessons.bottleneck.measurements import MEASURES, Band
from lessons.bottleneck.pictures import (
    HALF_WIDTH_PX,
    WIDTH_PX,
    band_line,
    describe_plateau,
    explain_marks,
    output_lines,
    warn_about_teacher,
)
from lessons.kit.checkpoints import CONTEXT_DIMS
from lessons.kit.pictures.by_length import draw_by_length
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import format_rate, percent, seed_count
from lessons.kit.pictures.phrases import join_with_and
from lessons.kit.pictures.table import Bar, Cell, Table
from lessons.kit.pictures.tokens import Tokens

HEIGHT_PX = 300
ACT_HALF_WIDTH_PX = 420  # two pictures side by side in a closer look


def size_lines(
    run: Curve, x: np.ndarray, bands: Mapping[str, Band], attention: Band, names: Mapping[str, str]
) -> list[Line]:
    """One line per size of c (the chosen size with its band, the others dashed) and one for attention."""
    others = [Line(names[k], x, bands[k].mean, "context", dashed=True) for k in CONTEXT_DIMS if k != run.code]
    chosen = band_line(f"{names[run.code]}, chosen", x, bands[run.code], "context", points=True)
    return [*others, chosen, band_line(names[ATTENTION], x, attention, "weight", points=True)]


def curves(run: Curve) -> Curves:
    """Scores by length, with the new measurements if there are any."""
    names = {name: label_with_steps(run, name) for name in run.steps_used}
    lines = size_lines(run, run.lengths, run.one_vector, run.attention, names)
    if run.remeasured is not None:
        lines += [
            Line(f"{name}, now", run.lengths, line, "target", dashed=True, points=True)
            for name, line in zip((f"k = {run.code}", ATTENTION), remeasured_scores(run), strict=True)
        ]
    return draw_by_length(
        lines,
        run.measure,
        run.trained[1],
        wide=HALF_WIDTH_PX,
        tall=HEIGHT_PX,
        title=f"By length, after {run.steps_used[run.code]:,} steps ({seed_count(count_seeds(run))})",
    )


def remeasured_scores(run: Curve) -> np.ndarray:
    """(2, buckets) the new scores by the chosen measure."""
    return getattr(run.remeasured, MEASURES[run.measure])


def label_with_steps(run: Curve, name: str) -> str:
    """Label of a size or of attention, with its training steps if they differ from the chosen size's."""
    label = f"k = {name}" if name in CONTEXT_DIMS else name
    used = run.steps_used[name]
    return label if used == run.steps_used[run.code] else f"{label}, {used:,}"


def count_seeds(run: Curve) -> int:
    """Count the seeds of the chosen size that completed the chosen training."""
    return int(run.one_vector[run.code].seeds.max())


def budgets(run: Curve) -> Curves:
    """Scores of the same models by training time."""
    names = {k: f"k = {k}" for k in CONTEXT_DIMS} | {ATTENTION: ATTENTION}
    return Curves(
        tuple(size_lines(run, run.budgets, run.by_steps, run.attention_by_steps, names)),
        x_title="training steps",
        y_title=run.measure,
        x_range=(float(run.budgets[0]), float(run.budgets[-1])),
        y_range=(0, 1),
        log_x=True,
        current=run.steps_used[run.code],
        wide=HALF_WIDTH_PX,
        tall=HEIGHT_PX,
        title=f"By training, natural lengths ({describe_seeds_by_budget(run)})",
    )


def describe_seeds_by_budget(run: Curve) -> str:
    """Say how many seeds the chosen size has, and at which budget this number drops."""
    counts = {
        int(steps): int(count)
        for steps, count in zip(run.budgets, run.by_steps[run.code].seeds, strict=True)
        if count
    }
    most = max(counts.values())
    fewer = [steps for steps, count in counts.items() if count < most]
    if not fewer:
        return seed_count(most)
    return f"{seed_count(most)}; from {fewer[0]:,} steps on {seed_count(counts[fewer[0]])}"


def reading(run: Curve) -> str:
    steps, attention_steps = run.steps_used[run.code], run.steps_used[ATTENTION]
    shortest, longest = ("{}–{} words".format(*run.buckets[n]) for n in (0, run.last))
    vector, attention = run.one_vector[run.code].mean, run.attention.mean
    after = f" after {attention_steps:,} steps" if attention_steps != steps else ""
    extra = percent(run.parameters[ATTENTION] / run.parameters[run.code] - 1)
    sentences = [
        f"With a context vector of size **{run.code}**, {run.measure} is **{vector[0]:.2f}** on {shortest}"
        f" and **{vector[run.last]:.2f}** on {longest}, after **{steps:,}** steps"
        f" ({seed_count(count_seeds(run))}).",
        f"With attention{after}, the two values are **{attention[0]:.2f}** and **{attention[run.last]:.2f}**;"
        f" the model with attention has **{extra}** more parameters.",
        describe_catching_up(run) if run.remeasured is None else describe_remeasurement(run, run.remeasured),
        *warn_about_teacher(run),
    ]
    return " ".join(sentences)


def describe_remeasurement(run: Curve, remeasured: Remeasurement) -> str:
    is_measured = remeasured.counts > 0
    vector, attention = (
        np.average(line[is_measured], weights=remeasured.counts[is_measured])
        for line in remeasured_scores(run)
    )
    return (
        f"We measured one fully trained seed of each again, on **{int(remeasured.counts.sum())}** unseen"
        f" sentences (seed {remeasured.seed}): k = {run.code} gets **{vector:.2f}** and attention"
        f" **{attention:.2f}**."
    )


def describe_catching_up(run: Curve) -> str:
    """Say how long this size of c must train to match attention after its shortest training."""
    band = run.by_steps[run.code]
    steps = int(run.budgets[band.seeds > 0][-1]) if run.caught_up is None else run.caught_up
    count = int(band.seeds[list(run.budgets).index(steps)])
    reaches = "does not reach that score within" if run.caught_up is None else "reaches that score after"
    return (
        f"On natural lengths, attention reaches **{run.attention_by_steps.mean[0]:.2f}** after"
        f" {int(run.budgets[0]):,} steps; this c {reaches} **{steps:,}** steps ({seed_count(count)})."
    )


def outputs(run: Curve) -> Tokens:
    title = "One sentence through both, after {:,} and {:,} steps; {}".format(
        *run.full_steps, explain_marks(run.truth)
    )
    return Tokens(output_lines(run, (f"k = {run.code}", ATTENTION)), wide=WIDTH_PX, title=title)


def table(run: Curve) -> Heatmap:
    bands = {**run.one_vector, ATTENTION: run.attention}
    return Heatmap(
        np.stack([band.mean for band in bands.values()]),
        tuple(label_with_steps(run, name) for name in bands),
        tuple(f"{low}–{high}" for low, high in run.buckets),
        keys=("model", "length"),
        row_title="size of c",
        column_title="source words",
        current_row=CONTEXT_DIMS.index(run.code),
        wide=500,
        title=f"All sizes: {run.measure} after {run.steps_used[run.code]:,} steps, mean over seeds",
    )


def best_size(run: Curve) -> str:
    """Say whether the largest c is also the best on natural lengths after the chosen training."""
    scores = {k: run.by_steps[k].mean[list(run.budgets).index(run.steps_used[k])] for k in CONTEXT_DIMS}
    best, largest = max(scores, key=lambda k: scores[k]), CONTEXT_DIMS[-1]
    sentence = f"On natural lengths, k = {best} is the best size ({run.measure}: **{scores[best]:.2f}**)"
    return (
        f"{sentence}."
        if best == largest
        else (f"{sentence}. The largest, k = {largest}, gets **{scores[largest]:.2f}**.")
    )


def describe_seed_range(run: Curve) -> str:
    """Say how much the scores of one size differ if only the seed changes."""
    band = run.by_steps[run.code]
    budgets = list(run.budgets)
    n = budgets.index(run.steps_used[run.code])
    if band.seeds[n] < 2:
        n = int(np.flatnonzero(band.seeds > 1)[-1])  # the longest training with several seeds
    low, high = (round(float(end), 2) for end in (band.low[n], band.high[n]))
    return (
        f"{int(band.seeds[n])} models with k = {run.code} differ only in their seed. After"
        f" {int(budgets[n]):,} steps they reach **{low:.2f}** to **{high:.2f}** on natural lengths. So a"
        f" difference of **{high - low:.2f}** between two models may be chance."
    )


def learning(run: Curve) -> Curves:
    """Training and validation loss of one vector and of attention."""
    lines = []
    for (kind, curve), role in zip(run.learning.items(), ("context", "weight"), strict=True):
        lines.append(Line(kind, curve.steps / 1000, curve.loss, role, dashed=True))
        lines.append(Line(f"{kind}, validation", curve.steps / 1000, curve.validation, role, points=True))
    return Curves(
        tuple(lines),
        x_title="training steps, in thousands",
        y_title="loss, nats per word",
        x_range=(0, float(max(curve.steps[-1] for curve in run.learning.values())) / 1000),
        y_range=(0, float(np.ceil(max(line.y.max() for line in lines)))),
        wide=700,
        title=(
            f"Learning, k = {run.code}: the loss on training sentences (dashed) and on validation sentences"
        ),
    )


def still(run: Curve) -> str:
    plateaus = [
        f"Before the learning rate decays, the validation loss of the model with {kind}"
        f" {describe_plateau(curve)}; its lowest value is **{curve.validation.min():.3f}**."
        for kind, curve in run.learning.items()
    ]
    return " ".join([*plateaus, describe_rates(run.rates)])


def describe_rates(rates: Mapping[str, float]) -> str:
    """Say which learning rate was used for each size of c."""
    sizes_by_rate: dict[float, list[str]] = {}
    for k, used in rates.items():
        sizes_by_rate.setdefault(used, []).append(k)
    groups = [
        f"**{format_rate(used)}** for k = {join_with_and(sizes)}" for used, sizes in sizes_by_rate.items()
    ]
    return f"Each learning rate is the best of four that we tried: {'; '.join(groups)}."


def paper_and_ours(run: Curve) -> Table:
    theirs = [dict(zip(paper.names, paper.paper, strict=True)) for paper in run.papers]
    ours = {name: bleu for paper in run.papers for name, bleu in zip(paper.names, paper.ours, strict=True)}
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            name,
            *(f"{scores[name]:.2f}" if name in scores else "–" for scores in theirs),
            Bar(f"{bleu:.1f}", bleu, 100),
        )
        for name, bleu in ours.items()
    )
    headings = ("", *(paper.source for paper in run.papers), "ours")
    return Table(headings, rows, key="model", title="BLEU: papers and ours")


def orders(run: Curve) -> str:
    sentences = [
        f"{paper.source} compares {paper.setting}. Our models have"
        f" **{'the same order' if paper.same_order else 'another order'}**."
        for paper in run.papers
    ]
    sentences.append(
        "Our BLEU is the mean over lengths, in our own small language, so compare only the orders."
    )
    return " ".join(sentences)


def words(run: Curve) -> Curves:
    """Scores on real words by their number of letters."""
    real = run.real_words
    middles = np.array(real.buckets).mean(1)
    return Curves(
        (
            band_line(f"k = {COMPARED_K}", middles, real.one_vector, "context", points=True),
            band_line(ATTENTION, middles, real.attention, "weight", points=True),
        ),
        x_title="letters of the word",
        y_title=run.measure,
        x_range=(float(real.buckets[0][0]), float(real.buckets[-1][1])),
        y_range=(0, 1),
        wide=ACT_HALF_WIDTH_PX,
        tall=HEIGHT_PX,
        title=f"Real words, after {real.steps:,} steps ({seed_count(int(real.one_vector.seeds.max()))})",
    )


def generated(run: Curve) -> Curves:
    """Scores of the models with the same size of c on generated sentences, for comparison."""
    vector, used = run.one_vector[COMPARED_K], run.steps_used
    names = [
        label if steps == run.real_words.steps else f"{label}, {steps:,}"
        for label, steps in ((f"k = {COMPARED_K}", used[COMPARED_K]), (ATTENTION, used[ATTENTION]))
    ]
    return draw_by_length(
        (
            band_line(names[0], run.lengths, vector, "context", points=True),
            band_line(names[1], run.lengths, run.attention, "weight", points=True),
        ),
        run.measure,
        run.trained[1],
        wide=ACT_HALF_WIDTH_PX,
        tall=HEIGHT_PX,
        title=f"Generated sentences ({seed_count(int(vector.seeds.max()))})",
    )


def describe_words(run: Curve) -> str:
    """Compare both kinds of model on short and on long words."""
    real = run.real_words
    short, long = real.compared
    (low, high), (longer, longest) = real.buckets[short], real.buckets[long]
    vector, attention = real.one_vector.mean, real.attention.mean
    return (
        f"On words of {low} to {high} letters, {run.measure} is **{vector[short]:.2f}** with one vector and"
        f" **{attention[short]:.2f}** with attention. On the longest words ({longer} to {longest} letters)"
        f" it is **{vector[long]:.2f}** with one vector and **{attention[long]:.2f}** with attention. The"
        " model with attention has a bidirectional encoder and"
        f" **{percent(real.extra_parameters)}** more parameters. {compare_word_seeds(run)}"
    )


def compare_word_seeds(run: Curve) -> str:
    """Say whether the seeds of both kinds of model overlap on the longest words, after the same steps."""
    real = run.real_words
    vector, attention, long = real.one_vector, real.attention, real.compared[1]
    seeds = int(min(vector.seeds[long], attention.seeds[long]))
    if seeds == 1:
        return f"Only one seed was trained for {real.steps:,} steps."
    if attention.low[long] > vector.high[long]:
        return f"On the longest words all {seeds} seeds with attention are above all with one vector."
    return f"On the longest words the {seeds} seeds of the two kinds overlap."
