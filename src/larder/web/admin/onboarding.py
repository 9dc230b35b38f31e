"""A new source from a pasted address: one polite fetch, what is found, what to change, and it is kept.

The page is fetched once, through the same gate as every other request, and stays stored; every further look
at it while selectors are adjusted reads the stored one.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import ValidationError
from sqlalchemy import Connection, select
from starlette.datastructures import FormData

from larder.actions import fetch, sources, targets
from larder.actions.sources import Added
from larder.actions.spec import SiteSpec, SourceSpec, slug_of
from larder.actions.targets import TargetSpec
from larder.app import App
from larder.core.errors import BadInput, NotThere, Unusable
from larder.core.model.job import Purpose
from larder.core.model.outcome import FetchOutcome
from larder.core.model.source import Kind, Plan, Visibility
from larder.engine.dispatch import Dispatcher
from larder.extraction import Trial, try_page
from larder.sdk import Page
from larder.sdk.selectors import BadSelector, read_selectors
from larder.sdk.urls import is_http, registrable_domain
from larder.stages.fetch import FetchRequest
from larder.store.tables import blobs, sites
from larder.web.admin.frame import answer
from larder.web.outline import Piece, outline
from larder.web.visit import Operator, Visit, text

router = APIRouter(prefix="/sources/new")

FIELDS: Mapping[Kind, tuple[str, ...]] = {
    Kind.LISTING: ("title", "url", "price", "area", "rooms", "address", "platform_id"),
    Kind.PRODUCT: ("title", "url", "price", "availability", "brand", "sku"),
    Kind.EVENT: ("title", "url", "when", "venue", "price"),
}
_ADVICE = {
    FetchOutcome.ROBOTS_BLOCKED: "the site's robots.txt does not allow it, and Larder obeys",
    FetchOutcome.BLOCKED: "the site refuses us; a browser may do: see LARDER_BROWSER",
    FetchOutcome.DNS_ERROR: "check the address",
    FetchOutcome.TIMEOUT: "the site did not answer in time; try again later",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """A stored page, read."""

    url: str
    body: str
    """The content hash of the stored page."""
    trial: Trial
    pieces: list[Piece]
    row: str
    chosen: Mapping[str, str]
    """Selector by field, as edited."""
    only_selectors: bool


@router.get("")
async def paste(visit: Operator) -> Response:
    """Where an address is pasted."""
    return await answer(visit, "paste.html", "sources", url=visit.request.query_params.get("url", ""))


@router.post("/look")
async def look(visit: Operator) -> Response:
    """One polite fetch: guard, robots.txt, the site's own pace."""
    form = await visit.form()
    url = text(form, "url")
    url = url if "://" in url else f"https://{url}"
    if not is_http(url):
        raise BadInput("that is not a web address", hint="paste it as https://example.com/page")
    body, final = await _fetched(visit.app, url, local=bool(text(form, "local")))
    query = {"url": final, "page": body, "local": text(form, "local")}
    return visit.back(f"/admin/sources/new/preview?{urlencode(query)}")


@router.get("/preview")
async def preview(visit: Operator) -> Response:
    """What is found on it, by which strategy, and what would become of it."""
    params = visit.request.query_params
    seen = await _preview(visit, params)
    kind = Kind(seen.trial.kind)
    return await answer(
        visit, "preview.html", "sources", seen=seen, trial=seen.trial, fields=FIELDS[kind], kinds=list(Kind),
        local=params.get("local", ""), slug=slug_of(seen.url), domain=registrable_domain(seen.url),
        reviewed=await visit.look(_reviewed, registrable_domain(seen.url) or ""), plans=list(Plan),
        plan=_plan(seen.trial),
    )  # fmt: skip


@router.post("/save")
async def save(visit: Operator) -> Response:
    """Keep it as a source; a single page becomes a target of it."""
    form = await visit.form()
    url = text(form, "url")
    spec, site = _spec(form), _site(form, visit.who)
    added = await visit.do(_kept, spec, site, url, visit.app.dispatcher, who=visit.who, now=visit.now)
    held = "; ".join(reason.says for reason in added.why.blocked_by)
    said = f"{added.slug} is added" + (
        ", but does not run yet: " + held if held else ". Its first run is due."
    )
    return visit.back(f"/admin/sources/{added.slug}", said, tone="warn" if held else "good")


def _kept(
    conn: Connection,
    spec: SourceSpec,
    site: SiteSpec | None,
    url: str,
    how: Dispatcher,
    *,
    who: str,
    now: datetime,
) -> Added:
    """The source and, where it is about one page, that page; or neither."""
    added = sources.add(conn, spec, how, site=site, who=who, now=now)
    if spec.plan is Plan.WATCH:
        targets.add(conn, added.slug, TargetSpec(url=url), who=who, now=now)
    return added


