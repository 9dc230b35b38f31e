"""The desk of one of the five users: a Larder in an empty folder, at work, and a browser window on it."""

import csv
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, expect
from sqlalchemy import Connection, func, select

from larder.actions.access import keys
from larder.app import App, open_app
from larder.asgi import application, serving
from larder.core.model.source import Kind, Plan
from larder.settings import Settings
from larder.store.tables import records, runs, sources
from tests.acceptance.five_users import Site, minor, pass_hours
from tests.browser.world import WIDTHS, driving, until
from tests.platform_sites import Thing

HOST = "127.0.0.1"
Prices = dict[str, int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What a user does here is done in the browser; only waiting looks into the database."""

    app: App
    page: Page
    database: Path

    async def sign_in(self) -> None:
        """By a one-time link, as `larder up` prints it."""
        ticket = await self.app.run(keys.create_ticket, who="ada", now=self.app.clock.now())
        await self.go(f"/enter?ticket={ticket}")

    async def go(self, path: str) -> None:
        await self.page.goto(path, wait_until="domcontentloaded")

    async def press(self, name: str) -> None:
        """The first such button, and the page that it leads to."""
        async with self.page.expect_navigation(wait_until="domcontentloaded"):
            await self.page.get_by_role("button", name=name).first.click()

    async def said(self, text: str) -> None:
        await expect(self.page.get_by_role("status")).to_contain_text(text)

    async def upload(self, form: str, name: str, content: bytes) -> None:
        """Choose a file in the form with this heading."""
        file = {"name": name, "mimeType": "text/plain", "buffer": content}
        await self.form(form).locator("input[type=file]").set_input_files(file)

    def form(self, heading: str) -> Any:
        return self.page.locator("form", has=self.page.get_by_role("heading", name=heading))

    async def send(self, form: str, button: str) -> None:
        async with self.page.expect_navigation(wait_until="domcontentloaded"):
            await self.form(form).get_by_role("button", name=button).click()

    async def until(self, holds: Callable[[Connection], Any]) -> Any:
        return await until(self.app, holds)

    async def download(self, path: str, link: str) -> list[dict[str, str]]:
        """The lines of the file that a link of a page leads to."""
        await self.go(path)
        async with self.page.expect_download() as sent:
            await self.page.get_by_role("link", name=link, exact=True).click()
        text = (await (await sent.value).path()).read_text(encoding="utf-8")
        return list(csv.DictReader(text.splitlines()))


@asynccontextmanager
async def desk(folder: Path, browser: Browser) -> AsyncIterator[Desk]:
    settings = Settings.without_environment(
        data=folder, tick_seconds=0.2, stagger_seconds=0, requests_a_minute=0, channels=()
    )
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(open_app(settings, upgrade=True))
        await stack.enter_async_context(driving(app))
        address = await stack.enter_async_context(serving(application(app), host=HOST, port=0))
        context = await browser.new_context(base_url=address, viewport=WIDTHS["desktop"])
        stack.push_async_callback(context.close)
        context.set_default_timeout(60_000)
        found = Desk(app=app, page=await context.new_page(), database=folder / "larder.db")
        await found.sign_in()
        yield found


async def add_source(at: Desk, address: str, slug: str, kind: Kind, plan: Plan, **more: str) -> None:
    """Paste an address, look at what is found as this kind, and save it; nobody has read the terms yet."""
    await at.go("/admin/sources/new")
    await at.page.get_by_label("Address of a page").fill(address)
    await at.page.get_by_label("Allow a private network address").check()
    await at.press("Fetch")
    chip = at.page.get_by_role("button", name=f"as {kind}")
    if await chip.get_attribute("aria-current") is None:
        await at.press(f"as {kind}")
    await at.page.get_by_label("Short name").fill(slug)
    await at.page.get_by_label("Plan").select_option(plan)
    for label, value in more.items():
        await at.page.get_by_label(label.replace("_", " ").capitalize()).fill(value)
    await at.page.get_by_label("Show the records publicly").check()
    await at.press("Save and run")
    await at.said(f"{slug} is added, but does not run yet: the terms of {HOST} are not reviewed yet")


async def allow(at: Desk, slug: str) -> None:
    """The operator says how fast, and that the terms allow it; the sources of the site then run."""
    await at.go(f"/admin/sites/{HOST}")
    await at.page.get_by_label("Seconds between requests").fill("0.001")
    await at.page.get_by_label("Private network address").select_option("allowed")
    await at.press("Save")
    await at.go(f"/admin/sources/{slug}")
    await at.press("I reviewed the terms: they allow it")


async def import_targets(at: Desk, slug: str, addresses: Sequence[str]) -> None:
    """A spreadsheet as a western Excel saves it."""
    lines = [f"{url};1d;Größe {number}\r\n" for number, url in enumerate(addresses)]
    sheet = "url;interval;Artikel\r\n" + "".join(lines)
    await at.go("/admin/targets")
    await at.upload("Import targets", "pages.csv", sheet.encode("cp1252"))
    await at.form("Import targets").get_by_label("Source", exact=True).fill(slug)
    await at.send("Import targets", "Import")
    await at.said("0 invalid lines")


def truth(site: Site, things: Sequence[Thing] | None = None) -> Prices:
    return {site.address(thing): minor(thing) for thing in things or site.shape.things}


def known(expected: Prices) -> Callable[[Connection], bool]:
    """Whether all of these are stored with their prices, and no run is open."""

    def holds(conn: Connection) -> bool:
        found = conn.execute(select(records.c.url, records.c.price_minor))
        return expected.items() <= {row.url: row.price_minor for row in found}.items() and idle(conn)

    return holds


def idle(conn: Connection) -> bool:
    return not conn.scalar(select(func.count()).where(runs.c.status == "running"))


async def prices_shown(at: Desk, slug: str) -> Prices:
    """The prices of a source's active records, as downloaded."""
    rows = await at.download(f"/admin/records?source={slug}", "CSV")
    return {row["url"]: int(Decimal(row["price"]) * 100) if row["price"] else None for row in rows}


async def titles_shown(at: Desk, path: str, saying: str = "") -> set[str]:
    """The titles of a list of records, of the lines that say this."""
    await at.go(path)
    lines = at.page.locator("tbody tr", has_text=saying)
    return set(await lines.locator("td:first-child b").all_inner_texts())


async def until_gone(at: Desk, expected: set[str]) -> None:
    """A day goes by, then a few hours at a time: two strikes lie three hours apart."""
    found: set[str] = set()
    for hours in (30, *[7] * 7):
        latest = await at.app.read(lambda conn: conn.scalar(select(func.max(runs.c.id))))
        pass_hours(at.database, hours)
        await at.until(_verified_after(latest or 0))
        found = await at.app.read(_gone)
        if found == expected:
            return await at.sign_in()  # the session has expired by now
    raise AssertionError(f"{found} instead of {expected} are known to be gone")


def _gone(conn: Connection) -> set[str]:
    return set(conn.scalars(select(records.c.title).where(records.c.verification == "gone")))


def _verified_after(number: int) -> Callable[[Connection], bool]:
    """Whether every source was verified after this run, and no run is open."""
    later = (runs.c.kind == "verification") & (runs.c.id > number)
    verified = select(func.count(runs.c.source_id.distinct())).where(later)
    every = select(func.count()).select_from(sources)

    def holds(conn: Connection) -> bool:
        return conn.scalar(verified) == conn.scalar(every) and idle(conn)

    return holds
