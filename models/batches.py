"""Turn sentences into batches of tensors. All sources in a batch have the same length, so none is padded."""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

import torch
from torch import Tensor

from models.tasks.bank import Bank, Example
from models.tasks.blank import Blank
from models.tasks.sense_sentences import Sentence
from models.tasks.task import Pair, Task
from models.vocabulary import Vocabulary

Row = TypeVar("Row")
IGNORE = -100  # marks padding in the targets; the loss ignores it


class Batch(NamedTuple):
    inputs: tuple[Tensor, ...]  # arguments of the model's forward
    targets: Tensor  # the correct tokens or classes; IGNORE for padding


def pad_rows(rows: Sequence[Sequence[int]], fill: int) -> Tensor:
    """Pad rows of different lengths at the end → (B, longest row)."""
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[fill] * (longest - len(row))] for row in rows])


def batched(rows: Sequence[Row], size: int) -> Iterator[Sequence[Row]]:
    return (rows[i : i + size] for i in range(0, len(rows), size))


def pair_batches(pairs: Sequence[Pair], task: Task, size: int, seed: int = 0) -> list[Batch]:
    """Group pairs by source length, then sort each group by target length to reduce padding."""
    rng, by_length, batches = random.Random(seed), defaultdict(list), []
    for pair in rng.sample(pairs, len(pairs)):
        by_length[len(pair.source)].append(pair)
    for group in by_length.values():
        for rows in batched(sorted(group, key=lambda pair: len(pair.target)), size):
            batches.append(pair_batch(rows, task))
    return batches


def pair_batch(pairs: Sequence[Pair], task: Task) -> Batch:
    sources = torch.tensor([task.source.ids(pair.source) for pair in pairs])
    targets = [task.target.ids(pair.target) for pair in pairs]
    target_in = pad_rows([[Vocabulary.bos, *target] for target in targets], Vocabulary.pad)
    return Batch((sources, target_in), pad_rows([[*target, Vocabulary.eos] for target in targets], IGNORE))


def text_batches(documents: Sequence[Sequence[int]], size: int, window: int, seed: int = 0) -> list[Batch]:
    """Group documents of similar length; split longer ones into windows that overlap by half."""
    rng, windows = random.Random(seed), []
    for document in documents:
        tokens = [Vocabulary.bos, *document, Vocabulary.eos]
        last = max(len(tokens) - 1 - window, 0)
        windows += [tokens[start : start + window + 1] for start in {*range(0, last, window // 2), last}]
    rng.shuffle(windows)
    windows.sort(key=len)
    return [
        Batch(
            (pad_rows([row[:-1] for row in rows], Vocabulary.pad),),
            pad_rows([row[1:] for row in rows], IGNORE),
        )
        for rows in batched(windows, size)
    ]


class Question(NamedTuple):
    """A sentence, and the question that the sense encoder must answer at one of its positions."""

    tokens: tuple[str, ...]
    position: int  # index of the ambiguous word or of the blank
    answer: str  # a sense, or the missing word


def sense_question(example: Example | Blank | Sentence) -> Question:
    return Question(example.tokens, example.position, example.label)


def blank_question(example: Blank) -> Question:
    return Question(example.tokens, example.place, example.filled)


def sense_batches(questions: Sequence[Question], bank: Bank, size: int) -> list[Batch]:
    """Batch the questions in the given order: tokens, position and padding mask → index of the answer."""
    batches, number = [], {answer: n for n, answer in enumerate(bank.answers)}
    for rows in batched(questions, size):
        tokens = pad_rows([bank.vocabulary.ids(question.tokens) for question in rows], Vocabulary.pad)
        positions = torch.tensor([question.position for question in rows])
        answers = torch.tensor([number[question.answer] for question in rows])
        batches.append(Batch((tokens, positions, tokens != Vocabulary.pad), answers))
    return batches