async def _fetched(app: App, url: str, *, local: bool) -> tuple[str, str]:
    """The page's content hash and its final address."""
    _, known = await app.do(fetch.asker, url, None)
    async with app.fetching() as ways:
        site = known or (registrable_domain(url) if local else None)
        page = await ways.fetcher.fetch(FetchRequest(url=url, local_site=site))
        if page.outcome is not FetchOutcome.OK or not page.body:
            said = f"{page.outcome.replace('_', ' ')}{f', status {page.status}' if page.status else ''}"
            guarded = "guard" in page.error
            hint = (
                "a private address; tick that you mean it"
                if guarded
                else _ADVICE.get(page.outcome, page.error)
            )
            raise Unusable(f"the page did not come: {said}", hint=hint)
        (stored,) = await ways.blobs.put([page.body])
        await app.do(fetch.keep, stored, now=app.clock.now())
    return stored.content_hash, page.final_url


async def _preview(visit: Visit, params: Mapping[str, str]) -> Preview:
    url, body_hash = params.get("url", ""), params.get("page", "")
    body = await _body(visit.app, body_hash)
    kind = params.get("kind") or None
    if kind is not None and kind not in list(Kind):
        raise BadInput(f"there is no kind {kind!r}", hint="listing, event or product")
    first = await asyncio.to_thread(try_page, body, url=url, kind=kind, now=visit.now)
    chosen = {
        name.removeprefix("f."): value for name, value in params.items() if name.startswith("f.") and value
    }
    row, only = params.get("row", ""), bool(params.get("only"))
    trial = first
    if chosen or row:
        purpose = Purpose.INDEX if row else Purpose.DETAIL
        declared = _params(purpose, row, chosen, only=only)
        trial = await asyncio.to_thread(
            try_page, body, url=url, kind=first.kind, params=declared, now=visit.now
        )
    pieces = await asyncio.to_thread(outline, Page(url, body))
    return Preview(
        url=url, body=body_hash, trial=trial, pieces=pieces, row=row, chosen=chosen, only_selectors=only
    )


async def _body(app: App, content_hash: str) -> bytes:
    location = await app.look(_location, content_hash)
    store = app.blobs()
    try:
        body = await store.get(location, content_hash) if location else None
    finally:
        await store.close()
    if body is None:
        raise NotThere("that page is no longer kept", hint="paste its address again")
    return body


def _location(conn: Connection, content_hash: str) -> str | None:
    return conn.scalar(select(blobs.c.location).where(blobs.c.content_hash == content_hash))


def _reviewed(conn: Connection, domain: str) -> bool:
    return conn.scalar(select(sites.c.terms_reviewed_at).where(sites.c.domain == domain)) is not None


def _plan(trial: Trial) -> Plan:
    """What suits the page: a list of things is an index or an agenda, a single thing is watched."""
    if trial.purpose == Purpose.DETAIL and len(trial.items) == 1:
        return Plan.WATCH
    return Plan.AGENDA if trial.kind == Kind.EVENT else Plan.INDEX


def _params(purpose: Purpose, row: str, chosen: Mapping[str, str], *, only: bool) -> dict[str, Any]:
    declared: dict[str, Any] = {"fields": dict(chosen), **({"row": row} if purpose is Purpose.INDEX else {})}
    params: dict[str, Any] = {"selectors": {purpose: declared}}
    try:
        read_selectors(params["selectors"])
    except BadSelector as wrong:
        raise BadInput(
            f"{wrong.trail[-1] if wrong.trail else 'selector'}: {wrong}", hint=wrong.hint
        ) from wrong
    return {**params, **({"strategies": ["selectors"]} if only else {})}


def _spec(form: FormData) -> SourceSpec:
    chosen = {
        name.removeprefix("f."): str(value).strip() for name, value in form.items() if name.startswith("f.")
    }
    chosen = {name: value for name, value in chosen.items() if value}
    row = text(form, "row")
    params: dict[str, Any] = {}
    if chosen:
        purpose = Purpose.INDEX if row else Purpose.DETAIL
        params = _params(purpose, row, chosen, only=bool(text(form, "only")))
    if text(form, "index_url"):
        params["index_url"] = text(form, "index_url")
    said: dict[str, Any] = {
        name: text(form, name)
        for name in ("url", "slug", "name", "kind", "plan", "currency")
        if text(form, name)
    }
    said["visibility"] = Visibility.PUBLIC if text(form, "public") else Visibility.HIDDEN
    try:
        return SourceSpec.model_validate({**said, **({"params": params} if params else {})})
    except ValidationError as error:
        first = error.errors()[0]
        raise BadInput(f"{first['loc'][-1]}: {first['msg']}", hint="mend it and save again") from error


def _site(form: FormData, who: str) -> SiteSpec | None:
    said: dict[str, Any] = {}
    if text(form, "terms"):
        said["terms_reviewed_by"] = who
    if text(form, "local"):
        said["local"] = True
    return SiteSpec.model_validate(said) if said else None
