"""The whole Larder on a site whose pages are empty until their scripts have run."""

from pathlib import Path

from sqlalchemy import Connection, select

from larder.app import App, open_app
from larder.settings import Settings
from larder.store.queue import sources
from larder.store.tables import pages, records
from larder.store.tables import sources as source_rows
from tests.integration.fetch.hostile import SITE, Hostile, Names, reply

SHELL = b"<html><head><title>S</title></head><body><div id=root></div><script src=/app.js></script></body>"
APP = b"""
fetch('/api/things').then(answer => answer.json()).then(things => {
  document.getElementById('root').innerHTML = things.map(thing =>
    `<article itemscope itemtype="https://schema.org/Product"><h2><a itemprop="url" href="/thing/${thing.id}">
     <span itemprop="name">${thing.name}</span></a></h2><div itemprop="offers" itemscope
     itemtype="https://schema.org/Offer"><span itemprop="price" content="${thing.price}">${thing.price}</span>
     <meta itemprop="priceCurrency" content="EUR"><link itemprop="availability"
     href="https://schema.org/InStock"></div></article>`).join('')
})
"""
THINGS = b"""
[{"id": 1, "name": "A red lamp", "price": "12.50"}, {"id": 2, "name": "A blue chair", "price": "49.00"}]
"""


async def test_a_site_of_scripts_yields_its_items_and_a_suggestion(
    server: Hostile, chromium: Path, tmp_path: Path
) -> None:
    server.scripts["/shop"] = reply(SHELL, Content_Type="text/html")
    server.scripts["/app.js"] = reply(APP, Content_Type="text/javascript")
    server.scripts["/api/things"] = reply(THINGS, Content_Type="application/json")
    settings = Settings(data=tmp_path, strict=False, stagger_seconds=0, browser=chromium)
    async with open_app(settings, resolver=Names(), upgrade=True) as app:
        await app.run(_declare, app, server.url("/shop"))
        async with app.driver() as driver:
            await driver.run(idle_ends=True)
        titles, suggested, came = await app.run(_found)
    assert titles == ["A blue chair", "A red lamp"]
    assert suggested == "browser"
    assert set(came) == {"browser"}


def _declare(conn: Connection, app: App, url: str) -> None:
    now = app.clock.now()
    sources.ensure_site(conn, SITE, {"local": 1, "spacing_ms": 0, "at_once": 4}, now=now)
    row = {"slug": "shop", "kind": "product", "url": url, "adapter": "product", "max_pages": 1}
    sources.add(conn, {**row, "currency": "EUR"}, now=now)


def _found(conn: Connection) -> tuple[list[str], str | None, list[str]]:
    titles = sorted(row.title for row in conn.execute(select(records)))
    suggested = conn.scalar(select(source_rows.c.suggested_fetcher))
    came = [row.fetcher for row in conn.execute(select(pages).where(pages.c.outcome == "ok"))]
    return titles, suggested, came
