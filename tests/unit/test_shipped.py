"""The shipped models: their cards agree with new test data and show what the lessons rely on."""

import json
from collections import defaultdict
from statistics import mean

import pytest
import torch

from models import metrics, rates, zoo
from models.decoding import Settings, find_loop, greedy, samples
from models.measure import attention_quantity
from models.recipes import (
    CONTEXT_DIMS,
    MULTI_SEED_BUDGETS,
    RECIPES,
    SEEDS,
    TRAINABLE,
    best_rate,
    losses_by_rate,
    seeds_of,
)
from models.tasks import BANK, CORPORA, TASKS
from models.tasks.blank import draw_blanks

CARDS = zoo.cards()
TRANSLATORS = [name for name, card in CARDS.items() if card.task in TASKS and card.kind != "probe"]
LANGUAGE_MODELS = [name for name, card in CARDS.items() if card.task in CORPORA]
STORY_MODELS = [name for name in LANGUAGE_MODELS if CARDS[name].task == "stories"]
TRAINED_WITH_SONGS = [name for name in STORY_MODELS if name != "stories-gru-no-songs"]
NEW_SEED = 4711  # a seed that neither training nor the cards used


def bucket(card: zoo.Card, first: int) -> dict:
    return next(row for row in card.metrics["by_length"] if row["from"] == first)


@pytest.mark.parametrize("name", RECIPES)
def test_the_card_belongs_to_the_recipe(name):
    recipe, card = RECIPES[name], zoo.Card.read(name)  # the card may be shipped without its weights
    assert {key: getattr(recipe, key) for key in card.recipe} == card.recipe
    assert recipe.full_config().items() <= card.config.items()


@pytest.fixture(scope="module")
def new_pairs():
    lengths = {recipe.task: recipe.lengths for recipe in reversed(RECIPES.values()) if recipe.task in TASKS}
    return {name: TASKS[name].pairs("test", 80, seed=NEW_SEED, lengths=lengths[name]) for name in lengths}


@pytest.mark.parametrize("name", TRANSLATORS)
def test_the_recorded_accuracy_is_reached_again(name, new_pairs):
    model, card = zoo.load(name)
    pairs = new_pairs[card.task]
    said, found = card.metrics["natural"], metrics.evaluate(model, pairs, TASKS[card.task])
    p = min(max(said["exact_match"], 0.02), 0.98)
    assert abs(found["exact_match"] - said["exact_match"]) <= 4 * (p * (1 - p) / len(pairs)) ** 0.5 + 0.02
    assert abs(found["token_accuracy"] - said["token_accuracy"]) <= 0.15


# ---- the bottleneck, and how attention avoids it ----


def test_additive_attention_translates():
    cards = [CARDS[f"translation-additive-64-s{seed}"] for seed in SEEDS]
    assert mean(card.metrics["natural"]["exact_match"] for card in cards) >= 0.97
    assert mean(bucket(card, 17)["exact_match"] for card in cards) >= 0.93


def rungs(name: str) -> dict[int, dict]:
    return {row["steps"]: row for row in zoo.Card.read(name).metrics["rungs"]}


def test_a_larger_c_holds_more_and_more_training_packs_it_better():
    """A larger c must be better with every seed at the longest shared budget, and so must longer training."""

    def exact(model: str, steps: int) -> list[float]:
        return [rungs(name)[steps]["natural"]["exact_match"] for name in seeds_of(model)]

    sizes, last = [f"translation-none-{k}" for k in CONTEXT_DIMS], MULTI_SEED_BUDGETS[-1]
    assert max(exact(sizes[0], last)) < min(exact(sizes[2], last))
    assert max(exact(sizes[2], last)) < min(exact(sizes[-1], last))
    for name in (name for model in sizes for name in seeds_of(model)):
        shares = [row["natural"]["exact_match"] for row in rungs(name).values()]
        assert shares[0] < shares[-1]
    for steps in rungs("translation-oneway-128-s0"):
        assert all(min(exact("translation-oneway-128", steps)) > max(exact(model, steps)) for model in sizes)


@pytest.mark.parametrize("name", [name for name, recipe in RECIPES.items() if recipe.budgets])
def test_every_budget_and_the_way_there_are_on_the_card(name):
    recipe, figures = RECIPES[name], zoo.Card.read(name).metrics
    assert tuple(rungs(name)) == recipe.budgets
    assert rungs(name)[recipe.steps]["natural"] == figures["natural"]
    assert figures["learning"][0]["step"] < figures["learning"][-1]["step"] <= recipe.steps


def test_each_size_has_the_best_of_the_rates_tried():
    for recipe in rates.FIRST_SEED_RECIPES:
        model = recipe.name.rpartition("-s")[0]
        if recipe.name in TRAINABLE.keys() - RECIPES.keys():
            continue
        (losses, *again), best = losses_by_rate(model), best_rate(model)
        assert set(losses) == {str(lr) for lr in rates.candidate_rates(recipe)}
        # the best rate is not at an end of the range
        assert min(map(float, losses)) < best < max(map(float, losses))
        assert [len(some) for some in again] == [2, 2] * (model in rates.EVERY_SEED_MODELS)
        assert all(zoo.Card.read(one).recipe["lr"] == best for one in seeds_of(model))


