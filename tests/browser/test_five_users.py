"""The five users of Larder by clicks alone: from an empty folder to the figures that they came for."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from larder.core.model.source import Kind, Plan
from tests.acceptance.five_users import (
    AGENDA,
    CLASSIFIEDS,
    CRAWLER,
    MARKETS,
    OTHER_PLANS,
    PRICES,
    Site,
    User,
    sites,
    titles,
)
from tests.browser.buttons import presses
from tests.browser.five_desks import (
    Desk,
    add_source,
    allow,
    desk,
    import_targets,
    known,
    prices_shown,
    titles_shown,
    truth,
    until_gone,
)
from tests.browser.world import IN_A_BROWSER

pytestmark = IN_A_BROWSER
A_RUN = 120_000
"""Milliseconds that a whole run may take on a busy machine."""


async def collect(at: Desk, site: Site) -> None:
    """The first run, watched on the page of the source until all that the site shows is stored."""
    await at.go(f"/admin/sources/{site.name}")
    figure = at.page.locator(".figure", has_text="active record")
    await expect(figure).to_contain_text(str(len(site.shape.things)), timeout=A_RUN)
    await at.until(known(truth(site)))
    assert await prices_shown(at, site.name) == truth(site)


async def run_now(at: Desk, site: Site) -> None:
    """Another run, by its button, until it has read what changed."""
    await at.go(f"/admin/sources/{site.name}")
    await at.press("Run now")
    await at.said("was started")
    await at.until(known(truth(site)))


async def test_l10_five_users_in_a_browser_classifieds(tmp_path: Path, browser: Browser) -> None:
    """What is new, what is cheaper, what is gone; and a watch on what comes next."""
    with sites(CLASSIFIEDS) as (site,):
        async with desk(tmp_path, browser) as at:
            await add_source(at, site.index, site.name, site.shape.kind, Plan.INDEX)
            await allow(at, site.name)
            await collect(at, site)
            news = site.change()
            await run_now(at, site)
            await at.go(f"/?source={site.name}")
            for title in titles(news.new):
                await expect(at.page.locator(".card", has_text=title)).to_be_visible()
            await until_gone(at, titles(news.gone))
            assert await titles_shown(at, "/admin/records?state=gone") == titles(news.gone)
            assert await prices_shown(at, site.name) == truth(site)
            await at.go("/admin/watches")
            await at.page.get_by_label("Name").first.fill("Anything new")
            await at.page.get_by_label("Source").first.fill(site.name)
            await at.press("Add watch")
            await expect(at.page.locator("tbody tr", has_text="Anything new")).to_contain_text("active")


@presses("/admin/sources/new/import")
async def test_l10_five_users_in_a_browser_markets(tmp_path: Path, browser: Browser) -> None:
    """Cities from one catalogue, each with its tier; their homes in one file."""
    with sites(MARKETS) as served:
        entries = "\n".join(
            f"  - {{slug: {site.name}, kind: listing, url: '{site.index}', plan: market, tier: {tier}}}"
            for site, tier in zip(served, ("hot", "cool"), strict=True)
        )
        async with desk(tmp_path, browser) as at:
            await at.go("/admin/sources/new")
            await at.upload("Several sources at once", "cities.yaml", f"sources:\n{entries}\n".encode())
            await at.send("Several sources at once", "Import")
            await at.said("2 added")
            await allow(at, served[0].name)
            for site in served:
                await collect(at, site)
            news = [site.change() for site in served]
            for site in served:
                await run_now(at, site)
            gone = {title for each in news for title in titles(each.gone)}
            await until_gone(at, gone)
            assert await titles_shown(at, "/admin/records?state=gone") == gone
            rows = await at.download("/admin/records?kind=listing", "CSV")
            assert {row["url"] for row in rows} == {url for site in served for url in truth(site)}


async def test_l10_five_users_in_a_browser_agenda(tmp_path: Path, browser: Browser) -> None:
    """All events with their hours, in the venue's time zone; what was taken off the agenda leaves it."""
    with sites(AGENDA) as (site,):
        async with desk(tmp_path, browser) as at:
            zone = {"time_zone": "Europe/Amsterdam", "place_of_records": "Utrecht, NL"}
            await add_source(at, site.index, site.name, site.shape.kind, Plan.AGENDA, **zone)
            await allow(at, site.name)
            await collect(at, site)
            news = site.change()
            await run_now(at, site)
            await until_gone(at, titles(news.gone))
            rows = await at.download("/admin/records?kind=event", "CSV")
            starts = {thing.title: f"{thing.starts:%Y-%m-%dT%H:%M}" for thing in site.shape.things}
            assert {row["title"]: row["starts_at"][:16] for row in rows} == starts
            assert {row["time_zone"] for row in rows} == {"Europe/Amsterdam"}
            await at.go("/events")
            for title in titles(news.new):
                await expect(at.page.get_by_role("link", name=title).first).to_be_visible()


