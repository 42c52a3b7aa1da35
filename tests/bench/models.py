"""Budgets of the models: training throughput, and how fast one sentence answers."""

from collections.abc import Iterator

import torch
from torch import Tensor
from torch.nn import functional as F

from models import data, metrics, train, zoo
from models.batches import IGNORE, pair_batch
from models.decoding import beam, greedy
from models.recipes import RECIPES
from models.seq2seq import BatchMemory, Seq2Seq
from models.tasks import TASKS
from tests.bench.clock import Row, seconds

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


def read_by_steps(model: Seq2Seq, source: Tensor) -> BatchMemory:
    """What Seq2Seq.read_batch does in one sweep, as a Python loop over time steps."""
    stack, x = model.encoder.forth, model.embed_source(source)
    directions = [(stack, range(x.shape[1]))]
    if model.encoder.back is not None:
        directions.append((model.encoder.back, range(x.shape[1] - 1, -1, -1)))
    columns, summaries = [], []
    for stack, order in directions:
        states, h = stack.start(len(x)), {}
        for i in order:
            states = stack.step(x[:, i], states)
            h[i] = states[-1][0]
        columns.append(torch.stack([h[i] for i in range(x.shape[1])], 1))
        summaries.append(states[-1][0])
    H, c = torch.cat(columns, -1), torch.cat(summaries, -1)
    return BatchMemory(H, model.score.keys(H), c, model._first_states(c))


def training(name: str) -> Iterator[Row]:
    """The same model and batch: all steps at once, as a loop over steps, and as that loop one sentence at a time."""
    _, card = zoo.load(name)
    task = TASKS[card.task]
    model = zoo.build(card.kind, card.config)
    pairs = task.pairs("train", 128, lengths=range(12, 13))
    batch, single = pair_batch(pairs, task), pair_batch(pairs[:1], task)

    def step(logits: Tensor, targets: Tensor) -> None:
        model.zero_grad()
        F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=IGNORE).backward()

    def loop(source: Tensor, target_in: Tensor) -> Tensor:
        return model.forward_by_steps(target_in, read_by_steps(model, source))

    torch.testing.assert_close(model(*batch.inputs), loop(*batch.inputs), atol=1e-4, rtol=0)
    taken = seconds(
        {
            "at once": lambda: step(model(*batch.inputs), batch.targets),
            "loop": lambda: step(loop(*batch.inputs), batch.targets),
            "loop, batch 1": lambda: step(loop(*single.inputs), single.targets),
        }
    )
    yield Row(f"{name}: training at once against a loop over steps", taken["loop"] / taken["at once"], 1.5, "×", True)
    yield Row(f"{name}: training against that loop with batch 1", 128 * taken["loop, batch 1"] / taken["at once"], 30, "×", True)


def learning(steps: int = 1400, threads: int = 2) -> Iterator[Row]:
    """The width-64 additive model from nothing: seconds of training until 95 % of validation sentences are exactly right."""
    torch.set_num_threads(threads)
    recipe = RECIPES["translation-additive-64-s0"]
    task = TASKS[recipe.task]
    pairs = task.pairs("validation", 400, lengths=recipe.lengths)
    sources, references = [task.source.ids(pair.source) for pair in pairs], [task.target.ids(pair.target) for pair in pairs]
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
    """A 13-word sentence: traced, and decoded without a trace."""
    model, card = zoo.load(name)
    source = TASKS[card.task].source.ids(SENTENCE.split())
    with torch.inference_mode():
        taken = seconds(
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
