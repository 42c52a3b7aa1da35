"""Write the tree of a Hugging Face Space: `python -m assets.deploy.space OUT [--push OWNER/NAME]`.

Free Spaces have ZeroGPU, which has its own versions of Python and torch. The card and the requirements in
the tree name these; everything else is the project's. `--push` uploads the tree with the token in HF_TOKEN.
"""

import argparse
import re
import shutil
from pathlib import Path

from huggingface_hub import HfApi, SpaceCard

from lessons.kit import VERSION

ROOT = Path(__file__).parents[2]
PARTS = ("app.py", "lessons", "models", "assets", "CITATION.cff", "LICENSE", "requirements.txt")
UNNEEDED = shutil.ignore_patterns("__pycache__")
NAME = "seq2see/seq2see"  # used in the address of the thumbnail if nothing is pushed
PYTHON_VERSION = "3.12"
TORCH_VERSION = "2.8.0"  # ZeroGPU accepts 2.8 to 2.11
HARDWARE = "zero-a10g"  # the name of ZeroGPU in a card
MODELS = ["HuggingFaceTB/SmolLM2-135M-Instruct"]


def write_tree(out: Path, name: str = NAME) -> None:
    """Write the files of the Space `name` (OWNER/NAME) into a folder."""
    out.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, out / part, ignore=UNNEEDED, dirs_exist_ok=True)
        else:
            shutil.copyfile(source, out / part)
    (out / "README.md").write_text(str(space_card(name)), encoding="utf-8")
    requirements = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    (out / "requirements.txt").write_text(space_requirements(requirements), encoding="utf-8")


def space_card(name: str) -> SpaceCard:
    """The README with the card of a Space on ZeroGPU."""
    card = SpaceCard((ROOT / "README.md").read_text(encoding="utf-8"))
    picture = f"https://huggingface.co/spaces/{name}/resolve/main/assets/readme/steer.webp"
    fields = {
        "python_version": PYTHON_VERSION,
        "thumbnail": picture,
        "header": "mini",
        "suggested_hardware": HARDWARE,
        "models": MODELS,
    }
    for field, value in fields.items():
        card.data[field] = value
    return card


def space_requirements(requirements: str) -> str:
    """The project's requirements with ZeroGPU's torch version, and the package that requests its GPU."""
    pinned, count = re.subn(r"^torch==.*$", f"torch=={TORCH_VERSION}", requirements, flags=re.MULTILINE)
    assert count == 1, "requirements.txt pins torch once"
    return f"{pinned.rstrip()}\nspaces\n"


def push(folder: Path, name: str) -> str:
    """Create the Space if there is none, and replace its files. Return the address of the commit."""
    api = HfApi()
    api.create_repo(name, repo_type="space", space_sdk="gradio", exist_ok=True)
    commit = api.upload_folder(
        repo_id=name,
        repo_type="space",
        folder_path=folder,
        commit_message=f"Seq2See {VERSION}",
        delete_patterns="*",
    )
    return commit.commit_url


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the tree of a Hugging Face Space.")
    parser.add_argument("out", type=Path, help="folder to write to")
    parser.add_argument("--push", metavar="OWNER/NAME", help="also upload it, with the token in HF_TOKEN")
    args = parser.parse_args()
    write_tree(args.out, args.push or NAME)
    print(args.out)
    if args.push:
        print(push(args.out, args.push))


if __name__ == "__main__":
    main()
