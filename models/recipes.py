"""What is trained: every model of the course. `python -m models.train --list` prints the names.

A name says what differs: `translation-none-16-s0` has no attention, hands over 16 numbers, and began with seed 0. Three
seeds where the course compares, so that a difference can be told from luck.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from models.attention import SCORES
from models.dynamic_types import Json, Setting, Settings
from models.tasks import vocabularies

SEEDS = (0, 1, 2)
CONTEXT_DIMS = (4, 8, 16, 32, 64, 128)  # k, how many numbers c has
BUDGETS = (1000, 2000, 4000, 8000, 16_000)  # steps, each with its own way down
WORD_BUDGETS = (2000, 4000, 8000, 16_000)  # of models that pronounce words
EVERYDAY_BUDGETS = (4000, 8000, 16_000, 32_000)  # of translators in the larger world
BANDED = BUDGETS[:3]  # with every seed; the longer ones with the first only
TRIED = Path(__file__).parent.parent / "assets" / "rates.json"  # written by `python -m models.rates`
SIZES = {
    "source": "source_words",
    "target": "target_words",
    "words": "words",
    "answers": "answers",
}  # vocabulary → config


@dataclass(frozen=True)
class Recipe:
    name: str
    kind: str  # a name of zoo.KINDS
    task: str
    config: Settings = field(default_factory=dict)  # what differs from the kind's defaults
    steps: int = 2500
    lr: float = 1e-2
    batch: int = 128
    examples: int = 100_000  # pairs or documents to learn from
    lengths: range = range(3, 21)  # source lengths trained on, or the longest text seen at once
    seed: int = 0
    film: bool = False
    budgets: tuple[int, ...] = ()  # if any, stops on the way; the last is `steps`
    keep: bool = True  # the weights; or only the card with their figures
    only: str | None = None  # of a corpus: the one kind of documents to learn from

    def full_config(self) -> Json:
        """The configuration with the sizes of the task's vocabularies filled in."""
        return {SIZES[role]: len(words) for role, words in vocabularies(self.task).items()} | dict(
            self.config
        )


def seq2seq(
    name: str,
    task: str = "translation",
    steps: int = 3000,
    seed: int = 0,
    film: bool = False,
    lr: float = 1e-2,
    lengths: range = range(3, 21),
    **config: Setting,
) -> Recipe:
    return Recipe(name, "seq2seq", task, config, steps, lr, lengths=lengths, seed=seed, film=film)


def losses_by_rate(model: str) -> list[dict[str, float]]:
    """For each seed that tried some: learning rate → loss on validation sentences."""
    losses = json.loads(TRIED.read_text(encoding="utf-8")) if TRIED.exists() else {}
    return [losses[name] for seed in SEEDS if (name := f"{model}-s{seed}") in losses]


def best_rate(model: str, otherwise: float = 4e-3) -> float:
    """Of the learning rates that every such seed tried, the one with the lowest mean loss."""
    by_seed = losses_by_rate(model)
    rates = set.intersection(*map(set, by_seed)) if by_seed else set()
    return float(min(rates, key=lambda lr: sum(losses[lr] for losses in by_seed), default=otherwise))


def one_vector(name: str, seed: int, budgets: tuple[int, ...], **config: Setting) -> Recipe:
    """Encoder and decoder of 128 units, and between them only c."""
    config = {"width": 128, "context": "first", "context_dim": 128} | config
    lr = best_rate(name)
    budgets = budgets if seed == 0 else tuple(steps for steps in budgets if steps in BANDED)
    return Recipe(
        f"{name}-s{seed}",
        "seq2seq",
        "translation",
        config,
        budgets[-1],
        lr,
        seed=seed,
        budgets=budgets,
        keep=seed == 0,
    )


def ladders(name: str, budgets: tuple[int, ...] = BUDGETS, **config: Setting) -> Iterator[Recipe]:
    for seed in SEEDS:
        yield one_vector(name, seed, budgets, **config)


def bottleneck() -> Iterator[Recipe]:
    """Lesson bottleneck, curve: only c differs, k numbers between the same encoder and decoder; and both with attention added."""
    for k in CONTEXT_DIMS:
        yield from ladders(f"translation-none-{k}", context_dim=k)
    yield from ladders("translation-oneway-128", BUDGETS[:3], context="attention", context_dim=0)
    for seed in SEEDS:
        yield seq2seq(
            f"translation-oneway-64-s{seed}", seed=seed, width=64, context="attention"
        )  # beside the two-way readers


