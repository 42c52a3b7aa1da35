"""Byte-pair encoding: split text into frequent byte sequences (lesson `basics`, experiment `tokens`).

`python -m models.bpe` learns the merges from text that the course generates and writes assets/bpe.json.
Sennrich, Haddow, Birch 2016 (arXiv:1508.07909); on bytes, not characters: Radford et al. 2019 (GPT-2).
"""

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path

PATH = Path(__file__).parents[1] / "assets" / "bpe.json"
MERGES = 1000
# Merges never cross chunks. A chunk is letters, digits or marks with the space before them, or white space.
CHUNK = re.compile(r" ?[^\W\d_]+| ?\d+| ?(?:[^\w\s]|_)+|\s+(?!\S)|\s+")

Pieces = tuple[bytes, ...]


@dataclass(frozen=True)
class Merge:
    """A pair of pieces merged into one; `count` is the pair's frequency at that point of training."""

    left: bytes
    right: bytes
    count: int

    @property
    def piece(self) -> bytes:
        return self.left + self.right


def chunks(text: str) -> list[bytes]:
    """Split a text into chunks of UTF-8 bytes. A lone surrogate becomes a question mark."""
    return [chunk.encode("utf-8", "replace") for chunk in CHUNK.findall(text)]


def single_bytes(chunk: bytes) -> Pieces:
    return tuple(bytes([byte]) for byte in chunk)


def merge_pair(pieces: Pieces, left: bytes, right: bytes) -> Pieces:
    """Merge each neighbouring pair (left, right) into one piece, going from left to right."""
    merged: list[bytes] = []
    i = 0
    while i < len(pieces):
        if pieces[i : i + 2] == (left, right):
            merged.append(left + right)
            i += 2
        else:
            merged.append(pieces[i])
            i += 1
    return tuple(merged)


def learn_merges(counts: Mapping[bytes, int], number: int) -> tuple[Merge, ...]:
    """Merge the most frequent pair, count again, and so on; ties go to the pair that sorts first by bytes.

    `counts`: how often each chunk occurs in the training text.
    """
    chunks = {chunk: single_bytes(chunk) for chunk in counts}
    pairs = Counter[tuple[bytes, bytes]]()
    for chunk, pieces in chunks.items():
        for pair in pairwise(pieces):
            pairs[pair] += counts[chunk]
    merges: list[Merge] = []
    while len(merges) < number and pairs:
        (left, right), count = min(pairs.items(), key=lambda item: (-item[1], item[0]))
        merges.append(Merge(left, right, count))
        for chunk, pieces in chunks.items():
            if left + right not in chunk:
                continue
            after = merge_pair(pieces, left, right)
            if after != pieces:
                for pair in pairwise(pieces):
                    pairs[pair] -= counts[chunk]
                for pair in pairwise(after):
                    pairs[pair] += counts[chunk]
                chunks[chunk] = after
        pairs = +pairs  # unary plus drops pairs with count 0
    return tuple(merges)


@dataclass(frozen=True)
class BytePairEncoder:
    """Splits any text into the pieces of its vocabulary: the 256 bytes and one piece per merge."""

    merges: tuple[Merge, ...]

    @cached_property
    def ranks(self) -> dict[tuple[bytes, bytes], int]:
        return {(merge.left, merge.right): rank for rank, merge in enumerate(self.merges)}

    @property
    def vocabulary_size(self) -> int:
        return 256 + len({merge.piece for merge in self.merges})

    def next_merge(self, text: Iterable[Pieces]) -> int | None:
        """The rank of the first merge that applies to a text (chunks of pieces), or None."""
        ranks = (self.ranks.get(pair) for pieces in text for pair in pairwise(pieces))
        return min((rank for rank in ranks if rank is not None), default=None)

    def play(self, text: str) -> list[tuple[int, tuple[Pieces, ...]]]:
        """List every merge that changes the text, in order: its rank and the resulting chunks of pieces."""
        state = tuple(map(single_bytes, chunks(text)))
        steps: list[tuple[int, tuple[Pieces, ...]]] = []
        while (rank := self.next_merge(state)) is not None:
            merge = self.merges[rank]
            state = tuple(merge_pair(pieces, merge.left, merge.right) for pieces in state)
            steps.append((rank, state))
        return steps

    def encode(self, text: str) -> Pieces:
        """Split a text into pieces by applying all merges."""
        steps = self.play(text)
        final = steps[-1][1] if steps else tuple(map(single_bytes, chunks(text)))
        return tuple(piece for pieces in final for piece in pieces)


@cache
def load(path: Path = PATH) -> BytePairEncoder:
    """Load the shipped encoder."""
    rows = json.loads(path.read_text(encoding="utf-8"))["merges"]
    return BytePairEncoder(
        tuple(Merge(left.encode("latin-1"), right.encode("latin-1"), count) for left, right, count in rows)
    )


# ---- training text ----


def prose(tokens: Iterable[str]) -> str:
    """Join tokens as printed text: no space before punctuation, a capital letter after a full stop."""
    text = re.sub(r" ([,.?:)”])", r"\1", re.sub(r"([(“]|(?<=\w)') ", r"\1", " ".join(tokens)))
    return re.sub(r"(^|[.?] )(\w)", lambda found: found[1] + found[2].upper(), text)


def training_text(seed: int = 0) -> list[str]:
    """Generate the training texts: stories, sentences in English and French, and numbers."""
    from models.tasks.stories import STORIES
    from models.tasks.translation import TRANSLATION

    rng = random.Random(f"bpe {seed}")
    stories = [prose(story) for story in STORIES.documents("train", 1500, seed)]
    pairs = [TRANSLATION.draw(rng, TRANSLATION.lengths) for _ in range(4000)]
    numbers = [f" {round(10 ** rng.uniform(0, 5))}" for _ in range(1500)]
    years = [f" {rng.randint(1900, 2030)}" for _ in range(1500)]
    return [
        *stories,
        *(prose(side) for pair in pairs for side in (pair.source, pair.target)),
        *numbers,
        *years,
    ]


def main() -> None:
    counts = Counter(chunk for text in training_text() for chunk in chunks(text))
    merges = learn_merges(counts, MERGES)
    rows = [[merge.left.decode("latin-1"), merge.right.decode("latin-1"), merge.count] for merge in merges]
    PATH.write_text('{"merges": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]}\n", encoding="utf-8")
    print(f"{len(rows)} merges in {PATH.name}, learned from {counts.total():,} chunks")


if __name__ == "__main__":
    main()
