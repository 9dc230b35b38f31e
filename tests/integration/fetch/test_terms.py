"""Blocked and unreviewed sites: no way leads to them, and what was refused is counted."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from sqlalchemy import Connection, text

from larder.app import App, open_app
from larder.core.model.outcome import FetchOutcome
from larder.settings import Settings
from larder.stages.fetch.relay import RelayFetcher, RelayService
from larder.stages.fetch.request import FetchRequest
from larder.store.queue import sources
from tests.integration.fetch.bee import KEY, Bee, Behind, relay_server
from tests.integration.fetch.chromium import browser_stage
from tests.integration.fetch.hostile import SITE, Hostile, Names, Stage, fetch_stage, reply

OTHER = "other.test"
UNREVIEWED = f"the terms of {OTHER} are not reviewed yet"
BLOCKED = f"{OTHER} is blocked: no page of it is fetched"


def decided(stage: Stage, how: str, site: str = OTHER) -> str:
    """Block the site, or leave its terms unreviewed; what is said of it then."""
    (stage.sites.blocked if how == "blocked" else stage.sites.unreviewed).add(site)
    return (BLOCKED if how == "blocked" else UNREVIEWED).replace(OTHER, site)


@pytest.mark.parametrize("how", ["blocked", "unreviewed"])
async def test_l10_23_a_redirect_to_such_a_site_is_not_followed(
    how: str, server: Hostile, stage: Stage
) -> None:
    server.scripts["/a"] = reply(status="302 Found", Location=f"http://www.{OTHER}/b")
    said = decided(stage, how)
    got = await stage.fetch(server.url("/a"))
    assert (got.outcome, got.error) == (FetchOutcome.TERMS, said)
    assert [name for name in stage.names.asked if OTHER in name] == [], "not even its name is looked up"


async def test_l10_23_a_preview_sees_unreviewed_sites_and_no_blocked_one(server: Hostile) -> None:
    server.scripts["/a"] = reply(b"<p>hi")
    async with fetch_stage(preview=True) as stage:
        decided(stage, "unreviewed", SITE)
        assert (await stage.fetch(server.url("/a"))).outcome is FetchOutcome.OK
        decided(stage, "blocked", SITE)
        assert (await stage.fetch(server.url("/a"))).outcome is FetchOutcome.TERMS
    assert server.paths() == ["/robots.txt", "/a"]


async def test_l10_23_the_robots_txt_of_a_blocked_site_is_not_fetched(server: Hostile, stage: Stage) -> None:
    server.scripts["/robots.txt"] = reply(status="302 Found", Location=f"http://{OTHER}/robots.txt")
    decided(stage, "blocked")
    assert (await stage.fetch(server.url("/a"))).outcome is not FetchOutcome.OK
    assert server.paths() == ["/robots.txt"]
    assert [name for name in stage.names.asked if OTHER in name] == []


@pytest.fixture
async def bee() -> AsyncIterator[Bee]:
    async with relay_server() as running:
        yield running


@pytest.mark.parametrize("how", ["blocked", "unreviewed"])
async def test_l10_23_a_relay_is_not_asked_for_such_a_site(
    how: str, server: Hostile, stage: Stage, bee: Bee
) -> None:
    relay = RelayFetcher(stage.client, stage.gate, stage.clock, service=RelayService(url=bee.url, key=KEY))
    bee.pages[server.url("/a")] = Behind(b"x", resolved=f"http://{OTHER}/b")
    said = decided(stage, how)
    led = (await relay.relay(FetchRequest(url=server.url("/a"), local_site=SITE))).fetched
    assert (led.outcome, led.error, led.body) == (FetchOutcome.TERMS, said, b"")
    asked = len(bee.calls)
    assert (await relay.fetch(FetchRequest(url=f"http://{OTHER}/b"))).outcome is FetchOutcome.TERMS
    assert len(bee.calls) == asked


async def test_l10_23_a_browser_opens_no_connection_to_a_blocked_site(
    server: Hostile, chromium: Path
) -> None:
    """Neither a redirect nor a script nor a WebSocket reaches it; a script of an unreviewed site runs."""
    wanted = f"""<p>hi<script src="http://cdn.{SITE}:{server.port}/own.js"></script>
    <script src="http://www.{OTHER}/s.js"></script>
    <script>try {{ new WebSocket("ws://ws.{OTHER}/live") }} catch (e) {{}}</script>"""
    server.scripts |= {
        "/page": reply(wanted.encode(), Content_Type="text/html"),
        "/own.js": reply(b"document.title = 'ran'", Content_Type="text/javascript"),
        "/away": reply(status="302 Found", Location=f"http://www.{OTHER}/b"),
    }
    async with browser_stage(chromium) as browser:
        decided(browser.stage, "blocked")
        away = await browser.fetch(server.url("/away"))
        assert (away.outcome, away.error) == (FetchOutcome.TERMS, BLOCKED)
        assert (await browser.fetch(server.url("/page"))).outcome is FetchOutcome.OK
        assert "/own.js" in server.paths()
        assert [name for name in browser.stage.names.asked if OTHER in name] == []


# -- runs ----------------------------------------------------------------------------------------------------

ROW = """<article itemscope itemtype="https://schema.org/Product"><h2><a itemprop="url" href="{url}">
<span itemprop="name">{name}</span></a></h2><div itemprop="offers" itemscope
itemtype="https://schema.org/Offer"><span itemprop="price" content="12.50">12.50</span>
<meta itemprop="priceCurrency" content="EUR"><link itemprop="availability" href="https://schema.org/InStock">
</div></article>"""


def _declare(conn: Connection, app: App, url: str, other: dict[str, Any]) -> None:
    now = app.clock.now()
    reviewed = {"terms_reviewed_at": now, "local": 1, "spacing_ms": 0, "at_once": 4}
    sources.ensure_site(conn, SITE, reviewed, now=now)
    sources.ensure_site(conn, OTHER, other, now=now)
    row = {"slug": "shop", "kind": "product", "url": url, "adapter": "product", "max_pages": 1}
    sources.add(conn, {**row, "currency": "EUR"}, now=now)


@pytest.mark.parametrize("other", [{"blocked": 1}, {}], ids=["blocked", "unreviewed"])
async def test_l10_23_a_run_follows_no_link_to_such_a_site_and_says_so(
    other: dict[str, Any], server: Hostile, tmp_path: Path
) -> None:
    links = {"A red lamp": server.url("/lamp"), "A blue chair": f"http://www.{OTHER}/chair"}
    index = "".join(ROW.format(url=url, name=name) for name, url in links.items())
    server.scripts["/shop"] = reply(index.encode(), Content_Type="text/html")
    server.scripts["/lamp"] = reply(ROW.format(url="/lamp", name="A red lamp").encode())
    names = Names()
    settings = Settings(data=tmp_path, strict=True, stagger_seconds=0)
    async with open_app(settings, resolver=names, upgrade=True) as app:
        await app.run(_declare, app, server.url("/shop"), other)
        async with app.driver() as driver:
            await driver.run(idle_ends=True)
        found = await app.run(_outcomes)
    assert found["pages"] == [("ok", ""), ("ok", ""), ("terms", BLOCKED if other else UNREVIEWED)]
    assert found["not_read"].keys() == {"terms"}
    assert found["circuits"] == 0, "a refusal says nothing about the site"
    assert [name for name in names.asked if OTHER in name] == []


def _outcomes(conn: Connection) -> dict[str, Any]:
    pages = conn.execute(text("SELECT outcome, coalesce(error, '') FROM pages ORDER BY outcome"))
    (not_read,) = conn.execute(text("SELECT not_read FROM runs")).scalars()
    failures = conn.scalar(text("SELECT coalesce(sum(failures), 0) FROM circuits"))
    return {"pages": [tuple(row) for row in pages], "not_read": orjson.loads(not_read), "circuits": failures}
