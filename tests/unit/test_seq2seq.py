"""Every architecture gives the same result through all entry points, and edits affect only their own call."""

import dataclasses
from itertools import product

import pytest
import torch

from models.decoding import select
from models.rnn import CONNECTIONS
from models.seq2seq import CONTEXTS, ENCODERS, QUERIES, Seq2Seq, Seq2SeqConfig
from models.trace import EditError
from models.vocabulary import InputError, Vocabulary

SOURCE, TARGET = [4, 9, 3, 11, 7, 5], [8, 3, 14, 6, Vocabulary.eos]

WIRINGS = [
    Seq2SeqConfig(20, 24, 8, 12, layers, cell, bidirectional=bidirectional, context=context, query=query)
    for context, query, bidirectional, cell, layers in product(
        CONTEXTS, QUERIES, (False, True), ("vanilla", "GRU", "LSTM"), (1, 2)
    )
    if not (context == "shared" and bidirectional) and not (context != "attention" and query == "before")
]

WIRINGS += [Seq2SeqConfig(20, 24, 12, 12, encoder=encoder, context="attention") for encoder in ENCODERS[1:]]

WIRINGS += [
    Seq2SeqConfig(
        20, 24, 8, 12, layers, context=context, query=query, decoder_layers=n, connection=connection
    )
    for context, query in (("first", "after"), ("every", "after"), ("attention", "before"))
    for layers, n in ((1, 3), (4, 2))
    for connection in CONNECTIONS
]


def untrained(config: Seq2SeqConfig, seed: int = 0) -> Seq2Seq:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Seq2Seq(config).requires_grad_(False).eval()


def attending(**changes) -> Seq2Seq:
    return untrained(Seq2SeqConfig(20, 24, 8, 12, context="attention", **changes))


@pytest.mark.parametrize("config", WIRINGS, ids=str)
def test_all_entry_points_agree(config):
    """forward (a batch), run (one traced sentence) and the writer (search) must compute the same numbers."""
    model = untrained(config)
    sources = torch.tensor([SOURCE, SOURCE[::-1]])
    target_in = torch.tensor([[Vocabulary.bos, *TARGET[:-1]]] * 2)
    trained = model(sources, target_in)  # (2, T', V)
    shown = model.run(SOURCE, TARGET).logits
    torch.testing.assert_close(shown, trained[0], atol=1e-5, rtol=0)
    for writer, expected in ((model.writer(SOURCE), trained[:1]), (model.batch_writer(sources), trained)):
        state = writer.begin()
        for t in range(len(TARGET)):
            logits, state = writer.next(target_in[: len(expected), t], state)
            torch.testing.assert_close(logits, expected[:, t], atol=1e-5, rtol=0)


@pytest.mark.parametrize("config", WIRINGS, ids=str)
def test_hypotheses_about_one_source_do_not_see_each_other(config):
    model = untrained(config)
    writer, tokens = model.writer(SOURCE), torch.tensor([5, 7, 5])
    together, _ = writer.next(tokens, select(writer.begin(), torch.zeros(3, dtype=torch.long)))  # (3, V)
    for token, logits in zip(tokens, together, strict=True):
        alone, _ = writer.next(token[None], writer.begin())
        torch.testing.assert_close(logits, alone[0], atol=1e-5, rtol=0)


def test_encoder_and_decoder_have_their_own_numbers_of_layers():
    """Each layer of the decoder has its own linear map from c to its first state."""
    model = untrained(Seq2SeqConfig(20, 24, 8, 12, layers=4, decoder_layers=2, connection="residual"))
    trace = model.run(SOURCE, TARGET)
    assert (len(model.encoder.forward_rnn.cells), len(model.decoder.cells), len(model.initial_h)) == (4, 2, 2)
    assert {name for name in trace.values if name.startswith("initial")} == {
        "initial.layer1.h",
        "initial.layer2.h",
    }
    torch.testing.assert_close(trace.H, sum(trace.values[f"encoder.layer{n}.h"] for n in range(1, 5)))
    torch.testing.assert_close(trace.s, sum(trace.values[f"decoder.layer{n}.h"] for n in range(1, 3)))
    torch.testing.assert_close(
        trace.values["initial.layer2.h"], torch.tanh(model.initial_h[1](trace.c)), atol=1e-6, rtol=0
    )


