"""`python -m tests.bench`: the project's budgets as a table. Times are noisy, so what matters is compared within one run.

`--models` or `--page` runs one part, `--cost` tells the CPU of one event.
`--class` has many learners at once, which takes minutes and both cores; `--long` has 100 of them for ten minutes.
`--soak` asks one worker for other states all the time, for half an hour, and reads its memory.
With `--learn` it also trains a model from nothing, which takes about two minutes.
`--of tests.toy` measures the page with the lessons of another module.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator

from tests.bench import cost, crowd, models, page, soak
from tests.bench.clock import Row


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the budgets.")
    parser.add_argument("--models", action="store_true", help="only the models")
    parser.add_argument("--page", action="store_true", help="only the page")
    parser.add_argument(
        "--class", dest="crowd", action="store_true", help="only a class: many learners at once"
    )
    parser.add_argument("--cost", action="store_true", help="only the CPU that one event takes")
    parser.add_argument(
        "--learners", type=int, metavar="N", help="of a class (default: 60; of a long lesson: 100)"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        metavar="S",
        help=(
            "that a class learns in each part (default: 30), the long lesson lasts (600), or the soak (1800)"
        ),
    )
    parser.add_argument(
        "--sessions", type=int, default=2000, metavar="N", help="after which memory is read (default: 2000)"
    )
    parser.add_argument(
        "--long", action="store_true", help="of a class, only the long lesson: 100 learners, 10 minutes"
    )
    parser.add_argument(
        "--soak", action="store_true", help="only the memory of one worker that never sees a state twice"
    )
    parser.add_argument("--learn", action="store_true", help="also train a model from nothing")
    parser.add_argument(
        "--of", default="lessons", metavar="MODULE", help="whose lessons the page shows (default: the course)"
    )
    args = parser.parse_args()
    return table(chosen(args))


def chosen(args: argparse.Namespace) -> Iterator[Row]:
    if args.soak:
        return (yield from soak.rows(args.of, args.seconds or 1800))
    if args.long:
        return (yield from crowd.long_lesson(args.of, args.learners or 100, args.seconds or 600))
    if args.crowd:
        return (yield from crowd.rows(args.of, args.learners or 60, args.seconds or 30, args.sessions))
    if args.cost:
        return (yield from cost.rows(args.of))
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