def cells() -> Iterator[Recipe]:
    """Lesson bottleneck, cell and depth: each at its own rate, trained as long as translation-none-128 at the same budget."""
    kinds: dict[str, Json] = {"vanilla": {"cell": "vanilla"}, "lstm": {"cell": "LSTM"}}
    depths = {"two-layers": {"layers": 2}}
    for name, config in (kinds | depths).items():
        yield from ladders(f"translation-none-{name}", BUDGETS[2:3], **config)


def wirings() -> Iterator[Recipe]:
    """Lesson bottleneck, inject: the context at every step, and one RNN for both; translation-none-128 has it only first."""
    for context in ("every", "shared"):
        yield from ladders(f"translation-{context}-128", BUDGETS[2:3], context=context, context_dim=0)


def scores() -> Iterator[Recipe]:
    """Lessons attention and scores: five scores on the same two-way encoder, and none; and the query from the state before."""
    for seed in SEEDS:
        for score in SCORES:
            name = f"translation-{score.replace(' ', '-')}-64-s{seed}"
            yield seq2seq(
                name,
                seed=seed,
                width=64,
                bidirectional=True,
                context="attention",
                score=score,
                film=score == "additive" and seed == 0,
            )
    for seed in SEEDS:
        yield seq2seq(
            f"translation-uniform-64-s{seed}",
            seed=seed,
            width=64,
            bidirectional=True,
            context="attention",
            score="uniform",
        )
    for seed in SEEDS:
        before = seq2seq(
            f"translation-before-64-s{seed}",
            seed=seed,
            width=64,
            bidirectional=True,
            context="attention",
            query="before",
        )
        yield replace(before, keep=seed == 0)


def films() -> Iterator[Recipe]:
    """For a film of training: the same model with a learning rate that is too low, and one that is too high; and other models.

    Of the others only film and card are kept. All have the same steps, each its own good rate.
    """
    for name, lr in (("slow", 5e-4), ("wild", 2e-1)):
        yield seq2seq(
            f"translation-{name}-64-s0",
            steps=1200,
            lr=lr,
            film=True,
            width=64,
            bidirectional=True,
            context="attention",
        )
    bidirectional = {"width": 64, "bidirectional": True}
    for name, kind, lr, config in (
        ("additive", "seq2seq", 1e-2, {**bidirectional, "context": "attention"}),
        ("dot", "seq2seq", 1e-2, {**bidirectional, "context": "attention", "score": "dot"}),
        ("none", "seq2seq", 1e-2, {**bidirectional, "context": "every"}),
        ("transformer", "transformer", 3e-3, {}),
    ):
        yield Recipe(f"film-{name}-s0", kind, "translation", config, steps=1200, lr=lr, film=True, keep=False)


def transformers() -> Iterator[Recipe]:
    """Lessons qkv, between, and transformer."""
    sizes: Json = {"width": 64, "embedding": 64, "context": "attention"}
    for seed in SEEDS:
        yield Recipe(
            f"translation-transformer-s{seed}",
            "transformer",
            "translation",
            {},
            4000,
            3e-3,
            seed=seed,
            keep=seed == 0,
        )
        for ordered, name in ((False, "between"), (True, "between-ordered")):
            encoder = "self-attention with positions" if ordered else "self-attention"
            between = seq2seq(f"translation-{name}-64-s{seed}", lr=5e-3, seed=seed, encoder=encoder, **sizes)
            yield replace(between, keep=seed == 0)


def small_tasks() -> Iterator[Recipe]:
    """Lesson bottleneck, translate: other tasks, the same architecture; and with attention.

    Reversal is read both ways: read one way, attention settles a letter off.
    """
    lengths = range(1, 21)
    for context, name, steps, lr in (("every", "none", 12_000, 4e-3), ("attention", "additive", 1500, 1e-2)):
        yield seq2seq(
            f"reversal-{name}-64-s0",
            "reversal",
            steps,
            lengths=lengths,
            lr=lr,
            width=64,
            bidirectional=True,
            context=context,
        )
        yield seq2seq(f"copy-{name}-64-s0", "copy", steps, lengths=lengths, lr=lr, width=64, context=context)
        yield seq2seq(f"dates-{name}-64-s0", "dates", 1500, lengths=range(3, 31), width=64, context=context)
    yield seq2seq(
        "addition-none-128-s0", "addition", 12_000, lengths=range(3, 8), lr=4e-3, width=128, context="every"
    )


