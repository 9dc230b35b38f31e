"""A disk fills up under a driver at work: a person is called at once, and nothing is half-written.

SQLite on a small file system and under a limit of its own (which needs no root), PostgreSQL on a small one.
"""

import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from uuid import uuid4

import pytest
from aiohttp import ClientSession
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from larder.core.model.page import Fetched
from larder.core.policy.alerting import Severity
from larder.core.policy.degradation import DatabaseFault
from larder.engine.background.notifications import Notifier, running
from larder.engine.clock import SystemClock, VirtualClock
from larder.engine.work_items import Work
from larder.engine.worker.database_retries import RetryingDatabase
from larder.sim.server import SimServer
from larder.stages.notify import http_post as posting
from larder.stages.notify.channels import ChannelKind, ChannelSpec, minimums, open_channels
from larder.store.database import Database, inline_database, open_database
from larder.store.database.write_errors import database_fault
from larder.store.migrations import upgrade
from tests.acceptance.conftest import HOST, Shell, Up
from tests.administer import administer
from tests.faults.disk import fill, free, small_disk
from tests.faults.server import private_server
from tests.integration.engine.harness import MINUTE, START, Harness, small_site
from tests.integration.notify.services import Service, served


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    async with served() as service:
        yield service


@asynccontextmanager
async def telling(database: Database, service: Service) -> AsyncIterator[None]:
    """What a host does around its driver."""
    specs = [
        ChannelSpec(
            name="chat", url=service.url("/services/T0/B0/x"), kind=ChannelKind.SLACK, minimum=Severity.INFO
        ),
        ChannelSpec(name="pager", url=service.url("/pager"), kind=None, minimum=Severity.P1),
    ]
    async with posting.session() as client:
        channels = open_channels(specs, client, SystemClock())
        post = Notifier(
            database=database,
            clock=VirtualClock(START),
            minimums=minimums(specs),
            send=lambda message: channels[message.channel].send(message),
        )
        async with running(post):
            yield


def called(service: Service) -> list[str]:
    return [taken.get("title") or taken["text"] for taken in service.taken]


@dataclass(slots=True, kw_only=True)
class Scene:
    """A Larder on a disk that can be filled and freed."""

    harness: Harness
    fill: Callable[[], None]
    free: Callable[[], None]


@pytest.fixture
def small_mount(tmp_path: Path) -> Iterator[Scene]:
    with small_disk(tmp_path, "16m") as disk:
        harness = Harness(
            site=small_site(stock=30), database=inline_database(f"sqlite:///{disk / 'larder.db'}")
        )
        yield Scene(harness=harness, fill=lambda: fill(disk), free=lambda: free(disk))
        harness.database._conn.close()


@pytest.fixture
def page_limit(tmp_path: Path) -> Iterator[Scene]:
    harness = Harness(
        site=small_site(stock=30), database=inline_database(f"sqlite:///{tmp_path / 'larder.db'}")
    )

    def limit(pages: int) -> None:
        harness.do(lambda conn: conn.exec_driver_sql(f"PRAGMA max_page_count = {pages}").scalar())

    yield Scene(harness=harness, fill=lambda: limit(1), free=lambda: limit(1 << 30))
    harness.database._conn.close()


@pytest.mark.parametrize("where", ["small_mount", "page_limit"])
async def test_a_full_disk_calls_a_person_at_once_and_leaves_nothing_half_written(
    where: str, service: Service, request: pytest.FixtureRequest
) -> None:
    scene: Scene = request.getfixturevalue(where)
    harness = scene.harness
    harness.add_source()

    def answer(_: Work, __: datetime) -> Fetched | None:
        if len(harness.log) == 12:
            scene.fill()
        return None

    harness.answers = answer
    with pytest.raises(DBAPIError) as raised:
        async with telling(harness.database, service):
            await harness.driver().run(until=START + 10 * MINUTE)
    assert database_fault(raised.value) is DatabaseFault.DISK_FULL
    assert called(service) == ["Larder P1: disk_full deployment"] * 2
    scene.free()
    assert harness.ask("PRAGMA integrity_check") == [("ok",)]
    assert harness.ask("PRAGMA foreign_key_check") == []
    unsettled = "SELECT count(*) FROM records r LEFT JOIN versions v ON v.record_id = r.id WHERE v.id IS NULL"
    assert harness.ask(unsettled) == [(0,)]
    harness.answers = None
    harness.restart()
    harness.run(START + 30 * MINUTE)
    known = {row[0] for row in harness.ask("SELECT platform_id FROM records")}
    assert known == set(harness.site.classifieds.live(harness.clock.now()))
    assert harness.ask("SELECT count(*) FROM jobs WHERE status NOT IN ('done')") == [(0,)]


