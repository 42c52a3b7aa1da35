"""Each translator's output, its accuracy by length, and its parts."""

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import percent, seed_count
from lessons.kit.pictures.phrases import join_with_and
from lessons.kit.pictures.table import Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.qkv.between.compute import Between

ROLES = ("source", "target", "context", "weight")


def outputs(run: Between) -> Tokens:
    """Each translation, with outlines around words that differ from the text it is compared with."""
    if run.sorted:
        compared, baselines = "those before sorting", run.as_typed
    else:
        compared = "the reference" if run.truth else "the Transformer’s output"
        baselines = (run.truth or run.outputs[-1],) * len(run.models)
    lines = [TokenLine("input", run.words)]
    for model, words, baseline, right in zip(run.models, run.outputs, baselines, run.right, strict=True):
        changed = frozenset(n for n, word in enumerate(words) if baseline[n : n + 1] != (word,))
        lines.append(TokenLine(model, words, changed=changed, right=right))
    if run.truth:
        lines.append(TokenLine("reference", run.truth, quiet=True))
    title = f"What each model writes (outlined: words that differ from {compared})"
    return Tokens(tuple(lines), wide=900, tall=245, title=title)


def reading(run: Between) -> str:
    first, second, third, last = (f"**{percent(accuracy, 1)}**" for accuracy in run.overall.mean(1))
    one, two, three, four = (f"“{model}”" for model in run.models)
    sentences = [
        f"In test sentences of everyday length, {one} gets {first} of {run.metric} right and {two} {second}.",
        f"{three} gets {third} right and {four} {last} (means of {seed_count(run.seeds)}).",
        describe_sorting(run) if run.sorted else "",
        describe_sizes(run),
    ]
    return " ".join(filter(None, sentences))


def describe_sorting(run: Between) -> str:
    """Say which models write the same translation when the words are sorted."""
    same = [
        f"“**{model}**”"
        for model, words, typed in zip(run.models, run.outputs, run.as_typed, strict=True)
        if words == typed
    ]
    if not same:
        return "After sorting the words, every model writes a different translation."
    verb = "writes" if len(same) == 1 else "write"
    return f"After sorting, {join_with_and(same)} still {verb} the same translation."


def describe_sizes(run: Between) -> str:
    """Describe how the models differ in parameters and training steps."""

    sizes = f"The models have {min(run.parameters):,} to {max(run.parameters):,} parameters."
    first, last = min(run.steps), max(run.steps)
    if first == last:
        return f"{sizes} All were trained for {first:,} steps."
    return f"{sizes} They were trained for {first:,} to {last:,} steps."


def sizes(run: Between) -> Table:
    rows = tuple(
        (model, f"{parameters:,}", f"{steps:,}")
        for model, parameters, steps in zip(run.models, run.parameters, run.steps, strict=True)
    )
    title = "How large each model is, and how long it was trained"
    return Table(("model", "parameters", "training steps"), rows, key="model", title=title)


def by_length(run: Between) -> Curves:
    lines = tuple(
        Line(
            model,
            run.lengths.mean(1),
            100 * accuracy.mean(0),
            role,
            100 * accuracy.min(0),
            100 * accuracy.max(0),
            points=True,
        )
        for model, accuracy, role in zip(run.models, run.by_length, ROLES, strict=True)
    )
    last = float(run.lengths[-1, 1])
    return Curves(
        lines,
        x_title="source length, words",
        y_title=f"{run.metric} right, %",
        x_range=(3, last),
        y_range=(0, 100),
        shaded=((run.trained + 0.5, last, "longer than in training"),),
        current=len(run.words),
        wide=900,
        tall=168,
        title=f"Accuracy by sentence length ({seed_count(run.seeds)}; bands: worst to best)",
    )


def parts(run: Between) -> Heatmap:
    title = "What each model is made of"
    return Heatmap(run.has.astype(float), run.models, run.parts, keys=("model", "part"), title=title)
