"""No stored value of a source stops the tick: it runs, or is set aside with an alert."""

import math
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from sqlalchemy import Connection, text, update

from larder.actions.sources import sources as actions
from larder.actions.sources.spec import SiteSpec, SourceSpec
from larder.core.model.run import RunKind
from larder.core.model.source import Plan
from larder.core.policy.scheduling.gates import Gate
from larder.runs import INTERVALS
from larder.store.database import Database
from larder.store.tables import sources as source_rows
from tests.contract.test_dispatch import HOW, planted, tick
from tests.contract.world import DAY, HOUR, MINUTE, NOW, one, rows, unit_of_work

EVERY_KIND = HOW.__class__(
    adapters=HOW.adapters, chance=HOW.chance, strict=False, kinds=frozenset(RunKind), stagger=HOW.stagger
)
NUMBERS = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True),
    st.integers(),
    st.sampled_from(
        [1e300, -1e300, math.inf, math.nan, 0, 5e-324, 87_600, 315_360_000, 2**31, 2**63, 10**30]
    ),
)
FIELDS = st.fixed_dictionaries(
    {"plan": st.sampled_from(["index", "market", "agenda", "monitor"])},
    optional={
        "cadence_hours": NUMBERS,
        "policy": st.dictionaries(st.sampled_from(INTERVALS), NUMBERS, max_size=2),
        "max_items_per_run": NUMBERS,
        "max_pages": NUMBERS,
        "latitude": NUMBERS,
        "longitude": NUMBERS,
        "params": st.fixed_dictionaries({}, optional={"stop_after": NUMBERS, "images": NUMBERS}),
    },
)
NEAR = st.fixed_dictionaries(
    {"plan": st.sampled_from(["index", "market", "agenda", "monitor"])},
    optional={
        "cadence_hours": st.floats(min_value=5e-324, max_value=87_600),
        "policy": st.dictionaries(
            st.sampled_from(INTERVALS), st.floats(min_value=5e-324, max_value=315_360_000), max_size=2
        ),
        "max_items_per_run": st.integers(min_value=1, max_value=2**31 - 1),
        "max_pages": st.integers(min_value=1, max_value=2**31 - 1),
    },
)


def accepted(fields: dict[str, Any]) -> SourceSpec | None:
    try:
        return SourceSpec.model_validate(
            {"url": "http://aaa.test/", "slug": "aaa", "kind": "listing", **fields}
        )
    except ValidationError:
        return None


@dataclass(frozen=True, kw_only=True)
class AfterTicks:
    """What two ticks made of two sources."""

    set_aside: list[Any]
    scheduled: int
    started: int


def after_ticks(conn: Connection, spec: SourceSpec) -> AfterTicks:
    """Two ticks over a good source and this one; nothing of it stays."""
    planted(conn)
    actions.add(conn, spec, EVERY_KIND, who="ada", now=NOW)
    tick(conn, how=EVERY_KIND)
    tick(conn, at=DAY, how=EVERY_KIND)
    sql = "SELECT count(DISTINCT slug) FROM {} AS t JOIN sources ON sources.id = t.source_id"
    found = AfterTicks(
        set_aside=rows(conn, "SELECT slug FROM sources WHERE needs_review = 1"),
        scheduled=one(conn, sql.format("schedules")),
        started=one(conn, sql.format("runs")),
    )
    conn.rollback()
    return found


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(fields=st.one_of(FIELDS, NEAR))
async def test_l10_21_any_accepted_source_survives_a_tick(database: Database, fields: dict[str, Any]) -> None:
    spec = accepted(fields)
    assume(spec is not None)
    assert spec is not None
    found = await database.run(after_ticks, spec)
    started = 1 if spec.plan is Plan.MONITOR else 2
    assert found == AfterTicks(set_aside=[], scheduled=2, started=started)


BAD = [1e300, 1e-300, 87_601, 0, -1, math.inf, -math.inf, math.nan, 10**40]


