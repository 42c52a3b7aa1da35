"""The drawing with the weights of one word, the sentence, the next word, and a map for every word."""

from lessons.attention.picture.compute import LOOKS, Described
from lessons.attention.pictures import next_word_bars
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.numbers import percent
from lessons.kit.pictures.phrases import bold_word, join_with_and
from lessons.kit.pictures.pixels import PatchMaps, PixelGrid
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.references import differing_positions

GRID_PX = 340


def grid(run: Described) -> PixelGrid:
    return PixelGrid(
        run.cells,
        run.weights[run.t - 1],
        control="drawing",
        changed=run.moved,
        wide=GRID_PX,
        tall=GRID_PX,
        title=f"Your drawing and the attention of word {run.t} (green)",
        description="A grid of 12 × 12 cells to paint. Each patch of 2 × 2 cells has a weight.",
    )


def sentence(run: Described) -> Tokens:
    changed = frozenset(differing_positions(run.plain, run.yours)[1])
    lines = [TokenLine("output" if not run.moved else "original", run.plain, right=run.right[0])]
    if run.moved:
        lines.append(TokenLine("edited", run.yours, changed=changed, right=run.right[1]))
    if run.truth and False in run.right:
        lines.append(TokenLine("right is", run.truth, quiet=True))
    return Tokens(tuple(lines), key="word", current=run.t - 1, wide=500, tall=120, title="The sentence")


def next_words(run: Described) -> Bars:
    return next_word_bars(
        run.next_words,
        run.probabilities[1],
        compare=run.probabilities[0] if run.moved else None,
        compare_names=("edited", "original"),
        wide=500,
        tall=190,
        title=f"Word {run.t}: the most probable words",
    )


def maps(run: Described) -> PatchMaps:
    return PatchMaps(
        run.cells,
        run.weights[: len(run.yours)],
        run.yours,
        current=run.t - 1,
        pick="t",
        wide=900,
        title="The attention of each word",
        description="One small copy of the drawing per word, with the weights of its patches.",
    )


def reading(run: Described) -> str:
    if not run.shapes:
        return (
            f"The grid is empty, but the model writes **{len(run.yours)}** words, because every drawing in"
            " training had a shape. Draw one."
        )
    if not run.yours:
        return f"The model writes nothing for this drawing of **{len(run.shapes)}** shapes."
    word = run.yours[run.t - 1] if run.t <= len(run.yours) else "nothing"
    if run.moved and not run.idle():
        return f"{describe_move(run, word)} {describe_quality(run)}"
    parts = [f"**{share:.2f}** on {name}" for share, name in zip(run.shares, named(run), strict=True)][:3]
    rest = 1 - sum(run.shares)
    parts += [f"{rest:.2f} on the empty patches"] if rest >= 0.005 else []
    return (
        f"While it writes {bold_word(word)}, the model puts a weight of {join_with_and(parts)}."
        f" {describe_quality(run)}"
    )


def named(run: Described) -> list[str]:
    """The shapes with an article: the small cross, shape 2."""
    return [name.replace("a ", "the ", 1) if name.startswith("a ") else name for name in run.shapes]


def describe_move(run: Described, word: str) -> str:
    """Say what the moved weights do to word t."""
    before = run.plain[run.t - 1] if run.t <= len(run.plain) else "nothing"
    if run.look == LOOKS[3]:
        where = "spread the weight of this word over all patches"
    else:
        where = f"gave all weight of this word to {named(run)[LOOKS.index(run.look) - 1]}"
    change = (
        f"the model still writes {bold_word(word)}"
        if word == before
        else f"{bold_word(before)} becomes {bold_word(word)}"
    )
    return f"You {where}: {change}, with a probability of **{run.probabilities[1].max():.2f}**."


def describe_quality(run: Described) -> str:
    figure = f"on unseen drawings **{percent(run.exact_match)}** of the sentences are right"
    if run.truth is None:
        return (
            "This drawing has no right answer: its shapes are not those of the training, or they are placed"
            f" diagonally. For comparison, {figure}."
        )
    is_right = run.right[1]
    return f"The sentence is {'right ✓' if is_right else 'wrong ✗'}; {figure}."
