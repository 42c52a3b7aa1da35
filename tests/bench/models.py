"""Budgets of the models: training throughput, and the time to answer for one sentence."""

from collections.abc import Iterator, Sequence
from itertools import islice
from time import process_time

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models import data, metrics, train, zoo
from models.attention import Additive
from models.batches import IGNORE, Batch, pair_batch, pair_batches
from models.decoding import beam, greedy
from models.recipes import RECIPES
from models.rnn import Stack
from models.seq2seq import Seq2Seq
from models.tasks import TASKS
from tests.bench.clock import Row, best_seconds

SENTENCE = "the agreement on the european economic area was signed in august 1992 ."
QUERY_AFTER = ("translation-dot-64-s0", "translation-additive-64-s0")
TRANSLATORS = (
    "translation-additive-64-s0",
    "translation-before-64-s0",
    "translation-none-128-s0",
    "translation-transformer-s0",
)


def rows(learn: bool) -> Iterator[Row]:
    if learn:
        yield from learning()
    torch.set_num_threads(1)
    for name in QUERY_AFTER:
        yield from training(name)
    for name in TRANSLATORS:
        yield from answering(name)


class Tutorial(nn.Module):
    """The same model with the same weights, written as in a tutorial: GRUCell and attention, word by word."""

    def __init__(self, of: Seq2Seq):
        super().__init__()
        self.embed_source, self.embed_target, self.first, self.out = (
            of.embed_source,
            of.embed_target,
            of.initial_h[0],
            of.out,
        )
        self.forth, self.back, self.decoder = (
            as_cell(stack) for stack in (of.encoder.forward_rnn, of.encoder.backward_rnn, of.decoder)
        )
        self.score = of.score

    def forward(self, source: Tensor, target_in: Tensor) -> Tensor:
        x, y = self.embed_source(source), self.embed_target(target_in)  # (B, T, P), (B, T', P)
        forth = self.walk(self.forth, x)
        back = self.walk(self.back, x.flip(1)).flip(1)
        H = torch.cat([forth, back], -1)  # (B, T, m)
        s = torch.tanh(self.first(torch.cat([forth[:, -1], back[:, 0]], -1)))
        logits = []
        for t in range(y.shape[1]):
            s = self.decoder(y[:, t], s)
            weights = torch.softmax(self.scores(s, H), -1)  # (B, T)
            context = torch.bmm(weights.unsqueeze(1), H).squeeze(1)  # (B, m)
            logits.append(self.out(torch.cat([context, s], -1)))
        return torch.stack(logits, 1)

    def walk(self, cell: nn.GRUCell, x: Tensor) -> Tensor:
        h, states = x.new_zeros(len(x), cell.hidden_size), []
        for i in range(x.shape[1]):
            h = cell(x[:, i], h)
            states.append(h)
        return torch.stack(states, 1)

    def scores(self, s: Tensor, H: Tensor) -> Tensor:
        if isinstance(self.score, Additive):
            return (
                torch.tanh(F.linear(H, self.score.W_1) + F.linear(s, self.score.W_2).unsqueeze(1))
                @ self.score.v
            )
        return torch.bmm(H, s.unsqueeze(-1)).squeeze(-1)


def as_cell(stack: Stack) -> nn.GRUCell:
    [own] = stack.cells
    cell = nn.GRUCell(own.P, own.m)
    cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh = own.W_xh, own.W_hh, own.b_h, own.b_hh
    return cell


def tutorial_loop(model: nn.Module, batches: Sequence[Batch], lr: float) -> None:
    optimiser = torch.optim.Adam(model.parameters(), lr)
    for batch in batches:
        optimiser.zero_grad()
        logits = model(*batch.inputs)
        loss = F.cross_entropy(logits.flatten(0, 1), batch.targets.flatten(), ignore_index=IGNORE)
        loss.backward()
        optimiser.step()


def training(name: str, pairs: int = 1024, steps: int = 4, alone: int = 16) -> Iterator[Row]:
    """Tokens per second of `fit`, compared with a tutorial's loop on the same batches and on single pairs."""
    recipe = RECIPES[name]
    task, ours = TASKS[recipe.task], train.build(recipe)
    theirs = Tutorial(train.build(recipe))
    some = task.pairs("train", pairs, lengths=recipe.lengths)
    drawn = list(islice(train.shuffle_forever(pair_batches(some, task, recipe.batch), 0), steps))
    singles = [pair_batch([pair], task) for pair in some[:alone]]
    torch.testing.assert_close(ours(*drawn[0].inputs), theirs(*drawn[0].inputs), atol=1e-4, rtol=0)
    taken = best_seconds(
        {
            "fit": lambda: list(train.fit(ours, drawn, steps, recipe.lr)),
            "loop": lambda: tutorial_loop(theirs, drawn, recipe.lr),
            "loop, batch 1": lambda: tutorial_loop(theirs, singles, recipe.lr),
        },
        clock=process_time,  # CPU time of one thread, which a busy machine hardly changes
    )
    speed, loop = tokens(drawn) / taken["fit"], tokens(drawn) / taken["loop"]
    single = tokens(singles) / taken["loop, batch 1"]
    yield Row(
        f"{name}: fit, {speed:,.0f} tokens/s, to a tutorial’s {loop:,.0f}", speed / loop, 1.5, "×", True
    )
    yield Row(
        f"{name}: fit to that tutorial with batch 1, {single:,.0f} tokens/s", speed / single, 30, "×", True
    )


def tokens(batches: Sequence[Batch]) -> int:
    """Number of source and target words, without padding."""
    return sum(batch.inputs[0].numel() + int((batch.targets != IGNORE).sum()) for batch in batches)


def learning(steps: int = 1400, threads: int = 2) -> Iterator[Row]:
    """Seconds until the additive model of width 64 gets 95% of validation sentences exactly right."""
    torch.set_num_threads(threads)
    recipe = RECIPES["translation-additive-64-s0"]
    task = TASKS[recipe.task]
    pairs = task.pairs("validation", 400, lengths=recipe.lengths)
    sources, references = (
        [task.source.ids(pair.source) for pair in pairs],
        [task.target.ids(pair.target) for pair in pairs],
    )
    model = train.build(recipe)
    for progress in train.fit(model, data.batches(recipe), steps, recipe.lr):
        if progress.step % 100 == 0 and progress.step > steps // 2:
            exact = metrics.exact_match(metrics.translate(model.eval(), sources), references)
            model.train()
            print(f"    step {progress.step}: {progress.seconds:.0f} s, {exact:.1%} exact", flush=True)
            if exact >= 0.95:
                break
    yield Row(
        f"additive, width 64, {threads} threads: training until {exact:.1%} exact",
        progress.seconds if exact >= 0.95 else float("inf"),
        75,
        "s",
    )


def answering(name: str) -> Iterator[Row]:
    """Time to trace a 13-word sentence, and to decode it without a trace."""
    model, card = zoo.load(name)
    source = TASKS[card.task].source.ids(SENTENCE.split())
    with torch.inference_mode():
        taken = best_seconds(
            {
                "trace": lambda: model.run(source),
                "plain": lambda: greedy(model.writer(source), limit=60),
                "beam": lambda: beam(model.writer(source), width=5, limit=60),
            },
            calls=5,
        )
    yield Row(f"{name}: greedy with the whole trace", 1000 * taken["trace"], 15, "ms")
    yield Row(f"{name}: beam 5 with its tree", 1000 * taken["beam"], 40, "ms")
    yield Row(f"{name}: trace against decoding without one", taken["trace"] / taken["plain"], 5, "×")
