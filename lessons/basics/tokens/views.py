"""The four ways to split a text, the next merges, and the number of tokens."""

from collections.abc import Sequence

import numpy as np

from lessons.basics.tokens.compute import SENTENCES, SPELLINGS, Split, Words, spelled, visible, written
from lessons.kit.pictures.bars import Bars
from lessons.kit.pictures.numbers import bold_count, plural
from lessons.kit.pictures.table import Table
from lessons.kit.pictures.tokens import TokenLine, Tokens

DARKEST_BYTES = 6  # bytes of a token drawn in full colour


def boxed(label: str, words: Words, sizes: Sequence[int], joined: tuple[int, ...] = ()) -> TokenLine:
    """A line of tokens; tokens with more bytes are darker."""
    notes = tuple(f"{word}: {plural(size, 'byte')}" for word, size in zip(words, sizes, strict=True))
    return TokenLine(label, words, values=sizes, notes=notes, changed=frozenset(joined))


def splits(run: Split) -> Tokens:
    return Tokens(
        (
            boxed("words", run.words, run.bytes_of["words"]),
            boxed("pieces", run.pieces, run.bytes_of["pieces"], run.joined),
            boxed("characters", run.characters, run.bytes_of["characters"]),
        ),
        role="source",
        top=DARKEST_BYTES,
        key="token",
        title=(
            f"The same text in words, pieces (after {plural(run.merge, 'merge')}) and characters; colour:"
            " bytes per token"
        ),
        description=(
            "A piece that the last merge made has a heavy outline. ␣ is a space, ‹F0› a byte of a longer"
            " character."
        ),
    )


def upcoming(run: Split) -> Table:
    rows = tuple(
        (f"{m.rank:,}", f"{m.left} + {m.right}", m.piece, f"{m.count:,}", f"{m.times}") for m in run.upcoming
    ) or (("–", "no merge left", "–", "–", "–"),)
    return Table(
        ("merge", "pair", "becomes", "times in training", "times here"),
        rows,
        key="merge",
        title="The next merges in this text",
    )


def reading(run: Split) -> str:
    said = (
        f"Your text has {bold_count(len(run.words), 'word')} and {bold_count(run.byte_count, 'byte')}. After"
        f" **{run.merge}** of {plural(run.merges, 'merge')}, the text consists of"
        f" {bold_count(len(run.pieces), 'piece')}. "
    )
    if run.last:
        said += (
            f"The last merge joined “{run.last.left}” and “{run.last.right}”, a pair that occurred"
            f" **{run.last.count:,}** times in the training text. "
        )
    else:
        said += "Without merges, every piece is one byte. "
    unknown = run.known.count(False)
    if unknown:
        said += (
            f"**{unknown}** of your words {'is' if unknown == 1 else 'are'} not in a vocabulary of"
            f" {run.vocabulary_sizes['words']} words, but pieces can spell every word."
        )
    return said.strip()


def bytes_below(run: Split) -> Tokens:
    shown, of = run.hexadecimal
    notes = tuple(f"a byte of {visible(c)}" for c in of)
    line = TokenLine("bytes", shown, values=[len(c.encode("utf-8", "replace")) for c in of], notes=notes)
    count = plural(len(run.characters), "character")
    title = f"{plural(run.byte_count, 'byte')} for {count}, in hexadecimal (colour: bytes per character)"
    return Tokens((line,), role="source", top=4, key="byte", title=title)


def strange_word(run: Split) -> Table:
    word = run.strangest
    sizes = run.vocabulary_sizes
    if word is None:
        rows: tuple[tuple[str, ...], ...] = (("words", "all words are known", f"{sizes['words']:,}"),)
    else:
        parts = " · ".join(run.strangest_pieces)
        rows = (
            ("words", "<unk>", f"{sizes['words']:,}"),
            ("characters", " · ".join(word), "every character there is"),
            ("bytes", plural(len(word.encode("utf-8", "replace")), "byte"), f"{sizes['bytes']:,}"),
            ("pieces", parts, f"{sizes['pieces']:,}"),
        )
    title = f"What “{word}” becomes" if word else "No word is unknown"
    return Table(("scheme", "the word becomes", "size of the vocabulary"), rows, key="scheme", title=title)


def ask_unknown(run: Split) -> str:
    return (
        f"What becomes of “{run.strangest}”, an unknown word?"
        if run.strangest
        else "What becomes of an unknown word?"
    )


def per_word(run: Split) -> Bars:
    return Bars(
        run.per_word,
        tuple(SENTENCES),
        role="source",
        top=float(np.ceil(run.per_word.max())),
        digits=1,
        title="Pieces per word of the same sentence, after all merges",
    )


def spellings(_: Split) -> Tokens:
    lines = tuple(
        boxed(f"“{visible(text)}”", tuple(map(written, pieces)), tuple(map(len, pieces)))
        for text, pieces in zip(SPELLINGS, spelled(), strict=True)
    )
    title = "Pieces of numbers, spaces and capitals after all merges (colour: bytes per piece)"
    return Tokens(lines, role="source", top=DARKEST_BYTES, key="piece", title=title)
