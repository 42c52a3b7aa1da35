"""Controls as HTML: native fields with values, labels, limits and reasons, for any text."""

import json
from typing import Any

import pytest

from lessons.kit.contract import (
    Choice,
    Control,
    DragHandles,
    Exercise,
    Experiment,
    Matrix,
    Number,
    PairFile,
    Pixels,
    Preset,
    RowEdits,
    SavedRuns,
    Slider,
    Step,
    Text,
    Toggle,
    Verdict,
)
from lessons.kit.exercises import guess
from lessons.kit.web import widgets
from tests.helpers import Element, by_class, parse_html, text_of
from tests.toy import LESSON as TOY
from tests.toy import reading

EVIL = """<img src=x onerror="alert(1)"> & 'quoted' </textarea></select></div>"""
WIDE = tuple(f"option {number} of many" for number in range(6))


def render_control(control: Control, value: Any = None, **about: Any) -> Element:
    """Render a control as on a page, with the drawing's data about it: limit, idle, notice."""
    experiment = Experiment("one", "One", (control,), lambda **_: None, (reading,))
    state = experiment.state({} if value is None else {control.name: value})
    said = {
        part: {control.name: about[key]}
        for part, key in (("limits", "limit"), ("idle", "idle"), ("notices", "notice"))
        if key in about
    }
    [widget] = parse_html(widgets.render_widgets("toy-one", experiment, state, said)[control.name])
    return widget


def fields(widget: Element) -> list[Element]:
    """Form fields that carry the value: they have the control's name and belong to the experiment's form."""
    found = [each for each in widget.iter() if "data-field" in each.attrib]
    assert {(field.get("name"), field.get("form")) for field in found} == {
        (widget.get("data-name"), "toy-one-form")
    }
    return found


def label_of(widget: Element) -> str:
    """The text of the label for the field."""
    [field] = fields(widget)
    [label] = [
        each for each in widget.iter("label") if each.get("for") == field.get("id") or field in each.iter()
    ]
    return text_of(label)


# ---- each kind is a native field with its value ----


def test_a_slider_is_a_range_with_its_limits_and_its_value():
    widget = render_control(Slider("a", "How far", 0.5, -1, 1, 0.05), 0.25)
    [field] = fields(widget)
    assert (field.tag, field.get("type")) == ("input", "range")
    assert {name: field.get(name) for name in ("min", "max", "step", "value")} == {
        "min": "-1",
        "max": "1",
        "step": "0.05",
        "value": "0.25",
    }
    assert (label_of(widget), widget.get("data-kind"), widget.get("data-default")) == (
        "How far",
        "slider",
        "0.5",
    )
    [shown] = widget.iter("output")
    assert (shown.get("for"), text_of(shown)) == (field.get("id"), "0.25")
    assert text_of(next(render_control(Slider("a", "A", 0.5, -1, 1, 0.05), -0.5).iter("output"))) == "−0.50"


def test_a_step_goes_as_far_as_the_result_says_and_has_a_play_button():
    widget = render_control(Step("t", "Step t", 1, 1, 40), 2, limit=3)
    [field] = fields(widget)
    assert (field.get("type"), field.get("min"), field.get("max"), field.get("value")) == (
        "range",
        "1",
        "3",
        "2",
    )
    assert fields(render_control(Step("t", "Step t", 1, 1, 40)))[0].get("max") == "40"
    assert [button.get("aria-label") for button in widget.iter("button")] == ["play"]
    assert text_of(next(widget.iter("output"))) == "2 of 3"


def test_a_few_options_are_radio_buttons_with_the_chosen_one_checked():
    widget = render_control(Choice("sign", "Sign", "plus", ("plus", "minus", "W_hh")), "minus")
    found = fields(widget)
    assert {(field.tag, field.get("type")) for field in found} == {("input", "radio")}
    assert [field.get("value") for field in found] == ["plus", "minus", "W_hh"]
    assert [field.get("value") for field in found if "checked" in field.attrib] == ["minus"]
    assert (widget.get("role"), widget.get("aria-label")) == ("radiogroup", "Sign")
    assert all(field in label.iter() for field, label in zip(found, by_class(widget, "pill"), strict=True))


@pytest.mark.parametrize(
    "options", [tuple("abcdef"), tuple(str(n) * 31 for n in range(2))], ids=["many", "long"]
)
def test_many_or_long_options_are_a_menu(options):
    widget = render_control(Choice("c", "Which", options[0], options), options[1])
    [field] = fields(widget)
    assert (field.tag, label_of(widget)) == ("select", "Which")
    assert [text_of(option) for option in field] == [*options]
    assert [text_of(option) for option in field if "selected" in option.attrib] == [options[1]]


