"""Between seq2seq and the Transformer."""

from typing import Any

import numpy as np

from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.heatmap import Heatmap
from lessons.kit.pictures.numbers import percent, seeds
from lessons.kit.pictures.table import Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.qkv.compute.between import Between

ROLES = ("source", "target", "context", "weight")


def outputs(run: Between) -> Tokens:
    """What each model writes beside the truth of the sentence as typed; outlined where sorting changed it, or where it is wrong."""
    lines = [TokenLine("they read", run.words)]
    for model, now, typed, right in zip(run.models, run.outputs, run.as_typed, run.right, strict=True):
        other = typed if run.sorted else run.truth or run.outputs[-1]
        changed = frozenset(n for n, word in enumerate(now) if other[n : n + 1] != (word,))
        lines.append(TokenLine(model, now, changed=changed, right=right))
    if run.truth:
        lines.append(TokenLine("truth", run.truth, quiet=True))
    outlined = (
        "not as before sorting"
        if run.sorted
        else "not as in truth"
        if run.truth
        else "not as the Transformer"
    )
    return Tokens(tuple(lines), wide=900, tall=245, title=f"What each model writes (outlined: {outlined})")


def reading(run: Between) -> str:
    shares = ", ".join(
        f"“{model}” **{percent(share, 1)}**"
        for model, share in zip(run.models, run.overall.mean(1), strict=True)
    )
    said = (
        f"The share of {run.metric} that is right, on test sentences of everyday length, mean of"
        f" {seeds(run.seeds)}: {shares}."
    )
    if run.sorted:
        same = [
            model
            for model, now, typed in zip(run.models, run.outputs, run.as_typed, strict=True)
            if now == typed
        ]
        *first, last = [f"“**{model}**”" for model in same] or ["every model"]
        names = f"{', '.join(first)} and {last}" if first else last
        said += f" With the words sorted, {names} " + (
            f"still write{'s' * (not first)} the same sentence." if same else "writes another one."
        )
    return f"{said} {unequal(run)}"


def unequal(run: Between) -> str:
    """In what the models differ besides their parts."""
    (small, large), (short, long) = (
        (int(np.argmin(each)), int(np.argmax(each))) for each in (run.parameters, run.steps)
    )
    said = (
        f"The models are not equally large: “{run.models[small]}” has {run.parameters[small]:,} parameters, "
    )
    said += f"“{run.models[large]}” {run.parameters[large]:,}. "
    if short == long:
        return f"{said}All were trained for {run.steps[0]:,} steps."
    said += f"They were not trained equally long: “{run.models[short]}” for {run.steps[short]:,} steps, "
    return f"{said}“{run.models[long]}” for {run.steps[long]:,}."


def sizes(run: Between) -> Table:
    rows = tuple(
        (model, f"{parameters:,}", f"{steps:,}")
        for model, parameters, steps in zip(run.models, run.parameters, run.steps, strict=True)
    )
    return Table(
        ("model", "parameters", "training steps"),
        rows,
        key="model",
        title="How large each model is, and how long it was trained",
    )


def by_length(run: Between) -> Curves:
    middle = run.lengths.mean(1)
    lines = tuple(
        Line(model, middle, 100 * of.mean(0), role, 100 * of.min(0), 100 * of.max(0), points=True)
        for model, of, role in zip(run.models, run.by_length, ROLES, strict=True)
    )
    last = float(run.lengths[-1, 1])
    axes: dict[str, Any] = {
        "x_title": "source length, words",
        "y_title": f"{run.metric} right, %",
        "x_range": (3, last),
        "y_range": (0, 100),
    }
    shaded = ((run.trained + 0.5, last, "longer than in training"),)
    look: dict[str, Any] = {
        "wide": 900,
        "tall": 190,
        "title": (
            f"Right on test sentences, by length ({seeds(run.seeds)}; bands: from the worst to the best)"
        ),
    }
    return Curves(lines, shaded=shaded, current=len(run.words), **look, **axes)


def parts(run: Between) -> Heatmap:
    title = "What each model is made of"
    return Heatmap(run.has.astype(float), run.models, run.parts, keys=("model", "part"), title=title)
