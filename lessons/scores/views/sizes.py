"""Which scores fit which sizes."""

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.numbers import compact, counted
from lessons.scores.compute.sizes import LARGEST, Sizes
from lessons.scores.shapes import Expression, Factor, Shapes


def expressions(run: Sizes) -> Shapes:
    s, s_row = Factor("s", run.d_2, 1, "target"), Factor("sᵀ", 1, run.d_2, "target")
    h, h_row = Factor("h_i", run.d_1, 1, "source"), Factor("h_{i}ᵀ", 1, run.d_1, "source")
    rows = []
    for name, shapes, reason in zip(run.scores, run.shapes, run.reasons, strict=True):
        made = {
            key: Factor(key, shape[0] if len(shape) == 2 else 1, shape[-1])
            for key, shape in (shapes or {}).items()
        }
        terms: tuple[Factor | str, ...]
        if name == "additive":
            v = Factor("v_{a}ᵀ", 1, made["v"].columns)
            terms = (v, "tanh (", made["W_1"], h, "+", made["W_2"], s, ")")
        elif name == "scaled bilinear":
            terms = (h_row, Factor("W_g", made["W"].rows, made["W"].columns), s, "/ √m")
        elif name == "bilinear":
            terms = (s_row, made["W"], h)
        else:
            terms = (s_row, h, "/ √d" if "scaled" in name else "")
        note = reason.replace("h_i", "hᵢ").replace(" 1 numbers", " 1 number") or to_learn(
            run.parameters[run.scores.index(name)]
        )
        rows.append(Expression(name, terms, note, shapes is not None))
    return Shapes(tuple(rows), title="Every factor as large as it is: do they fit?")


def to_learn(count: int | None) -> str:
    return f"{count:,} number{'' if count == 1 else 's'} to learn" if count else "nothing to learn"


def reading(run: Sizes) -> str:
    missing = [name for name, count in zip(run.scores, run.parameters, strict=True) if count is None]
    counts = {
        name: count for name, count in zip(run.scores, run.parameters, strict=True) if count is not None
    }
    said = f"Keys of {counted(run.d_1, 'number')}, queries of **{run.d_2}**: "
    if missing:
        said += (
            f"{' and '.join(f'**{name}**' for name in missing)} are not defined, the other **{len(counts)}**"
            " are. "
        )
    else:
        said += f"all **{len(counts)}** scores are defined, and the dot products have nothing to learn. "
    bilinear, additive = counts["bilinear"], counts["additive"]
    said += f"Bilinear learns d₁ · d₂ = **{bilinear:,}**, additive d₃ · (d₁ + d₂ + 1) = **{additive:,}**"
    ratio = additive / bilinear
    return said + (f", **{compact(ratio)}** times as many." if ratio >= 1 else f", **{ratio:.2f}** of that.")


def parameters(run: Sizes) -> Bars:
    most = LARGEST * (2 * LARGEST + 1)  # additive, with all sizes at their largest
    counts = [float("nan") if count is None else count for count in run.parameters]
    keys = tuple(f"score:{n}" for n in range(len(run.scores)))
    return Bars(
        counts,
        run.scores,
        role="weight",
        top=most,
        digits=0,
        keys=keys,
        title="Numbers to learn (hatched: not defined)",
    )
