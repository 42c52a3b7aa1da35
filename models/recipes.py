"""Recipes: how every model of the course is trained. `python -m models.train --list` prints their names.

A name says what differs: `translation-none-16-s0` has no attention, a context vector of size 16, and seed 0.
Models that lessons compare are trained with three seeds, to separate real differences from chance.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from models.attention import SCORES
from models.dynamic_types import Json, Setting, Settings
from models.tasks import vocabularies

SEEDS = (0, 1, 2)
CONTEXT_DIMS = (4, 8, 16, 32, 64, 128)  # k, the size of c
BUDGETS = (1000, 2000, 4000, 8000, 16_000)  # training steps; each budget has its own learning-rate decay
MULTI_SEED_BUDGETS = BUDGETS[:3]  # longer budgets are trained with the first seed only
WORD_BUDGETS = (2000, 4000, 8000, 16_000)  # budgets of the pronunciation models
EVERYDAY_BUDGETS = (4000, 8000)  # budgets of the everyday translators
STORY_BUDGETS = (500, 1000, 2000, 4000)  # budgets of the short-story models
STORY_LENGTHS = range(14, 57)  # words of a short story, with its question if there is one
RATES_PATH = Path(__file__).parent.parent / "assets" / "rates.json"  # written by `python -m models.rates`
SIZE_FIELDS = {  # vocabulary → the configuration field for its size
    "source": "source_words",
    "target": "target_words",
    "words": "words",
    "answers": "answers",
}


@dataclass(frozen=True)
class Recipe:
    name: str
    kind: str  # a key of zoo.KINDS
    task: str
    config: Settings = field(default_factory=dict)  # only fields that differ from the defaults of this kind
    steps: int = 2500
    lr: float = 1e-2
    batch: int = 128
    examples: int = 100_000  # number of training pairs or documents
    lengths: range = range(3, 21)  # source lengths; for a corpus, the last is the window
    seed: int = 0
    film: bool = False
    budgets: tuple[int, ...] = ()  # if set, metrics are measured at each; the last equals `steps`
    keep: bool = True  # save the weights; if False, only the card
    only: str | None = None  # for a corpus: the only kind of document to use

    def full_config(self) -> Json:
        """The configuration with the sizes of the task's vocabularies filled in."""
        sizes = {SIZE_FIELDS[role]: len(words) for role, words in vocabularies(self.task).items()}
        return sizes | dict(self.config)


def seq2seq(
    name: str,
    task: str = "translation",
    steps: int = 3000,
    seed: int = 0,
    film: bool = False,
    lr: float = 1e-2,
    lengths: range = range(3, 21),
    keep: bool = True,
    **config: Setting,
) -> Recipe:
    return Recipe(name, "seq2seq", task, config, steps, lr, lengths=lengths, seed=seed, film=film, keep=keep)


def losses_by_rate(model: str) -> list[dict[str, float]]:
    """Learning rate → validation loss, for each seed that `python -m models.rates` has tried."""
    losses = json.loads(RATES_PATH.read_text(encoding="utf-8")) if RATES_PATH.exists() else {}
    return [losses[name] for seed in SEEDS if (name := f"{model}-s{seed}") in losses]


def best_rate(model: str, otherwise: float = 4e-3) -> float:
    """The learning rate with the lowest mean loss, among rates tried with every such seed."""
    by_seed = losses_by_rate(model)
    rates = set.intersection(*map(set, by_seed)) if by_seed else set()
    return float(min(rates, key=lambda lr: sum(losses[lr] for losses in by_seed), default=otherwise))


def ladder(name: str, seed: int, budgets: tuple[int, ...], **config: Setting) -> Recipe:
    """A recipe with several budgets for an encoder and decoder of width 128 that share only c."""
    config = {"width": 128, "context": "first", "context_dim": 128} | config
    budgets = budgets if seed == 0 else tuple(steps for steps in budgets if steps in MULTI_SEED_BUDGETS)
    options: Json = {"seed": seed, "budgets": budgets, "keep": seed == 0}
    return Recipe(
        f"{name}-s{seed}", "seq2seq", "translation", config, budgets[-1], best_rate(name), **options
    )


