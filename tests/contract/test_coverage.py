"""What a full pass did not show, what became of it, and what its certificate says; on both databases."""

from typing import Any

from sqlalchemy import Connection, text

from larder.core.model.run import RunStatus
from larder.engine.verification import certificates
from larder.runs.fold import RunEnd
from larder.store.dataset import coverage
from tests.contract.world import DAY, HOUR, NOW, SECOND, Pages, one, rows, source, staged, unit_of_work

BEGAN = NOW


def seen(conn: Connection, source_id: int, *numbers: int, at: Any = NOW, run_id: int = 1) -> None:
    pages = Pages(conn, source_id)
    pages.keep(pages.page(*(staged(n) for n in numbers), at=at, run_id=run_id))


def certify(
    conn: Connection, source_id: int, run_id: int, *, advertised: int | None = None, **history: int
) -> certificates.CertifiedPass:
    walked = {"began_at": BEGAN.isoformat(), "pages": 3, "rows": 4, "advertised": advertised}
    end = RunEnd(status=RunStatus.COMPLETED, memory={"history": history}, certificate=walked)
    return certificates.certify(conn, source_id, run_id, end)


@unit_of_work
def test_what_was_not_seen_since_the_pass_began_is_marked(conn: Connection) -> None:
    homes, flats = source(conn), source(conn, "flats", domain="flats.test")
    seen(conn, homes, 1, 2, at=BEGAN - SECOND)
    seen(conn, homes, 3, at=BEGAN)
    seen(conn, homes, 4, at=BEGAN - DAY)
    seen(conn, flats, 5, at=BEGAN - DAY)
    conn.execute(text("UPDATE records SET active = 0 WHERE identity_key = 'PID:4'"))
    assert coverage.mark_unseen(conn, homes, pass_id=7, began=BEGAN) == 2
    assert coverage.count_seen_since(conn, homes, BEGAN) == 1
    marked = rows(conn, "SELECT identity_key FROM records WHERE missed_by_pass = 7 ORDER BY 1")
    assert marked == [("PID:1",), ("PID:2",)]


@unit_of_work
def test_those_that_turn_up_later_were_missed(conn: Connection) -> None:
    homes = source(conn)
    seen(conn, homes, 1, 2, 3, at=BEGAN - HOUR, run_id=3)
    coverage.mark_unseen(conn, homes, pass_id=7, began=BEGAN)
    assert coverage.count_seen_again(conn, homes, pass_id=7) == 0
    seen(conn, homes, 2, at=BEGAN + HOUR, run_id=8)
    assert coverage.count_seen_again(conn, homes, pass_id=7) == 1
    assert coverage.count_seen_again(conn, homes, pass_id=7) == 0, "counted once"


@unit_of_work
def test_a_certificate_says_what_was_walked_seen_and_probably_missed(conn: Connection) -> None:
    homes = source(conn)
    seen(conn, homes, 1, 2, 3, at=BEGAN - HOUR, run_id=3)
    seen(conn, homes, 4, 5, at=BEGAN + HOUR, run_id=7)
    first = certify(conn, homes, 7)
    told = first.certificate
    assert (told["pages"], told["rows"], told["advertised"], told["seen"], told["unseen"]) == (
        3,
        4,
        None,
        2,
        3,
    )
    assert told["missed"] == {"estimate": 1.5, "low": 0, "high": 3}, "nothing learnt yet: none to all"
    assert first.history == {"checked": 0, "alive": 0, "pass": 7, "unseen": 3}


@unit_of_work
def test_a_certificate_claims_no_fewer_missed_than_advertised_and_not_seen(conn: Connection) -> None:
    homes = source(conn)
    seen(conn, homes, 1, 2, 3, at=BEGAN - HOUR, run_id=3)
    seen(conn, homes, 4, 5, at=BEGAN + HOUR, run_id=7)
    short = certify(conn, homes, 7, advertised=40).certificate
    assert short["missed"] == {"estimate": 38.0, "low": 38, "high": 38}


@unit_of_work
def test_a_certificate_claims_none_missed_where_all_that_is_advertised_was_seen(conn: Connection) -> None:
    homes = source(conn)
    seen(conn, homes, 1, 2, 3, at=BEGAN - HOUR, run_id=3)
    seen(conn, homes, 4, 5, at=BEGAN + HOUR, run_id=7)
    whole = certify(conn, homes, 7, advertised=2).certificate
    assert (whole["unseen"], whole["missed"]) == (3, {"estimate": 0.0, "low": 0, "high": 0})


@unit_of_work
def test_the_next_pass_has_learnt_from_the_one_before(conn: Connection) -> None:
    homes = source(conn)
    seen(conn, homes, 1, 2, 3, 4, at=BEGAN - HOUR, run_id=3)
    first = certify(conn, homes, 7)
    seen(conn, homes, 2, at=BEGAN - SECOND, run_id=8)
    second = certify(conn, homes, 9, **first.history)
    assert second.history == {"checked": 4, "alive": 1, "pass": 9, "unseen": 4}
    assert one(conn, "SELECT count(*) FROM records WHERE missed_by_pass = 9") == 4


@unit_of_work
def test_old_experience_weighs_less(conn: Connection) -> None:
    homes = source(conn)
    seen(conn, homes, 1, at=BEGAN - HOUR)
    told = certify(conn, homes, 7, checked=2_001, alive=100)
    assert (told.history["checked"], told.history["alive"]) == (1_000, 50)


@unit_of_work
def test_a_pass_that_showed_everything_missed_nothing(conn: Connection) -> None:
    homes = source(conn)
    seen(conn, homes, 1, 2, at=BEGAN + SECOND)
    assert certify(conn, homes, 7, checked=90, alive=9).certificate["missed"] == {
        "estimate": 0.0,
        "low": 0,
        "high": 0,
    }
