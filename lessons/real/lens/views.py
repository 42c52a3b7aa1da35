"""The layer at which a prediction first appears, and the effect of a transplanted vector on the answer."""

from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.curves import Curves, Line
from lessons.kit.pictures.numbers import compact
from lessons.kit.pictures.phrases import describe_change
from lessons.kit.pictures.table import Table
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.real.lens.compute import Lens
from lessons.real.pretrained_model import quote


def prompts(run: Lens) -> Tokens:
    """Both prompts, with outlines around the tokens between which the vector is moved."""
    return Tokens(
        (
            TokenLine("text", run.words, changed=frozenset({run.position - 1})),
            TokenLine("donor", run.donor_words, changed=frozenset({run.donor_position - 1})),
        ),
        key="piece",
        title="The vector of the outlined piece below replaces that of the outlined piece above",
    )


def next_pieces(run: Lens) -> Bars:
    return Bars(
        run.after,
        run.candidates,
        compare=run.before,
        compare_names=("edited", "original"),
        wide=330,
        title=f"Next piece (transplant after layer {run.layer})",
    )


def by_layer(run: Lens) -> Curves:
    """P of both answers by the layer of the transplant."""
    return Curves(
        (
            Line(f"{quote(run.answer)}", run.tried, run.own, "source", points=True),
            Line(f"{quote(run.donor_answer)}", run.tried, run.taken_over, "target", points=True),
        ),
        x_title="layer after which the vector is replaced",
        y_title="P",
        x_range=(0, int(run.layers[-1])),
        y_range=(0, 1),
        current=float(run.layer),
        wide=430,
        title="After which layer is the transplant too late?",
    )


def reading(run: Lens) -> str:
    before = dict(zip(run.candidates, run.before, strict=True))
    after = dict(zip(run.candidates, run.after, strict=True))
    place = (
        f"After layer {run.layer}, you replaced the vector of {quote(run.words[run.position - 1])} by that of"
        f" {quote(run.donor_words[run.donor_position - 1])}."
    )
    own, other = (
        f"P of {quote(word)} {describe_change(compact(before[word]), compact(after[word]))}"
        for word in (run.answer, run.donor_answer)
    )
    if run.donor_answer == run.answer:
        return f"{place} {own}. Both texts have the same answer, so choose another second text."
    return f"{place} {own}. {other}."


def first_layer(run: Lens) -> int:
    """The first layer after which the lens always shows the final prediction."""
    last = run.lens_words[-1]
    return next((n + 1 for n in range(len(run.lens_words) - 1, -1, -1) if run.lens_words[n] != last), 0)


def lens_curve(run: Lens) -> Curves:
    return Curves(
        (
            Line("best piece", run.layers, run.lens_best, "context"),
            Line(f"{quote(run.answer)}", run.layers, run.lens_final, "source", points=True),
        ),
        x_title="layer",
        y_title="P read off the residual stream",
        x_range=(0, int(run.layers[-1])),
        y_range=(0, 1),
        title="The output layer, applied after every layer",
    )


def lens_table(run: Lens) -> Table:
    rows = tuple(
        (str(n), word, compact(best), compact(final))
        for n, word, best, final in zip(
            run.layers, run.lens_words, run.lens_best, run.lens_final, strict=True
        )
        if n % 2 == 0
    )
    return Table(
        ("layer", "best piece", "its P", f"P of {quote(run.answer)}"),
        rows,
        key="layer",
        title="Every second layer",
    )


def ask_lens(run: Lens) -> str:
    return f"After which layer does the model already know {quote(run.answer)}?"


def lens_sentence(run: Lens) -> str:
    first, last = first_layer(run), int(run.layers[-1])
    when = f"Only after the last layer, **{last}**," if first == last else f"From layer **{first}** on,"
    return f"{when} the lens shows the answer {quote(run.answer)}."
