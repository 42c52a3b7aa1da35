"""CodeLimiter slows down clients that guess room codes and hardly delays a correct code."""

import asyncio
from time import perf_counter

import pytest

from lessons.kit.web import code_limiter
from lessons.kit.web.code_limiter import CodeLimiter, TooManyWaiting, network_of

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
    assert (network_of(one) == network_of(other)) is is_same


def seconds(limiter: CodeLimiter, *visitors: str) -> float:
    """Seconds until the wrong codes of these visitors are answered; without visitors, ten right codes."""

    async def all_wait() -> None:
        misses = (limiter.wait_after_miss(visitor) for visitor in visitors)
        await asyncio.gather(*(misses if visitors else (limiter.wait_before() for _ in range(10))))

    began = perf_counter()
    asyncio.run(all_wait())
    return perf_counter() - began


def test_look_ups_from_a_block_that_tries_codes_come_one_by_one(monkeypatch):
    monkeypatch.setattr(code_limiter, "NETWORK_DELAY_SECONDS", 0.05)
    limiter = CodeLimiter()
    seconds(limiter, *[THIEF] * code_limiter.MAX_NETWORK_MISSES)
    seconds(limiter)
    assert not limiter.queues, "a class that mistypes is not slowed down, nor are right codes"
    assert seconds(limiter, *[THIEF] * 5, NEIGHBOUR) > 6 * 0.04
    seconds(limiter, STRANGER)
    assert list(limiter.queues) == [network_of(THIEF)]


def test_many_blocks_together_are_slowed_down_too(monkeypatch):
    limiter = CodeLimiter()
    networks = [f"10.{n // 200}.{n % 200}.1" for n in range(code_limiter.MAX_TOTAL_MISSES + 1)]
    seconds(limiter, *networks)
    assert seconds(limiter) > 10 * 0.9 * code_limiter.TOTAL_DELAY_SECONDS


def test_a_flood_is_turned_away_and_a_new_minute_begins_with_none(monkeypatch):
    limiter = CodeLimiter()
    seconds(limiter, *[THIEF] * code_limiter.MAX_NETWORK_MISSES)
    monkeypatch.setattr(code_limiter, "NETWORK_DELAY_SECONDS", 0.0)
    with pytest.raises(TooManyWaiting):
        seconds(limiter, *[THIEF] * (code_limiter.MAX_NETWORK_WAITING + 1))
    now = code_limiter.time.monotonic()
    monkeypatch.setattr(code_limiter.time, "monotonic", lambda: now + code_limiter.WINDOW_SECONDS)
    limiter.start_new_window()
    assert not limiter.misses
    assert not limiter.queues, "nothing grows"
