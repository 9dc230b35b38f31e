"""The pool of parse workers: limits hold whatever a task does, and no process is left behind."""

import asyncio
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from larder import adapters
from larder.core.errors import BadInput, ParseAborted, Unusable
from larder.core.model.item import Failed
from larder.core.model.job import Purpose
from larder.core.model.outcome import FailReason, FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.source import Kind, Source
from larder.engine.parse_workers.pool import ParsePool, PoolLimits
from larder.engine.processing.process_page import parse_and_normalize, read_page
from larder.extraction import try_page

NOW = datetime(2026, 7, 1, tzinfo=UTC)
PAGE = b"<html><head><title>Kettle</title></head><body><h1>Kettle</h1><p class=price>EUR 25.00</p>"
LIMITS: dict[str, Any] = {"workers": 1, "cpu_seconds": 0.3, "wall_seconds": 60, "memory_bytes": 512 * 1024**2}
BACKTRACKING = partial(re.match, "(a+)+$", "a" * 64 + "b")
"""Takes centuries, inside one call that never returns to Python."""


@pytest.fixture
async def pool() -> AsyncIterator[ParsePool]:
    pool = ParsePool(limits=PoolLimits(**LIMITS))
    yield pool
    await pool.close()


async def test_l10_20_a_task_that_exceeds_its_cpu_time_is_killed_and_its_place_taken(pool: ParsePool) -> None:
    first = await pool.run(os.getpid)
    for endless in (BACKTRACKING, partial(exec, "while True: pass")):
        with pytest.raises(ParseAborted, match=r"more than 0\.3 CPU seconds") as ended:
            await pool.run(endless)
        assert ended.value.reason is FailReason.PARSE_TIMEOUT
        assert "Stack (most recent call first)" in ended.value.trace
    assert await pool.run(os.getpid) not in (first, os.getpid())


async def test_l10_20_the_time_is_that_of_one_page_not_of_a_worker(pool: ParsePool) -> None:
    burn = "import time\nbegun = time.process_time()\nwhile time.process_time() - begun < {}: pass"
    workers = {await pool.run(os.getpid)}
    for seconds, pages in ((0.15, 1), (0.15, 1), (0.15, 1), (0.6, 3)):
        await pool.run(partial(exec, burn.format(seconds)), pages=pages)
        workers.add(await pool.run(os.getpid))
    assert len(workers) == 1


async def test_l10_20_a_task_that_waits_is_ended_by_the_clock() -> None:
    pool = ParsePool(limits=PoolLimits(**{**LIMITS, "wall_seconds": 0.2}))
    await pool.run(os.getpid)
    with pytest.raises(ParseAborted, match=r"more than 0\.2 seconds"):
        await pool.run(signal.pause)
    await pool.close()


async def test_l10_20_memory_is_bounded(pool: ParsePool) -> None:
    with pytest.raises(ParseAborted, match="more than 512 MB of memory") as ended:
        await pool.run(partial(bytearray, 1024**3))
    assert ended.value.reason is FailReason.PARSE_CRASHED
    assert await pool.run(partial(len, b"abc")) == 3


async def test_l10_20_a_crash_costs_one_page(pool: ParsePool) -> None:
    with pytest.raises(ParseAborted, match="crashed") as ended:
        await pool.run(os.abort)
    assert ended.value.reason is FailReason.PARSE_CRASHED
    assert await pool.run(partial(len, b"abc")) == 3


async def test_errors_of_a_task_are_raised_to_its_caller(pool: ParsePool) -> None:
    with pytest.raises(BadInput, match="unknown adapter 'nobody'"):
        await pool.run(partial(try_page, PAGE, adapter="nobody"))
    with pytest.raises(ValueError, match="invalid literal"):
        await pool.run(partial(int, "x"))


async def test_a_page_is_read_as_in_the_process_itself(pool: ParsePool) -> None:
    assert await pool.run(partial(try_page, PAGE, now=NOW)) == try_page(PAGE, now=NOW)
    source, adapter = a_source(), adapters.find("product")
    there = await pool.run(partial(parse_and_normalize, a_page(PAGE), source, adapter, Purpose.DETAIL))
    assert there == parse_and_normalize(a_page(PAGE), source, adapter, Purpose.DETAIL)
    assert there.staged[0].fields["title"] == "Kettle"


async def test_l10_20_a_page_that_takes_too_long_is_a_failed_one() -> None:
    pool = ParsePool(limits=PoolLimits(**{**LIMITS, "cpu_seconds": 0.02}))
    long = a_page(b"<p>5 <b>items</b> of EUR 25.00</p>" * 100_000)
    found = await read_page(pool, long, a_source(), adapters.find("product"), Purpose.DETAIL)
    await pool.close()
    assert isinstance(found.reading, Failed)
    assert found.reading.reason is FailReason.PARSE_TIMEOUT
    assert found.reading.details == "reading the page took more than 0.02 CPU seconds"
    assert "parse_and_normalize" in found.trace


async def test_l10_20_a_declared_pattern_that_backtracks_for_ever_is_ended_as_well(pool: ParsePool) -> None:
    price = {"css": "p", "regex": "(a+)+$"}
    declared = {"selectors": {"detail": {"fields": {"title": "h1", "price": price}}}}
    page = a_page(b"<h1>Kettle</h1><p>" + b"a" * 64 + b"b</p>")
    found = await read_page(pool, page, a_source(params=declared), adapters.find("product"), Purpose.DETAIL)
    assert isinstance(found.reading, Failed)
    assert found.reading.reason is FailReason.PARSE_TIMEOUT
    assert "selectors.py" in found.trace


