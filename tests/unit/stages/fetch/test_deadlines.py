"""Limits that one look keeps for all that wait."""

import asyncio

import pytest

from larder.stages.fetch import deadlines
from larder.stages.fetch.deadlines import Deadlines


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> Deadlines:
    """Looks as often as it can."""
    monkeypatch.setattr(deadlines, "CHECK_SECONDS", 0.001)
    return Deadlines()


async def test_what_takes_too_long_is_a_timeout(limits: Deadlines) -> None:
    with pytest.raises(TimeoutError), limits.limit(0):
        await asyncio.Event().wait()
    assert asyncio.current_task().cancelling() == 0  # type: ignore[union-attr]


async def test_what_ends_in_time_is_left_alone(limits: Deadlines) -> None:
    with limits.limit(60):
        said = await asyncio.sleep(0, "done")
    assert said == "done"


async def test_only_the_one_whose_time_is_up_is_ended(limits: Deadlines) -> None:
    go_on = asyncio.Event()

    async def wait(seconds: float) -> str:
        try:
            with limits.limit(seconds):
                await go_on.wait()
        except TimeoutError:
            go_on.set()
            return "late"
        return "in time"

    assert list(await asyncio.gather(wait(60), wait(0), wait(60))) == ["in time", "late", "in time"]


async def test_somebody_elses_cancellation_is_theirs(limits: Deadlines) -> None:
    async def wait() -> None:
        with limits.limit(60):
            await asyncio.Event().wait()

    task = asyncio.create_task(wait())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_an_error_on_the_way_stays_what_it_is(limits: Deadlines) -> None:
    with pytest.raises(KeyError), limits.limit(60):
        raise KeyError


async def test_closing_ends_the_looks(limits: Deadlines) -> None:
    with limits.limit(60):
        assert limits.is_running
        limits.close()
    assert not limits.is_running
