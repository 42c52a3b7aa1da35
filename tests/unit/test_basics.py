"""Lesson `basics`: tokens, embeddings, softmax and loss agree with hand calculations, numpy and PyTorch."""

import math

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from lessons.basics import LESSON
from lessons.basics.embedding.compute import cosines, nearest, principal_axes, table
from lessons.basics.loss import compute as loss_compute
from lessons.basics.loss.compute import MAX_WORDS, cross_entropy, descend, gradient, one_hot
from lessons.basics.loss.exercises import BITS
from lessons.basics.softmax.compute import LOGITS, naive_softmax, softmax
from lessons.basics.tokens.compute import SENTENCES, split_words, written
from lessons.kit.checkpoints import STORIES
from lessons.kit.contract import InputError
from lessons.kit.notices import collect_notices
from models import bpe, zoo
from models.vocabulary import Vocabulary
from tests.helpers import changed, preset
from tests.says import assert_says

TOKENS, EMBEDDING, SOFTMAX, LOSS = (
    LESSON.experiment(slug) for slug in ("tokens", "embedding", "softmax", "loss")
)


def reading_of(experiment, result) -> str:
    return next(view for view in experiment.views if view.__name__ == "reading")(result)


def exercise(slug: str):
    return next(one for one in LESSON.exercises if one.slug == slug)


# ---- tokens ----


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't stop, now!", ("Don't", "stop", ",", "now", "!")),
        ("well-known 3.14", ("well-known", "3", ".", "14")),
        ("छोटी बिल्ली।", ("छोटी", "बिल्ली", "।")),
        ("👩‍🚀👍🏽 ☕️", ("👩‍🚀", "👍🏽", "☕️")),
        ("- x", ("-", "x")),
    ],
)
def test_words_and_marks(text, words):
    assert split_words(text) == words


def test_every_merge_takes_pieces_away_and_keeps_the_bytes():
    last = None
    for merge in range(TOKENS.run().merges + 1):
        run = TOKENS.run({"merge": merge})
        assert run.merge == merge
        assert sum(run.bytes_of["pieces"]) == run.byte_count == len(run.text.encode())
        if last:
            assert len(last.pieces) - len(run.pieces) == len(run.joined) == last.upcoming[0].times
            assert run.last == last.upcoming[0]
            assert {run.pieces[i] for i in run.joined} == {run.last.piece}
        last = run
    assert last.pieces == last.final == tuple(map(written, bpe.load().encode(last.text)))
    assert not last.upcoming


def test_a_merge_names_its_rank_and_its_count_in_training():
    run = TOKENS.run({"merge": 3})
    assert [m.rank for m in (run.last, *run.upcoming)] == sorted(m.rank for m in (run.last, *run.upcoming))
    assert run.last.count == bpe.load().merges[run.last.rank - 1].count
    assert_says(reading_of(TOKENS, run), run.last.count, len(run.pieces), run.known.count(False))


def test_an_alphabet_without_merges_stays_bytes():
    run = preset(LESSON, "tokens", "An unseen alphabet")
    assert run.merges == 0
    assert len(run.final) == len(SENTENCES["Greek"].encode())
    assert run.per_word.argmin() == list(SENTENCES).index("French") or run.per_word.argmin() == list(
        SENTENCES
    ).index("English")
    assert run.per_word[list(SENTENCES).index("Hindi")] > 5 * run.per_word[list(SENTENCES).index("English")]


def test_the_longest_unknown_word_becomes_pieces():
    run = TOKENS.run()
    assert run.strangest == "gardener"
    assert run.strangest_pieces == ("␣garden", "er")
    assert TOKENS.run({"text": "the river"}).strangest is None


def test_what_cannot_be_seen_is_written_out():
    run = TOKENS.run({"text": "a\u200db\x07 c"})
    assert run.characters == ("a", "U+200D", "b", "U+0007", "␣", "c")
    with pytest.raises(InputError):
        TOKENS.run({"text": " \n"})


def test_the_challenge_wants_words_of_one_piece():
    check = exercise("one-piece-each").check
    # the first text has one piece per word, but only two words
    assert not check(None, changed(LESSON, "tokens", text="The garden")).ok
    assert not check(None, changed(LESSON, "tokens", text="The unhappy gardener is in the garden")).ok
    assert check(None, changed(LESSON, "tokens", text="The river and the house and the garden")).ok


# ---- embedding ----