def test_the_new_fields_change_no_old_model():
    """The fields `decoder_layers` and `connection`, when unused, must not change any weight or result."""
    old = Seq2SeqConfig(20, 24, 8, 12, layers=2)
    new = dataclasses.replace(old, decoder_layers=2, connection="none")
    assert torch.equal(untrained(old).run(SOURCE, TARGET).logits, untrained(new).run(SOURCE, TARGET).logits)


def test_all_steps_at_once_equal_the_loop():
    model = attending(query="after")
    sources, target_in = torch.tensor([SOURCE]), torch.tensor([[Vocabulary.bos, *TARGET[:-1]]])
    loop = model.forward_by_steps(target_in, model.encode_batch(sources))
    torch.testing.assert_close(model(sources, target_in), loop, atol=1e-5, rtol=0)


@pytest.mark.parametrize("query", QUERIES)
def test_the_trace_is_consistent(query):
    model = attending(query=query)
    trace = model.run(SOURCE, limit=7)
    T, T_out = len(SOURCE), len(trace.output)
    assert trace.weights.shape == trace.scores.shape == (T_out, T)
    torch.testing.assert_close(trace.weights.sum(-1), torch.ones(T_out))
    torch.testing.assert_close(torch.softmax(trace.scores, -1), trace.weights)
    torch.testing.assert_close(trace.weights @ trace.H, trace.contexts, atol=1e-6, rtol=0)
    torch.testing.assert_close(
        torch.cat([trace.contexts, trace.s], -1) @ model.out.weight.T + model.out.bias,
        trace.logits,
        atol=1e-5,
        rtol=0,
    )
    assert trace.output == tuple(trace.logits.argmax(-1).tolist())


def test_query_before_asks_with_the_state_before():
    model = attending(query="before")
    trace = model.run(SOURCE, TARGET)
    torch.testing.assert_close(trace.values["query"][1:], trace.s[:-1])
    trace = attending(query="after").run(SOURCE, TARGET)
    torch.testing.assert_close(trace.values["query"], trace.s)


@pytest.mark.parametrize(
    "config", [WIRINGS[0], WIRINGS[-3], WIRINGS[-1]], ids=["first", "attention", "between"]
)
def test_identity_edits_change_nothing(config):
    model = untrained(config)
    plain = model.run(SOURCE, limit=8)
    for name in plain.values:
        edited = model.run(SOURCE, limit=8, edits={name: lambda value, step: value.clone()})
        assert edited.output == plain.output
        assert torch.equal(edited.logits, plain.logits), name


@pytest.mark.parametrize("config", [c for c in WIRINGS if c.layers == 2 and c.cell == "LSTM"], ids=str)
def test_every_quantity_matters_and_no_edit_outlives_its_call(config):
    """An edit must change the result of its own call only, whether it works in place or not."""
    model = untrained(config)
    plain = model.run(SOURCE, TARGET)
    for name in plain.values:
        edited = model.run(SOURCE, TARGET, edits={name: lambda value, step: value * 0.5 + 0.3})
        in_place = model.run(SOURCE, TARGET, edits={name: lambda value, step: value.mul_(0.5).add_(0.3)})
        unseen = config.context != "attention" and name == "H"  # without attention the decoder has only c
        assert torch.equal(edited.logits, plain.logits) == unseen, name
        assert torch.equal(edited.logits, in_place.logits), name
        assert torch.equal(model.run(SOURCE, TARGET).logits, plain.logits), name


def test_backward_states_are_in_the_order_of_the_words():
    trace = attending(bidirectional=True).run(SOURCE, TARGET)
    forward, backward = trace.values["encoder.layer1.h"], trace.values["encoder.back.layer1.h"]
    assert torch.equal(torch.cat([forward, backward], -1), trace.H)


def test_whole_sentence_quantities_are_edited_as_step_0():
    steps = {}
    for name in ("x", "H", "c", "keys", "initial.layer1.h"):
        for bidirectional in (False, True):

            def note(value, step, at=(name, bidirectional)):
                steps[at] = step
                return value

            attending(bidirectional=bidirectional).run(SOURCE, TARGET, edits={name: note})
    assert set(steps.values()) == {0}


@pytest.mark.parametrize(
    "call", [{"source": []}, {"target": []}, {"limit": 0}, {"forced": {0: 999}}, {"target": [3, -1]}], ids=str
)
def test_impossible_calls_say_what_to_do(call):
    with pytest.raises(InputError, match=r"at least one|Use 0 to 23"):
        attending().run(**{"source": SOURCE} | call)


