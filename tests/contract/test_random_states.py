"""Texts of every experiment are well formed in random states."""

import re
from html import unescape
from random import Random
from typing import Any

import pytest

from lessons import LESSONS
from lessons.kit.contract import (
    Choice,
    Control,
    Experiment,
    InputError,
    Lesson,
    Matrix,
    PairFile,
    RowEdits,
    SavedRuns,
    Slider,
    State,
    Step,
    Text,
    Toggle,
)
from lessons.kit.pictures.base import Picture

STATES = 3
# number of states to try in experiments that take seconds per state
SLOW = {"gradient": 1, "loop": 2, "beam": 2}
NOUNS = (
    "bit|character|column|context|distribution|draw|head|key|layer|link|number|output|parameter|place|"
    "position|query|row|score|seed|sentence|state|step|text|time|token|training|unit|weight|word"
)
BEFORE = r"(?<![\w.,–−·/×*])" + "".join(
    f"(?<!{label} )" for label in ("column", "head", "layer", "place", "row", "step", "unit", "word")
)
ONE, MANY = (rf"{BEFORE}(?:\*\*)?(?:{number})(?:\*\*)? " for number in ("1", r"0|[2-9]|\d(?:[\d,]*\d)"))
WRONG = {
    "no number": re.compile(r"\b(?:nan|inf|NaN|None|True|False)\b"),
    "minus zero": re.compile(r"[-−]0(?:\.0+)?(?![\d.⁻×]|\s?·)"),
    "a hyphen for a minus": re.compile(r"(?<![\w.)-])-\d"),
    "one, and a plural": re.compile(rf"{ONE}(?:{NOUNS})s\b|{ONE}(?:passes|queries|stories)\b"),
    "many, and a singular": re.compile(rf"{MANY}(?:{NOUNS})\b(?! \d|s| vector| step)"),
    "a space before %": re.compile(r"\d\**\s%"),
    "nothing in brackets": re.compile(r"\(\s*\)|\[\s*\]|(?<!“)“”|\*\*\s*\*\*"),
    "two spaces, or two dots": re.compile(r"\s\s|\.\.|\s$"),
    "too many digits": re.compile(r"(?<![\d,.])\d{5,}(?![\d,])|\d\.\d{7,}|\d[eE][-+]\d"),
    "a hole": re.compile(r"[{}]"),
}
DIGITS = {"to_the_last_digit", "tries"}  # views that may show all digits: exact numbers, and raw model output


def draw_value(control: Control, chance: Random, limits: dict[str, Any]) -> Any:
    """Draw a random value that a user could set."""
    match control:
        case Slider():
            high = limits.get(control.name, control.high) if isinstance(control, Step) else control.high
            return control.check(
                control.low + chance.randint(0, round((high - control.low) / control.step)) * control.step
            )
        case Choice():
            return chance.choice(control.options)
        case Toggle():
            return chance.choice((False, True))
        case Text():
            return chance.choice((control.default, *control.suggestions))
        case SavedRuns():
            return ()
        case PairFile():
            return ""
        case RowEdits():
            given = limits[control.name]
            return ((given["step"], tuple(chance.choice([*given["offers"].values()]))),)
        case Matrix():
            steps = round((control.high - control.low) / control.step)
            return tuple(
                tuple(round(control.low + chance.randint(0, steps) * control.step, 6) for _ in row)
                for row in control.default
            )
    raise TypeError(control)


def states(experiment: Experiment):
    """Yield some random states that can be run; skip those whose text does not fit another setting."""
    chance, limits, found = Random(experiment.slug), experiment.run().limits(), 0
    for _ in range(50):
        state = {control.name: draw_value(control, chance, limits) for control in experiment.controls}
        try:
            yield state, experiment.run(state)
        except InputError:
            continue
        found += 1
        if found == SLOW.get(experiment.slug, STATES):
            return
    raise AssertionError(f"{experiment.slug}: hardly any state can be run")


