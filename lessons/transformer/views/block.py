"""The model as a diagram, and one block of it opened."""

from typing import Any

from lessons.kit.pictures.numbers import counted
from lessons.transformer.compute.block import BLOCKS, BlockRun, Quantity
from lessons.transformer.diagram import Diagram
from lessons.transformer.sheets import Sheet, Sheets
from lessons.transformer.views.truth import mark

FIRST = 16  # numbers of each word at a first look
DOES = {
    "embedding + position": "adds to the vector of each word a pattern that says where it stands",
    "self-attention": "lets every word take home something from every word of its own sentence",
    "masked self-attention": "lets every place take home something from itself and from the places before it",
    "cross-attention": "lets every place of the decoder ask, and the encoder’s output answer",
    "point-wise FC": "sends each place by itself through the same small network",
    "linear + softmax": "turns each place’s numbers into a probability for every French word",
}
SINGLE, SEVERAL = {"in": "In goes", "out": "out comes"}, {"in": "In go", "out": "out come"}
ADDS = (
    "adds what the block found to what was there before; the sum goes on, and its norm goes into the next"
    " block"
)


def diagram(run: BlockRun) -> Diagram:
    words: dict[str, Any] = {
        "source": " ".join(run.source),
        "reads": " ".join(run.reads),
        "writes": " ".join(run.writes),
    }
    truth: dict[str, Any] = {"mark": mark(run.right), "truth": " ".join(run.truth or ())}
    look: dict[str, Any] = {"chosen": run.block, "layer": run.layer, "layers": run.layers}
    return Diagram(
        tuple(BLOCKS), title="The whole model, from the bottom up: choose a block", **look, **words, **truth
    )


def reading(run: BlockRun) -> str:
    side, _, name = run.block.partition(": ")
    layer = f", layer {run.layer}" if run.in_layer else ""
    said = f"**{name[0].upper()}{name[1:]}** ({side}{layer}) {DOES.get(name, ADDS)}. "
    if name == "linear + softmax":
        surest = float(run.probabilities.max(1).min())
        said += (
            f"{shapes(run, 'in')}, out: {counted(len(run.writes), 'distribution')}; the least sure gives its"
            " word "
        )
        said += f"**{surest:.2f}**. "
    else:
        said += f"{shapes(run, 'in')}, {shapes(run, 'out')}. "
    return said + f"It has learned **{run.parameters:,}** numbers, whatever the length of the sentence."


def tensors(run: BlockRun) -> Sheets:
    return Sheets(
        sheets(run),
        first=FIRST,
        title=f"In and out, the first {FIRST} numbers of each word",
        wide=480,
        tall=440,
    )


def whole(run: BlockRun) -> Sheets:
    return Sheets(sheets(run), title=f"{run.block[0].upper()}{run.block[1:]}: every number", wide=880)


def sheets(run: BlockRun) -> tuple[Sheet, ...]:
    found = [sheet(quantity) for quantity in run.quantities]
    if run.block.endswith("softmax"):
        steps = tuple(f"{n}: {word}" for n, word in enumerate(run.writes, 1))
        look: dict[str, Any] = {
            "role": "weight",
            "top": 1.0,
            "row_role": "target",
            "keys": ("target", "word"),
        }
        found.append(Sheet("P of the words it wrote", "out", run.probabilities, steps, run.likely, **look))
    return tuple(found)


def sheet(quantity: Quantity) -> Sheet:
    columns = tuple(str(n + 1) for n in range(quantity.values.shape[1]))
    carried = (
        quantity.name.startswith(("x", "word")) or quantity.tap == "decoder.norm.out"
    )  # what adds up grows
    look: dict[str, Any] = {
        "keys": (quantity.side, "unit"),
        "row_role": quantity.side,
        "top": 6.0 if carried else 2.0,
    }
    return Sheet(quantity.name, quantity.goes, quantity.values, quantity.rows, columns, **look)


def shapes(run: BlockRun, goes: str) -> str:
    """In goes 7 × 64, or out come two of them, with their names."""
    found = [one for one in run.quantities if one.goes == goes]
    sizes = ["\u00a0×\u00a0".join(map(str, one.values.shape)) for one in found]
    if len(found) == 1:
        return f"{SINGLE[goes]} **{sizes[0]}**"
    named = (f"**{size}** ({one.name.split(',')[0]})" for size, one in zip(sizes, found, strict=True))
    return f"{SEVERAL[goes]} {' and '.join(named)}"
