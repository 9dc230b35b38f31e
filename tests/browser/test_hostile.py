"""Everything scraped is hostile: wherever it is shown it is text, and forms and files obey us alone."""

import csv
import io
import re
from collections.abc import AsyncIterator
from datetime import datetime
from itertools import chain
from typing import Any

import httpx2
import orjson
import pytest_asyncio
from playwright.async_api import Page
from sqlalchemy import Connection, Text, cast, func, literal, select, update

from larder.actions.access import keys
from larder.actions.dataset.export import FORMULA_STARTS
from larder.actions.sources import sources, targets
from larder.actions.sources.spec import SourceSpec
from larder.actions.sources.targets import TargetSpec
from larder.auth import COOKIE
from larder.sim.site import SimRequest, SimResponse
from larder.store.tables import (
    alerts,
    audit,
    candidates,
    dead_letters,
    errors,
    observations,
    quarantine,
    records,
    runs,
    sites,
    versions,
    watches,
)
from larder.store.tables import sources as sources_table
from larder.store.tables import targets as targets_table
from larder.store.tables.columns import JsonColumn
from tests.browser.test_pages import ADMIN, PUBLIC
from tests.browser.world import IN_A_BROWSER, LOCAL, World

pytestmark = IN_A_BROWSER

EVIL = (
    '"><script>window.pwned=1</script><img data-pwned src=x onerror="window.pwned=1">'
    "<svg data-pwned onload=window.pwned=1></svg>'-window.pwned=1-'"
)
FILLED = f"{EVIL}{{{{7*191}}}}"
LINK = "javascript:window.pwned=1"
FORMULAS = ("=cmd|'/c calc'!A1", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "＝1", "x;=1+1")


class Hostile:
    """A shop that means harm in everything it says."""

    name = "evil.test"

    def respond(self, request: SimRequest, at: datetime) -> SimResponse:  # noqa: ARG002
        if request.path == "/robots.txt":
            return SimResponse(status=404, body=b"")
        told = {
            "@context": "https://schema.org",
            "@type": "Product",
            "name": f"Kettle {EVIL}",
            "sku": FILLED,
            "brand": {"@type": "Brand", "name": FILLED},
            "description": f"{FILLED} {LINK}",
            "category": EVIL,
            "image": [LINK, f"http://evil.test/{EVIL}.png"],
            "offers": {
                "@type": "Offer",
                "price": "12.50",
                "priceCurrency": "EUR",
                "availability": "https://schema.org/InStock",
                "seller": {"@type": "Organization", "name": EVIL},
            },
        }
        script = orjson.dumps(told).decode().replace("</", "<\\/")
        body = (
            f"<html><head><title>{EVIL}</title><script type='application/ld+json'>{script}</script></head>"
            f"<body><h1 onclick='window.pwned=1'>Kettle {EVIL}</h1><a href='{LINK}'>buy</a></body></html>"
        )
        return SimResponse(status=200, body=body.encode(), headers={"Content-Type": "text/html"})


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def poisoned(world: World) -> AsyncIterator[World]:
    """The world with a hostile shop read by the whole pipeline, and harm written into every other text."""
    world.web.sites["evil.test"] = Hostile()  # type: ignore[assignment]
    spec = SourceSpec.model_validate(
        {
            "slug": "evil",
            "url": "http://evil.test/p",
            "kind": "product",
            "plan": "monitor",
            "visibility": "public",
        }
    )
    now = world.app.clock.now()
    await world.app.run(sources.add, spec, world.app.dispatcher, site=LOCAL, who="test", now=now)
    await world.app.run(targets.add, "evil", TargetSpec(url="http://evil.test/p/1"), who="test", now=now)
    await world.until(lambda conn: conn.scalar(_evil_record()))
    await world.app.run(_poison)
    yield world


def _evil_record() -> Any:
    mine = select(func.min(records.c.id)).join(sources_table, sources_table.c.id == records.c.source_id)
    return mine.where(sources_table.c.slug == "evil")