def ladders(name: str, budgets: tuple[int, ...] = BUDGETS, **config: Setting) -> Iterator[Recipe]:
    """The recipe of `ladder`, once per seed."""
    for seed in SEEDS:
        yield ladder(name, seed, budgets, **config)


def bottleneck() -> Iterator[Recipe]:
    """For lesson `bottleneck`, `curve`: models that differ only in the size of c, and one with attention."""
    for k in CONTEXT_DIMS:
        yield from ladders(f"translation-none-{k}", context_dim=k)
    yield from ladders("translation-oneway-128", BUDGETS[:3], context="attention", context_dim=0)
    for seed in SEEDS:  # models for the comparison with the bidirectional encoders
        yield seq2seq(f"translation-oneway-64-s{seed}", seed=seed, width=64, context="attention")


def cells() -> Iterator[Recipe]:
    """For lesson `bottleneck`, `cell` and `depth`: compared with translation-none-128 at the same budget."""
    variants: dict[str, Json] = {
        "vanilla": {"cell": "vanilla"},
        "lstm": {"cell": "LSTM"},
        "two-layers": {"layers": 2},
    }
    for name, config in variants.items():
        yield from ladders(f"translation-none-{name}", BUDGETS[2:3], **config)


DEPTHS = (1, 2, 4)  # layers of the encoder and of the decoder
DEPTH_RATES = (4e-3, 8e-3)  # all models use the first; the second is a check, with the first seed
# dense connections of 2 layers would equal residual ones
DEPTH_CONNECTIONS = (("residual", 2), ("residual", 4), ("dense", 4))


def depth() -> Iterator[Recipe]:
    """For lesson `bottleneck`, `depth`: layers and connections at equal steps and one learning rate.

    All have attention, like the models of Britz et al. 2017.
    """
    builds = [("none", encoder, decoder) for encoder in DEPTHS for decoder in DEPTHS]
    builds += [(connection, layers, layers) for connection, layers in DEPTH_CONNECTIONS]
    for seed in SEEDS:
        for connection, encoder, decoder in builds:
            name = depth_model(encoder, decoder, connection)
            config: Json = {"layers": encoder, "decoder_layers": decoder, "connection": connection}
            config |= {"width": 64, "context": "attention"}
            is_even = encoder == decoder
            for suffix, lr in zip(("", "-fast"), DEPTH_RATES, strict=True):
                if not suffix or (seed == SEEDS[0] and is_even):
                    keep = seed == SEEDS[0] and is_even and not suffix
                    options: Json = {"lr": lr, "examples": 40_000, "seed": seed, "keep": keep}
                    yield Recipe(f"{name}{suffix}-s{seed}", "seq2seq", "translation", config, 1000, **options)


def depth_model(encoder: int, decoder: int, connection: str = "none") -> str:
    """The name of a model of `depth`, without its seed: `depth-1-4`, `depth-4-4-residual`, …"""
    return f"depth-{encoder}-{decoder}" + ("" if connection == "none" else f"-{connection}")


def wirings() -> Iterator[Recipe]:
    """For lesson `bottleneck`, `inject`: c at every decoder step, or one RNN as encoder and decoder."""
    for context in ("every", "shared"):
        yield from ladders(f"translation-{context}-128", BUDGETS[2:3], context=context, context_dim=0)


def scores() -> Iterator[Recipe]:
    """For lessons `attention` and `scores`: a bidirectional encoder with each score, and query s_{t-1}."""
    attention: Json = {"width": 64, "bidirectional": True, "context": "attention"}
    for seed in SEEDS:
        for score in SCORES:
            name, film = (
                f"translation-{score.replace(' ', '-')}-64-s{seed}",
                score == "additive" and seed == 0,
            )
            yield seq2seq(name, seed=seed, score=score, film=film, **attention)
    for seed in SEEDS:
        yield seq2seq(f"translation-uniform-64-s{seed}", seed=seed, score="uniform", **attention)
    for seed in SEEDS:
        name = f"translation-before-64-s{seed}"
        yield seq2seq(name, seed=seed, query="before", keep=seed == 0, **attention)


