"""Record the runs of lesson 9 with the real weights: `python -m lessons.real`, or only some experiments."""

import gzip
import json
import sys

from lessons.kit.contract import state_key
from lessons.real import LESSON, RECORDED
from lessons.real.pretrained_model import is_available
from lessons.real.recordings import COMMAND, FOLDER, states_of, to_json


def main() -> None:
    if not is_available():
        raise SystemExit(f"The real weights are needed to record them: {COMMAND}")
    FOLDER.mkdir(exist_ok=True)
    slugs = sys.argv[1:] or [experiment.slug for experiment in RECORDED]
    for experiment in map(LESSON.experiment, slugs):
        runs = {state_key(state): to_json(experiment.compute(**state)) for state in states_of(experiment)}
        body = json.dumps(runs, ensure_ascii=False, separators=(",", ":")).encode()
        (FOLDER / f"{experiment.slug}.json.gz").write_bytes(gzip.compress(body, mtime=0))
        print(experiment.slug, len(runs), "runs")


if __name__ == "__main__":
    main()
