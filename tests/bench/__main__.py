"""Measure the budgets and print them as a table: `python -m tests.bench`. Times are compared within one run.

`--models` or `--page` runs one part, `--cost` measures the CPU time of one event.
`--class` runs many learners at once, for minutes and on all cores; `--long` runs 100 of them for ten minutes.
`--soak` requests new states from one worker for half an hour and measures its memory.
`--real` measures lesson 9 on the real weights, which must be in the cache folder.
`--learn` also trains a model from scratch, which takes about two minutes.
`--of tests.toy` measures the page with the lessons of another module.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator

from tests.bench import cost, crowd, models, page, real, soak
from tests.bench.clock import Row


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the budgets.")
    parser.add_argument("--models", action="store_true", help="only the models")
    parser.add_argument("--page", action="store_true", help="only the page")
    parser.add_argument(
        "--class", dest="crowd", action="store_true", help="only a class: many learners at once"
    )
    parser.add_argument("--cost", action="store_true", help="only the CPU time of one event")
    parser.add_argument(
        "--learners", type=int, metavar="N", help="number of learners (default: 60; with --long 100)"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        metavar="S",
        help=("length of each part of --class (default: 30), of --long (600) or of --soak (1800)"),
    )
    parser.add_argument(
        "--sessions",
        type=int,
        default=2000,
        metavar="N",
        help="sessions before memory is read (default: 2000)",
    )
    parser.add_argument("--long", action="store_true", help="only the long lesson: 100 learners, 10 minutes")
    parser.add_argument(
        "--soak", action="store_true", help="only the memory of one worker that gets ever new states"
    )
    parser.add_argument("--real", action="store_true", help="only lesson 9, on the real weights")
    parser.add_argument("--learn", action="store_true", help="also train a model from scratch")
    parser.add_argument(
        "--of", default="lessons", metavar="MODULE", help="module of the lessons (default: the course)"
    )
    args = parser.parse_args()
    return print_table(chosen_rows(args))


def chosen_rows(args: argparse.Namespace) -> Iterator[Row]:
    if args.real:
        return (yield from real.rows(args.of, args.learners or 60, args.seconds or 60))
    if args.soak:
        return (yield from soak.rows(args.of, args.seconds or 1800))
    if args.long:
        return (yield from crowd.measure_long_lesson(args.of, args.learners or 100, args.seconds or 600))
    if args.crowd:
        return (yield from crowd.rows(args.of, args.learners or 60, args.seconds or 30, args.sessions))
    if args.cost:
        return (yield from cost.rows(args.of))
    everything = args.models == args.page
    if args.models or everything:
        yield from models.rows(learn=args.learn)
    if args.page or everything:
        yield from page.rows(args.of)


def print_table(rows: Iterable[Row]) -> int:
    """Print each row as soon as it is measured; return 1 if any failed."""
    passed = []
    for row in rows:
        print(row, flush=True)
        passed.append(row.passed)
    print(f"{sum(passed)} passed, {len(passed) - sum(passed)} failed")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
