"""Datasets to train on: generated pairs, words with their sounds, or pairs from a learner's text."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from zlib import crc32

from lessons.kit.checkpoints import Words, read_source
from lessons.kit.contract import InputError
from lessons.kit.controls import text_fingerprint
from lessons.kit.example_sentences import MANY_TO_ONE
from lessons.kit.notices import add_notice
from lessons.kit.references import reference_for
from lessons.training.pair_file import MAX_SIDE_TOKENS, UNITS, Report, read_pairs
from models.tasks import TASKS
from models.tasks.pronounce import MAX_TRAINING_LETTERS, PRONOUNCE, held_out, training_words
from models.tasks.task import Pair, Task
from models.vocabulary import Vocabulary

MAX_HELD_OUT_PAIRS = 60
HELD_OUT_WORDS = 240  # many dictionary words are hard, so 60 would be too few for a measurement
HELD_OUT_SHARE = 0.1  # fraction of the left sides of a text that is held out, up to MAX_HELD_OUT_PAIRS
GENERATED_PAIRS = 6000  # number of training pairs
LENGTHS = {
    "dates": range(9, 30),
    "reversal": range(1, 11),
    "copy": range(1, 11),
    "addition": range(3, 6),
    "translation": range(3, 9),
    "pronounce": range(2, MAX_TRAINING_LETTERS + 1),
}
EXAMPLES = {
    "dates": ("3 march 1992", "tuesday, march 3, 1992", "the 14th of july 2021"),
    "reversal": ("sequence", "attention", "abc"),
    "copy": ("sequence", "attention", "abc"),
    "addition": ("27+58", "9+9", "34+7"),
    "translation": (MANY_TO_ONE, "they will buy a beautiful house .", "is she old ?"),
    "pronounce": ("castle", "thought", "tanmoy"),
}


@dataclass(frozen=True, eq=False)
class Dataset:
    """The pairs a model is trained on and evaluated on."""

    name: str  # value of `task` in a plan
    task: Task
    held_out: Sequence[Pair]  # pairs that are never used for training
    examples: tuple[str, ...]  # suggestions for the learner's sentence
    reference: Callable[[Words], Words | None]  # correct output for a typed sentence, if known

    def training_pairs(self) -> Sequence[Pair]:
        raise NotImplementedError

    def read_sentence(self, sentence: str) -> Words:
        """Tokenise the typed sentence; if that is impossible, show a notice and return an example."""
        raise NotImplementedError

    def metadata(self) -> dict[str, str]:
        """Metadata stored with a run, from which the dataset can be restored."""
        return {}


# ---- of the course ----


@dataclass(frozen=True, eq=False)
class GeneratedDataset(Dataset):
    """Pairs of one of the course's tasks."""

    def training_pairs(self) -> Sequence[Pair]:
        return self.task.pairs("train", GENERATED_PAIRS, lengths=LENGTHS[self.task.name])

    def read_sentence(self, sentence: str) -> Words:
        """Like `Dataset.read_sentence`, but replace an example of another task without a notice."""
        example = self.examples[0]
        all_examples = {each for examples in EXAMPLES.values() for each in examples}
        if not sentence.strip() or (sentence in all_examples and sentence not in self.examples):
            sentence = example
        try:
            return self.task.source.tokens(read_source(sentence, "sentence", self.task))
        except InputError as error:
            add_notice("sentence", f"{error} Until then “{example}” is shown.")
            return self.task.source.tokens(read_source(example, "sentence", self.task))


@dataclass(frozen=True, eq=False)
class PronunciationDataset(GeneratedDataset):
    """Words of a dictionary with their usual pronunciations."""

    def training_pairs(self) -> Sequence[Pair]:
        return [Pair(tuple(word), sounds[0]) for word, sounds in training_words().items()]

    def read_sentence(self, sentence: str) -> Words:
        words = super().read_sentence(sentence)
        if "".join(words) in training_words():
            add_notice("sentence", "Seen in training.")
        return words


def pronunciation_dataset() -> PronunciationDataset:
    lengths = LENGTHS[PRONOUNCE.name]
    short = [Pair(tuple(word), sounds[0]) for word, sounds in held_out().items() if len(word) in lengths]
    shuffled = sorted(short, key=lambda pair: crc32("".join(pair.source).encode()))
    known = training_words() | held_out()
    return PronunciationDataset(
        PRONOUNCE.name,
        PRONOUNCE,
        shuffled[:HELD_OUT_WORDS],
        EXAMPLES[PRONOUNCE.name],
        lambda letters: next(iter(known.get("".join(letters), ())), None),
    )


