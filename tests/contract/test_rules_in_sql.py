"""Rules about records that SQL restates: statement and rule decide alike on thousands of random rows.

Candidates are chosen by SQL and judged once more by `core` when their window closes, so both must agree.
Lapsing and the effect of a sighting are SQL alone; they are compared with the sentence of SPEC they keep.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random

import pytest
from sqlalchemy import Connection, bindparam, select, update

from larder.core.model.record import Verification
from larder.core.model.run import CheckResult
from larder.core.policy.freshness import Freshness
from larder.core.policy.trust.verification import RecordState, VerificationRules, is_candidate
from larder.store.dataset import sightings, verifications
from larder.store.dataset.freshness import FreshnessColumns
from larder.store.dataset.record_rows import SightedRecord
from larder.store.queue import selections
from larder.store.queue.selections import CandidateRules
from larder.store.reads.query import MAX_ROWS, Query
from larder.store.reads.records import all_records, search
from larder.store.reads.rows import RecordRow, fetch_records
from larder.store.tables import records
from larder.store.tables.columns import micros
from tests.contract.world import DAY, HOUR, NOW, SECOND, Pages, source, staged, unit_of_work

ROWS = 2_000
RULES = VerificationRules(strikes_apart=2 * HOUR, unseen_for=20 * HOUR, alive_for=30 * HOUR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A record with all that the rules look at."""

    state: RecordState
    last_seen_at: datetime
    fresh: Freshness
    ends_at: datetime | None
    checked_at: datetime | None


def near(chance: Random, *lines: timedelta) -> datetime:
    """A moment of the last days; every other time within a second of a line, where an error would show."""
    if chance.random() < 0.5:
        return NOW - chance.choice(lines) + chance.choice((-SECOND, 0 * SECOND, SECOND))
    return NOW - timedelta(seconds=chance.randint(0, 5 * 86_400))


def maybe(chance: Random, moment: datetime) -> datetime | None:
    return moment if chance.random() < 0.6 else None


def random_state(chance: Random) -> RecordState:
    verification = chance.choice([None, *Verification])
    active = verification not in (Verification.GONE, Verification.LAPSED)
    struck_at = maybe(chance, near(chance, RULES.strikes_apart))
    return RecordState(
        active=active,
        verification=verification,
        strikes=int(struck_at is not None),
        struck_at=struck_at,
        verified_at=maybe(chance, near(chance, RULES.alive_for)),
        deactivated_at=None if active else NOW - DAY,
        missing_at=NOW - HOUR if chance.random() < 0.1 else None,
    )


def random_rows(seed: int) -> list[Row]:
    chance = Random(seed)
    return [
        Row(
            state=random_state(chance),
            last_seen_at=near(chance, RULES.unseen_for),
            fresh=Freshness(
                base=chance.choice((100, 80)),
                rate=chance.choice((1, 2, 3)),
                anchored_at=near(chance, 50 * HOUR, 100 * HOUR, 34 * HOUR),
            ),
            ends_at=maybe(chance, near(chance, 0 * HOUR)) if chance.random() < 0.3 else None,
            checked_at=maybe(chance, near(chance, HOUR)),
        )
        for _ in range(ROWS)
    ]


def columns(number: int, row: Row) -> dict[str, object]:
    state, fresh = row.state, row.fresh
    return {
        "number": number,
        "active": int(state.active),
        "verification": state.verification,
        "strikes": state.strikes,
        "struck_at": state.struck_at,
        "verified_at": state.verified_at,
        "deactivated_at": state.deactivated_at,
        "missing_at": state.missing_at,
        "last_seen_at": row.last_seen_at,
        "base": fresh.base,
        "rate": fresh.rate,
        "anchored_at": fresh.anchored_at,
        "shown_until": fresh.shown_until,
        "dead_at": fresh.dead_at,
        "ends_at": row.ends_at,
        "checked_at": row.checked_at,
    }


def fill(conn: Connection, rows: list[Row]) -> tuple[int, dict[int, Row]]:
    """The source and its records by number."""
    source_id = source(conn)
    pages = Pages(conn, source_id)
    pages.keep(pages.page(*(staged(i) for i in range(len(rows)))))
    ids = list(conn.scalars(select(records.c.id).order_by(records.c.id)))
    known = dict(zip(ids, rows, strict=True))
    statement = update(records).where(records.c.id == bindparam("number"))
    conn.execute(statement, [columns(number, row) for number, row in known.items()])
    return source_id, known


