"""The link is the state: one codec for links, presets, tests and exports. What has its default is left out."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from lessons.kit.contract import Experiment, InputError, State

LONGEST = 4000  # characters of a query that is still read
OWN = {
    "experiment",
    "acts",
    "view",
    "present",
    "guess",
    "room",
    "hide",
    "embed",
    "__theme",
    "__sign",
    "_v",
    "narrow",
}


def encode(experiment: Experiment, state: State, acts: Sequence[str] = ()) -> str:
    """`experiment=steer&t=5&acts=map`: short, typed by the controls."""
    changed = {
        c.name: c.write(state[c.name]) for c in experiment.controls if state[c.name] != c.check(c.default)
    }
    return urlencode(
        {"experiment": experiment.slug} | changed | ({"acts": ".".join(acts)} if acts else {}), safe=",:;"
    )


def parse(experiment: Experiment, values: Mapping[str, Any]) -> dict[str, Any]:
    """The state from what a page sends: every control's value as text, as in a link. Values of their own type are welcome too."""
    controls = {control.name: control for control in experiment.controls}
    found: dict[str, Any] = {}
    for name, value in values.items():
        if name in controls and isinstance(value, str):
            try:
                found[name] = controls[name].parse(value)
            except InputError as error:
                raise InputError(str(error), name) from error
        else:
            found[name] = value
    return experiment.state(found)


def decode(
    experiment: Experiment, query: Mapping[str, str]
) -> tuple[dict[str, Any], tuple[str, ...], list[str]]:
    """The state, the open acts, and what could not be read: bad or foreign parameters fall back to the default and are named."""
    state, complaints = experiment.state(), []
    controls = {control.name: control for control in experiment.controls}
    if sum(len(name) + len(text) for name, text in query.items()) > LONGEST:
        return (
            state,
            (),
            [f"This link is too long to be ours (over {LONGEST} characters); the defaults are shown."],
        )
    if query.get("experiment", experiment.slug) != experiment.slug:
        complaints.append("This lesson has no such experiment; here is the first one.")
    for name, text in query.items():
        if name in OWN:
            continue
        if name not in controls:
            complaints.append(f"The link sets “{name[:30]}”, which is not here; it was left out.")
            continue
        try:
            state[name] = controls[name].read(text)
        except InputError as error:
            complaints.append(f"The link’s value for “{controls[name].label}” was left out. {error}")
    return state, experiment.opened(query.get("acts", "").split(".")), complaints[:3]