@pytest.mark.parametrize("value", [False, True])
def test_a_toggle_is_a_checkbox(value):
    widget = render_control(Toggle("loud", "Loud", False), value)
    [field] = fields(widget)
    assert (field.get("type"), field.get("value"), "checked" in field.attrib) == ("checkbox", "1", value)
    assert (label_of(widget), widget.get("data-default")) == ("Loud", "0")


def chips_of(widget) -> list[str]:
    return [text_of(button) for button in widget.iter("button") if button.get("class") == "chip"]


@pytest.mark.parametrize("value", ["to be", "", "\n two\n lines "])
def test_a_text_is_a_textarea_with_its_suggestions(value):
    widget = render_control(Text("words", "Words", "one", ("x", "y z")), value)
    [field] = fields(widget)
    assert (field.tag, label_of(widget)) == ("textarea", "Words")
    assert (field.text or "").removeprefix("\n") == value  # browsers drop one line break after <textarea>
    assert chips_of(widget) == ["x", "y z"]
    limited = render_control(Text("words", "Words", "one", ("x",)), limit=("only", "these"))
    assert chips_of(limited) == ["only", "these"]


def test_a_matrix_is_a_table_of_as_many_cells_as_the_result_says():
    control = Matrix("w", "W", ((1.0, 2.0), (3.0, -4.0)), low=-5, high=5)
    widget = render_control(control)
    [field] = fields(widget)
    assert (field.get("type"), field.get("value")) == ("hidden", "1,2;3,-4")
    cells = list(widget.iter("td"))
    assert [cell[0].get("value") for cell in cells] == ["1", "2", "3", "−4"]
    assert cells[3][0].get("aria-label") == "W, row 2, column 2"
    assert (widget.get("data-low"), widget.get("data-high"), widget.get("data-step")) == ("-5", "5", "0.1")
    assert len(list(render_control(control, limit=(1, 2)).iter("td"))) == 2
    assert "hidden" in render_control(control, limit=(0, 0)).attrib


def test_a_matrix_in_a_picture_has_its_field_and_no_table():
    widget = render_control(Matrix("w", "W", ((1.0,),), in_picture=True))
    assert [field.get("value") for field in fields(widget)] == ["1"]
    assert not list(widget.iter("table"))
    assert {"hidden", "data-in-picture"} <= set(widget.attrib)


def test_handles_edits_and_saved_runs_carry_their_value_in_a_hidden_field():
    handles = render_control(DragHandles("pull", "Drag", ((0.0,),), 0, 1), ((0.4,),))
    edits = render_control(
        RowEdits("edits", "Drag a bar"),
        ((2, (0.5, 0.25)),),
        limit={"step": 2, "row": [0.5, 0.25], "offers": {"even": [0.5, 0.5]}},
    )
    made = render_control(SavedRuns("runs", "Your runs"), ("a" * 16,))
    for widget, value in ((handles, "0.4"), (edits, "2:0.5,0.25"), (made, "a" * 16)):
        assert [(field.get("type"), field.get("value")) for field in fields(widget)] == [("hidden", value)]
    assert (handles.get("data-low"), handles.get("data-high")) == ("0", "1")
    assert text_of(next(edits.iter("button"))) == "even"
    assert "hidden" in made.attrib  # hidden until the script finds saved runs


def test_own_pairs_are_a_file_and_a_place_to_paste_and_never_in_the_page():
    control = PairFile(
        "pairs",
        "Your pairs",
        formats="Up to 100 lines.",
        file_errors=(("too large", "Take its <first> lines."),),
    )
    widget = render_control(control, "secret\tword\n")
    [file] = widget.iter("input")
    assert (file.get("type"), "data-private" in widget.attrib) == ("file", True)
    assert next(widget.iter("label")).get("for") == file.get("id")
    assert json.loads(widget.get("data-errors", "")) == [["too large", "Take its <first> lines."]]
    assert "secret" not in str(
        widgets.render_widgets(
            "toy-one",
            Experiment("one", "One", (control,), lambda **_: None, (reading,)),
            {"pairs": "secret"},
            {},
        )
    )
    assert not [field for field in widget.iter() if "data-field" in field.attrib]


CONTROLS = [
    Slider("a", "A", 0.5, -1, 1, 0.05),
    Step("a", "A", 1, 1, 40),
    Choice("a", "A", "x", ("x", "y")),
    Choice("a", "A", WIDE[0], WIDE),
    Toggle("a", "A", False),
    Text("a", "A", "one"),
    Matrix("a", "A", ((1.0,),)),
    DragHandles("a", "A", ((0.0,),), 0, 1),
    Pixels("a", "A", ((0.0, 1.0),)),
    RowEdits("a", "A"),
    SavedRuns("a", "A"),
    PairFile("a", "A"),
]