def films() -> Iterator[Recipe]:
    """For lesson `training`, `film`: learning rates that are too low or too high, and other models.

    The other models train for the same number of steps at a good rate; only film and card are saved.
    """
    encoder: Json = {"width": 64, "bidirectional": True}
    attention: Json = {**encoder, "context": "attention"}
    for name, lr in (("slow", 5e-4), ("wild", 2e-1)):
        yield seq2seq(f"translation-{name}-64-s0", steps=1200, lr=lr, film=True, **attention)
    for name, kind, lr, config in (
        ("additive", "seq2seq", 1e-2, attention),
        ("dot", "seq2seq", 1e-2, {**attention, "score": "dot"}),
        ("none", "seq2seq", 1e-2, {**encoder, "context": "every"}),
        ("transformer", "transformer", 3e-3, {}),
    ):
        yield Recipe(f"film-{name}-s0", kind, "translation", config, steps=1200, lr=lr, film=True, keep=False)


def transformers() -> Iterator[Recipe]:
    """For lessons `qkv` (experiment `between`) and `transformer`."""
    sizes: Json = {"width": 64, "embedding": 64, "context": "attention"}
    for seed in SEEDS:
        name, keep = f"translation-transformer-s{seed}", seed == 0
        yield Recipe(name, "transformer", "translation", {}, 4000, 3e-3, seed=seed, keep=keep)
        for name, encoder in (
            ("between", "self-attention"),
            ("between-ordered", "self-attention with positions"),
        ):
            name = f"translation-{name}-64-s{seed}"
            yield seq2seq(name, lr=5e-3, seed=seed, keep=keep, encoder=encoder, **sizes)


def small_tasks() -> Iterator[Recipe]:
    """For lesson `bottleneck`, `translate`: the same architecture on other tasks, with and without attention.

    Reversal uses a bidirectional encoder: with a unidirectional one, attention ends up one letter off.
    """
    lengths = range(1, 21)
    for context, name, steps, lr in (("every", "none", 12_000, 4e-3), ("attention", "additive", 1500, 1e-2)):
        options: Json = {"lr": lr, "lengths": lengths, "width": 64, "context": context}
        yield seq2seq(f"reversal-{name}-64-s0", "reversal", steps, bidirectional=True, **options)
        yield seq2seq(f"copy-{name}-64-s0", "copy", steps, **options)
        yield seq2seq(f"dates-{name}-64-s0", "dates", 1500, lengths=range(3, 31), width=64, context=context)
    options = {"lr": 4e-3, "lengths": range(3, 8), "width": 128, "context": "every"}
    yield seq2seq("addition-none-128-s0", "addition", 12_000, **options)


MANY_TASKS = {  # task → (source lengths in training, training steps)
    "parsing": (range(3, 17), 3000),
    "code": (range(3, 21), 2000),
}


def many_tasks() -> Iterator[Recipe]:
    """For lesson `bottleneck`, `translate`: other tasks, with one vector and with attention, at equal steps.

    The rates are those of the translators of the small world with the same architecture.
    """
    one_vector: Json = {"width": 128, "context": "first", "context_dim": 128}
    attention: Json = {"width": 64, "bidirectional": True, "context": "attention"}
    for task, (lengths, steps) in MANY_TASKS.items():
        options: Json = {"steps": steps, "lengths": lengths, "examples": 40_000}
        lr = best_rate("translation-none-128")
        yield Recipe(f"{task}-none-128-s0", "seq2seq", task, one_vector, lr=lr, **options)
        yield Recipe(f"{task}-additive-64-s0", "seq2seq", task, attention, **options)


def short_stories() -> Iterator[Recipe]:
    """For lesson `bottleneck`, `translate`: the two models of `many_tasks`, for short stories."""
    one_vector: Json = {"width": 128, "context": "first", "context_dim": 128}
    attention: Json = {"width": 64, "bidirectional": True, "context": "attention"}
    options: Json = {
        "steps": STORY_BUDGETS[-1],
        "budgets": STORY_BUDGETS,
        "lengths": STORY_LENGTHS,
        "examples": 60_000,
    }
    for task in ("summaries", "answers"):
        lr = best_rate("translation-none-128")
        yield Recipe(f"{task}-none-128-s0", "seq2seq", task, one_vector, lr=lr, **options)
        yield Recipe(f"{task}-additive-64-s0", "seq2seq", task, attention, **options)


