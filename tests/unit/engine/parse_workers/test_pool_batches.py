"""Tasks that have to wait go to a worker several at once; what one of them does costs no other anything."""

import asyncio
import os
import re
import signal
import time
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Any

import pytest

from larder.core.errors import ParseAborted
from larder.core.model.outcome import FailReason
from larder.engine.parse_workers.fork_server import WorkerProcess
from larder.engine.parse_workers.pool import MAX_BATCH, ParsePool, PoolLimits

LIMITS: dict[str, Any] = {"workers": 1, "cpu_seconds": 0.3, "wall_seconds": 60, "memory_bytes": 512 * 1024**2}
BACKTRACKING = partial(re.match, "(a+)+$", "a" * 64 + "b")


@pytest.fixture
async def pool() -> AsyncIterator[ParsePool]:
    pool = ParsePool(limits=PoolLimits(**LIMITS))
    yield pool
    await pool.close()


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many tasks went to a worker, each time."""
    counts: list[int] = []
    send = WorkerProcess.send

    def counted(worker: WorkerProcess, messages: Sequence[bytes], *, cpu_seconds: float) -> None:
        counts.append(len(messages))
        send(worker, messages, cpu_seconds=cpu_seconds)

    monkeypatch.setattr(WorkerProcess, "send", counted)
    return counts


async def test_tasks_that_wait_are_sent_together_and_each_has_its_own_reply(
    pool: ParsePool, sent: list[int]
) -> None:
    replies = await asyncio.gather(*(pool.run(partial(abs, -number)) for number in range(20)))
    assert replies == list(range(20))
    assert sent == [1, MAX_BATCH, MAX_BATCH, 3]  # the first waits for nobody


async def test_tasks_are_shared_among_the_workers(sent: list[int]) -> None:
    pool = ParsePool(limits=PoolLimits(**{**LIMITS, "workers": 2}))
    assert len(set(await asyncio.gather(*(pool.run(os.getpid, affinity=n) for n in range(8))))) == 2
    await pool.close()
    assert max(sent) <= 3


async def test_a_task_of_several_pages_is_sent_alone(pool: ParsePool, sent: list[int]) -> None:
    await asyncio.gather(*(pool.run(os.getpid, pages=1 + number % 2) for number in range(6)))
    assert sent == [1] * 6


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (BACKTRACKING, FailReason.PARSE_TIMEOUT),
        (os.abort, FailReason.PARSE_CRASHED),
        (partial(bytearray, 2**30), FailReason.PARSE_CRASHED),
    ],
)
async def test_l10_20_a_task_that_ends_its_worker_costs_none_of_those_sent_with_it(
    pool: ParsePool, bad: Any, reason: FailReason
) -> None:
    tasks = [partial(abs, -1), partial(abs, -2), bad, partial(abs, -3), partial(abs, -4)]
    replies = await asyncio.gather(*map(pool.run, tasks), return_exceptions=True)
    assert [reply for reply in replies if not isinstance(reply, ParseAborted)] == [1, 2, 3, 4]
    assert isinstance(replies[2], ParseAborted)
    assert replies[2].reason is reason


async def test_l10_20_tasks_sent_together_each_have_their_own_time(pool: ParsePool) -> None:
    burn = "import time\nbegun = time.process_time()\nwhile time.process_time() - begun < 0.15: pass"
    first = await pool.run(os.getpid)
    await asyncio.gather(*(pool.run(partial(exec, burn)) for _ in range(6)))
    assert await pool.run(os.getpid) == first


async def test_an_error_among_tasks_sent_together_is_its_callers(pool: ParsePool) -> None:
    tasks = [partial(int, text) for text in ("1", "2", "two", "3")]
    replies = await asyncio.gather(*map(pool.run, tasks), return_exceptions=True)
    assert [reply for reply in replies if not isinstance(reply, ValueError)] == [1, 2, 3]


async def test_large_tasks_and_replies_do_not_wait_for_each_other(pool: ParsePool) -> None:
    """Neither end reads while it writes more than a socket holds."""
    large = b"x" * 400_000
    tasks = [partial(large.replace, b"x", b"yyy") for _ in range(9)]
    async with asyncio.timeout(60):
        replies = await asyncio.gather(*map(pool.run, tasks))
    assert {len(reply) for reply in replies} == {1_200_000}


async def test_a_caller_that_gives_up_costs_the_others_nothing(pool: ParsePool) -> None:
    await pool.run(os.getpid)
    callers = [asyncio.create_task(pool.run(partial(abs, -number))) for number in range(6)]
    await asyncio.sleep(0)
    callers[3].cancel()
    callers[5].cancel()
    replies = await asyncio.gather(*callers, return_exceptions=True)
    assert [reply for reply in replies if isinstance(reply, int)] == [0, 1, 2, 4]


async def test_a_pool_that_is_closed_keeps_no_caller_waiting() -> None:
    pool = ParsePool(limits=PoolLimits(**LIMITS))
    await pool.run(os.getpid)
    callers = [asyncio.create_task(pool.run(signal.pause)) for _ in range(3)]
    await asyncio.sleep(0.01)
    await pool.close()
    async with asyncio.timeout(60):
        replies = await asyncio.gather(*callers, return_exceptions=True)
    assert all(isinstance(reply, asyncio.CancelledError) for reply in replies)


async def test_a_reply_does_not_wait_for_slow_tasks_sent_with_it(pool: ParsePool, sent: list[int]) -> None:
    await pool.run(os.getpid)
    callers = [asyncio.create_task(pool.run(partial(time.sleep, 0.2))) for _ in range(5)]
    await asyncio.wait(callers[1:], return_when=asyncio.FIRST_COMPLETED)
    assert sent == [1, 1, 4]
    assert not callers[-1].done()
    await asyncio.gather(*callers)
