"""Drawings of a large model run one at a time and do not delay other drawings."""

from types import SimpleNamespace
from typing import Any

import anyio
import pytest

from lessons.kit.web import draw
from lessons.kit.web.request_guard import HTTPError
from lessons.real import LESSON

LIGHT, HEAVY = (SimpleNamespace(experiment=SimpleNamespace(is_heavy=heavy)) for heavy in (False, True))


def run(test: Any) -> None:
    anyio.run(test, draw.Drawings((), "0"))


def test_two_heavy_drawings_take_turns_and_a_light_one_passes():
    async def test(drawings: draw.Drawings) -> None:
        order = []

        async def make(name: str, renderer: Any, steps: int) -> None:
            async with drawings.heavy_turn(renderer, name):
                for step in range(steps):
                    order.append(f"{name}{step}")
                    await anyio.sleep(0.01)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(make, "first", HEAVY, 3)
            tasks.start_soon(make, "second", HEAVY, 1)
            tasks.start_soon(make, "light", LIGHT, 1)
        assert order.index("light0") < order.index("first2") < order.index("second0")

    run(test)


def test_nobody_has_two_places_in_line():
    """A visitor who asks three times must not be served three times before others who came later."""

    async def test(drawings: draw.Drawings) -> None:
        order = []

        async def make(visitor: str) -> None:
            async with drawings.heavy_turn(HEAVY, visitor):
                order.append(visitor)
                await anyio.sleep(0.01)

        async with anyio.create_task_group() as tasks:
            for visitor in ("many", "many", "many", "one", "two"):
                tasks.start_soon(make, visitor)
                await anyio.sleep(0)
        assert order == ["many", "one", "two", "many", "many"]
        assert not drawings.visitor_locks

    run(test)


def test_too_many_in_line_are_told_to_try_again(monkeypatch):
    monkeypatch.setattr(draw, "MAX_HEAVY_WAITING", 0)

    async def test(drawings: draw.Drawings) -> None:
        with pytest.raises(HTTPError) as refused:
            async with drawings.heavy_turn(HEAVY, "one"):
                pass
        assert refused.value.status == 503
        async with drawings.heavy_turn(LIGHT, "one"):
            pass

    run(test)


def test_every_experiment_on_the_real_model_is_heavy():
    light = {experiment.slug for experiment in LESSON.experiments if not experiment.is_heavy}
    assert light == {"tune"}  # `tune` runs our own story model
