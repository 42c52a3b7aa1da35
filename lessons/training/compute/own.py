"""A training on a learner's own pairs. Their text is read anew for every answer and kept nowhere; a run carries what it needs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple
from zlib import crc32

import torch

from lessons.kit.checkpoints import Words
from lessons.kit.contract import InputError
from lessons.kit.controls import MARK, mark_of
from lessons.kit.jobs import artifacts
from lessons.kit.notices import add_notice
from lessons.training.compute.reader import LONGEST, UNITS, Report, read
from lessons.training.compute.runs import (
    Plan,
    Run,
    begun,
    differing,
    header,
    packed,
    planned,
    rebuilt,
    run_of,
)
from lessons.training.compute.samples import sample as sample_text
from lessons.training.compute.training import (
    CHECKED,
    MOST,
    NO_RUN,
    Live,
    Material,
    going_on,
    shown,
    taken_home,
    trainings,
    untaught,
)
from models.batches import pair_batches
from models.tasks.task import Pair, Task
from models.vocabulary import Vocabulary

HELD = 0.1  # of the left sides are held back to measure on, up to CHECKED of them
YOURS = "your pairs"
GONE = (
    "This link was made with a file that it does not carry, and what was trained on it is gone. Choose a file"
    " here."
)
AGAIN = "The page no longer has the file that this was trained on. Choose it again."


@dataclass(frozen=True)
class Own(Live):
    report: Report | None = None
    mark: str = ""  # of the text
    brought: bool = False  # by the learner: no sample
    units: tuple[str, ...] = ()  # how each run reads the text: as words, as characters
    apart: bool = False  # the visitor has runs, and none of them reads this text as it is read now

    def home(self, name: str) -> str:
        unit = self.units[[run.name for run in self.runs].index(name)]
        return f"export/training/own/home.zip?pairs={self.mark}{'' if unit == 'words' else f'&unit={unit}'}&runs={name}"

    def limits(self) -> dict[str, Any]:
        """Only runs that read the text as it is read now can be chosen; the others are there to compare."""
        limits = super().limits()
        here = [
            call for call, unit in zip(limits["runs"], self.units, strict=True) if UNITS[unit] == self.unit
        ]
        return limits | {"runs": None if self.apart else here}

    def idle(self) -> dict[str, str]:
        return super().idle() | ({"sample": "Your own pairs are used."} if self.brought else {})


class Given(NamedTuple):
    """A text, read."""

    mark: str
    called: str
    pairs: Sequence[Pair]  # to learn from; none where only a run is left of the text
    material: Material
    report: Report

    def packed(self) -> str:
        task = self.material.task
        return json.dumps(
            {
                "mark": self.mark,
                "called": self.called,
                "unit": self.report.unit,
                "source": task.source.words,
                "target": task.target.words,
                "checked": [(pair.source, pair.target) for pair in self.material.checked],
                "report": self.report.plain(),
            },
            ensure_ascii=False,
        )


class Trained(NamedTuple):
    """A run on the shelf, with what it was trained on."""

    run: Run
    given: Given
    data: bytes

    @property
    def model(self) -> Any:
        return rebuilt(self.data, lambda _: self.given.material.task)


def own(pairs: str, sample: str, unit: str, sentence: str, runs: tuple[str, ...], **settings: Any) -> Own:
    every = kept(runs)
    given = given_by(pairs, sample, unit, every)
    plan = planned_for(given, settings)
    there, beside = of(given, every), by_text(given, every)
    if there:
        view = there[0]
        return stands(given, view.run.plan, view.model, beside, view.run.name, sentence)
    if pairs:  # the learner's own: nothing of it is kept
        model = plan.model(given.material.task).requires_grad_(False).eval()
        found = shown(plan, model, given.material, (), None, words_of(given.material, sentence))
    else:
        found = untaught(plan, given.material, words_of(given.material, sentence))
    return replace(with_report(given, found, beside), apart=bool(every))


def stands(
    given: Given, plan: Plan, model: Any, runs: Mapping[Run, str], view: str | None, sentence: str
) -> Own:
    return with_report(
        given, shown(plan, model, given.material, (), view, words_of(given.material, sentence)), runs
    )


def with_report(given: Given, found: Live, runs: Mapping[Run, str]) -> Own:
    """With what was read, and with the runs that it is compared with: run → unit, words or characters."""
    ordered = sorted(runs, key=lambda run: run.made)
    compared = {"runs": tuple(ordered), "called": tuple(differing([run.plan for run in ordered]))}
    units = tuple(runs[run] for run in ordered)
    return Own(
        **vars(found) | compared,
        report=given.report,
        mark=given.mark,
        brought=given.called == YOURS,
        units=units,
    )


def planned_for(given: Given, settings: Mapping[str, Any]) -> Plan:
    return planned(f"{given.called}, {given.report.unit}", given.material.task, **settings)


# ---- what it learns from ----


def given_by(pairs: str, sample: str, unit: str, every: Sequence[Trained]) -> Given:
    """The text in hand; or, by its mark, what a run knows of it: of its truths only those that were held back."""
    if not pairs:
        return sampled(sample, unit)
    if not MARK.fullmatch(pairs):
        return given_of(pairs, unit, YOURS)
    known = [one.given for one in every if (one.given.mark, one.given.report.unit) == (pairs, unit)]
    if not known:
        raise InputError(GONE, "pairs")
    return known[0]


@lru_cache(maxsize=8)
def sampled(name: str, unit: str) -> Given:
    return given_of(sample_text(name), unit, name)


def given_of(text: str, unit: str, called: str) -> Given:
    pairs, told = read(text, unit)
    sources = sorted(
        dict.fromkeys(pair.source for pair in pairs), key=lambda source: crc32(" ".join(source).encode())
    )
    held = sources[: min(CHECKED, max(1, round(HELD * len(sources))))]
    if len(held) == len(sources):
        raise InputError(
            "All left sides are alike. Some must be held back to measure on: write different ones.", "pairs"
        )
    checked = {source: next(pair for pair in pairs if pair.source == source) for source in held}
    source, target = (
        Vocabulary.of(w for pair in pairs for w in getattr(pair, which)) for which in ("source", "target")
    )
    material = material_of(source, target, list(checked.values()), unit)
    truths = {pair.source: pair.target for pair in reversed(pairs)}  # of several the first
    material = replace(material, truth=truths.get)
    learned = [pair for pair in pairs if pair.source not in checked]
    return Given(mark_of(text), called, learned, material, Report(**told, held=len(checked)))


def material_of(source: Vocabulary, target: Vocabulary, checked: Sequence[Pair], unit: str) -> Material:
    lengths = range(1, LONGEST[unit] + 1)
    task = Task("own", source, target, lambda rng, _: rng.choice(checked), unit=UNITS[unit], lengths=lengths)
    examples = tuple(task.join(pair.source) for pair in checked[:3])
    return Material(task, checked, examples, {pair.source: pair.target for pair in checked}.get)


def words_of(material: Material, sentence: str) -> Words:
    """What was typed, if it can be read: a file is not refused for the sentence that was typed before it."""
    if sentence.strip():
        try:
            return material.task.read(sentence)
        except InputError as error:
            add_notice("sentence", f"{error} Shown is one that was held back.")
    return material.checked[0].source


# ---- what was made of it ----


def kept(names: Sequence[str]) -> list[Trained]:
    """Those runs that are still on the shelf."""
    found = [data for name in names if (data := artifacts.get(name)) and "given" in header(data)]
    if len(found) < len(names):
        add_notice("runs", "What was trained more than an hour ago is gone.")
    return [Trained(run_of(data), unpacked(header(data)["given"]), data) for data in found]


def unpacked(text: str) -> Given:
    told = json.loads(text)
    checked = [Pair(tuple(source), tuple(target)) for source, target in told["checked"]]
    source, target = (Vocabulary(tuple(told[role])) for role in ("source", "target"))
    report = Report.of(told["report"])
    return Given(told["mark"], told["called"], (), material_of(source, target, checked, told["unit"]), report)


def of(given: Given, every: Sequence[Trained]) -> list[Trained]:
    """Runs on the same text, read in the same unit."""
    return [
        one for one in every if (one.given.mark, one.given.report.unit) == (given.mark, given.report.unit)
    ]


def by_text(given: Given, every: Sequence[Trained]) -> dict[Run, str]:
    """Runs on the same text, each with its unit: words or characters."""
    return {one.run: one.given.report.unit for one in every if one.given.mark == given.mark}


def home(run: Own) -> bytes:
    """The run in view: weights, card, and the file that reads them."""
    found = kept([run.view]) if run.view else []
    if not found:
        raise InputError("There is no run in view to take home. Train one first.")
    [one] = found
    return taken_home(one.run, one.model, one.data, one.given.material)


# ---- long work ----


def train(
    pairs: str, sample: str, unit: str, sentence: str, runs: tuple[str, ...], **settings: Any
) -> Iterator[tuple[float, Own]]:
    given, every = in_hand(pairs, sample, unit, runs)
    plan = planned_for(given, settings)
    model = plan.model(given.material.task)
    return told(model, begun(plan), plan.budget, sentence, given, every, runs)


def go_on(
    pairs: str,
    sample: str,
    unit: str,
    sentence: str,
    runs: tuple[str, ...],
    power: float,
    budget: int,
    **more: Any,
) -> Iterator[tuple[float, Own]]:
    given, every = in_hand(pairs, sample, unit, runs)
    there = of(given, every)
    if not there:
        raise InputError(NO_RUN, "runs")
    model, run = going_on(there[0].run, there[0].model, given.material.task, power, budget)
    return told(model, run, budget, sentence, given, every, runs)


def in_hand(pairs: str, sample: str, unit: str, runs: Sequence[str]) -> tuple[Given, list[Trained]]:
    """What there is to learn from, and the visitor's runs."""
    every = kept(runs)
    given = given_by(pairs, sample, unit, every)
    if not given.pairs:
        raise InputError(AGAIN, "pairs")
    return given, every


def told(
    model: Any,
    run: Run,
    budget: float,
    sentence: str,
    given: Given,
    every: list[Trained],
    runs: Sequence[str],
) -> Iterator[tuple[float, Own]]:
    """Looks now and then, keeps the run on the shelf, and tells how it stands."""
    torch.set_num_threads(1)
    batches = pair_batches(given.pairs, given.material.task, run.plan.batch)
    before = dict([*by_text(given, every).items()][: MOST - 1])
    for now in trainings(run, model, given.material, batches, budget):
        artifacts.put(now.name, packed(now, model, given=given.packed()))
        found = stands(given, now.plan, model, {now: given.report.unit} | before, now.name, sentence)
        yield (
            1 - now.left / budget,
            replace(found, names=(now.name, *(name for name in runs if name != now.name))[:MOST]),
        )