@pytest.mark.parametrize("value", BAD)
@pytest.mark.parametrize("field", ["cadence_hours", "max_pages", "max_items_per_run"])
def test_l10_21_a_number_without_measure_is_refused_at_the_edge(field: str, value: float) -> None:
    value = 2**31 if value == 87_601 and field != "cadence_hours" else value
    assert accepted({field: 24}) is not None
    assert accepted({field: value}) is None


@pytest.mark.parametrize("value", [1e300, math.inf, math.nan, 10**40, 0, 1e-300, 315_360_001])
def test_l10_21_so_is_an_interval_a_parameter_or_a_limit_of_a_site(value: float) -> None:
    assert accepted({"policy": {"discovery_every": value}}) is None
    if value not in (0, 1e-300, 315_360_001):
        assert accepted({"params": {"deep": [{"number": value}]}}) is None
        with pytest.raises(ValidationError):
            SiteSpec(spacing=value)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("cadence_hours = 1e300", id="overflow"),
        pytest.param("cadence_hours = -5", id="negative"),
        pytest.param("cadence_hours = 9e6", id="a thousand years"),
        pytest.param("policy = '{\"discovery_every\": 1e300}'", id="interval"),
        pytest.param("policy = '{\"discovery_every\": 0}'", id="an interval of nothing"),
        pytest.param("policy = '{\"discovery_every\": 0.01}'", id="an interval of less than a second"),
        pytest.param("cadence_hours = 1e-6", id="a cadence of less than a second"),
        pytest.param("tz = 'Europe'", id="a time zone that is a folder"),
    ],
)
@pytest.mark.parametrize("adopted", [False, True])
@unit_of_work
def test_l10_21_a_row_written_by_sql_disables_itself_alone(
    conn: Connection, change: str, *, adopted: bool
) -> None:
    planted(conn, "aaa", plan="agenda" if "tz" in change else "index")
    planted(conn)
    how = EVERY_KIND
    if adopted:
        tick(conn, how=how)
        conn.execute(text("UPDATE runs SET status = 'completed'"))
    conn.execute(text(f"UPDATE sources SET {change} WHERE slug = 'aaa'"))
    later = tick(conn, at=DAY, how=how)
    assert one(conn, "SELECT count(*) FROM runs WHERE source_id = 2") > 0
    ((review, reason),) = rows(conn, "SELECT needs_review, review_reason FROM sources WHERE slug = 'aaa'")
    assert (review, "aaa" in later.held_back) == (1, False)
    assert change.partition(" ")[0].replace("policy", "discovery_every") in reason or "Europe" in reason
    sql = "SELECT subject, severity FROM alerts WHERE name = 'source_invalid' AND resolved_at IS NULL"
    assert rows(conn, sql) == [("aaa", "P2")]
    again = tick(conn, at=DAY + 2 * MINUTE, how=how)
    assert set(again.held_back.get("aaa", [Gate.NEEDS_REVIEW])) <= {Gate.NEEDS_REVIEW, Gate.ALREADY_RUNNING}


@unit_of_work
def test_l10_21_a_review_after_the_correction_resolves_the_alert(conn: Connection) -> None:
    planted(conn, cadence_hours=1e300)
    tick(conn)
    conn.execute(update(source_rows).values(cadence_hours=24))
    actions.review(conn, "homes", HOW, who="ada", now=NOW + HOUR)
    assert one(conn, "SELECT count(*) FROM alerts WHERE resolved_at IS NULL") == 0
    assert len(tick(conn, at=HOUR).opened) == 1


@unit_of_work
def test_l10_21_a_stored_time_that_no_calendar_has_stops_nobody(conn: Connection) -> None:
    planted(conn, "aaa")
    planted(conn)
    tick(conn)
    conn.execute(text("UPDATE sources SET last_run_at = 1767571200000000000 WHERE slug = 'aaa'"))
    conn.execute(text("UPDATE runs SET status = 'completed'"))
    assert len(tick(conn, at=DAY).opened) == 2
