"""Instruction tuning of our story model on questions and answers: data, training, saved runs."""

import copy
import json
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from time import perf_counter, time
from typing import Any, NamedTuple

import torch
from safetensors.torch import load as read_tensors
from safetensors.torch import save as write_tensors

from lessons.kit.checkpoints import STORIES, load_card, load_model
from lessons.kit.jobs import artifacts
from models.batches import IGNORE, Batch, batched, pad_rows, text_batches
from models.device import best_device
from models.tasks.story_questions import StoryQuestion, draw_questions
from models.train import fit, loss_and_accuracy

BASE = "stories-transformer"
TRAINING_STORIES, HELD_OUT_STORIES = 800, 60  # number of stories that questions are about
REHEARSED_TEXTS, HELD_OUT_TEXTS = 300, 16
TEXT_KINDS = ("story", "song")
QUESTIONS_PER_BATCH, TEXTS_PER_BATCH = 32, 16
MIN_MEASUREMENT_INTERVAL_SECONDS = 1.5
MAX_STEPS = 10**6  # never reached: the time budget ends a run long before
VOCABULARY = STORIES.vocabulary


@dataclass(frozen=True)
class Measurement:
    seconds: float  # training time so far
    step: int
    right: float  # fraction of unseen questions answered without an error
    by_rivals: tuple[float, float]  # the same for stories with one possible answer, and with several
    perplexity: tuple[float, ...]  # perplexity on unseen texts, per kind in TEXT_KINDS


@dataclass(frozen=True)
class Run:
    name: str  # name of the artifact
    mix: int  # percentage of batches that are stories or songs
    power: float  # log10 of the learning rate
    looks: tuple[Measurement, ...]
    made: float  # Unix time at which the run started
    base: str  # sha256 of the base model's weights
    left: float = 0.0  # estimated seconds until the end of the run

    @property
    def last(self) -> Measurement:
        return self.looks[-1]


# ---- data ----


def question_batch(questions: Sequence[StoryQuestion]) -> Batch:
    """Prompts with their answers. Only the answer and <eos> are targets; the loss ignores the prompt."""
    rows, targets = [], []
    for question in questions:
        prompt, answer = VOCABULARY.ids(question.prompt), VOCABULARY.ids(question.answer)
        rows.append([VOCABULARY.bos, *prompt, *answer])
        targets.append([*[IGNORE] * len(prompt), *answer, VOCABULARY.eos])
    return Batch((pad_rows(rows, VOCABULARY.pad),), pad_rows(targets, IGNORE))


def mixed_batches(mix: int, seed: int = 0) -> list[Batch]:
    """Batches of questions, and `mix` percent batches of stories and songs."""
    rng, window = random.Random(seed), load_model(BASE).config.window
    questions = draw_questions(STORIES, "train", TRAINING_STORIES)
    asked = sorted(rng.sample(questions, len(questions)), key=lambda question: len(question.prompt))
    batches = [question_batch(rows) for rows in batched(asked, QUESTIONS_PER_BATCH)]
    texts = [VOCABULARY.ids(text) for text in STORIES.documents("train", REHEARSED_TEXTS)]
    rehearsed = text_batches(texts, TEXTS_PER_BATCH, window)
    return batches + rng.choices(rehearsed, k=round(len(batches) * mix / (100 - mix)))


@cache
def held_out_questions() -> tuple[list[StoryQuestion], Batch]:
    questions = draw_questions(STORIES, "test", HELD_OUT_STORIES)
    return questions, question_batch(questions)


@cache
def held_out_texts(kind: str) -> list[Batch]:
    documents = STORIES.draw_documents("test", HELD_OUT_TEXTS, kind=kind)
    texts = [VOCABULARY.ids(document.tokens) for document in documents]
    return text_batches(texts, TEXTS_PER_BATCH, load_model(BASE).config.window)


# ---- measurements ----


@torch.inference_mode()
def answered_right(model: Any) -> list[bool]:
    """Whether greedy decoding writes exactly the reference answer to each held-out question.

    It does if and only if every word of the reference is the most probable one after those before it.
    """
    _, batch = held_out_questions()
    best = model(*batch.inputs).argmax(-1)
    return ((best == batch.targets) | (batch.targets == IGNORE)).all(1).tolist()


