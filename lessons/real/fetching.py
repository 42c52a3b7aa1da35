"""A job that downloads the real weights, if the server's owner allows it with SEQ2SEE_FETCH=1."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from lessons.kit.contract import Compute, InputError, Job, Result, State
from lessons.real.pretrained_model import is_available
from lessons.real.recordings import FETCH, is_fetching_allowed
from models import pretrained

POLL_SECONDS = 1.0
CONVERT_SHARE = 0.1  # part of the progress bar for converting the weights, which reports no progress


def fetch_job(compute: Compute) -> Job | None:
    """The download job of an experiment; None if it is not allowed or the weights are available."""
    if not is_fetching_allowed() or is_available():
        return None

    def fetch(**state: State) -> Iterator[tuple[float, Result]]:
        """Yield the recorded run while the weights are downloaded, then a live run."""
        share = 0.0

        def note(stage: str, done: int, total: int) -> None:
            nonlocal share
            share = (1 - CONVERT_SHARE) * (done / total if total else float(share > 0))

        with ThreadPoolExecutor(1) as pool:
            fetched = pool.submit(pretrained.get, progress=note)
            while not fetched.done():
                yield share, compute(**state)
                time.sleep(POLL_SECONDS)
        try:
            fetched.result()
        except (pretrained.PretrainedError, OSError) as error:
            raise InputError(f"The weights could not be fetched: {error}") from error
        yield 1.0, compute(**state)

    return Job(FETCH, fetch)
