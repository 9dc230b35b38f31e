"""The site's log answers for itself."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from larder.sim.request_log import Visit, Witness

AT = datetime(2026, 3, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def visit(arrived: float = 0.0, path: str = "/listing/1-x", **other: object) -> Visit:
    facts = {"left": arrived + 0.1, "at": AT, "host": "homes.test", "method": "GET", "status": 200} | other
    return Visit(arrived=arrived, path=path, **facts)  # type: ignore[arg-type]


def test_pages_are_those_that_were_got() -> None:
    witness = Witness(
        [
            visit(),
            visit(path="/listings?page=2"),
            visit(path="/listing/2", status=404),
            visit(path="/listing/3", method="HEAD"),
            visit(path="/robots.txt"),
        ]
    )
    assert witness.pages() == {"homes.test/listing/1-x": 1, "homes.test/listings?page=2": 1}
    assert witness.pages(containing="", statuses=(404,)) == {"homes.test/listing/2": 1}


def test_twice_is_per_host_and_page() -> None:
    witness = Witness(
        [visit(), visit(host="cars.test"), visit(5.0), visit(path="/listings"), visit(path="/listings")]
    )
    assert witness.fetched_twice() == {"homes.test/listing/1-x": 2}
    assert witness.fetched_twice(containing="/listings") == {"homes.test/listings": 2}
    assert witness.of("cars.test").fetched_twice() == {}


def test_unchanged_is_not_fetched_again() -> None:
    assert Witness([visit(), visit(1.0, status=304)]).fetched_twice() == {}


def test_rates_lie_end_to_end() -> None:
    witness = Witness(visit(arrived) for arrived in (10.0, 10.5, 11.0, 13.2))
    assert witness.rates(SECOND) == [2, 1, 0, 1]
    assert Witness().rates(SECOND) == []


def test_the_busiest_window_may_begin_anywhere() -> None:
    witness = Witness(visit(arrived) for arrived in (0.0, 0.9, 1.1, 1.8, 5.0))
    assert witness.rates(SECOND) == [2, 2, 0, 0, 0, 1]
    assert witness.busiest(SECOND) == 3
    assert witness.closest() == 1.1 - 0.9
    assert (Witness().busiest(SECOND), Witness().closest()) == (0, None)


@given(st.lists(st.floats(0, 20), max_size=30), st.integers(1, 5))
def test_no_window_is_busier_than_the_busiest(arrivals: list[float], seconds: int) -> None:
    witness = Witness(visit(arrived) for arrived in arrivals)
    counted = [sum(begin <= a < begin + seconds for a in arrivals) for begin in arrivals]
    assert witness.busiest(timedelta(seconds=seconds)) == max(counted, default=0)


def test_at_once_counts_what_overlaps() -> None:
    witness = Witness(
        [visit(0.0, left=2.0), visit(1.0, left=3.0), visit(2.0, left=4.0), visit(2.5, left=2.6)]
    )
    assert witness.at_once() == 3
    assert Witness().at_once() == 0


def test_another_process_can_read_along(tmp_path: Path) -> None:
    log = tmp_path / "visits.jsonl"
    witness = Witness(log=log)
    witness.record(visit(1.5, agent="larder"))
    assert Witness.read(log).visits == witness.visits
    with log.open("a") as half:
        half.write('{"arrived": 2.0')
    assert Witness.read(log).visits == [visit(1.5, agent="larder")]
    witness.close()


def test_a_log_that_is_not_there_yet_is_empty(tmp_path: Path) -> None:
    assert Witness.read(tmp_path / "none.jsonl").visits == []
