"""Download files from the Hugging Face hub, from a URL, or with pip, and check their sha256."""

import hashlib
import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from tqdm import tqdm

from models.dynamic_types import Setting

Progress = Callable[
    [str, int, int], None
]  # called with the stage, the bytes so far and the total bytes (0: unknown)
CHUNK_BYTES = 1 << 20
TIMEOUT_SECONDS = 20
POLL_SECONDS = 0.5
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
    progress(f"Connecting to {urlsplit(url).hostname}", 0, 0)
    try:
        answer = urlopen(request, timeout=TIMEOUT_SECONDS)
    except HTTPError as error:
        if error.code != RANGE_NOT_SATISFIABLE:  # status 416 means that the whole file is already here
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
        part.unlink()  # delete a corrupt file, so that it is never resumed
        raise
    part.rename(target)


def _read(answer: io.BufferedIOBase) -> bytes:
    """Read the next bytes of a response; empty if the connection is lost."""
    try:
        return answer.read(CHUNK_BYTES)
    except OSError:
        return b""


def fetch_with_pip(requirement: str, target: Path, sha256: str, size: int, progress: Progress) -> None:
    """Download the wheel of a requirement to `target`, from pip's configured package index.

    pip reports no progress to another program: the bytes are counted in its temporary folder.
    """
    stage = f"Downloading {requirement} with pip"
    options = ["--quiet", "--no-deps", "--dest", str(target.parent)]
    command = [sys.executable, "-m", "pip", "download", *options, requirement]
    with TemporaryDirectory(dir=target.parent, prefix=".pip-") as temporary:
        environment = os.environ | {"TMPDIR": temporary}
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment
        ) as process:
            errors = None
            try:
                while errors is None:
                    progress(stage, min(folder_bytes(Path(temporary)), size), size)
                    try:
                        _, errors = process.communicate(timeout=POLL_SECONDS)
                    except subprocess.TimeoutExpired:
                        continue
            except BaseException:  # such as Ctrl-C: do not wait for pip
                process.kill()
                raise
    if process.returncode or not target.exists():
        reason = (errors.strip() or "no such file").splitlines()[-1]
        raise PretrainedError(f"{requirement} cannot be downloaded: {reason}")
    progress(stage, size, size)
    try:
        check_sha256(target, sha256)
    except PretrainedError:
        target.unlink()
        raise


def folder_bytes(folder: Path) -> int:
    """Bytes of all files in a folder. Files that are deleted meanwhile count as empty."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:
            continue
    return total


def check_hub() -> None:
    """Raise OSError at once if the hub cannot be reached. huggingface_hub would try for half a minute."""
    from huggingface_hub.constants import ENDPOINT  # slow to import, and needed only here

    try:
        urlopen(Request(ENDPOINT, method="HEAD"), timeout=TIMEOUT_SECONDS).close()
    except HTTPError:
        return  # even an HTTP error shows that the hub can be reached


def fetch_from_hub(
    repository: str, file: str, revision: str | None, sha256: str | None, progress: Progress
) -> Path:
    """Download one file of a model into the hub's cache, resuming an interrupted download."""
    from huggingface_hub import hf_hub_download, try_to_load_from_cache  # slow to import

    if not isinstance(try_to_load_from_cache(repository, file, revision=revision), str):
        progress("Connecting to the hub", 0, 0)
        check_hub()

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
