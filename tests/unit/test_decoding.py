"""Writing, searching and measuring, on a writer whose every distribution can be looked up by hand."""

import itertools
import math
from itertools import pairwise

import pytest
import torch

from models.decoding import (
    Loop,
    Settings,
    beam,
    distinct,
    draw,
    exhaustive,
    greedy,
    histogram,
    perplexity,
    phrase_logprobs,
    phrase_probability,
    repeats,
    sample,
    samples,
    score,
    select,
    stages,
    uniforms,
)
from models.vocabulary import InputError

EOS = 2
WORDS = (3, 4, 5, 6)


class Table:
    """What follows depends on all that came before: the history's number picks a row of a random table."""

    bos, eos, size = 1, EOS, 997

    def __init__(self, seed: int, spread: float = 2.0, eos: float = 0.0, vocabulary: int = 7):
        generator = torch.Generator().manual_seed(seed)
        self.rows = spread * torch.randn(self.size, vocabulary, generator=generator)  # (997, V)
        self.rows[:, :2] = -math.inf  # no padding, no second beginning
        self.rows[:, EOS] += eos
        self.calls = 0

    def begin(self):
        return (torch.zeros(1, dtype=torch.long), (torch.zeros(1, 2),))  # nested, so that every part must be selected

    def next(self, tokens, state):
        self.calls += 1
        number, (steps,) = state
        assert number.shape == tokens.shape
        number = (number * 31 + tokens * 7 + steps[:, 0].long()) % self.size
        return self.rows[number], (number, (steps + 1,))

    def log_p(self, history):
        """The same in plain Python: log P of every token after this history."""
        number = 0
        for step, token in enumerate((self.bos, *history)):
            number = (number * 31 + token * 7 + step) % self.size
        row = self.rows[number].tolist()
        best = max(row)
        total = best + math.log(math.fsum(math.exp(z - best) for z in row))
        return [z - total for z in row]


def slow_greedy(table, limit):
    text = ()
    while len(text) < limit and EOS not in text:
        row = table.log_p(text)
        text += (max(range(len(row)), key=lambda i: (row[i], -i)),)
    return text


def slow_beam(table, width, limit, length_penalty):
    """Beam search without batches, states or early stopping: (answer, {step: the texts kept})."""
    live, ended, kept = [((), 0.0)], [], {}
    for step in range(1, limit + 1):
        if not live:
            break
        grown = [((*text, i), total + p) for text, total in live for i, p in enumerate(table.log_p(text)) if p > -math.inf]
        best = sorted(grown, key=lambda pair: -pair[1])[: width - len(ended)]
        kept[step] = {text for text, _ in best}
        ended += [pair for pair in best if pair[0][-1] == EOS]
        live = [pair for pair in best if pair[0][-1] != EOS]
    answer = max(ended or live, key=lambda pair: pair[1] / len(pair[0]) ** length_penalty)
    return answer[0], kept


def every_output(table, limit):
    """All outputs that end within the limit, with their log P."""
    for length in range(limit):
        for words in itertools.product(WORDS, repeat=length):
            text = (*words, EOS)
            yield text, math.fsum(table.log_p(text[:t])[text[t]] for t in range(len(text)))


# Greedy, forced, scored


@pytest.mark.parametrize("seed", range(20))
def test_greedy_takes_the_best_token_each_time(seed):
    table = Table(seed)
    found = greedy(table, 12)
    assert found.tokens == slow_greedy(table, 12)
    assert found.finished == (EOS in found.tokens)
    assert found.logits.shape == (len(found.tokens), 7)
    assert table.calls == len(found.tokens)
    expected = [table.log_p(found.tokens[:t])[token] for t, token in enumerate(found.tokens)]
    assert found.logprobs == pytest.approx(expected)
    assert found.total == pytest.approx(sum(expected))


def test_greedy_ties_go_to_the_lowest_id():
    table = Table(0)
    table.rows[:] = 0.0
    assert greedy(table, 3).tokens == (0, 0, 0)
    assert beam(table, 1, 3).tokens() == (0, 0, 0)


def test_a_forced_token_is_written_and_the_rest_follows_from_it():
    table = Table(3, eos=-3)
    free = greedy(table, 8)
    wrong = next(word for word in WORDS if word != free.tokens[2])
    forced = greedy(table, 8, {2: wrong})
    assert forced.tokens[:3] == (*free.tokens[:2], wrong)
    assert forced.tokens[3:] == greedy(table, 8, dict(enumerate(forced.tokens[:3]))).tokens[3:]
    assert forced.tokens[3:] != free.tokens[3:]
    assert forced.logprobs[2] == pytest.approx(table.log_p(free.tokens[:2])[wrong])


