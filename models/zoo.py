"""Save trained models with a card that describes them; load them and check them against the card."""

import dataclasses
import hashlib
import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from safetensors import SafetensorError
from safetensors.torch import load as read_tensors
from safetensors.torch import save as write_tensors
from torch import nn

from models.dynamic_types import AnyModel, Json, Settings
from models.language_model import (
    AttentionLanguageModel,
    AttentionLanguageModelConfig,
    LanguageModel,
    LanguageModelConfig,
)
from models.probe import LinearProbe, ProbeConfig
from models.seq2seq import Seq2Seq, Seq2SeqConfig
from models.tasks import vocabularies
from models.transformer import Transformer, TransformerConfig
from models.transformer_lm import TransformerLM, TransformerLMConfig
from models.word_sense import SenseConfig, SenseEncoder

if TYPE_CHECKING:
    from models.recipes import Recipe

RNG_LOCK = threading.Lock()  # building a model seeds torch's global generator
CHECKPOINTS = Path(__file__).parent.parent / "assets" / "checkpoints"

KINDS: dict[str, tuple[type, type[nn.Module]]] = {
    "seq2seq": (Seq2SeqConfig, Seq2Seq),
    "transformer": (TransformerConfig, Transformer),
    "language model": (LanguageModelConfig, LanguageModel),
    "language model with attention": (AttentionLanguageModelConfig, AttentionLanguageModel),
    "transformer language model": (TransformerLMConfig, TransformerLM),
    "sense": (SenseConfig, SenseEncoder),
    "probe": (ProbeConfig, LinearProbe),
}

Translator = Seq2Seq | Transformer
Storyteller = LanguageModel | TransformerLM


class CheckpointError(RuntimeError):
    """Raised if a checkpoint is missing, broken or does not match its card. Learners also see the message."""

    def __init__(self, name: str, fault: str):
        self.name, self.fault, self.command = name, fault, f"python -m models.train {name}"
        super().__init__(f"The model “{name}” {fault}. This command trains it again: {self.command}")

    def __reduce__(self) -> tuple[type, tuple[str, str]]:  # to pickle an error raised in a training process
        return type(self), (self.name, self.fault)


@dataclass(frozen=True)
class Card:
    """Description of a checkpoint: configuration, recipe, and metrics on test data."""

    name: str
    kind: str  # a key of KINDS
    config: Settings
    task: str
    # “source” and “target”, or “words” → one word per line, in the order of ids. The card file names a text
    # file for each, because many models share a vocabulary.
    vocabularies: Mapping[str, str]
    recipe: Settings  # seed, steps, lr, batch, examples
    parameters: int
    seconds: float  # processor time on the machine that trained it
    metrics: Settings
    sha256: str  # checksum of the .safetensors file

    @classmethod
    def read(cls, name: str, folder: Path = CHECKPOINTS) -> "Card":
        try:
            fields = json.loads(_read_bytes(name, ".json", "card", folder))
            card = cls(**fields | {"vocabularies": _load_vocabularies(name, fields["vocabularies"], folder)})
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise CheckpointError(name, f"has a card that cannot be read ({error})") from None
        if card.name != name:
            raise CheckpointError(name, f"has the card of “{card.name}”")
        return card

    def to_json(self) -> str:
        """One line per field: with an indented line per number, the cards would take a third more bytes."""
        fields = dataclasses.asdict(self).items()
        lines = (f' "{key}": {json.dumps(value, ensure_ascii=False)}' for key, value in fields)
        return "{\n" + ",\n".join(lines) + "\n}"


