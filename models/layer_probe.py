"""Linear probes of the encoder's layers: part of speech, and the meaning of ambiguous words.

Used in lesson `bottleneck`, experiment `depth`; the accuracies are on the models' cards. A probe reads
the output of one layer at one word. It is fitted by least squares on training sentences.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import torch
from torch import Tensor

from models.data import held_out
from models.dynamic_types import Json
from models.seq2seq import RecurrentEncoder, Seq2Seq
from models.tasks import TASKS
from models.tasks.task import Pair
from models.tasks.translation import lexicon

FITTED, TESTED = 4000, 2000  # numbers of sentences to fit and to test
RIDGE = 1e-3  # regularisation: keeps the least-squares problem solvable if units are linearly dependent
MEANINGS = {  # ambiguous word → meaning → its French words
    "bank": {"money": "banque", "river": "rive"},
    "match": {"game": "match matchs", "stick": "allumette allumettes"},
    "spring": {"season": "printemps", "coil": "ressort", "water": "source"},
    "light": {
        "lamp": "lumière",
        "not heavy": "léger légère légers légères",
        "bright": "lumineux lumineuse lumineuses",
    },
}
MEANINGS["matches"] = MEANINGS["match"]
PARTS_OF_SPEECH = {
    "punctuation": ", . ?",
    "determiner": "a an the some this these every",
    "conjunction": "and but because when as if while that",
    "preposition": "for of out on in at to with by up after",
    "adverb": "not never often always very soon there where yesterday today tomorrow now",
    "pronoun": "it who",
    "verb": "do does did be will",
    "noun": "piece day morning evening",
    "number": "hundred",
}


class Labels(NamedTuple):
    """The words of some sentences that have a label, in order."""

    words: tuple[str, ...]
    labels: tuple[str, ...]
    places: tuple[tuple[int, int], ...]  # (sentence, position) of each word


@cache
def part_of_speech_table() -> dict[str, str]:
    """The part of speech of each English word form, except `light` and `her` (see `part_of_speech`)."""
    table = {word: part for part, words in PARTS_OF_SPEECH.items() for word in words.split()}
    for noun in (*lexicon.NOUNS.values(), *lexicon.SENSES.values()):
        part = "name" if noun.kind == "name" else "noun"
        table |= dict.fromkeys((noun.english, noun.english_plural), part)
    for verb in (*lexicon.ALL_VERBS, lexicon.RAIN):
        table |= {form.split("_")[0]: "verb" for form in verb[:5]}
    table |= dict.fromkeys((*lexicon.AM.values(), *lexicon.WAS.values()), "verb")
    table |= dict.fromkeys((*lexicon.CITIES, *lexicon.FEMININE_COUNTRIES), "name")
    table |= dict.fromkeys((*lexicon.MASCULINE_COUNTRIES, *lexicon.MONTHS), "name")
    table |= dict.fromkeys((*lexicon.NUMBERS, *lexicon.YEARS, *lexicon.DAYS), "number")
    table |= dict.fromkeys(lexicon.ADJECTIVES, "adjective") | dict.fromkeys(lexicon.POSSESSIVES, "determiner")
    for subject, (object_form, *_) in lexicon.PRONOUNS.items():
        table |= dict.fromkeys({subject, object_form} - {"her"}, "pronoun")
    return table | {"bucket": "noun"}


def french_words(pair: Pair, position: int) -> set[str]:
    """The French words that are linked to an English word."""
    return {pair.target[t] for t, i in pair.alignment if i == position}


def part_of_speech(pair: Pair, position: int) -> str:
    """The part of speech of a word in its sentence. For `light` and `her` the French words decide."""
    word, french = pair.source[position], french_words(pair, position)
    if word == "light":
        return "noun" if "lumière" in french else "adjective"
    if word == "her" and french & {*lexicon.PRONOUNS["she"], "l'"}:
        return "pronoun"
    return part_of_speech_table()[word]


def meaning(pair: Pair, position: int) -> str | None:
    """The meaning of an ambiguous word in its sentence, by its French words; None for other words."""
    word, french = pair.source[position], french_words(pair, position)
    for name, written in MEANINGS.get(word, {}).items():
        if french & set(written.split()):
            return f"{word}: {name}"
    return None


LABELLERS = {"part_of_speech": part_of_speech, "meaning": meaning}


def label_words(kind: str, pairs: Sequence[Pair]) -> Labels:
    """All words of these sentences that have a label of this kind."""
    found = [
        (pair.source[i], label, (number, i))
        for number, pair in enumerate(pairs)
        for i in range(len(pair.source))
        if (label := LABELLERS[kind](pair, i)) is not None
    ]
    words, labels, places = zip(*found, strict=True)
    return Labels(words, labels, places)


@torch.no_grad()
def layer_outputs(model: Seq2Seq, sources: Sequence[Sequence[int]]) -> list[list[Tensor]]:
    """Outputs of the encoder's layers, from the embeddings (layer 0) to the top: one (T, ·) per sentence."""
    encoder = model.encoder
    if not isinstance(encoder, RecurrentEncoder) or encoder.backward_rnn is not None:
        raise ValueError("layers are probed in a unidirectional recurrent encoder")
    by_length: dict[int, list[int]] = {}
    for number, source in enumerate(sources):
        by_length.setdefault(len(source), []).append(number)
    found: list[list[Tensor]] = [[torch.empty(0)] * len(sources) for _ in (0, *encoder.forward_rnn.cells)]
    for numbers in by_length.values():
        x = model.embed_source(torch.tensor([sources[n] for n in numbers]))  # (B, T, P)
        outputs, _ = encoder.forward_rnn.layers(x, encoder.forward_rnn.initial_state(len(x)))
        for layer, rows in enumerate([x, *outputs]):
            for number, row in zip(numbers, rows, strict=True):
                found[layer][number] = row
    return found