def test_attention_finds_the_alignment():
    scores = {
        score: mean(CARDS[f"translation-{score}-64-s{seed}"].metrics["natural"]["aer"] for seed in SEEDS)
        for score in ("dot", "scaled-dot", "bilinear", "scaled-bilinear", "additive")
    }
    assert min(scores.values()) <= 0.10, scores
    assert all("aer" in row for row in CARDS["translation-before-64-s0"].metrics["by_length"])


@pytest.mark.parametrize(
    "name",
    [
        n
        for n in TRANSLATORS
        if n.startswith(("translation-additive", "translation-before", "translation-transformer"))
    ],
)
def test_the_sentences_of_the_course(name):
    task = TASKS["translation"]
    said = CARDS[name].metrics["course"]
    for pair in task.course:
        assert said[task.join(pair.source)] == task.join(pair.target)


def test_the_card_of_the_transformer_names_its_heads():
    card = CARDS["translation-transformer-s0"]
    heads = card.metrics["aer_by_head"]
    assert (len(heads), len(heads[0])) == (card.config["layers"], card.config["heads"])
    model, _ = zoo.load(card.name)
    pairs = TASKS["translation"].pairs("test", 60, seed=NEW_SEED, lengths=range(5, 16))
    found = metrics.aer_of_maps(
        metrics.attention_maps(model, pairs, TASKS["translation"], attention_quantity(model)), pairs
    )
    assert found == pytest.approx(card.metrics["natural"]["aer"], abs=0.08)


def test_an_encoder_without_order_is_worse():
    exact = {
        name: CARDS[f"translation-{name}-64-s0"].metrics["natural"]["exact_match"]
        for name in ("between", "between-ordered")
    }
    assert (
        exact["between"]
        < exact["between-ordered"]
        < CARDS["translation-transformer-s0"].metrics["natural"]["exact_match"]
    )


@pytest.mark.parametrize("task", ["reversal", "copy"])
def test_attention_helps_where_there_is_much_to_carry(task):
    """Attention must help on the longest inputs trained on; short inputs fit into one vector."""
    exact = [
        next(
            row["exact_match"]
            for row in CARDS[f"{task}-{kind}-64-s0"].metrics["by_length"]
            if row["to"] == 20
        )
        for kind in ("none", "additive")
    ]
    assert exact[0] + 0.5 < exact[1]


def test_one_vector_is_enough_for_a_date():
    """One vector must be enough for a day, a month and a year: here attention adds nothing."""
    assert CARDS["dates-none-64-s0"].metrics["natural"]["exact_match"] > 0.95


# ---- language models ----


@pytest.mark.parametrize("name", TRAINED_WITH_SONGS)
def test_repetition_feeds_itself(name):
    """Repeating a known phrase must make it more likely, and 100 repetitions must not undo this."""
    card = CARDS[name]
    *known, strange = CORPORA[card.task].phrases
    for phrase in known:
        after = dict(zip(card.metrics["repeats"], card.metrics["loop"][phrase], strict=True))
        assert after[5] >= 5 * after[0], phrase
        assert after[100] >= 0.5 * after[5], phrase
    assert strange in card.metrics["loop"]


def test_a_model_trained_without_songs_hardly_repeats_phrases():
    """With the same cell, steps and stories, a model trained without songs must hardly repeat phrases."""
    with_songs, without = (CARDS[f"stories-gru-{name}"].metrics["loop"] for name in ("1", "no-songs"))
    for phrase in CORPORA["stories"].phrases[:3]:
        assert with_songs[phrase][-1] > 50 * without[phrase][-1], phrase


@pytest.mark.parametrize("name", TRAINED_WITH_SONGS)
@torch.inference_mode()
def test_greedy_loops_and_nucleus_does_not(name):
    model, card = zoo.load(name)
    words = CORPORA[card.task].vocabulary
    writer = model.writer(words.ids("i don't know . i don't know .".split()))
    assert find_loop(greedy(writer, 100).tokens)
    texts = [
        [t for t in text.tokens if t != words.eos]
        for text in samples(writer, 20, 100, Settings(top_p=0.95), seed=0)
    ]
    assert sum(bool(find_loop(text)) for text in texts) <= 4


@pytest.mark.parametrize("layers", [1, 2])
def test_gates_remember_further(layers):
    """Gated cells must know which mark to close more than ten words after it was opened; chance is 0.5."""

    def closed(cell: str) -> float:
        rows = [
            row for row in CARDS[f"stories-{cell}-{layers}"].metrics["memory"]["mark"] if row["from"] > 10
        ]
        return sum(row["accuracy"] * row["count"] for row in rows) / sum(row["count"] for row in rows)

    assert closed("gru") > closed("vanilla") + 0.1
    assert closed("lstm") > closed("vanilla") + 0.1


