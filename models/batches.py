"""Sentences made into tensors. Sources of one length go together, so that no source is ever padded."""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

import torch
from torch import Tensor

from models.tasks.bank import Bank, Example
from models.tasks.blank import Blank
from models.tasks.task import Pair, Task
from models.vocabulary import Vocabulary

Row = TypeVar("Row")
IGNORE = -100  # a target the loss does not count: padding


class Batch(NamedTuple):
    inputs: tuple[Tensor, ...]  # what the model's forward takes
    targets: Tensor  # what its logits should say; IGNORE where nothing is asked


def pad_rows(rows: Sequence[Sequence[int]], fill: int) -> Tensor:
    """(B, longest row), each row filled up at its end."""
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[fill] * (longest - len(row))] for row in rows])


def sliced(rows: Sequence[Row], size: int) -> Iterator[Sequence[Row]]:
    return (rows[i : i + size] for i in range(0, len(rows), size))


def pair_batches(pairs: Sequence[Pair], task: Task, size: int, seed: int = 0) -> list[Batch]:
    """Batches of equal source length; within a length the shorter targets come first, to pad little."""
    rng, by_length, batches = random.Random(seed), defaultdict(list), []
    for pair in rng.sample(pairs, len(pairs)):
        by_length[len(pair.source)].append(pair)
    for same in by_length.values():
        for rows in sliced(sorted(same, key=lambda pair: len(pair.target)), size):
            batches.append(pair_batch(rows, task))
    return batches


def pair_batch(pairs: Sequence[Pair], task: Task) -> Batch:
    sources = torch.tensor([task.source.ids(pair.source) for pair in pairs])
    targets = [task.target.ids(pair.target) for pair in pairs]
    target_in = pad_rows([[Vocabulary.bos, *target] for target in targets], Vocabulary.pad)
    return Batch((sources, target_in), pad_rows([[*target, Vocabulary.eos] for target in targets], IGNORE))


def text_batches(documents: Sequence[Sequence[int]], size: int, window: int, seed: int = 0) -> list[Batch]:
    """Documents of similar length together. One longer than the window is cut into pieces that overlap by half."""
    rng, pieces = random.Random(seed), []
    for document in documents:
        tokens = [Vocabulary.bos, *document, Vocabulary.eos]
        last = max(len(tokens) - 1 - window, 0)
        pieces += [tokens[start : start + window + 1] for start in {*range(0, last, window // 2), last}]
    rng.shuffle(pieces)
    pieces.sort(key=len)
    return [
        Batch(
            (pad_rows([piece[:-1] for piece in rows], Vocabulary.pad),),
            pad_rows([piece[1:] for piece in rows], IGNORE),
        )
        for rows in sliced(pieces, size)
    ]


class Question(NamedTuple):
    tokens: tuple[str, ...]
    place: int  # of the word whose sense is asked for, or of the blank
    answer: str


def of_sense(example: Example | Blank) -> Question:
    return Question(example.tokens, example.position, example.label)


def of_word(example: Blank) -> Question:
    return Question(example.tokens, example.place, example.filled)


def sense_batches(questions: Sequence[Question], bank: Bank, size: int) -> list[Batch]:
    """Sentences in their order, with the place in question and which places hold words."""
    batches, number = [], {answer: n for n, answer in enumerate(bank.answers)}
    for rows in sliced(questions, size):
        tokens = pad_rows([bank.vocabulary.ids(question.tokens) for question in rows], Vocabulary.pad)
        places = torch.tensor([question.place for question in rows])
        answers = torch.tensor([number[question.answer] for question in rows])
        batches.append(Batch((tokens, places, tokens != Vocabulary.pad), answers))
    return batches
