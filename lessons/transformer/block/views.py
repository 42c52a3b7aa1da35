"""The model as a diagram, and the tensors of one block."""

from lessons.kit.pictures.numbers import bold_count
from lessons.kit.pictures.phrases import correctness_mark
from lessons.transformer.block.compute import BLOCKS, BlockRun, Quantity
from lessons.transformer.block.diagram import Diagram
from lessons.transformer.sheets import Sheet, Sheets

COLUMNS_SHOWN = 16  # number of columns shown per word; the closer look shows all
PURPOSES = {
    "embedding + position": "adds an encoding of its position to the embedding of each word",
    "self-attention": "lets every word collect information from all words of its own sentence",
    "masked self-attention": "lets every position collect information from itself and from earlier positions",
    "cross-attention": "compares queries from the decoder with keys from the encoder and collects its values",
    "feed-forward network": "sends each position separately through the same small network",
    "linear + softmax": "turns the numbers of each position into a probability for every French word",
}
ADD_NORM_PURPOSE = (
    "adds the output of the block to x; the sum stays in the residual stream, and its norm goes into the"
    " next block"
)


def diagram(run: BlockRun) -> Diagram:
    return Diagram(
        tuple(BLOCKS),
        chosen=run.block,
        layer=run.layer,
        layers=run.layers,
        source=" ".join(run.source),
        reads=" ".join(run.reads),
        writes=" ".join(run.writes),
        mark=correctness_mark(run.right),
        truth=" ".join(run.truth or ()),
        title="The whole model, from bottom to top: choose a block",
    )


def reading(run: BlockRun) -> str:
    side, _, name = run.block.partition(": ")
    layer = f", layer {run.layer}" if run.in_layer else ""
    sentences = [
        f"**{name[0].upper()}{name[1:]}** ({side}{layer}) {PURPOSES.get(name, ADD_NORM_PURPOSE)}.",
        f"The input is {shapes(run, 'in')}.",
    ]
    if name == "linear + softmax":
        least_sure = float(run.probabilities.max(1).min())
        sentences.append(f"The output is {bold_count(len(run.writes), 'distribution')}.")
        sentences.append(f"The least certain one gives its most probable word P = **{least_sure:.2f}**.")
    else:
        sentences.append(f"The output is {shapes(run, 'out')}.")
    sentences.append(f"The block has **{run.parameters:,}** parameters, whatever the length of the sentence.")
    return " ".join(sentences)


def shapes(run: BlockRun, direction: str) -> str:
    """The shape of the inputs or outputs, e.g. 7 × 64; with names if there are two tensors."""
    quantities = [quantity for quantity in run.quantities if quantity.goes == direction]
    sizes = ["\u00a0×\u00a0".join(map(str, quantity.values.shape)) for quantity in quantities]
    if len(quantities) == 1:
        return f"**{sizes[0]}**"
    return " and ".join(
        f"**{size}** ({quantity.name.split(',')[0]})"
        for size, quantity in zip(sizes, quantities, strict=True)
    )


def tensors(run: BlockRun) -> Sheets:
    title = f"In and out, the first {COLUMNS_SHOWN} numbers of each word"
    return Sheets(block_sheets(run), first=COLUMNS_SHOWN, title=title, wide=480, tall=440)


def whole(run: BlockRun) -> Sheets:
    return Sheets(block_sheets(run), title=f"{run.block[0].upper()}{run.block[1:]}: every number", wide=880)


def block_sheets(run: BlockRun) -> tuple[Sheet, ...]:
    sheets = [quantity_sheet(quantity) for quantity in run.quantities]
    if run.block.endswith("softmax"):
        steps = tuple(f"{n}: {word}" for n, word in enumerate(run.writes, 1))
        sheets.append(
            Sheet(
                "P of the words of the output",
                "out",
                run.probabilities,
                steps,
                run.likely,
                role="weight",
                top=1.0,
                row_role="target",
                keys=("target", "word"),
            )
        )
    return tuple(sheets)


def quantity_sheet(quantity: Quantity) -> Sheet:
    is_residual = quantity.name.startswith(("x", "word")) or quantity.tap == "decoder.norm.out"
    return Sheet(
        quantity.name,
        quantity.goes,
        quantity.values,
        quantity.rows,
        tuple(str(n + 1) for n in range(quantity.values.shape[1])),
        keys=(quantity.side, "unit"),
        row_role=quantity.side,
        top=6.0 if is_residual else 2.0,  # a larger range, because sums grow along the residual stream
    )