def candidates(known: dict[int, Row], *, started: datetime, faded_only: bool) -> Iterator[int]:
    """Who is in doubt, once a run, where a strike would count, and no event that has ended."""
    for number, row in known.items():
        faded = row.state.active and row.fresh.shown_until <= NOW
        doubted = is_candidate(
            row.state, NOW, last_seen_at=row.last_seen_at, shown_until=row.fresh.shown_until, rules=RULES
        )
        asked = row.checked_at is not None and row.checked_at >= started
        ended = row.ends_at is not None and row.ends_at <= NOW
        missing = row.state.active and row.state.missing_at is not None
        if (
            (faded or missing if faded_only else doubted)
            and strike_counts(row.state)
            and not asked
            and not ended
        ):
            yield number


def strike_counts(state: RecordState) -> bool:
    """A strike now would be one more against the record."""
    alone = replace(state, active=True, verification=None)
    return alone.checked(CheckResult.STRIKE, NOW, RULES).strikes > state.strikes


@pytest.mark.parametrize("faded_only", [False, True], ids=["all candidates", "the faded alone"])
@unit_of_work
def test_sql_chooses_the_candidates_that_core_names(conn: Connection, faded_only: bool) -> None:
    source_id, known = fill(conn, random_rows(1))
    rules = CandidateRules(
        started=NOW - HOUR,
        unseen_since=NOW - RULES.unseen_for,
        verified_before=NOW - RULES.alive_for,
        struck_before=NOW - RULES.strikes_apart,
        faded_only=faded_only,
    )
    chosen = selections.list_verification_candidates(conn, source_id, rules, now=NOW, limit=ROWS)
    expected = set(candidates(known, started=NOW - HOUR, faded_only=faded_only))
    assert 50 < len(expected) < ROWS - 50, "both sides of the rule are there"
    assert {row.id for row in chosen} == expected


def lapses(row: Row) -> bool:
    """SPEC: at confidence 0, and not found alive since it was last seen, or over."""
    confirmed = row.state.verified_at is not None and row.state.verified_at >= row.last_seen_at
    ended = row.ends_at is not None and row.ends_at <= NOW
    return row.state.active and row.fresh.confidence(NOW) == 0 and (not confirmed or ended)


@unit_of_work
def test_sql_lapses_what_nobody_confirmed_and_touches_nothing_else(conn: Connection) -> None:
    source_id, known = fill(conn, random_rows(2))
    lapsed = verifications.lapse_records(conn, source_id, now=NOW, limit=ROWS)
    expected = {number for number, row in known.items() if lapses(row)}
    assert 50 < len(expected) < ROWS - 50, "both sides of the rule are there"
    assert set(lapsed) == expected
    for row in conn.execute(select(records).order_by(records.c.id)):
        before = known[row.id].state
        after = (bool(row.active), row.verification, row.deactivated_at, row.strikes)
        if row.id in expected:
            assert after == (False, Verification.LAPSED, NOW, before.strikes)
        else:
            assert after == (before.active, before.verification, before.deactivated_at, before.strikes)


def sighted(row: Row, at: datetime) -> RecordState:
    """SPEC: seen again is active, with nothing held against it; older sightings say nothing."""
    if at < row.last_seen_at or (row.state.struck_at is not None and at < row.state.struck_at):
        return row.state
    return RecordState(verified_at=row.state.verified_at)


@unit_of_work
def test_sql_clears_what_a_sighting_clears(conn: Connection) -> None:
    _, known = fill(conn, random_rows(3))
    at = NOW - 2 * HOUR
    fresh = FreshnessColumns(100, 2, micros(at), micros(at), micros(at))
    sightings.mark_seen(
        conn, [SightedRecord(number, 1, micros(at), None, 0, None, fresh) for number in known]
    )
    cleared = 0
    for row in conn.execute(select(records).order_by(records.c.id)):
        expected = sighted(known[row.id], at)
        cleared += expected != known[row.id].state
        assert (bool(row.active), row.verification, row.strikes, row.struck_at, row.verified_at) == (
            expected.active,
            expected.verification,
            expected.strikes,
            expected.struck_at,
            expected.verified_at,
        )
    assert 50 < cleared < ROWS - 50, "both sides of the rule are there"


@unit_of_work
def test_a_page_has_the_rows_and_the_confidence_that_sql_computes(conn: Connection) -> None:
    fill(conn, random_rows(5))
    conn.execute(update(records).where(records.c.id % 5 == 0).values(verification=Verification.GONE))
    conn.execute(update(records).where(records.c.id % 3 == 0).values(missing_at=NOW, missing_status=404))
    for at in (NOW, NOW + timedelta(hours=7, seconds=11)):
        everything = {row.id: row for row in fetch_records(conn, all_records(at))}
        page = search(conn, Query(limit=MAX_ROWS), now=at)
        found: dict[int, RecordRow] = {row.id: row for row in page.rows}
        while page.next is not None:
            page = search(conn, Query(limit=MAX_ROWS, after=page.next), now=at)
            found |= {row.id: row for row in page.rows}
        assert found == everything
