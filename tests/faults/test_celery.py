"""The short form of the proof `workers`: three sites, two workers, the faults that a shared server allows.

In two parts, each with a worker that is killed: what happens to messages, and what happens to those who work.
"""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import asyncpg
import pytest
import requests

from tests.proofs.deployment import Deployment, command, deployed
from tests.proofs.workers import Story, read_through_faults

BROKERS = ("redis", "rabbitmq")
LONG = (5, 10)
"""Seconds. A busy machine bunches arrivals; over these windows that does not show."""
MARGIN = 60.0
FEW, MANY = 30, 48
"""Listings on each site: the sites must not be read to their end before the last fault."""


@pytest.fixture(params=BROKERS)
def broker(request: pytest.FixtureRequest) -> str:
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.mark.slow
def test_workers_lose_and_double_nothing_of_lost_messages(
    tmp_path: Path, fresh_postgres: str, broker: str
) -> None:
    def faults(story: Story) -> None:
        story.do("worker killed", story.kill_first, after=10)
        story.do("queues purged", story.many.purge_queues, after=5)
        story.do("messages repeated", story.many.repeat_messages, after=5)

    assert lived_through(tmp_path, fresh_postgres, broker, faults, listings=FEW) == 3


@pytest.mark.slow
def test_the_app_of_the_compose_file_is_ready_without_workers(
    tmp_path: Path, fresh_postgres: str, broker: str
) -> None:
    with deployed(tmp_path, database=fresh_postgres, broker=broker, sites=1, listings=1) as many:
        try:
            assert served(many) == "ok"
        finally:
            many.end()


@pytest.mark.slow
def test_workers_lose_and_double_nothing_of_lost_leases(
    tmp_path: Path, fresh_postgres: str, broker: str
) -> None:
    def faults(story: Story) -> None:
        story.do("worker killed", story.kill_first, after=10)
        story.do("connections ended", lambda: asyncio.run(end_connections(fresh_postgres)), after=5)
        story.do("worker frozen past its lease", story.freeze_leader, after=5)

    assert lived_through(tmp_path, fresh_postgres, broker, faults, listings=MANY) == 3


def lived_through(
    folder: Path, database: str, broker: str, faults: Callable[[Story], None], *, listings: int
) -> int:
    """How many faults the workers went through; nothing that was claimed of them is broken."""
    part = read_through_faults(
        folder,
        database=database,
        broker=broker,
        sites=3,
        listings=listings,
        workers=2,
        faults=faults,
        windows=LONG,
        margin=MARGIN,
    )
    assert part.broken == []
    count: int = part.figures["faults"]
    return count


async def end_connections(database: str) -> None:
    """As a restart of the server does."""
    connection = await asyncpg.connect(database)
    others = "datname = current_database() AND pid <> pg_backend_pid()"
    try:
        await connection.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")
    finally:
        await connection.close()


def served(many: Deployment) -> str:
    """What the app of the compose file says of itself."""
    app = many.start(*command("app"), "--json", "--port", "0")
    many.until("the app is up", lambda: any("address" in line for line in many.log(app)))
    address = next(line["address"] for line in many.log(app) if "address" in line)
    status: str = json.loads(requests.get(f"{address}/api/ready", timeout=60).text)["status"]
    return status
