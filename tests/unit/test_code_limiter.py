"""CodeLimiter: clients that guess room codes are slowed down; a correct code is delayed by a moment at most."""

import asyncio
from time import perf_counter

import pytest

from lessons.kit.web import code_limiter
from lessons.kit.web.code_limiter import CodeLimiter, TooManyWait, address_block

THIEF, NEIGHBOUR, STRANGER = "192.0.2.7", "192.0.2.99", "198.51.100.1"


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        (THIEF, NEIGHBOUR, True),
        (THIEF, STRANGER, False),
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", True),
        ("2001:db8:0:1::1", "2001:db8:1::1", False),
        ("", "testclient", False),
    ],
)
def test_a_block_is_what_one_person_may_have(one, other, is_same):
    assert (address_block(one) == address_block(other)) is is_same


def seconds(limiter: CodeLimiter, *visitors: str) -> float:
    """How long these look-ups take, all at once."""

    async def all_wait() -> None:
        await asyncio.gather(*(limiter.wait(visitor) for visitor in visitors))

    began = perf_counter()
    asyncio.run(all_wait())
    return perf_counter() - began


def test_look_ups_from_a_block_that_tries_codes_come_one_by_one(monkeypatch):
    monkeypatch.setattr(code_limiter, "PAUSE", 0.05)
    limiter = CodeLimiter()
    for _ in range(code_limiter.FREE):
        limiter.miss(THIEF)
    seconds(limiter, *[THIEF] * 20)
    assert not limiter.lanes, "a class that mistypes is not slowed down"
    limiter.miss(THIEF)
    assert seconds(limiter, *[THIEF] * 5, NEIGHBOUR) > 6 * 0.04
    seconds(limiter, STRANGER)
    assert list(limiter.lanes) == [address_block(THIEF)]


def test_many_blocks_together_are_slowed_down_too(monkeypatch):
    limiter = CodeLimiter()
    for number in range(code_limiter.FREE_IN_ALL + 1):
        limiter.miss(f"10.{number // 200}.{number % 200}.1")
    assert seconds(limiter, *[STRANGER] * 10) > 10 * 0.9 * code_limiter.PAUSE_IN_ALL


def test_a_flood_is_turned_away_and_a_new_minute_begins_with_none(monkeypatch):
    limiter = CodeLimiter()
    for _ in range(code_limiter.FREE + 1):
        limiter.miss(THIEF)
    monkeypatch.setattr(code_limiter, "PAUSE", 0.0)
    with pytest.raises(TooManyWait):
        seconds(limiter, *[THIEF] * (code_limiter.MAX_WAITING + 1))
    now = code_limiter.time.monotonic()
    monkeypatch.setattr(code_limiter.time, "monotonic", lambda: now + code_limiter.MINUTE)
    limiter.turn()
    assert not limiter.misses
    assert not limiter.lanes, "nothing grows"
