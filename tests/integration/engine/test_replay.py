"""Replay: what a bad adapter stored is overlaid by what its pages say to a good one, and nothing is lost."""

from typing import Any

import pytest
from sqlalchemy import text

from larder.engine.parse_workers.in_process import InProcess
from larder.engine.quality.replay import BATCH, Replay, ReplayResult
from larder.sim.virtual import run_inline
from larder.stages.persist.void import unvoid, void
from larder.store.pages.archive import PageScope
from larder.store.tables.columns import micros, moment
from tests.contract.world import dump
from tests.integration.engine.deployment import CrossedOut, Deployment, FindsNothing, PriceOfZero, Shelf
from tests.integration.engine.harness import HOUR, START, Killed, MortalDatabase

PRICES = """
SELECT records.platform_id, observations.amount, observations.observed_at, observations.confirmed_at,
       observations.superseded_at
FROM observations JOIN records ON records.id = observations.record_id
WHERE observations.field = 'price' AND observations.voided_at IS NULL
"""
CONTENTS = "SELECT platform_id, content_hash, price_minor, last_seen_at, active FROM records"
VERSIONS = """
SELECT records.platform_id, versions.content, versions.observed_at, versions.purpose
FROM versions JOIN records ON records.id = versions.record_id WHERE versions.voided_at IS NULL
"""


def replay(harness: Deployment, *, apply: bool = True, **scope: Any) -> ReplayResult:
    how = Replay(
        database=harness.mortal or harness.database,
        blobs=harness.blobs,
        adapters={harness.adapter.id: harness.adapter},
        runner=InProcess(),
        scope=PageScope(**scope),
        apply=apply,
        now=harness.clock.now(),
    )

    async def walk() -> ReplayResult:
        return [seen async for seen in how.walk()][-1]

    return run_inline(walk())


def read_by(adapter: type[Shelf], hours: float = 3) -> Deployment:
    """A source that was read by nobody but this one."""
    harness = Deployment(adapter=adapter())
    harness.plant()
    harness.run(START + hours * HOUR)
    return harness


def mended(harness: Deployment) -> Deployment:
    """The good one is deployed, and a person knows that it is."""
    harness.adapter = Shelf()
    accept(harness)
    return harness


def told(harness: Deployment, sql: str) -> list[Any]:
    return sorted(harness.ask(sql), key=repr)


def test_history_is_as_if_the_good_one_had_read_it() -> None:
    good, harness = read_by(Shelf), mended(read_by(CrossedOut))
    assert told(harness, PRICES) != told(good, PRICES)
    seen = replay(harness)
    assert (seen.without_body, seen.unreadable, seen.new, seen.vanished) == (0, 0, 0, 0)
    assert seen.pages > BATCH
    assert told(harness, PRICES) == told(good, PRICES)
    assert told(harness, VERSIONS) == told(good, VERSIONS)
    assert told(harness, CONTENTS) == told(good, CONTENTS)


def test_nothing_is_deleted() -> None:
    harness = mended(read_by(CrossedOut))
    kept = {
        table: harness.ask(f"SELECT id FROM {table}") for table in ("versions", "observations", "records")
    }
    replay(harness)
    for table, ids in kept.items():
        assert set(ids) <= set(harness.ask(f"SELECT id FROM {table}"))


@pytest.mark.parametrize(("bad", "pages"), [(FindsNothing, 2), (PriceOfZero, 2)])
def test_what_nobody_could_read_is_found_on_the_pages_that_are_there(bad: type[Shelf], pages: int) -> None:
    """Two runs, until it was switched off; each read pages of the index, or could not."""
    harness = mended(read_by(bad))
    assert harness.shown() == {}
    seen = replay(harness)
    assert seen.pages >= pages
    ((latest,),) = harness.ask("SELECT max(fetched_at) FROM pages WHERE outcome = 'ok'")
    true = harness.site.prices(moment(latest))
    assert harness.shown() == {name: true[name] for name in harness.shown()}
    assert len(harness.shown()) == seen.new >= 15
    assert harness.ask("SELECT id FROM dead_letters WHERE status <> 'resolved'") == []
    assert harness.ask("SELECT id FROM quarantine WHERE status = 'pending'") == []


def test_a_look_changes_nothing_and_tells_what_would() -> None:
    harness = mended(read_by(CrossedOut))
    before = harness.do(dump)
    seen = replay(harness, apply=False)
    assert harness.do(dump) == before
    assert {"price_minor", "price"} & set(seen.fields)
    assert all(diff.changed for diff in seen.fields.values())
    assert seen.samples[0].was != seen.samples[0].now
    done = replay(harness)
    assert (seen.applied, seen.versions, seen.facts, seen.overlaid) == (False, 0, 0, 0)
    assert (done.applied, done.versions > 0, done.overlaid > 0) == (True, True, True)
    assert (seen.differing, seen.fields, seen.new) == (done.differing, done.fields, done.new)