def drawings() -> Iterator[Recipe]:
    """For lesson `attention`, `picture`: the patches of a drawing are the source words."""
    options: Json = {"lr": 8e-3, "lengths": range(36, 37), "width": 64, "bidirectional": True}
    yield seq2seq("drawings-additive-64-s0", "drawings", 3000, context="attention", **options)


STORY_TEXTS: Json = {"task": "stories", "batch": 16, "examples": 30_000, "lengths": range(1, 201)}


def language_models() -> Iterator[Recipe]:
    """For lessons `recurrence` and `decoding`. The vanilla RNN needs a small rate, the LSTM many steps."""
    recurrent: Json = {"kind": "language model", **STORY_TEXTS}
    for cell, layers, lr, steps in (
        ("vanilla", 1, 2e-3, 2500),
        ("vanilla", 2, 2e-3, 2500),
        ("GRU", 1, 1e-2, 2500),
        ("GRU", 2, 1e-2, 2500),
        ("LSTM", 1, 1e-2, 6000),
        ("LSTM", 2, 1e-2, 2500),
    ):
        name, config = f"stories-{cell.lower()}-{layers}", {"cell": cell, "layers": layers}
        yield Recipe(name, config=config, steps=steps, lr=lr, **recurrent)
    config = {"cell": "GRU", "layers": 1}  # for lesson `decoding`, `loop`: trained without songs
    yield Recipe("stories-gru-no-songs", config=config, steps=2500, only="story", **recurrent)
    name, kind = "stories-transformer", "transformer language model"
    yield Recipe(name, kind, steps=4000, lr=4e-3, **STORY_TEXTS | {"lengths": range(1, 129)})


def recurrent_attention() -> Iterator[Recipe]:
    """For lesson `transformer`, `recurrent_lm`: the GRU stories-gru-1 with attention, and more seeds of both.

    All have the data, steps and learning rate of stories-gru-1. The score `uniform` is a baseline: the same
    output layer, but c_t is the mean of all earlier states. The short Transformer has as many steps as the
    GRUs, with the data and learning rate of stories-transformer.
    """
    options: Json = {"steps": 2500, "lr": 1e-2, **STORY_TEXTS}
    attention, plain = "language model with attention", {"cell": "GRU", "layers": 1}
    yield Recipe("stories-gru-attention", attention, **options)
    yield Recipe("stories-gru-uniform", attention, config={"score": "uniform"}, keep=False, **options)
    for seed in SEEDS[1:]:
        yield Recipe(f"stories-gru-attention-s{seed}", attention, seed=seed, keep=False, **options)
        name, kind = f"stories-gru-1-s{seed}", "language model"
        yield Recipe(name, kind, config=plain, seed=seed, keep=False, **options)
    name, kind = "stories-transformer-short", "transformer language model"
    texts = STORY_TEXTS | {"lengths": range(1, 129)}
    yield Recipe(name, kind, steps=options["steps"], lr=4e-3, keep=False, **texts)


def english() -> Iterator[Recipe]:
    """For lesson `bottleneck`, `bits`: how many bits the translators' source sentences carry."""
    config, lengths = {"cell": "GRU"}, range(1, 41)
    yield Recipe("english-gru", "language model", "english", config, lr=1e-2, lengths=lengths)


def senses() -> Iterator[Recipe]:
    """For lesson `qkv`, `bank` and `blank`: predict senses and missing words from both sides or the left."""
    sizes: Json = {"steps": 3500, "lr": 8e-3, "batch": 256, "examples": 240_000}
    for seed in SEEDS:
        for two_sided, name in ((True, "both-sides"), (False, "left-to-right")):
            name, config = f"bank-{name}-s{seed}", {"two_sided": two_sided, "shared": True}
            yield Recipe(name, "sense", "bank", config, seed=seed, keep=seed == SEEDS[0], **sizes)


