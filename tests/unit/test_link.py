"""Links and page values: parse text into a checked state, and report what cannot be read."""

from urllib.parse import parse_qsl

import pytest

from lessons import LESSONS
from lessons.kit import link
from lessons.kit.contract import Choice, InputError, PairFile, SavedRuns
from lessons.training import LESSON as TRAINING
from tests.toy import LESSON as TOY

SIZES, AGAIN, STEER = TOY.experiments
OWN = TRAINING.experiment("own")


@pytest.mark.parametrize(
    ("experiment", "values", "name", "found"),
    [
        (SIZES, {"words": "to be"}, "words", "to be"),
        (SIZES, {"words": "1"}, "words", "1"),
        (SIZES, {"t": "3"}, "t", 3),
        (SIZES, {"scale": "0,5"}, "scale", 0.5),
        (SIZES, {"sign": "minus"}, "sign", "minus"),
        (SIZES, {"loud": "1"}, "loud", True),
        (SIZES, {"loud": "0"}, "loud", False),
        (SIZES, {"table": "1,2;3,−4"}, "table", ((1.0, 2.0), (3.0, -4.0))),
        (SIZES, {"pull": "0.4"}, "pull", ((0.4,),)),
        (STEER, {"edits": "2:0.5,0.5,0;1:1,0,0"}, "edits", ((1, (1.0, 0.0, 0.0)), (2, (0.5, 0.5, 0.0)))),
        (STEER, {"edits": ""}, "edits", ()),
    ],
)
def test_what_a_page_sends_is_read_as_a_link_is(experiment, values, name, found):
    state = link.parse(experiment, values)
    assert state == experiment.state() | {name: found}
    assert type(state[name]) is type(found)


def test_values_of_their_own_type_are_welcome():
    given = {"words": "to be", "t": 2, "scale": 0.5, "loud": True, "table": [[1, 2], [3, 4]]}
    assert link.parse(SIZES, given) == SIZES.state(given)
    assert link.parse(SIZES, {}) == SIZES.state()


@pytest.mark.parametrize(
    "experiment", [*TOY.experiments, *TRAINING.experiments], ids=lambda experiment: experiment.slug
)
def test_parse_reads_what_encode_wrote(experiment):
    for preset in ({}, *(preset.state for preset in experiment.presets)):
        state = experiment.state(preset)
        query = dict(parse_qsl(link.encode(experiment, state), keep_blank_values=True))
        assert query.pop("experiment") == experiment.slug
        assert link.parse(experiment, query) == state


@pytest.mark.parametrize(
    ("values", "control", "says"),
    [
        ({"scale": "99"}, "scale", "Scale: between 0 and 2, please; this is 99."),
        ({"scale": ""}, "scale", "Scale: a number, please"),
        ({"scale": "nan"}, "scale", "Scale: a number, please"),
        ({"sign": "times"}, "sign", "Sign: choose one of plus, minus."),
        ({"loud": "yes"}, "loud", "Loud: on or off."),
        ({"table": "1,2"}, "table", "Table: 2 rows of 2 numbers, please."),
        ({"table": "1,2;3,x"}, "table", "Table: a number, please"),
        ({"words": "x" * 401}, "words", "Words: at most 400 characters"),
        ({"scale": None}, "scale", "Scale: a number, please"),
        ({"scale": [1]}, "scale", "Scale: a number, please"),
        ({"scale": {"a": 1}}, "scale", "Scale: a number, please"),
        ({"nothing": "1"}, None, "sizes has no control named nothing."),
    ],
)
def test_a_bad_value_is_refused_with_the_name_of_its_control(values, control, says):
    with pytest.raises(InputError) as refused:
        link.parse(SIZES, values)
    assert refused.value.control == control
    assert says in str(refused.value)


def test_own_pairs_come_as_text_by_a_page_but_not_by_a_link():
    text = "a\tb\n" * 20
    [pairs] = [control for control in OWN.controls if isinstance(control, PairFile)]
    assert link.parse(OWN, {pairs.name: text})[pairs.name] == text
    state, _, complaints = link.decode(OWN, {pairs.name: text})
    assert (state[pairs.name], len(complaints)) == ("", 1)
    assert text not in link.encode(OWN, OWN.state({pairs.name: text}))


def test_saved_runs_are_read_by_name_and_make_a_state_private():
    [runs] = [control for control in OWN.controls if isinstance(control, SavedRuns)]
    state = link.parse(OWN, {runs.name: f"{'a' * 16},{'b' * 16}"})
    assert state[runs.name] == ("a" * 16, "b" * 16)
    assert OWN.is_private(state)
    assert not OWN.is_private(OWN.state())
    with pytest.raises(InputError):
        link.parse(OWN, {runs.name: "../../etc/passwd"})


def test_a_link_with_bad_parts_keeps_the_good_ones_and_names_the_others():
    state, acts, complaints = link.decode(
        SIZES, {"scale": "99", "sign": "minus", "nosuch": "1", "acts": "pulling.nosuch", "_v": "x"}
    )
    assert (state, acts) == (SIZES.state({"sign": "minus"}), ("pulling",))
    assert len(complaints) == 2
    assert link.decode(AGAIN, {"scale": "1" * link.MAX_QUERY_CHARS})[0] == AGAIN.state()


@pytest.mark.parametrize(
    ("place", "name", "former", "option"),
    [
        ("scores/referee", "claim", "A matrix in the score helps dot", "Bilinear beats dot"),
        ("scores/referee", "claim", "Scaling helps dot", "Scaled dot beats dot"),
        ("bottleneck/referee", "against", "its rival", "the second model of the claim"),
        ("transformer/referee", "against", "itself, another seed", "the same model with another seed"),
        ("qkv/matrices", "fill", "own", "set by hand"),
        ("qkv/order", "order", "as it stands", "original"),
        ("qkv/order", "order", "two swapped", "two words swapped"),
        ("qkv/heads", "layer", "fresh", "untrained"),
        ("qkv/dynamic", "change", "nothing", "no change"),
        ("qkv/dynamic", "change", "two swapped", "two words swapped"),
        ("transformer/block", "block", "decoder: point-wise FC", "decoder: feed-forward network"),
        ("transformer/lm", "do", "leave it alone", "no change"),
        ("transformer/lm", "do", "look only there", "all weight on the outlined word"),
        ("transformer/lm", "do", "look anywhere else", "no weight on the outlined word"),
    ],
)
def test_a_link_with_the_former_name_of_an_option_still_works(place, name, former, option):
    lesson, slug = place.split("/")
    experiment = next(each for each in LESSONS if each.slug == lesson).experiment(slug)
    state, _, complaints = link.decode(experiment, {name: former})
    assert (state[name], complaints) == (option, [])
    assert experiment.state({name: former})[name] == option


def test_former_names_stand_for_options_and_are_none():
    choices = [
        control
        for lesson in LESSONS
        for experiment in lesson.experiments
        for control in experiment.controls
        if isinstance(control, Choice)
    ]
    assert any(choice.renamed for choice in choices)
    for choice in choices:
        assert set(choice.renamed.values()) <= set(choice.options)
        assert not choice.renamed.keys() & set(choice.options)