@pytest.fixture
async def cramped_postgres() -> AsyncIterator[tuple[Database, Path]]:
    """A database whose tables lie on a small file system; the server's own do not."""
    with (
        tempfile.TemporaryDirectory(prefix="larder-disk-") as folder,
        small_disk(Path(folder), "24m") as disk,
    ):
        space = disk / "space"
        space.mkdir(mode=0o777)
        space.chmod(0o777)
        with private_server() as server:
            server.own(space)
            name = f"larder_{uuid4().hex}"
            await administer(server.url, f"CREATE TABLESPACE small LOCATION '{space}'")
            await administer(server.url, f"CREATE DATABASE {name} TABLESPACE small")
            database = open_database(server.url.removesuffix("postgres") + name)
            yield database, disk
            await database.close()


async def test_on_postgresql_too(cramped_postgres: tuple[Database, Path], service: Service) -> None:
    database, disk = cramped_postgres
    clock = VirtualClock(START)
    retrying = RetryingDatabase(database, clock)

    def make(conn: Connection) -> None:
        conn.execute(text("CREATE TABLE told (n int, words text)"))

    def write(conn: Connection) -> None:
        conn.execute(
            text("INSERT INTO told SELECT n, repeat(md5(n::text), 40) FROM generate_series(1, 9000) n")
        )

    def counted(conn: Connection) -> int:
        many: int = conn.execute(text("SELECT count(*) FROM told")).scalar_one()
        return many

    await database.run(upgrade.upgrade)
    await retrying.run(make)
    fill(disk)
    with pytest.raises(DBAPIError) as raised:
        async with telling(retrying, service):
            await retrying.run(write)
    assert database_fault(raised.value) is DatabaseFault.DISK_FULL
    assert clock.now() == START, "a person is called, not waited for"
    assert called(service) == ["Larder P1: disk_full deployment"] * 2
    free(disk)
    assert await retrying.run(counted) == 0
    await retrying.run(write)
    assert await retrying.run(counted) == 9000


async def test_l10_26_reads_go_on_while_the_disk_is_full(tmp_path: Path, service: Service) -> None:
    """A real `larder up` on a real file system: API and pages answer, with a key and without."""
    larder = Shell(folder=tmp_path)
    larder.env["LARDER_CHANNELS"] = f'[{{"name": "pager", "url": "{service.url("/pager")}"}}]'
    site = replace(small_site(stock=200), name=HOST)
    with small_disk(tmp_path, "24m") as disk:
        async with SimServer([site], start=START) as web:
            await larder("init")
            key = (await larder.json("key", "add", "ada", "--scope", "admin"))["key"]
            await larder("site", "review", HOST)
            await larder("site", "set", HOST, "--local", "--spacing", "200ms")
            await larder("source", "add", f"http://{HOST}:{web.port}/listings", "--kind", "listing")
            up = Up(process=await larder.start("up", "--json"))
            address = (await up.until("up"))["address"]
            fill(disk)
            await service.came.wait()
            assert called(service) == ["Larder P1: disk_full deployment"]
            async with ClientSession(headers={"authorization": f"Bearer {key}"}) as visitor:
                for path in ("/api/records", "/api/health", "/api/admin/sources", "/api/changes", "/"):
                    async with visitor.get(f"{address}{path}") as answer:
                        assert answer.status == 200, f"{path}: {await answer.text()}"
                assert await _readiness(visitor, address) == ("degraded", True)
                assert (await larder.json("status"))["disk_full"] is True
                assert "The disk is full" in await larder("status")
                free(disk)
                assert await _readiness(visitor, address) == ("ok", False)
            assert await up.end() == 0


async def test_a_start_on_a_full_disk_waits_for_room_and_says_so(tmp_path: Path) -> None:
    larder = Shell(folder=tmp_path)
    with small_disk(tmp_path, "24m") as disk:
        await larder("init")
        fill(disk)
        up = Up(process=await larder.start("up", "--json"))
        waiting = await up.until("the disk is full: waiting for free space")
        assert (waiting["folder"], waiting["free_bytes"]) == (str(tmp_path / "larder-data"), 0)
        await larder("status", code=2)
        free(disk)
        await up.until("up")
        assert await up.end() == 0


async def _readiness(visitor: ClientSession, address: str) -> tuple[str, bool]:
    async with visitor.get(f"{address}/api/ready") as answer:
        body = await answer.json()
    return body["status"], body["disk_full"]
