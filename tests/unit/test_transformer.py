"""The encoder–decoder: all entry points and the cache agree, and edits affect only their own call."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from models import zoo
from models.blocks import NORMS
from models.trace import EditError, Tap
from models.transformer import Transformer, TransformerConfig
from models.vocabulary import InputError
from tests.unit.test_multihead import disturb, seeded, shaken

CLOSE = {"atol": 1e-5, "rtol": 1e-5}
WORDS = 13
SOURCE = [3, 7, 4, 9, 12]
TARGET = [5, 6, 11, 3, 8, 2]


def small_model(norm: str = "pre", seed: int = 0) -> Transformer:
    config = TransformerConfig(WORDS, WORDS, d=8, heads=2, layers=2, d_fc=12, norm=norm, max_length=20)
    return shaken(Transformer(config), seed)


MODEL = small_model()
PLAIN = MODEL.run(SOURCE, TARGET)
GREEDY = MODEL.run(SOURCE, limit=3)
NAMES = sorted(PLAIN.values)


def alike(one, other):
    """Compare relative to the largest value (1e-5), because without norms the values are large."""
    torch.testing.assert_close(one, other, atol=1e-5 * max(1.0, other.abs().max().item()), rtol=1e-5)


def same(one, other):
    assert one.output == other.output
    for name in ("logits", "probabilities", "encoder_self", "decoder_self", "cross"):
        torch.testing.assert_close(getattr(one, name), getattr(other, name), **CLOSE)


def map_state(state, f):
    return f(state) if isinstance(state, torch.Tensor) else tuple(map_state(part, f) for part in state)


sentences = st.lists(st.integers(3, WORDS - 1), min_size=1, max_size=8)


# ---- the two entry points ----


@pytest.mark.parametrize("norm", NORMS)
def test_forward_is_run(norm):
    model = small_model(norm)
    sources, targets = (
        [[*row] for row in torch.randint(3, WORDS, (3, n), generator=seeded(n)).tolist()] for n in (6, 4)
    )
    logits = model(torch.tensor(sources), torch.tensor([[1, *target] for target in targets]))
    for b in range(3):
        alike(logits[b], model.run(sources[b], [*targets[b], 2]).logits)


def test_forward_can_be_seen():
    tap = Tap()
    logits = MODEL(torch.tensor([SOURCE] * 2), torch.tensor([[1, *TARGET[:-1]]] * 2), tap)
    torch.testing.assert_close(logits[1], PLAIN.logits, **CLOSE)
    torch.testing.assert_close(tap.last("decoder.layer2.cross.weights")[1], PLAIN.cross[1], **CLOSE)


def test_shapes_and_rows():
    T, T_out = len(SOURCE), len(TARGET)
    assert PLAIN.encoder_self.shape == (2, 2, T, T)
    assert PLAIN.decoder_self.shape == (2, 2, T_out, T_out)
    assert PLAIN.cross.shape == (2, 2, T_out, T)
    assert PLAIN.logits.shape == PLAIN.probabilities.shape == (T_out, WORDS)
    for weights in (PLAIN.encoder_self, PLAIN.decoder_self, PLAIN.cross, PLAIN.probabilities):
        torch.testing.assert_close(weights.sum(-1), torch.ones(weights.shape[:-1]))
    assert (PLAIN.decoder_self.triu(1) == 0).all()
    assert PLAIN.target_in == (1, *TARGET[:-1])
    assert PLAIN.values["encoder.layer1.self.q"].shape == (2, T, 4)
    assert PLAIN.values["encoder.layer1.norm1.std"].shape == (T, 1)
    assert PLAIN.values["decoder.layer2.cross.heads"].shape == (2, T_out, 4)
    assert PLAIN.values["decoder.layer2.fc.hidden"].shape == (T_out, 12)
    assert PLAIN.values["encoder.positions"].shape == PLAIN.values["encoder.embedded"].shape == (T, 8)


@settings(max_examples=25)
@given(sentences, st.lists(st.integers(2, WORDS - 1), min_size=2, max_size=8), st.data())
def test_no_word_sees_a_later_one(source, target, data):
    place = data.draw(st.integers(0, len(target) - 2))  # the last target word is never an input
    changed = [*target]
    changed[place] = target[place] % (WORDS - 1) + 1
    before, after = MODEL.run(source, target).logits, MODEL.run(source, changed).logits
    assert torch.equal(before[: place + 1], after[: place + 1])
    assert not torch.equal(before[place + 1 :], after[place + 1 :])


def test_without_the_mask_words_leak():
    lifted = {f"decoder.layer{n}.self.mask": lambda mask, step: torch.ones_like(mask) for n in (1, 2)}
    one = MODEL.run(SOURCE, TARGET, lifted).logits
    other = MODEL.run(SOURCE, [*TARGET[:4], 4, 2], lifted).logits
    assert (one[:4] - other[:4]).abs().max() > 1e-3
    assert (MODEL.run(SOURCE, TARGET, lifted).decoder_self > 0).all()


@settings(max_examples=20)
@given(st.permutations(range(len(SOURCE))))
def test_only_positions_know_the_order(order):
    shuffled = [SOURCE[i] for i in order]
    blind = {"encoder.positions": lambda P, step: torch.zeros_like(P)}
    out, moved = (MODEL.run(s, TARGET, blind).values["encoder.norm.out"] for s in (SOURCE, shuffled))
    torch.testing.assert_close(moved, out[order], **CLOSE)
    if order != sorted(order):
        assert not torch.allclose(
            MODEL.run(shuffled, TARGET).values["encoder.norm.out"], PLAIN.values["encoder.norm.out"][order]
        )


# ---- edits ----


@pytest.mark.parametrize("name", NAMES)
def test_an_identity_edit_changes_nothing(name):
    edits = {name: lambda value, step: value.clone()}
    same(MODEL.run(SOURCE, TARGET, edits), PLAIN)
    same(MODEL.run(SOURCE, edits=edits, limit=3), GREEDY)


@pytest.mark.parametrize("name", NAMES)
def test_every_quantity_matters(name):
    assert (MODEL.run(SOURCE, TARGET, {name: disturb}).logits - PLAIN.logits).abs().max() > 1e-4
    assert torch.equal(MODEL.run(SOURCE, TARGET).logits, PLAIN.logits)  # the next call is not affected


def test_wrong_edits_are_refused():
    for call in ({"target": TARGET}, {"limit": 3}):
        with pytest.raises(EditError, match="no quantity"):
            MODEL.run(SOURCE, edits={"decoder.layer1.cross.weigths": lambda value, step: value}, **call)
        with pytest.raises(EditError, match="shape"):
            MODEL.run(
                SOURCE, edits={"decoder.layer1.cross.weights": lambda value, step: value[..., :1]}, **call
            )


def test_steps_of_an_edited_run():
    asked = []

    def look(value, step):
        asked.append((step, value.shape[-2]))
        return value

    MODEL.run(SOURCE, edits={"decoder.layer1.self.weights": look}, limit=4, forced={0: 5, 1: 5, 2: 5})
    assert asked == [(0, 1), (1, 2), (2, 3), (3, 4)]
    asked.clear()
    MODEL.run(SOURCE, TARGET, {"decoder.layer1.self.weights": look})
    assert asked == [(5, 6)]


@pytest.mark.parametrize("seed", range(3))
def test_an_edited_greedy_run_is_its_output_fed_back(seed):
    model = small_model(seed=seed)

    def look_at_the_first(weights, step):
        weights = weights.clone()
        weights[:, 2:3] = torch.eye(weights.shape[-1])[0]  # row 2, if that many words have been written
        return weights

    edits = {"decoder.layer2.cross.weights": look_at_the_first}
    greedy = model.run(SOURCE, edits=edits, limit=6)
    same(model.run(SOURCE, greedy.output, edits), greedy)
    assert greedy.predicted == greedy.output


@pytest.mark.parametrize(
    "name", ["decoder.layer1.cross.weights", "encoder.embedded", "encoder.layer2.norm1.std"]
)
def test_gradients_reach_an_edited_quantity(name):
    model = small_model().double()
    towards = torch.randn(PLAIN.values[name].shape, generator=seeded(1), dtype=torch.float64)

    def logit(change):
        return model.run(SOURCE, TARGET, {name: lambda value, step: value + change}).logits[3, 7]

    leaf = torch.zeros(towards.shape, dtype=torch.float64, requires_grad=True)
    logit(leaf).backward()
    slope = (logit(1e-6 * towards) - logit(-1e-6 * towards)) / 2e-6
    assert (leaf.grad * towards).sum().item() == pytest.approx(slope.item(), rel=1e-5)
    assert slope.abs() > 1e-4


# ---- decoding ----


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("seed", range(3))
def test_cache_whole_pass_and_run_agree(norm, seed):
    model = small_model(norm, seed)
    greedy = model.run(SOURCE, limit=12)
    assert greedy.predicted == greedy.output
    same(model.run(SOURCE, greedy.output), greedy)
    writer = model.writer(SOURCE)
    state = writer.begin()
    for t, token in enumerate(greedy.target_in):
        logits, state = writer.next(torch.tensor([token]), state)
        alike(logits[0], greedy.logits[t])
    assert (writer.bos, writer.eos) == (1, 2)


def test_a_run_ends_with_eos_or_at_the_limit():
    assert MODEL.run(SOURCE, forced={0: 4, 1: 5, 2: 2}).output == (4, 5, 2)
    never = {"logits": lambda logits, step: logits.index_fill(-1, torch.tensor([2]), -100.0)}
    assert len(MODEL.run(SOURCE, edits=never, limit=7).output) == 7
    assert len(MODEL.run(SOURCE, edits=never).output) == 20  # the maximum number of positions
    always = {"logits": lambda logits, step: logits.index_fill(-1, torch.tensor([2]), 100.0)}
    assert MODEL.run(SOURCE, edits=always).output == (2,)


@pytest.mark.parametrize("edits", [None, {"encoder.positions": lambda P, step: P}], ids=["cache", "edited"])
def test_a_forced_word_is_read(edits):
    free = MODEL.run(SOURCE, edits=edits, limit=6)
    word = 3 if free.output[1] != 3 else 4
    forced = MODEL.run(SOURCE, edits=edits, limit=6, forced={1: word})
    assert forced.output[:2] == (free.output[0], word)
    assert forced.target_in[2] == word
    assert forced.predicted[:2] == free.predicted[:2]
    same(MODEL.run(SOURCE, forced.output, edits), forced)


@settings(max_examples=15)
@given(
    sentences, st.lists(st.lists(st.integers(3, WORDS - 1), min_size=4, max_size=4), min_size=1, max_size=5)
)
def test_hypotheses_side_by_side(source, rows):
    writer = MODEL.writer(source)
    state = map_state(writer.begin(), lambda part: part.expand(len(rows), *part.shape[1:]))
    for t, column in enumerate(torch.tensor([[1, *row] for row in rows]).T):
        logits, state = writer.next(column, state)
        assert all(part.shape[2] == t + 1 for cache in state for part in cache)
    for row, one in zip(rows, logits, strict=True):
        torch.testing.assert_close(one, MODEL.run(source, [*row, 2]).logits[-1], **CLOSE)


def test_picked_hypotheses_keep_their_past():
    writer = MODEL.writer(SOURCE)
    state = map_state(writer.begin(), lambda part: part.expand(3, *part.shape[1:]))
    _, state = writer.next(torch.tensor([4, 5, 6]), state)
    order = torch.tensor([2, 0, 0])
    logits, _ = writer.next(torch.tensor([7, 8, 9]), state)
    picked, _ = writer.next(
        torch.tensor([9, 7, 7]), map_state(state, lambda part: part.index_select(0, order))
    )
    torch.testing.assert_close(picked, logits[order], **CLOSE)


def test_sentences_side_by_side():
    writer = MODEL.batch_writer(torch.tensor([SOURCE, SOURCE[::-1]]))
    state = writer.begin()
    for column in torch.tensor([[1, 1], [5, 6], [7, 8]]):
        logits, state = writer.next(column, state)
    torch.testing.assert_close(logits[0], MODEL.run(SOURCE, [5, 7, 2]).logits[2], **CLOSE)
    torch.testing.assert_close(logits[1], MODEL.run(SOURCE[::-1], [6, 8, 2]).logits[2], **CLOSE)


def test_wrong_input_is_met_at_the_door():
    for call in (
        lambda: MODEL.run([]),
        lambda: MODEL.writer([]),
        lambda: MODEL.run([3] * 21),
        lambda: MODEL.run(SOURCE, []),
    ):
        with pytest.raises(InputError):
            call()
    with pytest.raises(InputError, match="target"):
        MODEL.run(SOURCE, limit=0)


def test_padding_at_the_end_does_not_matter():
    source, target_in = torch.tensor([SOURCE]), torch.tensor([[1, 5, 6]])
    padded = torch.tensor([[1, 5, 6, 0, 0]])
    torch.testing.assert_close(MODEL(source, padded)[:, :3], MODEL(source, target_in), **CLOSE)


def test_it_learns():
    """After a few training steps on one pair, greedy decoding must return its target."""
    sizes = {
        "source_words": WORDS,
        "target_words": WORDS,
        "d": 16,
        "heads": 2,
        "layers": 1,
        "d_fc": 16,
        "max_length": 20,
    }
    model = zoo.build("transformer", sizes)
    optimiser = torch.optim.Adam(model.parameters(), 1e-2)
    source, target_in, target = (
        torch.tensor([SOURCE]),
        torch.tensor([[1, *TARGET[:-1]]]),
        torch.tensor(TARGET),
    )
    for _ in range(40):
        optimiser.zero_grad()
        torch.nn.functional.cross_entropy(model(source, target_in)[0], target).backward()
        optimiser.step()
    assert model.run(SOURCE).output == tuple(TARGET)
