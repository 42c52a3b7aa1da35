"""The drawing with the weights of one word, the sentence, the next word, and a map for every word."""

from lessons.attention.picture.compute import LOOKS, Described
from lessons.attention.pictures import next_word_bars
from lessons.kit.checkpoints import Words
from lessons.kit.language import translate, translate_plural
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.numbers import percent
from lessons.kit.pictures.phrases import bold_word, join_with_and
from lessons.kit.pictures.pixels import PatchMaps, PixelGrid
from lessons.kit.pictures.tokens import TokenLine, Tokens
from lessons.kit.references import differing_positions

GRID_PX = 340
SHAPES = {  # name in the sentence → in a reading
    "a small square": "the small square",
    "a large square": "the large square",
    "a small frame": "the small frame",
    "a large frame": "the large frame",
    "a small cross": "the small cross",
    "a large cross": "the large cross",
    "a small triangle": "the small triangle",
    "a large triangle": "the large triangle",
}


def grid(run: Described) -> PixelGrid:
    return PixelGrid(
        run.cells,
        run.weights[run.t - 1],
        control="drawing",
        changed=run.moved,
        wide=GRID_PX,
        tall=GRID_PX,
        title=translate("Your drawing and the attention of word {t} (green)", t=run.t),
        description=translate("A grid of 12 × 12 cells to paint. Each patch of 2 × 2 cells has a weight."),
    )


def sentence(run: Described) -> Tokens:
    changed = frozenset(differing_positions(run.plain, run.yours)[1])
    name = "original" if run.moved else "output"
    lines = [TokenLine(translate(name), run.plain, right=run.right[0])]
    if run.moved:
        lines.append(TokenLine(translate("edited"), run.yours, changed=changed, right=run.right[1]))
    if run.truth and False in run.right:
        lines.append(TokenLine(translate("right is"), run.truth, quiet=True))
    title = translate("The sentence")
    return Tokens(tuple(lines), key="word", current=run.t - 1, wide=500, tall=120, title=title)


def next_words(run: Described) -> Bars:
    return next_word_bars(
        run.next_words,
        run.probabilities[1],
        compare=run.probabilities[0] if run.moved else None,
        compare_names=(translate("edited"), translate("original")),
        wide=500,
        tall=190,
        title=translate("Word {t}: the most probable words", t=run.t),
    )


def maps(run: Described) -> PatchMaps:
    return PatchMaps(
        run.cells,
        run.weights[: len(run.yours)],
        run.yours,
        current=run.t - 1,
        pick="t",
        wide=900,
        title=translate("The attention of each word"),
        description=translate("One small copy of the drawing per word, with the weights of its patches."),
    )


def reading(run: Described) -> str:
    if not run.shapes:
        return translate(
            "The grid is empty, but the model writes **{n}** words, because every drawing in training had a"
            " shape. Draw one.",
            n=len(run.yours),
        )
    if not run.yours:
        return translate_plural(
            "The model writes nothing for this drawing of **{n}** shape.",
            "The model writes nothing for this drawing of **{n}** shapes.",
            len(run.shapes),
        )
    word = word_or_nothing(run.yours, run.t)
    if run.moved and not run.idle():
        return f"{describe_move(run, word)} {describe_quality(run)}"
    parts = [
        translate("**{weight:.2f}** on {shape}", weight=share, shape=name)
        for share, name in zip(run.shares, named(run), strict=True)
    ][:3]
    rest = 1 - sum(run.shares)
    parts += [translate("{weight:.2f} on the empty patches", weight=rest)] if rest >= 0.005 else []
    template = "While it writes {word}, the model puts a weight of {parts}."
    return f"{translate(template, word=word, parts=join_with_and(parts))} {describe_quality(run)}"


def word_or_nothing(words: Words, t: int) -> str:
    """The t-th word, from 1, or “nothing” after the end of the sentence."""
    return bold_word(words[t - 1] if t <= len(words) else translate("nothing"))


def named(run: Described) -> list[str]:
    """The shapes with an article: the small cross, shape 2."""
    return [
        translate(SHAPES[name]) if name in SHAPES else translate("shape {n}", n=name.removeprefix("shape "))
        for name in run.shapes
    ]


def describe_move(run: Described, word: str) -> str:
    """Say what the moved weights do to word t."""
    before = word_or_nothing(run.plain, run.t)
    if run.look == LOOKS[3]:
        move = translate("You spread the weight of this word over all patches:")
    else:
        shape = named(run)[LOOKS.index(run.look) - 1]
        move = translate("You gave all weight of this word to {shape}:", shape=shape)
    template = (
        "the model still writes {word}, with a probability of **{p:.2f}**."
        if word == before
        else "{before} becomes {word}, with a probability of **{p:.2f}**."
    )
    return f"{move} {translate(template, word=word, before=before, p=run.probabilities[1].max())}"


def describe_quality(run: Described) -> str:
    template = {
        None: "This drawing has no right answer: its shapes are not those of the training, or they are placed"
        " diagonally. For comparison, on unseen drawings **{right}** of the sentences are right.",
        True: "The sentence is right ✓; on unseen drawings **{right}** of the sentences are right.",
        False: "The sentence is wrong ✗; on unseen drawings **{right}** of the sentences are right.",
    }[None if run.truth is None else run.right[1]]
    return translate(template, right=percent(run.exact_match))