def test_a_forced_end_ends():
    assert greedy(Table(3), 8, {0: 4, 1: EOS}).tokens == (4, EOS)
    assert sample(Table(3), 8, Settings(), 0, {0: 4, 1: EOS}).tokens == (4, EOS)


def test_a_forced_token_may_be_impossible_but_must_exist():
    assert greedy(Table(3), 1, {0: 0}).logprobs == (-math.inf,)
    for token in (-1, 7):
        with pytest.raises(InputError, match="no word number"):
            greedy(Table(3), 1, {0: token})


def test_score_multiplies_the_factors():
    table = Table(5)
    text = (3, 6, 6, EOS)
    found = score(table, text)
    assert (found.tokens, found.finished) == (text, True)
    assert found.logprobs == pytest.approx([table.log_p(text[:t])[text[t]] for t in range(4)])
    assert not score(table, text[:3]).finished
    whole = greedy(table, 9)
    assert score(table, whole.tokens) == whole


def test_all_outputs_share_probability_one():
    table = Table(1, eos=2.0)
    ended = sum(math.exp(score(table, text).total) for text, _ in every_output(table, 3))
    going = sum(math.exp(score(table, words).total) for words in itertools.product(WORDS, repeat=3))
    assert ended + going == pytest.approx(1)


@pytest.mark.parametrize("text", [(), (EOS, 3), (3, EOS, EOS)])
def test_what_cannot_be_scored(text):
    with pytest.raises(InputError, match="the end only at the end"):
        score(Table(0), text)


def test_logits_that_are_not_numbers_are_refused():
    for bad in (math.nan, math.inf):
        table = Table(0)
        table.rows[:, 4] = bad
        for run in (lambda w: greedy(w, 3), lambda w: beam(w, 2, 3), lambda w: sample(w, 3, Settings(), 0)):
            with pytest.raises(InputError, match="not numbers"):
                run(table)


def test_select_reorders_every_part():
    state = (torch.arange(3), (torch.arange(6).view(3, 2), torch.arange(3) * 10))
    first, (second, third) = select(state, torch.tensor([2, 0, 0, 1]))
    assert first.tolist() == [2, 0, 0, 1]
    assert second.tolist() == [[4, 5], [0, 1], [0, 1], [2, 3]]
    assert third.tolist() == [20, 0, 0, 10]


# Sampled

SETTINGS = Settings(temperature=1.3, top_k=4, top_p=0.9, penalty=1.2, no_repeat=2)


def test_the_same_seed_gives_the_same_text():
    table = Table(7, eos=-2)
    texts = [sample(table, 15, SETTINGS, seed).tokens for seed in range(10)]
    assert texts == [sample(table, 15, SETTINGS, seed).tokens for seed in range(10)]
    assert len(set(texts)) > 5


@pytest.mark.parametrize("settings", [Settings(), SETTINGS])
def test_samples_side_by_side_are_single_samples(settings):
    table = Table(8)
    together = samples(table, 20, 12, settings, 100, forced={1: 5})
    calls = table.calls
    assert calls <= 12, "one call a step for all"
    assert len({len(text.tokens) for text in together}) > 2, "they leave at different times"
    for i, found in enumerate(together):
        alone = sample(table, 12, settings, 100 + i, forced={1: 5})
        assert found == alone
        assert torch.equal(found.logits, alone.logits)


def test_a_longer_limit_only_adds():
    table = Table(9, eos=-9)
    assert sample(table, 30, Settings(), 4).tokens[:11] == sample(table, 11, Settings(), 4).tokens
    assert torch.equal(uniforms(4, 100)[:17], uniforms(4, 17))


def test_samples_follow_the_filters_and_keep_the_models_own_probability():
    table = Table(10, spread=1.0)
    for seed in range(30):
        found = sample(table, 10, SETTINGS, seed)
        for t, token in enumerate(found.tokens):
            allowed = stages(found.logits[t], SETTINGS, found.tokens[:t])[-1]
            assert not allowed.removed[token]
            assert found.logprobs[t] == pytest.approx(table.log_p(found.tokens[:t])[token])
        assert len(set(pairwise(found.tokens))) == len(found.tokens) - 1


def test_zero_temperature_is_greedy():
    for seed in range(5):
        assert sample(Table(seed), 10, Settings(temperature=0), seed=99) == greedy(Table(seed), 10)


