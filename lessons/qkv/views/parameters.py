"""Numbers to learn."""

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.numbers import plural
from lessons.qkv.compute.heads import Parameters


def learned(run: Parameters) -> Bars:
    return counts(run, run.learned, run.matrices, "weight", "Learned")


def computed(run: Parameters) -> Bars:
    title = f"Computed anew for {plural(run.T, 'word')}, {plural(run.heads, 'head')}"
    return counts(run, run.computed, run.products, "context", title + (f" (not {run.asked})" if run.heads != run.asked else ""))


def counts(run: Parameters, values, labels: tuple[str, ...], role: str, title: str) -> Bars:
    most = max(run.learned.max(), run.computed.max())
    top = next(step for step in (100, 500, 1000, 5000, 10_000, 50_000) if step >= most)
    return Bars(values, labels, role=role, top=top, digits=0, wide=430, title=title)


def reading(run: Parameters) -> str:
    three = int(run.learned[:3].sum())
    said = f"W_Q, W_K and W_V are {run.d}×{run.d} each: **{three:,}** numbers together, and **T = {run.T}** plays no part. "
    said += f"With W_O and biases the layer learns **{int(run.learned.sum()) + run.biases:,}**; "
    said += f"a GRU of the same width learns **{run.recurrent:,}**."
    if run.heads != run.asked:
        said += f" {run.asked} heads cannot share {plural(run.d, 'number')} equally, **{run.heads}** can: so many are counted."
    elif run.heads > 1:
        said += f" {run.heads} heads of {plural(run.d // run.heads, 'number')} share them: no learned count changes; "
        said += "E and A are kept once a head."
    return said


def task(run: Parameters) -> str:
    task = run.task
    return (
        f"Task {task.number}: d = {task.d}, T = {task.T}, no biases. How many numbers do W_Q, W_K and W_V hold together? "
        "Work it out, and answer in the tab Check yourself."
    )