def words(shown: Any) -> list[str]:
    """All texts of a view: its own text, or a picture's title, labels, cells and tooltips."""
    if not isinstance(shown, Picture):
        return [shown]
    svg = shown.svg()
    labels = (
        re.sub(r"<[^>]+>", "", label) for label in re.findall(r"<text[^>]*>(.*?)</text>", svg, re.DOTALL)
    )
    return [
        shown.title,
        shown.spoken(standalone=True),
        *map(unescape, (*labels, *re.findall(r'data-tip="([^"]*)"', svg))),
    ]


def verdicts(lesson: Lesson, experiment: Experiment, state: State) -> list[str]:
    """Messages of the challenges for this state."""
    challenges = (
        each for each in lesson.exercises if each.answer is None and each.experiment == experiment.slug
    )
    return [challenge.check(None, state).message for challenge in challenges]


@pytest.mark.parametrize(
    ("lesson", "experiment"),
    [
        pytest.param(lesson, experiment, id=f"{lesson.slug}-{experiment.slug}")
        for lesson in LESSONS
        for experiment in lesson.experiments
    ],
)
def test_whatever_is_set_is_well_said(lesson: Lesson, experiment: Experiment):
    for state, result in states(experiment):
        said = {view.__name__: words(view(result)) for view in experiment.all_views}
        said |= {act.slug: [act.asks(result)] for act in experiment.acts if act.asks}
        said |= {"idle": [*result.idle().values()], "challenge": verdicts(lesson, experiment, state)}
        faults = [
            f"{where}: {fault}: {text}"
            for where, texts in said.items()
            for text in texts
            for fault, pattern in WRONG.items()
            if pattern.search(text) and not (where in DIGITS and fault == "too many digits")
        ]
        assert not faults, state


@pytest.mark.parametrize(
    ("fault", "bad", "good"),
    [
        ("no number", "about nan times", "a banana"),
        ("minus zero", "greedy −0.00, beam", "−0.01 and −0.5"),
        ("a hyphen for a minus", "reach -6.01", "top-10 and 3-4"),
        ("one, and a plural", "learns **1** words", "row **1**, 21 words, 1 word, step **1** words"),
        (
            "many, and a singular",
            "of 12 word",
            "12 words, 2 context vectors, 3,000 training steps, 15,661, text, layer 2 head 1, row 2 column 1",
        ),
        ("a space before %", "97 % right", "97% right"),
        ("nothing in brackets", "of it ()", "(1)"),
        ("two spaces, or two dots", "so it is..", "so it is …"),
        ("too many digits", "5587716.35", "5,587,716.35 in 1992"),
        ("a hole", "{name}", "name"),
    ],
)
def test_each_fault_is_seen(fault, bad, good):
    assert WRONG[fault].search(bad)
    assert not any(pattern.search(good) for pattern in WRONG.values())


@pytest.mark.parametrize(
    ("lesson", "experiment", "state"),
    [
        ("bottleneck", "translate", {"task": "copy", "text": "i", "t": 1}),
        ("bottleneck", "endtoend", {"text": "paul ."}),
        ("bottleneck", "surgery", {"zeros": 1, "blend": 0.0}),
        ("attention", "align", {"source": "ok"}),
        ("attention", "readers", {"source": "she works in the morning .", "i": 6}),
        (
            "training",
            "rate",
            {
                "power": 0.7,
                "unit": "no tanh",
                "length": 6,
                "start": ((1.6, -1.9),),
                "warm": True,
                "clip": True,
            },
        ),
        (
            "training",
            "rate",
            {"power": 0.5, "unit": "no tanh", "length": 3, "start": ((1.5, 0.7),), "step": 47},
        ),
        ("decoding", "sample", {"model": "Transformer", "text": "one day ( a small day )", "n": 0}),
        ("recurrence", "read", {"text": "mira said : “ i want to go home . ” then she ran", "t": 12}),
    ],
)
def test_the_shortest_and_the_oddest_inputs_are_well_said(lesson, experiment, state):
    [taught] = (each for each in LESSONS if each.slug == lesson)
    [tried] = (each for each in taught.experiments if each.slug == experiment)
    result = tried.run(state)
    said = [text for view in tried.all_views for text in words(view(result))] + verdicts(
        taught, tried, tried.state(state)
    )
    assert not [
        f"{fault}: {text}" for text in said for fault, pattern in WRONG.items() if pattern.search(text)
    ]