def test_look_up_is_a_one_hot_product():
    run = EMBEDDING.run({"word": "blue"})
    number = zoo.load("stories-lstm-1")[1].vocabularies["words"].split("\n").index("blue")
    ids = torch.tensor([number])
    row = F.embedding(ids, torch.tensor(table()))[0].numpy()
    product = (F.one_hot(ids, len(table())).double() @ torch.tensor(table()))[0].numpy()
    assert np.allclose(row, product)
    assert np.array_equal(run.row, row)
    given = run.lookup
    assert np.allclose(given["x"] @ given["E"], given["product"])
    assert np.allclose(given["product"], row[: len(given["product"])])
    assert run.lookup_words[int(given["x"].argmax())] == "blue"


@pytest.mark.parametrize("word", ["the", "a", "(", "“", "young"])
def test_look_up_shows_the_word_wherever_it_stands(word):
    run = EMBEDDING.run({"word": word})
    assert run.lookup_words[int(run.lookup["x"].argmax())] == run.word


def test_cosines_and_the_nearest_agree_with_torch():
    E = torch.tensor(table())
    ours = cosines(table()[50], table())
    theirs = F.cosine_similarity(E[50][None], E).numpy()
    assert np.allclose(ours, theirs)
    order = [i for i in np.argsort(-theirs, kind="stable") if i > 2 and i != 50]
    assert nearest(table()[50], 50)[:10].tolist() == order[:10]


def test_a_row_on_its_way_gets_other_neighbours():
    start, end = EMBEDDING.run(), EMBEDDING.run({"share": 1.0})
    assert start.neighbours[0] == "blue"
    assert end.neighbours[0] == end.towards == "anna"
    assert end.neighbour_cosines[0] == pytest.approx(1)
    half = EMBEDDING.run({"share": 0.5})
    assert np.allclose(half.row, (start.original + start.other) / 2)
    assert_says(reading_of(EMBEDDING, half), 0.5, half.neighbours[0], float(half.neighbour_cosines[0]))


def test_numbers_added_to_a_row_change_its_neighbours():
    change = ((9.0, -9.0, 9.0, 9.0),)
    plain, run = EMBEDDING.run(), EMBEDDING.run({"change": change})
    assert np.allclose(run.row[:4] - plain.row[:4], change[0])
    assert np.array_equal(run.row[4:], plain.row[4:])
    assert run.neighbours[0] != plain.neighbours[0]
    assert np.allclose(run.lookup["product"], run.row[:4])
    assert np.allclose(
        run.neighbour_cosines,
        F.cosine_similarity(
            torch.tensor(run.row)[None], torch.tensor(table()[STORIES.vocabulary.ids(run.neighbours)])
        ).numpy(),
    )
    assert_says(reading_of(EMBEDDING, run), run.neighbours[0], float(run.neighbour_cosines[0]))


def test_principal_axes_agree_with_the_covariance():
    rows = np.random.default_rng(0).normal(size=(12, 5)) * [3, 2, 1, 1, 1]
    mean, axes, explained = principal_axes(rows)
    values, vectors = np.linalg.eigh(np.cov(rows.T))
    for axis, vector in zip(axes, vectors.T[::-1], strict=False):
        assert abs(axis @ vector) == pytest.approx(1)
    assert np.allclose(explained, values[::-1][:2] / values.sum())
    assert np.allclose(mean, rows.mean(0))


def test_one_word_alone_has_a_plane():
    run = EMBEDDING.run({"word": "red", "towards": "red", "group": ""})
    assert run.points.shape == (1, 2)
    assert np.allclose(run.points, 0)


@pytest.mark.parametrize("values", [{"word": " "}, {"towards": ""}, {"word": "Привет"}])
def test_a_word_that_is_none_is_refused(values):
    with pytest.raises(InputError):
        EMBEDDING.run(values)


@pytest.mark.parametrize("values", [{"word": "red blue"}, {"word": "zorblax"}, {"group": "the zorblax"}])
def test_any_english_word_is_read_and_a_notice_says_how(values):
    with collect_notices() as notices:
        EMBEDDING.run(values)
    assert notices.keys() == values.keys()


def test_the_challenge_wants_another_nearest_word_before_half():
    check = exercise("change-the-nearest").check
    assert not check(None, changed(LESSON, "embedding")).ok
    assert not check(None, changed(LESSON, "embedding", share=0.8)).ok
    assert not check(None, changed(LESSON, "embedding", share=0.2)).ok
    assert check(None, changed(LESSON, "embedding", word="river", towards="red", share=0.45)).ok


# ---- softmax ----


