"""A mistake in a lesson raises an error when the lesson is created; the error says what to change."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from lessons.kit.contract import Act, Exercise, Experiment, Lesson, Preset, Result, Slider, Verdict
from lessons.kit.exercises import guess
from lessons.kit.validation import LessonError
from tests.toy import LESSON as TOY


@dataclass(frozen=True)
class Twice(Result):
    n: float


def compute(n: float) -> Twice:
    return Twice(2 * n)


def reading(result: Twice) -> str:
    return f"It is **{result.n}**."


def picture(result: Twice) -> str:
    return "a picture"


def closer(result: Twice) -> str:
    return "closer"


N = Slider("n", "N", 1, 0, 9)
GOOD: dict[str, Any] = {
    "slug": "twice",
    "title": "Twice",
    "controls": (N,),
    "compute": compute,
    "views": (picture, reading),
    "acts": (Act("look", (closer,)),),
}
TEXT = "# How much is twice?\nMove it.\n\n---\nIt doubles.\n\n## look: Why? | so\nBecause.\n"


def test_a_good_one_is_made():
    assert Experiment(**GOOD).run({"n": 4}).numbers() == {"n": 8}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"slug": "Two Words"}, "small letters, digits"),
        ({"slug": "check"}, "goes into addresses"),
        ({"controls": (Slider("job", "J", 1, 0, 9),)}, "the control 'job' needs another name"),
        ({"views": (picture,)}, "lack `reading`"),
        ({"views": (picture, reading, reading)}, "'reading': each control or view"),
        ({"views": (picture, reading, closer)}, "'closer': each control or view"),
        ({"controls": (Slider("m", "M", 1, 0, 9),)}, "compute takes 'n', but the controls are 'm'"),
        ({"controls": (N, N)}, "'n': each control needs a name"),
        (
            {"controls": (Slider("n", "N", 99, 0, 9),)},
            "default of 'n' is refused by its own control. N: between 0 and 9",
        ),
        ({"presets": (Preset("Far", "Look.", {"n": 99}),)}, "preset 'Far' is refused. N: between"),
        (
            {"presets": (Preset("Odd", "Look.", {"m": 1}),)},
            "preset 'Odd' is refused. twice has no control named m",
        ),
        ({"presets": (Preset("One", "Look.", {}), Preset("One", "Look.", {}))}, "'One': each preset"),
        ({"layout": ("picture", ("reading", "elsewhere"))}, "names 'elsewhere', which is neither"),
        ({"layout": ("picture",)}, "its layout leaves out 'reading'"),
        ({"acts": (Act("look", (closer,), ("closer", "m")),)}, "layout of act 'look' names 'm'"),
        (
            {"layout": ("picture", "reading", "n"), "acts": (Act("look", (closer,), ("closer", "n")),)},
            "'n': each part of a layout",
        ),
        ({"acts": (Act("a b", (closer,)),)}, "goes into addresses"),
        ({"acts": Act("look", (closer,))}, "acts of 'twice' is no tuple: write acts=(…,), with a comma"),
        ({"acts": (Act("look", closer),)}, "views of 'look' is no tuple: write views=(…,)"),
        (
            {"predict": guess("g", "?", {"a": "A."}, lambda: "a", "Think.", covers="picture")},
            "covers of 'g' is no tuple",
        ),
        (
            {"predict": guess("g", "?", {"a": "A."}, lambda: "a", "Think.", covers=("nothing",))},
            "covers 'nothing', but the views",
        ),
    ],
)
def test_an_experiment_names_its_mistake(change, says):
    with pytest.raises(LessonError) as error:
        Experiment(**GOOD | change)
    assert says in str(error.value)


def lesson(folder: Path, text: str | None = TEXT, **change: Any) -> Lesson:
    (folder / "text.md").write_text("# How much?\n", encoding="utf-8")
    if text is not None:
        (folder / "twice").mkdir(exist_ok=True)
        (folder / "twice" / "text.md").write_text(text, encoding="utf-8")
    given = {
        "slug": "double",
        "title": "Double",
        "short_title": "Double",
        "summary": "It doubles.",
        "pictogram": print,
        "folder": folder,
    }
    return Lesson(**given | {"experiments": (Experiment(**GOOD),)} | change)


def test_a_good_lesson_is_made(tmp_path):
    assert lesson(tmp_path).text.experiments["twice"].acts["look"].question == "Why?"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "experiment 'twice' has no text: write twice/text.md"),
        (TEXT.replace("---", ""), "needs a line `---`"),
        (TEXT.replace("Move it.", ""), "above `---`, what to do"),
        (TEXT.replace("## look", "## lock"), "lacks `## look: a question?`"),
        (TEXT + "## more: And?\nYes.\n", "words for 'more', which is no act"),
        (TEXT.replace("Because.", ""), "the act 'look' needs a question and a sentence in twice/text.md"),
    ],
)
def test_a_lesson_names_what_its_text_lacks(tmp_path, text, says):
    with pytest.raises(LessonError) as error:
        lesson(tmp_path, text)
    assert says in str(error.value)


def test_a_lesson_names_text_in_the_wrong_place(tmp_path):
    (tmp_path / "thrice").mkdir()
    (tmp_path / "thrice" / "text.md").write_text(TEXT, encoding="utf-8")
    with pytest.raises(LessonError, match=r"thrice/text\.md, but 'thrice' is no experiment"):
        lesson(tmp_path)
    with pytest.raises(LessonError, match=r"has no text\.md"):
        replace(TOY, folder=tmp_path / "thrice" / "deeper")


def test_a_lesson_names_its_other_mistakes(tmp_path):
    ask = Exercise("ask", "?", lambda answer, state: Verdict(True, ""), "Think.", experiment="twice")
    for change, says in (
        ({"slug": "a/b"}, "goes into addresses"),
        ({"experiments": Experiment(**GOOD)}, "experiments of 'double' is no tuple"),
        ({"experiments": (Experiment(**GOOD), Experiment(**GOOD))}, "'twice': each experiment"),
        ({"exercises": (ask, ask)}, "'ask': each exercise"),
        ({"exercises": (replace(ask, experiment="thrice"),)}, "about 'thrice', which is no experiment"),
        ({"exercises": (replace(ask, experiment=None),)}, "must name the experiment whose settings count"),
    ):
        with pytest.raises(LessonError) as error:
            lesson(tmp_path, **change)
        assert says in str(error.value)