_KEPT = {
    "kind", "slug", "status", "outcome", "purpose", "content_hash", "row_hash", "identity_key", "adapter",
    "plan", "tier", "fetcher", "visibility", "tz", "language", "preset", "field", "currency", "availability",
    "domain", "stage", "severity", "trigger", "strategies", "canonical_url", "params", "gates", "memory",
    "state", "policy", "adapter_version", "certificate", "fetch_days", "verification", "exempt_hosts",
    "query", "category", "counters", "checkpoint", "drift", "suggested_fetcher",
    "fingerprint", "platform_id",
}  # fmt: skip


_BY_REASON = {"left_out", "not_read"}
"""Counts by reason, each with an example that comes from a page."""


def _poison(conn: Connection) -> None:
    """Every free text of what the pages show, but for words that the code itself chose."""
    for table in (
        records, versions, observations, alerts, audit, candidates, dead_letters, errors, quarantine, sites,
        sources_table, targets_table, runs, watches,
    ):  # fmt: skip
        values: dict[str, Any] = {}
        for column in table.columns:
            if column.name in _KEPT or column.primary_key or column.foreign_keys:
                continue
            if isinstance(column.type, Text):
                values[column.name] = LINK if "url" in column.name else FILLED
            elif column.name in _BY_REASON:
                values[column.name] = {"missing_field": {"items": 1, "details": EVIL, "page": LINK}}
            elif isinstance(column.type, JsonColumn):
                values[column.name] = {
                    "title": EVIL,
                    "price": EVIL,
                    "url": LINK,
                    EVIL: [EVIL, {"deep": EVIL}],
                }
        if table in (targets_table, candidates):  # whose addresses are unique
            values["url"] = literal(LINK) + cast(table.c.id, Text)
        planted = update(table).values(values)
        conn.execute(planted.where(table.c.id < _evil_cut(conn)) if table in (records, versions) else planted)


def _evil_cut(conn: Connection) -> int:
    """The hostile shop's own record stays as the pipeline made it."""
    return int(conn.scalar(_evil_record()) or 0)


async def _harm(page: Page) -> list[str]:
    """Anything of it that is more than text."""
    found: list[str] = await page.evaluate(
        """() => [
          ...(window.pwned ? ["a script ran"] : []),
          ...[...document.querySelectorAll("[data-pwned]")].map((each) => each.outerHTML),
          ...[...document.querySelectorAll("[href],[src],[action],[formaction]")]
            .filter((each) => /^\\s*(javascript|data|vbscript):/i.test(
              each.getAttribute("href") || each.getAttribute("src") || each.getAttribute("action") || ""))
            .map((each) => each.outerHTML.slice(0, 120)),
          ...(document.body.innerText.includes("1337") ? ["a template was filled in"] : []),
        ]"""
    )
    return found


async def test_nothing_scraped_is_more_than_text_on_any_page(poisoned: World) -> None:
    page = await poisoned.operator()
    refused: list[str] = []
    page.on(
        "console", lambda said: refused.append(said.text) if "Content Security Policy" in said.text else None
    )
    record = await poisoned.app.read(lambda conn: conn.scalar(_evil_record()))
    paths = [
        *PUBLIC,
        *(f"/admin{each}" for each in ADMIN),
        f"/records/{record}",
        "/records/1",
        "/admin/runs/1",
        "/admin/quarantine/1",
        "/admin/dead/1",
        "/admin/watches",
    ]
    harm = {}
    for path in paths:
        response = await page.goto(path, wait_until="domcontentloaded")
        assert response is not None
        assert response.status in (200, 404), path
        for details in await page.locator("details").all():
            await details.evaluate("each => each.open = true")
        if found := await _harm(page):
            harm[path] = found
    assert harm == {}
    assert refused == []


async def test_the_reasons_for_a_hostile_value_are_shown_as_its_source(poisoned: World) -> None:
    page = await poisoned.visitor()
    record = await poisoned.app.read(lambda conn: conn.scalar(_evil_record()))
    await page.goto(f"/records/{record}")
    snippet = page.locator("#why-title .snippet")
    await page.locator("#why-title summary").click()
    assert "<script>" in await snippet.inner_text()
    assert await snippet.locator("mark").count() == 1
    assert await snippet.locator("script, img, svg").count() == 0