def test_a_cut_moves_a_draw_only_towards_likelier_words():
    p = Table(0).rows[5].double().softmax(-1)
    u = uniforms(0, 500).unsqueeze(0)
    whole = draw(p.unsqueeze(0), u)
    for changed in (Settings(top_k=3), Settings(top_p=0.7), Settings(temperature=0.5)):
        cut = draw(stages(p.log(), changed)[-1].probabilities.unsqueeze(0), u)
        assert bool((p[cut] >= p[whole]).all())
        assert bool((cut != whole).any())
        assert bool((cut == whole).any())


def test_a_draw_never_falls_on_an_impossible_word():
    p = torch.tensor([[0.0, 0.3, 0.0, 0.7, 0.0]], dtype=torch.float64)
    u = torch.tensor([[0.0, 0.5, math.nextafter(0.7, 0), 0.7, math.nextafter(1, 0), 1.0]], dtype=torch.float64)
    assert draw(p, u).tolist() == [[3, 3, 3, 1, 1, 1]]


def test_frequencies_of_first_words_approach_the_distribution():
    table = Table(11, spread=1.0)
    settings = Settings(temperature=0.8, top_k=4)
    p = stages(greedy(table, 1).logits[0], settings)[-1].probabilities
    counts = torch.zeros(7)
    for found in samples(table, 4000, 1, settings, seed=0):
        counts[found.tokens[0]] += 1
    assert (counts / 4000 - p).abs().max() < 0.02  # about 2.5 standard deviations of the likeliest word
    assert not counts[p == 0].any()


def test_nothing_left_to_choose_is_said():
    with pytest.raises(InputError, match="No word is left"):
        sample(Table(0), 3, Settings(ban=(*WORDS, EOS)), 0)


def test_kept_logits_are_enough_to_move_a_slider():
    table = Table(12)
    for changed in (Settings(0.5), Settings(2.0, top_k=3), Settings(top_p=0.6, ban=(3,)), Settings(boost=((4, 1.0),))):
        found = sample(table, 6, Settings(), seed=1)
        calls = table.calls
        p = stages(found.logits[0], changed)[-1].probabilities
        word = draw(p.unsqueeze(0), uniforms(1, 1).unsqueeze(0)).item()
        histogram(p, 100, 0)
        assert table.calls == calls, "no filter runs the model"
        assert word == sample(table, 6, changed, seed=1).tokens[0]


@pytest.mark.parametrize(
    "wrong", [lambda w: greedy(w, 0), lambda w: samples(w, 0, 3, Settings(), 0), lambda w: sample(w, 0, Settings(), 0)]
)
def test_nothing_to_write_is_refused(wrong):
    with pytest.raises(InputError):
        wrong(Table(0))


# Searched

CASES = [(seed, width, penalty) for seed in range(12) for width in (1, 2, 3, 5) for penalty in (0.0, 0.7, 1.0)]


@pytest.mark.parametrize(("seed", "width", "penalty"), CASES)
def test_beam_is_the_slow_beam(seed, width, penalty):
    table = Table(seed, spread=1.0, eos=seed % 3 - 1)
    tree = beam(table, width, 7, penalty)
    answer, kept = slow_beam(table, width, 7, penalty)
    assert tree.tokens() == answer
    steps = max(node.step for node in tree.nodes)
    assert table.calls == steps, "one call a step for all hypotheses"
    for step in range(1, steps + 1):
        assert {tree.tokens(node) for node in tree.nodes if node.step == step and node.status != "pruned"} == kept[step]


