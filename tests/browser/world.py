"""A whole deployment for a real browser: made-up sites over HTTP, the engine, the faces, and Chromium.

Site time stands still until a test lets it pass, so what a page shows is known beforehand.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, BrowserContext, Page, Request, ViewportSize
from pydantic import SecretStr
from sqlalchemy import Connection, Select, insert, select

from larder.actions.access import keys
from larder.actions.sources import sources, targets
from larder.actions.sources.spec import SiteSpec, SourceSpec
from larder.actions.sources.targets import TargetSpec
from larder.app import App, open_app
from larder.asgi import application, serving
from larder.core.model.caller import Scope
from larder.settings import Settings
from larder.sim.agenda import AgendaTruth
from larder.sim.agenda_site import AgendaSite
from larder.sim.classifieds.site import ClassifiedsSite
from larder.sim.classifieds.truth import ClassifiedsTruth
from larder.sim.layouts import Layout
from larder.sim.server import SimServer
from larder.sim.shop import ShopTruth
from larder.sim.shop_site import ShopSite
from larder.store.tables import alerts, candidates, dead_letters, errors, quarantine, runs
from tests.browser.buttons import button

LOCAL = SiteSpec(spacing=0.01, at_once=8, local=True, terms_reviewed_by="the test")
WIDTHS: dict[str, ViewportSize] = {
    "desktop": {"width": 1440, "height": 900},
    "phone": {"width": 390, "height": 844},
}
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
SOURCES = ("homes", "goods", "evenings")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """How a page is looked at."""

    wide: str = "desktop"
    theme: Theme = "light"

    def __str__(self) -> str:
        return f"{self.wide}-{self.theme}"


IN_A_BROWSER = [pytest.mark.asyncio(loop_scope="session")]
"""For every module here: a worker's tests share a browser, and so its loop."""
BOTH_WAYS = [
    *IN_A_BROWSER,
    pytest.mark.usefixtures("witnessed"),
    pytest.mark.parametrize(
        "world", [Mode(), Mode(wide="phone", theme="dark")], ids=str, indirect=True, scope="module"
    ),
]
"""For modules that act: on a wide window by day, then afresh on a phone by night."""


@dataclass(kw_only=True)
class Wall:
    """The clock of the made-up web."""

    seconds: float = 0.0

    def __call__(self) -> float:
        return self.seconds


@dataclass(kw_only=True)
class World:
    """Everything, running."""

    app: App
    web: SimServer
    wall: Wall
    address: str
    browser: Browser
    key: str
    mode: Mode
    contexts: list[BrowserContext] = field(default_factory=list)
    pressed: set[str] = field(default_factory=set)
    """The buttons whose forms were sent, as `buttons.button` names them."""

    async def visitor(self, mode: Mode | None = None, *, scripts: bool = True) -> Page:
        """Somebody who is nobody in particular, and says yes when asked whether they are sure."""
        mode = mode or self.mode
        context = await self.browser.new_context(
            viewport=WIDTHS[mode.wide],
            color_scheme=mode.theme,
            java_script_enabled=scripts,
            base_url=self.address,
        )
        context.set_default_timeout(60_000)
        context.on("request", self._note)
        context.on("dialog", lambda dialog: dialog.accept())
        self.contexts.append(context)
        return await context.new_page()

    def _note(self, request: Request) -> None:
        if request.method == "POST" and request.is_navigation_request():
            self.pressed.add(button(urlsplit(request.url).path))

    async def operator(self, mode: Mode | None = None, *, scripts: bool = True) -> Page:
        """Somebody who came in by a one-time link."""
        page = await self.visitor(mode, scripts=scripts)
        ticket = await self.app.run(keys.create_ticket, who="ada", now=self.app.clock.now())
        await page.goto(f"/enter?ticket={ticket}")
        return page

    def open_pages(self) -> list[Page]:
        """Whatever is on a screen now."""
        return [page for context in self.contexts for page in context.pages]

    async def close_pages(self) -> None:
        """Everybody goes home."""
        for context in self.contexts:
            await context.close()
        self.contexts.clear()

    async def one(self, query: Select[Any]) -> Any:
        """The first value a query finds."""
        return await self.app.read(lambda conn: conn.scalar(query))

    async def until(self, holds: Callable[[Connection], Any]) -> Any:
        """Wait for the engine, within bounds."""
        return await until(self.app, holds)

    def pass_days(self, days: float) -> None:
        """On the made-up sites."""
        self.wall.seconds += days * 86_400


@asynccontextmanager
async def opened(folder: Path, browser: Browser, mode: Mode, start: datetime) -> AsyncIterator[World]:
    """What a folder holds, at work, with somebody to look at it."""
    wall = Wall()
    async with _at_work(folder, start, wall) as (app, web):
        key = (await app.run(keys.add, "root", Scope.ADMIN, who="test", now=app.clock.now())).key
        async with serving(application(app), host="127.0.0.1", port=0) as address:
            world = World(app=app, web=web, wall=wall, address=address, browser=browser, key=key, mode=mode)
            yield world
            await world.close_pages()


