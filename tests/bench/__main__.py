"""`python -m tests.bench`: the project's budgets as a table. Times are noisy, so what matters is compared within one run.

`--models` or `--page` runs one part. With `--learn` it also trains a model from nothing, which takes about two minutes.
`--of tests.toy` measures the page with the lessons of another module.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator

from tests.bench import models, page
from tests.bench.clock import Row


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the budgets.")
    parser.add_argument("--models", action="store_true", help="only the models")
    parser.add_argument("--page", action="store_true", help="only the page")
    parser.add_argument("--learn", action="store_true", help="also train a model from nothing")
    parser.add_argument("--of", default="lessons", metavar="MODULE", help="whose lessons the page shows (default: the course)")
    args = parser.parse_args()
    return table(chosen(args))


def chosen(args: argparse.Namespace) -> Iterator[Row]:
    everything = args.models == args.page
    if args.models or everything:
        yield from models.rows(learn=args.learn)
    if args.page or everything:
        yield from page.rows(args.of)


def table(rows: Iterable[Row]) -> int:
    """Prints each row as it comes; 1 if one failed."""
    passed = []
    for row in rows:
        print(row, flush=True)
        passed.append(row.passed)
    print(f"{sum(passed)} passed, {len(passed) - sum(passed)} failed")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
