"""What is logged while a page is parsed names its run, its source and its job."""

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from larder.adapters.listing.adapter import Listing
from larder.cli.common.logs import start_logging
from larder.engine.parse_workers.in_process import InProcess
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
    await tasks.parse(page, {page.work.source.adapter: Listing()})
    logging.getLogger("larder.other").warning("about no page")
    first, other = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["event"], first["run"], first["source"], first["job"]) == (
        "parsing took long",
        1,
        page.work.source.slug,
        1,
    )
    assert not {"run", "source", "job"} & other.keys()