def test_a_second_replay_finds_nothing_to_do() -> None:
    harness = mended(read_by(CrossedOut))
    replay(harness)
    before = harness.do(lambda conn: dump(conn, leave_out={"facts": set(), "sightings": {"id"}}))
    again = replay(harness)
    assert (again.versions, again.facts, again.overlaid, again.differing, again.new) == (0, 0, 0, 0, 0)
    assert harness.do(lambda conn: dump(conn, leave_out={"facts": set(), "sightings": {"id"}})) == before


def test_what_an_adapter_read_rightly_stays_as_it_is() -> None:
    harness = read_by(Shelf)
    before = harness.do(lambda conn: dump(conn, leave_out={"facts": set(), "sightings": {"id"}}))
    assert replay(harness).differing == 0
    assert harness.do(lambda conn: dump(conn, leave_out={"facts": set(), "sightings": {"id"}})) == before


def test_a_replay_that_is_killed_anywhere_goes_on_where_it_was() -> None:
    whole = mended(read_by(CrossedOut, 1))
    replay(whole)
    harness, deaths = mended(read_by(CrossedOut, 1)), 0
    while deaths < 100:
        harness.mortal = MortalDatabase(
            inner=harness.database, dies_at=6 + deaths % 5, after_commit=deaths % 2 == 0
        )
        try:
            replay(harness)
        except Killed:
            deaths += 1
            continue
        break
    assert deaths > 2
    for sql in (PRICES, VERSIONS, CONTENTS):
        assert told(harness, sql) == told(whole, sql)


def test_one_bad_run_among_good_ones_is_put_right_and_the_others_stay() -> None:
    good = read_by(Shelf)
    harness = read_by(Shelf, 1)
    harness.adapter = CrossedOut()
    accept(harness)
    harness.run(START + 1.6 * HOUR)
    mended(harness).run(START + 3 * HOUR)
    assert told(harness, PRICES) != told(good, PRICES)
    bad = harness.ask("SELECT id FROM runs WHERE adapter_version <> (SELECT active FROM canaries)")
    seen = [replay(harness, run_id=run_id) for (run_id,) in bad]
    assert sum(each.overlaid for each in seen)
    assert changes_of(harness) == changes_of(good)
    assert told(harness, CONTENTS) == told(good, CONTENTS)


def accept(harness: Deployment) -> None:
    harness.do(lambda conn: conn.execute(text("DELETE FROM canaries")))


def changes_of(harness: Deployment) -> list[Any]:
    """Prices in order of time, one for each that differs from the one before."""
    seen: dict[str, list[tuple[int, int]]] = {}
    for name, amount, at, *_ in sorted(harness.ask(PRICES), key=lambda row: row[2]):
        history = seen.setdefault(name, [])
        if not history or history[-1][0] != amount:
            history.append((amount, at))
    return sorted(seen.items())


def test_pages_whose_body_is_gone_are_told_and_what_they_said_stays() -> None:
    harness = mended(read_by(CrossedOut, 1))
    before = told(harness, PRICES)
    harness.blobs.bodies.clear()
    seen = replay(harness)
    assert seen.without_body == seen.pages > 0
    assert told(harness, PRICES) == before


def test_pages_that_todays_adapter_cannot_read_keep_what_they_said() -> None:
    harness = read_by(Shelf, 1)
    before = told(harness, PRICES)
    harness.adapter = FindsNothing()
    accept(harness)
    seen = replay(harness)
    assert seen.unreadable == seen.pages > 0
    assert told(harness, PRICES) == before


def test_a_version_that_is_not_proven_may_look_but_not_write() -> None:
    harness = read_by(Shelf, 1)
    harness.adapter = CrossedOut()
    looked, applied = replay(harness, apply=False), replay(harness)
    assert (looked.runs_unproven, looked.differing > 0) == (0, True)
    assert (applied.runs_unproven, applied.pages) == (applied.runs, 0)


def test_a_void_run_is_left_out() -> None:
    harness = mended(read_by(CrossedOut, 1))
    harness.do(lambda conn: void(conn, 1, by="ann", now=harness.clock.now()))
    seen = replay(harness, run_id=1)
    assert (seen.runs_void, seen.pages) == (1, 0)


def test_what_a_replay_overlaid_does_not_come_back_with_its_run() -> None:
    harness = mended(read_by(CrossedOut, 1))
    replay(harness)
    before = told(harness, PRICES)
    later = harness.clock.now() + HOUR
    harness.do(lambda conn: void(conn, 1, by="ann", now=later))
    assert told(harness, PRICES) != before
    harness.do(lambda conn: unvoid(conn, 1, now=later))
    assert told(harness, PRICES) == before


def test_pages_are_known_for_what_they_were_when_their_jobs_are_gone() -> None:
    good, harness = read_by(Shelf, 1), mended(read_by(CrossedOut, 1))
    harness.do(lambda conn: conn.execute(text("DELETE FROM jobs")))
    replay(harness)
    assert told(harness, PRICES) == told(good, PRICES)


def test_only_what_was_fetched_since_then() -> None:
    harness = mended(read_by(CrossedOut))
    since = START + 2 * HOUR
    seen = replay(harness, apply=False, since=since)
    assert 0 < seen.pages < replay(harness, apply=False).pages
    assert harness.ask(f"SELECT count(*) FROM pages WHERE fetched_at >= {micros(since)}") == [(seen.pages,)]
