"""An adapter that drift switched off tries again every six hours, and stores nothing until it can read."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from larder.core.model.page import Fetched
from larder.engine.work_items import Work
from larder.sim.virtual import MadeUpWeb
from larder.store.pages.blobs import content_hash
from larder.store.tables.columns import micros
from tests.integration.engine.deployed import Deployment
from tests.integration.engine.laboratory import HOUR, MINUTE, START

DAY = timedelta(days=1)
PROBES = "SELECT started_at FROM runs WHERE trigger = 'recheck' ORDER BY id"
OFF_SINCE = "SELECT since FROM adapter_states WHERE enabled = 0"
STORED = """
SELECT (SELECT count(*) FROM versions), (SELECT count(*) FROM sightings), (SELECT count(*) FROM quarantine)
"""


def redrawn(lab: Deployment, *, until: datetime) -> None:
    """From now until then the shop looks otherwise."""

    def answer(work: Work, at: datetime) -> Fetched | None:
        if at >= until:
            return None
        got = MadeUpWeb.of([lab.site], html=True)(work, at)
        body = got.body.replace(b'class="good"', b'class="thing"').replace(b'class="sheet"', b'class="leaf"')
        return replace(got, body=body, content_hash=content_hash(body))

    lab.answers = answer


def switched_off(*, until: datetime = START + 99 * DAY, **values: Any) -> Deployment:
    """It read rightly for an hour; then the site changed, and drift switched it off."""
    lab = Deployment(tick_every=5 * MINUTE)
    lab.plant(**values)
    lab.run(START + HOUR)
    redrawn(lab, until=until)
    while not lab.ask(OFF_SINCE):
        lab.run(lab.clock.now() + 10 * MINUTE)
    return lab


def test_a_person_is_needed_where_the_source_does_not_say_otherwise() -> None:
    lab = switched_off(until=START + 4 * HOUR)
    lab.run(START + 14 * HOUR)
    assert lab.ask(PROBES) == []
    assert lab.ask(OFF_SINCE)


def test_it_tries_every_six_hours_and_stores_nothing() -> None:
    lab = switched_off(reenables_itself=1)
    ((since,),) = lab.ask(OFF_SINCE)
    before, letters = lab.ask(STORED), lab.ask("SELECT count(*) FROM dead_letters")
    lab.run(START + DAY)
    probes = [at for (at,) in lab.ask(PROBES)]
    apart = [later - earlier for earlier, later in zip([since, *probes], probes, strict=False)]
    assert len(probes) == 3
    assert all(timedelta(hours=6) <= timedelta(microseconds=gap) <= timedelta(hours=6.1) for gap in apart)
    assert lab.ask(OFF_SINCE) == [(since,)]
    assert (lab.ask(STORED), lab.ask("SELECT count(*) FROM dead_letters")) == (before, letters)


def test_a_probe_reads_the_index_and_twenty_pages_of_records() -> None:
    lab = switched_off(reenables_itself=1)
    sent = len(lab.log)
    lab.run(lab.clock.now() + 7 * HOUR)
    paths = [url.partition("goods.test")[2] for _, url in lab.log[sent:]]
    assert len(paths) == 21
    assert [path for path in paths if not path.startswith("/product/")] == ["/products"]
    assert len(set(paths)) == 21


def test_when_it_can_read_again_it_is_on_and_its_first_run_is_flagged() -> None:
    lab = switched_off(until=START + 9 * HOUR, reenables_itself=1)
    lab.run(START + DAY)
    ((by, flagged),) = lab.ask('SELECT "by", first_run_flagged FROM adapter_states WHERE enabled = 1')
    assert (by, flagged) == ("probe", 0)
    first, second = lab.ask(PROBES)
    assert micros(START + 9 * HOUR) < second[0]
    after = lab.ask(f'SELECT flagged, "trigger" FROM runs WHERE started_at > {second[0]} ORDER BY id LIMIT 2')
    assert after == [(1, "scheduled"), (0, "scheduled")]
    assert lab.ask("SELECT id FROM alerts WHERE name = 'adapter_disabled' AND resolved_at IS NULL") == []
    assert first[0] < micros(START + 9 * HOUR)


def test_only_the_version_that_failed_can_prove_itself() -> None:
    lab = switched_off(until=START + 3 * HOUR, reenables_itself=1)
    lab.do(lambda conn: conn.exec_driver_sql(
        "UPDATE adapter_states SET health = json_set(health, '$.version', 'another')"
    ))  # fmt: skip
    lab.run(START + DAY)
    assert lab.ask(OFF_SINCE)
    assert len(lab.ask(PROBES)) == 3


def test_a_run_by_hand_is_no_way_round_it() -> None:
    lab = switched_off(reenables_itself=1)
    shown = lab.shown()
    lab.run(lab.clock.now() + 5 * HOUR)
    lab.all_due()
    lab.run(lab.clock.now() + 2 * HOUR)
    assert {
        row[0] for row in lab.ask(f'SELECT "trigger" FROM runs WHERE started_at > {micros(START + 3 * HOUR)}')
    } == {"recheck"}
    assert set(lab.shown()) == set(shown)