def language_models() -> Iterator[Recipe]:
    """Lessons recurrence and decoding. The vanilla RNN needs small steps, the LSTM many, before it holds on to anything far."""
    texts: Json = {"task": "stories", "batch": 16, "examples": 30_000}
    for cell, layers, lr, steps in (
        ("vanilla", 1, 2e-3, 2500),
        ("vanilla", 2, 2e-3, 2500),
        ("GRU", 1, 1e-2, 2500),
        ("GRU", 2, 1e-2, 2500),
        ("LSTM", 1, 1e-2, 6000),
        ("LSTM", 2, 1e-2, 2500),
    ):
        name, config = f"stories-{cell.lower()}-{layers}", {"cell": cell, "layers": layers}
        yield Recipe(
            name, "language model", config=config, steps=steps, lr=lr, lengths=range(1, 201), **texts
        )
    no_songs: Json = {"cell": "GRU", "layers": 1}  # lesson decoding, loop: what never read a song
    yield Recipe(
        "stories-gru-no-songs",
        "language model",
        config=no_songs,
        steps=2500,
        lengths=range(1, 201),
        only="story",
        **texts,
    )
    yield Recipe(
        "stories-transformer",
        "transformer language model",
        steps=4000,
        lr=4e-3,
        lengths=range(1, 129),
        **texts,
    )


def senses() -> Iterator[Recipe]:
    """Lesson qkv, bank and blank: a word's sense, and a word left out, from both sides or only from the left."""
    for seed in SEEDS:
        for two_sided, name in ((True, "both-sides"), (False, "left-to-right")):
            config, keep = {"two_sided": two_sided}, seed == SEEDS[0]
            yield Recipe(
                f"bank-{name}-s{seed}",
                "sense",
                "bank",
                config,
                2500,
                8e-3,
                batch=256,
                examples=120_000,
                seed=seed,
                keep=keep,
            )


def probes() -> Iterator[Recipe]:
    """Lesson bottleneck, survive: which words can be read off c. They look into models that must be trained before."""
    for width in (64, 128):
        config = {"checkpoint": f"translation-none-{width}-s0", "width": width}
        yield Recipe(
            f"probe-none-{width}-s0", "probe", "translation", config, steps=2000, batch=256, examples=60_000
        )


def pronunciation() -> Iterator[Recipe]:
    """Lessons bottleneck and attention, real words: one vector, attention and a Transformer, about as large, trained as long."""
    bidirectional = {"width": 128, "bidirectional": True, "context": "attention"}
    for model, kind, config in (
        ("pronounce-none-128", "seq2seq", {"width": 128, "context": "first", "context_dim": 128}),
        ("pronounce-additive-128", "seq2seq", bidirectional),
        ("pronounce-transformer", "transformer", {}),
    ):
        for seed in SEEDS:
            yield Recipe(
                f"{model}-s{seed}",
                kind,
                "pronounce",
                config,
                steps=WORD_BUDGETS[-1],
                lr=best_rate(model),
                lengths=range(2, 19),
                seed=seed,
                budgets=WORD_BUDGETS,
                keep=seed == 0,
            )


def everyday() -> Iterator[Recipe]:
    """Translators of the larger world, for sentences that learners type: one vector, attention, and a Transformer."""
    for model, kind, config in (
        ("everyday-none-128", "seq2seq", {"width": 128, "embedding": 64, "context": "first", "context_dim": 128}),
        (
            "everyday-additive-64",
            "seq2seq",
            {"width": 64, "embedding": 64, "bidirectional": True, "context": "attention"},
        ),
        ("everyday-transformer", "transformer", {}),
    ):
        yield Recipe(
            f"{model}-s0",
            kind,
            "everyday",
            config,
            steps=EVERYDAY_BUDGETS[-1],
            lr=best_rate(model),
            examples=300_000,
            lengths=range(2, 21),
            budgets=EVERYDAY_BUDGETS,
        )


FAMILIES = (
    bottleneck,
    cells,
    wirings,
    scores,
    films,
    transformers,
    small_tasks,
    language_models,
    senses,
    probes,
)
PLANNED = (pronunciation, everyday)  # can be trained and tried, but no lesson uses them yet
RECIPES: dict[str, Recipe] = {recipe.name: recipe for family in FAMILIES for recipe in family()}
TRAINABLE: dict[str, Recipe] = RECIPES | {recipe.name: recipe for family in PLANNED for recipe in family()}
ONLY_TRIED = one_vector(
    "translation-none-four-layers", 0, BUDGETS[2:3], layers=4
)  # at no rate did it come far


def seeds_of(model: str) -> tuple[str, ...]:
    """Every training of a model, one a seed: `translation-none-16-s0`, `translation-none-16-s1` …"""
    return tuple(name for name in RECIPES if name.rpartition("-s")[0] == model)
