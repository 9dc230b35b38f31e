"""What is logged about a page names its run, its source and its job; ready pages wait for others."""

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from larder.adapters.listing.adapter import GenericListing
from larder.cli.common.logs import start_logging
from larder.engine.parse_workers.in_process import InProcess
from larder.engine.worker import parse_tasks
from larder.engine.worker.parse_tasks import ParseTasks
from tests.unit.engine.processing.test_check_answers import carried, fetched


class LoggingRunner(InProcess):
    """Logs as the pool of parse workers does."""

    async def run(self, task: Callable[[], Any], *, pages: int = 1, affinity: int = 0) -> Any:
        logging.getLogger("larder.parse").warning("parsing took long")
        return await super().run(task, pages=pages, affinity=affinity)


@pytest.fixture(autouse=True)
def loggers_as_before() -> Iterator[None]:
    kept = {name: logging.getLogger(name) for name in ("larder", "celery")}
    before = {name: (each.handlers, each.propagate, each.level) for name, each in kept.items()}
    yield
    for name, each in kept.items():
        each.handlers, each.propagate, each.level = before[name]


async def test_a_line_about_a_page_names_its_run_source_and_job(capsys: pytest.CaptureFixture[str]) -> None:
    start_logging(as_json=True, level="info")
    tasks = ParseTasks(runner=LoggingRunner(), on_ready=lambda: None)
    page = carried(fetched(html="<h1>Home 7</h1>"), method="get")
    await tasks.parse(page, {page.work.source.adapter: GenericListing()})
    logging.getLogger("larder.other").warning("about no page")
    first, other = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["event"], first["run"], first["source"], first["job"]) == (
        "parsing took long",
        1,
        page.work.source.slug,
        1,
    )
    assert not {"run", "source", "job"} & other.keys()


class SlowRunner:
    """Parses beside its caller; each page is ready when it is told to be."""

    concurrent = True

    def __init__(self) -> None:
        self.waiting: list[asyncio.Future[None]] = []

    async def run(self, task: Callable[[], Any], *, pages: int = 1, affinity: int = 0) -> Any:  # noqa: ARG002 - its shape
        self.waiting.append(asyncio.get_running_loop().create_future())
        await self.waiting[-1]
        return task()

    def warm_up(self, *, events: bool = False) -> None:
        """It needs nothing."""

    async def close(self) -> None:
        """It holds nothing."""


async def finish(runner: SlowRunner, *numbers: int) -> None:
    for number in numbers:
        runner.waiting[number].set_result(None)
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_page_waits_until_half_of_what_is_under_way_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse_tasks, "MAX_WAIT", 3_600)
    told: list[int] = []
    runner = SlowRunner()
    page = carried(fetched(html="<h1>Home 7</h1>"), method="get")
    tasks = ParseTasks(runner=runner, on_ready=lambda: told.append(1), under_way=range(6))
    await tasks.start([page] * 4, {page.work.source.adapter: GenericListing()})
    await finish(runner)
    await finish(runner, 0, 1)
    assert (told, tasks.take()) == ([], [])
    await finish(runner, 2)
    assert (len(told), len(tasks.take()), tasks.take()) == (1, 3, [])
    await finish(runner, 3)  # nothing else is being parsed
    assert (len(told), len(tasks.take())) == (2, 1)


async def test_a_page_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse_tasks, "MAX_WAIT", 0)
    ready = asyncio.Event()
    runner = SlowRunner()
    page = carried(fetched(html="<h1>Home 7</h1>"), method="get")
    tasks = ParseTasks(runner=runner, on_ready=ready.set, under_way=range(6))
    await tasks.start([page] * 4, {page.work.source.adapter: GenericListing()})
    await finish(runner)
    await finish(runner, 0)
    await ready.wait()
    assert len(tasks.take()) == 1
    await tasks.cancel_all()
