"""`python -m tests.bench`: the project's budgets as a table. Times are noisy, so what matters is compared within one run.

With `--learn` it also trains a model from nothing, which takes about two minutes.
"""

import sys

from tests.bench import models


def main() -> int:
    rows = []
    for row in models.rows(learn="--learn" in sys.argv):
        print(row, flush=True)
        rows.append(row)
    failed = sum(not row.passed for row in rows)
    print(f"{len(rows) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