async def stock(folder: Path, start: datetime) -> None:
    """Three sources that have run once, and one thing of each kind that waits for a person."""
    async with _at_work(folder, start, Wall()) as (app, web):
        await app.run(_add_sources, app, web, now=app.clock.now())
        await app.run(_add_waiting, now=app.clock.now())
        await until(app, _read_once)


@asynccontextmanager
async def _at_work(folder: Path, start: datetime, wall: Wall) -> AsyncIterator[tuple[App, SimServer]]:
    settings = Settings.without_environment(
        data=folder,
        tick_seconds=0.2,
        stagger_seconds=0,
        requests_a_minute=0,
        secret_key=SecretStr(secrets.token_urlsafe(32)),
    )
    async with AsyncExitStack() as stack:
        web = await stack.enter_async_context(SimServer(_sites(start), start=start, wall=wall))
        app = await stack.enter_async_context(open_app(settings, resolver=web.resolver(), upgrade=True))
        await stack.enter_async_context(driving(app))
        yield app, web


@asynccontextmanager
async def driving(app: App) -> AsyncIterator[None]:
    async with app.driver() as driver:
        driving = asyncio.create_task(driver.run_forever())
        yield
        driver.stop()
        await driving


async def until(app: App, holds: Callable[[Connection], Any]) -> Any:
    """What a query finds, once the engine got there."""
    for _ in range(1_800):
        if found := await app.read(holds):
            return found
        await asyncio.sleep(0.1)
    raise AssertionError("the engine did not get there")


def _sites(start: datetime) -> list[Any]:
    flats = ClassifiedsTruth(seed=3, start=start, stock=30, price_changes_per_day=0.5)
    goods = ShopTruth(seed=4, start=start, goods=20, coverage=1.0)
    evenings = AgendaTruth(seed=5, start=start)
    return [
        ClassifiedsSite(name="homes.test", classifieds=flats, layout=Layout.JSONLD, per_page=10),
        ShopSite(name="goods.test", assortment=goods, layout=Layout.JSONLD, per_page=30),
        ShopSite(name="shop.test", assortment=goods, layout=Layout.JSONLD, per_page=30),
        AgendaSite(name="evenings.test", agenda=evenings, layout=Layout.JSONLD),
    ]


def _add_sources(conn: Connection, app: App, web: SimServer, *, now: datetime) -> None:
    paths = {"homes": ("listing", "listings", "index"), "evenings": ("event", "agenda", "agenda")}
    for slug in SOURCES:
        kind, path, plan = paths.get(slug, ("product", "products", "monitor"))
        spec = SourceSpec.model_validate(
            {
                "slug": slug,
                "url": f"http://{slug}.test/{path}",
                "kind": kind,
                "plan": plan,
                "visibility": "public",
                "currency": "EUR",
                "tz": "Europe/Amsterdam",
                "language": "nl",
                "latitude": 52.09,
                "longitude": 5.12,
                "params": {"images": 2} if slug == "goods" else {},
            }
        )
        sources.add(conn, spec, app.dispatcher, site=LOCAL, who="test", now=now)
    for url in addresses(web, "goods.test")[:6]:
        targets.add(conn, "goods", TargetSpec(url=url), who="test", now=now)


def addresses(web: SimServer, name: str) -> list[str]:
    """Of all that a made-up shop sells."""
    site = web.sites[name]
    assert isinstance(site, ShopSite)
    return site.urls(web.start)


def _add_waiting(conn: Connection, *, now: datetime) -> None:
    """What waits for a person: an alert, an item, a letter, a candidate, an error."""
    common = {"source_id": 1}
    conn.execute(
        insert(alerts).values(
            name="failure_rate", severity="P2", subject="homes", message="more than half failed", times=3,
            first_at=now, last_at=now,
        )
    )  # fmt: skip
    item = {
        "title": "A kettle for nothing",
        "price": "0.00",
        "currency": "EUR",
        "availability": "in stock",
        "url": "http://goods.test/product/kettle",
    }
    for _ in range(3):
        conn.execute(
            insert(quarantine).values(
                source_id=2, reason="zero_price", item=item, observed_at=now, created_at=now
            )
        )
    for type_ in ("ReadTimeout", "ReadTimeout", "Odd"):
        conn.execute(
            insert(dead_letters).values(
                **common, stage="fetch", category="network", type=type_, message="no answer", created_at=now,
                payload={"url": "http://homes.test/listing/1"},
            )
        )  # fmt: skip
    for number in range(2):
        conn.execute(
            insert(candidates).values(
                url=f"http://evenings.test/agenda?town={number}", title="Agenda of a town", place="Delft",
                confidence=0.9, judged_by="rules", found_at=now,
            )
        )  # fmt: skip
    conn.execute(
        insert(errors).values(
            at=now, source_id=1, stage="parse", category="parse", type="Oops", message="a page that broke"
        )
    )


def _read_once(conn: Connection) -> bool:
    ended = select(runs.c.source_id).where(runs.c.status.in_(("completed", "partial"))).distinct()
    return len(conn.scalars(ended).all()) >= len(SOURCES)
