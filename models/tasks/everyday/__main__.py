"""Commands for readers of the grammar: `draw N`, `coverage FILE`, `vocabulary`."""

import argparse
import random
from collections import Counter
from pathlib import Path

from models.tasks.everyday import EVERYDAY
from models.tasks.everyday import vocabulary as words
from models.tasks.everyday.reader import read_english


def print_pairs(count: int, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(count):
        pair = EVERYDAY.draw(rng, EVERYDAY.lengths)
        print(" ".join(pair.source), "|||", " ".join(pair.target))


def print_coverage(path: Path) -> None:
    """Print the fraction of words in a file that the vocabulary contains, and the words that are missing."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    tokens = [token for line in lines for token in read_english(line)]
    unknown = Counter(token for token in tokens if token not in EVERYDAY.source)
    known = 1 - unknown.total() / len(tokens)
    print(f"{len(lines)} sentences, {len(tokens)} words, {known:.1%} known")
    print(
        "unknown:",
        ", ".join(f"{word} ({count})" if count > 1 else word for word, count in unknown.most_common())
        or "none",
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m models.tasks.everyday", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    draw = commands.add_parser("draw", help="print random pairs, one per line: english ||| french")
    draw.add_argument("count", type=int)
    draw.add_argument("--seed", type=int, default=0)
    coverage = commands.add_parser("coverage", help="print how many words of a text file are known")
    coverage.add_argument("file", type=Path)
    commands.add_parser("vocabulary", help="draw sentences and write the table of forms")
    options = parser.parse_args()
    if options.command == "draw":
        print_pairs(options.count, options.seed)
    elif options.command == "coverage":
        print_coverage(options.file)
    else:
        words.write_vocabulary()


if __name__ == "__main__":
    main()
