"""Ten thousand failures in a minute, through the engine itself, become a handful of messages.

Counted at a real server, by the messages that it received.
"""

import re
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from pydantic import SecretStr
from sqlalchemy import Connection, func, select

from larder import adapters
from larder.app import App, open_app
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.core.model.run import RunKind
from larder.core.policy.alerting import Severity
from larder.engine.clock import VirtualClock
from larder.engine.commit import batch as committing
from larder.engine.work_items import ProcessedPage, Work, Worker
from larder.engine.worker import claims
from larder.settings import Settings
from larder.settings.channels import ChannelSettings
from larder.store.tables import alerts, dead_letters
from tests.contract import world
from tests.contract.world import NOW, SECOND
from tests.integration.notify.services import Service, served

SOURCES, EACH, BATCH = 50, 200, 200
ADAPTERS = {each.id: each for each in adapters.known()}
HANDFUL = 5


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    async with served() as service:
        yield service


@pytest.fixture
async def app(tmp_path: Path, service: Service) -> AsyncIterator[App]:
    channels = (
        ChannelSettings(name="chat", url=SecretStr(service.url("/services/T0/B0/x")), kind="slack"),
        ChannelSettings(name="pager", url=SecretStr(service.url("/pager")), minimum=Severity.P1),
    )
    async with open_app(Settings(data=tmp_path, channels=channels), upgrade=True) as app:
        app.clock = VirtualClock(NOW)
        yield app


def plant(conn: Connection) -> None:
    """Sources whose sites let us ask for everything at once."""
    for number in range(SOURCES):
        domain = f"site{number}.test"
        site_id = world.site(conn, domain, spacing_ms=0, at_once=EACH)
        source_id = world.source(conn, f"source{number}", domain=domain)
        run_id = world.run(conn, source_id, RunKind.COLLECT)
        urls = [f"http://{domain}/{page}" for page in range(EACH)]
        world.enqueue(conn, run_id, urls, source_id=source_id, site_id=site_id)


def claimed(conn: Connection, who: Worker) -> Sequence[Work]:
    work: list[Work] = []
    while len(work) < SOURCES * EACH:
        under_way = {each.job.id: each.lane.site_id for each in work}
        work += claims.claim(conn, who, under_way=under_way, max_jobs=SOURCES * EACH, now=NOW).work
    return work


def failing(work: Work) -> ProcessedPage:
    url = work.job.request.url
    fetched = Fetched(
        outcome=FetchOutcome.DNS_ERROR, url=url, final_url=url, fetched_at=NOW, error="no such host"
    )
    return ProcessedPage(work=work, fetched=fetched, page_id=None)


async def test_a_flood_of_failures_is_a_handful_of_messages(app: App, service: Service) -> None:
    who = Worker(owner="driver", chance=Random(1), lease=timedelta(hours=1))
    await app.run(plant)
    work = list(await app.run(claimed, who))
    Random(5).shuffle(work)
    async with app.notifier() as post:
        batches = [work[at : at + BATCH] for at in range(0, len(work), BATCH)]
        for number, batch in enumerate(batches):
            app.clock.advance(NOW + 60 * SECOND * number / len(batches))  # type: ignore[attr-defined]
            done = [failing(each) for each in batch]
            await app.run(committing.commit_batch, who, done, ADAPTERS, now=app.clock.now())
            await post.round()
        app.clock.advance(NOW + timedelta(hours=1))  # type: ignore[attr-defined]
        await post.round()
    assert (
        await app.run(lambda conn: conn.scalar(select(func.count()).select_from(dead_letters)))
        == SOURCES * EACH
    )
    told = await app.run(lambda conn: conn.execute(select(alerts.c.name, alerts.c.subject)).all())
    assert {name for name, _ in told} == {"circuit_tripped", "dead_letters"}
    assert len(told) == SOURCES + 1
    assert 1 <= len(service.taken) <= HANDFUL
    words = " ".join(block["text"]["text"] for taken in service.taken for block in taken["blocks"])
    missing = [subject for _, subject in told if not re.search(rf"\b{subject}\b", words)]
    assert missing == [], "every source is named all the same"