def probes() -> Iterator[Recipe]:
    """For lesson `bottleneck`, `survive`: probes of c. Train the probed models first."""
    sizes: Json = {"steps": 2000, "batch": 256, "examples": 60_000}
    for width in (64, 128):
        config = {"checkpoint": f"translation-none-{width}-s0", "width": width}
        yield Recipe(f"probe-none-{width}-s0", "probe", "translation", config, **sizes)


def pronunciation() -> Iterator[Recipe]:
    """For lesson `bottleneck`, pronunciation of real words by three architectures of about the same size."""
    one_vector = {"width": 128, "context": "first", "context_dim": 128}
    attention = {"width": 128, "bidirectional": True, "context": "attention"}
    lengths = range(2, 19)
    for model, kind, config in (
        ("pronounce-none-128", "seq2seq", one_vector),
        ("pronounce-additive-128", "seq2seq", attention),
        ("pronounce-transformer", "transformer", {}),
    ):
        for seed in SEEDS:
            name, lr = f"{model}-s{seed}", best_rate(model)
            budgets = WORD_BUDGETS if seed == 0 else WORD_BUDGETS[:2]  # longer ones with one seed
            options: Json = {"lr": lr, "seed": seed, "keep": seed == 0, "lengths": lengths}
            yield Recipe(name, kind, "pronounce", config, budgets[-1], budgets=budgets, **options)


EVERYDAY_SIZES: Json = {"embedding": 64, "tied": True}
EVERYDAY_ATTENTION: Json = {**EVERYDAY_SIZES, "width": 64, "bidirectional": True, "context": "attention"}


def everyday() -> Iterator[Recipe]:
    """Translators with a large vocabulary, for sentences that learners type. All use the same budgets."""
    yield everyday_model("everyday-additive-64", "seq2seq", EVERYDAY_ATTENTION)
    one_vector = {**EVERYDAY_SIZES, "width": 128, "context": "first", "context_dim": 128}
    yield everyday_model("everyday-none-128", "seq2seq", one_vector)


def everyday_transformer() -> Iterator[Recipe]:
    yield everyday_model("everyday-transformer", "transformer", {})


def everyday_variants() -> Iterator[Recipe]:
    """Attention with query s_{t-1} and over a unidirectional encoder."""
    yield everyday_variant("before", query="before")
    yield everyday_variant("oneway", bidirectional=False)


def everyday_scores() -> Iterator[Recipe]:
    for score in SCORES:
        if score != "additive":
            yield everyday_variant(score.replace(" ", "-"), score=score)


def everyday_variant(name: str, **config: Setting) -> Recipe:
    """A variant of everyday-additive-64 with the same learning rate."""
    config = EVERYDAY_ATTENTION | config
    return everyday_model(f"everyday-{name}-64", "seq2seq", config, "everyday-additive-64")


def everyday_model(name: str, kind: str, config: Json, tuned: str = "") -> Recipe:
    """One everyday translator; `tuned` names the model whose learning rate it uses (default: its own)."""
    options: Json = {"steps": EVERYDAY_BUDGETS[-1], "budgets": EVERYDAY_BUDGETS, "lengths": range(2, 21)}
    lr = best_rate(tuned or name)
    return Recipe(f"{name}-s0", kind, "everyday", config, lr=lr, examples=300_000, **options)


FAMILIES = (
    bottleneck,
    cells,
    depth,
    wirings,
    scores,
    films,
    transformers,
    small_tasks,
    drawings,
    language_models,
    senses,
    probes,
    english,
    pronunciation,
    everyday,
    everyday_transformer,
    many_tasks,
    short_stories,
    recurrent_attention,
)
PLANNED_FAMILIES = (  # recipes that can be trained, but that no lesson uses yet
    everyday_variants,
    everyday_scores,
)
RECIPES: dict[str, Recipe] = {recipe.name: recipe for family in FAMILIES for recipe in family()}
TRAINABLE = RECIPES | {recipe.name: recipe for family in PLANNED_FAMILIES for recipe in family()}
FOUR_LAYERS = ladder("translation-none-four-layers", 0, BUDGETS[2:3], layers=4)  # little learned at all rates


def seeds_of(model: str) -> tuple[str, ...]:
    """Recipe names of a model, one per seed: `translation-none-16-s0`, …"""
    return tuple(name for name in RECIPES if name.rpartition("-s")[0] == model)
