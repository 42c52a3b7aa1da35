"""Encode the state of an experiment as a link and decode it. Controls at their default are left out."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from lessons.kit.contract import Experiment, InputError, State
from lessons.kit.language import translate

MAX_QUERY_CHARS = 4000
RESERVED_PARAMETERS = set(
    "experiment acts view present guess room hide embed lang __theme __sign _v narrow".split()
)


def encode(experiment: Experiment, state: State, acts: Sequence[str] = ()) -> str:
    """Encode a state as a short query string, e.g. `experiment=steer&t=5&acts=map`."""
    changed = {
        c.name: c.write(state[c.name]) for c in experiment.controls if state[c.name] != c.check(c.default)
    }
    return urlencode(
        {"experiment": experiment.slug} | changed | ({"acts": ".".join(acts)} if acts else {}), safe=",:;"
    )


def parse(experiment: Experiment, values: Mapping[str, Any]) -> dict[str, Any]:
    """Parse the values that a page sends, as text or in their own type, into a state."""
    controls = {control.name: control for control in experiment.controls}
    parsed: dict[str, Any] = {}
    for name, value in values.items():
        if name in controls and isinstance(value, str):
            try:
                parsed[name] = controls[name].parse(value)
            except InputError as error:
                raise InputError(str(error), name) from error
        else:
            parsed[name] = value
    return experiment.state(parsed)


def decode(
    experiment: Experiment, query: Mapping[str, str]
) -> tuple[dict[str, Any], tuple[str, ...], list[str]]:
    """Decode a query into the state, the open closer looks and error messages.

    A bad or unknown parameter adds a message; the control keeps its default.
    """
    state, complaints = experiment.state(), []
    controls = {control.name: control for control in experiment.controls}
    if sum(len(name) + len(text) for name, text in query.items()) > MAX_QUERY_CHARS:
        too_long = translate(
            "This link is too long to be ours (over {limit} characters); the defaults are shown.",
            limit=MAX_QUERY_CHARS,
        )
        return state, (), [too_long]
    if query.get("experiment", experiment.slug) != experiment.slug:
        complaints.append(translate("This lesson has no such experiment; here is the first one."))
    for name, text in query.items():
        if name in RESERVED_PARAMETERS:
            continue
        if name not in controls:
            complaints.append(
                translate("The link sets “{name}”, which is not here; it was left out.", name=name[:30])
            )
            continue
        try:
            state[name] = controls[name].read(text)
        except InputError as error:
            label = translate(controls[name].label)
            complaints.append(
                translate("The link’s value for “{label}” was left out. {error}", label=label, error=error)
            )
    return state, experiment.select_acts(query.get("acts", "").split(".")), complaints[:3]
