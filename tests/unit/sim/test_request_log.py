"""The site's log answers for itself."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from larder.sim.request_log import LoggedRequest, RequestLog

AT = datetime(2026, 3, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def visit(arrived: float = 0.0, path: str = "/listing/1-x", **other: object) -> LoggedRequest:
    facts = {"left": arrived + 0.1, "at": AT, "host": "homes.test", "method": "GET", "status": 200} | other
    return LoggedRequest(arrived=arrived, path=path, **facts)  # type: ignore[arg-type]


def test_pages_are_those_that_were_got() -> None:
    request_log = RequestLog(
        [
            visit(),
            visit(path="/listings?page=2"),
            visit(path="/listing/2", status=404),
            visit(path="/listing/3", method="HEAD"),
            visit(path="/robots.txt"),
        ]
    )
    assert request_log.pages() == {"homes.test/listing/1-x": 1, "homes.test/listings?page=2": 1}
    assert request_log.pages(containing="", statuses=(404,)) == {"homes.test/listing/2": 1}


def test_twice_is_per_host_and_page() -> None:
    request_log = RequestLog(
        [visit(), visit(host="cars.test"), visit(5.0), visit(path="/listings"), visit(path="/listings")]
    )
    assert request_log.fetched_twice() == {"homes.test/listing/1-x": 2}
    assert request_log.fetched_twice(containing="/listings") == {"homes.test/listings": 2}
    assert request_log.for_host("cars.test").fetched_twice() == {}


def test_unchanged_is_not_fetched_again() -> None:
    assert RequestLog([visit(), visit(1.0, status=304)]).fetched_twice() == {}


def test_rates_lie_end_to_end() -> None:
    request_log = RequestLog(visit(arrived) for arrived in (10.0, 10.5, 11.0, 13.2))
    assert request_log.rates(SECOND) == [2, 1, 0, 1]
    assert RequestLog().rates(SECOND) == []


def test_the_busiest_window_may_begin_anywhere() -> None:
    request_log = RequestLog(visit(arrived) for arrived in (0.0, 0.9, 1.1, 1.8, 5.0))
    assert request_log.rates(SECOND) == [2, 2, 0, 0, 0, 1]
    assert request_log.max_in_window(SECOND) == 3
    assert request_log.min_gap() == 1.1 - 0.9
    assert (RequestLog().max_in_window(SECOND), RequestLog().min_gap()) == (0, None)


@given(st.lists(st.floats(0, 20), max_size=30), st.integers(1, 5))
def test_no_window_is_busier_than_the_busiest(arrivals: list[float], seconds: int) -> None:
    request_log = RequestLog(visit(arrived) for arrived in arrivals)
    counted = [sum(begin <= a < begin + seconds for a in arrivals) for begin in arrivals]
    assert request_log.max_in_window(timedelta(seconds=seconds)) == max(counted, default=0)


def test_at_once_counts_what_overlaps() -> None:
    request_log = RequestLog(
        [visit(0.0, left=2.0), visit(1.0, left=3.0), visit(2.0, left=4.0), visit(2.5, left=2.6)]
    )
    assert request_log.max_concurrent() == 3
    assert RequestLog().max_concurrent() == 0


def test_another_process_can_read_along(tmp_path: Path) -> None:
    log = tmp_path / "visits.jsonl"
    request_log = RequestLog(log=log)
    request_log.record(visit(1.5, agent="larder"))
    assert RequestLog.read(log).requests == request_log.requests
    with log.open("a") as half:
        half.write('{"arrived": 2.0')
    assert RequestLog.read(log).requests == [visit(1.5, agent="larder")]
    request_log.close()


def test_a_log_that_is_not_there_yet_is_empty(tmp_path: Path) -> None:
    assert RequestLog.read(tmp_path / "none.jsonl").requests == []