@pytest.mark.parametrize(("seed", "width", "penalty"), CASES[::5])
def test_the_tree_is_consistent(seed, width, penalty):
    table = Table(seed, spread=1.0)
    tree = beam(table, width, 6, penalty, shown=3)
    root, *others = tree.nodes
    assert [node.id for node in tree.nodes] == list(range(len(tree.nodes)))
    assert (root.parent, root.step, root.token, root.total) == (None, 0, table.bos, 0.0)
    for node in others:
        parent = tree.nodes[node.parent]
        assert parent.id < node.id
        assert parent.step == node.step - 1
        assert parent.status == "kept"
        assert node.total == parent.total + node.logprob
        assert node.score == node.total / node.step**penalty
        assert node.logprob == pytest.approx(table.log_p(tree.tokens(parent))[node.token])
        assert (node.status == "pruned") == node.why.startswith("Ranked")
        assert (node.status == "finished") == (node.token == EOS and node.status != "pruned" and node is not tree.best)
    for step in range(1, max(node.step for node in others) + 1):
        level = [node for node in others if node.step == step]
        ended = sum(node.step < step for node in tree.finished)
        kept = sorted((node for node in level if node.status != "pruned"), key=lambda node: node.rank)
        assert [node.rank for node in kept] == list(range(1, len(kept) + 1)), "kept = the best there is room for"
        expanded = [tree.nodes[i] for i in {node.parent for node in level}]
        totals = [parent.total + p for parent in expanded for p in table.log_p(tree.tokens(parent))]
        assert len(kept) == min(width - ended, sum(total > -math.inf for total in totals))
        for node in level:  # the rank counts every child, shown or not
            assert node.rank == 1 + sum(total > node.total + 1e-9 for total in totals)
        for parent in expanded:
            children = [node for node in level if node.parent == parent.id]
            assert len(children) >= 3
            assert all(node.status != "pruned" for node in children[3:])
    assert [node.status for node in tree.nodes].count("best") == 1
    assert tree.nodes[tree.best.id] is tree.best
    assert tree.best.status == "best"
    last = [node for node in others if node.step == 6 and node.status != "pruned"]
    assert tree.best.score == max(node.score for node in tree.finished or last)
    assert [node.score for node in tree.finished] == sorted((node.score for node in tree.finished), reverse=True)
    assert all(node.token == EOS for node in tree.finished)
    inner = {node.parent for node in others}
    for leaf in others:
        assert leaf.id in inner or leaf.why or leaf.status in ("finished", "best"), "a branch that ends says why"


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("penalty", [0.0, 1.0])
def test_width_one_is_greedy(seed, penalty):
    table = Table(seed)
    tree, found = beam(table, 1, 9, penalty), greedy(table, 9)
    assert tree.tokens() == found.tokens
    assert tuple(node.logprob for node in tree.path(tree.best)) == found.logprobs
    assert tree.best.total == found.total
    assert bool(tree.finished) == found.finished


def test_beam_finds_what_greedy_misses():
    """The likeliest first word leads to unlikely second words."""
    table = Table(0, vocabulary=5)
    table.rows[:] = torch.tensor([-99.0, -99.0, 9.0, -99.0, -99.0])  # elsewhere: the end
    start, after = (table.bos * 7) % 997, lambda word: (table.bos * 7 * 31 + word * 7 + 1) % 997
    table.rows[start] = torch.tensor([0.0, 0.0, 0.0, 0.55, 0.45]).log()
    table.rows[after(3)] = torch.tensor([0.0, 0.0, 0.4, 0.3, 0.3]).log()
    table.rows[after(4)] = torch.tensor([0.0, 0.0, 0.9, 0.05, 0.05]).log()
    assert greedy(table, 5).tokens == (3, EOS)
    assert beam(table, 2, 5).tokens() == (4, EOS)
    assert math.exp(beam(table, 2, 5).best.total) == pytest.approx(0.45 * 0.9)


def test_a_beam_does_not_stop_while_a_longer_output_may_still_win():
    table = Table(0, vocabulary=4)
    table.rows[:] = torch.tensor([0.0, 0.0, 0.99, 0.01]).log()  # elsewhere: the end
    table.rows[table.bos * 7] = torch.tensor([0.0, 0.0, 0.6, 0.4]).log()
    table.rows[table.bos * 7 * 31 + 3 * 7 + 1] = torch.tensor([0.0, 0.0, 0.01, 0.99]).log()
    assert beam(table, 2, 9, 0.0).tokens() == (EOS,)
    assert beam(table, 2, 9, 1.0).tokens() == (3, 3, EOS)  # per token, log 0.4 / 3 beats log 0.6


def test_a_length_penalty_favours_longer_outputs():
    lengths = [sum(len(beam(Table(s, 1.0), 5, 10, a).tokens()) for s in range(20)) for a in (0.0, 0.5, 1.0)]
    assert lengths[0] < lengths[1] < lengths[2]


def test_at_the_limit_an_unfinished_hypothesis_is_the_answer_only_if_none_ended():
    never = beam(Table(0, eos=-50.0), 3, 4)
    assert never.finished == ()
    assert len(never.tokens()) == 4
    assert never.best.status == "best"
    assert "Cut off" in never.best.why


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("eos", [-1.0, 1.0])
def test_exhaustive_is_the_best_of_all_outputs_and_a_wide_beam_finds_it(seed, eos):
    table = Table(seed, spread=1.0, eos=eos)
    text, total = max(every_output(table, 5), key=lambda pair: pair[1])
    found = exhaustive(table, 5, WORDS)
    assert found.tokens == text
    assert found.total == pytest.approx(total)
    assert beam(table, 10_000, 5).tokens() == text


def test_exhaustive_beats_the_beam_it_starts_from():
    better = 0
    for seed in range(60):
        table = Table(seed, spread=0.7, eos=-1.5, vocabulary=12)
        found, tree = exhaustive(table, 4, range(3, 12)), beam(table, 8, 4)
        if tree.finished:
            assert found.total >= tree.best.total - 1e-9
            better += found.total > tree.best.total + 1e-9
    assert better, "no case tells branch and bound from its first guess"