@pytest.mark.parametrize("control", CONTROLS, ids=widgets.widget_kind)
def test_an_idle_control_says_why_and_a_notice_is_shown(control):
    quiet, idle, noticed = (
        render_control(control),
        render_control(control, idle="Twice nothing."),
        render_control(control, notice="Read as 3."),
    )
    assert not by_class(quiet, "idle")
    assert "dimmed" not in quiet.get("class", "")
    assert "dimmed" in idle.get("class", "").split()
    assert [(text_of(note), note.get("role")) for note in by_class(idle, "idle")] == [
        ("Twice nothing.", "status")
    ]
    assert [text_of(note) for note in by_class(noticed, "notice")] == ["Read as 3."]


def test_every_kind_of_control_is_tried_here_and_has_its_template():
    assert {widgets.widget_kind(control) for control in CONTROLS} == set(widgets.TEMPLATE.KINDS)


def test_a_text_that_is_not_used_here_is_hidden():
    assert "hidden" in render_control(Text("words", "Words", "one"), limit=False).attrib
    assert "hidden" not in render_control(Text("words", "Words", "one")).attrib


# ---- hostile texts ----


@pytest.mark.parametrize(
    "control",
    [
        Slider("a", EVIL, 0.5, -1, 1, 0.05),
        Step("a", EVIL, 1, 1, 40),
        Choice("a", EVIL, "x", ("x", EVIL)),
        Choice("a", EVIL, EVIL, (EVIL, *WIDE)),
        Toggle("a", EVIL, False),
        Text("a", EVIL, EVIL, (EVIL,)),
        Matrix("a", EVIL, ((1.0,),)),
        DragHandles("a", EVIL, ((0.0,),), 0, 1),
        Pixels("a", EVIL, ((0.0, 1.0),)),
        RowEdits("a", EVIL),
        SavedRuns("a", EVIL),
        PairFile("a", EVIL, formats=EVIL, file_errors=((EVIL, EVIL),)),
    ],
    ids=widgets.widget_kind,
)
def test_no_text_becomes_markup(control):
    """Any text must give the same elements as harmless text, and must arrive unchanged."""
    widget = render_control(control, idle=EVIL, notice=EVIL)
    assert not list(widget.iter("img"))
    assert not [name for each in widget.iter() for name in each.attrib if name.startswith("on")]
    assert [text_of(note) for note in by_class(widget, "idle")] == [EVIL]
    if isinstance(control, Text):
        assert (fields(widget)[0].text or "").removeprefix("\n") == EVIL
    if isinstance(control, Choice) and widgets.widget_kind(control) == "choice":
        assert [field.get("value") for field in fields(widget)] == ["x", EVIL]


def test_presets_are_links_to_their_states():
    [presets] = parse_html(widgets.render_presets(TOY, TOY.experiments[0]))
    [chip] = presets.iter("a")
    assert chip.get("href") == "toy?experiment=sizes&scale=2&sign=minus"
    assert (chip.get("role"), chip.get("aria-pressed"), text_of(chip)) == ("button", "false", "Upside down")
    evil = Experiment(
        "e",
        "E",
        (Text("words", "Words", "a"),),
        lambda **_: None,
        (reading,),
        (Preset(EVIL, EVIL, {"words": EVIL}),),
    )
    [chip] = parse_html(widgets.render_presets(TOY, evil)).iter("a")
    assert (text_of(chip), chip.get("data-watch")) == (EVIL, EVIL)


def test_a_question_shows_its_options_a_field_or_the_way_to_its_experiment():
    def question(item: Exercise, is_guess: bool = False) -> Element:
        [found] = parse_html(
            widgets.TEMPLATE.exercise(item, "toy-check-x", is_guess, is_guess, "toy?experiment=sizes")
        )
        return found

    asked = question(guess("g", EVIL, {EVIL: "Why.", "b": "Because."}, lambda: "b", EVIL, covers=()), True)
    assert [
        button.get("data-answer") for button in asked.iter("button") if "data-answer" in button.attrib
    ] == [EVIL, "b"]
    assert EVIL in text_of(by_class(asked, "asked")[0])
    assert not list(asked.iter("img"))
    check = lambda *_: Verdict(True, "Yes.")  # noqa: E731
    typed = question(Exercise("n", "How many?", check, "Count.", Number("n", "words")))
    [field] = typed.iter("input")
    assert (next(typed.iter("label")).get("for"), field.get("id")) == ("toy-check-x-field",) * 2
    [there] = question(Exercise("l", "Make it loud.", check, "A box.", experiment="sizes")).iter("a")
    assert (there.get("href"), there.get("data-tab")) == ("toy?experiment=sizes", "sizes")
