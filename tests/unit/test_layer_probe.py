"""Linear probes of the encoder's layers: labels, least squares, and layer outputs."""

import pytest
import torch

from models import layer_probe, zoo
from models.tasks import TASKS
from models.tasks.task import Pair
from models.vocabulary import SPECIAL

TRANSLATION = TASKS["translation"]


def pair(english: str, french: str, *links: tuple[int, int]) -> Pair:
    return Pair(tuple(english.split()), tuple(french.split()), frozenset(links))


def test_every_known_word_has_a_part_of_speech():
    words = set(TRANSLATION.source.words) - set(SPECIAL) - {"light", "her"}
    assert words <= layer_probe.part_of_speech_table().keys()


@pytest.mark.parametrize(
    ("english", "french", "position", "part"),
    [
        ("the light", "la lumière", 1, "noun"),
        ("is light", "est légère", 1, "adjective"),
        ("her dog", "son chien", 0, "determiner"),
        ("see her", "vois la", 1, "pronoun"),
        ("the dog", "le chien", 1, "noun"),
    ],
)
def test_the_french_words_decide_about_an_ambiguous_part_of_speech(english, french, position, part):
    assert layer_probe.part_of_speech(pair(english, french, (position, position)), position) == part


def test_the_meaning_of_an_ambiguous_word_is_that_of_its_translation():
    assert layer_probe.meaning(pair("the bank", "la rive", (1, 1)), 1) == "bank: river"
    assert layer_probe.meaning(pair("the bank", "la banque", (1, 1)), 1) == "bank: money"
    assert layer_probe.meaning(pair("the dog", "le chien", (1, 1)), 1) is None


def test_nearly_every_ambiguous_word_gets_a_meaning():
    pairs = TRANSLATION.pairs("test", 200, seed=3, lengths=range(3, 21))
    words = [word for one in pairs for word in one.source if word in layer_probe.MEANINGS]
    assert len(layer_probe.label_words("meaning", pairs).words) == len(words) > 20


def test_least_squares_separates_what_a_line_separates():
    x = torch.tensor([[0.0, 1.0], [0.2, 0.9], [1.0, 0.0], [0.9, 0.1]])
    weights = layer_probe.fit_least_squares(x, torch.tensor([0, 0, 1, 1]), 2)
    assert (layer_probe.with_bias(x) @ weights).argmax(-1).tolist() == [0, 0, 1, 1]


def test_the_top_layer_output_is_the_state_that_the_decoder_sees():
    model = zoo.load("depth-4-4-residual-s0")[0]
    source = TRANSLATION.source.ids("the dog sleeps .".split())
    outputs = layer_probe.layer_outputs(model, [source, source[:2], source])
    H = model.encode_batch(torch.tensor([source])).H[0]
    assert [len(rows) for rows in outputs] == [3] * 5
    for number, length in ((0, 4), (1, 2), (2, 4)):
        assert torch.allclose(outputs[-1][number], H[:length], atol=1e-6)
    assert torch.equal(outputs[0][0], model.embed_source(torch.tensor(source)))


def test_without_a_model_the_commonest_label_of_each_word_is_guessed():
    fitted = layer_probe.Labels(("a", "a", "a", "b"), ("1", "1", "2", "2"), ((0, 0),) * 4)
    tested = layer_probe.Labels(("a", "b", "new"), ("1", "1", "1"), ((0, 0),) * 3)
    assert layer_probe.accuracy_without_model(fitted, tested) == pytest.approx(1 / 3)
