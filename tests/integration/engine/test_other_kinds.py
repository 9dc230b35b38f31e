"""The shop and the agenda live in virtual time too: their pages are drawn and really parsed."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from larder.core.model.run import RunKind
from larder.sim.agenda import AgendaTruth
from larder.sim.agenda_site import AgendaSite
from larder.sim.layouts import Layout, agenda_pages, shop_pages
from larder.sim.shop import ShopTruth
from larder.sim.shop_site import ShopSite
from larder.sim.site import SimSite
from larder.sim.virtual import SimWeb, VirtualLarder
from larder.store.queue import sources
from larder.store.tables import records
from tests.integration.engine.harness import START

DAY = timedelta(days=1)
KINDS = frozenset({RunKind.DISCOVERY, RunKind.COLLECT})
DECLARED = pytest.mark.parametrize("layout", [Layout.JSONLD, Layout.CARDS])


def lived_through(site: SimSite, **source: Any) -> VirtualLarder:
    larder = VirtualLarder(SimWeb.of([site]), start=START, seed=3, kinds=KINDS)
    limits = {"spacing_ms": 500, "at_once": 2}
    larder.database.now(sources.ensure_site, site.name, limits, now=larder.clock.now())
    larder.add_source(slug="one", url=f"http://{site.name}{site.INDEX_PATH}", currency="EUR", **source)
    larder.run(START + 2 * DAY)
    return larder


def known(larder: VirtualLarder) -> dict[str, int | None]:
    query = select(records.c.platform_id, records.c.price_minor)
    return larder.database.now(lambda conn: {row[0]: row[1] for row in conn.execute(query)})


@DECLARED
def test_a_shop_is_discovered(layout: Layout) -> None:
    truth = ShopTruth(seed=5, start=START, goods=40)
    site = ShopSite(name="goods.test", assortment=truth, layout=layout, per_page=20)
    larder = lived_through(
        site, kind="product", adapter="product", params={"selectors": shop_pages.SELECTORS}, plan="index"
    )
    then = larder.clock.now() - timedelta(hours=2)
    there, found = site.prices(then), known(larder)
    assert there.keys() <= found.keys()
    assert sum(found[name] == price for name, price in there.items()) > 0.9 * len(there)


@DECLARED
def test_an_agenda_is_collected(layout: Layout) -> None:
    site = AgendaSite(
        name="stad.test", agenda=AgendaTruth(seed=5, start=START, per_day=2), layout=layout, per_page=20
    )
    larder = lived_through(
        site,
        kind="event",
        adapter="event",
        params={"selectors": agenda_pages.SELECTORS},
        plan="agenda",
        tz="Europe/Amsterdam",
        language="nl",
        latitude=52.09,
        longitude=5.12,
    )
    assert site.prices(START + timedelta(hours=2)).keys() <= known(larder).keys()