def test_softmax_agrees_with_torch():
    u = np.random.default_rng(1).normal(size=9) * 5
    theirs = F.softmax(torch.tensor(u), -1).numpy()
    assert np.allclose(softmax(u), theirs)
    assert np.allclose(naive_softmax(u), theirs)
    run = SOFTMAX.run({"tau": 0.7, "shift": 3})
    z = torch.tensor(LOGITS)[:, 0]
    assert np.allclose(run.probabilities, F.softmax(z / 0.7, -1).numpy(), atol=1e-6)
    assert run.entropy == pytest.approx(
        torch.distributions.Categorical(logits=z / 0.7).entropy().item() / math.log(2), abs=1e-5
    )


@pytest.mark.parametrize("shift", [-100, -7, 50, 100])
def test_a_shift_changes_nothing_and_a_scale_does(shift):
    plain, moved = SOFTMAX.run(), SOFTMAX.run({"shift": shift})
    assert np.allclose(plain.probabilities, moved.probabilities)
    assert_says(reading_of(SOFTMAX, moved), shift, float(plain.probabilities.max()))
    cold, hot = (SOFTMAX.run({"tau": tau}) for tau in (0.5, 2.0))
    assert cold.probabilities[0] > plain.probabilities[0] > hot.probabilities[0]
    assert np.allclose(cold.probabilities, F.softmax(2 * torch.tensor(LOGITS)[:, 0].double(), -1).numpy())


def test_two_classes_are_a_sigmoid():
    run = SOFTMAX.run({"tau": 0.5})
    assert run.first_of_two == pytest.approx(torch.sigmoid(torch.tensor(run.difference)).item(), abs=1e-6)
    assert run.difference == pytest.approx((LOGITS[0][0] - LOGITS[1][0]) / 0.5)


def test_the_formula_overflows_and_the_maximum_helps():
    far = SOFTMAX.run({"shift": 100}).precisions
    assert [math.isfinite(far[name]["naive"]) for name in ("float16", "float32", "float64")] == [
        False,
        False,
        True,
    ]
    below = SOFTMAX.run({"shift": -100, "tau": 0.1}).precisions
    assert not any(math.isfinite(found["naive"]) for found in below.values())  # the formula gives 0 / 0
    right = float(SOFTMAX.run().probabilities.max())
    assert all(
        found["stable"] == pytest.approx(right, abs=0.01)
        for found in far.values()
        if found is not far["float16"]
    )
    assert far["float32"]["limit"] == pytest.approx(math.log(torch.finfo(torch.float32).max))


def test_the_challenge_is_won_by_the_temperature_alone():
    check = exercise("nearly-certain").check
    assert not check(None, changed(LESSON, "softmax", shift=90)).ok
    assert not check(None, changed(LESSON, "softmax", logits=((4.0,), (-4.0,), (-4.0,), (-4.0,), (-4.0,)))).ok
    assert check(None, changed(LESSON, "softmax", tau=0.1)).ok


# ---- loss ----


def test_loss_and_gradient_agree_with_torch():
    u = np.random.default_rng(2).normal(size=30) * 3
    target = one_hot(4, 30) * 0.75 + one_hot(9, 30) * 0.25
    theirs = torch.tensor(u, requires_grad=True)
    loss = F.cross_entropy(theirs, torch.tensor(target))
    loss.backward()
    assert cross_entropy(u, target) == pytest.approx(loss.item())
    assert np.allclose(gradient(u, target), theirs.grad.numpy())


def test_surprisal_and_perplexity_of_the_model():
    run = LOSS.run()
    model, card = zoo.load("stories-lstm-1")
    words = card.vocabularies["words"].split("\n")
    ids = [words.index(word) for word in run.words]
    with torch.inference_mode():
        logits = model(torch.tensor([[Vocabulary.bos, *ids]]))[0, :-1]
    nats = F.cross_entropy(logits, torch.tensor(ids), reduction="none")
    assert np.allclose(run.surprisal * math.log(2), nats.numpy(), atol=1e-4)
    assert run.perplexity == pytest.approx(nats.mean().exp().item(), rel=1e-4)
    assert run.running_perplexity[-1] == pytest.approx(run.perplexity)
    assert run.loss_before == pytest.approx(nats[run.t - 1].item(), abs=1e-4)
    assert_says(
        reading_of(LOSS, run), float(run.surprisal[run.t - 1]), run.perplexity, run.loss_after / math.log(2)
    )


