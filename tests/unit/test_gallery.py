"""Gallery: the shipped texts can be reproduced, and their measurements are correct."""

import json
import math
import random
import statistics

import pytest

from models import gallery, zoo
from models.decoding import Settings, perplexity
from models.gallery import HUMAN, MODELS, PROMPT_TOKENS, STRATEGIES, Strategy, Text
from models.vocabulary import Vocabulary

SHIPPED = gallery.load_gallery()


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("strategy", [HUMAN, *(strategy for strategy in STRATEGIES if strategy != "beam 16")])
def test_the_first_texts_are_reproducible(name, strategy):
    texts = gallery.texts(name, strategy, SHIPPED["count"], SHIPPED["seed"])
    for shipped in SHIPPED["models"][name][strategy]["texts"][:2]:
        assert " ".join(gallery.CORPUS.vocabulary.tokens(next(texts).tokens)) == shipped


def test_the_book_is_complete():
    assert list(SHIPPED["models"]) == list(MODELS)
    for strategies in SHIPPED["models"].values():
        assert list(strategies) == [HUMAN, *STRATEGIES]
        for row in strategies.values():
            assert len(row["texts"]) == SHIPPED["count"] == len(SHIPPED["prompts"])
            ids = [tuple(gallery.CORPUS.vocabulary.ids(text.split())) for text in row["texts"]]
            found = gallery.figures([Text(tokens, (-1.0,)) for tokens in ids])
            for figure in ("repetition", "distinct-1", "distinct-2", "distinct-3", "words"):
                assert row["figures"][figure] == pytest.approx(found[figure], abs=1e-4)


def test_beginnings_are_held_out_and_go_on_to_their_end():
    trained = {tuple(words) for words in gallery.CORPUS.documents("train", 200)}
    for prompt, rest in gallery.held_out_prompts(5, 3):
        assert len(prompt) == PROMPT_TOKENS
        assert prompt not in {
            tuple(gallery.CORPUS.vocabulary.ids(words[:PROMPT_TOKENS])) for words in trained
        }
        assert rest[-1] == Vocabulary.eos or len(rest) == gallery.MAX_TOKENS
    assert gallery.held_out_prompts(5, 3) != gallery.held_out_prompts(5, 4)
    assert len(gallery.held_out_prompts()) == gallery.TEXT_COUNT
    stories = {words[:PROMPT_TOKENS] for words in told("story")} - {
        words[:PROMPT_TOKENS] for words in told("song")
    }
    assert {
        tuple(gallery.CORPUS.vocabulary.tokens(prompt)) for prompt, _ in gallery.held_out_prompts()
    } <= stories


def told(kind: str) -> list[tuple[str, ...]]:
    documents = gallery.CORPUS.draw_documents("test", 2 * gallery.TEXT_COUNT, seed=gallery.SEED + 1000)
    return [tuple(document.tokens) for document in documents if document.kind == kind]


def test_figures_by_hand():
    loop, free = Text((4, 5, 4, 5, 4, 5), (math.log(0.5),) * 6), Text((4, 5, 6, 7), (math.log(0.125),) * 5)
    found = gallery.figures([loop, free])
    assert found["perplexity"] == pytest.approx(2 ** ((6 + 15) / 11))
    assert found["repetition"] == 0.5
    assert found["distinct-1"] == pytest.approx((2 / 6 + 1) / 2)
    assert found["words"] == 5
    assert gallery.figures([Text((), (-1.0,))])["distinct-2"] == 0


def test_an_interval_is_as_wide_as_texts_differ():
    alike = [Text((4, 5), (math.log(0.5),) * 2)] * 9
    assert gallery.interval(alike) == pytest.approx((2, 2))
    rng = random.Random(1)
    few, many = ([Text((4,), (-rng.gauss(1, 0.5),)) for _ in range(count)] for count in (40, 400))
    for texts in (few, many):
        surprise = [-text.logprobs[0] for text in texts]
        # half the width of the textbook 95% interval of a mean
        reach = 1.96 * statistics.stdev(surprise) / len(texts) ** 0.5
        least, most = map(math.log, gallery.interval(texts))
        assert (least, most) == pytest.approx(
            (statistics.mean(surprise) - reach, statistics.mean(surprise) + reach), abs=reach / 5
        )


def test_every_strategy_writes_its_texts():
    model, prompt = zoo.load(MODELS["GRU"])[0], gallery.held_out_prompts(2)[1][0]
    greedy, one = (
        gallery.write_text(model, prompt, strategy, 0)
        for strategy in (STRATEGIES["greedy"], Strategy(width=1))
    )
    assert greedy.tokens == one.tokens
    assert greedy.logprobs == pytest.approx(one.logprobs, abs=1e-5)
    first, again, other = (
        gallery.write_text(model, prompt, Strategy(Settings(top_p=0.95)), seed) for seed in (1, 1, 2)
    )
    assert first == again != other
    assert Vocabulary.eos not in first.tokens


def test_the_true_text_is_scored_as_the_model_sees_it():
    model, (prompt, rest) = zoo.load(MODELS["Transformer"])[0], gallery.held_out_prompts(1)[0]
    logprobs = model.text_logits((*prompt, *rest)).log_softmax(-1)[len(prompt) : -1]
    expected = [row[token].item() for row, token in zip(logprobs, rest, strict=True)]
    assert perplexity(gallery.true_text(model, prompt, rest).logprobs) == pytest.approx(
        perplexity(expected), rel=1e-3
    )


def test_a_gallery_is_json_with_its_settings(monkeypatch):
    monkeypatch.setattr(gallery, "STRATEGIES", {"greedy": STRATEGIES["greedy"]})
    book = json.loads(json.dumps(gallery.gallery({"GRU": MODELS["GRU"]}, count=2, seed=5)))
    assert (book["seed"], book["count"]) == (5, 2)
    assert set(book["models"]["GRU"]) == {HUMAN, "greedy"}
