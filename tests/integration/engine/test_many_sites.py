"""Many sites on one general adapter, in virtual time: each is asked as often as its limits allow."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Connection, text

from larder.core.model.outcome import QuarantineReason
from larder.core.policy.trust.drift import AdapterHealth, DisabledWhy
from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.virtual import SimWeb, VirtualLarder
from larder.store.operations import adapter_health
from larder.store.queue import sources
from tests.proofs.plans import listings_of, only_discovery
from tests.proofs.processes import START

LISTINGS = 6
"""Of each site: more than is asked for in the time that is measured."""


def many_sites(sites: int, spacing: timedelta) -> VirtualLarder:
    truth = ClassifiedsTruth(seed=1, start=START, stock=LISTINGS)
    names = [f"shop{number}.test" for number in range(sites)]
    shown = [ClassifiedsSite(name=name, classifieds=truth) for name in names]
    larder = VirtualLarder(SimWeb.of(shown), start=START)

    def declare(conn: Connection) -> None:
        limits = {"spacing_ms": spacing // timedelta(milliseconds=1), "at_once": 1}
        for name in names:
            sources.ensure_site(conn, name, limits, now=START)
            only_discovery(conn, listings_of(name), now=START)

    larder.driver.dispatcher = replace(larder.driver.dispatcher, stagger=timedelta(0))
    larder.database.now(declare)
    return larder


def requests_per_site(larder: VirtualLarder, sites: int, *, warm_up: timedelta, measured: timedelta) -> float:
    """Requests sent per site, after the first requests."""
    larder.run(START + warm_up)
    before = larder.fetch_tasks.requests
    larder.run(START + warm_up + measured)
    return (larder.fetch_tasks.requests - before) / sites


def test_l10_8_what_a_run_reads_after_drift_disabled_its_adapter_is_quarantined() -> None:
    larder = many_sites(1, timedelta(seconds=1))
    larder.run(START + timedelta(seconds=3))
    stored = larder.database.now(lambda conn: conn.scalar(text("SELECT count(*) FROM versions")))
    off = AdapterHealth().disabled(larder.clock.now(), by="drift", why=DisabledWhy.DRIFT_DETECTED)
    larder.database.now(adapter_health.write, "listing", 1, off)
    larder.run(START + timedelta(seconds=30))
    reasons = larder.database.now(
        lambda conn: conn.execute(text("SELECT reason, count(*) FROM quarantine GROUP BY reason")).all()
    )
    assert [tuple(row) for row in reasons] == [(QuarantineReason.DRIFT_DETECTED, LISTINGS - 3)]
    after = larder.database.now(lambda conn: conn.scalar(text("SELECT count(*) FROM versions")))
    assert after == stored
    ended = larder.database.now(lambda conn: conn.execute(text("SELECT status, error FROM runs")).one())
    assert ended.status == "partial"
    assert "drift detected" in ended.error


@pytest.mark.parametrize(
    ("sites", "spacing", "requests"),
    [
        pytest.param(150, timedelta(seconds=1), 3, id="150 sites, one request a second"),
        pytest.param(160, timedelta(seconds=5), 1, id="160 sites, one request in five seconds"),
    ],
)
def test_l10_9_sites_of_one_adapter_are_asked_as_often_as_each_allows(
    sites: int, spacing: timedelta, requests: int
) -> None:
    larder = many_sites(sites, spacing)
    sent = requests_per_site(larder, sites, warm_up=2 * spacing, measured=requests * spacing)
    running = larder.database.now(lambda conn: conn.scalar(text("SELECT count(*) FROM runs")))
    assert running == sites
    assert 0.95 <= sent / requests <= 1.01
