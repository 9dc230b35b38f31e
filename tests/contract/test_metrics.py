"""`/metrics` on both databases: what it says is what happened, for whom, and with bounded labels."""

from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import Connection, insert, update

from larder.actions.access import keys
from larder.app.metrics import FAMILIES
from larder.app.metrics.collector import Metrics
from larder.core.model.caller import Scope
from larder.core.model.outcome import FetchOutcome
from larder.core.model.page import Fetched
from larder.store.pages import pages
from larder.store.pages.page_rows import NewPage, PageReading
from larder.store.tables import circuits, jobs, runs, schedules
from tests.contract.faces import HIDDEN, Faces, caller_of, opened, stocked
from tests.contract.world import HOUR, MINUTE, NOW, SECOND, enqueue, run, source

Sample = dict[tuple[str, frozenset[tuple[str, str]]], float]


def read(text: bytes) -> Sample:
    """Samples by name and labels, as Prometheus reads them."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text.decode())
        for sample in family.samples
    }


def value(samples: Sample, name: str, /, **labels: str) -> float:
    """The one sample that has these labels, whatever others it has."""
    (found,) = [v for (n, given), v in samples.items() if n == name and labels.items() <= dict(given).items()]
    return found


async def figures(faces: Faces, metrics: Metrics) -> Sample:
    metrics._cache._until = 0.0
    return read(await metrics.text())


async def test_only_keys_that_may_are_told(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as faces:
        await faces.app.run(stocked)
        issued = await faces.app.run(keys.add, "prometheus", Scope.METRICS, who="test", now=NOW)
        async with caller_of(faces.app)(issued.key) as prometheus:
            answers = {
                who: await client.get("/metrics")
                for who, client in [
                    ("anyone", faces.anyone), ("reader", faces.reader), ("admin", faces.admin),
                    ("prometheus", prometheus),
                ]
            }  # fmt: skip
            admin = await prometheus.get("/api/admin/sources")
    assert {who: answer.status_code for who, answer in answers.items()} == {
        "anyone": 401, "reader": 403, "admin": 200, "prometheus": 200,
    }  # fmt: skip
    assert "larder key add NAME --scope metrics" in answers["anyone"].json()["hint"]
    assert HIDDEN not in answers["anyone"].text + answers["reader"].text
    assert answers["prometheus"].headers["content-type"].startswith("text/plain")
    assert admin.status_code == 403


async def test_without_a_key_where_the_settings_say_so(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path, metrics_public=True) as faces:
        assert (await faces.anyone.get("/metrics")).status_code == 200


async def test_it_says_how_everything_stands(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as faces:
        await faces.app.run(stocked)
        await faces.app.run(_gated)
        told = read((await faces.admin.get("/metrics")).content)
    assert value(told, "larder_records", source="homes", badge="green") == 5
    assert value(told, "larder_records", source=HIDDEN, badge="faded") == 0
    assert value(told, "larder_dataset_fresh_ratio") == 1
    assert value(told, "larder_dead_letters_pending") == 2
    assert value(told, "larder_quarantine_pending") == 2
    assert value(told, "larder_targets", status="active") == 2
    assert value(told, "larder_runs_open", status="running") == 2
    assert value(told, "larder_alerts_open", name="circuit_tripped", severity="P2") == 1
    assert value(told, "larder_jobs_pending", site="homes.test") == 3
    assert value(told, "larder_circuits_open", source="homes") == 1
    assert value(told, "larder_schedules_rejected", reason="queue_full") == 1
    assert value(told, "larder_source_enabled", source="homes", site="homes.test", adapter="listing") == 1


def _gated(conn: Connection) -> None:
    enqueue(conn, 1, [f"https://homes.test/{n}" for n in range(3)])
    conn.execute(insert(circuits).values(source_id=1, way="pages", state="open", failures=5, trips=1))
    shut: list[dict[str, object]] = [{"gate": "queue_full", "says": "full", "todo": {}, "until": None}]
    conn.execute(insert(schedules).values(source_id=1, kind="sweep", next_at=NOW, gates=shut))


async def test_every_family_is_there_even_without_samples(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as faces:
        text = (await faces.admin.get("/metrics")).text
    assert {line.split()[2] for line in text.splitlines() if line.startswith("# HELP")} == set(FAMILIES)


async def test_counters_add_up_what_happened_since_the_process_started(
    database_url: str, tmp_path: Path
) -> None:
    async with opened(database_url, tmp_path) as faces:
        await faces.app.run(_worked)
        faces.clock.advance(NOW + HOUR)
        metrics = Metrics(faces.app, timer=lambda: 0.0)
        first = await figures(faces, metrics)
        await faces.app.run(_worked_more)
        faces.clock.advance(NOW + HOUR + 3 * MINUTE)
        then = await figures(faces, metrics)
        again = await figures(faces, metrics)
    assert not [name for name, _ in first if name == "larder_urls_attempted_total"]
    assert value(then, "larder_urls_attempted_total", source="homes") == 5
    assert value(then, "larder_urls_failed_total", source="homes") == 1
    assert value(then, "larder_items_valid_total", source="homes") == 9
    assert value(then, "larder_items_left_out_total", source="homes", reason="oos_no_price") == 2
    assert value(then, "larder_runs_ended_total", kind="discovery", status="completed") == 1
    assert value(then, "larder_fetches_total", source="homes", outcome="ok") == 1
    assert value(then, "larder_fetches_total", source="homes", outcome="timeout") == 1
    assert value(then, "larder_fetch_seconds_count", fetcher="http") == 2
    assert value(then, "larder_fetch_seconds_bucket", fetcher="http", le="0.25") == 1
    assert value(then, "larder_fetch_seconds_sum", fetcher="http") == pytest.approx(30.2)
    assert value(then, "larder_extract_seconds_bucket", adapter="listing", le="0.05") == 1
    assert value(then, "larder_rate_limit_wait_seconds_bucket", purpose="detail", le="5.0") == 1
    assert value(then, "larder_rate_limit_wait_seconds_sum", purpose="detail") == pytest.approx(3)
    assert value(again, "larder_fetches_total", source="homes", outcome="ok") == 1
    assert value(again, "larder_urls_attempted_total", source="homes") == 5


def _worked(conn: Connection) -> None:
    """A run that had counted before the process started."""
    source(conn)
    run(conn, 1)
    conn.execute(update(runs).values(attempted=10, failed=3, inserted=10))
    _fetch(conn, FetchOutcome.OK, at_minute=-10, seconds=1)


def _worked_more(conn: Connection) -> None:
    left = {"oos_no_price": {"items": 2, "details": "", "page": ""}}
    conn.execute(
        update(runs).values(
            attempted=15, failed=4, inserted=16, unchanged=3, left_out=left, status="completed",
            finished_at=NOW + HOUR + MINUTE,
        )
    )  # fmt: skip
    page_id = _fetch(conn, FetchOutcome.OK, at_minute=1, seconds=0.2)
    pages.set_yields(conn, [PageReading(page_id=page_id, adapter_version="1", items=3, parse_ms=40)])
    _fetch(conn, FetchOutcome.TIMEOUT, at_minute=1, seconds=30)
    enqueue(conn, 1, ["https://homes.test/7"])
    waited = NOW + 3 * SECOND
    conn.execute(update(jobs).values(slot_opens_at=waited, status="done", finished_at=NOW + HOUR + MINUTE))


def _fetch(conn: Connection, outcome: FetchOutcome, *, at_minute: float, seconds: float) -> int:
    url = "https://homes.test/1"
    at = NOW + HOUR + MINUTE * at_minute
    got = Fetched(outcome=outcome, url=url, final_url=url, fetched_at=at, duration=SECOND * seconds)
    return pages.store(conn, [NewPage(1, 1, got)])[1]


async def test_sources_beyond_the_bound_share_one_label(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path, metrics_sources=2) as faces:
        await faces.app.run(_many_sources)
        metrics = Metrics(faces.app)
        first = await figures(faces, metrics)
        await faces.app.run(lambda conn: source(conn, "late", domain="late.test"))
        then = await figures(faces, metrics)
    named = {dict(labels)["source"] for name, labels in then if name == "larder_source_enabled"}
    assert named == {"home-0", "home-1", "other"}
    assert value(first, "larder_source_enabled", source="other") == 3
    assert value(then, "larder_source_enabled", source="other", site="other", adapter="other") == 4


def _many_sources(conn: Connection) -> None:
    for number in range(5):
        source(conn, f"home-{number}", domain=f"home-{number}.test")