@cache
def generated_dataset(name: str) -> GeneratedDataset:
    if name == PRONOUNCE.name:
        return pronunciation_dataset()
    task = TASKS[name]
    held_out = task.pairs("validation", MAX_HELD_OUT_PAIRS, lengths=LENGTHS[name])
    return GeneratedDataset(name, task, held_out, EXAMPLES[name], partial(reference_for, task))


@cache
def count_training_pairs(name: str) -> int:
    return len(generated_dataset(name).training_pairs())


# ---- from a text ----


@dataclass(frozen=True, eq=False)
class TextDataset(Dataset):
    """Pairs from a text in two columns. If restored from a run, it contains no training pairs."""

    label: str  # name of the text: “your pairs”, or that of a sample
    fingerprint: str  # fingerprint of the text
    report: Report
    pairs: Sequence[Pair]

    def training_pairs(self) -> Sequence[Pair]:
        return self.pairs

    def read_sentence(self, sentence: str) -> Words:
        if sentence.strip():
            try:
                return self.task.read(sentence)
            except InputError as error:
                add_notice("sentence", f"{error} A held-out sentence is shown instead.")
        return self.held_out[0].source

    def metadata(self) -> dict[str, str]:
        content = {
            "mark": self.fingerprint,
            "called": self.label,
            "unit": self.report.unit,
            "source": self.task.source.words,
            "target": self.task.target.words,
            "checked": [(pair.source, pair.target) for pair in self.held_out],
            "report": self.report.to_json(),
        }
        return {"given": json.dumps(content, ensure_ascii=False)}


def read_dataset(text: str, unit: str, label: str) -> TextDataset:
    """Read the pairs of a text and hold some out, or raise an InputError that says what to do."""
    pairs, figures = read_pairs(text, unit)
    # reversed, so that the first of several references is kept
    references = {pair.source: pair.target for pair in reversed(pairs)}
    sources = dict.fromkeys(pair.source for pair in pairs)
    shuffled = sorted(sources, key=lambda source: crc32(" ".join(source).encode()))
    held_out_count = min(MAX_HELD_OUT_PAIRS, max(1, round(HELD_OUT_SHARE * len(sources))))
    if held_out_count == len(sources):
        raise InputError(
            "All left sides are alike. Some must be held out to measure on: write different ones.", "pairs"
        )
    held_out = {source: Pair(source, references[source]) for source in shuffled[:held_out_count]}
    source, target = (
        Vocabulary.of(word for pair in pairs for word in getattr(pair, side)) for side in ("source", "target")
    )
    task, examples = text_task(source, target, [*held_out.values()], unit)
    return TextDataset(
        name=f"{label}, {unit}",
        task=task,
        held_out=[*held_out.values()],
        examples=examples,
        reference=references.get,
        label=label,
        fingerprint=text_fingerprint(text),
        report=Report(**figures, held=len(held_out)),
        pairs=[pair for pair in pairs if pair.source not in held_out],
    )


def restore_dataset(metadata: str) -> TextDataset:
    """Restore the dataset of a run, without training pairs and with only the held-out references."""
    content = json.loads(metadata)
    held_out = [Pair(tuple(source), tuple(target)) for source, target in content["checked"]]
    source, target = (Vocabulary(tuple(content[side])) for side in ("source", "target"))
    task, examples = text_task(source, target, held_out, content["unit"])
    return TextDataset(
        name=f"{content['called']}, {content['unit']}",
        task=task,
        held_out=held_out,
        examples=examples,
        reference={pair.source: pair.target for pair in held_out}.get,
        label=content["called"],
        fingerprint=content["mark"],
        report=Report.from_json(content["report"]),
        pairs=(),
    )


def text_task(
    source: Vocabulary, target: Vocabulary, held_out: Sequence[Pair], unit: str
) -> tuple[Task, tuple[str, ...]]:
    """A task with the vocabularies of a text and three held-out left sides as examples."""
    lengths = range(1, MAX_SIDE_TOKENS[unit] + 1)
    task = Task("own", source, target, lambda rng, _: rng.choice(held_out), unit=UNITS[unit], lengths=lengths)
    return task, tuple(task.join(pair.source) for pair in held_out[:3])
