"""Byte-pair encoding: a hand-worked example, a comparison with tokenizers, and the shipped merges."""

import json
from collections import Counter

import pytest

from models import bpe

# the example of Sennrich et al. 2016, without its end-of-word mark
COUNTS = {b"low": 5, b"lower": 2, b"newest": 6, b"widest": 3}


def test_merges_of_a_small_text_by_hand():
    """Merges follow the counts: es and st both occur 9 times, and es sorts first; then est, lo, low."""
    merges = bpe.learn_merges(COUNTS, 4)
    assert [(m.left, m.right, m.count) for m in merges] == [
        (b"e", b"s", 9),
        (b"es", b"t", 9),
        (b"l", b"o", 7),
        (b"lo", b"w", 7),
    ]


def test_learning_ends_when_no_pair_is_left():
    assert [m.piece for m in bpe.learn_merges({b"ab": 2}, 10)] == [b"ab"]


def test_a_merge_joins_from_left_to_right():
    assert bpe.merge_pair((b"a", b"a", b"a"), b"a", b"a") == (b"aa", b"a")


def test_an_unknown_word_is_split_by_the_same_merges():
    encoder = bpe.BytePairEncoder(bpe.learn_merges(COUNTS, 4))
    assert encoder.encode("lowest") == (b"low", b"est")
    assert [encoder.merges[rank].piece for rank, _ in encoder.play("lowest")] == [
        b"es",
        b"est",
        b"lo",
        b"low",
    ]


TEXTS = (
    "The gardener is unhappy: her garden had 3000 roses 🌹",
    "Le petit chat dort à l’hôpital.",
    "  two  spaces\n\tand 1992, 12345",
    "छोटी बिल्ली 👩‍🚀",
    "",
)


@pytest.mark.parametrize("text", TEXTS)
def test_pieces_give_the_text_back(text):
    assert b"".join(bpe.load().encode(text)).decode() == text


@pytest.mark.parametrize("text", TEXTS)
def test_the_same_pieces_as_the_package_tokenizers(text):
    """The BPE model of the tokenizers library, given our merges and chunks, returns the same pieces."""
    models = pytest.importorskip("tokenizers.models")
    encoder = bpe.load()

    def letters(piece: bytes) -> str:  # the library merges characters, so map each byte to a character
        return piece.decode("latin-1")

    pieces = [*(bytes([byte]) for byte in range(256)), *(merge.piece for merge in encoder.merges)]
    vocabulary = {letters(piece): number for number, piece in enumerate(dict.fromkeys(pieces))}
    model = models.BPE(vocabulary, [(letters(merge.left), letters(merge.right)) for merge in encoder.merges])
    theirs = [token.value for chunk in bpe.chunks(text) for token in model.tokenize(letters(chunk))]
    assert [letters(piece) for piece in encoder.encode(text)] == theirs


def test_the_shipped_merges_can_be_learned_again():
    counts = Counter(chunk for text in bpe.training_text() for chunk in bpe.chunks(text))
    assert bpe.learn_merges(counts, bpe.MERGES) == bpe.load().merges
    assert len(json.loads(bpe.PATH.read_text(encoding="utf-8"))["merges"]) == bpe.MERGES
