"""The model as a diagram, and one block of it opened."""

import numpy as np

from lessons.transformer.compute.block import BLOCKS, BlockRun, Quantity
from lessons.transformer.diagram import Diagram
from lessons.transformer.sheets import Sheet, Sheets

DOES = {
    "embedding + position": "adds to the vector of each word a pattern that says where it stands",
    "self-attention": "lets every word take home something from every word of its own sentence",
    "masked self-attention": "lets every place take home something from itself and from the places before it",
    "cross-attention": "lets every place of the decoder ask, and the encoder’s output answer",
    "point-wise FC": "sends each place by itself through the same small network",
    "linear + softmax": "turns each place’s numbers into a probability for every French word",
}
ADDS = "adds what the block found to what was there before; the sum goes on, and its norm goes into the next block"


def diagram(run: BlockRun) -> Diagram:
    words = {"source": " ".join(run.source), "reads": " ".join(run.reads), "writes": " ".join(run.writes)}
    look = {"chosen": run.block, "layer": run.layer, "layers": run.layers}
    return Diagram(tuple(BLOCKS), title="The whole model, from the bottom up", **look, **words)


def reading(run: BlockRun) -> str:
    side, _, name = run.block.partition(": ")
    first, last = run.quantities[0], run.quantities[-1]
    does = DOES.get(name, ADDS)
    layer = f", layer {run.layer}" if run.in_layer else ""
    said = f"**{name[0].upper()}{name[1:]}** ({side}{layer}) {does}. "
    if name == "linear + softmax":
        surest = float(run.probabilities.max(1).min())
        said += (
            f"In goes **{shape(first)}**, out come **{len(run.writes)}** distributions; even the least sure step gives its word "
        )
        said += f"**{surest:.2f}**. "
    else:
        goes = " and ".join(f"**{shape(one)}**" for one in run.quantities if one.goes == "in")
        said += f"In goes {goes}, out comes **{shape(last)}**. "
        if change := change_of(run):
            (most, least), size = change
            said += f"Here it adds least to “**{least}**” and most to “**{most}**” (a vector of length **{size:.1f}**). "
    return said + f"The block has learned **{run.parameters:,}** numbers, whatever the length of the sentence."


def change_of(run: BlockRun) -> tuple[tuple[str, str], float] | None:
    """The words to which a block adds most and least, and the length of the longest addition."""
    adds = [quantity for quantity in run.quantities if "adds" in quantity.name]
    if not adds or len(adds[0].rows) < 2:
        return None
    sizes = np.linalg.norm(adds[0].values, axis=1)
    return (adds[0].rows[int(sizes.argmax())], adds[0].rows[int(sizes.argmin())]), float(sizes.max())


def tensors(run: BlockRun) -> Sheets:
    sheets = [sheet(quantity) for quantity in run.quantities]
    if run.block.endswith("softmax"):
        steps = tuple(f"{n}. {word}" for n, word in enumerate(run.writes, 1))
        keys, look = ("target", "word"), {"role": "weight", "top": 1.0, "row_role": "target"}
        sheets.append(Sheet("P of the words it wrote", "out", run.probabilities, steps, run.likely, keys=keys, **look))
    return Sheets(tuple(sheets), title=f"{run.block[0].upper()}{run.block[1:]}, in and out")


def sheet(quantity: Quantity) -> Sheet:
    columns = tuple(str(n + 1) for n in range(quantity.values.shape[1]))
    carried = quantity.name.startswith(("x", "word")) or quantity.tap == "decoder.norm.out"  # what adds up grows
    look = {"keys": (quantity.side, "unit"), "row_role": quantity.side, "top": 6.0 if carried else 2.0}
    return Sheet(quantity.name, quantity.goes, quantity.values, quantity.rows, columns, **look)


def shape(quantity: Quantity) -> str:
    return " × ".join(map(str, quantity.values.shape))
