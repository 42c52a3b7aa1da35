"""A training run: its plan, measurements and weights, stored together in one safetensors file."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from time import time
from typing import Any, NamedTuple

from safetensors.torch import load as read_tensors
from safetensors.torch import save as write_tensors

from lessons.kit.contract import InputError
from lessons.kit.jobs import artifacts
from lessons.training.dataset import Dataset, generated_dataset, restore_dataset
from models import zoo
from models.tasks import TASKS
from models.tasks.task import Task

CELLS = ("GRU", "LSTM", "vanilla", "Transformer")
ATTENTION_OPTIONS = ("dot", "additive", "none")
WIDTHS = ("1", "8", "16", "32", "64", "128")
TRANSFORMER_HEADS = 4
FIELD_NAMES = {"power": "rate", "budget": "seconds"}  # plan fields with a different name on the page


@dataclass(frozen=True)
class Plan:
    """All settings of a training run. Together with the machine's speed they determine the result."""

    task: str
    cell: str
    attention: str
    width: int
    layers: int
    power: float  # log10 of the learning rate
    batch: int
    seed: int
    budget: int  # time limit in seconds

    @property
    def kind(self) -> str:
        return "transformer" if self.cell == "Transformer" else "seq2seq"

    def config(self, task: Task) -> dict[str, Any]:
        sizes = {"source_words": len(task.source), "target_words": len(task.target), "layers": self.layers}
        if self.cell == "Transformer":
            if self.width < TRANSFORMER_HEADS:
                raise InputError(
                    f"A Transformer with {TRANSFORMER_HEADS} heads needs a width of at least 8. Choose a"
                    " larger width.",
                    "width",
                )
            return sizes | {"d": self.width, "heads": TRANSFORMER_HEADS, "d_fc": 2 * self.width}
        context = (
            {"context": "every"}
            if self.attention == "none"
            else {"context": "attention", "score": self.attention}
        )
        return sizes | context | {"width": self.width, "cell": self.cell, "bidirectional": self.width > 1}

    def build_model(self, task: Task) -> Any:
        """Build a model with untrained weights, determined by the seed."""
        return zoo.build(self.kind, self.config(task), self.seed)


def make_plan(
    dataset: Dataset,
    cell: str,
    attention: str,
    width: str,
    layers: int,
    power: float,
    batch: str,
    seed: int,
    budget: int,
) -> Plan:
    """Build the plan described by the controls, or raise an InputError if no such model can be built."""
    plan = Plan(dataset.name, cell, attention, int(width), layers, power, int(batch), seed, budget)
    plan.config(dataset.task)
    return plan


@dataclass(frozen=True)
class Measurement:
    seconds: float  # training time so far
    step: int
    loss: float  # nats per token, mean since the last measurement; before training, on the held-out pairs
    exact: float  # fraction of held-out pairs without an error


@dataclass(frozen=True)
class Run:
    name: str  # name of the run's artifact
    plan: Plan
    looks: tuple[Measurement, ...]
    made: float  # Unix time at which the run started
    speed: float = 0.0  # examples per second
    left: float = 0.0  # seconds left
    lost: int | None = None  # step at which the loss diverged (NaN or infinity)

    @property
    def last(self) -> Measurement:
        return self.looks[-1]

    def seconds_to_reach(self, exact: float) -> float | None:
        """Training time until this fraction of held-out pairs was first correct."""
        return next((look.seconds for look in self.looks if look.exact >= exact), None)


def start_run(plan: Plan) -> Run:
    return Run(artifacts.new_name(), plan, (), time())


def add_measurement(run: Run, measurement: Measurement, **changes: Any) -> Run:
    return replace(run, looks=(*run.looks, measurement), **changes)


# ---- storage ----


def pack_run(run: Run, model: Any, dataset: Dataset) -> bytes:
    """A safetensors file with the weights, the run, and what is needed to restore the dataset."""
    tensors = {name: tensor.detach().contiguous() for name, tensor in model.state_dict().items()}
    return write_tensors(tensors, {"run": json.dumps(asdict(run)), **dataset.metadata()})


def read_metadata(data: bytes) -> dict[str, str]:
    return json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])["__metadata__"]


def unpack_run(data: bytes) -> Run:
    fields = json.loads(read_metadata(data)["run"])
    looks = tuple(Measurement(**look) for look in fields["looks"])
    return Run(**fields | {"plan": Plan(**fields["plan"]), "looks": looks})


class SavedRun(NamedTuple):
    """A saved run whose artifact has not expired."""

    run: Run
    dataset: Dataset
    data: bytes

    def load_model(self) -> Any:
        model = self.run.plan.build_model(self.dataset.task)
        model.load_state_dict(read_tensors(self.data))
        return model.requires_grad_(False).eval()


def load_saved_runs(names: Sequence[str]) -> list[SavedRun]:
    """Load the runs whose artifacts have not expired, in the order of `names`."""
    saved = []
    for data in filter(None, map(artifacts.get, names)):
        run, metadata = unpack_run(data), read_metadata(data)
        if "given" in metadata:
            saved.append(SavedRun(run, restore_dataset(metadata["given"]), data))
        elif run.plan.task in TASKS:
            saved.append(SavedRun(run, generated_dataset(run.plan.task), data))
    return saved


# ---- display names ----


def describe_differences(plans: Sequence[Plan]) -> list[str]:
    """Describe the settings in which each plan differs from the others, or its task if nothing differs."""
    settings = [asdict(plan) for plan in plans]
    names = list(settings[0]) if settings else []
    differing = [name for name in names if len({plan[name] for plan in settings}) > 1]
    return [
        ", ".join(describe_setting(name, plan[name]) for name in differing) or plan["task"]
        for plan in settings
    ]


def describe_setting(name: str, value: Any) -> str:
    if name == "power":
        return f"rate {10**value:.2g}"
    is_clear = isinstance(value, str) and value != "none"
    return value if is_clear else f"{FIELD_NAMES.get(name, name)} {value}"