def test_two_exchanged_words_are_the_surprising_ones():
    run = preset(LESSON, "loss", "Two words exchanged")
    worst = {run.words[i] for i in np.argsort(-run.surprisal)[:2]}
    assert worst == {"ring", "river"}
    assert run.perplexity > LOSS.run().perplexity


def test_gradient_steps_on_one_guess_agree_with_torch():
    run = LOSS.run({"steps": 5, "log_rate": 0.5})
    u = torch.tensor(run._u, requires_grad=True)
    optimizer = torch.optim.SGD([u], lr=10**0.5)
    for _ in range(5):
        optimizer.zero_grad()
        F.cross_entropy(u[None], torch.tensor([run._truth])).backward()
        optimizer.step()
    theirs = F.softmax(u.detach(), -1).numpy()[run._shown]
    assert np.allclose(run.after, theirs)
    assert run.loss_after < run.loss_before
    step = run.first_step
    assert np.allclose(step["slope"], step["p"] - step["one_hot"])
    assert step["one_hot"].sum() == 1


def test_the_learning_rate_can_be_too_small_good_or_too_large():
    run = LOSS.run()
    small, good, large = (run.paths[rate] - run.least_bits for rate in (0.1, 2.0, 30.0))
    assert 5 * good[-1] < small[-1] < small[0]
    assert (np.diff(small) < 0).all()
    assert (np.diff(large) > 0).sum() > 5
    assert large[-5:].max() > 1
    assert run.least_bits == pytest.approx(-(0.75 * math.log2(0.75) + 0.25 * math.log2(0.25)))


def test_no_step_changes_nothing():
    assert len(descend(np.zeros(3), np.eye(3)[0], 1.0, 0)) == 1
    run = LOSS.run({"steps": 0})
    assert np.array_equal(run.before, run.after)


def test_a_long_text_is_read_from_its_beginning():
    with collect_notices() as notices:
        assert len(LOSS.run({"text": "the river " * 11}).words) == MAX_WORDS
    assert_says(notices["text"], MAX_WORDS, 22)


def test_unknown_words_are_not_counted(monkeypatch):
    """An unknown word must have no surprisal, and the perplexity must be that of the other words."""
    whole = LOSS.run({"text": "the river was dark ."})
    monkeypatch.setattr(loss_compute, "UNKNOWN_STORY_WORD", STORIES.vocabulary.index["river"])
    run = LOSS.run({"text": "the river was dark .", "t": 2})
    assert np.isnan(run.surprisal).tolist() == [False, True, False, False, False]
    assert run.perplexity == pytest.approx(2 ** np.delete(whole.surprisal, 1).mean())
    assert run.running_perplexity[-1] == pytest.approx(run.perplexity)
    assert_says(reading_of(LOSS, run), "river", "unknown")
    assert ("river", "–", "–", "–") in [row[:4] for row in LOSS.acts[2].views[0](run).rows]


def test_the_challenge_wants_few_large_steps():
    check = exercise("below-one-bit").check
    assert not check(
        None, changed(LESSON, "loss", steps=3, log_rate=2.0)
    ).ok  # the loss is not above five bits before the first step
    odd = preset(LESSON, "loss", "Two words exchanged")
    state = {"text": " ".join(odd.words), "t": 8}
    assert not check(None, changed(LESSON, "loss", **state, steps=3)).ok
    assert not check(None, changed(LESSON, "loss", **state, steps=20, log_rate=2.0)).ok
    assert check(None, changed(LESSON, "loss", **state, steps=3, log_rate=2.0)).ok


# ---- guesses and exercises ----

RIGHT = {"tokens": "unhappy", "embedding": "blue", "softmax": "it stays the same", "loss": BITS[1]}


@pytest.mark.parametrize("slug", RIGHT)
def test_the_right_guess(slug):
    guess = LESSON.experiment(slug).predict
    assert [option for option in guess.answer.options if guess.check(option, {}).ok] == [RIGHT[slug]]


@pytest.mark.parametrize(
    ("slug", "answer"),
    [
        ("first-merge", 9),
        ("greek-bytes", 10),
        ("cosine", 0.96),
        ("half-temperature", 1 / (1 + math.exp(-2))),
        ("overflows", "float16 only"),
        ("perplexity", 4),
        ("slope", -0.8),
        ("uniform", 4),
        ("table-size", 542 * 64),
    ],
)
def test_answers_worked_by_hand(slug, answer):
    assert exercise(slug).check(answer, {}).ok
    assert not exercise(slug).check("none of them" if isinstance(answer, str) else answer + 1, {}).ok
