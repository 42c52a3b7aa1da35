"""The attention layer in numbers, with a note on each cell about how it was computed."""

from lessons.kit.pictures.matrix import Block, Edit, Matrix
from lessons.kit.pictures.numbers import bold_count, plural
from lessons.qkv.cell_notes import product_notes, score_notes, softmax_notes
from lessons.qkv.flow_diagram import FULL_COLOUR, Flow, fit_flow
from lessons.qkv.matrices.compute import GIVEN, MAX_VALUE, MIN_VALUE, Attention

HEIGHT_PX = 450
EDITABLE = {"set by hand": GIVEN, "identity": ("X",), "random": ()}
ARROWS = ((0, 1), (0, 2), (0, 3), (1, 4), (2, 5), (3, 6), (4, 7), (5, 7), (7, 8), (8, 9), (6, 9))


def layer(run: Attention) -> Flow:
    """Diagram of the layer: X times three matrices, then scores, softmax and the weighted sum."""
    editable = EDITABLE[run.fill]

    def given_block(name: str) -> Block:
        edit = Edit(name, MIN_VALUE, MAX_VALUE) if name in editable else None
        return Block(name, getattr(run, name), changed=frozenset(run.changed[name]), edit=edit)

    score_name = f"E = Q Kᵀ / √{run.X.shape[1]}" if run.scale else "E = Q Kᵀ"
    blocks = (
        *map(given_block, GIVEN),
        Block("Q = X W_Q", run.Q, "target", product_notes(run.X, run.W_Q)),
        Block("K = X W_K", run.K, "source", product_notes(run.X, run.W_K)),
        Block("V = X W_V", run.V, "context", product_notes(run.X, run.W_V)),
        Block(score_name, run.E, None, score_notes(run.Q, run.K, run.E, run.scale)),
        Block("A = softmax of rows", run.A, "weight", softmax_notes(run.E, run.A)),
        Block("Y = A V", run.Y, "context", product_notes(run.A, run.V)),
    )
    title = "From X to Y"
    if editable:
        title += ". You can change underlined numbers: click and type, or drag sideways"
    return fit_flow(blocks, (1, 3, 3, 3), ARROWS, HEIGHT_PX, title)


def scores(run: Attention) -> Matrix:
    """The rows of E and A that contain the largest weight."""
    (row, _), divided = find_largest_weight(run), f"/ √{run.Q.shape[1]}" if run.scale else ""
    q, e, a = row_blocks(run, row, "QEA")
    terms = (q, Block("Kᵀ", run.K.T, "source"), f"{divided} =", e, "softmax:", a)
    return Matrix(terms, top=FULL_COLOUR, wide=900, title=f"The query of row {row + 1} times every key")


def outputs(run: Attention) -> Matrix:
    row, _ = find_largest_weight(run)
    a, y = row_blocks(run, row, "AY")
    terms = (a, Block("V", run.V, "context"), "=", y)
    return Matrix(terms, top=FULL_COLOUR, wide=900, title="A weighted sum of the rows of V")


def row_blocks(run: Attention, row: int, names: str) -> tuple[Block, ...]:
    """One row of each named matrix: Q_3, E_3, …"""
    roles = {"Q": "target", "E": None, "A": "weight", "Y": "context"}
    return tuple(Block(f"{name}_{row + 1}", getattr(run, name)[row], roles[name]) for name in names)


def find_largest_weight(run: Attention) -> tuple[int, int]:
    """Row and column of the largest weight. With the mask, skip the first row, whose only weight is 1."""
    first = 1 if run.mask and len(run.X) > 1 else 0
    row = first + int(run.A[first:].max(1).argmax())
    return row, int(run.A[row].argmax())


def ask_weight(run: Attention) -> str:
    row, column = find_largest_weight(run)
    return f"Why does row {row + 1} give row {column + 1} a weight of {run.A[row, column]:.2f}?"


def ask_output(run: Attention) -> str:
    return f"What is the output of row {find_largest_weight(run)[0] + 1}?"


def reading(run: Attention) -> str:
    T, d = run.X.shape
    edited = sum(map(len, run.changed.values()))
    if edited:
        moved = f"**{(run.moved > 1e-9).sum()}** of {plural(T, 'row')} of Y changed"
        sentences = [
            f"You changed {bold_count(edited, 'number')}, and {moved}, by up to **{run.moved.max():.2f}**."
        ]
    else:
        sentences = [f"X is **{T}×{d}**, so E and A are **{T}×{T}**, and Y is **{T}×{d}** like X."]
    sentences.append(describe_largest_weight(run))
    if run.mask and T > 1:
        sentences.append(f"The mask hides **{T * (T - 1) // 2}** of {T * T} scores.")
    return " ".join(sentences)


def describe_largest_weight(run: Attention) -> str:
    """Describe which row gives the largest weight to which row, or how many weights are tied."""
    if len(run.X) == 1:
        return "A single row can only attend to itself."
    row, column = find_largest_weight(run)
    largest = run.A[row, column]
    cells = int(((run.A[1:] if run.mask else run.A) > largest - 1e-9).sum())
    which = " from row 2 on" if run.mask else ""
    if cells > 1:
        return f"The largest weight{which} is **{largest:.2f}**; **{cells}** cells of A have it."
    return (
        f"The largest weight{which} is **{largest:.2f}**: row **{row + 1}** gives it to row **{column + 1}**."
    )