def test_exhaustive_uses_only_the_words_it_is_given():
    few = (3, 5)
    for seed in range(8):
        table = Table(seed, spread=1.0, eos=-1.0)
        text, _ = max(((t, p) for t, p in every_output(table, 4) if {*t} <= {*few, EOS}), key=lambda pair: pair[1])
        assert exhaustive(table, 4, few).tokens == text


def test_exhaustive_is_bounded():
    with pytest.raises(InputError, match="beginnings"):
        exhaustive(Table(0, spread=0.1, eos=-9.0), 12, WORDS)
    with pytest.raises(InputError, match="ends within"):
        exhaustive(Table(0, eos=-math.inf), 3, WORDS)


@pytest.mark.parametrize("wrong", [(0, 5, 0.0), (1, 0, 0.0), (2, 5, -0.1), (2, 5, math.nan), (2, 5, math.inf)])
def test_a_beam_needs_sensible_settings(wrong):
    with pytest.raises(InputError):
        beam(Table(0), *wrong)


# Measured


def test_perplexity():
    assert perplexity([math.log(1 / 8)] * 5) == pytest.approx(8)
    assert perplexity([math.log(0.5), math.log(0.125)]) == pytest.approx(4)
    assert perplexity([-1.0, -math.inf]) == math.inf
    with pytest.raises(InputError):
        perplexity([])


@pytest.mark.parametrize(
    ("text", "loop"),
    [
        ("xababab", ("ab", 3)),
        ("abababa", ("ba", 3)),
        ("abcabcabcabc", ("abc", 4)),
        ("xyzabab", None),
        ("abababx", None),
        ("aaaaa", None),
        ("aaaaaa", ("aa", 3)),
        ("", None),
        ("abcdabcdabcd", ("abcd", 3)),
        ("xxxabcabcabc", ("abc", 3)),
    ],
)
def test_repeats(text, loop):
    assert repeats([*map(ord, text)]) == (loop and Loop(tuple(map(ord, loop[0])), loop[1]))


def test_distinct():
    assert distinct((1, 2, 1, 2), 1) == 0.5
    assert distinct((1, 2, 1, 2), 2) == pytest.approx(2 / 3)
    assert distinct((1, 2, 3), 2) == 1
    assert distinct((1,), 2) == 0
    with pytest.raises(InputError):
        distinct((1,), 0)


def test_phrase_probability_reads_one_walk():
    table = Table(13)
    prompt, phrase, times = (3, 4), (5, 6, 3), (0, 1, 4, 2)
    found = phrase_probability(table, prompt, phrase, times)
    assert table.calls == len(prompt) + 5 * len(phrase)
    for r, probability in zip(times, found, strict=True):
        context = (*prompt, *phrase * r)
        factors = [table.log_p((*context, *phrase[:t]))[token] for t, token in enumerate(phrase)]
        assert probability == pytest.approx(math.exp(sum(factors)))
        assert phrase_logprobs(table, prompt, phrase, 4)[r].tolist() == pytest.approx(factors)
    assert phrase_probability(table, (), phrase, (0,)) == pytest.approx([math.exp(score(table, phrase).total)])
    for wrong in (((), (0,)), (phrase, ()), (phrase, (-1,))):
        with pytest.raises(InputError):
            phrase_probability(table, prompt, *wrong)


def test_histogram_approaches_the_distribution():
    p = torch.tensor([0.5, 0.0, 0.3, 0.2])
    few, many = histogram(p, 50, 3), histogram(p, 50_000, 3)
    assert (few.counts.sum(), many.counts.sum()) == (50, 50_000)
    assert few.counts[1] == many.counts[1] == 0
    assert many.distance < 0.01 < few.distance
    assert few.distance == pytest.approx((few.counts / 50 - p).abs().sum().item() / 2, abs=1e-6)
    assert torch.equal(histogram(p, 50, 3).counts, few.counts)
    added = histogram(p, 60, 3).counts - few.counts
    assert added.sum() == 10
    assert bool((added >= 0).all()), "more draws add to the first ones"
    with pytest.raises(InputError):
        histogram(p, 0, 3)


def test_everything_runs_in_inference_mode():
    with torch.inference_mode():
        table = Table(14)
        assert greedy(table, 5).tokens == beam(table, 1, 5).tokens()
        assert samples(table, 3, 5, SETTINGS, 0)
        assert exhaustive(table, 3, WORDS)