@torch.inference_mode()
def perplexity(model: Any, kind: str) -> float:
    """Perplexity per word on unseen texts of one kind."""
    batches = held_out_texts(kind)
    counts = [int((batch.targets != IGNORE).sum()) for batch in batches]
    losses = [loss_and_accuracy(model, batch)[0].item() for batch in batches]
    mean = sum(loss * count for loss, count in zip(losses, counts, strict=True)) / sum(counts)
    return math.exp(mean) if mean < 700 else math.inf


def by_rivals(right: Sequence[bool]) -> tuple[float, float]:
    """Fraction of held-out questions answered right: with one possible answer in the story, with several."""
    groups: tuple[list[bool], list[bool]] = [], []
    for question, is_right in zip(held_out_questions()[0], right, strict=True):
        groups[question.rivals > 0].append(is_right)
    one, several = (sum(group) / len(group) for group in groups)
    return one, several


def measure(model: Any, seconds: float = 0.0, step: int = 0) -> Measurement:
    right = answered_right(model)
    perplexities = tuple(perplexity(model, kind) for kind in TEXT_KINDS)
    return Measurement(round(seconds, 2), step, sum(right) / len(right), by_rivals(right), perplexities)


@cache
def base_measurement() -> Measurement:
    return measure(load_model(BASE))


@cache
def first_mention_right() -> tuple[float, float]:
    """Score of a baseline rule, as in `by_rivals`: answer with the story's first name, object or colour."""
    choices = {"who": "name", "what": "object", "like": "colour"}
    right = []
    for question in held_out_questions()[0]:
        words = STORIES.choices[choices[question.kind]]
        right.append(next(word for word in question.story if word in words) in question.answer)
    return by_rivals(right)


# ---- training ----


def tune_and_measure(mix: int, power: float, budget: float, seed: int = 0) -> Iterator[tuple[Run, Any]]:
    """Continue the training of a copy of our story model. Yields the run and the model at each measurement.

    Measurements do not count towards the training time.
    """
    model = copy.deepcopy(load_model(BASE)).requires_grad_(True)
    run = Run(artifacts.new_name(), mix, power, (base_measurement(),), time(), load_card(BASE).sha256, budget)
    batches, measured_at, cost = mixed_batches(mix, seed), 0.0, 0.0
    for now in fit(model, batches, MAX_STEPS, 10**power, seed, best_device(), budget):
        is_over = now.seconds >= budget or now.step == MAX_STEPS or not math.isfinite(now.loss)
        if now.seconds - measured_at < max(MIN_MEASUREMENT_INTERVAL_SECONDS, 3 * cost) and not is_over:
            continue
        start, device = perf_counter(), next(model.parameters()).device
        measured_at = now.seconds
        look = measure(model.cpu().eval(), now.seconds, now.step)
        run = replace(run, looks=(*run.looks, look), left=0.0 if is_over else budget - now.seconds)
        yield run, model
        if is_over:
            return
        model.to(device).train()
        cost = perf_counter() - start


# ---- saved runs ----


class SavedRun(NamedTuple):
    run: Run
    data: bytes  # content of a safetensors file

    def load_model(self) -> Any:
        model = copy.deepcopy(load_model(BASE))
        model.load_state_dict(read_tensors(self.data))
        return model


def save_run(run: Run, model: Any) -> None:
    """Store the weights in half precision, with the run as metadata."""
    tensors = {name: tensor.detach().half().contiguous() for name, tensor in model.state_dict().items()}
    artifacts.put(run.name, write_tensors(tensors, {"run": json.dumps(asdict(run))}))


def load_saved_runs(names: Sequence[str]) -> list[SavedRun]:
    """Load the runs that have not expired and were tuned from the present base model."""
    saved = []
    for data in filter(None, map(artifacts.get, names)):
        metadata = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])["__metadata__"]
        fields = json.loads(metadata["run"])
        if fields.get("base") == load_card(BASE).sha256:
            looks = tuple(
                Measurement(**look | {name: tuple(look[name]) for name in ("by_rivals", "perplexity")})
                for look in fields["looks"]
            )
            saved.append(SavedRun(Run(**fields | {"looks": looks}), data))
    return saved
