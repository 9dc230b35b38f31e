"""The simulator measures the product: a week through real HTML leaves the rows of a week without it."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text

from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.layouts import Layout, selectors
from larder.sim.virtual import SimWeb, VirtualLarder
from larder.store.queue import sources
from tests.integration.engine.harness import START

WEEK = timedelta(days=7)

LEFT = {
    "records": """SELECT identity_key, title, url, canonical_url, price_minor, currency, availability,
                         seller, content, content_hash, first_seen_at, last_seen_at, anchored_at, shown_until,
                         dead_at, discovered_at, last_scraped_at, times_seen, active, updated_at
                  FROM records ORDER BY id""",
    "observations": """SELECT record_id, field, amount, word, run_id, observed_at, confirmed_at, superseded_at
                       FROM observations ORDER BY id""",
    "versions": "SELECT record_id, run_id, purpose, content, observed_at FROM versions ORDER BY id",
    "changes": "SELECT at, record_id, change, details FROM changes ORDER BY id",
    "sightings": "SELECT run_id, number, seen_at, records FROM sightings ORDER BY id",
    "runs": "SELECT kind, status, started_at, finished_at, pages, attempted, failed, inserted FROM runs",
    "jobs": "SELECT url, purpose, status, attempts, finished_at FROM jobs ORDER BY id",
}


def lived_through(layout: Layout, *, html: bool, span: timedelta) -> VirtualLarder:
    truth = ClassifiedsTruth(
        seed=5, start=START, stock=24, arrivals_per_day=5, price_changes_per_day=0.2, bumps_per_day=0.1
    )
    site = ClassifiedsSite(name="homes.test", classifieds=truth, layout=layout, per_page=10)
    larder = VirtualLarder(SimWeb.of([site], html=html), start=START, seed=3)
    now = larder.clock.now()
    larder.database.now(sources.ensure_site, "homes.test", {"spacing_ms": 500, "at_once": 2}, now=now)
    larder.add_source(
        slug="homes",
        kind="listing",
        url="http://homes.test/listings",
        adapter="listing",
        currency="EUR",
        params={"selectors": selectors(layout)},
        policy={"discovery_every": 7200},
    )
    larder.run(START + span)
    return larder


def left(larder: VirtualLarder) -> dict[str, list[Any]]:
    def ask(conn: Any) -> dict[str, list[Any]]:
        return {name: [tuple(row) for row in conn.execute(text(sql))] for name, sql in LEFT.items()}

    return larder.database.now(ask)


@pytest.mark.parametrize(
    ("layout", "span"), [(Layout.JSONLD, WEEK), (Layout.CARDS, WEEK / 7), (Layout.TABLE, WEEK / 7)]
)
def test_a_week_through_html_and_a_week_without_it_leave_the_same_rows(
    layout: Layout, span: timedelta
) -> None:
    virtual = left(lived_through(layout, html=False, span=span))
    through_html = left(lived_through(layout, html=True, span=span))
    assert len(virtual["records"]) > 24
    assert len(virtual["observations"]) > len(virtual["records"])
    for name, rows in virtual.items():
        assert through_html[name] == rows, name