def test_unknown_and_misshapen_edits_raise():
    model = attending()
    with pytest.raises(EditError, match="wieghts"):
        model.run(SOURCE, edits={"wieghts": lambda value, step: value})
    with pytest.raises(EditError, match="shape"):
        model.run(SOURCE, edits={"weights": lambda value, step: value[:2]})


def test_moving_one_row_of_attention_moves_only_what_follows():
    model = attending()
    one_hot = torch.eye(len(SOURCE))[2]
    plain = model.run(SOURCE, TARGET)
    moved = model.run(SOURCE, TARGET, edits={"weights": lambda value, step: one_hot if step == 2 else value})
    changed = (moved.logits - plain.logits).abs().amax(-1) > 0
    assert changed.tolist() == [
        False,
        False,
        True,
        False,
        False,
    ]  # Luong: the context affects only this step's output
    torch.testing.assert_close(moved.contexts[2], plain.H[2])


def test_surgery_on_c_decides_everything():
    """Without attention the output must follow c, whatever the source (lesson `bottleneck`, `surgery`)."""
    model = untrained(Seq2SeqConfig(20, 24, 8, 12, context="every"))
    other = model.run([13, 6, 6, 17])
    transplanted = model.run(SOURCE, edits={"c": lambda value, step: other.c})
    assert torch.equal(transplanted.logits, other.logits)


def test_forced_tokens_are_fed_back():
    model = attending()
    free = model.run(SOURCE, limit=6)
    wrong = (free.output[2] + 1) % 20 + 3
    forced = model.run(SOURCE, limit=6, forced={2: wrong})
    assert forced.output[:3] == (*free.output[:2], wrong)
    assert torch.equal(forced.logits[:3], free.logits[:3])
    assert not torch.equal(forced.logits[3], free.logits[3])


def test_logprobs_sum_to_the_score_of_the_output():
    model = attending()
    trace = model.run(SOURCE, TARGET)
    expected = [torch.log(trace.probabilities[t, y]) for t, y in enumerate(TARGET)]
    torch.testing.assert_close(trace.logprobs, torch.stack(expected), atol=1e-5, rtol=0)


def test_gradients_flow_through_run_to_an_edited_quantity():
    """Gradients with respect to h_i must match finite differences (lesson `bottleneck`, `endtoend`)."""
    model = untrained(Seq2SeqConfig(20, 24, 8, 12, context="every"))
    push = torch.zeros(len(SOURCE), 12, requires_grad=True)
    edits = {"encoder.layer1.h": lambda value, step: value + push[step]}
    loss = -model.run(SOURCE, TARGET, edits).logprobs.sum()
    (gradient,) = torch.autograd.grad(loss, push)
    assert (gradient.norm(dim=-1) > 0).all()
    with torch.no_grad():
        push[1, 4] = 1e-2
        there = -model.run(SOURCE, TARGET, edits).logprobs.sum()
    assert (there - loss).item() / 1e-2 == pytest.approx(gradient[1, 4].item(), rel=0.05)


def test_an_encoder_without_positions_has_no_order():
    """Shuffled words must give shuffled states and the same summary (lesson `qkv`, experiment `between`)."""
    order = [3, 0, 5, 1, 4, 2]
    for encoder, blind in (("self-attention", True), ("self-attention with positions", False)):
        model = untrained(Seq2SeqConfig(20, 24, 12, 12, encoder=encoder, context="attention"))
        plain, shuffled = model.run(SOURCE, TARGET), model.run([SOURCE[i] for i in order], TARGET)
        assert torch.allclose(plain.H[order], shuffled.H, atol=1e-5) == blind
        assert torch.allclose(plain.logits, shuffled.logits, atol=1e-5) == blind


def test_impossible_configurations_are_refused():
    for changes in (
        {"context": "nowhere"},
        {"encoder": "eyes"},
        {"encoder": "self-attention"},
        {"score": "cosine"},
        {"width": 7, "bidirectional": True},
        {"context": "shared", "bidirectional": True},
        {"context": "shared", "decoder_layers": 2},
        {"connection": "loose"},
    ):
        with pytest.raises(ValueError, match=r"one of|bidirectional|needs attention|as many layers"):
            Seq2SeqConfig(20, 24, **changes)