def with_bias(x: Tensor) -> Tensor:
    return torch.cat([x, torch.ones(len(x), 1)], -1).double()


def fit_least_squares(x: Tensor, classes: Tensor, count: int) -> Tensor:
    """Weights (features + 1, classes) that map vectors x (N, features) to one-hot labels."""
    x, y = with_bias(x), torch.nn.functional.one_hot(classes, count).double()
    return torch.linalg.solve(x.T @ x + RIDGE * len(x) * torch.eye(x.shape[1]), x.T @ y)


def select(outputs: list[Tensor], places: Sequence[tuple[int, int]]) -> Tensor:
    return torch.stack([outputs[number][i] for number, i in places])


def accuracy_without_model(fitted: Labels, tested: Labels) -> float:
    """Accuracy of the label that each word form has most often in the sentences for fitting."""
    by_word: dict[str, Counter[str]] = {}
    for word, label in zip(fitted.words, fitted.labels, strict=True):
        by_word.setdefault(word, Counter())[label] += 1
    guesses = [by_word[word].most_common(1)[0][0] if word in by_word else "" for word in tested.words]
    return sum(a == b for a, b in zip(guesses, tested.labels, strict=True)) / len(guesses)


def probe_layers(model: Seq2Seq, lengths: range) -> Json:
    """Accuracies on test sentences, one per layer from the embeddings up, and without a model."""
    task = TASKS["translation"]
    fit_pairs = task.pairs("train", FITTED, lengths=lengths)[:FITTED]
    test_pairs = held_out(task.name, TESTED, lengths)
    fit_outputs, test_outputs = (
        layer_outputs(model, [task.source.ids(pair.source) for pair in pairs])
        for pairs in (fit_pairs, test_pairs)
    )
    found: Json = {}
    for kind in LABELLERS:
        fitted, tested = label_words(kind, fit_pairs), label_words(kind, test_pairs)
        number = {label: n for n, label in enumerate(sorted({*fitted.labels, *tested.labels}))}
        targets = torch.tensor([number[label] for label in tested.labels])
        accuracies = []
        for below, above in zip(fit_outputs, test_outputs, strict=True):
            classes = torch.tensor([number[label] for label in fitted.labels])
            weights = fit_least_squares(select(below, fitted.places), classes, len(number))
            guesses = (with_bias(select(above, tested.places)) @ weights).argmax(-1)
            accuracies.append(round((guesses == targets).double().mean().item(), 4))
        found[kind] = {
            "words": len(tested.words),
            "labels": len(number),
            "without_model": round(accuracy_without_model(fitted, tested), 4),
            "by_layer": accuracies,
        }
    return found
