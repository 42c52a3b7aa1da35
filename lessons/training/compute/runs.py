"""A run: what was asked for, what became of it, and its weights. One file of safetensors holds all of it."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from time import time
from typing import Any

from safetensors.torch import load as read_tensors
from safetensors.torch import save as write_tensors

from lessons.kit.contract import InputError
from lessons.kit.jobs import artifacts
from models import zoo
from models.tasks.task import Task

CELLS = ("GRU", "LSTM", "vanilla", "Transformer")
ATTENTION = ("dot", "additive", "none")
WIDTHS = ("1", "8", "16", "32", "64", "128")
HEADS = 4


@dataclass(frozen=True)
class Plan:
    """All that a training depends on, but for the speed of the machine."""

    task: str
    cell: str
    attention: str
    width: int
    layers: int
    power: float  # of ten: the learning rate
    batch: int
    seed: int
    budget: int  # seconds

    @property
    def kind(self) -> str:
        return "transformer" if self.cell == "Transformer" else "seq2seq"

    def config(self, task: Task) -> dict[str, Any]:
        sizes = {"source_words": len(task.source), "target_words": len(task.target), "layers": self.layers}
        if self.cell == "Transformer":
            if self.width < HEADS:
                raise InputError(
                    f"A Transformer with {HEADS} heads needs a width of at least 8. Choose a larger one.",
                    "width",
                )
            return sizes | {"d": self.width, "heads": HEADS, "d_fc": 2 * self.width}
        looks = (
            {"context": "every"}
            if self.attention == "none"
            else {"context": "attention", "score": self.attention}
        )
        return sizes | looks | {"width": self.width, "cell": self.cell, "two_way": self.width > 1}

    def model(self, task: Task) -> Any:
        """With fresh weights, the same for the same seed."""
        return zoo.build(self.kind, self.config(task), self.seed)


def planned(
    called: str,
    task: Task,
    cell: str,
    attention: str,
    width: str,
    layers: int,
    power: float,
    batch: str,
    seed: int,
    budget: int,
) -> Plan:
    """As the controls say it; complains where no model can be made of it."""
    plan = Plan(called, cell, attention, int(width), layers, power, int(batch), seed, budget)
    plan.config(task)
    return plan


@dataclass(frozen=True)
class Look:
    """How it stood at one moment."""

    seconds: float  # of training
    step: int
    loss: float  # nats a token, the mean since the last look; before training, of the validation pairs
    exact: float  # share of validation pairs without a fault


@dataclass(frozen=True)
class Run:
    name: str  # on the shelf
    plan: Plan
    looks: tuple[Look, ...]
    made: float  # when it began, by the clock
    speed: float = 0.0  # examples a second
    left: float = 0.0  # seconds to go
    lost: int | None = None  # the step at which the loss was no number

    @property
    def last(self) -> Look:
        return self.looks[-1]

    def reached(self, share: float) -> float | None:
        """Seconds of training after which so many were right for the first time."""
        return next((look.seconds for look in self.looks if look.exact >= share), None)


def packed(run: Run, model: Any, **more: str) -> bytes:
    """`more`: what else goes along with it, by name."""
    tensors = {name: tensor.detach().contiguous() for name, tensor in model.state_dict().items()}
    return write_tensors(tensors, {"run": json.dumps(asdict(run)), **more})


def header(data: bytes) -> dict[str, str]:
    """What was packed with the weights, by name."""
    return json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])["__metadata__"]


def run_of(data: bytes) -> Run:
    told = json.loads(header(data)["run"])
    looks = tuple(Look(**look) for look in told["looks"])
    return Run(**told | {"plan": Plan(**told["plan"]), "looks": looks})


def rebuilt(data: bytes, task_of: Callable[[Plan], Task]) -> Any:
    """The model of a run, as it was left."""
    plan = run_of(data).plan
    model = plan.model(task_of(plan))
    model.load_state_dict(read_tensors(data))
    return model.requires_grad_(False).eval()


def begun(plan: Plan) -> Run:
    return Run(artifacts.new_name(), plan, (), time())


def looked(run: Run, look: Look, **more: Any) -> Run:
    return replace(run, looks=(*run.looks, look), **more)


CALLED = {"power": "rate", "budget": "seconds"}


def differing(plans: Sequence[Plan]) -> list[str]:
    """What each of them has that not all have, in words; where nothing differs, its task."""
    every = [asdict(plan) for plan in plans]
    fields = [field for field in every[0] if len({plan[field] for plan in every}) > 1] if every else []
    return [", ".join(said(field, plan[field]) for field in fields) or plan["task"] for plan in every]


def said(field: str, value: Any) -> str:
    if field == "power":
        return f"rate {10**value:.2g}"
    return str(value) if isinstance(value, str) and value != "none" else f"{CALLED.get(field, field)} {value}"
