"""The trained models: saved with a card that says what they are, loaded only if they are what the card says."""

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
from models.language_model import LanguageModel, LanguageModelConfig
from models.probe import LinearProbe, ProbeConfig
from models.seq2seq import Seq2Seq, Seq2SeqConfig
from models.tasks import vocabularies
from models.transformer import Transformer, TransformerConfig
from models.transformer_lm import TransformerLM, TransformerLMConfig
from models.word_sense import SenseConfig, SenseEncoder

if TYPE_CHECKING:
    from models.recipes import Recipe

BUILDING = threading.Lock()  # the global generator serves one at a time
CHECKPOINTS = Path(__file__).parent.parent / "assets" / "checkpoints"

KINDS: dict[str, tuple[type, type[nn.Module]]] = {
    "seq2seq": (Seq2SeqConfig, Seq2Seq),
    "transformer": (TransformerConfig, Transformer),
    "language model": (LanguageModelConfig, LanguageModel),
    "transformer language model": (TransformerLMConfig, TransformerLM),
    "sense": (SenseConfig, SenseEncoder),
    "probe": (ProbeConfig, LinearProbe),
}

Translator = Seq2Seq | Transformer
Storyteller = LanguageModel | TransformerLM


class CheckpointError(RuntimeError):
    """A checkpoint that is missing, broken, or not the one its card describes. Its words are for the learner too."""

    def __init__(self, name: str, fault: str):
        self.name, self.fault, self.command = name, fault, f"python -m models.train {name}"
        super().__init__(f"The model “{name}” {fault}. This command makes it anew: {self.command}")

    def __reduce__(self) -> tuple[type, tuple[str, str]]:  # it comes whole out of a process that trains
        return type(self), (self.name, self.fault)


@dataclass(frozen=True)
class Card:
    """What a checkpoint is, how it was made, and how good it turned out on fresh data."""

    name: str
    kind: str  # a name of KINDS
    config: Settings
    task: str
    vocabularies: Mapping[
        str, str
    ]  # source and target, or words: one word a line, in the order of their numbers
    recipe: Settings  # seed, steps, lr, batch, examples
    parameters: int
    seconds: float  # spent training, on the machine that made it
    metrics: Settings
    sha256: str  # of the .safetensors file

    @classmethod
    def read(cls, name: str, folder: Path = CHECKPOINTS) -> "Card":
        try:
            card = cls(**json.loads(_bytes(name, ".json", "card", folder)))
        except (ValueError, TypeError) as error:
            raise CheckpointError(name, f"has a card that cannot be read ({error})") from None
        if card.name != name:
            raise CheckpointError(name, f"has the card of “{card.name}”")
        return card


def _bytes(name: str, ending: str, what: str, folder: Path) -> bytes:
    """One of a checkpoint's files, or a CheckpointError that says what is the matter with it."""
    path = folder / f"{name}{ending}"
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise CheckpointError(name, f"has no {what} ({path.name} is missing)") from None
    except OSError as error:
        raise CheckpointError(
            name, f"has a {what} that cannot be read ({path.name}: {error.strerror})"
        ) from None


def lines_of_words(task: str) -> dict[str, str]:
    return {role: "\n".join(words) for role, words in vocabularies(task).items()}


def build(kind: str, config: Settings, seed: int = 0) -> AnyModel:
    """A model with fresh weights, the same for the same seed. Torch's global generator is lent for it and comes back as it was."""
    Config, Model = KINDS[kind]
    with BUILDING, torch.inference_mode(False), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Model(Config(**config))


def recipe_of(recipe: "Recipe") -> Json:
    """What a card keeps of its recipe."""
    return {key: getattr(recipe, key) for key in ("seed", "steps", "lr", "batch", "examples")}


@torch.no_grad()
def round_to_half(model: nn.Module) -> None:
    """Weights are shipped in half precision, half the size. Rounded before it is measured, a model is what its card says."""
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
        vocabularies=lines_of_words(recipe.task),
        recipe=recipe_of(recipe),
        parameters=sum(parameter.numel() for parameter in model.parameters()),
        seconds=round(seconds, 1),
        metrics=metrics,
        sha256=hashlib.sha256(data).hexdigest(),
    )
    folder.mkdir(parents=True, exist_ok=True)
    if recipe.keep:
        (folder / f"{card.name}.safetensors").write_bytes(data)
    (folder / f"{card.name}.json").write_text(
        json.dumps(dataclasses.asdict(card), ensure_ascii=False, indent=1), encoding="utf-8"
    )
    return card


@cache
def load(name: str, folder: Path = CHECKPOINTS) -> tuple[AnyModel, Card]:
    """The model, of the kind its card says, frozen and on the CPU; and its card. Or a CheckpointError.

    Shared by all callers: edits travel with a run, never with a model.
    """
    card = Card.read(name, folder)
    data = _bytes(name, ".safetensors", "weights", folder)
    if hashlib.sha256(data).hexdigest() != card.sha256:
        raise CheckpointError(name, "does not have the weights its card describes (wrong sha256)")
    try:
        if lines_of_words(card.task) != card.vocabularies:
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
