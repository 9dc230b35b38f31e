"""An adapter that drift switched off tries again every six hours, and stores nothing until it can read."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from larder.core.model.page import Fetched
from larder.engine.work_items import Work
from larder.sim.virtual import SimWeb
from larder.store.pages.blobs import content_hash
from larder.store.tables.columns import micros
from tests.integration.engine.deployment import Deployment
from tests.integration.engine.harness import HOUR, MINUTE, START

DAY = timedelta(days=1)
PROBES = "SELECT started_at FROM runs WHERE trigger = 'recheck' ORDER BY id"
OFF_SINCE = "SELECT since FROM adapter_states WHERE enabled = 0"
STORED = """
SELECT (SELECT count(*) FROM versions), (SELECT count(*) FROM sightings), (SELECT count(*) FROM quarantine)
"""


def redrawn(harness: Deployment, *, until: datetime) -> None:
    """From now until then the shop looks otherwise."""

    def answer(work: Work, at: datetime) -> Fetched | None:
        if at >= until:
            return None
        got = SimWeb.of([harness.site], html=True)(work, at)
        body = got.body.replace(b'class="good"', b'class="thing"').replace(b'class="sheet"', b'class="leaf"')
        return replace(got, body=body, content_hash=content_hash(body))

    harness.answers = answer


def switched_off(*, until: datetime = START + 99 * DAY, **values: Any) -> Deployment:
    """It read rightly for an hour; then the site changed, and drift switched it off."""
    harness = Deployment(tick_every=5 * MINUTE)
    harness.plant(**values)
    harness.run(START + HOUR)
    redrawn(harness, until=until)
    while not harness.ask(OFF_SINCE):
        harness.run(harness.clock.now() + 10 * MINUTE)
    return harness


def test_a_person_is_needed_where_the_source_does_not_say_otherwise() -> None:
    harness = switched_off(until=START + 4 * HOUR)
    harness.run(START + 14 * HOUR)
    assert harness.ask(PROBES) == []
    assert harness.ask(OFF_SINCE)


def test_it_tries_every_six_hours_and_stores_nothing() -> None:
    harness = switched_off(reenables_itself=1)
    ((since,),) = harness.ask(OFF_SINCE)
    before, letters = harness.ask(STORED), harness.ask("SELECT count(*) FROM dead_letters")
    harness.run(START + DAY)
    probes = [at for (at,) in harness.ask(PROBES)]
    apart = [later - earlier for earlier, later in zip([since, *probes], probes, strict=False)]
    assert len(probes) == 3
    assert all(timedelta(hours=6) <= timedelta(microseconds=gap) <= timedelta(hours=6.1) for gap in apart)
    assert harness.ask(OFF_SINCE) == [(since,)]
    assert (harness.ask(STORED), harness.ask("SELECT count(*) FROM dead_letters")) == (before, letters)


def test_a_probe_reads_the_index_and_twenty_pages_of_records() -> None:
    harness = switched_off(reenables_itself=1)
    sent = len(harness.log)
    harness.run(harness.clock.now() + 7 * HOUR)
    paths = [url.partition("goods.test")[2] for _, url in harness.log[sent:]]
    assert len(paths) == 21
    assert [path for path in paths if not path.startswith("/product/")] == ["/products"]
    assert len(set(paths)) == 21


def test_when_it_can_read_again_it_is_on_and_its_first_run_is_flagged() -> None:
    harness = switched_off(until=START + 9 * HOUR, reenables_itself=1)
    harness.run(START + DAY)
    ((by, flagged),) = harness.ask('SELECT "by", first_run_flagged FROM adapter_states WHERE enabled = 1')
    assert (by, flagged) == ("probe", 0)
    first, second = harness.ask(PROBES)
    assert micros(START + 9 * HOUR) < second[0]
    after = harness.ask(
        f'SELECT flagged, "trigger" FROM runs WHERE started_at > {second[0]} ORDER BY id LIMIT 2'
    )
    assert after == [(1, "scheduled"), (0, "scheduled")]
    assert harness.ask("SELECT id FROM alerts WHERE name = 'adapter_disabled' AND resolved_at IS NULL") == []
    assert first[0] < micros(START + 9 * HOUR)


def test_only_the_version_that_failed_can_prove_itself() -> None:
    harness = switched_off(until=START + 3 * HOUR, reenables_itself=1)
    harness.do(lambda conn: conn.exec_driver_sql(
        "UPDATE adapter_states SET health = json_set(health, '$.version', 'another')"
    ))  # fmt: skip
    harness.run(START + DAY)
    assert harness.ask(OFF_SINCE)
    assert len(harness.ask(PROBES)) == 3


def test_a_run_by_hand_is_no_way_round_it() -> None:
    harness = switched_off(reenables_itself=1)
    shown = harness.shown()
    harness.run(harness.clock.now() + 5 * HOUR)
    harness.all_due()
    harness.run(harness.clock.now() + 2 * HOUR)
    assert {
        row[0]
        for row in harness.ask(f'SELECT "trigger" FROM runs WHERE started_at > {micros(START + 3 * HOUR)}')
    } == {"recheck"}
    assert set(harness.shown()) == set(shown)
