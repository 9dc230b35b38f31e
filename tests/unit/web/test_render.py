"""How long ago something was goes by the deployment's clock, which need not be the machine's."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

from larder.web.render import environment

NOW = datetime(2031, 3, 4, 12, tzinfo=UTC)


def test_a_moment_is_told_from_the_time_of_the_page() -> None:
    page = SimpleNamespace(
        job=1,
        purpose="index",
        number=1,
        url="https://homes.test/",
        status="done",
        attempts=1,
        outcome="ok",
        code=200,
        yielded=30,
        duration_ms=12,
        fetched_at=NOW - timedelta(hours=3),
    )
    drawn = environment().get_template("admin/pages_table.html").render(pages=[page], now=NOW)
    assert ">3 h ago</time>" in drawn