async def test_every_answer_forbids_inline_code(world: World) -> None:
    async with httpx2.AsyncClient(base_url=world.address) as client:
        for path in ("/", "/records/1", "/admin", "/nothing", "/static/larder.css"):
            policy = (await client.get(path)).headers["content-security-policy"]
            assert "default-src 'none'" in policy, path
            assert "unsafe" not in policy, path


async def test_a_form_counts_only_with_its_own_sessions_token(world: World) -> None:
    ours, theirs = await _session(world), await _session(world)
    token = await _token(world, ours)
    async with httpx2.AsyncClient(base_url=world.address) as client:
        form = {"name": "sneaky", "scope": "admin"}
        refused = [
            await client.post("/admin/keys/add", data=form),
            await client.post("/admin/keys/add", data=form, headers={"Cookie": f"{COOKIE}={ours}"}),
            await client.post(
                "/admin/keys/add", data={**form, "csrf": token}, headers={"Cookie": f"{COOKIE}={theirs}"}
            ),
        ]
        assert [each.status_code for each in refused] == [403, 403, 403]
        taken = await client.post(
            "/admin/keys/add", data={**form, "csrf": token}, headers={"Cookie": f"{COOKIE}={ours}"}
        )
        assert taken.status_code == 303
    names = await world.app.read(lambda conn: [each.name for each in keys.list_keys(conn)])
    assert names.count("sneaky") == 1


async def test_every_form_and_every_stream_is_closed_without_a_key(world: World) -> None:
    async with httpx2.AsyncClient(base_url=world.address) as client:
        for path in [
            *(f"/admin{each}" for each in ADMIN),
            "/admin/live/runs",
            "/admin/live/overview",
            "/admin/runs/1",
        ]:
            assert (await client.get(path)).status_code == 401, path


async def test_what_points_elsewhere_leads_home(world: World) -> None:
    async with httpx2.AsyncClient(base_url=world.address) as client:
        for to in ("https://evil.example/", "//evil.example", "/\\evil.example", "javascript:1"):
            answered = await client.post("/theme", data={"theme": "dark", "to": to})
            assert answered.headers["location"] == "/", to


async def test_no_cell_of_a_file_is_calculated(poisoned: World) -> None:
    def plant(conn: Connection) -> None:
        ids = conn.scalars(select(records.c.id).order_by(records.c.id).limit(len(FORMULAS))).all()
        for number, formula in zip(ids, FORMULAS, strict=True):
            conn.execute(update(records).where(records.c.id == number).values(title=formula, seller=formula))

    await poisoned.app.run(plant)
    async with httpx2.AsyncClient(base_url=poisoned.address) as client:
        answered = await client.get("/records.csv")
    rows = list(csv.DictReader(io.StringIO(answered.text)))
    plain = {each.replace("'", "") for each in FORMULAS}
    planted = [row for row in rows if row["title"].replace("'", "") in plain]
    assert len(planted) == len(FORMULAS)
    cells = [cell for row in rows for name, cell in row.items() if name not in ("latitude", "longitude")]
    assert [cell for cell in cells if cell.startswith(FORMULA_STARTS)] == []
    otherwise = chain(*csv.reader(io.StringIO(answered.text, newline=""), delimiter=";"))
    assert [cell for cell in otherwise if cell.startswith(FORMULA_STARTS)] == []


async def _session(world: World) -> str:
    now = world.app.clock.now()
    ticket = await world.app.run(keys.create_ticket, who="ada", now=now)
    return (await world.app.run(keys.redeem_ticket, ticket, now=now)).token


async def _token(world: World, session: str) -> str:
    async with httpx2.AsyncClient(
        base_url=world.address, headers={"Cookie": f"{COOKIE}={session}"}
    ) as client:
        found = re.search(r'name="csrf" value="([0-9a-f]+)"', (await client.get("/admin/keys")).text)
    assert found
    return found[1]
