"""The five scores as products of matrices, and their parameters."""

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.numbers import bold_count, compact, percent, plural
from lessons.kit.pictures.phrases import join_with_and
from lessons.scores.sizes.compute import MAX_SIZE, Sizes
from lessons.scores.sizes.matrix_shapes import Expression, Factor, MatrixShapes

MAX_PARAMETERS = MAX_SIZE * (2 * MAX_SIZE + 1)  # additive score with all sizes at their maximum


def expressions(run: Sizes) -> MatrixShapes:
    s, s_row = Factor("s", run.d_2, 1, "target"), Factor("sᵀ", 1, run.d_2, "target")
    h, h_row = Factor("h_i", run.d_1, 1, "source"), Factor("h_{i}ᵀ", 1, run.d_1, "source")
    rows = []
    for name, shapes, reason, count in zip(run.scores, run.shapes, run.reasons, run.parameters, strict=True):
        factors = {
            key: Factor(key, shape[0] if len(shape) == 2 else 1, shape[-1])
            for key, shape in (shapes or {}).items()
        }
        terms: tuple[Factor | str, ...]
        if name == "additive":
            v = Factor("v_{a}ᵀ", 1, factors["v"].columns)
            terms = (v, "tanh (", factors["W_1"], h, "+", factors["W_2"], s, ")")
        elif name == "scaled bilinear":
            terms = (h_row, Factor("W_g", factors["W"].rows, factors["W"].columns), s, "/ √m")
        elif name == "bilinear":
            terms = (s_row, factors["W"], h)
        else:
            terms = (s_row, h, "/ √d" if "scaled" in name else "")
        note = reason.replace("h_i", "hᵢ").replace(" 1 dimensions", " 1 dimension") or count_parameters(count)
        rows.append(Expression(name, terms, note, shapes is not None))
    return MatrixShapes(tuple(rows), title="Each factor with its size: do the sizes fit?")


def count_parameters(count: int | None) -> str:
    return plural(count, "parameter") if count else "no parameters"


def reading(run: Sizes) -> str:
    counts = dict(zip(run.scores, run.parameters, strict=True))
    undefined = [f"**{name}**" for name, count in counts.items() if count is None]
    defined = len(counts) - len(undefined)
    bilinear, additive = counts["bilinear"] or 0, counts["additive"] or 0
    ratio = additive / bilinear
    sizes = f"If keys have size **{run.d_1}** and queries have size **{run.d_2}**"
    sentences = [
        f"{sizes}, {join_with_and(undefined)} cannot be computed; the other **{defined}** scores can."
        if undefined
        else f"{sizes}, all **{defined}** scores can be computed. The dot products have no parameters.",
        f"The bilinear score has d₁ · d₂ = {bold_count(bilinear, 'parameter')}.",
        f"The additive score has d₃ · (d₁ + d₂ + 1) = {bold_count(additive, 'parameter')}, "
        + (f"**{compact(ratio)}** times as many." if ratio >= 1 else f"**{percent(ratio)}** of that number."),
    ]
    return " ".join(sentences)


def parameters(run: Sizes) -> Bars:
    return Bars(
        [float("nan") if count is None else count for count in run.parameters],
        run.scores,
        role="weight",
        top=MAX_PARAMETERS,
        digits=0,
        keys=tuple(f"score:{n}" for n in range(len(run.scores))),
        title="Parameters (hatched: not defined)",
    )
