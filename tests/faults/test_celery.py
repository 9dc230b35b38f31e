"""Several Celery workers on PostgreSQL: killed, with lost and doubled messages, on both brokers."""

import json
from pathlib import Path

import pytest
import requests

from tests.faults.many_workers import Deployment, command, deployed, kill, wrong

SHAPES = ("woocommerce", "magento", "nextjs")
BROKERS = ("redis", "rabbitmq")


@pytest.fixture(params=BROKERS)
def broker(request: pytest.FixtureRequest) -> str:
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.mark.slow
def test_a_killed_worker_and_lost_messages_lose_and_double_nothing(
    tmp_path: Path, fresh_postgres: str, broker: str
) -> None:
    with deployed(tmp_path, database=fresh_postgres, broker=broker, shapes=SHAPES) as many:
        first = many.worker()
        many.start(*command("beat"))
        many.until("pages are fetched", lambda: many.requests() > 10)
        kill(first)
        many.purge_queues()
        many.worker()
        many.start(*command("beat"))
        many.until_read()
        assert wrong(many) == [], many.logs()
        assert served(many) == "ok"
        assert fetched_twice(many) <= len(SHAPES), "at most what was in flight at the kill"
        first_ended, *codes = many.end()
        assert first_ended == -9
        assert codes == [0, 0, 0, 0], many.logs()


def fetched_twice(many: Deployment) -> int:
    return sum(times - 1 for site in many.sites.values() for times in site.asked.values() if times > 1)


def served(many: Deployment) -> str:
    """What the app of the compose file says of itself."""
    many.start(*command("app"), "--port", "0")
    log = many.shell.folder / f"up-{len(many.processes) - 1}.log"
    many.until("the app is up", lambda: "address" in log.read_text())
    address = next(json.loads(line)["address"] for line in log.read_text().splitlines() if "address" in line)
    status: str = requests.get(f"{address}/api/ready", timeout=60).json()["status"]
    return status
