"""Several Celery workers on PostgreSQL: killed, with lost and doubled messages, on both brokers."""

from pathlib import Path

import pytest

from tests.faults.many_workers import Deployment, deployed, kill, wrong

SHAPES = ("woocommerce", "magento", "nextjs")
BROKERS = ("redis", "rabbitmq")


@pytest.fixture(params=BROKERS)
def broker(request: pytest.FixtureRequest) -> str:
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.mark.slow
def test_a_worker_that_is_killed_loses_and_doubles_nothing(
    tmp_path: Path, fresh_postgres: str, broker: str
) -> None:
    with deployed(tmp_path, database=fresh_postgres, broker=broker, shapes=SHAPES) as many:
        first = many.worker()
        many.start("beat")
        many.until("pages are fetched", lambda: many.requests() > 10)
        kill(first)
        many.worker()
        many.start("beat")
        many.until_read()
        assert wrong(many) == [], many.logs()
        assert fetched_twice(many) <= len(SHAPES), "at most what was in flight at the kill"
        first_ended, *codes = many.end()
        assert first_ended == -9
        assert codes == [0, 0, 0], many.logs()


def fetched_twice(many: Deployment) -> int:
    return sum(times - 1 for site in many.sites.values() for times in site.asked.values() if times > 1)