def test_a_gru_keeps_a_colour_for_fifty_words_and_a_vanilla_rnn_does_not():
    def recalled(cell: str) -> float:
        (far,) = [row for row in CARDS[f"stories-{cell}-1"].metrics["memory"]["colour"] if row["from"] > 50]
        return far["accuracy"]

    assert recalled("gru") > 0.9
    assert recalled("vanilla") < 0.3


# ---- senses ----


def test_only_a_two_sided_model_sees_cues_on_the_right():
    assert CARDS["bank-both-sides-s0"].metrics["natural"]["accuracy"] >= 0.98
    sides = CARDS["bank-left-to-right-s0"].metrics["by_side"]
    assert abs(sides["right"]["accuracy"] - 0.5) <= 0.02
    assert sides["left"]["accuracy"] >= 0.95
    model, _ = zoo.load("bank-both-sides-s0")
    for cue, sense in (("street", "bank: money"), ("river", "bank: river")):
        tokens = f"i arrived at the bank after crossing the {cue} .".split()
        trace = model.run(BANK.vocabulary.ids(tokens), tokens.index("bank"))
        assert BANK.answers[trace.answer_probabilities.argmax()] == sense


@pytest.mark.parametrize("seed", SEEDS)
def test_blanks_are_filled_almost_ideally_where_the_cue_is_visible(seed):
    both, left = (
        zoo.Card.read(f"bank-{reader}-s{seed}").metrics["blanks"]
        for reader in ("both-sides", "left-to-right")
    )
    for told in ("left", "right", "both"):
        assert both[told]["fits"] >= 0.98
    for told, figures in both.items():
        # without a cue, a blank could also be from an everyday sentence
        assert 0.97 <= figures["perplexity"] / figures["ideal"] <= (1.4 if told == "nowhere" else 1.2)
        assert (
            figures["fits"] == pytest.approx(0.5, abs=0.02) if told == "nowhere" else figures["fits"] >= 0.98
        )
    assert left["left"]["fits"] >= 0.95
    assert left["both"]["fits"] >= 0.95
    assert abs(left["right"]["fits"] - 0.5) <= 0.02  # the left-to-right model cannot see a cue on the right
    assert left["right"]["perplexity"] > 3 * both["right"]["perplexity"]


def test_another_cue_another_word_unless_it_stands_behind_the_mask():
    """In held-out twin sentences another cue must change the word, unless the model cannot see the cue."""
    models = {reader: zoo.load(f"bank-{reader}-s0")[0] for reader in ("both-sides", "left-to-right")}
    first = len(BANK.labels)
    changed = {reader: defaultdict(list) for reader in models}
    gaps = draw_blanks("test", 800, seed=2)
    for one, other in zip(gaps[::2], gaps[1::2], strict=True):
        for reader, model in models.items():
            rows = [
                model.run(BANK.vocabulary.ids(gap.tokens), gap.place).answer_probabilities[first:]
                for gap in (one, other)
            ]
            words = [BANK.vocabulary.words[row.argmax()] for row in rows]
            fit = all(
                word in BANK.cues_of(gap.word, gap.sense)
                for word, gap in zip(words, (one, other), strict=True)
            )
            changed[reader][one.cue_side].append(fit)
            if one.cue_side == "nowhere" or (reader == "left-to-right" and one.cue_side == "right"):
                assert torch.equal(*rows)  # the visible words are the same
    for reader, told in changed.items():
        shares = {side: sum(fits) / len(fits) for side, fits in told.items()}
        assert shares.pop("nowhere") == 0
        if reader == "left-to-right":
            assert shares.pop("right") == 0
        assert min(shares.values()) >= 0.95


# ---- recordings ----


@pytest.mark.parametrize("name", [name for name, recipe in RECIPES.items() if recipe.film])
def test_films_show_the_map_emerging(name):
    film = json.loads((zoo.CHECKPOINTS / f"{name}.film.json").read_text(encoding="utf-8"))
    recipe = RECIPES[name]
    assert len(film["losses"]) == recipe.steps
    assert 20 <= len(film["frames"]) <= 30
    assert [frame["step"] for frame in film["frames"]] == sorted({frame["step"] for frame in film["frames"]})
    assert film["frames"][0]["step"] == 1
    assert film["frames"][-1]["step"] == recipe.steps
    looks = recipe.kind == "transformer" or recipe.config["context"] == "attention"
    for frame in film["frames"]:
        assert len(frame["weights"]) == looks * (len(film["target"]) + 1)
        assert all(sum(row) == pytest.approx(1, abs=0.02) for row in frame["weights"])
    exact = film["frames"][-1]["exact_match"]
    assert (exact > 0.9) == (recipe.lr == 1e-2) if recipe.keep else (exact > 0.8) == looks