async def test_an_adapter_of_a_folder_is_loaded_in_the_worker(tmp_path: Path) -> None:
    folder = tmp_path / "corner"
    folder.mkdir()
    (folder / "adapter.py").write_text(ADAPTER)
    (folder / "manifest.yaml").write_text("owner: nobody\nsummary: a shop\n")
    adapters.load(tmp_path)
    pool = ParsePool(limits=PoolLimits(**{**LIMITS, "cpu_seconds": 5}), adapters_dir=tmp_path)
    try:
        reading = partial(
            parse_and_normalize, a_page(PAGE), a_source(), adapters.find("corner"), Purpose.DETAIL
        )
        assert (await pool.run(reading)).staged[0].fields["title"] == "From the folder"
        (folder / "adapter.py").write_text(ADAPTER.replace("From the folder", "Changed"))
        await pool.close()
        with pytest.raises(Unusable, match="'corner' were changed"):
            await pool.run(reading)
    finally:
        await pool.close()
        adapters.load(None)


ADAPTER = """
from larder.sdk import Extracted, Item, Kind, SiteAdapter


class Corner(SiteAdapter):
    id, version, domain, kind = "corner", "1.0.0", "corner.example", Kind.PRODUCT

    def read_detail(self, page):
        return Extracted(items=(Item(fields={"title": "From the folder", "price": "EUR 1.00"}),))
"""


async def test_nothing_is_started_before_the_first_task() -> None:
    pool = ParsePool(limits=PoolLimits(**LIMITS))
    before = set(children(os.getpid()))
    await pool.run(os.getpid)
    (server,) = set(children(os.getpid())) - before
    await pool.close()
    assert server not in children(os.getpid())


async def test_a_pool_that_is_warmed_up_starts_its_server_once(pool: ParsePool) -> None:
    before = set(children(os.getpid()))
    pool.warm_up()
    (server,) = set(children(os.getpid())) - before
    pool.warm_up()
    assert await pool.run(os.getppid) == server
    assert set(children(os.getpid())) - before == {server}


@pytest.mark.parametrize("events", [False, True])
async def test_patterns_of_dates_are_compiled_beforehand_where_events_are_read(events: bool) -> None:
    pool = ParsePool(limits=PoolLimits(**LIMITS), preload=["larder.stages.normalize.dates.mentions"])
    pool.warm_up(events=events)
    try:
        assert await pool.run(partial(eval, HAS_COMPILED)) is events
    finally:
        await pool.close()


HAS_COMPILED = "'search' in vars(__import__('sys').modules['larder.stages.normalize.dates.mentions']._GLUED)"


async def test_a_worker_is_replaced_after_so_many_pages() -> None:
    pool = ParsePool(limits=PoolLimits(**LIMITS, recycle_after=2))
    workers = [await pool.run(os.getpid) for _ in range(6)]
    await pool.close()
    assert len(set(workers)) == 3


async def test_workers_run_side_by_side_and_a_cancelled_task_frees_its_place() -> None:
    pool = ParsePool(limits=PoolLimits(**{**LIMITS, "workers": 2}))
    waiting = asyncio.create_task(pool.run(signal.pause))
    assert await pool.run(partial(len, b"abc"), affinity=1) == 3
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert len(set(await asyncio.gather(*(pool.run(os.getpid, affinity=n) for n in range(8))))) == 2
    await pool.close()


async def test_a_worker_outlasts_the_signals_that_a_terminal_sends_to_all(pool: ParsePool) -> None:
    (worker,) = {await pool.run(os.getpid)}
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(worker, number)
    assert await pool.run(os.getpid) == worker


async def test_a_worker_that_was_killed_while_it_was_idle_costs_no_page(pool: ParsePool) -> None:
    worker = await pool.run(os.getpid)
    gone = os.pidfd_open(worker)
    os.kill(worker, signal.SIGKILL)
    assert select.select([gone], [], [], 60)[0]
    os.close(gone)
    await asyncio.to_thread(os.sched_yield)  # the loop reads the end of the socket
    assert await pool.run(os.getpid) != worker


async def test_no_worker_is_given_the_settings(pool: ParsePool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LARDER_SECRET_KEY", "secret")
    assert await pool.run(partial(os.getenv, "LARDER_SECRET_KEY")) is None


PARENT = """
import asyncio, os, signal
from larder.engine.parse_workers.pool import ParsePool, PoolLimits

async def main():
    pool = ParsePool(limits=PoolLimits(workers=1, cpu_seconds=50, wall_seconds=600, memory_bytes=2**30))
    print(await pool.run(os.getpid), await pool.run(os.getppid), flush=True)
    await pool.run(signal.pause)

asyncio.run(main())
"""


def test_workers_end_with_the_process_that_started_them() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pids = [int(word) for word in parent.stdout.readline().split()]
        gone = [os.pidfd_open(pid) for pid in pids]
        parent.kill()
    for descriptor in gone:
        assert select.select([descriptor], [], [], 60)[0], "it is still running"
        os.close(descriptor)


def children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def a_page(body: bytes) -> Fetched:
    url = "https://shop.example/kettle"
    return Fetched(outcome=FetchOutcome.OK, url=url, final_url=url, fetched_at=NOW, status=200, body=body)


def a_source(**values: Any) -> Source:
    row: dict[str, Any] = {"id": 1, "slug": "s", "name": "S", "kind": Kind.PRODUCT, "site_id": 1}
    return Source(**{**row, "adapter": "product", "url": "https://shop.example/", **values})
