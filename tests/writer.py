"""A writer with known distributions, for tests of decoding."""

import itertools
import math

import torch

EOS = 2
WORDS = (3, 4, 5, 6)


class Table:
    """A writer whose next distribution depends on the whole history: a hash picks a row of a random table."""

    bos, eos, size = 1, EOS, 997

    def __init__(self, seed: int, spread: float = 2.0, eos: float = 0.0, vocabulary: int = 7):
        generator = torch.Generator().manual_seed(seed)
        self.rows = spread * torch.randn(self.size, vocabulary, generator=generator)  # (997, V)
        self.rows[:, :2] = -math.inf  # neither padding nor a second start token
        self.rows[:, EOS] += eos
        self.calls = 0

    def begin(self):
        return (
            torch.zeros(1, dtype=torch.long),
            (torch.zeros(1, 2),),
        )  # nested, so that every part of the state must be selected

    def next(self, tokens, state):
        self.calls += 1
        number, (steps,) = state
        assert number.shape == tokens.shape
        number = (number * 31 + tokens * 7 + steps[:, 0].long()) % self.size
        return self.rows[number], (number, (steps + 1,))

    def log_p(self, history):
        """Compute log P of every token after this history in plain Python."""
        number = 0
        for step, token in enumerate((self.bos, *history)):
            number = (number * 31 + token * 7 + step) % self.size
        row = self.rows[number].tolist()
        best = max(row)
        total = best + math.log(math.fsum(math.exp(z - best) for z in row))
        return [z - total for z in row]


def every_output(table, limit):
    """All outputs that end within the limit, with their log P."""
    for length in range(limit):
        for words in itertools.product(WORDS, repeat=length):
            text = (*words, EOS)
            yield text, math.fsum(table.log_p(text[:t])[text[t]] for t in range(len(text)))