async def test_l10_five_users_in_a_browser_crawler(tmp_path: Path, browser: Browser) -> None:
    """A whole shop from its index; the price history of what became cheaper."""
    with sites(CRAWLER) as (site,):
        async with desk(tmp_path, browser) as at:
            await add_source(at, site.index, site.name, site.shape.kind, Plan.INDEX)
            await allow(at, site.name)
            await collect(at, site)
            news = site.change()
            await run_now(at, site)
            await at.go(f"/?q={news.cheaper.title}")
            await at.page.locator(".card", has_text=news.cheaper.title).get_by_role("link").first.click()
            await expect(at.page.locator("summary", has_text="2 prices")).to_be_visible()
            await until_gone(at, titles(news.gone))
            assert await prices_shown(at, site.name) == truth(site)
            rows = await at.download(f"/admin/records?source={site.name}", "all their prices (CSV)")
            cheaper = [row["price"] for row in rows if row["title"] == news.cheaper.title]
            assert (len(rows), len(cheaper)) == (len(site.shape.things) + 1, 2)


async def test_l10_five_users_in_a_browser_price_monitor(tmp_path: Path, browser: Browser) -> None:
    """Named pages of two shops from a spreadsheet: their prices, and the pages that are gone."""
    with sites(PRICES) as served:
        watched = {url: price for site in served for url, price in truth(site, site.shape.things[:6]).items()}
        async with desk(tmp_path, browser) as at:
            await add_source(at, next(iter(watched)), "shops", Kind.PRODUCT, Plan.MONITOR)
            await import_targets(at, "shops", list(watched))
            await allow(at, "shops")
            await at.until(known(watched))
            assert await prices_shown(at, "shops") == watched
            news = [site.change() for site in served]
            cheaper = {
                url: price
                for site, each in zip(served, news, strict=True)
                for url, price in truth(site, [each.cheaper]).items()
            }
            await at.go("/admin/targets")
            await at.press("Check all now")
            await at.said("12 targets of 1 source due now")
            await at.until(known(watched | cheaper))
            assert await prices_shown(at, "shops") == watched | cheaper
            gone = {title for each in news for title in titles(each.gone)}
            assert await titles_shown(at, "/admin/targets", "not found") == gone


@pytest.mark.parametrize("user", OTHER_PLANS, ids=str)
async def test_l10_five_users_in_a_browser_under_every_plan_of_a_kind(
    user: User, tmp_path: Path, browser: Browser
) -> None:
    """The same figures, whichever plan reads them; a monitor reads the pages that are named."""
    with sites(user) as (site,):
        named = site.shape.things[:5] if user.plan is Plan.MONITOR else site.shape.things
        async with desk(tmp_path, browser) as at:
            first = site.address(named[0]) if user.plan is Plan.MONITOR else site.index
            await add_source(at, first, site.name, user.kind, user.plan)
            if user.plan is Plan.MONITOR:
                await import_targets(at, site.name, [site.address(thing) for thing in named])
            await allow(at, site.name)
            await at.until(known(truth(site, named)))
            assert await prices_shown(at, site.name) == truth(site, named)
            shown = await titles_shown(at, f"/admin/records?source={site.name}&state=active")
            assert shown == titles(list(named))