def _load_vocabularies(name: str, vocabularies: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Read the vocabularies that a card names by file: many models share one."""
    return {
        role: _read_bytes(name, "", "vocabulary", folder, words).decode() if words.endswith(".txt") else words
        for role, words in vocabularies.items()
    }


def _save_vocabularies(vocabularies: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Write each vocabulary to a file named by its content; return role → file name."""
    files = {}
    for role, words in vocabularies.items():
        files[role] = f"vocabulary-{hashlib.sha256(words.encode()).hexdigest()[:12]}.txt"
        (folder / files[role]).write_text(words, encoding="utf-8")
    return files


def _read_bytes(name: str, ending: str, what: str, folder: Path, file: str = "") -> bytes:
    """Read one file of a checkpoint. Raises a CheckpointError that says what is wrong."""
    path = folder / (file or f"{name}{ending}")
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise CheckpointError(name, f"has no {what} ({path.name} is missing)") from None
    except OSError as error:
        reason = f"({path.name}: {error.strerror})"
        raise CheckpointError(name, f"has a {what} that cannot be read {reason}") from None


def vocabulary_lines(task: str) -> dict[str, str]:
    return {role: "\n".join(words) for role, words in vocabularies(task).items()}


def build(kind: str, config: Settings, seed: int = 0) -> AnyModel:
    """Build an untrained model, reproducible by seed. Torch's global generator is left unchanged."""
    Config, Model = KINDS[kind]
    with RNG_LOCK, torch.inference_mode(False), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Model(Config(**config))


def recipe_fields(recipe: "Recipe") -> Json:
    """The fields of a recipe that are stored on its card."""
    return {key: getattr(recipe, key) for key in ("seed", "steps", "lr", "batch", "examples")}


@torch.no_grad()
def round_to_half(model: nn.Module) -> None:
    """Round the weights to half precision, as saved, so that metrics describe the saved weights."""
    for tensor in model.state_dict().values():
        tensor.copy_(tensor.half())


def save(
    recipe: "Recipe", model: AnyModel, seconds: float, metrics: Settings, folder: Path = CHECKPOINTS
) -> Card:
    data = write_tensors({name: tensor.half().contiguous() for name, tensor in model.state_dict().items()})
    card = Card(
        name=recipe.name,
        kind=recipe.kind,
        config=dataclasses.asdict(model.config),
        task=recipe.task,
        vocabularies=vocabulary_lines(recipe.task),
        recipe=recipe_fields(recipe),
        parameters=sum(parameter.numel() for parameter in model.parameters()),
        seconds=round(seconds, 1),
        metrics=metrics,
        sha256=hashlib.sha256(data).hexdigest(),
    )
    folder.mkdir(parents=True, exist_ok=True)
    if recipe.keep:
        (folder / f"{card.name}.safetensors").write_bytes(data)
    stored = dataclasses.replace(card, vocabularies=_save_vocabularies(card.vocabularies, folder))
    (folder / f"{card.name}.json").write_text(stored.to_json(), encoding="utf-8")
    return card


@cache
def load(name: str, folder: Path = CHECKPOINTS) -> tuple[AnyModel, Card]:
    """Load a model, frozen and on the CPU, and its card. Raises a CheckpointError if they do not match.

    All callers share the model, so it must not be changed; pass edits to a run instead.
    """
    card = Card.read(name, folder)
    data = _read_bytes(name, ".safetensors", "weights", folder)
    if hashlib.sha256(data).hexdigest() != card.sha256:
        raise CheckpointError(name, "does not have the weights its card describes (wrong sha256)")
    try:
        if vocabulary_lines(card.task) != card.vocabularies:
            raise ValueError("it was trained with other words than the task has now")
        model = build(card.kind, card.config)
        with torch.inference_mode(False):
            model.load_state_dict(read_tensors(data))
    except (SafetensorError, RuntimeError, TypeError, ValueError, KeyError) as error:
        raise CheckpointError(name, f"does not fit its card ({error})") from None
    return model.requires_grad_(False).eval(), card


def names(folder: Path = CHECKPOINTS) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.safetensors"))


def cards(folder: Path = CHECKPOINTS) -> dict[str, Card]:
    return {name: Card.read(name, folder) for name in names(folder)}
